"""Plain lines of TREC are known without the other formats, which are asked here whether they say the same."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irviewer.errors import IrviewerError, ParseError
from irviewer.formats.choice import choose
from irviewer.formats.format import Head
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import choose_among_all

IDS = ("1", "2", "3", "12", "0", "q-1", "FT911-3", "L2", "A", "a,b", "a;L1", "<dbpedia:X>", '{"id"', ".I", "Q0", "-1")
SECOND = st.sampled_from([("0",), ("Q0",), ("0", "Q0"), ("0", "1"), ("A", "B"), ("7", "8", "9")])
LAST = st.sampled_from([("1",), ("0", "1", "2"), ("-1", "5"), ("0.000000",), ("0.5", "2"), ("L0", "L1"), ("x",)])
NAMES = ("qrels.txt", "time.qrels", "a.run", "cranqrel", "my.rel", "LISARJ.NUM", "prefs.txt", "x.lab")


def opened(text: str, path: str = "x") -> Opened:
    return Opened(path, text.encode(), "", "utf-8")


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Lines of qrels, of a run, or nearly so."""
    second, last, gap = draw(SECOND), draw(LAST), draw(st.sampled_from([" ", "\t", "  "]))
    six, identifier = draw(st.booleans()), st.sampled_from(draw(st.sampled_from([IDS, ("1", "2", "3", "12", "20")])))
    rows = []
    for number in range(draw(st.integers(1, 8))):
        row = [draw(identifier), draw(st.sampled_from(second)), draw(identifier)]
        if six:
            row.append(draw(st.sampled_from([str(number), "1", "0.5"])))
        rows.append(gap.join([*row, draw(st.sampled_from(last)), *(["tag"] if six else [])]))
    return "\n".join(rows) + "\n"


@example(text="1 0 0 0\n2 0 0 0\n", path="my.rel", kind="qrels")
@example(text="1 0 5 7\n2 0 3 9\n", path="time.qrels", kind="qrels")
@given(text=lines(), path=st.sampled_from(NAMES), kind=st.sampled_from([None, "run", "qrels", "queries", "zscores"]))
def test_all_formats_say_the_same(text: str, path: str, kind: str | None) -> None:
    said = []
    for chooses in (choose, choose_among_all):
        try:
            chosen, sniffed = chooses(Head(opened(text, path)), kind)
            said.append((chosen.name, sniffed))
        except IrviewerError as error:
            said.append((str(error), None))
    assert said[0] == said[1]


@pytest.mark.parametrize("word", ["asreview_2", "score"])
def test_a_tag_is_no_name_of_a_column(word: str) -> None:
    """Lines of a run between tabs are no header, whatever its tag is."""
    chosen, sniffed = choose(Head(opened(f"1\tQ0\ta\t1\t2.5\t{word}\n1\tQ0\tb\t2\t1.5\t{word}\n")))
    assert (chosen.name, sniffed.kind) == ("trec", "run")


def test_a_file_of_comments_is_none() -> None:
    for kind in (None, "run", "qrels"):
        with pytest.raises(ParseError, match="only comments"):
            choose(Head(opened("# 1 Q0 a 1 2 x\n")), kind)
