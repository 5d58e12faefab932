"""What becomes of documents that stand twice, against a plain reader: every policy, ties and NaN among the values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import DuplicateError, ParseError
from irviewer.formats.duplicates import POLICIES, DuplicatePolicy, rows_to_keep
from irviewer.formats.reading.columns import line_numbers
from irviewer.formats.reading.opener import Opened
from irviewer.model.arrays import strings

ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from("abcd"), st.sampled_from([0.0, -0.0, 1.0, 2.5, math.nan, math.inf])),
    min_size=1, max_size=25,
)  # fmt: skip


def expected(rows: list[tuple[int, str, float]], policy: DuplicatePolicy) -> list[int]:
    """The rows that stay."""
    groups: dict[tuple[int, str], list[int]] = {}
    for place, (query, document, _) in enumerate(rows):
        groups.setdefault((query, document), []).append(place)
    kept = []
    for places in groups.values():
        if policy == "last":
            kept.append(places[-1])
        elif policy == "first":
            kept.append(places[0])
        else:
            known = [place for place in places if not math.isnan(rows[place][2])] or places[:1]
            kept.append(
                next(
                    place
                    for place in known
                    if rows[place][2] == max(rows[kept_place][2] for kept_place in known) or math.isnan(rows[place][2])
                )
            )
    return sorted(kept)


@given(ROWS, st.sampled_from(POLICIES))
def test_against_a_plain_reader(rows: list[tuple[int, str, float]], policy: DuplicatePolicy) -> None:
    text = "".join(f"{query} Q0 {document} 0 {value} t\n" for query, document, value in rows)
    opened = Opened("x", text.encode(), "", "ascii")
    queries, documents, values = zip(*rows, strict=True)
    of = (opened, "012", np.array(queries, np.int32), strings(documents), np.array(values), policy)
    again = [place for place, row in enumerate(rows) if row[:2] in [earlier[:2] for earlier in rows[:place]]]
    if not again:
        assert rows_to_keep(*of) == (None, None)
    elif policy == "refuse":
        with pytest.raises(DuplicateError, match="is repeated") as caught:
            rows_to_keep(*of)
        first = next(place for place, row in enumerate(rows) if row[:2] == rows[again[0]][:2])
        assert caught.value.line == again[0] + 1
        assert f"(lines {first + 1} and {again[0] + 1})" in caught.value.reason
        assert f"{len(again)} such line" in caught.value.reason
    else:
        keep, finding = rows_to_keep(*of)
        assert keep is not None
        assert np.flatnonzero(keep).tolist() == expected(rows, policy)
        assert finding is not None
        assert (finding.count, finding.lines) == (len(again), tuple(place + 1 for place in again[:5]))


def test_a_file_that_became_shorter_before_its_lines_are_named_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of repeated documents are read again, after the rows."""

    def refuse(opened: Opened) -> None:
        raise ParseError(opened.path, "it has changed")

    monkeypatch.setattr(Opened, "refuse_changed", refuse)
    opened = Opened("a.run", b"1 Q0 a 1 3 t\n", "", "utf-8")
    with pytest.raises(ParseError, match="it has changed"):
        line_numbers(opened, [2])  # of any fault of a row
    with pytest.raises(ParseError, match="it has changed"):
        rows_to_keep(opened, ["1"], np.zeros(3, np.int64), strings(["a", "b", "a"]), np.array([3.0, 2.0, 1.0]), "first")
