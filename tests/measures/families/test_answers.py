"""Measures of answers: on a collection small enough for paper, and equal to the scores of a track to 1e-12."""

from __future__ import annotations

import csv
import json
import random
import re
from pathlib import Path

import pytest
from scipy import stats

import irviewer
from irviewer.analysis.explain import explain_mean, explain_query
from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.formats.answers.nuggets import ASSIGNED
from irviewer.formats.answers.support import FORMAT as SUPPORT_FORMAT
from irviewer.formats.load import load
from irviewer.measures.answered import NEEDED
from irviewer.measures.parser import parse_measure
from irviewer.measures.registry import families
from irviewer.measures.tool_names import usual_name
from irviewer.model.answers.beside import with_segments
from irviewer.model.answers.systems import joined_systems, with_list
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

OWN = Path(__file__).parents[2] / "data" / "answers"
SCORES = (
    "strict_vital_score", "vital_score", "strict_weighted_score", "weighted_score", "strict_all_score", "all_score",
)  # fmt: skip
PAPER: dict[str, dict[str, tuple[float, float, float]]] = {
    # vital nuggets: t1 2, t2 3, t3 2; okay ones: 2, 1, 1
    "V_strict": {"alpha": (1 / 2, 2 / 3, 1), "beta": (1, 0, 1 / 2)},
    "V": {"alpha": (1.5 / 2, 2 / 3, 1), "beta": (1, 0.5 / 3, 1 / 2)},
    "W_strict": {"alpha": (1.5 / 3, 2 / 3.5, 1), "beta": (2 / 3, 0.5 / 3.5, 1 / 2.5)},
    "W": {"alpha": (2 / 3, 2.25 / 3.5, 1), "beta": (2 / 3, 1 / 3.5, 1 / 2.5)},
    "A_strict": {"alpha": (2 / 4, 2 / 4, 1), "beta": (2 / 4, 1 / 4, 1 / 3)},
    "A": {"alpha": (2.5 / 4, 2.5 / 4, 1), "beta": (2 / 4, 1.5 / 4, 1 / 3)},
    "NuggetR(weight='vital',partial=1)": {"alpha": (1, 2 / 3, 1), "beta": (1, 1 / 3, 1 / 2)},
    # alpha, t1: 2 (first), none, 1 of three sentences; t2: 2 and 1; t3: not judged
    "SupportP": {"alpha": (1.5 / 2, 1.5 / 2, 0), "beta": (1 / 2, 0.5, 0)},
    "SupportR": {"alpha": (1.5 / 3, 1.5 / 2, 0), "beta": (1 / 2, 0.5 / 2, 0)},
    "SupportP(citations='all')": {"alpha": ((0.5 + 0.5) / 2, (1 + 0.75) / 2, 0), "beta": (1 / 2, 0.5, 0)},
    "SupportR(citations='all',hard=True)": {"alpha": (0.5 / 3, 1.5 / 2, 0), "beta": (1 / 2, 0, 0)},
    "CitedRel": {"alpha": (1, 1, 1), "beta": (1 / 2, 0, 0)},
    "CitedRel(rel=2)": {"alpha": (1 / 2, 1 / 2, 1), "beta": (1 / 2, 0, 0)},
    "Uncited": {"alpha": (1 / 3, 0, 0), "beta": (0, 1 / 2, 1)},
    "CitationsPerSentence": {"alpha": (1, 3 / 2, 1), "beta": (1, 1 / 2, 0)},
    "OverBudget(limit=20)": {"alpha": (1, 0, 0), "beta": (0, 0, 0)},
    "OverBudget(limit=20,amount=True)": {"alpha": (5, 0, 0), "beta": (0, 0, 0)},
    "Length": {"alpha": (25, 11, 15), "beta": (16, 12, 9)},
    "Used": {"alpha": (1, 1, 1), "beta": (1, 1, 0)},
    "Abstain": {"alpha": (0, 0, 0), "beta": (0, 0, 0)},
}


def run_of(path: Path, **options: str) -> Run:
    value = load(path, kind="run", **options).value  # type: ignore[arg-type]
    assert isinstance(value, Run)
    return value


def own_runs() -> list[Run]:
    names = [f"{system}.{part}.jsonl" for system in ("alpha", "beta") for part in ("answers", "assignments", "support")]
    return joined_systems([run_of(OWN / name) for name in names])


def qrels_of(path: Path) -> Qrels:
    value = load(path, kind="qrels").value
    assert isinstance(value, Qrels)
    return value


@pytest.mark.parametrize("text", PAPER)
def test_scores_on_paper(text: str) -> None:
    """And the ledger of each ends in its value."""
    qrels, runs = qrels_of(OWN / "qrels.txt"), own_runs()
    result = evaluate(qrels, runs, [text])
    for run in runs:
        wanted = PAPER[text][run.name]
        assert list(result.by_query(text, run.name).values()) == pytest.approx(wanted, abs=1e-12)
        assert result.mean(text, run.name) == pytest.approx(sum(wanted) / 3, abs=1e-12)
        for topic, value in zip(result.query_ids, wanted, strict=True):
            assert explain_query(run, qrels, text, topic).recomputed == pytest.approx(value, abs=1e-12)


