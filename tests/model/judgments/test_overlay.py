"""Overlays against plain dictionaries: what is applied, what differs, what is left of the file's."""

from __future__ import annotations

import numpy as np
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.arrays import strings
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.qrels import Qrels

edits = st.lists(st.tuples(some.queries, some.documents, st.one_of(st.none(), some.any_grades)), max_size=12)


def plain(qrels: dict[str, dict[str, float]], said: list[tuple[str, str, float | None]]) -> dict[str, dict[str, float]]:
    """The judgments after the edits, in dictionaries."""
    grades = {query: dict(documents) for query, documents in qrels.items()}
    for query, document, grade in said:
        grades.setdefault(query, {}).pop(document, None)
        if grade is not None:
            grades[query][document] = grade
    return {query: documents for query, documents in grades.items() if documents or query in qrels}


def read(qrels: Qrels) -> dict[str, dict[str, float]]:
    return {query: qrels.judgments(query) for query in qrels.query_ids}


@given(some.qrels(), edits)
def test_applied_is_what_was_said_over_what_the_file_says(
    qrels: dict[str, dict[str, float]], said: list[tuple[str, str, float | None]]
) -> None:
    file = Qrels.from_dict(qrels)
    overlay, former = JudgmentOverlay(), file
    for row in said:
        judged = overlay.with_judgment(Judgment(*row))
        changed = judged.changed_queries(overlay)
        assert changed in ((), (row[0],))
        former = judged.reapplied(file, former, changed)
        overlay = judged
    assert read(former) == plain(qrels, said)
    whole = overlay.applied(file)
    assert read(whole) == plain(qrels, said)
    assert [whole.query_ids[place] for place in whole.query_order] == sorted(read(former), key=str.encode)
    if whole.query_ids == former.query_ids:  # new queries stand in the order in which they came
        for name in ("offsets", "grades", "descending", "query_order"):
            np.testing.assert_array_equal(getattr(whole, name), getattr(former, name))
        assert whole.doc_ids.equals(former.doc_ids)
    assert read(file) == qrels
    assert list(overlay) == list(JudgmentOverlay.of(overlay))


@given(some.qrels(), edits)
def test_differing_is_what_a_comparison_of_the_two_finds(
    qrels: dict[str, dict[str, float]], said: list[tuple[str, str, float | None]]
) -> None:
    overlay = JudgmentOverlay.of(Judgment(*row) for row in said)
    after = plain(qrels, said)
    pairs = {(query, doc) for grades in (qrels, after) for query, documents in grades.items() for doc in documents}
    expected = {
        (query, doc, qrels.get(query, {}).get(doc), after.get(query, {}).get(doc))
        for query, doc in pairs
        if qrels.get(query, {}).get(doc) != after.get(query, {}).get(doc)
    }
    file = Qrels.from_dict(qrels)
    differing = {(r.judgment.query_id, r.judgment.doc_id, r.former, r.judgment.grade) for r in overlay.differing(file)}
    assert differing == expected
    assert len(overlay.rows(file)) == len(overlay) == len({row[:2] for row in said})


@given(some.qrels(), edits)
def test_taking_judgments_out_again_gives_the_file_back(
    qrels: dict[str, dict[str, float]], said: list[tuple[str, str, float | None]]
) -> None:
    file = Qrels.from_dict(qrels)
    overlay = JudgmentOverlay.of(Judgment(*row) for row in said)
    former = overlay.applied(file)
    for judgment in list(overlay):
        less = overlay.without(judgment.query_id, judgment.doc_id)
        former = less.reapplied(file, former, less.changed_queries(overlay))
        overlay = less
    assert not overlay
    assert overlay == JudgmentOverlay()
    assert read(former) == qrels


def test_groups_a_changed_document_changes_in_each_and_a_new_one_is_in_each() -> None:
    rows = [("1", "a", "x", 1.0), ("1", "b", "x", 0.0), ("1", "a", "y", 2.0), ("2", "c", "z", 1.0)]
    file = Qrels.from_columns(
        ("1", "2"),
        np.array([0, 0, 0, 1]),
        strings([row[2] for row in rows]),
        np.array([row[3] for row in rows]),
        subtopics=strings([row[1] for row in rows]),
    )

    def written(qrels: Qrels) -> list[tuple[str, str, str, float]]:
        query, group, doc, grade = qrels.written
        assert group is not None
        return list(zip(query.to_pylist(), group.to_pylist(), doc.to_pylist(), grade.tolist(), strict=True))

    overlay = JudgmentOverlay.of([Judgment("1", "x", 3.0), Judgment("1", "new", 2.0), Judgment("3", "w", 1.0)])
    assert written(overlay.applied(file)) == [
        ("1", "a", "x", 3.0),
        ("1", "b", "x", 3.0),
        ("1", "a", "y", 2.0),
        ("1", "a", "new", 2.0),
        ("1", "b", "new", 2.0),
        ("2", "c", "z", 1.0),
        ("3", "0", "w", 1.0),
    ]
    same = JudgmentOverlay.of(
        [Judgment("1", "x", 1.0), Judgment("2", "z", None)]
    )  # as its highest row says: nothing moves
    assert written(same.applied(file)) == rows_without(rows, "z")


def test_a_new_document_has_one_row_where_groups_are_rounds() -> None:
    rows = [("1", "0.5", "x", 1.0), ("1", "1", "y", 2.0), ("2", "1", "x", 1.0)]  # each document in one only
    file = Qrels.from_columns(
        ("1", "2"),
        np.array([0, 0, 1]),
        strings([row[2] for row in rows]),
        np.array([row[3] for row in rows]),
        subtopics=strings([row[1] for row in rows]),
    )
    said = [Judgment("1", "new", 2.0), Judgment("1", "y", 0.0), Judgment("2", "new", 1.0)]
    query, group, doc, grade = JudgmentOverlay.of(said).applied(file).written
    assert group is not None
    assert list(zip(query.to_pylist(), group.to_pylist(), doc.to_pylist(), grade.tolist(), strict=True)) == [
        ("1", "0.5", "x", 1.0),
        ("1", "1", "y", 0.0),
        ("1", "0", "new", 2.0),
        ("2", "1", "x", 1.0),
        ("2", "0", "new", 1.0),
    ]


def rows_without(rows: list[tuple[str, str, str, float]], document: str) -> list[tuple[str, str, str, float]]:
    return [row for row in rows if row[2] != document]
