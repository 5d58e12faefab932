"""Errors: one line each, that says where, what and what to do; and they travel between processes."""

from __future__ import annotations

import pickle

import pytest

from irviewer.errors import (
    IrviewerError,
    MeasureError,
    MissingQueriesError,
    OptionError,
    ParseError,
    name_some,
    printable,
)


def test_the_whole_story_in_one_line() -> None:
    error = ParseError(
        "a.run", 'score "1,5" is not a number', line=17, column=9, text="1 Q0 d1 1 1,5 x", hint="use a point"
    )
    assert str(error) == 'a.run:17:9: score "1,5" is not a number [1 Q0 d1 1 1,5 x]; use a point'
    assert str(ParseError("a.run", "the file is empty")) == "a.run: the file is empty"
    assert str(ParseError("a.run", "odd", line=3, text="x")) == "a.run:3: odd [x]"


def test_long_lines_are_cut_and_control_signs_shown() -> None:
    assert len(str(ParseError("a", "odd", line=1, text="x" * 1000))) < 150
    shown = str(ParseError("a", "odd\x1b[2J", line=1, text="one\ttwo\r\n\0\u2028 ü 文"))
    assert shown == "a:1: odd\\x1b[2J [one two\\r\\n\\x00\\u2028 ü 文]"


def test_a_parse_error_travels() -> None:
    error = ParseError("a.run", "odd", line=3, column=2, text="x", hint="do this")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is ParseError
    assert (str(again), again.line, again.column, again.hint) == (str(error), 3, 2, "do this")


@pytest.mark.parametrize(
    "error", [MeasureError("unknown", ("AP", "P")), MissingQueriesError("bm25", ["1", "2"]), OptionError("x")]
)
def test_the_others_travel_too(error: IrviewerError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)


def test_suggestions_and_names() -> None:
    assert str(MeasureError("unknown measure 'x'", ("AP", "P"))) == "unknown measure 'x'; did you mean AP or P?"
    assert "run bm25 lacks 2 queries of the qrels: 1, 2;" in str(MissingQueriesError("bm25", ["1", "2"]))
    assert name_some([str(n) for n in range(14)]) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 4 more"
    assert name_some(["a"]) == "a"


def test_a_measure_from_a_damaged_file_is_reported_in_one_line() -> None:
    assert (
        str(MeasureError("nDCG@\x0010\n: no cutoff", ["nDCG@10"]))
        == "nDCG@\\x0010\\n: no cutoff; did you mean nDCG@10?"
    )


def test_an_error_shows_what_no_terminal_shows() -> None:
    """Characters that are none, that only their makers know, and spaces that look like others; joiners stay."""
    assert printable("a\u0a64b \ue20a \xa0 \u3000 \u200b") == r"a\u0a64b \ue20a \xa0 \u3000 \u200b"
    kept = "\u0645\u06cc\u200c\u062e\u0648 1\u202f234"
    assert printable(kept) == kept


def test_an_error_is_short_as_it_is_written() -> None:
    """An escape has ten letters where the file has one."""
    long = "\U000e0041" * 5000
    error = ParseError("a.run", f"{long} is wrong", line=1, text=long, hint=long)
    assert len(str(error)) < 900
    assert str(error).isprintable()
    assert "is wrong" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)


def test_a_list_of_names_is_short_whatever_the_names_are() -> None:
    assert name_some(["a", "b" * 15_000, "c"]) == f"a, {'b' * 59}…, c"
    assert name_some(["a", "b", "c"], 2) == "a, b and 1 more"


def test_line_ends_of_names_are_escaped() -> None:
    """The line ends of a sentence stay; those of a name broke the message of a window."""
    assert name_some(["a\nb\r\n\tc", "d"]) == r"a\nb\r\n\tc, d"
