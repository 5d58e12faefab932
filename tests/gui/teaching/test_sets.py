"""The four sets of a ranking cut at a depth, against a loop over the collection."""

from __future__ import annotations

from irviewer.session.session import Session


def test_every_document_of_a_collection_is_in_one_of_the_four_sets(session: Session) -> None:
    session.teaching.set_teaching(True)
    collection, entry = session.view.collection, session.teaching.lesson_run
    view_model = session.teaching.lesson_view_model()
    assert collection is not None
    assert entry is not None
    assert view_model is not None
    assert collection.documents is not None
    sets = view_model.sets
    grades = collection.judgments[0].qrels.judgments(view_model.query_id)
    top = entry.run.ranking(view_model.query_id)[: sets.depth]
    counts = {"tp": 0, "fp": 0, "fn": 0, "tn": 0}
    for document in collection.documents.ids:
        relevant, retrieved = grades.get(document, 0) >= view_model.level, document in top
        counts["tp" if relevant and retrieved else "fp" if retrieved else "fn" if relevant else "tn"] += 1
    shown = len(sets.both), len(sets.retrieved_only), len(sets.relevant_only), sets.others
    assert shown == (counts["tp"], counts["fp"], counts["fn"], counts["tn"])
    assert not set(sets.neither) & {*sets.both, *sets.retrieved_only, *sets.relevant_only}