def test_f_of_nuggets_on_paper() -> None:
    """Alpha says one vital nugget of two of t1 and one okay one: 200 characters are allowed, and all are within."""
    qrels, (alpha, _) = qrels_of(OWN / "nuggets.jsonl"), own_runs()
    value = evaluate(qrels, alpha, ["NuggetF"]).by_query("NuggetF")["t1"]
    assert value == pytest.approx(10 * 1 * 0.5 / (9 * 1 + 0.5))
    long = (OWN / "alpha.assignments.jsonl").read_text().replace("The air scatters", "x" * 300 + "The air scatters")
    assert alpha.answered is not None and alpha.answered.assignments is not None
    assert len("".join(alpha.answered.assignments.answer_texts[0].split())) < 200 < len(long)
    ledger = explain_query(alpha, qrels, "NuggetF", "t1")
    assert ledger.recomputed == pytest.approx(value)


def test_rules_for_a_word_that_is_not_known(tmp_path: Path) -> None:
    """One vital nugget that is said, and one of importance "failed" that is not."""
    path = tmp_path / "assigned.jsonl"
    path.write_text(
        '{"qid": "t", "run_id": "s", "nuggets": [{"text": "a", "importance": "vital", "assignment": "support"}, '
        '{"text": "b", "importance": "failed", "assignment": "male"}]}\n'
    )
    run, qrels = run_of(path), qrels_of(path)
    wanted = {
        "W": 1.0, "A": 1 / 2, "NuggetR(weight='weighted',odd='okay')": 1 / 1.5,
        "NuggetR(weight='all',odd='okay')": 1 / 2, "NuggetR(weight='all',odd='drop')": 1.0,
    }  # fmt: skip
    for text, value in wanted.items():
        assert evaluate(qrels, run, [text]).mean(text) == pytest.approx(value), text
        assert explain_query(run, qrels, text, "t").recomputed == pytest.approx(value), text
    assert "1 nugget has an importance that no rule knows: it counts in “all” alone" in " ".join(
        rule.text for rule in explain_query(run, qrels, "A", "t").rules
    )


def joint_file(path: Path, topics: dict[str, list[tuple[int, list[int], list[int]]]]) -> Run:
    """Support of sentences: (label of all together, labels alone, labels of the others); -1 is not judged."""
    lines = []
    for topic, sentences in topics.items():
        listed = [
            {"text": f"{topic} {number}.", "support": together, "citations": [
                {"citationID": place, "reference": f"d{place}", "support": alone[place], "others": others[place]}
                for place in range(len(alone))
            ]}
            for number, (together, alone, others) in enumerate(sentences)
        ]  # fmt: skip
        lines.append(json.dumps({"topic_id": topic, "run_id": "s", "sentences": listed}))
    path.write_text("\n".join(lines))
    return run_of(path)


def alce(sentences: list[tuple[int, list[int], list[int]]]) -> tuple[float, float]:
    """Precision and recall as section 4 of the paper has them, sentence by sentence; with every label given."""
    needed = citations = supported = 0
    for together, alone, others in sentences:
        supported += bool(alone) and together == 2
        for label, rest in zip(alone, others, strict=True):
            citations += 1
            irrelevant = label != 2 and len(alone) > 1 and rest == 2
            needed += together == 2 and not irrelevant
    return needed / citations if citations else 0.0, supported / len(sentences) if sentences else 0.0


