"""Attributes as columns of the table of queries: of very many queries a task computes their texts and numbers once, and
they are those of a plain loop in every order."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import Queue

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import Call, deliver

from irviewer.model.attributes.queries import QueryAttribute, natural_key, slices_of, value_text
from irviewer.model.attributes.tables import AttributeTable
from irviewer.model.workspace import Collection
from irviewer.session import attributes as attributes_module
from irviewer.session import store as core
from irviewer.session.evaluation import context as context_module
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.files.import_result import ImportedAttributes
from irviewer.session.session import Session
from irviewer.session.view_models import queries as queries_module
from irviewer.session.view_models.queries import QueriesViewModel, query_table_of
from irviewer.tables import lazy_texts
from tests.session.helpers import collection, session_with

NUMBERS = st.sampled_from((None, 0.0, -0.0, 1.0, 2.5, 1e13, 1 / 3, -7.0))
WORDS = st.sampled_from((None, "de", "en", "item 2", "item 10", "ITEM 2", "é", "a word of very many letters"))
SORTED_BY = ("query", "delta", "attribute:traffic", "attribute:language")


def with_attributes(size: int, numbers: dict[str, float], words: dict[str, str]) -> Collection:
    attributes = QueryAttribute("traffic", "number", numbers), QueryAttribute("language", "category", words)
    return replace(collection(2, size), attributes=(AttributeTable("segments.csv", attributes),))


def plain() -> Collection:
    ids = [str(query) for query in range(1, 9)]
    return with_attributes(8, {query: float(query) for query in ids}, dict.fromkeys(ids, "de"))


def shown(session: Session) -> QueriesViewModel:
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    return view_model


def context_of(session: Session) -> EvaluationContext:
    assert session.view.context is not None
    return session.view.context


def in_order_of(column: str, descending: bool, base: list[str], attribute: QueryAttribute) -> list[str]:
    """Queries in natural order, sorted one by one by an attribute; those without a value come last."""
    having = [query for query in base if query in attribute.values]
    if column == "attribute:traffic":
        having = sorted(having, key=lambda query: float(attribute.values[query]), reverse=descending)
    else:
        having = sorted(having, key=lambda query: natural_key(str(attribute.values[query])), reverse=descending)
    return having + [query for query in base if query not in attribute.values]


@given(
    values=st.lists(st.tuples(NUMBERS, WORDS), min_size=1, max_size=12), column=st.sampled_from(SORTED_BY),
    descending=st.booleans(), lazy=st.sampled_from((0, 3, 50)), colour=st.sampled_from(("", "traffic", "language")),
    words=st.sampled_from(("", "delta >= 0", "traffic >= 1")),
)  # fmt: skip
def test_columns_are_those_of_a_plain_loop(
    values: list[tuple[float | None, str | None]], column: str, descending: bool, lazy: int, colour: str, words: str
) -> None:
    ids = [str(query) for query in range(1, len(values) + 1)]
    numbers = {query: number for query, (number, _) in zip(ids, values, strict=True) if number is not None}
    categories = {query: word for query, (_, word) in zip(ids, values, strict=True) if word is not None}
    session = session_with(with_attributes(len(ids), numbers, categories))
    known = {attribute.name: attribute for attribute in session.attributes.of_queries}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lazy_texts, "LAZY", lazy)
        session.attributes.plot(colour=colour)
        session.navigation.sort_queries("query", False)
        session.navigation.filter_queries(words)
        base = list(shown(session).query_ids)
        session.navigation.sort_queries(column, descending)
        view_model = shown(session)
        queries = list(view_model.query_ids)
        own = column.removeprefix("attribute:")
        if own != column and own in known:
            assert queries == in_order_of(column, descending, base, known[own])
        assert {each.attribute.name for each in view_model.attributes} == {"traffic", "language"} & known.keys()
        for each in view_model.attributes:
            of = each.attribute.values
            assert list(each.texts) == [value_text(of[query]) if query in of else None for query in queries]
            lengths = [len(str(of[query])) for query in queries if query in of]
            assert each.longest == (max(lengths, default=0) if each.attribute.name == "language" else 0)
            if each.attribute.name == "traffic":
                np.testing.assert_array_equal(each.numbers, [of.get(query, math.nan) for query in queries])
            else:
                assert each.numbers is None
            assert (each.groups is None) == (each.attribute.name != colour)
            if each.groups is not None:
                slicing = slices_of(each.attribute, context_of(session).query_ids)
                group_of = {
                    slicing.query_ids[place]: number
                    for number, part in enumerate(slicing.slices)
                    for place in part.places.tolist()
                }
                assert each.groups.tolist() == [group_of.get(query, len(slicing.slices)) for query in queries]
        table = query_table_of(view_model)
        for each in view_model.attributes:
            texts = table.column(each.attribute.name)
            assert list(texts.show.texts or texts.values) == list(each.texts)
    session.close()


class Slow:
    """A session in which tasks compute whatever they can; ``arrive`` delivers it."""

    def __init__(self) -> None:
        self.posted: Queue[Call] = Queue()
        self.session = session_with(plain(), post=self.posted.put)
        self.session.attributes.set_column("traffic", False)
        self.session.attributes.set_column("language", False)
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(core, "INLINE", 0.0)

    def close(self) -> None:
        self.session.close()
        self.patch.undo()

    def arrive(self) -> None:
        deliver(self.posted, lambda: not self.session.store.tasks.under_way("evaluate"))


@pytest.fixture
def slow() -> Iterator[Slow]:
    session = Slow()
    yield session
    session.close()


def noted(patch: pytest.MonkeyPatch) -> set[str]:
    """The threads that look up the texts of attributes, as they are added."""
    threads, texts = set[str](), QueryAttribute.texts

    def texts_of(attribute: QueryAttribute, *arguments: object) -> list[str | None]:
        threads.add(threading.current_thread().name)
        return texts(attribute, *arguments)  # type: ignore[arg-type]

    patch.setattr(QueryAttribute, "texts", texts_of)
    return threads


def names(session: Session) -> list[str]:
    return [each.attribute.name for each in shown(session).attributes]


def test_a_task_computes_a_column_before_it_is_shown(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    session, threads = slow.session, noted(monkeypatch)
    session.attributes.set_column("traffic", True)
    assert session.busy is not None
    assert names(session) == []
    session.attributes.set_column("language", True)  # the first is not lost
    assert session.attributes.columns == ("traffic", "language")
    slow.arrive()
    assert names(session) == ["traffic", "language"]
    assert threads == {"irviewer urgent"}
    session.evaluation.set_measure("P@3")
    slow.arrive()
    session.navigation.sort_queries("delta", True)
    assert names(session) == ["traffic", "language"]
    assert threads == {"irviewer urgent"}


def test_queries_are_coloured_when_their_groups_are_there(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    session, threads = slow.session, noted(monkeypatch)
    session.attributes.plot(colour="traffic")
    assert names(session) == []
    session.attributes.plot(x="language")  # what is chosen meanwhile stays
    slow.arrive()
    monkeypatch.setattr(queries_module, "slices_of", lambda *_: pytest.fail("the groups are found here"))
    assert names(session) == ["traffic"]
    assert shown(session).attributes[0].groups is not None
    assert session.attributes.query_plot[0] == "language"
    assert threads == {"irviewer urgent"}


def test_another_order_takes_no_new_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    session = session_with(plain())
    assert names(session) == ["traffic", "language"]
    threads = noted(monkeypatch)
    for column in SORTED_BY:
        session.navigation.sort_queries(column, True)
        assert names(session) == ["traffic", "language"]
    assert not threads
    session.close()


def test_an_attribute_that_goes_meanwhile_is_no_column(slow: Slow) -> None:
    session = slow.session
    session.attributes.set_column("traffic", True)
    session.attributes.remove_table("segments.csv")
    slow.arrive()
    assert names(session) == []


def test_a_table_is_there_with_its_columns(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    session, threads = slow.session, noted(monkeypatch)
    identity, finding = context_of(session).collection.identity, context_module.query_attributes

    def attributes_of(*arguments: object) -> object:
        threads.add(threading.current_thread().name)
        return finding(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(context_module, "query_attributes", attributes_of)
    session.attributes.set_column("traffic", True)
    table = AttributeTable("more.csv", (QueryAttribute("device", "category", {"1": "phone", "3": "desk"}),))
    session.attributes.receive(ImportedAttributes(table, identity))
    assert len(session.attributes.tables) == 1
    slow.arrive()
    assert [each.name for each in session.attributes.tables] == ["segments.csv", "more.csv"]
    assert "device" in [attribute.name for attribute in session.attributes.of_queries]
    assert session.history.undo_label == "attributes of more.csv"
    assert "more.csv: 1 attribute of queries (device)" in [message.text for message in session.state.messages]
    assert names(session) == ["traffic"]
    assert threads == {"irviewer urgent"}
    session.attributes.receive(ImportedAttributes(table, identity, reread=True))
    slow.arrive()
    session.history.undo()
    slow.arrive()
    assert [each.name for each in session.attributes.tables] == ["segments.csv"]


@pytest.mark.parametrize("others", ["stay", "change"])
def test_a_table_finds_its_collection_beside_the_window(
    slow: Slow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: str
) -> None:
    session, threads, placing = slow.session, set[str](), attributes_module.placed_attributes

    def placed(*arguments: object) -> object:
        threads.add(threading.current_thread().name)
        return placing(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(attributes_module, "placed_attributes", placed)
    path = tmp_path / "more.csv"
    path.write_text("query_id,device\n1,phone\n3,desk\n")
    session.attributes.open_table(str(path))
    if others == "change":  # the judgment is not lost, and the table is placed again
        session.judging.judge("a new document", 1.0, query_id="1")
    deliver(slow.posted, lambda: len(session.attributes.tables) == 2)
    assert [each.name for each in session.attributes.tables] == ["segments.csv", "more.csv"]
    assert ("MainThread" in threads) == (others == "change")
    judgments = context_of(session).judgments
    assert judgments is not None
    assert ("a new document" in judgments.qrels.judgments("1")) == (others == "change")


def test_few_queries_wait_for_no_task() -> None:
    posted: Queue[Call] = Queue()
    session = session_with(plain(), post=posted.put)
    session.attributes.set_column("traffic", False)
    assert names(session) == ["language"]
    session.close()
