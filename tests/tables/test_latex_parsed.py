"""Our LaTeX before a parser that is not ours: groups and environments close, and names are printed as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from odd_names import runs_by_name
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexEnvironmentNode, LatexWalker

from irviewer.cli import main
from irviewer.tables.latex import escape

SPECIAL = "_%&#$~^\\{}"
"""What means something else to LaTeX."""


def printed(text: str) -> str:
    """What the parser takes it for; raises where a group, an environment or maths stays open."""
    nodes, _, _ = LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    printed_text: str = LatexNodes2Text(math_mode="text", strict_latex_spaces=True).nodelist_to_text(nodes)
    return printed_text.replace("\N{MODIFIER LETTER CIRCUMFLEX ACCENT}", "^")  # as it calls \textasciicircum


@given(st.text(st.sampled_from(SPECIAL + "aZ19 .:()-'größeñ検索αβ÷×Δ"), max_size=30))
@example(SPECIAL)
@example("run_1%&#$~^\\{}größe検索")
def test_any_name_is_printed_as_it_is(name: str) -> None:
    assert printed(escape(name)) == name


@pytest.mark.parametrize(("number", "wanted"), [("−0.5", "$-$0.5"), ("[−.1, .2]", "[$-$.1, .2]")])
def test_a_negative_number_has_the_sign_of_maths(number: str, wanted: str) -> None:
    assert escape(number) == wanted
    assert printed(wanted) == number.replace("−", "-")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Runs whose names hold all that is special, one in another script."""
    return runs_by_name(tmp_path, ("a_b%c&d#e", "$5~^{x}\\", "größe検索"))


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "-m", "AP"],
        ["compare", "-m", "AP", "-m", "P@1", "--pairs"],
        ["explain", "-m", "AP", "-q", "3"],
        ["explain", "-m", "gm_map"],
        ["explain", "-m", "AP", "-q", "3", "--against"],
        ["explain", "-m", "gm_map", "--against"],
    ],
)
def test_a_table_closes_and_holds_the_names(
    files: list[str], capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    qrels, *runs = files
    kind, *rest = words
    if rest[-1] == "--against":
        rest, runs = [*rest, runs[1]], runs[:1]
    elif kind == "explain":
        runs = runs[:1]
    assert main.main([kind, qrels, *runs, *rest, "--format", "latex"]) == 0
    text = capsys.readouterr().out
    nodes, _, _ = LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    tables = [node for node in nodes if isinstance(node, LatexEnvironmentNode)]
    for table in tables:
        assert table.environmentname == "table"
        inside = [node.environmentname for node in table.nodelist if isinstance(node, LatexEnvironmentNode)]
        assert inside == ["tabular"]
    assert len(tables) == (1 if kind == "explain" else 2 * words.count("-m"))
    for path in runs:
        assert Path(path).name in printed(text)
    assert r"\usepackage{booktabs}" in text.splitlines()[0]
    assert ("XeLaTeX" in text) == any("検" in path for path in runs)