@pytest.mark.parametrize("weight", ["vital", "weighted", "all"])
def test_nuggets_that_were_not_returned_count_as_not_said(weight: str, tmp_path: Path) -> None:
    """On wish, against plain loops over random labels, of which some are lacking and some texts are there twice; the
    ledger adds up to the same value. Where all were returned the option changes nothing."""
    drawn = random.Random(3)
    nuggets, labels = [], []
    for topic in "abcdef":
        own = [{"text": f"n{drawn.randrange(3)}", "importance": drawn.choice(["vital", "okay", "?"])}
               for _ in range(5)]  # fmt: skip
        given = [nugget for nugget in own if drawn.random() < (1 if topic == "a" else 0.6)]
        nuggets.append({"qid": topic, "nuggets": own})
        labels.append({"qid": topic, "run_id": "s", "nuggets": [
            {**nugget, "assignment": drawn.choice(["support", "partial_support", "not_support"])} for nugget in given
        ]})  # fmt: skip
    paths = tmp_path / "n.jsonl", tmp_path / "a.jsonl"
    for path, records in zip(paths, (nuggets, labels), strict=True):
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    qrels, run = qrels_of(paths[0]), run_of(paths[1])
    measure = parse_measure(f"NuggetR(weight={weight},unreturned=not_said)")
    values = evaluate(qrels, [run], [measure], EvaluationOptions()).by_query(measure, run.name)
    worth = {
        "vital": {"vital": 1.0},
        "weighted": {"vital": 1.0, "okay": 0.5},
        "all": dict.fromkeys(("vital", "okay", "?"), 1),
    }
    for listed, returned in zip(nuggets, labels, strict=True):
        weights = [worth[weight].get(each["importance"], 0.0) for each in returned["nuggets"]]
        left = [*returned["nuggets"]]
        for each in listed["nuggets"]:
            same = next((other for other in left if other["text"] == each["text"]), None)
            if same is None:
                weights.append(worth[weight].get(each["importance"], 0.0))
            else:
                left.remove(same)
        credit = {"support": 1.0, "partial_support": 0.5}
        said = sum(w * credit.get(each["assignment"], 0) for w, each in zip(weights, returned["nuggets"], strict=False))
        wanted = said / sum(weights) if sum(weights) else 0.0
        assert values[listed["qid"]] == pytest.approx(wanted, abs=1e-12)
        ledger = explain_query(run, qrels, measure, listed["qid"])
        assert ledger.recomputed == pytest.approx(wanted, abs=1e-12)


IMPORTANCE = ("vital", "okay", "?")
LABELS = ("support", "partial_support", "not_support", "male")
CREDITS = {"support": 1.0, "partial_support": 0.5}
LEFT_OUT = ("V", "W", "A", "NuggetF", "NuggetPyramid", "ContextR")


def drawn_nuggets(folder: Path) -> tuple[Path, Path, dict[str, dict[str, list[dict[str, object]]]]]:
    """Random nuggets of topics, and labels of most: some topics have no vital nugget, one has okay ones alone, one none
    at all, and the last two have no labels, one of them with nuggets that count."""
    draw = random.Random(5)
    nuggets = {
        str(topic): [
            {"text": f"{topic} {place}", "importance": draw.choice(IMPORTANCE[topic % 3 :]), "votes": draw.randrange(3)}
            for place in range(1 + draw.randrange(4))
        ]
        for topic in range(48)
    }  # fmt: skip
    nuggets |= {
        "okay": [{"text": "o", "importance": "okay", "votes": 0}], "none": [], "blank none": [],
        "blank": [{"text": "b", "importance": "vital", "votes": 2}],
    }  # fmt: skip
    labels = {
        topic: [{**each, "assignment": draw.choice(LABELS)} for each in own]
        for topic, own in nuggets.items() if "blank" not in topic
    }  # fmt: skip
    paths = folder / "n.jsonl", folder / "a.jsonl"
    for path, records, more in zip(paths, (nuggets, labels), ({}, {"run_id": "s", "answer_text": "x" * 300}),
                                   strict=True):  # fmt: skip
        path.write_text("".join(
            json.dumps({"qid": topic, **more, "nuggets": own}) + "\n" for topic, own in records.items()
        ))  # fmt: skip
    return *paths, {"nuggets": nuggets, "labels": labels}


def counts(name: str, nugget: dict[str, object]) -> float:
    """What a nugget counts in a measure."""
    importance = str(nugget["importance"])
    weights: dict[str, dict[str, float]] = {
        "W": {"vital": 1, "okay": 0.5}, "A": dict.fromkeys(IMPORTANCE, 1.0),
    }  # fmt: skip
    return (
        float(str(nugget["votes"])) if name == "NuggetPyramid" else weights.get(name, {"vital": 1}).get(importance, 0)
    )


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_topic_can_be_left_out_of_which_no_nugget_counts(name: str, tmp_path: Path) -> None:
    """Against loops over random nuggets: all other values are as before, the mean is over the others, and the ledger
    says why. A topic without labels has 0 where its nuggets count, and no value where they do not."""
    nuggets, labels, drawn = drawn_nuggets(tmp_path)
    (tmp_path / "segments.jsonl").write_text("".join(
        json.dumps({"qid": topic, "docid": "d", "candidate_text": "", "nuggets": [
            {"text": each["text"], "importance": each["importance"], "assignment": "support"} for each in own
        ]}) + "\n" for topic, own in drawn["nuggets"].items()
    ))  # fmt: skip
    qrels, run = with_segments(qrels_of(nuggets), qrels_of(tmp_path / "segments.jsonl")), run_of(labels)
    run = with_list(run, Run.from_dict({topic: {"d": 1.0} for topic in drawn["nuggets"]}))
    family, _, own = parse_measure(name).text.partition("(")
    plain, left = (
        parse_measure(name),
        parse_measure(f"{family}({own.rstrip(')')}{', ' if own else ''}missing=undefined)"),
    )
    result = evaluate(qrels, [run], [plain, left, f"1 - {left}"])
    before, values = result.by_query(plain), result.by_query(left)
    without = {
        topic for topic, own in drawn["nuggets"].items() if not sum(counts(name, each) for each in own)
    }  # fmt: skip
    assert {"none", "okay"} - without == ({"okay"} if name in ("W", "A") else set()) and "blank" not in without
    assert values == {topic: value for topic, value in before.items() if topic not in without}
    assert values["blank"] == (name == "ContextR") and "blank none" in without  # a list is none of the answer
    assert result.mean(left) == pytest.approx(sum(values.values()) / len(values), abs=1e-12)
    assert result.mean(f"1 - {left}") == pytest.approx(1 - result.mean(left), abs=1e-12)
    assert not result.unreached(left).any() and not result.without_mean
    for topic in before:
        ledger = explain_query(run, qrels, left, topic)
        assert ledger.recomputed == pytest.approx(values.get(topic, float("nan")), abs=1e-12, nan_ok=True), topic
        assert ("left out" in ledger.rule("own")) == (topic in without)
    assert explain_mean(run, qrels, left).value == pytest.approx(result.mean(left))
    for each, words in ((plain, ("0",)), (left, ("left out", "leaves"))):
        said = [text for text in evaluate(qrels, [run], [each]).cautions if "topic" in text and "labels" not in text]
        assert said and all(any(word in text for word in words) for text in said), said
    assert " > 0" in left.formula and " > 0" not in plain.formula


