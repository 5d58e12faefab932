"""Labels of one system in several files, each with other topics: they count as those of one assigner, at every door."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.commands import run_command
from irviewer.formats.load import load
from irviewer.measures.parser import parse_measure
from irviewer.model.answers.assigner_names import assigner_names
from irviewer.model.answers.nugget_parts import joined_nuggets
from irviewer.model.answers.nuggets import Links
from irviewer.model.answers.systems import joined_systems, with_joined_labels
from irviewer.model.arrays import frozen, strings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.session.messages import Level
from irviewer.session.navigation.empty_tabs import nothing_in
from irviewer.session.protocol.in_view import files_of
from irviewer.session.session import Session

TOPICS = "abcdef"
LABELS = ("support", "partial_support", "not_support")


def nuggets_of(topic: str) -> list[dict[str, str]]:
    return [{"text": f"{topic} {place}", "importance": ("vital", "okay")[place % 2]} for place in range(5)]


@pytest.fixture(scope="module")
def labelled() -> dict[str, dict[str, object]]:
    draw = random.Random(1)
    return {topic: {"qid": topic, "run_id": "s", "answer_text": f"Text of {topic}.", "nuggets": [
        {**each, "assignment": draw.choice(LABELS)} for each in nuggets_of(topic)
    ]} for topic in TOPICS}  # fmt: skip


def written(path: Path, records: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return path


@pytest.fixture
def nuggets(tmp_path: Path) -> Path:
    return written(tmp_path / "n.jsonl", [{"qid": topic, "nuggets": nuggets_of(topic)} for topic in TOPICS])


def supported(path: Path, topics: str) -> Path:
    return written(path, [{
        "topic_id": topic, "run_id": "s",
        "sentences": [{"sentenceID": 0, "text": f"Text of {topic}.", "citations": [
            {"citationID": 0, "reference": "d", "support": int(topic > "b")}
        ]}],
    } for topic in topics])  # fmt: skip


def read(path: Path) -> Run:
    run = load(path, kind="run").value
    assert isinstance(run, Run)
    return run


@pytest.mark.parametrize("seed", range(3))
def test_parts_have_the_scores_of_the_whole(
    seed: int, labelled: dict[str, dict[str, object]], nuggets: Path, tmp_path: Path
) -> None:
    """Each part was a run of its own, of which most topics lacked."""
    draw = random.Random(seed)
    shuffled = draw.sample(TOPICS, len(TOPICS))
    bounds = sorted(draw.sample(range(1, len(TOPICS)), 2))
    cut = [shuffled[: bounds[0]], shuffled[bounds[0] : bounds[1]], shuffled[bounds[1] :]]
    names = ["s.judge-monday.jsonl", "s.judge-tuesday.jsonl", "s.judge-friday.jsonl"]
    parts = [written(tmp_path / name, [labelled[topic] for topic in own]) for name, own in zip(names, cut, strict=True)]
    whole = written(tmp_path / "whole.jsonl", [*labelled.values()])
    support = [supported(tmp_path / "s.by-ann.jsonl", "abc"), supported(tmp_path / "s.by-bob.jsonl", "def")]
    measures = ["V_strict", "W", "A", "SupportP"]
    with pytest.warns(irviewer.IrviewerWarning, match="as those of one assigner"):
        result = irviewer.evaluate(nuggets, [*parts, *support], measures)
    once = irviewer.evaluate(nuggets, [whole, supported(tmp_path / "all.jsonl", TOPICS)], measures)
    assert result.query_ids == once.query_ids and len(result.runs) == 1
    np.testing.assert_array_equal(np.asarray(result.values), np.asarray(once.values))
    runs = joined_systems([*map(read, [*parts, *support])])
    assert assigner_names(runs, "nuggets") == ("judge",) and assigner_names(runs, "support") == ("by",)


def test_labels_of_the_same_topics_are_of_several_assigners(
    labelled: dict[str, dict[str, object]], tmp_path: Path
) -> None:
    """One topic in common is enough, in any two of the files: nothing tells whose parts the others are."""
    other = {**labelled["c"], "nuggets": [{**each, "assignment": "not_support"} for each in nuggets_of("c")]}
    files = [
        written(tmp_path / "m1.jsonl", [labelled["a"], labelled["b"]]),
        written(tmp_path / "m2.jsonl", [labelled["c"], labelled["d"]]),
        written(tmp_path / "person.jsonl", [other]),
    ]
    runs = [read(path) for path in files]
    assert len(joined_systems(runs)) == 3
    (joined,), said = with_joined_labels(runs[:2])
    assert [each.text for each in said] == [
        "m1.jsonl, m2.jsonl have labels of s for different topics: they count as those of one assigner"
    ]
    assert joined.query_ids == ("a", "b", "c", "d") and assigner_names([joined], "nuggets") == ("m",)
    assert len(joined_systems(runs[:2], {"s": "versions"})) == 2
    for order in (runs[::2], runs[::-2]):
        (mixed,) = joined_systems(order)
        assert assigner_names([mixed], "nuggets") == ("m1 + person",), "no word in common: both are named"


def test_nuggets_in_parts_have_the_scores_of_the_whole(
    labelled: dict[str, dict[str, object]], nuggets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python took no list of files, and commands took the second one for a run. A topic in both files is a conflict
    that names them."""
    lines = nuggets.read_text().splitlines(True)
    parts = [tmp_path / "n-first.jsonl", tmp_path / "n-second.jsonl"]
    for path, own in zip(parts, (lines[:2], lines[2:]), strict=True):
        path.write_text("".join(own))
    whole = written(tmp_path / "s.labels.jsonl", [*labelled.values()])
    once = irviewer.evaluate(nuggets, whole, ["V_strict", "W"])
    with pytest.warns(irviewer.IrviewerWarning, match="n-first.jsonl, n-second.jsonl have nuggets of different topics"):
        result = irviewer.evaluate(parts, whole, ["V_strict", "W"])
    assert result.query_ids == once.query_ids
    np.testing.assert_array_equal(np.asarray(result.values), np.asarray(once.values))
    assert main(["answers", "scores", *map(str, parts), str(whole)]) == 0
    assert "they count as one set" in capsys.readouterr().err
    of_both = tmp_path / "n-both.jsonl"  # its topics are in two files
    of_both.write_text(lines[0] + lines[-1].replace(" 0", " other"))
    assert main(["evaluate", *map(str, (*parts, of_both)), str(whole)]) == 2
    assert "n-second.jsonl and n-both.jsonl have different nuggets of topic" in capsys.readouterr().err
    of_both.write_text(lines[0] + lines[-1])
    assert main(["evaluate", *map(str, (*parts, of_both)), str(whole)]) == 2
    assert "n-first.jsonl and n-both.jsonl have the same nuggets of 1 topic" in capsys.readouterr().err
    parts[1].write_text("".join(lines[1:]).replace("b 0", "b other"))
    assert main(["evaluate", *map(str, parts), str(whole)]) == 2
    error = capsys.readouterr().err
    assert (
        "n-first.jsonl and n-second.jsonl have different nuggets of topic b: “b 0 (vital)” and “b other (vital)”"
        in error
    )


