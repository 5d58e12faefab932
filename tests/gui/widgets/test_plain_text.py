"""Labels and tooltips show data as they are: no markup, no file that is opened, no turned text, no endless layout."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextDocument
from PySide6.QtWidgets import QApplication, QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.restyling import dress_application
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import MOST_SHOWN, HtmlLabel, PlainLabel, Sentences, set_tooltip, tooltip, visible
from irviewer.rendering.palette import DARK

HOSTILE = (
    "<img src='/dev/zero'>",
    "<b>bold</b> & <script>x</script>",
    "&lt;img src=x&gt;",
    "<!doctype html><p>x",
    "a < b & c > d",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_label_is_plain(qtbot: QtBot, text: str) -> None:
    for label in (PlainLabel(text), PlainLabel()):
        qtbot.addWidget(label)
        label.setText(text)
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert label.text() == text
        with pytest.raises(TypeError, match="stays plain"):
            label.setTextFormat(Qt.TextFormat.AutoText)


@pytest.mark.parametrize("kind", [PlainLabel, HtmlLabel])
@pytest.mark.parametrize("measured", [False, True])
def test_a_label_keeps_its_colours_in_another_parent(
    qapp: QApplication, qtbot: QtBot, measured: bool, kind: type[PlainLabel | HtmlLabel]
) -> None:
    """The style sheet took those back of a label whose size was asked for before."""
    former, colours = qapp.styleSheet(), qapp.palette()
    qapp.setStyleSheet("QToolTip { color: red }")
    try:
        label, within, window = kind("x"), QWidget(), QMainWindow()
        qtbot.addWidget(window)
        if measured:
            label.minimumSizeHint()
        palette = label.palette()
        palette.setColor(label.foregroundRole(), QColor("#00ff00"))
        label.setPalette(palette)
        QVBoxLayout(within).addWidget(label)
        window.setCentralWidget(within)
        window.show()
        qtbot.waitExposed(window)
        assert label.palette().color(label.foregroundRole()) == QColor("#00ff00")
        qapp.setStyleSheet("QToolTip { color: blue }")
        assert label.palette().color(label.foregroundRole()) == QColor("#00ff00")
        dress_application(qapp, Theme(DARK))  # which sets other colours, or those of all texts
        assert label.palette().color(label.foregroundRole()) == QColor(DARK.text)
    finally:
        qapp.setStyleSheet(former)
        qapp.setPalette(colours)


@pytest.mark.parametrize("text", (*HOSTILE, "one\ntwo", "plain"))
def test_a_tooltip_reads_as_its_text(qtbot: QtBot, text: str) -> None:
    """Whichever way Qt shows it: as plain text, or as HTML that says the same."""
    label = PlainLabel("x")
    qtbot.addWidget(label)
    set_tooltip(label, text)
    shown = label.toolTip()
    if "<" in shown or "&" in shown:
        document = QTextDocument()
        document.setHtml(shown)
        assert document.toPlainText() == text
    else:
        assert shown == text


def test_control_and_turning_characters_are_seen() -> None:
    assert visible("a\u202eb\x00c\x1b[1m") == "a\\u202eb\\x00c\\x1b[1m"
    assert visible("עברית \u200f tab\tline\n") == "עברית \\u200f tab\tline\n"
    assert tooltip("\u2066<") == "<p style='white-space:pre-wrap'>\\u2066&lt;</p>"


def test_a_million_characters_are_cut() -> None:
    label = visible("x" * 1_000_000)
    assert len(label) < MOST_SHOWN + 50
    assert label.endswith("… (1,000,000 characters)")


def test_html_is_a_label_of_its_own(qtbot: QtBot) -> None:
    label = HtmlLabel("<b>x</b>")
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.RichText


@pytest.mark.parametrize("selectable", [True, False])
def test_a_name_of_another_script_turns_no_sentence_around(qtbot: QtBot, selectable: bool) -> None:
    def ink(label: PlainLabel) -> tuple[int, int]:
        qtbot.addWidget(label)
        label.setWordWrap(True)
        if selectable:
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        label.resize(600, 60)
        image = label.grab().toImage()
        ground = image.pixel(0, 0)
        xs = [x for x in range(image.width()) for y in range(image.height()) if image.pixel(x, y) != ground]
        return min(xs), max(xs)

    text = "تجربة is better\nbm25 is worse\n12 (تجربة)"
    left, right = ink(Sentences(text))
    assert left < 20
    assert right < 300
    assert ink(PlainLabel("تجربة is better"))[1] > 500  # why there are two classes
    assert Sentences("bm25 is better\n12 queries").text() == "bm25 is better\n12 queries"
