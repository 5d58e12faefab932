"""Names of runs where room is short: whole, then short, then in two lines; never two alike."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from irviewer.gui.theme import make_font
from irviewer.gui.widgets.run_names import broken, broken_width, fitting_name, name_lines, wrapped_name
from irviewer.rendering.run_label import RunLabel

LABEL = RunLabel(0, "standard_boolean", "stan…boolean", 0, None, True, False, False, whole_name="x_standard_boolean")


@pytest.fixture
def metrics(qapp: QApplication) -> QFontMetricsF:
    return QFontMetricsF(make_font(9, 600))


def test_the_name_then_the_short_one(metrics: QFontMetricsF) -> None:
    whole, short = metrics.horizontalAdvance(LABEL.name), metrics.horizontalAdvance(LABEL.short)
    assert fitting_name(LABEL, metrics, whole) == LABEL.name
    assert fitting_name(LABEL, metrics, whole - 2) == LABEL.short
    assert metrics.horizontalAdvance(fitting_name(LABEL, metrics, short - 10)) <= short - 10


def test_two_lines_break_behind_a_separator(metrics: QFontMetricsF) -> None:
    room = metrics.horizontalAdvance("standard_") + 2
    assert name_lines(LABEL, metrics, room, room) == ("standard_", "boolean")
    assert name_lines(LABEL, metrics, 2 * room, room) == (LABEL.name,)


def test_the_least_width_of_two_lines_is_enough(metrics: QFontMetricsF) -> None:
    for before in (0.0, 14.0):
        width = broken_width(LABEL.short, metrics, before)
        lines = broken(LABEL.short, metrics, width - before, width)
        assert lines is not None
        assert "".join(lines) == LABEL.short
        assert broken(LABEL.short, metrics, width - before - 3, width - 3) is None


@pytest.mark.parametrize(
    ("title", "lines"), [("Δ nDCG@10", ("Δ ", "nDCG@10")), ("RBP(p=0.8) residual", ("RBP(p=0.8) ", "residual"))]
)
def test_a_title_is_broken_between_words_and_a_measure_stays_whole(
    metrics: QFontMetricsF, title: str, lines: tuple[str, str]
) -> None:
    width = broken_width(title, metrics, 0, words=True)
    assert broken(title, metrics, width, width, words=True) == lines
    assert broken(title, metrics, width - 3, width - 3, words=True) is None, "no narrower break inside the measure"


def test_a_name_that_no_line_breaks_is_shorter_in_sentences() -> None:
    """The headline of Verdict was cut at its right where runs are called by hashes."""
    whole = "7de1555df0c2700329e815b93b32c571c3ea54dc967b89e81ab73b9972b72d1d"
    label = RunLabel(0, whole, "7de…d1d", 0, None, True, False, False, whole, forms=(f"{whole[:18]}…{whole[-18:]}",))
    assert wrapped_name(label) == label.forms[0]
    assert wrapped_name(LABEL) == LABEL.name
    dashed = "dense-retrieval-with-contrastive-pretraining-and-hard-negatives-seed-4"
    assert wrapped_name(RunLabel(0, dashed, "den…d-4", 0, None, True, False, False, dashed)) == dashed
