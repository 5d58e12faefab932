"""Fields and links of documents: data, opened only when the user does, and only as addresses of the web."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from irviewer.gui.query.document_text import DocumentText, fields_html, open_address
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import LIGHT
from irviewer.session.view_models.query import DocumentCard, build_document
from tests.session.helpers import collection, session_with


@pytest.fixture
def card() -> DocumentCard:
    session = session_with(collection())
    context = session.view.context
    assert context is not None
    return build_document(context, "1", "d1")


FIELDS = (
    ("url", "https://example.org/a?b=1&c=<x>"),
    ("link", "HTTPS://example.org/plain"),
    ("other", "see https://example.org/a"),
    ("file", "file:///etc/passwd"),
    ("code", "javascript:alert(1)"),
    ("<b>", '"><a href="https://evil.example">x</a>'),
)


def test_only_whole_addresses_are_links_and_all_is_escaped(qtbot: QtBot, card: DocumentCard) -> None:
    text = DocumentText(Theme(LIGHT), 9.5)
    qtbot.addWidget(text)
    text.setHtml(fields_html(replace(card, fields=FIELDS), Theme(LIGHT)))
    for name, value in FIELDS:
        assert f"{name} {value}" in text.toPlainText()
    block, links = text.document().begin(), []
    while block.isValid():
        parts = block.begin()
        while not parts.atEnd():
            links.append(parts.fragment().charFormat().anchorHref())
            parts += 1
        block = block.next()
    assert [link for link in links if link] == ["HTTPS://example.org/plain"]


def test_a_click_opens_the_web_and_nothing_else(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()) or True)
    text = DocumentText(Theme(LIGHT), 9.5)
    qtbot.addWidget(text)
    text.anchorClicked.emit(QUrl("https://example.org/a"))
    assert opened == ["https://example.org/a"]
    for other in ("file:///etc/passwd", "irds:x", "javascript:1", "a.run"):
        assert not open_address(QUrl(other))
    assert len(opened) == 1
