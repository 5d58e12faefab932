"""Topics that nuggets lack, and topics of nuggets that nobody answers or labels: how many there are stands in the line
above the numbers at every door, and they count as it says."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

import irviewer
from irviewer.__main__ import main
from irviewer.errors import MeasureError
from irviewer.measures.parser import parse_measure
from irviewer.model.protocol import EvaluationProtocol
from irviewer.session.session import Session

SAID = "1 answered topic that the nuggets lack: left out · 1 topic without a nugget: 0 · 1 topic that no system answers"
UNLABELLED = "1 answered topic without a label"


def written(path: Path, records: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Nuggets of full, bare (none of them), unanswered and unlabelled; two systems answer full, bare, unlabelled and
    strange, of which the nuggets have nothing."""

    def nuggets(topic: str) -> list[dict[str, str]]:
        return [] if topic == "bare" else [{"text": f"fact of {topic}", "importance": "vital"}]

    paths = [written(tmp_path / "nuggets.jsonl", (
        {"qid": topic, "nuggets": nuggets(topic)} for topic in ("full", "bare", "unanswered", "unlabelled")
    ))]  # fmt: skip
    for system in ("a", "b"):
        answered = ("full", "bare", "unlabelled", "strange")
        paths.append(written(tmp_path / f"{system}.answers.jsonl", (
            {"run_id": system, "topic_id": topic, "references": [], "answer": [{"text": f"{system} says {topic}"}]}
            for topic in answered
        )))  # fmt: skip
        paths.append(written(tmp_path / f"{system}.labels.jsonl", (
            {"run_id": system, "qid": topic, "answer_text": f"{system} says {topic}",
             "nuggets": [{**each, "assignment": "support"} for each in nuggets(topic)]}
            for topic in ("full", "bare")
        )))  # fmt: skip
    return paths


def test_the_number_counts_them_as_the_line_says(files: list[Path]) -> None:
    """Of four topics one is said in full; bare, unanswered and unlabelled are 0, strange takes no part."""
    result = irviewer.evaluate(files[0], files[1:], ["V"])
    assert float(result.mean("V", run="a")) == 1 / 4
    assert any("it is not evaluated (strange)" in each for each in result.warnings)


