"""Numbered files that are the parts of one run, and prose beside data."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.errors import ParseError
from irviewer.formats.folders import rankings_in
from irviewer.formats.load import load
from irviewer.formats.parts import PartsError, grouped, name_of_parts, parts_of, pattern_of
from irviewer.formats.prose import is_named_as_prose, is_prose
from irviewer.formats.registry import format_named
from irviewer.model.answers.answers import same_answers
from irviewer.model.answers.joined_parts import joined_parts
from irviewer.model.run import Run

NAMES = [
    ("part-{}", "part-*", "runs"),
    ("part-r-{}", "part-r-*", "runs"),
    ("part-{}-5d493b24-633e-4e6c-aa28-c000.run.gz", "part-*-5d493b24-633e-4e6c-aa28-c000.run.gz", "runs"),
    ("bm25.part-{}.run", "bm25.part-*.run", "bm25"),
    ("bm25_shard{}.run", "bm25_shard*.run", "bm25"),
    ("bm25-{}.run", "bm25-*.run", "bm25"),
    ("train-{}-of-00003.run", "train-*-of-00003.run", "train"),
    ("bm25-test-{}-of-00003.txt", "bm25-test-*-of-00003.txt", "bm25-test"),
]  # fmt: skip


def lines(queries: Iterable[int], seed: int = 0, tag: str = "x") -> str:
    """A run with ties, whose order in the file is not that of their ids."""
    chance = random.Random(seed)
    return "".join(
        f"q{query} Q0 d{document} 1 {chance.randrange(4)} {tag}\n"
        for query in queries
        for document in chance.sample(range(20), 9)
    )


def written(folder: Path, name: str, numbers: Iterable[str] = ("00000", "00001", "00002")) -> tuple[list[str], str]:
    """Three parts of three queries each, and the whole run."""
    folder.mkdir(parents=True, exist_ok=True)
    files, whole = [], ""
    for place, number in enumerate(numbers):
        text = lines(range(3 * place, 3 * place + 3), place)
        path = folder / name.format(number)
        if name.endswith(".gz"):
            path.write_bytes(gzip.compress(text.encode()))
        else:
            path.write_text(text)
        files.append(str(path))
        whole += text
    return files, whole


def assert_same(run: object, other: object) -> None:
    assert isinstance(run, Run)
    assert isinstance(other, Run)
    assert run.query_ids == other.query_ids
    for ties in ("descending", "ascending", "arrival"):
        first, second = run.reordered(ties), other.reordered(ties)  # type: ignore[arg-type]
        assert first.doc_ids.to_pylist() == second.doc_ids.to_pylist(), ties
        assert np.array_equal(first.scores, second.scores)
        assert np.array_equal(first.offsets, second.offsets)
        assert np.array_equal(first.tied, second.tied)


@pytest.mark.parametrize(("name", "pattern", "run_name"), NAMES)
def test_parts_are_the_run_they_were_divided_from(tmp_path: Path, name: str, pattern: str, run_name: str) -> None:
    files, whole = written(tmp_path / "runs", name)
    (tmp_path / "whole.run").write_text(whole)
    path = str(tmp_path / "runs" / pattern)
    assert {pattern_of(file) for file in files} == {path}
    assert parts_of(path) == files
    assert grouped(files) == [path]
    loaded = load(path)
    assert_same(loaded.value, load(tmp_path / "whole.run").value)
    assert loaded.report.name == run_name
    assert "3 files are parts of one run" in loaded.report.reason
    assert rankings_in(tmp_path / "runs").runs == (path,)
    (tmp_path / "qrels").write_text("q0 0 d1 1\nq8 0 d2 1\n")
    for given in (tmp_path / "runs", path, files, str(tmp_path / "runs" / "*")):
        assert list(irviewer.evaluate(tmp_path / "qrels", given, ["RR"]).runs) == [run_name]


@pytest.mark.parametrize(
    "name",
    ["a.run", "bm25-1.run", "bm25-2021.run", "run1", "12345", "part", "topics.301-350.run", "a-0001.run", "d5"],
)
def test_ordinary_names_are_no_parts(name: str) -> None:
    assert pattern_of(name) is None


def test_some_of_the_parts_are_files_of_their_own(tmp_path: Path) -> None:
    files, _ = written(tmp_path, "part-{}")
    assert grouped(files[:2]) == files[:2], "the path of the parts would read the third as well"
    assert grouped([*files, "other.run"]) == [str(tmp_path / "part-*"), "other.run"]
    assert grouped(["part-0.run"]) == ["part-0.run"]


def test_parts_that_share_a_query_are_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "runs").mkdir()
    for number in range(2):
        (tmp_path / "runs" / f"part-{number}.run").write_text(lines([1, 2], number))
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    with pytest.raises(ParseError, match="a query is in two of the files"):
        load(tmp_path / "runs" / "part-*.run")
    result = irviewer.evaluate(str(tmp_path / "qrels"), str(tmp_path / "runs"), ["RR"])
    assert list(result.runs) == ["part-0", "part-1"]
    assert main(["check", str(tmp_path / "runs")]) == 0
    assert capsys.readouterr().out.count("TREC run") == 2


def test_parts_that_hold_several_runs_are_joined_by_run(tmp_path: Path) -> None:
    files = [tmp_path / f"part-{number}.tsv" for number in range(2)]
    for query, file in enumerate(files):
        file.write_text(f"query_id\tdoc_id\tscore\ttag\nq{query}\td1\t2\ta\nq{query}\td2\t1\tb\n")
    result = irviewer.evaluate({"q0": {"d1": 1}, "q1": {"d1": 1, "d2": 1}}, list(map(str, files)), "P@1")
    assert [(run, result.mean("P@1", run)) for run in result.runs] == [("a", 1.0), ("b", 0.5)]


def test_all_runs_of_a_pipe_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "qrels").write_text("q0 0 d1 1\n")
    table = b"query_id\tdoc_id\tscore\ttag\nq0\td1\t2\ta\nq0\td1\t2\tb\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(table)))
    assert main(["evaluate", str(tmp_path / "qrels"), "-", "-m", "AP"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()[-2:]] == [["a", "1.0000"], ["b", "1.0000"]]


def test_a_table_of_spark_beside_runs(tmp_path: Path) -> None:
    written(tmp_path / "runs" / "dense.parquet", "part-{}.run")
    (tmp_path / "runs" / "dense.parquet" / "_SUCCESS").touch()
    (tmp_path / "runs" / "bm25.run").write_text(lines(range(9)))
    (tmp_path / "runs" / "logs").mkdir()
    (tmp_path / "runs" / "logs" / "a.run").write_text(lines(range(9)))
    content = rankings_in(tmp_path / "runs")
    assert [Path(path).name for path in content.runs] == ["bm25.run", "part-*.run"]
    assert not content.skipped
    assert name_of_parts(content.runs[1]) == "dense"


# --- commands ---

COMMANDS = [
    ("compare", "qrels", "runs", "-m", "RR"), ("zscores", "qrels", "runs", "-m", "RR"), ("check", "qrels", "runs"),
    ("stages", "qrels", "runs"), ("evaluate", "qrels", "runs", "-m", "RR"), ("similarity", "runs"),
    ("evaluate", "qrels", "runs", "-m", "RR", "--jobs", "2"), ("check", "runs"),
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_folder_is_its_runs_in_every_command(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "runs", "part-{}")
    (tmp_path / "runs" / "other.run").write_text(lines(range(9), 7, "other"))
    (tmp_path / "qrels").write_text("".join(f"q{query} 0 d{query} 1\n" for query in range(9)))
    (tmp_path / "runs" / "README.md").write_text("# Runs\n\nMade on Monday.\n")
    (tmp_path / "runs" / "LICENSE").write_text("MIT License\n\nPermission is hereby granted to any person\n")
    (tmp_path / "runs" / "about.txt").write_text("The runs of Monday, with usual settings.\nSee the paper.\n")
    (tmp_path / "runs" / "_SUCCESS").touch()
    assert main(list(words)) == 0
    out, err = capsys.readouterr()
    assert "skipped" not in err
    assert "lacks" not in err, "a part has the other queries"
    place, names = words.index("runs"), ("runs/other.run", *(f"runs/part-0000{number}" for number in range(3)))
    assert main([*words[:place], *names, *words[place + 1 :]]) == 0
    assert capsys.readouterr().out == out, "the files named one by one"


def test_one_run_is_taken_from_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _, whole = written(tmp_path / "runs", "part-{}")
    (tmp_path / "whole.run").write_text(whole)
    assert main(["convert", "runs", "-"]) == 0
    converted = capsys.readouterr().out
    assert main(["convert", "whole.run", "-"]) == 0
    assert converted == capsys.readouterr().out
    (tmp_path / "runs" / "other.run").write_text(whole)
    assert main(["convert", "runs", "-"]) == 2
    assert "one run is expected here, but runs has several" in capsys.readouterr().err


# --- prose ---


@pytest.mark.parametrize(
    "name", ["README", "readme.txt", "README.md", "LICENSE", "LICENCE.txt", "COPYING", "a.py", "_SUCCESS",
             "sample.json", "notes.md", "CITATION.cff", "metadata.json", "plot.png", "Makefile"],
)  # fmt: skip
def test_names_of_prose(name: str) -> None:
    assert is_named_as_prose(name)


@pytest.mark.parametrize(
    "name",
    ["a.run", "source.run", "notes.csv", "qrels", "readmerun", "licenses.qrels", "metadata.tsv", "run.txt"],
)
def test_names_of_data(name: str) -> None:
    assert not is_named_as_prose(name)


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("The runs of Monday, with usual settings.\nSee the paper.\n", True),
        ("# Title\n\n- one thing and another of these\n- a third\n", True),
        ("1 Q0 a 1 2.0 x\n1 Q0 b 2 zero x\n", False),
        ("q1 0 d1\nq1 0 d2 1 9\nq3 0\n", False),
        ('{"runs": ["made on Monday with the usual settings"]}', False),
        ("a\tb\tc d e f g\n", False),
        ("", False),
        ("\0\1\2 made on Monday by no one at all", False),
    ],
)
def test_prose_by_its_words(tmp_path: Path, text: str, prose: bool) -> None:
    (tmp_path / "about").write_text(text)
    assert is_prose(tmp_path / "about") == prose


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (("00000", "00001", "00003"), "have a gap: 2 is not there"),
        (("00001", "00002", "00003"), ""),
        (("00000", "00003", "99999"), "have gaps: 1, 2, 4, 5, 6, … are not there"),
        (("20240101", "20240102", "20240201"), ""),
    ],
)
def test_a_gap_in_the_numbers_of_parts_is_said(tmp_path: Path, numbers: tuple[str, ...], said: str) -> None:
    written(tmp_path, "part-{}.run", numbers)
    notes = [note.text for note in load(str(tmp_path / "part-*.run")).report.findings]
    gaps = [note for note in notes if "numbers of the parts" in note]
    assert (said in gaps[0]) if said else not gaps


@pytest.fixture
def with_a_gap(tmp_path: Path) -> Path:
    """A folder with qrels, and with a folder of parts that lacks one."""
    parts = tmp_path / "parts"
    parts.mkdir()
    for number in (0, 2, 3):
        (parts / f"part-{number}").write_text(f"q{number} Q0 d 1 1 t\n")
    (tmp_path / "qrels").write_text("".join(f"q{number} 0 d 1\n" for number in range(4)))
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", "QRELS", "RUN"],
        ["evaluate", "QRELS", "RUN", "--jobs", "1"],
        ["evaluate", "QRELS", "RUN", "--in-blocks"],
        ["compare", "QRELS", "RUN", "RUN/part-0"],
        ["failures", "QRELS", "RUN"],
        ["agreement", "QRELS", "QRELS", "--runs", "RUN"],
        ["similarity", "RUN", "RUN/part-0"],
    ],
    ids=" ".join,
)
def test_every_command_says_which_parts_are_missing(
    command: list[str], with_a_gap: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The load report of the window alone said it."""
    paths = {"QRELS": str(with_a_gap / "qrels")}
    folder = str(with_a_gap / "parts")
    main([paths.get(word, word.replace("RUN", folder)) for word in command])
    notes = [line for line in capsys.readouterr().err.splitlines() if "numbers of the parts" in line]
    assert len(notes) == 1 and "part-*: the numbers of the parts have a gap: 1 is not there" in notes[0]