def test_nuggets_in_parts_are_one_set_in_the_window(
    labelled: dict[str, dict[str, object]], nuggets: Path, tmp_path: Path
) -> None:
    """The second file was a collection of its own, whichever was opened first."""
    lines = nuggets.read_text().splitlines(True)
    parts = [tmp_path / "n-first.jsonl", tmp_path / "n-second.jsonl"]
    for path, own in zip(parts, (lines[:2], lines[2:]), strict=True):
        path.write_text("".join(own))
    labels = [
        written(tmp_path / "one.jsonl", [labelled[topic] for topic in "abc"]),
        written(tmp_path / "two.jsonl", [labelled[topic] for topic in "def"]),
    ]
    whole = written(tmp_path / "all.jsonl", [*labelled.values()])
    once = irviewer.evaluate(nuggets, whole, ["V_strict"])
    said = "n-first.jsonl, n-second.jsonl have nuggets of different topics: they count as one set"
    steps: list[list[list[Path]]] = [
        [[*parts, whole]], [[parts[0], whole], [parts[1]]], [[whole], [parts[1]], [parts[0]]],
        [[parts[0]], [labels[0]], [parts[1]], [labels[1]]],
    ]  # fmt: skip
    for order in steps:
        session = Session()
        for opened in order:
            session.files.open_files([*map(str, opened)])
        context = session.view.context
        assert context is not None and len(session.view.workspace.collections) == 1, order
        assert set(context.query_ids) == set(TOPICS) and len(context.collection.judgments) == 1
        assert "needs two judgment sets" in nothing_in(session.view.collection, "compare", "agreement")
        (entry,) = context.system_runs
        values = dict(zip(context.query_ids, context.values(entry, parse_measure("V_strict")).tolist(), strict=True))
        assert values == dict(zip(once.query_ids, once.values[0, 0].tolist(), strict=True))
        texts = [message.text for message in session.view.messages]
        assert said in [text.replace(f"{parts[1].name}, {parts[0].name}", said[:29]) for text in texts], texts
        files = [path for role, path in files_of(context.collection) if role == "qrels"]
        assert sorted(files) == sorted(map(str, parts)), "the protocol of what is in view names both"
    session.navigation.set_query("e")
    assert session.answering.answer() is not None
    for place in (0, 1):
        session.evaluation.set_judgments(place)
        session.answering.remove(place)
        collection, context = session.view.collection, session.view.context
        assert collection is not None and context is not None and context.judgments is not None
        assert [len(each.own_nuggets) for each in collection.judgments] == [0, 1], "changed in the file that has it"
        shown = context.judgments.qrels.nuggets
        assert shown is not None and len(shown.rows("e")) == 4 - place and len(shown.rows("a")) == 5


