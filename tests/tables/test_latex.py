"""What LaTeX prints is what was meant, for any name that a file can have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.tables.latex import escape, head, needs_unicode, table
from tests.helpers.latex import LatexError, printed, read_tables


@pytest.mark.parametrize(
    "name",
    [
        "a_b%c",
        "x&y#z",
        "$5",
        "{run}",
        "~user",
        "a^b",
        "C:\\runs\\a",
        "<best>",
        "a|b",
        'say "x"',
        "`tick`",
        "a---b",
        "''",
        "a,,b",
    ],
)
def test_special_letters_are_printed_as_they_are(name: str) -> None:
    assert printed(escape(name)) == name


def test_letters_of_other_scripts_stay_and_are_reported() -> None:
    assert escape("größe é 検索") == "größe é 検索"
    assert not needs_unicode("größe é − Δ")
    assert needs_unicode("検索")
    assert "XeLaTeX" in head("検索")
    assert "XeLaTeX" not in head("run_1")


def test_what_cannot_be_printed_is_an_escape() -> None:
    assert escape("a\x00b\udc80c\nd\te") == r"a\textbackslash{}x00b\textbackslash{}udc80c d e"


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn", "Zs", "Zl", "Zp")), max_size=40))
def test_any_name_is_printed_as_it_is(name: str) -> None:
    # Curly quotation marks are the ones LaTeX makes of straight ones.
    for curly, straight in {"„": ",,", "’": "'", "‘": "`", "“": "``", "”": "''", "—": "–-"}.items():
        name = name.replace(curly, straight)
    assert printed(escape(name)) == name


def test_a_table_has_its_cells_where_they_belong() -> None:
    (latex_table,) = read_tables(
        table(["Run", "AP"], [[escape("[a]"), "1"], [escape("*"), r"\textbf{2}"]], "lr", "c", "tab:x")
    )
    assert latex_table.header == ["Run", "AP"]
    assert latex_table.rows == [["[a]", "1"], ["*", "2"]]
    assert latex_table.bold == {(1, 1)}


@pytest.mark.parametrize("text", ["a_b", "50%", "{", "}", "$x", r"\foo", r"\textless b"])
def test_the_reader_is_strict(text: str) -> None:
    with pytest.raises(LatexError):
        printed(text)