def test_python_warns_of_missing_parts(with_a_gap: Path) -> None:
    qrels, parts = with_a_gap / "qrels", with_a_gap / "parts"
    for call in (
        lambda: irviewer.evaluate(qrels, parts, ["AP"]),
        lambda: irviewer.evaluate_blocks(qrels, parts, ["AP"]),
        lambda: irviewer.read_run(parts / "part-*"),
    ):
        with pytest.warns(irviewer.IrviewerWarning) as warned:
            call()
        assert sum("have a gap: 1 is not there" in str(each.message) for each in warned) == 1


def test_lines_that_are_left_out_are_said_where_a_file_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of answers that ends within a record was evaluated without a word about it."""
    whole = (Path(__file__).parents[1] / "data" / "answers" / "alpha.answers.jsonl").read_text()
    (tmp_path / "a.jsonl").write_text(whole.rstrip()[:-20])
    (tmp_path / "qrels").write_text("1 0 d 1\n")
    main(["evaluate", str(tmp_path / "qrels"), str(tmp_path / "a.jsonl")])
    said = "a.jsonl: 1 line is not a JSON object and is left out"
    assert capsys.readouterr().err.count(said) == 1
    with pytest.warns(irviewer.IrviewerWarning) as warned:
        irviewer.read_run(tmp_path / "a.jsonl")
    assert sum(said in str(each.message) for each in warned) == 1


def test_a_part_that_the_names_count_and_that_is_not_there_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "run-{}-of-00004.run")
    with pytest.raises(ParseError, match="the name says 4 parts, and there are 3"):
        load(str(tmp_path / "run-*-of-00004.run"))


@pytest.mark.parametrize("what", ["answers", "assignments", "support"])
def test_parts_of_answers_and_labels_are_the_file_they_were_divided_from(what: str, tmp_path: Path) -> None:
    """Their documents were joined, and what was said of answers was lost without a word."""
    whole = Path(__file__).parents[1] / "data" / "answers" / f"alpha.{what}.jsonl"
    records = whole.read_text().splitlines(keepends=True)
    for number in (0, 1):
        (tmp_path / f"alpha.part{number}.jsonl").write_text("".join(records[number::2]))
    wanted, joined = load(whole).value, load(tmp_path / "alpha.part*.jsonl").value
    assert isinstance(wanted, Run) and isinstance(joined, Run)
    assert joined.name == wanted.name == "alpha" and len(records) > 2
    form = {"answers": "rag24"}.get(what, what)
    lines = format_named(form).encoded(joined).splitlines()
    assert lines == [line.encode().rstrip() for line in (*records[::2], *records[1::2])]


def test_every_row_of_answers_is_copied_once_whatever_the_number_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    value = load(Path(__file__).parents[1] / "data" / "answers" / "alpha.answers.jsonl").value
    assert isinstance(value, Run) and value.answered is not None and value.answered.answers is not None
    answered, whole, copied = value.answered, value.answered.answers, dict[int, int]()
    n = len(whole.topics)
    for n_parts in (2, n):
        places = [range(begin, n, n_parts) for begin in range(n_parts)]
        parts = [replace(answered, answers=whole.of_topics(own)) for own in places]
        rows: list[int] = []
        with monkeypatch.context() as patched:
            patched.setattr(
                "irviewer.model.answers.concatenated.frozen", lambda array, rows=rows: rows.append(len(array)) or array
            )
            joined = joined_parts(parts, "origin").answers
        assert joined is not None
        order = [place for own in places for place in own]
        assert same_answers(joined, whole.of_topics(order)) and joined.topics == whole.of_topics(order).topics
        assert np.array_equal(joined.citation_offsets, whole.of_topics(order).citation_offsets)
        copied[n_parts] = sum(rows)
    assert n > 2 and len(set(copied.values())) == 1


def test_what_some_parts_of_labels_lack_is_a_gap(tmp_path: Path) -> None:
    nugget = {"text": "n", "importance": "vital", "assignment": "support"}
    for number, more in enumerate(({"votes": 2}, {}, {"span": [1, 3]})):
        record = {"qid": str(number), "run_id": "s", "answer_text": "answer", "nuggets": [{**nugget, **more}]}
        (tmp_path / f"s.part{number}.jsonl").write_text(json.dumps(record) + "\n")
    value = load(tmp_path / "s.part*.jsonl").value
    assert isinstance(value, Run) and value.answered is not None and value.answered.assignments is not None
    labels = value.answered.assignments
    assert labels.nuggets.votes is not None and np.array_equal(
        labels.nuggets.votes, [2, np.nan, np.nan], equal_nan=True
    )
    assert [labels.span(row) for row in range(3)] == [(), (), (1, 3)]


def test_parts_of_several_systems_are_runs(tmp_path: Path) -> None:
    for number, system in enumerate("ab"):
        record = {"run_id": system, "topic_id": str(number), "topic": "", "references": [], "answer": [{"text": "x"}]}
        (tmp_path / f"s.part{number}.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(PartsError, match="several systems"):
        load(tmp_path / "s.part*.jsonl")