def test_a_topic_in_two_files_of_nuggets_is_an_error_in_the_window(
    labelled: dict[str, dict[str, object]], nuggets: Path, tmp_path: Path
) -> None:
    lines = nuggets.read_text().splitlines(True)
    first, second = tmp_path / "n-first.jsonl", tmp_path / "n-second.jsonl"
    first.write_text("".join(lines[:3]))
    second.write_text("".join(lines[2:]).replace("c 0", "c other"))
    session = Session()
    session.files.open_files([*map(str, [first, second, written(tmp_path / "all.jsonl", [*labelled.values()])])])
    errors = [message.text for message in session.view.messages if message.level is Level.ERROR]
    assert errors == [
        "n-first.jsonl and n-second.jsonl have different nuggets of topic c: “c 0 (vital)” and “c other (vital)”; "
        "give one of the files"
    ]
    context = session.view.context
    assert context is not None and set(context.query_ids) == set("abc")


def test_links_of_nuggets_in_parts_are_kept(nuggets: Path, tmp_path: Path) -> None:
    read_nuggets = load(nuggets, kind="qrels").value
    assert isinstance(read_nuggets, Qrels) and read_nuggets.nuggets is not None
    parts = []
    for place, own in enumerate(("ab", "c", "def")):
        part = tmp_path / f"{place}.jsonl"
        part.write_text("".join(line for line in nuggets.read_text().splitlines(True) if line[9] in own))
        qrels = load(part, kind="qrels").value
        assert isinstance(qrels, Qrels) and qrels.nuggets is not None
        rows = np.arange(len(qrels.nuggets.texts))[::-2].copy()
        documents = strings([f"of {qrels.nuggets.texts[row].as_py()}" for row in rows.tolist()])
        links = None if own == "c" else Links(frozenset(own), frozen(rows), documents)
        parts.append(replace(qrels, nuggets=replace(qrels.nuggets, links=links)))
    whole = joined_nuggets(parts)[0].nuggets
    assert whole is not None and whole.links is not None and whole.links.topics == set("abdef")
    texts = [whole.texts[row].as_py() for row in whole.links.nugget.tolist()]
    assert whole.links.documents.to_pylist() == [f"of {text}" for text in texts] and len(texts) == 5 + 8
    assert {text[0] for text in texts} == set("abdef")


def test_each_door_says_it(
    labelled: dict[str, dict[str, object]], nuggets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        written(tmp_path / "first.jsonl", [labelled[topic] for topic in "abc"]),
        written(tmp_path / "second.jsonl", [labelled[topic] for topic in "def"]),
    ]
    given = [*map(str, [nuggets, *files])]
    said = "first.jsonl, second.jsonl have labels of s for different topics: they count as those of one assigner"

    def runs_of(*options: str) -> list[str]:
        assert main(["evaluate", *given, "-m", "V_strict", "--format", "json", *options]) == 0
        printed = capsys.readouterr()
        assert (f"{said}; --versions keeps them apart" in printed.err) == (not options)
        means = next(each for each in json.loads(printed.out)["tables"] if each["name"] == "means")
        return [row["run"] for row in means["rows"]]

    assert runs_of() == ["s"]
    assert runs_of("--versions") == ["s", "s (2)"]
    assert main(["answers", "scores", *given, "--format", "json", "--versions"]) == 0
    scores = json.loads(capsys.readouterr().out)["tables"][0]
    assert [row["run"] for row in scores["rows"]] == ["s", "s (2)"], "views of answers joined them again"
    session = Session()
    session.files.open_files(given)
    context = session.view.context
    assert context is not None and [entry.name for entry in context.system_runs] == ["s"]
    assert said in [message.text for message in session.view.messages]
    assert [message.action for message in session.view.messages if message.text == said] == ["keep_labels_apart"]

    def names() -> list[str]:
        context = session.view.context
        assert context is not None
        return [entry.name for entry in context.system_runs]

    assert run_command(session, "keep_labels_apart") and names() == ["s", "s: second.jsonl"]
    assert not run_command(session, "keep_labels_apart") and names() == ["s", "s: second.jsonl"]
    session.history.undo()
    assert names() == ["s"]
    session.history.redo()
    assert run_command(session, "join_labels") and names() == ["s"]


def test_which_labels_are_joined_is_found_once_in_the_order_of_opening(
    labelled: dict[str, dict[str, object]], nuggets: Path, tmp_path: Path
) -> None:
    """Menus ask for it each time they open, and with a hundred files it took 200 ms."""
    session = Session()
    parts = [written(tmp_path / f"{name}.jsonl", [labelled[name]]) for name in "abc"]
    session.files.open_files([*map(str, (nuggets, *parts[:2]))])
    session.runs.move_run(1, 0)
    service = session.answer_versions
    (joined,) = service.joined_labels
    assert joined.files == (str(parts[0]), str(parts[1])) and service.joined_labels[0] is joined
    session.files.open_files([str(parts[2])])
    (joined,) = service.joined_labels
    assert joined.files == tuple(map(str, parts)) and service.labels_apart == ()
    service.keep_labels_apart()
    assert service.joined_labels == () and service.labels_apart == (joined,)
    assert service.labels_apart[0] is service.labels_apart[0]
