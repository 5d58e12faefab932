"""Plain lines, cut by numpy: what Arrow's reader and the line reader make of them, to the last bit; and other lines are
left to these."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import ParseError
from irviewer.formats.reading.opener import Opened
from irviewer.formats.trec import run as reader
from irviewer.formats.trec.plain_lines import LONG, plain_lines
from irviewer.model.cut_texts import whole
from irviewer.model.matching.id_lookup import IdLookup
from irviewer.model.rankings.duplicates import tails

digits = st.text("0123456789", max_size=9)
decimals = st.one_of(
    st.integers(0, 10**16).map(str), st.tuples(digits, digits).map(".".join),
    st.floats(0, 150).map("{:.6f}".format), st.floats(0, 999).map("{:.4f}".format),
    st.sampled_from(["30", "0", "9007199254740993", "8.41", "123456789.1234567", "12345678901234567", "127.654321",
                     "12345678.1234567", "987654321"]),
)  # fmt: skip
odd = st.sampled_from([
    "1e3", "-2E-3", "nan", "inf", "+1", ".", "-", "", "--1", "-.5", "5.", "1.2.3", "1.234.5678901", "1,5", "/5", ":5",
    "1.12345678", "é23456789.25", "123456789012345678", "0.123456789012345678", "-0.0", "0x1", "1_0", "é",
])  # fmt: skip
scores = st.one_of(decimals, decimals.map("-{}".format))
queries = st.sampled_from(["1", "10", "1000123", "ä", "q" * 8, "q" * 8 + "1", "q" * 20 + "1", "q" * 20 + "2"])
documents = st.one_of(
    st.text("abdé0123", min_size=1, max_size=5), st.integers(0, 99).map("msmarco_passage_{:09}".format)
)
damages = st.sampled_from(
    [b"\t", b" ", b"  ", b"\r", b"\r\n", b"\n", b"\0", b"\x0b", b"\x1c", b'"', b"#", b"# c\n", b"\xc3\xa4", b"-", b"1 "]
)


def outcome(text: bytes, policy: Any, width: int) -> tuple[Any, ...]:
    opened = Opened("a.run", text, "", "utf-8")
    try:
        run = reader.parse_run(opened, duplicates=policy, tagless=width == 5, account=False, late=True)[0]
    except ParseError as fault:
        return (str(fault), fault.reason, fault.line, fault.column, fault.text, fault.hint)
    looked_up = [each.tolist() for each in run.rows_in(IdLookup(whole(run.doc_ids)[:3]))]
    return (
        run.query_ids, run.offsets.tolist(), run.doc_ids.to_pylist(), run.scores.tobytes(), run.tied.tolist(), run.tag,
        run.attributes, None if run.arrival is None else run.arrival.tolist(), looked_up,
    )  # fmt: skip


@given(
    rows=st.lists(st.tuples(queries, documents, scores), min_size=1, max_size=12), width=st.sampled_from([5, 6]),
    stray=st.none() | st.tuples(st.floats(0, 0.99), odd), cut=st.booleans(), piece=st.integers(30, 300),
    damage=st.lists(st.tuples(damages, st.floats(0, 1), st.booleans()), max_size=1), first=st.integers(30, 300),
    policy=st.sampled_from(["refuse", "first", "last", "best"]), together=st.booleans(), few=st.sampled_from([0, 2]),
)  # fmt: skip
def test_runs_and_errors_are_those_of_the_other_readers(
    rows: list[tuple[str, str, str]], width: int, stray: tuple[float, str] | None,
    damage: list[tuple[bytes, float, bool]], cut: bool, piece: int, first: int, policy: str, together: bool, few: int,
) -> None:  # fmt: skip
    rows = sorted(rows, key=lambda row: row[0]) if together else rows
    if stray is not None:
        place = int(stray[0] * len(rows))
        rows[place] = (*rows[place][:2], stray[1])
    text = b"".join(
        " ".join([query, "Q0", document, "7", score, "tag"][:width]).encode() + b"\n" for query, document, score in rows
    )
    for sign, share, replaces in damage:
        place = int(share * len(text))
        text = text[:place] + sign + text[place + replaces :]
    text = text[:-1] if cut else text
    try:
        text.decode()
    except UnicodeDecodeError:
        return
    careful, ours = partial(lambda *_: None), partial(plain_lines, piece=piece, first=first, few=few)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "plain_lines", careful)
        wanted = outcome(text, policy, width)
        patch.setattr(reader, "plain_lines", ours)
        assert outcome(text, policy, width) == wanted


@given(
    rows=st.lists(st.tuples(queries, documents, scores.filter(lambda text: text.strip("-.") != "")), min_size=1),
    end=st.sampled_from([b"\n", b""]), piece=st.integers(120, 400),
)  # fmt: skip
def test_plain_lines_are_cut(rows: list[tuple[str, str, str]], end: bytes, piece: int) -> None:
    text = b"\n".join(f"{query} Q0 {document} 1 {score} t".encode() for query, document, score in rows) + end
    signs = [score.removeprefix("-") for *_, score in rows]
    short = [score for score in signs if len(score) <= 16 and len(score.partition(".")[2]) < 8]
    read = plain_lines(text, 6, first=piece, piece=piece, few=0)
    if len(short) < len(rows):  # some of these are not plain
        assert read is None
        return
    assert read is not None
    columns, hashes = read
    names, codes = columns.brief["query"]
    assert names == tuple(dict.fromkeys(query for query, *_ in rows))
    assert [names[code] for code in codes.tolist()] == [query for query, *_ in rows]
    cut = columns.texts["document"]
    assert whole(cut).to_pylist() == [document for _, document, _ in rows]
    assert np.array_equal(hashes, tails(whole(cut)))
    wanted = np.array([float(score) for *_, score in rows])
    assert columns.numbers["score"].tobytes() == wanted.tobytes()


@pytest.mark.parametrize(
    "line",
    [
        b"1  Q0 a 1 1.5 t", b"1 Q0 a 1 1.5 t u", b"1 Q0 a 1 1.5", b"1\tQ0 a 1 1.5 t", b"1 Q0 a 1 1.5 t\r",
        b" 1 Q0 a 1 1.5", b"#1 Q0 a 1 1.5 t", b"1 Q0 a 1 1e5 t", b"1 Q0 a 1 nan t", b"1 Q0 a 1 . t", b"",
        b"1 Q0 a 1 -5/2 t", b"1 Q0 a\0 1 2 t", b"1 Q0 a 1 1.5 t\n", b"q" * (LONG + 1) + b" Q0 a 1 2 t",
        b"1 Q0 a 1 1.5 t u\n1 Q0 a 1 1.5", b"1 Q0 a 1 \xc3\xa9 t", b"1 Q0 a 1 \xc3\xa923456789.25 t",
    ],
)  # fmt: skip
def test_other_lines_are_not(line: bytes) -> None:
    plain = b"1 Q0 d 1 2.5 t\n" * 9
    assert plain_lines(plain, 6) is not None
    assert plain_lines(plain + line + b"\n" + plain, 6) is None


def test_scores_of_each_shape() -> None:
    digits = "9182736455463728"
    for most in range(1, 17):
        texts = [digits[:n] for n in range(1, most + 1)]
        texts += [f"{digits[: n - k]}.{digits[n - k : n]}" for n in range(1, most) for k in range(min(n, 7) + 1)]
        texts += ["-" + score for score in texts] if most < 9 else []
        read = plain_lines("".join(f"1 Q0 d 765 {score} t\n" for score in texts).encode(), 6)
        assert read is not None
        assert read[0].numbers["score"].tolist() == [float(score) for score in texts]
