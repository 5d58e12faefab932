"""The table for a paper: its numbers and marks against other calls, its caption, and its four forms."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexEnvironmentNode, LatexWalker
from scipy import stats

import irviewer
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.model.protocol import PRESET, EvaluationProtocol
from irviewer.tables.emphasis import best
from irviewer.tables.writers.registry import WRITERS
from irviewer.views.paper import PaperColumn, PaperStyle, PaperSubject, PaperTable

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
    assert np.allclose(table.columns[0].means, [middle.mean(), *(other_values.mean() for other_values in others)])
    assert np.allclose(table.p[1:], corrected)
    assert np.isnan(table.p[0])
    wanted = [0] + [
        int(np.sign(other_values.mean() - middle.mean())) * (q < 0.05)
        for other_values, q in zip(others, corrected, strict=True)
    ]
    assert table.marks.tolist() == wanted
    assert {1, -1, 0} == set(wanted)


def test_the_caption_names_what_occurs(table: PaperTable) -> None:
    assert table.caption == (
        "A_1 & co: 24 queries, 72 judgments. RR and NumRelRet count grades from 1 as relevant. Best values in bold. "
        "†: significantly better, ‡: worse than 10x10 (paired t-test, Holm over 4 comparisons, p < .05). "
        "Only RR is tested; nDCG@10 and NumRelRet are secondary."
    )


@pytest.mark.parametrize(
    ("ranks", "wanted"),
    [
        ([1] * 24, "†: significantly better than base (paired t-test, one comparison, p < .05)."),
        ([9, 12] * 12, "‡: significantly worse than base (paired t-test, one comparison, p < .05)."),
        ([2, 3] * 12, "No difference to base is significant (paired t-test, one comparison, p < .05)."),
    ],
)
def test_marks_that_do_not_occur_are_not_explained(ranks: list[int], wanted: str) -> None:
    runs = {"base": ranked([3, 2] * 12), "other": ranked(ranks)}
    table = irviewer.paper_table(graded(), runs, "RR", collection="made")
    assert table.caption.startswith("made: 24 queries, 72 judgments.")
    assert table.caption.endswith(wanted)


def test_only_the_primary_measure_has_daggers(table: PaperTable) -> None:
    """In nDCG@10 the second run is better than the first too."""
    compared = irviewer.compare(graded(), {"one": ranked([3, 2] * 12), "two": ranked([1] * 24)}, ["nDCG@10"])
    assert compared["nDCG@10"].marks().tolist() == [0, 1]
    assert {key for _, key in table.table.marks} == {"RR"}
    assert [column.key for column in table.table.columns if column.kind == "p"] == ["p_corrected"]
    second = irviewer.paper_table(
        graded(), {"one": ranked([3, 2] * 12), "two": ranked([1] * 24)}, ["RR", "nDCG@10"],
    ).markdown.splitlines()[-3]  # fmt: skip
    assert second == "| two | **1.0000**† | **0.7602** |"


def test_a_primary_measure_that_is_no_column_is_named() -> None:
    runs = {"one": ranked([3, 2] * 12), "two": ranked([1] * 24)}
    both = irviewer.paper_table(graded(), runs, ["RR", "P@1"])
    table = replace(both, columns=both.columns[1:])
    assert table.caption.endswith("P@1 is secondary to RR, and not tested.")
    assert not table.table.marks


def test_all_pairs_have_letters(tmp_path: Path) -> None:
    """Runs share a letter where the test shows no difference; leaving out a row leaves the letters alone."""
    runs = {"a": ranked([1] * 24), "b": ranked([2, 3] * 12), "c": ranked([3, 2] * 12), "d": ranked([11, 13, 15] * 8)}
    table = irviewer.paper_table(graded(), runs, ["RR", "P@1"], family="pairs")
    compared = irviewer.compare(graded(), runs, ["RR"], pairs=True)["RR"]
    assert table.letters == compared.letters() == ("a", "b", "b", "c")
    assert "Between runs that share a letter the test shows no difference" in table.caption
    assert "†" not in table.markdown
    assert r"\textbf{1.0000}\rlap{\textsuperscript{a}}" in table.latex
    fewer = irviewer.paper_table(graded(), runs, ["RR", "P@1"], family="pairs", shown=["a", "d"])
    assert fewer.letters == ("a", "c")
    assert "Holm over 6 comparisons; 2 runs not shown" in fewer.caption
    rows = list(csv.DictReader(io.StringIO(table.csv)))
    assert [row["group"] for row in rows] == ["a", "b", "b", "c"]
    overlapping = irviewer.paper_table(
        graded(), {**runs, "e": ranked([1, 3] * 12)}, "RR", family="pairs", correction="none"
    ).latex  # fmt: skip
    assert overlapping.count(r"\phantom") in (0, 6)


def test_every_format_has_the_protocol(table: PaperTable, tmp_path: Path) -> None:
    assert table.protocol is not None
    line = table.protocol.line()
    assert "primary: RR" in line
    for writer in WRITERS:
        path = tmp_path / f"table{writer.suffixes[0]}"
        table.save(path)
        read = path.read_bytes()
        if writer.name in ("csv", "tsv"):
            read = path.with_name(path.name + ".protocol.toml").read_bytes()
        parts = ("primary: RR", "Holm over 4 against 10x10", "paired t")
        assert all(part.encode() in read for part in parts), writer.name


def test_without_marks_no_test_is_named() -> None:
    runs = {"one": ranked([1] * 24), "two": ranked([3] * 24)}
    plain = irviewer.paper_table(graded(), runs, "RR", tested=False)
    assert plain.caption == (
        "Means over 24 queries, 72 judgments. RR counts grades from 1 as relevant. Best values in bold."
    )
    assert "†" not in plain.markdown
    assert plain.csv.splitlines()[0] == "run,RR"


def test_two_levels_are_in_the_header() -> None:
    runs = {"one": ranked([1] * 24), "two": ranked([3] * 24)}
    table = irviewer.paper_table(graded(), runs, ["RR", "RR(rel=2)"])
    assert table.header == ("Run", "RR ≥1", "RR ≥2")
    assert "count" not in table.caption


def test_best_is_as_printed() -> None:
    values = np.array([0.51234, 0.51211, 0.4])

    def bold(decimals: int, *, higher: bool = True) -> list[bool]:
        column = PaperColumn("AP", "AP", None, values, higher_is_better=higher)
        table = PaperTable(("a", "b", "c"), (column,), PaperSubject(queries=3), style=PaperStyle(decimals)).table
        return list(best(table, table.column("AP")))

    assert bold(4) == [True, False, False]
    assert bold(3) == [True, True, False]
    assert bold(4, higher=False) == [False, False, True]
    with pytest.raises(OptionError, match="from 1 to 8"):
        PaperStyle(decimals=0)


def test_means_over_different_queries_do_not_rank_runs() -> None:
    """A run of the easy queries alone: its mean is the highest, and the test of the queries that both have is open."""
    easy = {query: scores for query, scores in ranked([1] * 24).items() if int(query) % 2 == 0}
    runs = {"all": ranked([1, 12] * 12), "easy": easy}
    table = irviewer.paper_table(graded(), runs, ["RR", "P@1"], missing="intersection")
    assert "**" not in table.markdown.splitlines()[-3].split("|")[-2]
    assert "Each mean is over the queries that the run has" in table.caption


def test_queries_that_runs_lack_are_counted_among_those_and_in_runs_that_are_printed() -> None:
    ranking = ranked([1] * 24)
    odd = {query: scores for query, scores in ranking.items() if int(query) % 2}
    runs = {"all": ranking, "odd": odd, "first": {"0": ranking["0"]}}
    own: dict[str, Any] = {
        "missing": "intersection",
        "baseline": "all",
        "protocol": PRESET.but(queries=["0", "1", "2", "3", "4"]),
    }
    table = irviewer.paper_table(graded(), runs, ["RR"], **own)
    assert "the run has (odd 2, first 1)." in table.caption
    assert "the run has (odd 2)." in irviewer.paper_table(graded(), runs, ["RR"], shown=["all", "odd"], **own).caption


def test_queries_that_runs_lack_are_no_zeros_where_a_measure_gives_an_empty_list_none() -> None:
    ranking = ranked([1] * 24)
    runs = {"all": ranking, "odd": {query: scores for query, scores in ranking.items() if int(query) % 2}}
    assert "lacks count as 0." in irviewer.paper_table(graded(), runs, ["RR"]).caption
    assert "lacks count as empty lists." in irviewer.paper_table(graded(), runs, ["SearchLength"]).caption
    mixed = irviewer.paper_table(graded(), runs, ["RR", "SearchLength"]).caption
    assert "lacks count as 0 (by SearchLength as empty lists)." in mixed


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
    assert table.protocol is not None
    assert f"% {table.protocol.line()}\n" in table.latex
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
    assert rows[2][1:3] == ["1.0000†", "0.7602"]
    assert "<b>1.0000</b><sup>†</sup>" in table.html
    assert "R&amp;D" in table.html
    assert "class=" not in table.html  # a word processor drops styles that are elsewhere


def test_markdown_has_the_cells(table: PaperTable) -> None:
    line, lines = table.markdown.splitlines()[0], table.markdown.splitlines()[2:]
    assert line.startswith("24 queries · primary: RR")
    assert lines[:2] == ["| Run | RR | nDCG@10 | NumRelRet |", "| :-- | --: | --: | --: |"]
    assert lines[3].startswith(r"| a\_b | **1.0000**† |")
    assert lines[-1].startswith("A\\_1 & co: 24 queries")


def test_csv_is_exact(table: PaperTable) -> None:
    rows = list(csv.DictReader(io.StringIO(table.csv)))
    assert [row["run"] for row in rows] == list(NAMES)
    assert [float(row["RR"]) for row in rows] == table.columns[0].means.tolist()
    p = [float(row["p_corrected"] or "nan") for row in rows]
    assert np.array_equal(p, table.p, equal_nan=True)
    codes = {"better": 1, "worse": -1, "open": 0, "": 0}
    assert [codes[row["outcome"]] for row in rows] == table.marks.tolist()
    assert rows[0]["p_corrected"] == rows[0]["outcome"] == ""
    assert list(rows[0]) == ["run", "RR", "nDCG@10", "NumRelRet", "p_corrected", "outcome"]


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
    assert printed.partition("\n\n")[0].endswith("Holm over 1 comparison against two · paired t")
    assert printed == wanted.markdown
    # The differences have no spread, so there is nothing to test with.
    assert "No test could show a difference: all 9 differences are the same, and without spread" in printed
    assert main([*words, "-o", str(tmp_path / "t.tex")]) == 0
    assert (tmp_path / "t.tex").read_text() == wanted.latex
    assert main([*words, "--pairs"]) == 2  # beside a baseline
    assert main(["paper", *files, "-m", "RR", "--pairs", "--format", "csv"]) == 0
    assert capsys.readouterr().out == irviewer.paper_table(files[0], files[1:], "RR", family="pairs").csv
    protocol = EvaluationProtocol().but(measures=["P@1"], family="pairs")
    assert irviewer.paper_table(files[0], files[1:], protocol=protocol).primary == "P@1"
    for wrong in (["--alpha", "2"], ["--decimals", "0"], ["--baseline", "nix"]):
        assert main(["paper", *files, *wrong]) == 2


@pytest.mark.parametrize("queries", [1, 2, 5, 6])
@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("twin", [False, True])
def test_a_caption_claims_no_test_where_none_could_show_a_difference(queries: int, pairs: bool, twin: bool) -> None:
    """Under six differing queries no exact p is below .05, so that "not significant" would say nothing, also where two
    of the runs are the same."""
    runs = {
        "one": ranked([5 + query for query in range(queries)]),
        "two": ranked([1 + query for query in range(queries)]),
    }
    if twin:
        runs["twin"] = runs["one"]
    asked = {"family": "pairs"} if pairs else {"baseline": "one"}
    table = irviewer.paper_table(graded(queries), runs, ["RR"], **asked)  # type: ignore[arg-type]
    caption = table.caption
    assert ("No test could show a difference: only " in caption) == (queries < 6)
    assert "too few for an exact p below .05 (paired t-test" in caption or queries == 6
    assert queries == 6 or not ("is significant" in caption or "shows no difference" in caption)
    if pairs:  # letters would claim what the caption denies, here and in the means of a comparison
        compared = irviewer.compare(graded(queries), runs, "RR", family="pairs").comparisons[0]
        assert compared.letters() == table.letters
        assert any(table.letters) == ("{a}" in table.latex) == ("share a letter" in compared.grouping) == (queries == 6)
        assert ("No test could show a difference" in compared.grouping) == (queries < 6)
