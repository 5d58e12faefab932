"""Two files of one system: answers that the first lacks are added, different ones are asked about, in the window and on
the command line, and nothing is the last in silence."""

from __future__ import annotations

import json
import random
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.commands import find, run_command
from irviewer.formats.load import load
from irviewer.model.answers.answers import Answers, differing_topics, joined_answers
from irviewer.model.answers.labels import NONE
from irviewer.model.answers.systems import joined_systems
from irviewer.model.run import Run
from irviewer.session.session import Session

Said = dict[str, list[tuple[str, list[int]]]]


def written(path: Path, answers: Said, system: str = "s") -> Path:
    """Write answers to topics: sentences, and the places that each cites among four references."""
    path.write_text("".join(json.dumps({
        "run_id": system, "topic_id": topic, "topic": "", "references": [f"{topic}{n}" for n in range(4)],
        "answer": [{"text": text, "citations": cited} for text, cited in sentences],
    }) + "\n" for topic, sentences in answers.items()))  # fmt: skip
    return path


def read(path: Path) -> Run:
    run = load(path, kind="run").value
    assert isinstance(run, Run)
    return run


def answers_of(run: Run) -> Answers:
    assert run.answered is not None and run.answered.answers is not None
    return run.answered.answers


def said(answers: Answers) -> dict[str, Any]:
    return {topic: answers.content(topic) for topic in answers.topics}


@pytest.mark.parametrize("seed", range(4))
def test_answers_are_joined_topic_by_topic(seed: int, tmp_path: Path) -> None:
    """As two dictionaries are: the first, then what it lacks; or with those of the other where they differ."""
    draw = random.Random(seed)
    files: list[Said] = [
        {topic: [(draw.choice("xy"), draw.sample(range(4), draw.randrange(3))) for _ in range(draw.randrange(3))]
         for topic in draw.sample("abcdefgh", 5)} for _ in range(2)
    ]  # fmt: skip
    files[1] |= {topic: files[0][topic] for topic in [*files[0]][:2]}
    first, other = (answers_of(read(written(tmp_path / f"{number}.jsonl", each))) for number, each in enumerate(files))
    wanted = {name: said(each) for name, each in (("first", first), ("other", other))}
    both = joined_answers(first, other)
    assert said(both) == {**wanted["other"], **wanted["first"]} and both.topics[: len(first.topics)] == first.topics
    assert said(joined_answers(first, other, "last")) == {**wanted["first"], **wanted["other"]}
    assert set(differing_topics(first, other)) == {
        topic for topic, own in wanted["first"].items() if wanted["other"].get(topic, own) != own
    }  # fmt: skip
    assert both.words.sum() == sum(len(text.split()) for texts, _, _ in said(both).values() for text in texts)


TODAY: Said = {"a": [("One.", [0])], "b": [("Two.", [1])], "c": [("Three.", [2])]}
YESTERDAY: Said = {"b": [("Two, then.", [3])], "c": [("Three.", [2])], "d": [("Four.", [0])]}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Two files of one system with a topic that they answer differently, and nuggets of all topics."""
    nuggets = tmp_path / "nuggets.jsonl"
    nuggets.write_text("".join(
        json.dumps({"qid": topic, "query": "", "nuggets": [{"text": "n", "importance": "vital"}]}) + "\n"
        for topic in "abcd"
    ))  # fmt: skip
    return nuggets, written(tmp_path / "today.jsonl", TODAY), written(tmp_path / "old.jsonl", YESTERDAY)


def test_a_file_of_other_topics_is_no_other_run(tmp_path: Path) -> None:
    """It was a second run of the system."""
    parts = [written(tmp_path / f"{topic}.jsonl", {topic: TODAY[topic]}) for topic in TODAY]
    (run,) = joined_systems([read(path) for path in parts])
    assert said(answers_of(run)) == said(answers_of(read(written(tmp_path / "all.jsonl", TODAY))))
    assert run.query_ids == ("a", "b", "c") and run.ranking("c") == ["c0", "c1", "c2", "c3"]


def test_the_command_line_refuses_two_answers_and_says_how_to_choose(
    files: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The files, the system and the topics are named. Each option does what it says, for every command."""
    given = [str(path) for path in files]
    assert main(["answers", "scores", *given, "-m", "Length"]) != 0
    error = capsys.readouterr().err
    assert "today.jsonl and old.jsonl have different answers of s to 1 topic: b" in error
    assert "--versions" in error and "--duplicates first or last" in error

    def lengths(*options: str) -> dict[str, float]:
        assert main(["evaluate", *given, "-m", "Length", "--format", "json", *options]) == 0
        table = json.loads(capsys.readouterr().out)
        rows = next(each["rows"] for each in table["tables"] if each["name"] == "means")
        return {row["run"]: row["Length"] for row in rows}

    assert lengths("--duplicates", "first") == {"s": 1.0}
    assert lengths("--duplicates", "last") == {"s": (1 + 2 + 1 + 1) / 4}
    assert lengths("--versions") == {"s": 3 / 4, "s (2)": 4 / 4}
    assert main(["answers", "versions", *given]) == 0, "versions are what it compares"
    assert "Two, then." in capsys.readouterr().out


def test_python_says_that_files_are_runs_of_their_own(files: tuple[Path, Path, Path]) -> None:
    nuggets, *both = files
    with pytest.warns(irviewer.IrviewerWarning, match=r"today.jsonl and old.jsonl have different answers .* a run of"):
        result = irviewer.evaluate(nuggets, both, ["Length"])
    assert len(result.runs) == 2


