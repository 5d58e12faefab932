"""Views of answers: on a collection small enough for paper, on a random one against plain loops, and on odd input."""

from __future__ import annotations

import itertools
import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.analysis.agreement.alternative import alternative_test
from irviewer.analysis.answers.lost import STAGES, Lost
from irviewer.api.show import ShownView
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.model.number_text import quantity
from irviewer.model.protocol import EvaluationProtocol
from irviewer.tables.table import Table

OWN = Path(__file__).parents[1] / "data" / "answers"
FILES = [OWN / f"{run}.{part}.jsonl" for run in ("alpha", "beta") for part in ("answers", "assignments", "support")]


def rows(table: Table) -> list[tuple[object, ...]]:
    columns = [list(column.values) for column in table.columns if "" in column.parts]
    return list(zip(*columns, strict=True))


def shown(view: str, **options: object) -> ShownView:
    return irviewer.answers(view, OWN / "nuggets.jsonl", FILES, **options)  # type: ignore[arg-type]


def lost(**options: object) -> dict[str, dict[str, int]]:
    value = shown("lost", **options).value.lost
    assert isinstance(value, Lost)
    return {
        run: {stage: count for stage, count in zip(STAGES, value.counts[place].tolist(), strict=True) if count}
        for place, run in enumerate(value.matrix.runs)
    }


BESIDE = {"judgments": OWN / "qrels.txt", "context": OWN / "context.run", "segments": OWN / "segments.jsonl"}


def test_where_it_was_lost() -> None:
    """Alpha lacks the dance (its document d29 is not in the list) and says Rayleigh in part; beta lacks the dance,
    flowers (d23 at rank 3) and glaciers (d31 at rank 2), and says the patterns in part."""
    assert lost(**BESIDE) == {
        "alpha": {"not_retrieved": 1, "partly": 1},
        "beta": {"not_retrieved": 1, "not_cited": 2, "partly": 1},
    }
    assert lost(**BESIDE, context_size=2)["beta"] == {"not_retrieved": 1, "below": 1, "not_cited": 1, "partly": 1}
    assert lost(segments=BESIDE["segments"]) == {  # without the list: what is no reference may have been in it
        "alpha": {"partly": 1, "unknown": 1}, "beta": {"partly": 1, "unknown": 3},
    }  # fmt: skip
    assert lost() == {"alpha": {"partly": 1, "unknown": 1}, "beta": {"partly": 1, "unknown": 3}}
    # by grades: the relevant documents of t2 are d21, d23 and d29, of which alpha cites some and beta none
    by_grades = lost(judgments=BESIDE["judgments"], context=BESIDE["context"])
    assert by_grades == {"alpha": {"cited": 1, "partly": 1}, "beta": {"not_cited": 3, "partly": 1}}
    assert lost(**BESIDE, links="grades") == by_grades
    assert lost(**BESIDE, topic="t3") == {"alpha": {}, "beta": {"not_cited": 1}}


def test_scores_over_all_nuggets_and_sentences() -> None:
    """Against the files, read as JSON: each nugget and each sentence counts alike."""
    table = shown("scores")["micro"]
    own = {column.key: list(column.values) for column in table.columns}
    credit = {"support": (1.0, 1.0), "partial_support": (0.0, 0.5)}
    for place, run in enumerate(("alpha", "beta")):
        answers, labels = (
            [json.loads(line) for line in (OWN / f"{run}.{part}.jsonl").read_text().splitlines()]
            for part in ("answers", "assignments")
        )
        nuggets = [nugget for record in labels for nugget in record["nuggets"]]
        weights = {
            "v": [nugget["importance"] == "vital" for nugget in nuggets],
            "w": [{"vital": 1.0, "okay": 0.5}.get(nugget["importance"], 0.0) for nugget in nuggets],
            "a": [1.0 for _ in nuggets],
        }
        for name, each in weights.items():
            for key, part in ((f"{name}_strict", 0), (name, 1)):
                said = [credit.get(nugget["assignment"], (0.0, 0.0))[part] for nugget in nuggets]
                wanted = sum(w * s for w, s in zip(each, said, strict=True)) / sum(each)
                assert own[key][place] == pytest.approx(wanted, abs=1e-12)
        sentences = [sentence for record in answers for sentence in record["answer"]]
        cited = [len(sentence["citations"]) for sentence in sentences]
        assert own["nuggets"][place] == len(nuggets) and own["sentences"][place] == len(sentences)
        assert own["uncited"][place] == pytest.approx(cited.count(0) / len(cited))
        assert own["citations_per_sentence"][place] == pytest.approx(sum(cited) / len(cited))


