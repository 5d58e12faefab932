"""The fields of documents in the lists of a query: which there are, what their values look like as texts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from irviewer.commands import every, find, run_command
from irviewer.model.document_fields import field_of
from irviewer.model.texts import TextTable
from irviewer.session.changes import Change
from irviewer.session.session import Session
from irviewer.session.view_models.list_fields import (
    chosen_fields,
    field_line,
    field_texts,
    offered_fields,
    value_text,
)
from irviewer.translation import decimal_points, use_decimal_comma
from tests.session.helpers import collection, session_with

LAMP = {"id": "a", "title": "a lamp", "price": 12.5, "brand": "Acme", "stock": False, "text": "gives light"}
DOCUMENTS = TextTable.from_rows([LAMP, {"id": "b", "title": "another", "price": None}, {"id": "c", "brand": "  "}])


@pytest.mark.parametrize(
    "value, text",
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (2**60, "1152921504606846976"),
        (12.5, "12.5"),
        (12.0, "12"),
        (float("nan"), ""),
        (float("inf"), ""),
        (Decimal("3.10"), "3.1"),
        (Decimal("NaN"), ""),
        (date(2024, 1, 31), "2024-01-31"),
        (datetime(2024, 1, 31), "2024-01-31"),
        (datetime(2024, 1, 31, 9, 30), "2024-01-31 09:30:00"),
        (datetime(2024, 1, 31, 9, 30, tzinfo=timezone(timedelta(hours=2))), "2024-01-31 07:30:00"),
        (datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=2))), "0001-01-01 00:00:00+02:00"),
        (" 007 ", "007"),
        ("12.50", "12.50"),
        ("two\n lines\there", "two lines here"),
        ([], ""),
        (["red", None, 3], "red, 3"),
    ],
)
def test_a_value_is_one_line_of_text(value: Any, text: str) -> None:
    assert value_text(value) == text


@pytest.mark.parametrize(
    "values",
    [[12.5, None, 3.0, 1e-7], [True, False, None], [datetime(2024, 1, 31, tzinfo=UTC), datetime(2020, 2, 1, 5, 6, 7)]],
)
def test_typed_values_are_written_as_measures_and_facets_write_them(values: list[Any]) -> None:
    plain = [v.replace(tzinfo=None) if isinstance(v, datetime) else v for v in values]
    column = TextTable.from_rows([{"id": str(k), "f": value} for k, value in enumerate(plain)]).columns(("f",))["f"]
    field = field_of("f", column)
    assert [value_text(value) for value in values] == [field.text_of(value) for value in field.values]


def test_fields_are_those_beside_title_and_text() -> None:
    assert offered_fields(DOCUMENTS) == ("price", "brand", "stock")
    assert offered_fields(None) == ()
    assert offered_fields(TextTable.from_rows([{"id": "a", "contents": "x", "description": "y"}])) == ("description",)
    assert chosen_fields(DOCUMENTS, ["stock", "colour", "title", "price"]) == ("stock", "price")
    assert chosen_fields(None, ["stock"]) == ()


def test_a_field_without_a_value_is_left_out() -> None:
    names = ("stock", "price", "brand")
    assert field_line(field_texts(DOCUMENTS.row("a"), names)) == "stock false · price 12.5 · brand Acme"
    for empty in ("b", "c", "unknown"):
        assert field_texts(DOCUMENTS.row(empty), names) == ()
    kinds = [field.needs_name for field in field_texts({"x": True, "y": "False", "z": "no"}, ("x", "y", "z"))]
    assert kinds == [True, True, False]


def test_numbers_have_the_decimal_sign_of_the_window_and_in_files_a_point() -> None:
    use_decimal_comma(True)
    try:
        assert value_text(12.5) == "12,5"
        with decimal_points():
            assert value_text(12.5) == "12.5"
    finally:
        use_decimal_comma(False)


def _with_documents() -> Session:
    return session_with(replace(collection(2), documents=DOCUMENTS))


def test_commands_choose_fields_in_order_and_remember_them() -> None:
    session = _with_documents()
    assert session.view.list_fields == ()
    heard: list[frozenset[Change]] = []
    session.changed.connect(heard.append)
    run_command(session, "listfield stock")
    run_command(session, "listfield price")

    assert session.view.list_fields == ("stock", "price") == tuple(session.settings["list_fields"])
    assert any(Change.MODE in changes for changes in heard)
    checked = find(session, "listfield stock").checked
    assert checked is not None and checked(session)
    run_command(session, "listfield stock")
    assert session.view.list_fields == ("price",)


def test_a_chosen_field_that_the_documents_lack_is_kept_for_others() -> None:
    session = _with_documents()
    session.appearance.show_list_field("seller", True)
    session.appearance.show_list_field("brand", True)
    assert session.view.list_fields == ("brand",)
    session.appearance.show_list_field("brand", False)
    assert session.settings["list_fields"] == ["seller"]


def test_without_fields_there_is_nothing_to_choose() -> None:
    for session in (Session(), session_with(collection(2))):
        assert session.view.offered_fields == session.view.list_fields == ()
        assert not find(session, "list_fields").enabled(session)
        assert not [command for command in every(session) if command.id.startswith("listfield ")]
    assert find(_with_documents(), "list_fields").enabled(_with_documents())