@pytest.fixture
def session(files: tuple[Path, Path, Path]) -> Session:
    session = Session()
    session.files.open_files([str(path) for path in files[:2]])
    return session


def shown(session: Session) -> dict[str, dict[str, Any]]:
    context = session.view.context
    assert context is not None
    return {entry.name: said(answers_of(entry.run)) for entry in context.system_runs}


def test_the_window_asks_once_and_undo_takes_the_choice_back(
    session: Session, files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    """A second file became another run without a question. A project keeps the choice."""
    asked: list[str] = []
    session.asked.connect(asked.append)
    command = find(session, "choose_answer_versions")
    assert command is not None and not command.enabled(session)
    session.files.open_files([str(files[2])])
    assert asked == ["choose_answer_versions"] and command.enabled(session)
    (differing,) = session.answer_versions.differing
    assert differing.topics == ("b",) and differing.system == "s"
    session.runs.recolour_run(session.view.collection.runs[0].key, "#336699")
    assert session.answer_versions.differing[0] is differing, "files are compared once"
    session.history.undo()
    apart = shown(session)
    today, old = apart.values()
    assert set(today) == set("abc") and set(old) == set("bcd")
    session.answer_versions.choose("first")
    assert shown(session) == {"s": {**old, **today}}
    session.answer_versions.choose("last")
    assert shown(session) == {"s": {**today, **old}}
    session.history.undo()
    assert shown(session) == {"s": {**old, **today}}
    session.history.undo()
    assert shown(session) == apart
    session.answer_versions.choose(None)
    assert shown(session) == apart
    session.answer_versions.choose("last")
    session.autosave.save_project(str(tmp_path / "kept.irviewer"))
    session.close()
    again = Session()
    again.projects.open_project(str(tmp_path / "kept.irviewer"))
    assert shown(again) == {"s": {**today, **old}}
    again.close()


def test_the_first_file_is_the_one_that_was_opened_first(session: Session, files: tuple[Path, Path, Path]) -> None:
    """Runs that were moved exchanged their answers, and the run that was made of both changed its name."""
    session.files.open_files([str(files[2])])
    today, old = shown(session).values()
    second = session.view.collection.runs[1].key
    session.runs.move_run(second, 0)
    assert [*shown(session).values()] == [old, today]
    session.answer_versions.choose("first")
    assert shown(session) == {"s": {**old, **today}}
    session.answer_versions.choose("last")
    assert shown(session) == {"s": {**today, **old}}
    session.close()


def test_versions_are_compared_as_far_as_the_first_topic_that_differs(
    files: tuple[Path, Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of twenty versions was compared with all others topic by topic, at every label that was given by hand."""
    changed = {topic: [("Other.", [0])] for topic in TODAY}
    runs = [read(files[1]), read(written(tmp_path / "other.jsonl", changed))]
    content, compared = Answers.content, set()

    def noted(answers: Answers, topic: str) -> Any:
        compared.add(topic)
        return content(answers, topic)

    monkeypatch.setattr(Answers, "content", noted)
    assert len(joined_systems(runs)) == 2 and compared == {"a"}
    assert differing_topics(*map(answers_of, runs)) == ("a", "b", "c")


def test_a_file_that_agrees_is_not_asked_about(session: Session, tmp_path: Path) -> None:
    asked: list[str] = []
    session.asked.connect(asked.append)
    session.files.open_files([str(written(tmp_path / "more.jsonl", {"c": TODAY["c"], "d": YESTERDAY["d"]}))])
    assert not asked and not session.answer_versions.differing
    assert set(shown(session)["s"]) == set("abcd")
    run_command(session, "undo")
    session.close()


@pytest.mark.parametrize("n_labels", [1, 2])
def test_labels_go_to_the_version_whose_text_was_judged(n_labels: int, tmp_path: Path) -> None:
    """Whatever the order of the files is, if two files of labels are behind the answers that they are about; a version
    that nobody judged has the labels of the other, and a caution."""
    texts, labels = ("One.", "Other."), ("support", "not_support")
    loaded = []
    for number, text in enumerate(texts):
        answer = {"run_id": "s", "topic_id": "1", "topic": "q", "references": [], "answer": [{"text": text}]}
        nuggets = [{"text": "x", "importance": "vital", "assignment": labels[number]}]
        judged = {"qid": "1", "run_id": "s", "answer_text": text, "nuggets": nuggets}
        for name, each in (("answers", answer), ("labels", judged))[: 1 + (number < n_labels)]:
            path = tmp_path / f"{number}.{name}.jsonl"
            path.write_text(json.dumps(each) + "\n")
            loaded.append(load(path).value)
    for order in permutations(range(len(loaded))):
        if n_labels == 2 and not (order.index(0) < order.index(1) and order.index(2) < order.index(3)):
            continue
        runs = joined_systems([run for place in order if isinstance(run := loaded[place], Run)])
        of_text = {}
        for run in runs:
            assert run.answered is not None and run.answered.answers is not None
            assert run.answered.assignments is not None
            code = int(run.answered.assignments.labels[0])
            of_text[run.answered.answers.text_of("1")] = (labels[code == NONE], run.answered.other_texts)
        assert of_text == {"One.": ("support", 0), "Other.": ("support", 1) if n_labels == 1 else ("not_support", 0)}
