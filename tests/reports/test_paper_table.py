"""The table for a paper: its numbers and marks against other calls, its caption, and its four forms."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexEnvironmentNode, LatexWalker
from scipy import stats

import irviewer
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.reports.paper_table import PaperColumn, PaperSubject, PaperTable, encoded

NAMES = ("10x10", "a_b", "50%", "R&D", "$x$ {y}")
PDFLATEX = shutil.which("pdflatex")


def graded(queries: int = 24) -> dict[str, dict[str, int]]:
    """Two relevant documents per query, one of them highly."""
    return {str(query): {"a": 2, "b": 1, "n": 0} for query in range(queries)}


def ranked(ranks: list[int]) -> dict[str, dict[str, float]]:
    """A run that has the document "a" at these ranks, one per query."""
    run = {}
    for query, rank in enumerate(ranks):
        documents = [f"x{place}" for place in range(20)]
        documents[rank - 1] = "a"
        run[str(query)] = {document: -float(place) for place, document in enumerate(documents)}
    return run


@pytest.fixture
def table() -> PaperTable:
    """Five runs with odd names: one better than the first, one worse, one equal, one a little different."""
    middle = [2 + query % 3 for query in range(24)]
    runs = {
        NAMES[0]: ranked(middle),
        NAMES[1]: ranked([1] * 24),
        NAMES[2]: ranked([12 + query % 4 for query in range(24)]),
        NAMES[3]: ranked(middle),
        NAMES[4]: ranked([rank + (1 if query % 2 else -1) for query, rank in enumerate(middle)]),
    }
    return irviewer.paper_table(graded(), runs, ["RR", "nDCG@10", "num_rel_ret"], collection="A_1 & co")


def test_marks_are_those_of_scipy(table: PaperTable) -> None:
    """Paired t-tests against the first run, corrected by Holm's rule written out."""
    middle = np.array([1 / (2 + query % 3) for query in range(24)])
    shifted = np.array([1 / (2 + query % 3 + (1 if query % 2 else -1)) for query in range(24)])
    others = [np.ones(24), np.array([1 / (12 + query % 4) for query in range(24)]), middle, shifted]
    p = [
        1.0 if (other_values == middle).all() else float(stats.ttest_rel(other_values, middle).pvalue)
        for other_values in others
    ]
    corrected, highest = [0.0] * 4, 0.0
    for step, place in enumerate(sorted(range(4), key=lambda place: p[place])):
        highest = max(highest, min(1.0, (4 - step) * p[place]))
        corrected[place] = highest
    column = table.columns[0]
    assert np.allclose(column.means, [middle.mean(), *(other_values.mean() for other_values in others)])
    assert np.allclose(column.p[1:], corrected)
    assert np.isnan(column.p[0])
    wanted = [0] + [
        int(np.sign(other_values.mean() - middle.mean())) * (q < 0.05)
        for other_values, q in zip(others, corrected, strict=True)
    ]
    assert column.marks.tolist() == wanted
    assert {1, -1, 0} == set(wanted)


def test_the_caption_names_what_occurs(table: PaperTable) -> None:
    assert table.caption == (
        "A_1 & co: 24 queries, 72 judgments. RR and NumRelRet count grades from 1 as relevant. Best values in bold. "
        "†: significantly better, ‡: worse than 10x10 (paired t-test, Holm over 4 comparisons per measure, p < .05). "
        "NumRelRet is not tested."
    )


@pytest.mark.parametrize(
    ("marks", "wanted"),
    [
        ([0, 1], "†: significantly better than base (a test, p < .05)."),
        ([0, -1], "‡: significantly worse than base (a test, p < .05)."),
        ([0, 0], "No difference to base is significant (a test, p < .05)."),
    ],
)
def test_marks_that_do_not_occur_are_not_explained(marks: list[int], wanted: str) -> None:
    values = np.array([0.1, 0.1])
    column = PaperColumn("AP", None, values, np.array(marks), np.array([np.nan, 0.01]), "a test")
    table = PaperTable(("base", "other"), (column,), PaperSubject("made", 9), "base")
    assert table.caption == f"made: 9 queries. {wanted}"  # no value is better, so none is bold


def test_without_marks_no_test_is_named() -> None:
    runs = {"one": ranked([1] * 24), "two": ranked([3] * 24)}
    plain = irviewer.paper_table(graded(), runs, "RR", tested=False)
    assert plain.caption == (
        "Means over 24 queries, 72 judgments. RR counts grades from 1 as relevant. Best values in bold."
    )
    assert "†" not in plain.markdown
    assert plain.csv.splitlines()[0] == "run,RR,notes"


def test_two_levels_are_in_the_header() -> None:
    runs = {"one": ranked([1] * 24), "two": ranked([3] * 24)}
    table = irviewer.paper_table(graded(), runs, ["RR", "RR(rel=2)"])
    assert table.header == ("Run", "RR ≥1", "RR ≥2")
    assert "count" not in table.caption


