"""Names of runs in two lines, however long."""

from __future__ import annotations

from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from irviewer.gui.app import make_application
from irviewer.gui.theme import make_font
from irviewer.gui.widgets.run_names import broken, broken_width


class Counted(QFontMetricsF):
    """Counts how often a text is measured."""

    measured = 0

    def horizontalAdvance(self, text: str) -> float:  # type: ignore[override]
        Counted.measured += 1
        return super().horizontalAdvance(text)


def test_a_name_of_thousands_of_letters_is_measured_a_few_times(qtbot: QtBot) -> None:
    make_application()
    metrics = Counted(make_font(9.5))
    Counted.measured = 0
    assert broken("long " * 3000, metrics, 80, 80) is None
    assert broken_width("long " * 3000, metrics, 0) > 1000
    assert Counted.measured < 10


def test_a_name_breaks_behind_a_separator_where_it_fits(qtbot: QtBot) -> None:
    make_application()
    metrics = QFontMetricsF(make_font(9.5))
    whole = metrics.horizontalAdvance("bm25_english")
    assert broken("bm25_english", metrics, whole * 0.6, whole * 0.7) == ("bm25_", "english")
    assert broken("bm25_english", metrics, 10, 10) is None
    every = [
        max(metrics.horizontalAdvance("bm25_english"[:n]), metrics.horizontalAdvance("bm25_english"[n:]))
        for n in range(1, 12)
    ]
    assert broken_width("bm25_english", metrics, 0) == min(every)