@pytest.mark.parametrize("command", [
    "evaluate {} -m V", "compare {} -m V", "verdict {} -m V", "answers scores {}", "answers lost {}",
])  # fmt: skip
def test_commands_say_it(command: str, files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    main(command.format(" ".join(map(str, files))).split())
    captured = capsys.readouterr()
    assert SAID in captured.out + captured.err
    assert UNLABELLED in captured.out + captured.err


@pytest.mark.parametrize("place", [0, 2, 4])
def test_evaluate_says_it_without_a_named_measure_beside_a_list(
    place: int, files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    """The line said nothing of nuggets where no measure was named, and a list came first wherever it was named."""
    listed = tmp_path / "listed.run"
    listed.write_text("full Q0 d1 1 1 listed\n")
    runs = [*files[1:]]
    runs.insert(place, listed)
    main(["evaluate", str(files[0]), *map(str, runs)])
    out = capsys.readouterr().out
    line, *rows = out.splitlines()
    assert SAID in line and UNLABELLED in line and "assigned by" in line
    result = irviewer.evaluate(files[0], runs)
    assert result.protocol is not None and result.protocol.line() == line
    order = {0: ["listed", "a", "b"], 2: ["a", "listed", "b"], 4: ["a", "b", "listed"]}[place]
    assert [row.split()[0] for row in rows if row.startswith(("a ", "b ", "listed "))] == order == [*result.runs]


@pytest.mark.parametrize("command", ["dialects {}", "zscores {} --format table", "stability {} --samples 9"])
def test_commands_say_it_of_the_usual_measures(
    command: str, files: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    main(command.format(" ".join(map(str, files))).split())
    assert SAID in capsys.readouterr().out


def test_dialects_in_python_say_it(files: list[Path]) -> None:
    protocol = irviewer.dialects(files[0], files[1:]).protocol
    assert protocol is not None and SAID in protocol.line()


def test_the_report_says_it(files: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    main(["report", *map(str, files), "-m", "V", "-o", str(path)])
    assert SAID in path.read_text()


def test_the_window_says_it(files: list[Path]) -> None:
    session = Session()
    session.files.open_files(list(map(str, files)))
    assert session.evaluation.set_measure("V")
    session.compute_now()
    line = session.result_views.protocol("systems")
    assert line is not None and SAID in line.line() and UNLABELLED in line.line()


def test_the_line_says_both_where_measures_differ(files: list[Path]) -> None:
    """The line said 0 beside a mean that leaves the topic out."""
    for measures, said in (
        (["V"], "a nugget: 0 ·"),
        (["NuggetR(missing=undefined)"], "a nugget: left out ·"),
        (["V", "NuggetR(missing=undefined)"], "a nugget: 0, or left out where missing=undefined ·"),
    ):
        result = irviewer.evaluate(files[0], files[1:], measures)
        assert result.protocol is not None
        assert f"1 topic without {said}" in result.protocol.line(), measures


def test_the_window_scores_what_nobody_chose(files: list[Path]) -> None:
    """Its view Answers had the measure in view alone, which nobody declared."""
    session = Session()
    session.files.open_files(list(map(str, files)))
    session.result_views.choose("answer-scores")
    asked = session.result_views.request("answer-scores")
    assert asked is not None
    keys = [column.key for column in asked.tables()[0].columns]
    assert keys == [column.key for column in irviewer.answers("scores", files[0], files[1:]).shown.tables[0].columns]
    session.protocol.set(measures=("W",))
    asked = session.result_views.request("answer-scores")
    assert asked is not None
    assert [column.key for column in asked.tables()[0].columns if column.names == "measure"] == ["W"]


def test_another_part_of_the_topics_has_other_gaps(files: list[Path]) -> None:
    shown = irviewer.answers("scores", files[0], files[1:], protocol=EvaluationProtocol().but(queries=("full", "bare")))
    assert shown.protocol is not None
    line = shown.protocol.line()
    assert "1 topic without a nugget: 0" in line
    assert "that no system answers" not in line and "without a label" not in line


def test_nothing_is_said_of_documents_and_of_whole_answers(files: list[Path], tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.jsonl", [
        {"qid": "full", "nuggets": [{"text": "fact of full", "importance": "vital"}]}
    ])  # fmt: skip
    session = Session()
    session.files.open_files(list(map(str, files)))
    assert session.evaluation.set_measure("nDCG@10")
    line = session.result_views.protocol("systems")
    assert line is not None and "nuggets lack" not in line.line()
    answers = written(tmp_path / "c.answers.jsonl", [
        {"run_id": "c", "topic_id": "full", "references": [], "answer": [{"text": "c says full"}]}
    ])  # fmt: skip
    labels = written(tmp_path / "c.labels.jsonl", [
        {"run_id": "c", "qid": "full", "answer_text": "c says full",
         "nuggets": [{"text": "fact of full", "importance": "vital", "assignment": "support"}]}
    ])  # fmt: skip
    shown = irviewer.answers("scores", whole, [answers, labels])
    assert shown.protocol is not None
    assert not [word for word in ("lack", "without", "no system") if word in shown.protocol.line()]


def test_lost_says_which_nuggets_are_in_no_count(files: list[Path]) -> None:
    table = irviewer.answers("lost", files[0], files[1:])["systems"]
    assert any("Of 3 vital nuggets" in str(note) and "a 2, b 2" in str(note) for note in table.notes)


@pytest.fixture
def unlabelled(tmp_path: Path) -> list[str]:
    """Nuggets of 12 topics, system a with labels, b with answers that nobody labelled."""
    topics = [f"t{place}" for place in range(12)]
    nugget = {"text": "a fact", "importance": "vital"}
    paths = [
        written(tmp_path / "nuggets.jsonl", ({"qid": topic, "nuggets": [nugget]} for topic in topics)),
        written(tmp_path / "a.labels.jsonl", (
            {"run_id": "a", "qid": topic, "nuggets": [{**nugget, "assignment": "support"}]} for topic in topics
        )),
        written(tmp_path / "b.answers.jsonl", (
            {"run_id": "b", "topic_id": topic, "references": [], "answer": [{"text": "A fact."}]} for topic in topics
        )),
    ]  # fmt: skip
    return list(map(str, paths))


def test_a_system_that_nobody_labelled_loses_to_no_other(
    unlabelled: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Its scores are unknown; they are no values that it failed to reach, which count as the worst."""
    assert main(["verdict", *unlabelled, "-m", "V_strict"]) == 2
    said = capsys.readouterr()
    assert "V_strict, run b: this measure needs assignments of nuggets to answers; give a file of them" in said.err
    assert not said.out
    with pytest.raises(MeasureError, match="V_strict, run b: this measure needs assignments"):
        irviewer.show("verdict", unlabelled[0], unlabelled[1:], measures="V_strict")


def test_a_system_that_nobody_labelled_is_left_out_of_the_choice(
    unlabelled: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are compared, and it is said; whoever asks about it hears what it needs."""
    labels = Path(unlabelled[1]).read_text("utf-8")
    better = tmp_path / "c.labels.jsonl"
    worse = labels.replace('"run_id": "a"', '"run_id": "c"')
    assert worse != labels
    better.write_text(worse.replace('"support"', '"not_support"'), "utf-8")
    paths = [*unlabelled, str(better)]
    words = ["verdict", *paths, "-m", "V_strict", "--format", "json"]
    assert main([*words, "--baseline", "c"]) == 0
    document = json.loads(capsys.readouterr().out)
    notes = {note["code"]: note["text"] for note in document["notes"]}
    assert "a from c" in notes["headline"]
    assert notes["loss"].startswith("V_strict has no best order")
    (tried,) = [table for table in document["tables"] if table["name"] == "tried"]
    assert tried["rows"], "something was tried"
    assert not [row for row in tried["rows"] if row["change"] == "measure"], "the usual ones have nothing to read"
    assert notes["lacking"].startswith("V_strict: b left out: this measure needs assignments")
    assert main([*words, "--baseline", "b"]) == 2
    assert main([*words, "--baseline", "c", "--run", "b"]) == 2
    assert "V_strict, run b: this measure needs assignments" in capsys.readouterr().err


def test_nothing_is_concluded_from_lists_where_only_nuggets_are_known(
    unlabelled: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Every nDCG is 0 then, which is no sign that two systems are alike."""
    assert main(["verdict", *unlabelled, "-m", "nDCG@10"]) == 2
    assert "judges no document. Choose V_strict, V, W or A" in capsys.readouterr().err
    session = Session()
    session.files.open_files(unlabelled)
    assert session.evaluation.set_measure("nDCG@10")
    session.navigation.set_place("verdict")
    session.compute_now()
    answer = session.result_views.answer("verdict")
    assert answer is not None
    assert answer.shown is None
    assert "judges no document" in answer.trouble
    session.close()


def test_a_system_that_nobody_labelled_loses_to_no_other_in_the_window(unlabelled: list[str]) -> None:
    session = Session()
    session.files.open_files(unlabelled)
    assert session.evaluation.set_measure("V_strict")
    session.compute_now()
    context = session.view.context
    assert not any(mask.any() for mask in context.unreached.values())
    assert context.reached is None


def test_measures_of_documents_mean_nothing_where_only_nuggets_are_known(unlabelled: list[str]) -> None:
    nuggets, labels, answers = unlabelled
    for run, measures, named in (
        (labels, ["AP", "V"], "AP"), (answers, ["CitedRel", "nDCG@10", "Length"], "CitedRel, nDCG@10"),
    ):  # fmt: skip
        shown = irviewer.evaluate(nuggets, run, measures)
        (said,) = [each for each in shown.warnings if "judges no document" in each]
        assert f"mean nothing: {named}; V_strict" in said
    assert not any("judges no document" in each for each in irviewer.evaluate(nuggets, labels, ["V", "NumQ"]).warnings)


def test_measures_of_documents_are_as_they_are_where_documents_are_judged(
    unlabelled: list[str], tmp_path: Path
) -> None:
    qrels = tmp_path / "q.qrels"
    qrels.write_text("".join(f"t{place} 0 d 1\n" for place in range(12)))
    shown = irviewer.evaluate(qrels, unlabelled[2], ["AP"])
    assert not any("judges no document" in each for each in shown.warnings)


OF_NUGGETS = ["V_strict", "V", "W", "A"]


@pytest.fixture
def labelled(unlabelled: list[str], tmp_path: Path) -> list[str]:
    """The nuggets and system a, with the same of another name."""
    other = tmp_path / "c.labels.jsonl"
    other.write_text(Path(unlabelled[1]).read_text("utf-8").replace('"run_id": "a"', '"run_id": "c"'), "utf-8")
    return [*unlabelled[:2], str(other)]


@pytest.mark.parametrize(("command", "count"), [("evaluate", 4), ("compare", 2), ("paper", 4), ("verdict", 1)])
def test_measures_of_documents_are_not_chosen_where_only_nuggets_are_known(
    command: str, count: int, labelled: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--format", "csv"] if command == "paper" else []
    assert main([command, *labelled, *options]) in (0, 1)
    said = capsys.readouterr()
    assert "judges no document" not in said.err + said.out
    assert "nDCG" not in said.out and "AP" not in said.out
    assert all(name in said.out or parse_measure(name).text in said.out for name in OF_NUGGETS[:count])
    if command != "verdict":
        assert main([command, *labelled, *options, "-m", "nDCG@10"]) in (0, 1)
        said = capsys.readouterr()
        assert "nDCG@10" in said.out
        assert "judges no document" in said.err + said.out


def test_python_chooses_the_same_measures(labelled: list[str], tmp_path: Path) -> None:
    nuggets, *runs = labelled
    assert list(irviewer.evaluate(nuggets, runs).measures) == [parse_measure(name) for name in OF_NUGGETS]
    assert [each.measure for each in irviewer.compare(nuggets, runs).comparisons] == [
        each.measure for each in irviewer.compare(nuggets, runs, ["V_strict"]).comparisons
    ]
    page = tmp_path / "report.html"
    assert main(["report", *labelled, "-o", str(page)]) == 0
    assert "V_strict" in page.read_text() and "judges no document" not in page.read_text()


def test_a_default_says_what_a_system_that_nobody_labelled_needs(
    unlabelled: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without labels no pair of values is alike: they are unknown."""
    assert main(["evaluate", *unlabelled]) == 0
    assert "b left out: this measure needs assignments" in capsys.readouterr().out
    assert main(["compare", *unlabelled]) == 2
    assert "V_strict, run b: this measure needs assignments" in capsys.readouterr().err
    with pytest.raises(MeasureError, match="V_strict, run b: this measure needs assignments"):
        irviewer.compare_slices(unlabelled[0], unlabelled[1:])
