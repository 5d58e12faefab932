"""Tables in the width of a terminal: runs as rows where their columns would not fit; piped output stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.cli.main import main
from irviewer.cli.options.common import terminal_width
from irviewer.tables.aligned import aligned, aligned_within, fits, transposed

RUNS = tuple(f"a_run_called_{number}" for number in range(9))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels of three queries, a file of query sets, and nine runs."""
    (tmp_path / "q").write_text("".join(f"{query} 0 d 1\n" for query in "123"))
    for number, name in enumerate(RUNS):
        lines = [
            f"{query} Q0 {document} {rank} {-rank} t\n"
            for query in "123"
            for rank, document in enumerate([*["x", "y", "z"][: number % 4], "d"], start=1)
        ]
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "sets.tsv").write_text("1\tearly\n2\tearly\n3\tlate\n")
    return [str(tmp_path / name) for name in ("q", *RUNS)]


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """The lines that a command prints."""
    assert main(list(words)) == 0
    return capsys.readouterr().out.splitlines()


def test_measures_become_rows(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("evaluate", *files[:3], "-m", "RR", "-m", "P@1", "-m", "nDCG@10", "-m", "AP", "-m", "P@5", "-m", "P@20")
    monkeypatch.delenv("COLUMNS", raising=False)
    piped = printed(capsys, *words)
    names = ["RR", "P@1", "nDCG@10", "AP", "P@5", "P@20"]
    assert piped[3].split() == ["run", *names]
    monkeypatch.setenv("COLUMNS", "55")
    narrow = printed(capsys, *words)
    assert narrow[3].split() == ["measure", *RUNS[:2]]
    assert [line.split()[0] for line in narrow[4:10]] == names
    assert [line.split()[1] for line in narrow[4:10]] == piped[4].split()[1:]
    assert max(map(len, narrow[2:10])) <= 55
    monkeypatch.setenv("COLUMNS", "400")
    assert printed(capsys, *words) == piped


def test_values_by_query_fit(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = printed(capsys, "evaluate", *files, "-m", "RR", "-m", "gm_map", "-q")
    assert lines[3].split() == ["run", "query", "RR"]  # a geometric mean has no value by query
    assert lines[4].split() == [RUNS[0], "1", "1.0000"]
    assert lines[-1].split()[:2] == [RUNS[8], "1.0000"]


def test_a_file_is_written_in_full(files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["evaluate", *files, "-m", "RR", "-o", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out").read_text().split("\n")[3].split() == ["run", "RR"]
    assert terminal_width("out") is None
    assert terminal_width("-") == terminal_width(None) == 40
    monkeypatch.setenv("COLUMNS", "wide")
    assert terminal_width(None) is None  # pytest's output is no terminal


@pytest.mark.parametrize("mode", [[], ["--pairs"]])
def test_the_table_of_a_comparison_fits(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, mode: list[str]
) -> None:
    words = ("compare", *files, "-m", "RR", *mode)
    monkeypatch.delenv("COLUMNS", raising=False)
    piped = printed(capsys, *words)
    assert max(len(line) for line in piped if line.startswith("run ")) > 80
    monkeypatch.setenv("COLUMNS", "80")
    narrow = printed(capsys, *words)
    tables = [line for line in narrow if line.startswith(("run ", *(f"{run}  " for run in RUNS)))]
    assert max(map(len, tables)) <= 80
    assert len([line for line in tables if line.startswith("run ")]) == 3
    assert set(" ".join(narrow).split()) == set(" ".join(piped).split())


@pytest.mark.parametrize("command", ["medians", "measure-agreement", "stability"])
def test_comparisons_fit(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    words = (command, *files, "-m", "RR", "-m", "P@1", "--format", "table")
    monkeypatch.delenv("COLUMNS", raising=False)
    piped = printed(capsys, *words)
    monkeypatch.setenv("COLUMNS", "70")
    narrow = [line for line in printed(capsys, *words) if not line.startswith("Note:") and not line.endswith(".")]
    assert max(map(len, narrow)) <= 70
    assert {word for line in piped for word in line.split()} == {word for line in narrow for word in line.split()} | {
        word for line in piped if line.startswith("Note:") or line.endswith(".") for word in line.split()
    }


def test_means_of_sets_have_rows_of_runs(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sets = str(Path(files[0]).with_name("sets.tsv"))
    words = ("query-sets", *files, "-m", "RR", "--query-set", sets)
    monkeypatch.setenv("COLUMNS", "400")
    wide = printed(capsys, *words)
    assert wide[3].split() == ["set", "queries", *RUNS]
    monkeypatch.setenv("COLUMNS", "110")
    narrow = printed(capsys, *words)
    assert [line.split()[0] for line in narrow[3:14]] == ["run", "queries", *RUNS]


def test_letters_of_two_places_are_counted_as_two() -> None:
    lines = aligned(["run", "AP"], [["検索", "1"], ["abcd", "2"], ["e\u0301", "3"], ["قفز", "4"], ["😀", "5"]])
    assert lines == ["run   AP", "検索   1", "abcd   2", "e\u0301      3", "قفز    4", "😀     5"]


WORDS = st.text("ab", min_size=1, max_size=7)


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    """A header and rows of words."""
    columns = draw(st.integers(1, 9))
    return draw(st.lists(st.lists(WORDS, min_size=columns, max_size=columns), min_size=1, max_size=5))


@given(table=tables(), width=st.integers(1, 60))
def test_blocks_have_every_column(table: list[list[str]], width: int) -> None:
    header, *rows = table
    lines = aligned_within(header, rows, 1, width)
    if fits(header, rows, width):
        assert lines == aligned(header, rows)
    blocks = [block.split("\n") for block in "\n".join(lines).split("\n\n")]
    for place, row in enumerate(table):
        assert [row[0], *(word for block in blocks for word in block[place].split()[1:])] == row
    assert all(len(line) <= width or len(line.split()) <= 2 for line in lines)
    assert transposed(*transposed(header, rows, header[0]), header[0]) == (header, rows)