def test_best_is_as_printed() -> None:
    values = np.array([0.51234, 0.51211, 0.4])
    column = PaperColumn("AP", None, values, np.zeros(3, np.int64), np.full(3, np.nan))
    table = PaperTable(("a", "b", "c"), (column,), PaperSubject(queries=3))
    assert table.best(column) == [True, False, False]
    assert PaperTable(("a", "b", "c"), (column,), PaperSubject(queries=3), decimals=3).best(column) == [
        True, True, False,
    ]  # fmt: skip
    lower = PaperColumn("cost", None, values, column.marks, column.p, higher_is_better=False)
    assert table.best(lower) == [False, False, True]
    with pytest.raises(OptionError, match="from 1 to 8"):
        PaperTable(("a",), (column,), PaperSubject(), decimals=0)


# --- LaTeX ---


def test_latex_closes_and_prints_the_names(table: PaperTable) -> None:
    nodes, _, _ = LatexWalker(table.latex, tolerant_parsing=False).get_latex_nodes()
    (outer,) = [node for node in nodes if isinstance(node, LatexEnvironmentNode)]
    assert outer.environmentname == "table"
    (inner,) = [node for node in outer.nodelist if isinstance(node, LatexEnvironmentNode)]
    assert inner.environmentname == "tabular"
    printed = LatexNodes2Text(math_mode="text", strict_latex_spaces=True).nodelist_to_text(nodes)
    for name in NAMES:
        assert name in printed
    rows = [line for line in table.latex.splitlines() if line.endswith(r" \\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [3] * 6
    assert r"\textbf{1.0000}\rlap{$^{\dagger}$}" in rows[2]
    assert "$p < .05$" in table.latex
    assert "†" not in table.latex
    assert "XeLaTeX" not in table.latex
    assert table.latex.startswith("% Load booktabs: \\usepackage{booktabs}\n")


@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not installed")
def test_latex_takes_it(table: PaperTable, tmp_path: Path) -> None:
    page = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n" + table.latex + "\\end{document}\n"
    (tmp_path / "page.tex").write_text(page)
    assert PDFLATEX is not None
    command = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "page.tex"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert ended.returncode == 0, [line for line in ended.stdout.splitlines() if line.startswith("!")]


# --- the other forms ---


class _Cells(HTMLParser):
    """The text of each cell, row by row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.open = True

    def handle_endtag(self, tag: str) -> None:
        self.open = self.open and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.open:
            self.rows[-1][-1] += data


def cells(html: str) -> list[list[str]]:
    """The cells of the table of a page."""
    parser = _Cells()
    parser.feed(html)
    return parser.rows


def test_html_has_the_cells(table: PaperTable) -> None:
    rows = cells(table.html)
    assert rows[0] == ["Run", "RR", "nDCG@10", "NumRelRet"]
    assert [row[0] for row in rows[1:]] == list(NAMES)
    assert rows[2][1] == "1.0000†"
    assert "<b>1.0000</b><sup>†</sup>" in table.html
    assert "R&amp;D" in table.html
    assert "class=" not in table.html  # a word processor drops styles that are elsewhere


def test_markdown_has_the_cells(table: PaperTable) -> None:
    lines = table.markdown.splitlines()
    assert lines[:2] == ["| Run | RR | nDCG@10 | NumRelRet |", "| :-- | --: | --: | --: |"]
    assert lines[3].startswith(r"| a\_b | **1.0000**† |")
    assert lines[-1].startswith("A\\_1 & co: 24 queries")


def test_csv_is_exact(table: PaperTable) -> None:
    rows = list(csv.DictReader(io.StringIO(table.csv)))
    assert [row["run"] for row in rows] == list(NAMES)
    assert [float(row["RR"]) for row in rows] == table.columns[0].means.tolist()
    assert [row["RR mark"] for row in rows] == [table.mark(table.columns[0], run) for run in range(5)]
    assert rows[0]["RR p"] == ""
    assert rows[1]["notes"] == table.caption
    assert "NumRelRet p" not in rows[0]
    assert encoded(table, "csv").decode() == table.csv


# --- the command ---


def test_the_command_prints_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q").write_text("".join(f"{query} 0 a 1\n" for query in range(9)))
    for name, rank in (("one", 1), ("two", 3)):
        lines = [
            f"{query} Q0 {document} {place} {-place} {name}\n"
            for query in range(9)
            for place, document in enumerate([*["x", "y", "z"][: rank - 1], "a"], start=1)
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    files = [str(tmp_path / name) for name in ("q", "one.run", "two.run")]
    words = ["paper", *files, "-m", "RR", "--baseline", files[2], "--decimals", "2", "--collection", "made"]
    assert main([*words, "--format", "markdown"]) == 0
    wanted = irviewer.paper_table(files[0], files[1:], "RR", baseline="two", decimals=2, collection="made")
    printed = capsys.readouterr().out
    line, _, below = printed.partition("\n\n")
    assert line.endswith("Holm over 1 against two · paired t")
    assert below == wanted.markdown
    # The differences have no spread, so there is nothing to test with.
    assert "No difference to two is significant" in printed
    assert main([*words, "-o", str(tmp_path / "t.tex")]) == 0
    assert (tmp_path / "t.tex").read_text().replace(f"% {line}\n", "") == wanted.latex
    for wrong in (["--alpha", "2"], ["--decimals", "0"], ["--baseline", "nix"]):
        assert main(["paper", *files, *wrong]) == 2
