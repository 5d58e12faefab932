"""What differs between two states: every field is in one of the tables, and announces what they say."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from irviewer.measures.parser import parse_measure
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.workspace import Collection, Workspace
from irviewer.session.changes import CHOICES, COLLECTION, PROTOCOL, SCOPE, STATE, Change, changes_between
from irviewer.session.state import Choices, ChosenScope, State

UNTOLD = {"notes", "removed", "identity", "answer_versions"}
"""Fields of a collection that announce it as a whole."""


def state(collection: Collection, **what: Any) -> State:
    return State(parse_measure("AP"), 10, Workspace((collection,)), (Choices(**what),), 0, "query")


@pytest.mark.parametrize(
    ("kind", "table"), [(State, STATE), (Choices, CHOICES), (EvaluationProtocol, PROTOCOL), (ChosenScope, SCOPE)]
)
def test_every_field_announces_a_change(kind: Any, table: Any) -> None:
    assert {field.name for field in fields(kind)} == set(table)


def test_every_field_of_a_collection_announces_a_change() -> None:
    assert {field.name for field in fields(Collection)} == set(COLLECTION) | UNTOLD


def test_what_announces_nothing_is_named() -> None:
    silent = {
        name
        for table in (STATE, CHOICES, COLLECTION, PROTOCOL, SCOPE)
        for name, changing in table.items()
        if not changing.changes
    }
    assert silent == {"choices", "current", "left", "protocol", "scope"}


def test_another_choice_announces_what_its_table_says() -> None:
    collection = Collection("one")
    plain = state(collection)
    others: dict[str, Any] = {
        "query_id": "7", "document_id": "d", "pinned": ("7", "d"), "focus": 2, "shown": frozenset({1}),
        "judgments": 1, "zscores": True, "queries_sort": ("text", True), "queries_filter": "x",
        "systems_sort": ("run", False), "systems_filter": "y", "systems_outcome": "better",
            "pool_sort": ("run", True), "brushed": frozenset("7"),
        "stages_filter": "lost-1", "stages_sort": ("lost", True), "stages_missed": True,
        "judge_reference": "a1", "judge_pair": ("a1", "b2"),
            "attribute_columns": ("length",), "attribute_plot": ("length", "delta", ""), "run_columns": ("family",),
            "run_colour": "family", "run_plot": ("latency", ""),
            "slice_chosen": (("length", "2 words"),), "slice_crossed": ("length", "domain"),
            "slices_searched": True, "answer_run": 1, "answer_columns": 2, "answer_part": ("7", "nugget", "0"),
            "answer_hints": False,
    }  # fmt: skip
    assert set(others) == set(CHOICES) - {"left", "scope"}
    for name, value in others.items():
        other = plain.with_chosen(replace(plain.chosen, **{name: value}))
        assert changes_between(plain, other) == CHOICES[name].changes, name
    for name, value in {"queries": "hard", "baseline": 1, "runs": frozenset({1, 2})}.items():
        scope = ChosenScope(**{name: value})
        wanted = SCOPE[name].changes | SCOPE["declared"].changes
        assert changes_between(plain, plain.with_chosen(Choices(scope=scope))) == wanted, name
    levelled = plain.with_protocol(plain.protocol.but(level=2))
    assert changes_between(plain, levelled) == {Change.MEASURE, Change.STATISTICS}
    assert changes_between(levelled, levelled.with_protocol(levelled.protocol.but(alpha=0.1))) == {Change.STATISTICS}


def test_another_collection_announces_all_that_hangs_on_it() -> None:
    original, other = Collection("one"), Collection("other")
    both = Workspace((original, other))
    first = State(parse_measure("AP"), 10, both, (Choices(), Choices()), 0, "query")
    assert changes_between(first, replace(first, current=1)) == {
        Change.COLLECTION, Change.RUNS, Change.QUERY, Change.ORDER,
    }  # fmt: skip
    renamed = replace(first, workspace=both.with_collection(0, replace(original, name="two")))
    assert changes_between(first, renamed) == {Change.WORKSPACE, Change.COLLECTION}
    noted = replace(first, workspace=both.with_collection(0, replace(original, notes={"sample": "x"})))
    assert changes_between(first, noted) == {Change.WORKSPACE, Change.COLLECTION}


def test_nothing_differs_from_itself() -> None:
    plain = state(Collection("one"))
    assert changes_between(plain, plain) == set()
    assert changes_between(plain, replace(plain)) == set()
