"""Slices by fields of the relevant documents in the session: offered without reading, read in the background."""

from __future__ import annotations

from dataclasses import replace
from queue import Queue

import pytest
from patience import Call, deliver

from irviewer import compare_slices
from irviewer.analysis.slices.slices import SliceComparison
from irviewer.model.attributes.tables import SlicingChoices
from irviewer.model.texts import TextTable
from irviewer.session.session import Session
from tests.session.helpers import collection, session_with

ROWS = [
    {"id": f"{kind}{query}", "brand": "ab"[query % 2], "price": float(query), "title": "a lamp", "nothing": None}
    for query in range(1, 41)
    for kind in "de"
]


@pytest.fixture
def session() -> Session:
    session = session_with(replace(collection(2, 40), documents=TextTable.from_rows(ROWS)))
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "slices")
    return session


def shown(session: Session) -> SliceComparison:
    known = session.slices.known()
    assert known is not None
    return known.comparison


def test_fields_are_offered_and_none_is_read(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TextTable, "columns", lambda *_: pytest.fail("a field was read"))
    facets = {each.name: each for each in session.slices.attributes if each.name.startswith("relevant:")}
    assert facets.keys() == {"relevant:brand", "relevant:price", "relevant:nothing"}  # a title is no facet
    assert all(not session.slices.trouble_of(each) for each in facets.values())
    assert not set(facets) & set(session.slices.shown)


def test_the_slices_are_those_of_python(session: Session) -> None:
    session.attributes.set_slicing(SlicingChoices(("relevant:brand", "relevant:price")))
    context = session.view.context
    assert context is not None
    assert context.judgments is not None
    runs = [entry.run for entry in context.collection.runs]
    expected = compare_slices(
        context.judgments.qrels, runs, str(context.measure), ["relevant:brand", "relevant:price"],
        documents=TextTable.from_rows(ROWS), baseline=runs[0].name, unjudged="pooled",
    )  # fmt: skip
    (other,) = expected.runs
    (ours,) = shown(session).runs
    assert [(row.name, row.n, row.pair and row.pair.difference) for row in ours.rows] == [
        (row.name, row.n, row.pair and row.pair.difference) for row in other.rows
    ]
    assert [row.name for row in ours.rows][:2] == ["a", "b"]
    assert {each.name: each.kind for each in session.slices.attributes}["relevant:price"] == "number"


def test_a_field_without_values_says_so(session: Session) -> None:
    session.attributes.set_slicing(SlicingChoices(("relevant:nothing", "relevant:brand")))
    assert {row.name for row in shown(session).runs[0].rows} == {"a", "b"}
    nothing = next(each for each in session.slices.attributes if each.name == "relevant:nothing")
    assert session.slices.trouble_of(nothing)


def test_a_field_is_read_in_the_background() -> None:
    calls: Queue[Call] = Queue()
    opened = replace(collection(2, 40), documents=TextTable.from_rows(ROWS))
    session = session_with(opened, post=calls.put)
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "slices")
    session.attributes.set_slicing(SlicingChoices(("relevant:brand",)))
    assert session.slices.known() is None
    deliver(calls, lambda: session.slices.known() is not None)
    assert [row.name for row in shown(session).runs[0].rows] == ["a", "b"]
    view_model = session.slices.slices_view_model()
    assert view_model is not None
    assert [heading.title for heading in view_model.headings] == ["brand of the relevant documents"]
