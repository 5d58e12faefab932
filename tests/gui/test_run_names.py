"""Names of runs in two lines, however long."""

from __future__ import annotations

from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from irviewer.gui.app import make_application
from irviewer.gui.theme import make_font
from irviewer.gui.widgets.run_names import broken, broken_width, fitting_name, name_lines
from irviewer.rendering.run_label import RunLabel
from irviewer.session.runs.display_names import short_names, shorter_forms


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
    parts = [metrics.horizontalAdvance(part) for part in ("bm25_", "english")]
    assert broken_width("bm25_english", metrics, 0) == max(parts)


def test_no_name_is_broken_inside_a_word(qtbot: QtBot) -> None:
    make_application()
    metrics = QFontMetricsF(make_font(9, 600))
    for name, ends in (
        ("fusion_rrf", {"fusion_"}),
        ("BM25RM3", set()),
        ("sparsererank", set()),
        ("denseRerank.v2", {"dense", "denseRerank."}),
        ("a-b_c", {"a-", "a-b_"}),
        ("__x", set()),
    ):
        label = RunLabel(0, name, name, 0, None, True, False, False, whole_name=name)
        for room in range(8, 160, 3):
            lines = broken(name, metrics, room, room)
            assert lines is None or (lines[0] in ends and "".join(lines) == name)
            shown = name_lines(label, metrics, room, room)
            assert len(shown) == 1 or lines is not None
            assert all(metrics.horizontalAdvance(line) <= room + 2 or len(line) == 1 for line in shown)


def test_runs_that_differ_at_their_ends_keep_different_titles_in_narrow_columns(qtbot: QtBot) -> None:
    make_application()
    metrics = QFontMetricsF(make_font(9, 600))
    names = ("bm25_k1=0.9_b=0.4", "bm25_k1=0.9_b=0.75", "Größe=7 (v2) — dense", "my best run FINAL final 2", "bm25")
    forms = zip(names, short_names(names), shorter_forms(names), strict=True)
    labels = [
        RunLabel(key, name, short, key, None, True, False, False, name, forms=shorter)
        for key, (name, short, shorter) in enumerate(forms)
    ]
    assert name_lines(labels[0], metrics, 34, 48) == ("bm25", "…b=0.4")
    for first in range(33, 120, 2):
        titles = {name_lines(label, metrics, first, first + 14) for label in labels}
        assert len(titles) == len(labels), (first, titles)
    for room in range(52, 200, 3):
        assert len({fitting_name(label, metrics, room) for label in labels}) == len(labels)