def test_runs_are_compared_over_the_topics_that_have_a_value(tmp_path: Path) -> None:
    """A topic without a value is no topic of a test: it is not the worst value, as one that is never reached."""
    nuggets, labels, drawn = drawn_nuggets(tmp_path)
    other = tmp_path / "b.jsonl"
    other.write_text(
        re.sub('"assignment": "[a-z_]+"', '"assignment": "support"', labels.read_text().replace('"s"', '"t"'))
    )
    vital = {topic for topic, own in drawn["nuggets"].items() if any(each["importance"] == "vital" for each in own)}
    text = "NuggetR(missing=undefined)"
    compared = irviewer.compare(nuggets, [labels, other], [text])
    compared.save(tmp_path / "compared.csv", table="comparison")
    with (tmp_path / "compared.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    first, second = (irviewer.evaluate(nuggets, path, ["V"]).by_query("V") for path in (labels, other))
    differences = [second[topic] - first[topic] for topic in vital]
    assert int(row["n"]) == len(vital) < len(drawn["nuggets"])
    assert float(row["difference"]) == pytest.approx(sum(differences) / len(differences))
    assert float(row["p"]) == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)
    caption = irviewer.paper_table(nuggets, [labels, other], [text, "V"]).caption
    own = f" V(missing='undefined') is over those that have a value, {len(vital)}."
    assert (
        f"Means over {len(drawn['nuggets'])} queries." in caption and own in caption and caption.count("a value") == 1
    )


@pytest.mark.parametrize(
    "name", ["CitedRel", "CitedRel(of=judged)", "Uncited", "CitationsPerSentence", "Used", "SupportP", "SupportR"]
)
def test_a_topic_can_be_left_out_with_nothing_to_divide_by(name: str, tmp_path: Path) -> None:
    """Against loops over random answers: a value is missing where the answer is there and its divisor is 0. A topic
    without an answer has 0; the ledger and a note say which topics have no divisor."""
    draw = random.Random(31)
    answers, support = {}, {}
    for topic in map(str, range(30)):
        own = [[place for place in range(3) if draw.random() < 0.3] for _ in range(draw.randrange(4))]
        answers[topic] = {"references": ["d0", "d1", "d2"][: 3 if any(own) else draw.choice((0, 3))], "sentences": own}
        if draw.random() < 0.7:
            support[topic] = [[draw.choice((-1, -1, 0, 1, 2)) for _ in each] for each in own]
    (tmp_path / "a.jsonl").write_text("".join(
        json.dumps({"run_id": "s", "topic_id": topic, "topic": "", "references": own["references"], "answer": [
            {"text": f"{place}.", "citations": cited} for place, cited in enumerate(own["sentences"])
        ]}) + "\n" for topic, own in answers.items()
    ))  # fmt: skip
    (tmp_path / "s.jsonl").write_text("".join(
        json.dumps({"run_id": "s", "topic_id": topic, "sentences": [
            {"sentenceID": number, "text": f"{number}.", "citations": [
                {"citationID": place, "reference": f"d{place}", "support": label}
                for place, label in zip(answers[topic]["sentences"][number], labels, strict=True)
            ]} for number, labels in enumerate(own)
        ]}) + "\n" for topic, own in support.items()
    ))  # fmt: skip
    qrels = Qrels.from_dict({topic: {"d1": 1.0, "d9": 1.0} for topic in [*answers, "lacking"]})
    (run,) = joined_systems([run_of(tmp_path / "a.jsonl"), run_of(tmp_path / "s.jsonl")])

    def divisor(topic: str) -> int:
        """What the value of a topic is divided by."""
        sentences, labels = answers[topic]["sentences"], support.get(topic, [])
        cited = {place for each in sentences for place in each}
        return {
            "CitedRel": len(cited), "CitedRel(of=judged)": len(cited & {1}), "Used": len(answers[topic]["references"]),
            "SupportP": sum(bool(each) and each[0] >= 0 for each in labels),
            "SupportR": sum(not each or each[0] >= 0 for each in labels),
        }.get(name, len(sentences))  # fmt: skip

    without = {topic for topic in answers if not divisor(topic)}
    assert 0 < len(without) < len(answers)
    left = parse_measure(f"{name.rstrip(')')}{',' if '(' in name else '('}missing=undefined)")
    result = evaluate(qrels, [run], [name, left])
    before, values = result.by_query(name), result.by_query(left)
    assert values == {topic: value for topic, value in before.items() if topic not in without}
    assert values["lacking"] == 0
    assert result.mean(left) == pytest.approx(sum(values.values()) / len(values), abs=1e-12)
    for topic in before:
        ledger = explain_query(run, qrels, left, topic)
        assert ledger.recomputed == pytest.approx(values.get(topic, float("nan")), abs=1e-12, nan_ok=True), topic
        assert ("left out" in ledger.rule("own")) == (topic in without)
    assert " > 0" in left.formula and " > 0" not in parse_measure(name).formula
    nothing = {topic for topic, own in answers.items() if not any(own["sentences"])}
    unjudged = {topic for topic in answers if not any(label >= 0 for own in support.get(topic, ()) for label in own)}
    said = {"CitedRel": f"{len(nothing)} answers cite nothing", "SupportP": f"no citation of {len(unjudged)} answers"}
    if name in said:
        for measure, is_zero in ((name, True), (left, False)):  # the note said 0 of what is left out, too
            (text,) = [text for text in evaluate(qrels, [run], [measure]).cautions if said[name] in text]
            assert ("is 0" in text) == is_zero, text


