"""The box that every part stands in: notes give way by whole parts."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.panel import TITLE_LEAST, ElidedLabel, Note, Panel, Title


def test_a_note_gives_way_by_parts(qtbot: QtBot, theme: Theme) -> None:
    note = Note("mean of 225 queries · Δ against ★ · shade by column")
    qtbot.addWidget(note)
    wide = QFontMetrics(note.font()).horizontalAdvance
    for width, shown in (
        (wide(note.text()), note.text()),
        (wide(note.text()) - 1, "mean of 225 queries · Δ against ★"),
        (wide("mean of 225 queries") + 2, "mean of 225 queries"),
        (40, ""),
    ):
        note.resize(width, 20)
        assert note.fitting() == shown


def test_a_note_keeps_its_margins(qtbot: QtBot, theme: Theme) -> None:
    note = Note("mean of 225 queries · Δ against ★")
    qtbot.addWidget(note)
    wide = QFontMetrics(note.font()).horizontalAdvance(note.text())
    note.setContentsMargins(30, 0, 10, 0)
    note.resize(wide + 39, 20)
    assert note.fitting() == "mean of 225 queries"
    note.resize(wide + 40, 20)
    assert note.fitting() == note.text()
    image = note.grab().toImage()
    ground = image.pixel(0, 0)
    assert all(image.pixel(x, y) == ground for x in range(28) for y in range(20))


def test_the_whole_note_is_its_tooltip(qtbot: QtBot, theme: Theme) -> None:
    panel = Panel(theme, "Title")
    qtbot.addWidget(panel)
    panel.set_note("one · two")
    assert panel.findChild(Note).toolTip() == "one · two"


def test_a_text_without_room_is_cut_in_the_middle_and_whole_in_its_tooltip(qtbot: QtBot, theme: Theme) -> None:
    """What tells two texts apart is often last."""
    drawn = []
    for text in ("the same beginning, one end", "the same beginning, other end"):
        label = ElidedLabel(text)
        qtbot.addWidget(label)
        label.resize(QFontMetrics(label.font()).horizontalAdvance(text) - 20, 20)
        drawn.append(label.grab().toImage())
        assert label.tip() == text
        label.resize(400, 20)
        assert label.tip() == ""
    assert drawn[0].copy(drawn[0].width() - 60, 0, 60, 20) != drawn[1].copy(drawn[1].width() - 60, 0, 60, 20)


def test_a_long_title_has_two_lines_before_it_is_cut(qtbot: QtBot, theme: Theme) -> None:
    text = f"12 “what problems of {'heat conduction in ' * 6}composite slabs have been solved so far”"
    panel = Panel(theme, text)
    qtbot.addWidget(panel)
    panel.show()
    title = panel.findChild(Title)
    wide = title.fontMetrics().horizontalAdvance(text)
    for width, lines, whole in ((wide + 80, 1, True), (wide * 2 // 3, 2, True), (wide // 3, 2, False)):
        panel.resize(width, 200)
        assert len(title.shown_lines()) == lines
        assert (" ".join(title.shown_lines()) == text, title.tip() == "") == (whole, whole)
    assert title.shown_lines()[-1].endswith("far”")


def test_a_long_title_gives_way_and_a_short_one_does_not(qtbot: QtBot, theme: Theme) -> None:
    for title, cut in (("Precision–recall", False), ("x" * 300, True)):
        panel = Panel(theme, title)
        qtbot.addWidget(panel)
        shown = panel.findChild(Title)
        wanted = TITLE_LEAST if cut else shown.sizeHint().width()
        assert shown.minimumSizeHint().width() == wanted
        assert panel.minimumSizeHint().width() < TITLE_LEAST + 100
