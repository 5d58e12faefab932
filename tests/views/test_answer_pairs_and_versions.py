"""Two systems nugget by nugget and sentence by sentence, and what is said without being backed: on paper, against plain
loops, and on odd input."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import irviewer
from irviewer.analysis.answers.context_ranks import bounds_text
from irviewer.errors import OptionError
from tests.views.test_answers import BESIDE, FILES, OWN, rows, shown


def put(path: Path, records: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_two_systems_on_paper() -> None:
    answer = shown("pairs")
    assert [row[1:4] for row in rows(answer["labels"])] == [(2, 1, 2), (1, 0, 0), (0, 0, 1)]
    assert {row[0]: row[2:] for row in rows(answer["topics"])} == {
        "t1": (0.5, 1.0, 0.5, 1, 0, 1, 0), "t2": (pytest.approx(2 / 3), 0.0, pytest.approx(-2 / 3), 0, 2, 0, 1),
        "t3": (1.0, 0.5, -0.5, 0, 1, 1, 0),
    }  # fmt: skip
    said = {row[2]: row[1] for row in rows(answer["nuggets"])}
    assert said["The waggle dance tells direction and distance"] == "neither"
    assert said["This is Rayleigh scattering"] == "fuller"
    with pytest.raises(OptionError, match="compared with itself"):
        shown("pairs", run="alpha")
    with pytest.raises(OptionError, match="two systems"):
        irviewer.answers("pairs", OWN / "nuggets.jsonl", [each for each in FILES if each.name.startswith("alpha")])


@pytest.mark.parametrize("seed", range(4))
def test_pairs_against_a_plain_loop(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    words = {"support": 2, "partial_support": 1, "not_support": 0, "odd_thing": 0}
    topics = {f"t{n}": [(f"n{k}", dice.choice(("vital", "okay", "odd"))) for k in range(dice.randint(1, 6))]
              for n in range(7)}  # fmt: skip
    said: dict[str, dict[str, list[str]]] = {}
    for name in ("a", "b"):
        said[name] = {topic: [dice.choice(list(words)) for _ in nuggets] for topic, nuggets in topics.items()}
    last = dice.choice(sorted(topics))
    said["b"][last].pop()
    files = [
        put(tmp_path / f"{name}.jsonl", [
            {"qid": topic, "run_id": name, "nuggets": [
                {"text": text, "importance": kind, "assignment": label}
                for (text, kind), label in zip(topics[topic], labels, strict=False)]}
            for topic, labels in own.items()
        ])
        for name, own in said.items()
    ]  # fmt: skip
    nuggets = put(tmp_path / "n.jsonl", [
        {"qid": topic, "nuggets": [{"text": text, "importance": kind} for text, kind in each]}
        for topic, each in topics.items()
    ])  # fmt: skip
    value = irviewer.answers("pairs", nuggets, files)
    counts = [[0] * 3 for _ in range(3)]
    for topic, each in topics.items():
        if topic == last and each[-1][1] == "vital":
            continue
        for place, (_, kind) in enumerate(each):
            if kind == "vital" and place < len(said["b"][topic]):
                counts[2 - words[said["a"][topic][place]]][2 - words[said["b"][topic][place]]] += 1
    assert [list(row[1:4]) for row in rows(value["labels"])] == counts
    assert len(rows(value["nuggets"])) == sum(map(sum, counts))
    outcomes = [row[1] for row in rows(value["nuggets"])]
    assert outcomes.count("fuller") == counts[1][0] + counts[2][0] + counts[2][1]
    assert outcomes.count("neither") == counts[2][2]


def test_what_is_said_and_not_backed() -> None:
    """Alpha: of the nuggets that it says, which sentence is like them, and what it cites."""
    answer = shown("lost", **BESIDE)
    assert {row[1] for row in rows(answer["said"])} <= {row[1] for row in rows(shown("nuggets")["nuggets"])}
    backing = answer.value.lost.backing
    assert len(backing.kind) == int(answer.value.lost.vital.sum() - answer.value.lost.counts.sum())


def test_each_way_of_being_backed(tmp_path: Path) -> None:
    sentences = ["Alpha cites nothing", "Beta has support", "Gamma has none", "Delta waits for a judge"]
    nuggets = [*(text.split()[0] for text in sentences), "Omega"]
    answers = put(tmp_path / "a.jsonl", [{"run_id": "s", "topic_id": "t", "references": ["d"], "answer": [
        {"text": text, "citations": [] if text.startswith("Alpha") else [0]} for text in sentences]}])  # fmt: skip
    assigned = put(tmp_path / "b.jsonl", [{"qid": "t", "run_id": "s", "nuggets": [
        {"text": text, "importance": "vital", "assignment": "support"} for text in nuggets]}])  # fmt: skip
    labels = {"Beta": 1, "Gamma": 0, "Delta": -1}
    support = put(tmp_path / "c.jsonl", [{"topic_id": "t", "run_id": "s", "sentences": [
        {"sentenceID": place, "text": text, "citations": [] if text.startswith("Alpha") else
         [{"citationID": 0, "reference": "d", "support": labels[text.split()[0]]}]}
        for place, text in enumerate(sentences)]}])  # fmt: skip
    answer = irviewer.answers("lost", assigned, [answers, assigned, support])
    assert [row[1:5] for row in rows(answer["said"])] == [
        ("Alpha", "s", "uncited", "1"), ("Gamma", "s", "unsupported", "3"),
    ]  # fmt: skip
    assert answer.value.lost.backing.counts(1).tolist() == [[1, 1, 1, 1, 1]]
    assert "no sentence is like 1; of 1 no citation" in str(answer["said"].notes)


def test_the_list_is_found_among_the_runs() -> None:
    wanted = shown("lost", **BESIDE)
    beside = {key: BESIDE[key] for key in ("judgments", "segments")}
    answer = irviewer.answers("lost", OWN / "nuggets.jsonl", [*FILES, BESIDE["context"]], **beside)
    assert rows(answer["nuggets"]) == rows(wanted["nuggets"])
    assert answer.value.listed.name == "context" and not wanted.value.listed.name
    assert "taken to be context" in str(answer["systems"].notes)


def test_difference_of_two_systems() -> None:
    answer = shown("lost", **BESIDE)
    by_stage = {row[0]: row[1:] for row in rows(answer["difference"])}
    assert by_stage["not_cited"] == (0, 2, 2) and by_stage["all"] == (2, 4, 2)


@pytest.mark.parametrize(("bounds", "text"), [((0, 0), None), ((3, 7), "≥ 3, ≤ 7"), ((3, 0), "≥ 3"), ((4, 4), "4")])
def test_bounds_in_words(bounds: tuple[int, int], text: str | None) -> None:
    assert bounds_text(*bounds) == text


def test_versions(tmp_path: Path) -> None:
    old = [
        ("The sky is blue in the morning", [0]),
        ("Air scatters <b>light</b>", [0]),
        ("It never rains", []),
        ("", []),
    ]
    new = [("The sky is blue in the evening", [0]), ("Air scatters <b>light</b>", [1]), ("", []), ("Wholly new", [])]
    files = [
        put(tmp_path / f"{name}.jsonl", [{"run_id": name, "topic_id": "t", "references": ["d1", "d2"], "answer": [
            {"text": text, "citations": cites} for text, cites in sentences]}])
        for name, sentences in (("old", old), ("new", new))
    ]  # fmt: skip
    nuggets = put(tmp_path / "n.jsonl", [{"qid": "t", "nuggets": [{"text": "n", "importance": "vital"}]},
                                         {"qid": "u", "nuggets": []}])  # fmt: skip
    answer = irviewer.answers("versions", nuggets, files, same=True)
    listed = [(row[1], row[2], row[4]) for row in rows(answer["sentences"])]
    assert listed == [("reworded", 1, 1), ("citations", 2, 2), ("first", 3, None), ("same", 4, 3), ("second", None, 4)]
    assert rows(answer["sentences"])[1][6:] == ("d1", "d2")
    assert rows(answer["topics"])[0][:6] == ("t", 1, 1, 1, 1, 1) and rows(answer["topics"])[1][1:6] == (1,) * 5
    assert len(rows(irviewer.answers("versions", nuggets, files)["sentences"])) == 4


def test_versions_are_called_by_what_tells_them_apart(tmp_path: Path) -> None:
    files = [
        put(tmp_path / f"{name}.jsonl", [{"run_id": f"a_long_beginning_{name}", "topic_id": "t", "references": [],
                                          "answer": [{"text": text, "citations": []}]}])
        for name, text in (("old", "One sentence"), ("new", "Quite another text"))
    ]  # fmt: skip
    nuggets = put(tmp_path / "n.jsonl", [{"qid": "t", "nuggets": [{"text": "n", "importance": "vital"}]}])
    answer = irviewer.answers("versions", nuggets, files)
    kinds = answer["sentences"].column("kind")
    assert list(kinds.show.texts or ()) == ["only old", "only new"]
    titles = [column.title for column in answer["topics"].columns]
    assert {"only old", "only new", "words of old", "words of new"} <= set(titles)
    listed = [answer["sentences"].column(f"text_{side}").show.titles for side in ("first", "second")]
    assert listed == [("old",), ("new",)]  # whole names cover the texts of a narrow window


def test_what_all_cited_ids_begin_with_is_said_once(tmp_path: Path) -> None:
    """Files of data have the whole ids."""
    files = [
        put(tmp_path / f"{name}.jsonl", [{"run_id": name, "topic_id": "t", "answer": [
            {"text": text, "citations": [0, 1]}], "references": ["corpus_doc_7", "corpus_doc_9"]}])
        for name, text in (("old", "One sentence"), ("new", "Quite another text"))
    ]  # fmt: skip
    nuggets = put(tmp_path / "n.jsonl", [{"qid": "t", "nuggets": [{"text": "n", "importance": "vital"}]}])
    cited = irviewer.answers("versions", nuggets, files)["sentences"].column("cites_first")
    assert cited.title == "cited by old, corpus_doc_…" and next(iter(cited.show.texts or ())) == "…7, …9"
    assert next(iter(cited.values)) == "corpus_doc_7, corpus_doc_9"


def test_means_and_tests_are_those_of_scipy(tmp_path: Path) -> None:
    """The paired t-test over topics of random labels, with numpy's means; of one topic there is no test."""
    dice = random.Random(5)
    files = []
    labels = {run: [[dice.choice((0, 1, 1)) for _ in range(4)] for _ in range(20)] for run in ("a", "b")}
    for run, of_topics in labels.items():
        files.append(put(tmp_path / f"{run}.jsonl", [{"qid": f"t{n}", "run_id": run, "nuggets": [
            {"text": f"{n} {k}", "importance": "vital", "assignment": "support" if said else "not_support"}
            for k, said in enumerate(own)]} for n, own in enumerate(of_topics)]))  # fmt: skip
    answer = irviewer.answers("pairs", files[0], files, interval="t")
    numbers = {column.key: column for column in answer["means"].columns}
    assert numbers["measure"].values[0] == "NuggetR(weight='vital',strict=True)"
    assert "Length" not in numbers["measure"].values, "there are no answers"
    first, second = (np.array(labels[run]).mean(axis=1) for run in ("a", "b"))
    test = scipy.stats.ttest_rel(second, first)
    low, high = test.confidence_interval(0.95)
    assert [numbers[key].values[0] for key in ("baseline", "run", "difference", "p")] == pytest.approx(
        [first.mean(), second.mean(), (second - first).mean(), test.pvalue], abs=1e-12
    )
    ends = numbers["interval"].numbers
    assert (ends["low"][0], ends["high"][0]) == pytest.approx((low, high), abs=1e-12)
    assert "nothing is corrected for" in str(answer["means"].notes)
    of_one = irviewer.answers("pairs", files[0], files, topic="t1")
    assert "means" not in [table.name for table in of_one.shown.tables]


def test_means_of_what_answers_cite_are_those_of_the_scores() -> None:
    table = shown("pairs")["means"]
    scores = irviewer.answers("scores", OWN / "nuggets.jsonl", FILES, measures=("Uncited", "Length")).value
    by_measure = {row[0]: row for row in rows(table)}
    for place, name in enumerate(("Uncited", "Length")):
        assert by_measure[name][1:3] == pytest.approx(tuple(scores.means[place].tolist()))
    assert list(table.column("measure").show.texts or ())[-1] == "Length, words"


def test_why_means_of_few_topics_have_no_interval_is_said(tmp_path: Path) -> None:
    """The column was empty, and only Systems said why."""
    notes = " ".join(note.text for note in shown("pairs")["means"].notes)
    assert "No interval: drawn from fewer than 10 queries" in notes and "There is no test: " in notes