@pytest.fixture(scope="module")
def drawn_systems(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict[str, tuple[float, ...]]]]:
    """A folder with four systems' random answers to a dozen topics, and by system and topic what is counted here of
    their files: the share of vital nuggets said, P@3 of the references, and the rank of the first relevant one."""
    folder, draw = tmp_path_factory.mktemp("drawn"), random.Random(8)
    topics, wanted = [f"q{number}" for number in range(12)], {}
    relevant = {topic: {f"d{number}" for number in range(9) if draw.random() < 0.4} for topic in topics}
    (folder / "qrels").write_text("".join(
        f"{topic} 0 d{number} {int(f'd{number}' in relevant[topic])}\n" for topic in topics for number in range(9)
    ))  # fmt: skip
    for system in "abcd":
        answers, labels, wanted[system] = [], [], {}
        for topic in topics:
            listed = draw.sample([f"d{number}" for number in range(9)], 6)
            said = [draw.random() < 0.3 + 0.2 * len(relevant[topic] & {*listed[:2]}) for _ in range(5)]
            answers.append({"run_id": system, "topic_id": topic, "topic": topic, "references": listed,
                            "answer": [{"text": "x", "citations": [0]}]})  # fmt: skip
            labels.append({"qid": topic, "run_id": system, "answer_text": "x", "nuggets": [
                {"text": str(place), "importance": "vital", "assignment": "support" if own else "not_support"}
                for place, own in enumerate(said)
            ]})  # fmt: skip
            relevant_at = [document in relevant[topic] for document in listed]
            first = relevant_at.index(True) + 1 if any(relevant_at) else 7
            wanted[system][topic] = sum(said) / 5, sum(relevant_at[:3]) / 3, first
        for part, records in (("answers", answers), ("labels", labels)):
            (folder / f"{system}.{part}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (folder / "nuggets").write_text((folder / "a.labels.jsonl").read_text().replace('"run_id": "a", ', ""))
    return folder, wanted


@pytest.mark.parametrize(("listed", "place", "sign"), [("P@3", 1, 1), ("SearchLength", 2, -1)])
def test_scores_against_the_lists(
    listed: str, place: int, sign: int, drawn_systems: tuple[Path, dict[str, dict[str, tuple[float, ...]]]]
) -> None:
    """Against SciPy and the published intervals. Of a measure by which lower is better, too, a positive correlation
    says that better lists go with better answers; a measure that is a text, or a count of queries, is none."""
    folder, wanted = drawn_systems
    files = sorted(folder.glob("?.*.jsonl"))
    measures = ["relstring", "NumQ", "V", listed]
    view = irviewer.answers("scores", folder / "nuggets", files, judgments=folder / "qrels", measures=measures)
    table = view["against_list"]
    own = {column.key: list(column.values) for column in table.columns}
    assert own["run"] == ["a", "b", "c", "d", ""] and table.title == f"V against {listed} of the list"
    assert any("Lower values" in note.text for note in table.notes) == (sign < 0)
    pairs = [np.array([wanted[run][topic] for topic in wanted[run]])[:, [0, place]].T for run in wanted]
    pairs.append(np.array([pair.mean(axis=1).round(9) for pair in pairs]).T)
    z = stats.norm.ppf(0.975)
    for row, (score, values) in enumerate(pairs):
        n = len(score)
        rho, tau = stats.spearmanr(score, sign * values).statistic, stats.kendalltau(score, sign * values).statistic
        assert own["n"][row] == n == (4 if row == 4 else 12)
        for key, value, spread in (("rho", rho, math.sqrt((1 + rho**2 / 2) / (n - 3))),
                                   ("tau", tau, math.sqrt(0.437 / (n - 4)) if n > 4 else 0)):  # fmt: skip
            assert math.isfinite(value) and own[key][row] == pytest.approx(value, abs=1e-12)
            ends = [own[f"{key}_{end}"][row] for end in ("low", "high")]
            if n < 5:
                assert all(map(math.isnan, ends))
            else:
                assert ends == pytest.approx([math.tanh(math.atanh(value) + side * z * spread) for side in (-1, 1)])
    assert any(abs(own["rho"][row]) > 0.2 for row in range(4))


def test_scores_are_compared_with_lists_that_are_judged(
    drawn_systems: tuple[Path, dict[str, dict[str, tuple[float, ...]]]],
) -> None:
    folder, _ = drawn_systems
    files = sorted(folder.glob("?.*.jsonl"))
    assert "against_list" not in irviewer.answers("scores", folder / "nuggets", files).tables
    alone = irviewer.answers("scores", folder / "nuggets", files, measures=["V", "P@3"])
    assert "against_list" not in alone.tables
    texts = irviewer.answers("scores", folder / "nuggets", files, judgments=folder / "qrels",
                             measures=["V", "relstring"])  # fmt: skip
    assert "against_list" not in texts.tables


def test_judgments_of_other_topics_move_no_score(tmp_path: Path) -> None:
    """Qrels of a track have more topics than its nuggets: these are no topics without a nugget, whose scores are 0."""
    (tmp_path / "more.txt").write_text((OWN / "qrels.txt").read_text() + "t8 0 d81 1\nt9 0 d91 1\n")
    (tmp_path / "more.run").write_text((OWN / "context.run").read_text() + "t9 Q0 d91 1 1 list\n")
    with_more = {**BESIDE, "judgments": tmp_path / "more.txt", "context": tmp_path / "more.run"}
    for view in ("scores", "nuggets", "lost", "sentences"):
        tables, others = shown(view, **with_more).shown.tables, shown(view, **BESIDE).shown.tables
        assert [repr(rows(table)) for table in tables] == [repr(rows(table)) for table in others]
    alone = {column.key: list(column.values) for column in shown("scores")["scores"].columns}
    beside = {column.key: list(column.values) for column in shown("scores", **with_more)["scores"].columns}
    assert {key: beside[key] for key in alone} == alone


@pytest.mark.parametrize(("what", "text"), [("judgments", "x1 0 d11 2\n"), ("context", "x1 Q0 d11 1 2 list\n")])
def test_what_has_none_of_the_topics_is_refused(tmp_path: Path, what: str, text: str) -> None:
    (tmp_path / "other.txt").write_text(text)
    with pytest.raises(OptionError, match=r"other has none of the topics: its query ids \(x1 …\) are not those of"):
        shown("lost", **{what: tmp_path / "other.txt"})


def test_the_order_of_judgments_moves_nothing(tmp_path: Path) -> None:
    """Of several relevant documents that are cited the one with the best rank is named."""
    answers, nuggets, context = tmp_path / "a.jsonl", tmp_path / "n.jsonl", tmp_path / "context.run"
    answers.write_text(json.dumps({"run_id": "s", "topic_id": "1", "references": ["d9", "d2", "d5"], "answer": [
        {"text": "One.", "citations": [0, 1, 2]}]}) + "\n")  # fmt: skip
    nuggets.write_text(json.dumps({"qid": "1", "run_id": "s", "nuggets": [
        {"text": "n", "importance": "vital", "assignment": "not_support"}]}) + "\n")  # fmt: skip
    context.write_text("".join(f"1 Q0 d{at} {at} {-at} x\n" for at in range(1, 9)))
    for order in ((9, 5, 2), (5, 2, 9), (2, 9, 5)):
        qrels = tmp_path / "qrels.txt"
        qrels.write_text("".join(f"1 0 d{number} 1\n" for number in order))
        beside = {"judgments": qrels, "context": context}
        listed = irviewer.answers("lost", nuggets, [answers, nuggets], **beside)["nuggets"]
        assert [row[3:6] for row in rows(listed)] == [("cited", 2, "d2")], order
        without = irviewer.answers("lost", nuggets, [answers, nuggets], judgments=qrels)["nuggets"]
        assert [(row[3], row[5]) for row in rows(without)] == [("cited", "d9")], "the first of the references"


def test_what_the_context_is() -> None:
    """It is not called the list where only references are known; of a part of the systems these are named."""

    def notes(**options: object) -> dict[str, str]:
        return {note.code: note.text for note in shown("lost", **options)["systems"].notes}

    assert notes(**BESIDE)["context"] == "The context is the whole list context.", "one, of all"
    assert notes(**BESIDE, context_size=1)["context"] == "The context is the first 1 document."
    assert "unlisted" not in notes(**BESIDE)
    assert notes()["context"] == "The list is not open: of the context only the references are known."
    assert "unlisted" not in notes()
    assert notes(context_size=2)["unlisted"].endswith("only the references are known: alpha, beta.")


def test_counts_of_one(tmp_path: Path) -> None:
    text = (OWN / "alpha.assignments.jsonl").read_text()
    first, *others = text.splitlines()
    record = json.loads(first)
    record["nuggets"].pop()
    (tmp_path / "alpha.jsonl").write_text("\n".join([json.dumps(record), *others]) + "\n")
    notes = str(irviewer.answers("nuggets", OWN / "nuggets.jsonl", tmp_path / "alpha.jsonl")["nuggets"].notes)
    assert "1 label is lacking" in notes
    record["nuggets"][0]["assignment"] = "perhaps"
    (tmp_path / "beta.jsonl").write_text("\n".join([json.dumps(record), *others]) + "\n")
    files = [OWN / "alpha.assignments.jsonl", tmp_path / "beta.jsonl"]
    shown = irviewer.answers("agreement", OWN / "nuggets.jsonl", files)
    assert "1 label that no rule knows counts as not said" in str(shown["pairs"].notes)


def test_the_stage_of_each_nugget() -> None:
    listed = [row[:6] for row in rows(shown("lost", **BESIDE)["nuggets"])]
    assert ("t2", "Bees smell flowers", "beta", "not_cited", 3, "d23") in listed
    assert ("t3", "Glaciers carved fjords", "beta", "not_cited", 2, "d31") in listed
    assert len(listed) == 6


def test_nuggets_by_system() -> None:
    answer = shown("nuggets")
    by_nugget = {row[1]: row[3:] for row in rows(answer["nuggets"])}
    assert by_nugget["This is Rayleigh scattering"] == (1, 1, "partly", "said")
    assert by_nugget["The waggle dance tells direction and distance"] == (0, 0, "not_said", "not_said")
    topics = {row[0]: row[2:] for row in rows(answer["topics"])}
    assert topics == {"t1": (2, 0.5, 1.0), "t2": (3, pytest.approx(2 / 3), 0.0), "t3": (2, 1.0, 0.5)}
    assert "Vital nuggets: 7; said by every system: 2, by none: 1." in str(answer["nuggets"].notes)
    with pytest.raises(OptionError, match="no topic nowhere"):
        shown("nuggets", topic="nowhere")


def test_a_list_that_systems_share_does_not_share_their_scores() -> None:
    """The values of runs are cached by their documents."""
    answer = shown("nuggets", context=OWN / "context.run")
    assert [row[3:] for row in rows(answer["topics"])] == [row[3:] for row in rows(shown("nuggets")["topics"])]


def test_sentences_at_fault() -> None:
    answer = shown("sentences")
    systems = {row[0]: row[1:] for row in rows(answer["systems"])}
    assert systems == {"alpha": (6, 1, pytest.approx(1 / 6), 0, 4, 0), "beta": (5, 2, 0.4, 0, 3, 1)}
    assert ("t1", "beta", 2, "not_supported", "Oceans have little to do with it.", "d13") in rows(answer["sentences"])


def test_scores_of_documents_are_over_judged_topics(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("t1 0 d11 2\n")
    answer = shown("scores", judgments=tmp_path / "one.txt")
    table = answer["scores"]
    values = {column.key: list(column.values) for column in table.columns}
    assert values["V_strict"] == [pytest.approx(13 / 18), 0.5]
    assert values["CitedRel"] == [0.5, 0.5]
    assert "CitedRel, nDCG@10: over the topics that have judgments of documents (1); the others over all (3)." in str(
        table.notes
    )


def test_labels_that_no_rule_knows_are_a_table(tmp_path: Path) -> None:
    odd = (OWN / "alpha.assignments.jsonl").read_text().replace('"okay"', '"failed"', 1).replace("partial_", "male_")
    (tmp_path / "odd.jsonl").write_text(odd)
    table = irviewer.answers("scores", OWN / "nuggets.jsonl", tmp_path / "odd.jsonl")["labels"]
    assert sorted(rows(table)) == [
        ("alpha", "assignment", "male_support", 2, "assignment"), ("alpha", "importance", "failed", 1, "importance"),
    ]  # fmt: skip


def test_a_run_of_another_text_and_other_nuggets_is_said(tmp_path: Path) -> None:
    text = (OWN / "alpha.assignments.jsonl").read_text().replace("The air scatters", "Something else scatters")
    records = [json.loads(line) for line in text.splitlines()]
    records[1]["nuggets"].pop(1)
    (tmp_path / "other.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    files = [OWN / "alpha.answers.jsonl", tmp_path / "other.jsonl"]
    answer = irviewer.answers("scores", OWN / "nuggets.jsonl", files)
    said = str(answer["scores"].notes)
    assert "the answer to 1 topic is not the text that was judged" in said
    assert "the assigner did not return 1 nugget" in said
    matrix = irviewer.answers("nuggets", OWN / "nuggets.jsonl", files).value.matrix
    texts = matrix.nuggets.texts.to_pylist()
    assert matrix.labels[0, texts.index("Bees smell flowers")] == -1
    assert matrix.labels[0, texts.index("The waggle dance tells direction and distance")] == 0


def test_support_of_other_sentences_than_the_answer_has_is_said(tmp_path: Path) -> None:
    """A table of judged citations has no row of a sentence that cites nothing, which recall would count as 0."""
    answers = tmp_path / "s.answers.jsonl"
    sentences = [
        {"text": "One.", "citations": [0]},
        {"text": "Two.", "citations": []},
        {"text": "Three.", "citations": [1]},
    ]
    record = {"run_id": "s", "topic_id": "1", "topic": "q", "references": ["a", "b"], "answer": sentences}
    answers.write_text(json.dumps(record) + "\n")
    qrels = tmp_path / "q.qrels"
    qrels.write_text("1 0 a 1\n")
    head = "query,system,sentence,cited,support\n"
    said = "run s: the answer to 1 topic has other sentences or citations than those that were judged"
    for rows, differs in (
        ("1,s,One.,a,FS\n1,s,Three.,b,NS\n", True),
        ("1,s,One.,a,FS\n1,s,Two.,,\n1,s,Three.,,\n", True),
        ("1,s,One.,a,FS\n1,s,Two.,,\n1,s,Tree.,b,NS\n", True),
        ("1,s,One.,a,FS\n1,s,Two.,,\n1,s,Three.,b,NS\n", False),
        ("1,s, One. ,a,FS\n1,s,Two.,,\n1,s,Three.,b,NS\n", False),
    ):
        (tmp_path / "s.csv").write_text(head + rows)
        files = [answers, tmp_path / "s.csv"]
        notes = str(irviewer.answers("scores", qrels, files)["scores"].notes)
        assert (said in notes) == differs, rows
        cautions = irviewer.evaluate(qrels, files, ["SupportR"]).cautions
        assert any(said in each for each in cautions) == differs, rows
        assert not any(said in each for each in irviewer.evaluate(qrels, files, ["Uncited"]).cautions)


def test_answers_whose_citations_are_not_known_are_said(tmp_path: Path) -> None:
    """Documents beside an answer that is one text, without marks: that no sentence cites them is not known. The ids of
    the topics may be found by their questions."""
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({"qid": "a", "run_id": "s", "answer": "One. Two.", "references": ["d"]}) + "\n")
    qrels = tmp_path / "q.qrels"
    qrels.write_text("a 0 d 1\n")
    said = (
        "run s: 1 answer has documents and no marks such as [1]; which sentences cite them is not known, and all count "
        "as without a citation"
    )
    assert said in str(irviewer.answers("sentences", qrels, path)["systems"].notes)
    assert said in str(irviewer.answers("scores", qrels, path)["scores"].notes)
    for measure in ("Uncited", "CitationsPerSentence", "CitedRel", "Used"):
        assert said in irviewer.evaluate(qrels, path, [measure]).cautions
    assert said not in irviewer.evaluate(qrels, path, ["Length"]).cautions
    run = irviewer.read_run(path)
    assert run.answered is not None
    renamed = run.answered.renamed({"a": "b"}).answers
    assert renamed is not None
    assert (renamed.topics, renamed.unmarked) == (("b",), ("b",))
    path.write_text(json.dumps({"qid": "a", "run_id": "s", "answer": ["One.", "Two."], "references": ["d"]}) + "\n")
    assert said not in str(irviewer.answers("sentences", qrels, path)["systems"].notes)


def test_topics_without_nuggets_are_said(tmp_path: Path) -> None:
    more = {"t8": [], "t9": [{"text": "A fact", "importance": "okay"}]}
    lines = [json.dumps({"qid": topic, "query": "?", "nuggets": nuggets}) for topic, nuggets in more.items()]
    (tmp_path / "n.jsonl").write_text((OWN / "nuggets.jsonl").read_text().rstrip() + "\n" + "\n".join(lines) + "\n")
    notes = str(irviewer.answers("scores", tmp_path / "n.jsonl", OWN / "alpha.assignments.jsonl")["scores"].notes)
    assert "1 topic has no nuggets, so its score is 0: t8" in notes
    assert "1 topic has no vital nugget, so its score over vital ones is 0: t9" in notes, "though nobody labelled it"


def test_two_answers_to_a_topic_are_refused_as_such_without_nuggets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads((OWN / "alpha.answers.jsonl").read_text().splitlines()[0])
    second = record | {"answer": [{"text": "Another one.", "citations": []}]}
    path = tmp_path / "twice.jsonl"
    path.write_text(json.dumps(record) + "\n" + json.dumps(second) + "\n")
    for files in ([path], [OWN / "beta.answers.jsonl", path]):
        assert main(["answers", "versions", *map(str, files)]) != 0
        said = capsys.readouterr().err
        assert f"twice.jsonl:2: system alpha has two answers to topic {record['topic_id']}" in said
        assert "--duplicates first or last" in said


@pytest.mark.parametrize("seed", range(5))
def test_random_answers_against_plain_loops(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    topics = [f"t{number}" for number in range(6)]
    labels = ("support", "partial_support", "not_support", "odd_thing")
    nuggets = {topic: [(f"n{k}", dice.choice(("vital", "okay", "strange"))) for k in range(dice.randint(0, 7))]
               for topic in topics}  # fmt: skip
    lists = {topic: dice.sample([f"d{k}" for k in range(12)], dice.randint(1, 8)) for topic in topics}
    holds = {(topic, k): dice.sample([f"d{n}" for n in range(12)], dice.randint(0, 2))
             for topic in topics for k in range(len(nuggets[topic]))}  # fmt: skip
    assigned = {(topic, k): dice.choice(labels) for topic, k in holds}
    cited = {topic: dice.sample(lists[topic], dice.randint(0, len(lists[topic]))) for topic in topics}

    def put(name: str, records: list[dict[str, object]]) -> Path:
        (tmp_path / name).write_text("".join(json.dumps(record) + "\n" for record in records))
        return tmp_path / name

    def listed(topic: str, document: str = "") -> list[dict[str, str]]:
        return [
            {"text": text, "importance": importance, "assignment": assigned[topic, k] if not document else
             "support" if document in holds[topic, k] else "not_support"}
            for k, (text, importance) in enumerate(nuggets[topic])
        ]  # fmt: skip

    files = [
        put("a.jsonl", [{"run_id": "s", "topic_id": topic, "references": cited[topic], "answer":
                         [{"text": "x", "citations": list(range(len(cited[topic])))}]} for topic in topics]),
        put("b.jsonl", [{"qid": topic, "run_id": "s", "nuggets": listed(topic)} for topic in topics]),
    ]  # fmt: skip
    segments = put("c.jsonl", [{"qid": topic, "docid": f"d{n}", "nuggets": listed(topic, f"d{n}")}
                               for topic in topics if nuggets[topic] for n in range(12)])  # fmt: skip
    (tmp_path / "list.run").write_text(
        "".join(f"{t} Q0 {d} {r} {-r} x\n" for t, ranking in lists.items() for r, d in enumerate(ranking, 1))
    )
    size = dice.choice((0, 2, 4))
    value = irviewer.answers("lost", files[1], files, segments=segments, context=tmp_path / "list.run",
                             context_size=size).value  # fmt: skip
    wanted = dict.fromkeys(STAGES, 0)
    for (topic, k), label in assigned.items():
        if nuggets[topic][k][1] != "vital" or label == "support":
            continue
        ranks = [lists[topic].index(d) + 1 for d in holds[topic, k] if d in lists[topic]]
        if label == "partial_support":
            wanted["partly"] += 1
        elif not holds[topic, k]:
            wanted["no_document"] += 1
        elif set(holds[topic, k]) & set(cited[topic]):
            wanted["cited"] += 1
        elif not ranks:
            wanted["not_retrieved"] += 1
        elif size and min(ranks) > size:
            wanted["below"] += 1
        else:
            wanted["not_cited"] += 1
    assert dict(zip(STAGES, value.lost.counts[0].tolist(), strict=True)) == wanted
    assert int(value.lost.vital[0]) - int(np.sum(value.lost.counts)) == sum(
        label == "support" and nuggets[topic][k][1] == "vital" for (topic, k), label in assigned.items()
    )


@pytest.mark.parametrize("view", ["scores", "nuggets", "lost", "sentences"])
def test_no_number_depends_on_the_order_of_files_or_topics(view: str, tmp_path: Path) -> None:
    """Files and topics backwards, and a further system: every row of the others is the same."""
    backwards = []
    for path in reversed(FILES):
        (tmp_path / path.name).write_text("".join(reversed(path.read_text().splitlines(keepends=True))))
        backwards.append(tmp_path / path.name)
    table = shown(view, **BESIDE).shown.tables[0]
    answer = irviewer.answers(view, OWN / "nuggets.jsonl", backwards, **BESIDE)  # type: ignore[arg-type]
    again = answer.shown.tables[0]
    of_runs = [column.key for column in table.columns]
    values = {column.key: list(column.values) for column in again.columns}
    assert sorted(map(str, zip(*(values[key] for key in of_runs), strict=True))) == sorted(map(str, rows(table)))


def test_what_is_not_there_is_said() -> None:
    lists = {"t1": {"d11": 1.0}}
    for view in ("nuggets", "lost", "sentences", "scores"):
        with pytest.raises(OptionError, match="This needs"):
            irviewer.answers(view, {"t1": {"d11": 1}}, lists)
    with pytest.raises(OptionError, match="no view 'x' of answers"):
        shown("x")
    with pytest.raises(OptionError, match="has no assignments to segments"):
        shown("lost", segments=OWN / "nuggets.jsonl")


@pytest.mark.parametrize("view", ["scores", "nuggets", "lost", "sentences"])
def test_the_command_writes_the_same(view: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from irviewer.cli.main import main

    beside = [word for name, path in BESIDE.items() for word in (f"--{name}", str(path))]
    assert main(["answers", view, str(OWN / "nuggets.jsonl"), *map(str, FILES), *beside, "--format", "csv"]) == 0
    shown(view, **BESIDE).save(tmp_path / "table.csv")
    assert capsys.readouterr().out == (tmp_path / "table.csv").read_text()


def test_every_command_takes_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Statistics, gate, verdict, paper, report and stored values, as for lists."""
    from irviewer.cli.main import main

    data = [str(OWN / "nuggets.jsonl"), *map(str, FILES)]
    assert main(["verdict", *data, "-m", "V_strict"]) == 0
    assert main(["paper", *data, "-m", "V_strict", "-m", "Uncited"]) == 0
    assert main(["report", *data, "-m", "V_strict", "--section", "answer-lost", "-o", str(tmp_path / "r.html")]) == 0
    assert "Where was it lost?" in (tmp_path / "r.html").read_text()
    assert main(["evaluate", *data, "-m", "V_strict", "--save-values", str(tmp_path / "v.parquet")]) == 0
    assert main(["slices", *data, "-m", "V_strict", "--by", "relevant"]) == 0
    for name in ("alpha", "beta"):
        assert main(["convert", str(OWN / f"{name}.answers.jsonl"), str(tmp_path / "c.jsonl"), "--to", "rag25"]) == 0
    gate = ["gate", data[0], str(OWN / "alpha.assignments.jsonl"), "--baseline", str(OWN / "beta.assignments.jsonl")]
    assert main([*gate, "--non-inferior", "V>-0.9"]) == 2  # three topics are too few
    capsys.readouterr()
    assert main(["check", *data]) == 0
    assert "ids do not match" not in capsys.readouterr().out
    assert main(["evaluate", *data, "-m", "V_strict", "--jobs", "2"]) == 2
    assert "belong together" in capsys.readouterr().err


ANSWERS_ALONE = [OWN / "alpha.answers.jsonl", OWN / "beta.answers.jsonl"]


def test_answers_alone_say_what_needs_no_judgments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sentences, citations, lengths and versions are those that nuggets beside them give."""
    from irviewer.cli.main import main

    for view in ("sentences", "versions"):
        alone = irviewer.answers(view, None, ANSWERS_ALONE)
        beside = irviewer.answers(view, OWN / "nuggets.jsonl", ANSWERS_ALONE)
        assert [rows(alone[table]) for table in alone.tables] == [rows(beside[table]) for table in beside.tables]
    scores = irviewer.answers("scores", None, ANSWERS_ALONE)["scores"]
    assert [column.key for column in scores.columns] == [
        "run", "Uncited", "CitationsPerSentence", "Length", "OverBudget(limit=400)",
    ]  # fmt: skip
    assert main(["answers", "sentences", *map(str, ANSWERS_ALONE), "--format", "json"]) == 0
    written = json.loads(capsys.readouterr().out)
    irviewer.answers("sentences", None, ANSWERS_ALONE).save(tmp_path / "s.json")
    assert written["tables"] == json.loads((tmp_path / "s.json").read_text())["tables"]
    assert main(["answers", "sentences", str(ANSWERS_ALONE[0]), "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["alpha,6,1,0.16666666666666666,0,0,0"]


def test_answers_alone_are_refused_where_judgments_are_needed(capsys: pytest.CaptureFixture[str]) -> None:
    from irviewer.cli.main import main

    with pytest.raises(OptionError, match="This needs assignments"):
        irviewer.answers("nuggets", None, ANSWERS_ALONE)
    with pytest.raises(OptionError, match="has no answers"):
        irviewer.answers("sentences", None, {"t1": {"d11": 1.0}})
    assert main(["answers", "scores", str(OWN / "nuggets.jsonl")]) == 2
    assert "give a file of answers" in capsys.readouterr().err
    assert main(["answers", "scores", str(OWN / "context.run"), str(ANSWERS_ALONE[0])]) == 2
    assert "context.run" in capsys.readouterr().err


def test_an_assigner_against_two_people(tmp_path: Path) -> None:
    """The alternative annotator test of labels is that of plain arrays of them, topic by topic."""
    labels = ("not_support", "partial_support", "support")
    dice = np.random.default_rng(4)
    truth = dice.integers(0, 3, (20, 4))
    given: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.int64]]] = {}
    for name, noise in (("model", 0.1), ("ann", 0.3), ("bob", 0.3)):
        given[name] = np.where(dice.random(truth.shape) < noise, dice.integers(0, 3, truth.shape), truth)
        records = [
            {"query": "", "qid": f"t{topic}", "answer_text": "A.", "response_length": 1, "run_id": "alpha",
             "nuggets": [{"text": f"n{topic} {place}", "importance": "vital", "assignment": labels[label]}
                         for place, label in enumerate(row)]}
            for topic, row in enumerate(given[name].tolist())
        ]  # fmt: skip
        (tmp_path / f"alpha.{name}.jsonl").write_text("\n".join(map(json.dumps, records)) + "\n")
    nuggets = [
        {"query": "", "qid": f"t{topic}",
         "nuggets": [{"text": f"n{topic} {place}", "importance": "vital"} for place in range(4)]}
        for topic in range(20)
    ]  # fmt: skip
    (tmp_path / "nuggets.jsonl").write_text("\n".join(map(json.dumps, nuggets)) + "\n")
    files = sorted(tmp_path.glob("alpha.*.jsonl"))
    protocol = EvaluationProtocol().but(epsilon=0.1, samples=100)
    page = irviewer.answers("agreement", tmp_path / "nuggets.jsonl", files, asked="model", protocol=protocol)
    wanted = alternative_test(np.stack([given["ann"].ravel(), given["bob"].ravel()], axis=1).astype(float),
                              given["model"].ravel().astype(float), np.repeat(np.arange(20), 4),
                              ["ann", "bob"])  # fmt: skip
    table = page["people"]
    assert list(table.keys) == ["ann", "bob"]
    assert list(table.column("instances").values) == [80, 80]
    assert list(table.column("queries").values) == [20, 20]
    assert list(table.column("p").values) == pytest.approx(list(wanted.decision(0.1).p))
    assert 0.1 in list(page["epsilon"].column("epsilon").values)
    said = {sentence.code: sentence.text for sentence in page.shown.sentences}
    assert said["people"].startswith("Was model shown to agree as well as one of these people, less .1?")
    plain = irviewer.answers("agreement", tmp_path / "nuggets.jsonl", files, protocol=protocol)
    assert "people" not in plain.shown.names
    with pytest.raises(OptionError, match="There is no assigner nobody"):
        irviewer.answers("agreement", tmp_path / "nuggets.jsonl", files, asked="nobody")
    with pytest.raises(OptionError, match="takes two other assigners or more"):
        irviewer.answers("agreement", tmp_path / "nuggets.jsonl", files[:2], asked="ann")


def test_topics_without_an_answer_are_said(tmp_path: Path) -> None:
    few = "".join((OWN / "alpha.assignments.jsonl").read_text().splitlines(keepends=True)[:2])
    (tmp_path / "alpha.jsonl").write_text(few)
    cautions = irviewer.answers("scores", OWN / "nuggets.jsonl", [tmp_path / "alpha.jsonl"]).value.cautions
    assert "run alpha lacks 1 query (t3) of the qrels: counted as 0" in cautions


def test_systems_tuned_to_an_assigner_by_a_plain_loop(tmp_path: Path) -> None:
    """Each tuned system gives the answer that the second assigner scores highest; its own stays where it is among
    these, else those that are highest count alike."""
    systems, topics, people = ("alpha", "beta", "gamma", "delta"), [f"t{place}" for place in range(6)], ("ann", "model")
    dice = np.random.default_rng(11)
    labels = dice.integers(0, 2, (2, 4, 6, 5))
    for person, name in enumerate(people):
        for system, run in enumerate(systems):
            records = [
                {"query": "", "qid": topic, "answer_text": "A.", "response_length": 1, "run_id": run,
                 "nuggets": [{"text": f"{topic} {item}", "importance": "vital",
                              "assignment": ("not_support", "support")[labels[person, system, place, item]]}
                             for item in range(5)]}
                for place, topic in enumerate(topics)
            ]  # fmt: skip
            (tmp_path / f"{run}.{name}.jsonl").write_text("\n".join(map(json.dumps, records)) + "\n")
    nuggets = [{"query": "", "qid": topic,
                "nuggets": [{"text": f"{topic} {item}", "importance": "vital"} for item in range(5)]}
               for topic in topics]  # fmt: skip
    (tmp_path / "nuggets.jsonl").write_text("\n".join(map(json.dumps, nuggets)) + "\n")
    files = sorted(tmp_path.glob("*.*.jsonl"))
    values = labels.mean(axis=3)  # V_strict: [person, system, topic]

    def tuned(strength: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        result = values.copy()
        for system in range(4):
            for place in range(6):
                best = [n for n in range(4) if values[1, n, place] == values[1, :, place].max()]
                chosen = [system] if system in best else best
                for person in range(2):
                    theirs = np.mean([values[person, n, place] for n in chosen])
                    result[person, system, place] += strength * (theirs - values[person, system, place])
        return result

    for strength in (1.0, 0.4):
        page = irviewer.answers("agreement", tmp_path / "nuggets.jsonl", files, reference="ann", tuned=0.5,
                                strength=strength, protocol=EvaluationProtocol().but(samples=100))  # fmt: skip
        changed = tuned(strength)
        taus, turned = [], []
        for chosen_systems in itertools.combinations(range(4), 2):
            means = [[round((changed if n in chosen_systems else values)[person, n].mean(), 12) for n in range(4)]
                     for person in range(2)]  # fmt: skip
            taus.append(stats.kendalltau(*means).statistic)
            turned.append(sum((means[0][a] - means[0][b]) * (means[1][a] - means[1][b]) < -1e-15
                              for a, b in itertools.combinations(range(4), 2)))  # fmt: skip
        table = {row[2]: row[3:] for row in rows(page["stress"])}
        assert {row[:2] for row in rows(page["stress"])} == {("ann", "model")}
        before = stats.kendalltau(*values.mean(axis=2).round(12)).statistic
        assert table["tau"] == (pytest.approx(before), *map(pytest.approx, (np.mean(taus), min(taus), max(taus))))
        assert table["turned"][1:] == (pytest.approx(np.mean(turned)), min(turned), max(turned))
        notes = str(page["stress"].notes)
        assert "2 of 4 systems tuned, 6 topics" in notes
        assert f"gains {quantity((changed - values)[1].mean())} under model" in notes
    without = irviewer.answers("agreement", tmp_path / "nuggets.jsonl", files, tuned=0.0)
    assert "stress" not in without.shown.names
    alone = irviewer.answers("agreement", tmp_path / "nuggets.jsonl", [each for each in files if "alpha" in each.name])
    assert "stress" not in alone.shown.names
    assert "Not known: that takes two topics" in {each.code: each.text for each in alone.shown.sentences}["stress"]