@pytest.mark.parametrize("groups", ["importance", "labels"])
def test_the_weighted_score_of_another_tool(groups: str, tmp_path: Path) -> None:
    """Its definition as a loop: the mean credit of one group, and half of that of another, by their sizes; a group
    without anything said in full has the mean 0. By importance of vital and okay nuggets, by labels of those said in
    full and in part."""
    nuggets, labels, drawn = drawn_nuggets(tmp_path)
    run, qrels = run_of(labels), qrels_of(nuggets)
    text = f"WeightedScore(groups={groups},partial=0.3)"
    values = evaluate(qrels, run, [text]).by_query(text)
    key, names = ("importance", ("vital", "okay")) if groups == "importance" else (
        "assignment", ("support", "partial_support"))  # fmt: skip

    def mean(given: list[str]) -> float:
        if "support" not in given:
            return 0.0
        return (given.count("support") + 0.3 * given.count("partial_support")) / len(given)

    for topic in drawn["nuggets"]:
        own = drawn["labels"].get(topic, [])
        upper, lower = ([str(each["assignment"]) for each in own if each[key] == name] for name in names)
        below = len(upper) + 0.5 * len(lower)
        wanted = (mean(upper) + 0.5 * mean(lower)) / below if below else 0.0
        assert values[topic] == pytest.approx(wanted, abs=1e-12)
        assert explain_query(run, qrels, text, topic).recomputed == pytest.approx(wanted, abs=1e-12)
    assert values != evaluate(qrels, run, ["W"]).by_query("W")
    with pytest.raises(MeasureError, match="needs assignments"):
        evaluate(qrels, Run.from_dict({"1": {"a": 1.0}}), [text])


def test_citation_precision_and_recall_are_those_of_the_paper(tmp_path: Path) -> None:
    """Against a loop over sentences: labels drawn for zero to four citations, also those that cannot be."""
    draw = random.Random(31)
    topics = {}
    for topic in map(str, range(40)):
        sentences = []
        for _ in range(draw.randrange(1, 6)):
            n = draw.randrange(5)
            alone = [draw.choice((0, 1, 2)) for _ in range(n)]
            together = draw.choice((0, 1, 2)) if n > 1 else sum(alone) if n else -1
            sentences.append((together, alone, [draw.choice((0, 1, 2)) for _ in range(n)]))
        topics[topic] = sentences
    run = joint_file(tmp_path / "joint.jsonl", topics)
    qrels = Qrels.from_dict({topic: {"d0": 1.0} for topic in topics})
    result = evaluate(qrels, run, ["CitationP", "CitationR"])
    for topic, sentences in topics.items():
        for name, value in zip(("CitationP", "CitationR"), alce(sentences), strict=True):
            assert result.by_query(name)[topic] == pytest.approx(value, abs=1e-12), (topic, name, sentences)
            assert explain_query(run, qrels, name, topic).recomputed == pytest.approx(value, abs=1e-12)
    again = tmp_path / "again.jsonl"
    again.write_bytes(SUPPORT_FORMAT.encoded(run))
    assert evaluate(qrels, run_of(again), ["CitationP", "CitationR"]).values.tolist() == result.values.tolist()


