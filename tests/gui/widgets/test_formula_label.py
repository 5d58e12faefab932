"""A formula has the size asked for where there is room, a smaller one where there is not, and scrolls below that."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import shiboken6
from pytestqt.qtbot import QtBot

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.formula_label import LEAST, SIZE, FormulaLabel
from irviewer.rendering.formula import FormulaPicture
from irviewer.session.explaining.formulas import FormulaDrawings, FormulaRequest, drawn

LONG = r"\frac{1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10}{11} = 5"


@pytest.fixture
def at_width(qtbot: QtBot, theme: Theme) -> Callable[[int], FormulaLabel]:
    """The long formula in a window so wide."""
    label = FormulaLabel(theme)
    qtbot.addWidget(label)

    def shown(width: int) -> FormulaLabel:
        label.resize(width, 60)
        label.show_formula(LONG, "words")
        qtbot.waitExposed(label)
        label.resize(width, label.height())
        return label

    return shown


def test_it_shrinks_until_it_fits_and_no_further(at_width: Callable[[int], FormulaLabel]) -> None:
    whole = at_width(900).label.width()
    assert at_width(whole + 30).label.width() == whole
    smaller = at_width(round(whole * 0.85))
    assert whole * LEAST < smaller.label.width() <= smaller.viewport().width()
    assert not smaller.horizontalScrollBar().maximum()
    least = at_width(round(whole * 0.4))
    assert least.label.width() == pytest.approx(whole * LEAST, abs=8)
    assert least.horizontalScrollBar().maximum() > 0
    assert at_width(900).label.width() == whole
    assert SIZE * LEAST >= 8.5  # points: what is smaller is not read


def test_no_formula_is_no_room(qtbot: QtBot, theme: Theme) -> None:
    label = FormulaLabel(theme)
    qtbot.addWidget(label)
    label.show_formula("", "words")
    assert not label.isVisible()
    label.resize(200, 40)
    assert label.label.pixmap().isNull()


def test_what_defines_the_letters_goes_below(qtbot: QtBot, theme: Theme) -> None:
    label = FormulaLabel(theme)
    qtbot.addWidget(label)
    label.resize(900, 60)
    label.show_formula(r"\sum_{i=1}^{k} \frac{g(i)}{\log_2(i+1)}, \quad g(i) = 2^{grade(i)} - 1, \quad k = 10", "words")
    label.show()
    qtbot.waitExposed(label)
    height = label.label.height()
    label.resize(170, label.height())
    assert label.label.height() > height
    assert not label.horizontalScrollBar().maximum()
    label.resize(900, label.height())
    assert label.label.height() == height


class Asked(FormulaDrawings):
    """Draws nothing by itself: keeps what was asked."""

    def __init__(self) -> None:
        self.waiting: list[tuple[FormulaRequest, Callable[[FormulaPicture], object]]] = []

    def draw(self, place: str, request: FormulaRequest, deliver: Callable[[FormulaPicture], object]) -> None:
        self.waiting.append((request, deliver))

    def answer(self, number: int) -> None:
        """Deliver the picture that was asked for."""
        request, deliver = self.waiting[number]
        deliver(drawn(request))


def test_a_former_formula_is_not_seen_while_another_is_drawn(qtbot: QtBot, theme: Theme) -> None:
    asked = Asked()
    label = FormulaLabel(theme, formulas=asked)
    qtbot.addWidget(label)
    label.resize(900, 60)
    label.show_formula("a + b", "words")
    assert label.label.pixmap().isNull()
    asked.answer(-1)
    assert not label.label.pixmap().isNull()
    height = label.height()
    label.show_formula("c + d", "words")
    assert label.label.pixmap().isNull()
    assert label.height() == height, "nothing below it moves meanwhile"
    label.show_formula("e + f", "words")
    late, last = len(asked.waiting) - 2, len(asked.waiting) - 1
    assert [asked.waiting[place][0].formula for place in (late, last)] == ["c + d", "e + f"]
    asked.answer(last)
    shown = label.label.pixmap().cacheKey()
    asked.answer(late)
    assert label.label.pixmap().cacheKey() == shown


def test_a_formula_is_asked_for_again_for_another_room_only_where_it_looks_different(
    qtbot: QtBot, theme: Theme
) -> None:
    asked = Asked()
    label = FormulaLabel(theme, formulas=asked)
    qtbot.addWidget(label)
    label.show()
    qtbot.waitExposed(label)
    label.resize(900, 60)
    label.show_formula(LONG, "words")
    asked.answer(-1)
    count = len(asked.waiting)
    label.resize(890, label.height())
    assert len(asked.waiting) == count
    label.resize(200, label.height())
    assert len(asked.waiting) == count + 1
    assert asked.waiting[-1][0].room < asked.waiting[-2][0].room


def test_a_label_that_is_gone_receives_nothing(qtbot: QtBot, theme: Theme) -> None:
    asked = Asked()
    label = FormulaLabel(theme, formulas=asked)
    label.show_formula("a + b", "words")
    shiboken6.delete(label)
    asked.answer(-1)


def test_screen_readers_read_words_and_no_latex(at_width: Callable[[int], FormulaLabel]) -> None:
    label = at_width(600)
    label.show_formula(r"\frac{1}{2}", "1 of 2 = .5")
    assert label.accessibleName() == "1 of 2 = .5"
    assert label.formula == r"\frac{1}{2}"
