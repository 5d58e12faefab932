"""The line that says what a document card shows."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from irviewer.model.texts import TextTable
from irviewer.session.session import Session
from irviewer.session.settings import SettingError
from irviewer.session.text.card_template import CardTemplate, TemplateError, is_template, parse_template
from tests.session.helpers import collection, session_with

NAMES = ("text", "weight", "price", "image", "url")


def test_names_are_in_the_order_written() -> None:
    assert parse_template("url, price").order(NAMES) == ["url", "price"]
    assert parse_template("url, *, price").order(NAMES) == ["url", "text", "weight", "image", "price"]
    assert parse_template("nothing, price").order(NAMES) == ["price"]
    assert parse_template("-weight").order(NAMES) == ["text", "price", "image", "url"]
    assert parse_template("title=weight, picture=image").order(NAMES) == ["text", "price", "url"]


def test_the_empty_line_puts_first_what_is_asked_first() -> None:
    assert parse_template("") == parse_template(" , ") == CardTemplate()
    assert CardTemplate().order(NAMES) == ["url", "price", "text", "weight", "image"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("head=x", "with one of the parts"),
        ("title=", "not a field"),
        ("a, b, a", "a is given twice"),
        ("title=a, title=b", "title is given twice"),
    ],
)
def test_what_cannot_be_read_says_why(line: str, reason: str) -> None:
    with pytest.raises(TemplateError, match=reason):
        parse_template(line)
    assert not is_template(line)
    assert is_template("url, *")
    assert not is_template(3)


def test_a_picture_is_a_file_of_this_computer(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    picture = tmp_path / "pictures" / "a.PNG"
    picture.write_bytes(b"png")
    (tmp_path / "secret.txt").write_text("x", encoding="utf-8")
    origin = str(tmp_path / "docs.jsonl")
    default = CardTemplate()
    assert default.picture({"image": "pictures/a.PNG"}, origin) == ("image", str(picture))
    assert default.picture({"image": f"file://{picture}"}, origin) == ("image", str(picture))
    for value in ("http://x/a.png", "pictures/none.png", "secret.txt", "", 3, "a\0.png", "x" * 5000 + ".png"):
        assert default.picture({"image": value}, origin) == ("", "")
    assert parse_template("picture=cover").picture({"image": "pictures/a.PNG", "cover": "b.png"}, origin) == ("", "")
    assert parse_template("-image").picture({"image": "pictures/a.PNG"}, origin) == ("", "")


def session_of(tmp_path: Path) -> Session:
    (tmp_path / "a.png").write_bytes(b"png")
    row = {"id": "1d0", "name": "A lamp", "title": "Lamp 3", "text": "It shines.", "price": 12, "image": "a.png"}
    whole = collection(1)
    doc = whole.runs[0].run.ranking("1")[0]
    documents = TextTable.from_rows([{**row, "id": doc}], origin=str(tmp_path / "docs.jsonl"))
    session = session_with(replace(whole, documents=documents))
    session.navigation.set_query("1")
    session.navigation.set_document(doc)
    return session


def test_the_card_follows_the_line(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    seen: list[frozenset[str]] = []
    session.changed.connect(seen.append)
    card = session.view_models.document_card()
    assert card is not None
    assert (card.title, card.text, card.picture) == ("Lamp 3", "It shines.", str(tmp_path / "a.png"))
    assert card.fields == (("price", "12"), ("name", "A lamp"))
    assert session.view_models.document_card() is card
    session.appearance.set_card_fields("title=name, text=title, text")
    assert seen == [frozenset({"document"})]
    card = session.view_models.document_card()
    assert card is not None
    assert (card.title, card.text) == ("A lamp", "Lamp 3")
    assert card.fields == (("text", "It shines."),)
    session.appearance.set_card_fields("title=none")
    card = session.view_models.document_card()
    assert card is not None
    assert card.title == "Lamp 3"
    with pytest.raises(SettingError, match="does not accept"):
        session.appearance.set_card_fields("a, a")


def test_a_picture_lies_with_the_data_and_nowhere_else(tmp_path: Path) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    data.mkdir()
    elsewhere.mkdir()
    (elsewhere / "a.png").write_bytes(b"png")
    (data / "link.png").symlink_to(elsewhere / "a.png")
    os.mkfifo(data / "pipe.png")
    with (data / "huge.png").open("wb") as huge:
        huge.truncate(30_000_000)
    (data / "own.png").write_bytes(b"png")
    origin = str(data / "documents.jsonl")
    outside = ("../elsewhere/a.png", str(elsewhere / "a.png"), f"file://{elsewhere / 'a.png'}", "link.png")
    for value in (*outside, "pipe.png", "huge.png"):
        assert CardTemplate().picture({"image": value}, origin) == ("", "")
    assert CardTemplate().picture({"image": "own.png"}, origin) == ("image", str(data / "own.png"))