def test_what_is_not_judged_together_is_left_out(tmp_path: Path) -> None:
    """One citation is all of its sentence; of two the other one is the others; of three nobody knows the rest, unless
    one of them is enough; a sentence of two without their label together is not judged."""
    run = joint_file(tmp_path / "joint.jsonl", {
        "one": [(-1, [2], [-1])], "two": [(2, [1, 2], [-1, -1])], "both": [(2, [1, 1], [-1, -1])],
        "three": [(2, [1, 1, 1], [-1, -1, -1])], "enough": [(2, [1, 0, 2], [-1, -1, -1])],
        "silent": [(-1, [2, 2], [-1, -1])],
    })  # fmt: skip
    qrels = Qrels.from_dict({topic: {"d0": 1.0} for topic in run.query_ids})
    result = evaluate(qrels, run, ["CitationP", "CitationR"])
    wanted = {"one": (1, 1), "two": (1 / 2, 1), "both": (1, 1), "three": (0, 1), "enough": (1 / 3, 1), "silent": (0, 0)}
    for topic, values in wanted.items():
        assert tuple(result.by_query(name)[topic] for name in ("CitationP", "CitationR")) == values, topic
        for name, value in zip(("CitationP", "CitationR"), values, strict=True):
            assert explain_query(run, qrels, name, topic).recomputed == pytest.approx(value)
    quantities = explain_query(run, qrels, "CitationP", "three").quantities
    assert {each.symbol: each.value for each in quantities}["u"] == 3
    with pytest.raises(MeasureError, match="labels of all that a sentence cites"):
        evaluate(qrels_of(OWN / "qrels.txt"), own_runs(), ["CitationR"])


def test_a_pyramid_of_votes(tmp_path: Path) -> None:
    """Three assessors of four at most call a nugget vital: 3, 1 and 0 votes are 1, 1/3 and 0; the fourth has none."""
    path = tmp_path / "assigned.jsonl"
    votes = (3, 1, 0, None)
    labels = ("partial_support", "support", "support", "support")
    nuggets = [
        {"text": str(place), "importance": "vital", "assignment": label, **({} if vote is None else {"votes": vote})}
        for place, (vote, label) in enumerate(zip(votes, labels, strict=True))
    ]
    plain = [{key: value for key, value in nugget.items() if key != "votes"} for nugget in nuggets]
    path.write_text("\n".join(
        json.dumps({"qid": topic, "run_id": "s", "nuggets": listed}) for topic, listed in (("t", nuggets), ("u", plain))
    ))  # fmt: skip
    run, qrels = run_of(path), qrels_of(path)
    wanted = {
        "NuggetPyramid": (0.5 + 1 / 3) / (1 + 1 / 3), "NuggetPyramid(strict=True)": (1 / 3) / (1 + 1 / 3),
        "NuggetPyramid(partial=1)": 1.0,
    }  # fmt: skip
    for text, value in wanted.items():
        result = evaluate(qrels, run, [text])
        assert result.by_query(text) == pytest.approx({"t": value, "u": 0.0}, abs=1e-12)
        assert explain_query(run, qrels, text, "t").recomputed == pytest.approx(value, abs=1e-12)
        assert "1 topic has no votes for its nuggets, so NuggetPyramid is 0 there: u" in result.cautions
    path.write_bytes(ASSIGNED.encoded(run))
    assert evaluate(qrels, run_of(path), ["NuggetPyramid"]).by_query("NuggetPyramid")["t"] == wanted["NuggetPyramid"]
    others = tmp_path / "plain.jsonl"  # the votes are those of the nuggets in force
    others.write_text(json.dumps({"qid": "t", "run_id": "s", "nuggets": plain}))
    assert evaluate(qrels, run_of(others), ["NuggetPyramid"]).by_query("NuggetPyramid")["t"] == wanted["NuggetPyramid"]
    with pytest.raises(MeasureError, match="votes of assessors"):
        evaluate(qrels_of(others), run_of(others), ["NuggetPyramid"])


