"""A run whose documents are put in rank order late is the run that was put in order at once."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.evaluation.blocks import evaluate_blocks
from irviewer.formats.blocks.text_blocks import text_blocks
from irviewer.model import late_run
from irviewer.model.arrays import frozen, strings
from irviewer.model.late_run import LateRun
from irviewer.model.matching.id_lookup import IdLookup
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.duplicates import tails
from irviewer.model.rankings.tie_breaking import ranked
from irviewer.model.run import Run

LISTED = st.lists(
    st.tuples(st.integers(0, 2), some.documents, some.any_scores), min_size=1, max_size=30,
    unique_by=lambda row: (row[0], row[1]),
)  # fmt: skip


def late_and_plain(rows: list[tuple[int, str, float]], part: int) -> tuple[LateRun, Run]:
    codes = np.array([code for code, _, _ in rows], dtype=np.int32)
    ids, scores = strings([document for _, document, _ in rows]), frozen(np.array([score for _, _, score in rows]))
    ranking, queries = ranked(codes, ids, scores, 3, part=part), ("1", "2", "3")
    late = LateRun.of_listed(ranking, queries, ids, scores, tails(ids), name="run", tag="t", origin="")
    return late, Run.from_ranking(ranking, queries, ids, scores, name="run", tag="t")


def content_of(run: Run) -> tuple[Any, ...]:
    return (
        run.query_ids, run.offsets.tolist(), run.doc_ids.to_pylist(), list(map(repr, run.scores.tolist())),
        run.tied.tolist(), run.tag, None if run.arrival is None else run.arrival.tolist(), run.depth, len(run),
    )  # fmt: skip


@pytest.mark.parametrize("part", [1, 5, 100])
@given(rows=LISTED, together=st.booleans(), words=st.lists(some.documents, unique=True, max_size=9))
def test_it_is_the_run(part: int, rows: list[tuple[int, str, float]], together: bool, words: list[str]) -> None:
    rows = sorted(rows, key=lambda row: row[0]) if together else rows
    late, plain = late_and_plain(rows, part)
    for lookup in (IdLookup(strings(words)), IdLookup(strings(words), apart=2)):
        rows_of_words, places = late.rows_in(lookup)
        ranking = plain.doc_ids.to_pylist()
        assert rows_of_words.tolist() == [row for row, document in enumerate(ranking) if document in words]
        assert places.tolist() == [words.index(document) for document in ranking if document in words]
    assert "doc_ids" not in vars(late)
    assert content_of(late.renamed("other")) == content_of(plain)
    assert content_of(pickle.loads(pickle.dumps(late))) == content_of(plain)
    for rule in (("ascending", 64), ("arrival", 64), ("descending", 32)):
        other = late.reordered(*rule)  # type: ignore[arg-type]
        assert content_of(other) == content_of(plain.reordered(*rule))  # type: ignore[arg-type]
        assert [*map(np.ndarray.tolist, other.rows_in(lookup))] == [
            *map(np.ndarray.tolist, plain.reordered(*rule).rows_in(lookup))  # type: ignore[arg-type]
        ]
    assert content_of(late.of_queries(["2"])) == content_of(plain.of_queries(["2"]))


def test_blocks_are_evaluated_without_their_documents_in_order(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the speed rests on."""
    path = tmp_path / "a.run"
    path.write_text("".join(f"{query} Q0 d{n} 1 {n // 2} t\n" for query in range(3) for n in range(9)))
    qrels = Qrels.from_dict({str(query): {f"d{n}": n % 3 for n in range(5)} for query in range(3)})
    monkeypatch.setattr(late_run, "ids_in_order", None)
    assert evaluate_blocks(qrels, text_blocks(path), ["AP", "nDCG@10", "RR"]).values.any()
