"""Hidden characters are shown as escapes, and what a reader sees stays as it is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import printable
from irviewer.hidden_characters import _common, _escape, _escape_run, escape_hidden
from irviewer.model.run_names import display_names
from irviewer.tables import markdown
from irviewer.tables.aligned import aligned
from irviewer.tables.writers.html import escape as html_escape

HIDDEN = ["\u200b", "\u2060", "\ufeff", "\u00ad", "\u0301", "\u202e", "\ufe0f", "\u2066", "\ufffe", "\u3164", "\udc80"]


@pytest.mark.parametrize("sign", HIDDEN, ids=ascii)
def test_an_id_of_a_hidden_character_is_its_escape(sign: str) -> None:
    escape = sign.encode("unicode_escape").decode()
    assert escape_hidden(sign) == escape
    assert escape_hidden(f"文{sign}" if sign != "\u0301" else f" {sign}").endswith(escape)
    assert printable(f"run {sign} lacks 1 query") == f"run {escape} lacks 1 query"
    assert aligned(["run"], [[sign]])[1] == escape
    assert markdown.escape(sign) == "\\" + escape
    assert html_escape(sign) == escape
    assert display_names([sign, "b"]) == (escape, "b")


def test_every_control_and_format_character_alone_is_escaped() -> None:
    seen = [
        chr(code)
        for code in range(0x110000)
        if unicodedata.category(chr(code)) in ("Cc", "Cs", "Zl", "Zp", "Mn", "Me")
        and escape_hidden(chr(code)) == chr(code)
    ]
    assert seen == []
    turning = [chr(code) for code in range(0x110000) if unicodedata.bidirectional(chr(code)) in TURNING]
    assert [
        ascii(sign) for sign in turning if escape_hidden(f"a{sign}b") != f"a{sign.encode('unicode_escape').decode()}b"
    ] == []


TURNING = ("LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


@pytest.mark.parametrize(
    "text",
    [
        "", "FR940126-2-00106", "Δ −0.1 文書 é ß", "e\u0301le\u0300ve", "עברית", "می\u200cخواهم", "क\u094d\u200dष",
        "\u2764\ufe0f", "1\ufe0f\u20e3", "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f469\U0001f3fd\u200d\U0001f680",
        "a\u00a0b", "a\u3000b",
    ],
)  # fmt: skip
def test_what_is_read_stays(text: str) -> None:
    assert escape_hidden(text) == text


def test_what_has_nothing_to_sit_on_is_escaped() -> None:
    assert escape_hidden("doc\u200d1") == "doc\\u200d1"
    assert escape_hidden("d\ufe0f1") == "d\\ufe0f1"
    assert escape_hidden("\u200b\u0301a") == "\\u200b\\u0301a"


def test_tabs_and_line_ends_stay_where_they_are_wanted() -> None:
    assert escape_hidden("a\tb\n\x1b", keep="\t\n") == "a\tb\n\\x1b"
    assert escape_hidden("文\tb\n\x1b", keep="\t\n") == "文\tb\n\\x1b"
    assert escape_hidden("a\tb\n") == "a\\tb\\n"


ODD = "\u200d\u200c\u20e3\u2764\U0001f468क\u094d"


@given(st.text(st.sampled_from("ab \n\t\x1b文e\xa0ש1#" + "".join(HIDDEN) + ODD)))
def test_skipping_common_characters_changes_nothing(text: str) -> None:
    """Long texts skip their common characters; a walk over every character says the same."""
    for keep in ("", "\t\n"):
        assert _escape(text, keep) == _escape_run(text, 0, len(text), "", keep)


def test_characters_that_need_no_second_look_are_never_hidden() -> None:
    common = [sign for sign in map(chr, range(0x110000)) if _common().fullmatch(sign)]
    assert len(common) > 3000
    assert [ascii(sign) for sign in common if _escape(sign, "") != sign or _escape(f"a{sign}", "") != f"a{sign}"] == []