def test_the_context_is_the_references_or_the_list_that_was_given() -> None:
    """Counted from the files: of the vital nuggets that a segment holds, those of which a segment is in the context."""
    qrels = with_segments(qrels_of(OWN / "nuggets.jsonl"), qrels_of(OWN / "segments.jsonl"))
    runs = own_runs()
    held: dict[str, dict[str, set[str]]] = {}
    for line in (OWN / "segments.jsonl").read_text().splitlines():
        record = json.loads(line)
        for nugget in record["nuggets"]:
            if nugget["importance"] == "vital" and nugget["assignment"] != "not_support":
                held.setdefault(record["qid"], {}).setdefault(nugget["text"], set()).add(record["docid"])
    references = {}
    for system in ("alpha", "beta"):
        records = map(json.loads, (OWN / f"{system}.answers.jsonl").read_text().splitlines())
        references[system] = {record["topic_id"]: set(record["references"]) for record in records}
    listed: dict[str, list[str]] = {}
    for line in (OWN / "context.run").read_text().splitlines():
        listed.setdefault(line.split()[0], []).append(line.split()[2])
    context = load(OWN / "context.run", kind="run").value
    assert isinstance(context, Run)
    for depth in (None, 1):
        given = [with_list(run, context) for run in runs]
        for taken, contexts in (
            (runs, references),
            (given, {run.name: {topic: set(ids[:depth]) for topic, ids in listed.items()} for run in runs}),
        ):
            if depth is not None and taken is runs:
                continue
            result = evaluate(qrels, taken, ["ContextR"], EvaluationOptions(depth=depth))
            for run in taken:
                for topic, nuggets in held.items():
                    wanted = sum(bool(contexts[run.name][topic] & ids) for ids in nuggets.values()) / len(nuggets)
                    assert result.by_query("ContextR", run.name)[topic] == pytest.approx(wanted, abs=1e-12)
                    if depth is None:
                        assert explain_query(run, qrels, "ContextR", topic).recomputed == pytest.approx(wanted)
    with pytest.raises(MeasureError, match="segment assignments"):
        evaluate(qrels_of(OWN / "nuggets.jsonl"), runs, ["ContextR"])


@pytest.mark.parametrize(
    ("sentences", "refuses"),
    [([], True), (["", "  "], True), (["I cannot answer this.", "Sorry."], True), (["I don\u2019t  KNOW."], True),
     (["", "No lo sé."], True),
     (["Bees see.", "I cannot answer the rest."], False), (["They know the answer."], False)],
)  # fmt: skip
def test_an_answer_that_refuses(tmp_path: Path, sentences: list[str], refuses: bool) -> None:
    path = tmp_path / "answers.jsonl"
    answers = [{"text": text, "citations": []} for text in sentences]
    path.write_text(json.dumps({"run_id": "s", "topic_id": "t", "topic": "", "references": ["d"], "answer": answers}))
    run = run_of(path)
    qrels = Qrels.from_dict({"t": {"d": 1.0}, "without": {"d": 1.0}})
    assert evaluate(qrels, run, ["Abstain"]).by_query("Abstain") == {"t": float(refuses), "without": 1.0}
    for topic, value in (("t", float(refuses)), ("without", 1.0)):
        assert explain_query(run, qrels, "Abstain", topic).recomputed == value


@pytest.mark.parametrize("text", ["V_strict", "SupportP", "CitedRel", "Length", "Abstain", "CitationP"])
def test_a_list_alone_is_refused(text: str) -> None:
    with pytest.raises(MeasureError, match="this measure needs"):
        evaluate(Qrels.from_dict({"1": {"a": 1}}), Run.from_dict({"1": {"a": 1.0}}), [text])


@pytest.mark.parametrize(
    ("name", "text"),
    [("V", "NuggetR(weight='vital')"), ("W_strict", "NuggetR(weight='weighted',strict=True)"),
     ("all_score", "NuggetR(weight='all')"), ("strict_vital_score", "NuggetR(weight='vital',strict=True)"),
     ("V_strict(missing=undefined)", "NuggetR(weight='vital',strict=True,missing='undefined')"),
     ("W( partial=1 )", "NuggetR(weight='weighted',partial=1)"),
     ("1 - V(odd=drop)", "1 - NuggetR(weight='vital',odd='drop')")],
)  # fmt: skip
def test_names_of_the_track(name: str, text: str) -> None:
    assert parse_measure(name).text == text
    shown = usual_name(parse_measure(name))
    assert parse_measure(shown).text == text and "NuggetR" not in shown


