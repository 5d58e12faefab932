"""While a question asks, its answer is nowhere on screen, in whatever place: all texts of the window are read."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator

import pytest
from examples import a_part
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from irviewer.commands import find
from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.teaching.covered import CoveredScreen
from irviewer.gui.teaching.question import QuestionBox
from irviewer.gui.window import MainWindow
from irviewer.model.lessons.lesson import Lesson, Question
from irviewer.session.session import Session

ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
PLACES = (
    *(("query", tab) for tab in ("rankings", "stages")),
    ("systems", ""),
    *(("queries", tab) for tab in ("table", "failures")),
    *(("compare", tab) for tab in ("pair", "matrices", "slices", "sets")),
)


def texts_of_item_view(view: QAbstractItemView) -> Iterator[object]:
    model = view.model()
    if model is None:
        return
    rows, columns = (
        min(60, model.rowCount(QModelIndex())),
        (min(60, model.columnCount(QModelIndex())) if isinstance(view, QTableView) else 1),
    )
    for role in ROLES:
        yield from (model.headerData(column, Qt.Orientation.Horizontal, role) for column in range(columns))
        for row in range(rows):
            yield model.headerData(row, Qt.Orientation.Vertical, role)
            yield from (model.index(row, column, QModelIndex()).data(role) for column in range(columns))


def accessible_texts(interface: QAccessibleInterface | None, depth: int = 0) -> Iterator[str]:
    if interface is None or not interface.isValid() or depth > 30 or interface.state().invisible:
        return
    for kind in (
        QAccessible.Text.Name,
        QAccessible.Text.Description,
        QAccessible.Text.Value,
        QAccessible.Text.Help,
        QAccessible.Text.Accelerator,
    ):
        yield interface.text(kind)
    for number in range(min(400, interface.childCount())):
        yield from accessible_texts(interface.child(number), depth + 1)


def all_texts(window: QWidget) -> set[str]:
    """What can be read, heard or pointed at: visible widgets, cells of tables, accessible names, title."""
    texts: list[object] = [window.windowTitle(), *accessible_texts(QAccessible.queryAccessibleInterface(window))]
    for widget in (window, *window.findChildren(QWidget)):
        if not widget.isVisible() or within_question(widget):
            continue
        for name in ("text", "toolTip", "statusTip", "whatsThis", "accessibleName", "accessibleDescription", "title"):
            reader = getattr(widget, name, None)
            try:
                texts.append(reader() if callable(reader) else reader)
            except TypeError:
                continue
        if isinstance(widget, QAbstractItemView):
            texts.extend(texts_of_item_view(widget))
    return {text for text in texts if isinstance(text, str) and text}


def within_question(widget: QWidget | None) -> bool:
    """Whether a widget is the question itself, whose choices hold its answer."""
    while widget is not None:
        if isinstance(widget, QuestionBox):
            return True
        widget = widget.parentWidget()
    return False


def questions() -> list[tuple[str, int]]:
    """A question of each lesson whose answer is a computed value that no other number looks like."""
    chosen = []
    for lesson in bundled_course().lessons:
        for place, item in enumerate(lesson.items, start=1):
            if isinstance(item, Question) and item.asked is not None and item.asked.measure and not item.choices:
                chosen.append((lesson.id, place))
                break
    return chosen


def spelled(value: float) -> re.Pattern[str]:
    """The ways in which a value may be written, with any number of decimals from two."""
    written = {f"{value:.{decimals}f}" for decimals in (4, 3, 2)}
    digits = "|".join(
        re.escape(text.removeprefix("0")) for text in written if math.isclose(float(text), value, abs_tol=0.0005)
    )
    return re.compile(rf"(?<!\d)(?:{digits})(?!\d)")


def hits(window: MainWindow, lesson: Lesson, value: float) -> set[str]:
    matching = {text for text in all_texts(window) if spelled(value).search(text)}
    return {text for text in matching if text not in lesson.text}


@pytest.mark.parametrize(("name", "place"), a_part(questions(), 2))
def test_the_answer_is_nowhere_while_the_question_asks(
    name: str, place: int, empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    session = empty_session
    session.teaching.open_example(name)
    lesson = session.lessons.lesson
    assert lesson is not None
    window = make_window(session)
    window.resize(1280, 720)
    window.flush()
    session.lessons.show_place(place)
    question = session.teaching.question
    assert question is not None
    value = session.teaching.computed(question)
    assert value is not None
    if math.isclose(value, round(value, 1)):
        pytest.skip("other numbers look like the answer")
    session.evaluation.set_measure(question.asked.measure)  # type: ignore[union-attr]
    for view, tab in PLACES:
        session.navigation.set_place(view)
        if tab:
            session.navigation.set_tab(view, tab)
        window.flush()
        assert session.teaching.is_asking
        assert hits(window, lesson, value) == set(), (view, tab)


def answer_all(session: Session, *but: int) -> None:
    """Show the answers to all questions of the lesson but some, and come back to its place."""
    here, lesson = session.teaching.lesson.place, session.lessons.lesson
    assert lesson is not None
    for place in range(1, len(lesson.items) + 1):
        session.lessons.show_place(place)
        if session.teaching.question is not None and place not in but:
            session.teaching.show_answer()
    session.lessons.show_place(here)


def test_systems_show_the_values_when_the_question_is_answered(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    session = empty_session
    session.teaching.open_example("mrr")
    window = make_window(session)
    session.lessons.show_place(2)
    session.navigation.set_place("systems")
    window.flush()
    covered = window.current_screen
    assert isinstance(covered, CoveredScreen)
    assert covered.notice.isVisible()
    question = session.teaching.question
    answer_all(session)
    session.navigation.set_place("systems")
    window.flush()
    assert not covered.isVisible()
    assert question is not None
    value = session.teaching.computed(question)
    assert value is not None
    tables = window.current_screen.findChildren(QTableView)
    texts = {text for table in tables for text in texts_of_item_view(table) if isinstance(text, str)}
    assert any(f"{value:.4f}" in text for text in texts)  # what is looked for is what the tables would have


def test_the_button_leads_to_the_rankings(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> None:
    session = empty_session
    session.teaching.open_example("mrr")
    window = make_window(session)
    session.lessons.show_place(1)
    session.navigation.set_place("compare")
    window.flush()
    covered = window.current_screen
    assert isinstance(covered, CoveredScreen)
    assert covered.focusProxy() is covered.button
    covered.button.click()
    window.flush()
    assert session.view.place == "query"
    assert not covered.isVisible()


def test_the_keyboard_stays_in_the_lesson_when_the_cover_comes_and_goes(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    session = empty_session
    session.teaching.open_example("mrr")
    window = make_window(session)
    answer_all(session, 1)
    session.lessons.show_place(0)
    session.navigation.set_place("queries")
    window.flush()
    strip = window.lesson_strip
    assert strip is not None
    strip.next.setFocus()
    assert session.lessons.show_place(1)  # a question, in the same place
    session.navigation.set_place("queries")
    window.flush()
    assert isinstance(window.current_screen, CoveredScreen)
    assert window.focusWidget() is strip.next
    session.teaching.show_answer()
    window.flush()
    assert not isinstance(window.current_screen, CoveredScreen)
    assert window.focusWidget() is strip.next


def test_collections_sliders_and_differences_of_queries_are_covered(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    session = empty_session
    session.teaching.open_example("b2")  # another collection, so that there is a view of all
    session.teaching.open_example("pr-mean")
    window = make_window(session)
    window.resize(1280, 720)
    session.sliders.set_thresholds(True)
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    rows = screen.queries.model
    assert rows.view_model is not None
    assert not all(math.isnan(value) for value in rows.view_model.delta)
    assert window.thresholds.isVisible()
    session.lessons.show_place(2)
    window.flush()
    assert session.teaching.is_asking
    assert all(math.isnan(value) for value in rows.view_model.delta)
    assert not window.thresholds.isVisible()
    for name in ("thresholds", "show_ties", "compare_dialects", "explain_number"):
        assert not find(session, name).enabled(session), name
    session.navigation.set_place("collections")
    window.flush()
    assert isinstance(window.current_screen, CoveredScreen)
    session.navigation.set_place("query")
    session.teaching.show_answer()
    window.flush()
    assert not all(math.isnan(value) for value in rows.view_model.delta)
    assert window.thresholds.isVisible()
    assert find(session, "compare_dialects").enabled(session)


@pytest.mark.parametrize("large", [False, True])
def test_the_number_of_relevant_documents_is_covered_where_it_is_the_answer(
    large: bool, empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    session = empty_session
    session.settings["large_type"] = large
    session.teaching.open_example("b9")
    window = make_window(session)
    window.resize(1067, 600)

    def counted() -> bool:
        for _ in range(3):
            window.flush()
        return any("10 relevant" in text for text in all_texts(window))

    session.lessons.show_place(3)
    assert counted()
    session.lessons.show_place(1)  # by which number is the sum divided?
    assert not counted()
    session.teaching.answer("10")
    session.teaching.set_lesson_view("steps")  # the table paints it
    assert counted()


@pytest.mark.parametrize(
    ("name", "run", "measure", "value"),
    [
        ("b10", "", "SetP", 0.4),
        ("b10", "", "SetR", 0.2),
        ("sets", "", "SetR", 0.5),
        ("engines", "B", "AP", 0.4641),
        ("engines", "C", "AP", 0.4242),
        ("ideal", "b", "nDCG@3", 0.9627),
        ("ideal", "d", "nDCG@3", 0.8087),
    ],
)
def test_a_lesson_that_covers_its_values_shows_none_until_all_is_answered(
    name: str, run: str, measure: str, value: float, empty_session: Session,
    make_window: Callable[[Session], MainWindow],
) -> None:  # fmt: skip
    session = empty_session
    session.teaching.open_example(name)
    lesson = session.lessons.lesson
    assert lesson is not None
    window = make_window(session)
    window.resize(1280, 800)
    session.evaluation.set_measure(measure)
    looked = re.compile(
        rf"(?<!\d)(?:{re.escape(f'{value:.4f}'.removeprefix('0'))}|\d/\d+ = 0{f'{value:.4f}'[1:]})(?!\d)"
    )

    def shown() -> set[str]:
        window.flush()
        return {text for text in all_texts(window) if looked.search(text)}

    assert shown() == set()
    places = [place for place, item in enumerate(lesson.items, start=1) if isinstance(item, Question)]
    for place in places[:-1]:
        session.lessons.show_place(place)
        session.teaching.show_answer()
        assert shown() == set(), place
    session.lessons.show_place(places[-1])
    session.teaching.show_answer()
    session.lessons.show_place(0)
    session.evaluation.set_measure(measure)
    assert shown(), run
