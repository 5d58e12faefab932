"""Another's judgments beside one's own, against a count by hand of every document."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.judgments.merging import compared, judgments_in, merged_overlay
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.qrels import Qrels

ids = st.sampled_from(("a", "b", "c", "d"))
queries = st.sampled_from(("1", "2"))
grades = st.sampled_from((None, 0.0, 1.0, 2.0))


def judgments(who: str) -> st.SearchStrategy[tuple[Judgment, ...]]:
    return st.lists(
        st.builds(Judgment, queries, ids, grades, st.just(who), st.sampled_from(("2026-01-01", "2026-02-02"))),
        max_size=9,
    ).map(tuple)


files = st.dictionaries(queries, st.dictionaries(ids, st.sampled_from((0.0, 1.0, 2.0)), min_size=1), min_size=1)


def last(said: tuple[Judgment, ...]) -> dict[tuple[str, str], Judgment]:
    return {(judgment.query_id, judgment.doc_id): judgment for judgment in said}


@given(files, judgments("me"), judgments("ada"))
def test_each_document_is_listed_once_and_nothing_else_moves(
    file: dict[str, dict[str, float]], mine: tuple[Judgment, ...], theirs: tuple[Judgment, ...]
) -> None:
    read, overlay = Qrels.from_dict(file), JudgmentOverlay.of(mine)
    comparison = compared(overlay, read, theirs)
    own, other = last(mine), last(theirs)
    kinds: dict[str, set[tuple[str, str]]] = {"new": set(), "changing": set(), "same": set(), "conflicts": set()}
    for key, theirs_here in other.items():
        filed = file.get(key[0], {}).get(key[1])
        present = own[key].grade if key in own else filed
        kind = (
            "same"
            if present == theirs_here.grade
            else "conflicts"
            if key in own
            else "new"
            if filed is None
            else "changing"
        )
        kinds[kind].add(key)
    assert {(judgment.query_id, judgment.doc_id) for judgment in comparison.new} == kinds["new"]
    assert {(judgment.query_id, judgment.doc_id) for judgment in comparison.changing} == kinds["changing"]
    assert {(conflict.mine.query_id, conflict.mine.doc_id) for conflict in comparison.conflicts} == kinds["conflicts"]
    assert comparison.same == len(kinds["same"])
    assert comparison.number == len(other) - comparison.same
    some = frozenset(sorted(kinds["conflicts"])[::2])
    laid = last(tuple(merged_overlay(overlay, comparison, theirs=some)))
    assert laid == {**own, **{key: other[key] for key in kinds["new"] | kinds["changing"] | some}}
    for take in (False, True):
        laid = last(tuple(merged_overlay(overlay, comparison, theirs=take)))
        moved = kinds["new"] | kinds["changing"] | (kinds["conflicts"] if take else set())
        assert laid == {**own, **{key: other[key] for key in moved}}  # judge, date and note stay with each


@given(files, files, judgments("me"))
def test_qrels_of_a_judge_are_what_they_say_otherwise(
    file: dict[str, dict[str, float]], theirs: dict[str, dict[str, float]], mine: tuple[Judgment, ...]
) -> None:
    read, overlay = Qrels.from_dict(file), JudgmentOverlay.of(mine)
    said, same = judgments_in(Qrels.from_dict(theirs), read, overlay, "ada.qrels")
    assert all(judgment.who == "ada.qrels" for judgment in said)
    assert len(said) + same == sum(map(len, theirs.values()))
    every = [Judgment(query, doc, grade, "ada.qrels") for query, them in theirs.items() for doc, grade in them.items()]
    whole, part = compared(overlay, read, every), compared(overlay, read, said)
    assert (set(whole.new), set(whole.changing)) == (set(part.new), set(part.changing))
    assert set(whole.conflicts) == set(part.conflicts)
    assert whole.same == part.same + same