@pytest.mark.parametrize(("text", "message"), [
    ("V(weight=all)", "the name says weight already; write NuggetR"), ("A(rel=2)", "has no parameter 'rel'"),
    ("W_strict(partial=2)", "between 0 and 1"), ("V@5", "unknown measure|cutoff"),
])  # fmt: skip
def test_parameters_of_a_name_of_the_track(text: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        parse_measure(text)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture
def track(data: Path) -> Path:
    folder = data / "trec-rag-2024"
    if not folder.is_dir():
        pytest.skip("the data of the track are not here")
    return folder


def track_runs(track: Path) -> dict[str, Run]:
    """The systems by the names of the expected scores."""
    files = (*sorted((track / "answers").iterdir()), *sorted((track / "assignments").iterdir()))
    runs = joined_systems([run_of(path) for path in files])
    return {("gpt-4o" if "gpt-4o" in run.name else "l31_70b_instruct"): run for run in runs}


def test_every_score_of_the_track(track: Path) -> None:
    runs = track_runs(track)
    result = evaluate(qrels_of(track / "nuggets" / "rag24_nuggets_mistral.jsonl.gz"), list(runs.values()), SCORES)
    values: dict[tuple[str, str], dict[str, float]] = {
        (system, score): result.by_query(score, run.name) for system, run in runs.items() for score in SCORES
    }
    compared = 0
    for row in rows_of(track / "expected.tsv"):
        run = runs[row["system"]]
        assert run.answered is not None and run.answered.answers is not None
        answers = run.answered.answers
        for score in SCORES:
            if row["topic"].startswith("all"):
                assert result.mean(score, run.name) == pytest.approx(float(row[score]), abs=1e-12)
            else:
                assert values[row["system"], score][row["topic"]] == pytest.approx(float(row[score]), abs=1e-12)
                compared += 1
        if not row["topic"].startswith("all"):
            place = answers.topic_index[row["topic"]]
            counts = (answers.sentence_counts, answers.citation_counts, answers.uncited_counts, answers.words)
            names = ("sentences", "citations", "uncited_sentences", "words")
            assert [int(count[place]) for count in counts] == [int(row[name]) for name in names]
    assert compared == 2 * 201 * 6


def test_what_is_cited_against_the_tracks_judgments(track: Path) -> None:
    runs = track_runs(track)
    texts = ["CitedRel", "CitedRel(rel=2)", "CitedRel(rel=3)", "CitedRel(of='judged')"]
    result = evaluate(qrels_of(track / "qrels.rag24.test.txt.gz"), list(runs.values()), texts)
    for row in rows_of(track / "expected.citations.tsv"):
        above = [float(row[f"cited_grade_ge{grade}"]) for grade in (1, 2, 3, 1)]
        below = [float(row["distinct_cited"])] * 3 + [float(row["cited_judged"])]
        for text, count, number in zip(texts, above, below, strict=True):
            value = result.by_query(text, runs[row["system"]].name)[row["topic"]]
            assert value == pytest.approx(count / number if number else 0.0, abs=1e-12)


def support_of_track(track: Path) -> ResultTable:
    path = track / "format-variants" / "support.made.jsonl"
    names = [row["run"] for row in rows_of(track / "format-variants" / "expected.support.made.tsv")]
    runs = [run_of(path, part=name) for name in dict.fromkeys(names)]
    topics = Qrels.from_dict({topic: {"d": 1.0} for topic in runs[0].query_ids})
    kinds = ("first", "all")
    texts = [f"{name}(citations={kind!r})" for kind in kinds for name in ("SupportP", "SupportR")]
    return evaluate(topics, runs, [*texts, "SupportP(hard=True)", "SupportR(hard=True)"])


def test_support_of_the_tracks_variant(track: Path) -> None:
    result = support_of_track(track)
    columns = ("wP_first", "wR_first", "wP_all", "wR_all", "hardP", "hardR")
    for row in rows_of(track / "format-variants" / "expected.support.made.tsv"):
        for measure, column in zip(result.measures, columns, strict=True):
            value = result.by_query(measure, row["run"])[row["topic"]]
            assert value == pytest.approx(float(row[column]), abs=1e-12), (row, measure.text)


def test_comparisons_of_the_track(track: Path, tmp_path: Path) -> None:
    """Difference, p of the paired t-test, its interval, and counts of topics, by the way that lists are compared."""
    files = [*sorted((track / "answers").iterdir()), *sorted((track / "assignments").iterdir())]
    nuggets = track / "nuggets" / "rag24_nuggets_mistral.jsonl.gz"
    baseline = next(run.name for system, run in track_runs(track).items() if system == "gpt-4o")
    compared = irviewer.compare(nuggets, [str(path) for path in files], list(SCORES), baseline=baseline, interval="t")
    compared.save(tmp_path / "compared.csv", table="comparison")
    with (tmp_path / "compared.csv").open(newline="") as file:
        rows = {parse_measure(row["measure"]).text: row for row in csv.DictReader(file)}
    for wanted in rows_of(track / "expected.tests.tsv"):
        row = rows[parse_measure(wanted["measure"]).text]
        columns = {"mean": "mean", "difference": "delta", "interval_low": "ci95_low", "interval_high": "ci95_high"}
        for ours, theirs in columns.items():
            assert float(row[ours]) == pytest.approx(float(wanted[theirs]), abs=1e-12), (wanted["measure"], ours)
        assert float(row["p"]) == pytest.approx(float(wanted["p_paired_t_two_sided"]), abs=1e-9)
        assert [row[name] for name in ("better", "equal", "worse")] == [
            wanted[name] for name in ("better", "equal", "worse")
        ]


def test_the_families_that_read_answers_are_listed() -> None:
    modules = ("nuggets", "support", "citations")
    names = {name for name, family in families().items() if family.compute.__module__.rpartition(".")[2] in modules}
    assert names == set(NEEDED)
