"""The Verdict screen shows the view of every door, and each of its rows leads to the evidence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import irviewer
from irviewer.gui.theme import Theme
from irviewer.gui.verdict.difference_axis import beside, ticks
from irviewer.gui.verdict.rows import ChangeRow, ChangeTexts, QueryRow, StepRow
from irviewer.gui.verdict.screen import EVIDENCE, VerdictScreen
from irviewer.gui.widgets.controls import SentenceLink
from irviewer.session.changes import EVERY_CHANGE, Change
from irviewer.session.session import Session

N = 24
ANSWERS = Path(__file__).parents[2] / "data" / "answers"
LONG = "x" * 15_000


def write(folder: Path) -> list[str]:
    """Qrels, texts, and three runs: one whose relevant document rises on most queries, and one whose name is odd."""
    generator = np.random.default_rng(3)
    qrels = folder / "a.qrels"
    qrels.write_text("".join(f"q{n} 0 d{n}_{d} {int(d < 3)}\n" for n in range(N) for d in range(8)), "utf-8")
    paths = [str(qrels)]
    for name, shift in (("base", 0.0), ("better", 2.5), ("<b>odd</b>\u202e", 0.3)):
        lines = []
        for n in range(N):
            scores = generator.normal(0, 1, 8)
            scores[:3] += shift
            lines += [f"q{n} Q0 d{n}_{d} 1 {score:.6f} {name}\n" for d, score in enumerate(scores)]
        path = folder / f"{len(paths)}.run"
        path.write_text("".join(lines), "utf-8")
        paths.append(str(path))
    texts = folder / "queries.tsv"
    texts.write_text("".join(f"q{n}\t<img src=x> text of {n} {LONG if n == 0 else ''}\n" for n in range(N)), "utf-8")
    return [*paths, str(texts)]


@pytest.fixture
def screen(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[VerdictScreen]:
    session = Session()
    session.files.open_files(write(tmp_path))
    base = next(label for label in session.view.labels() if label.whole_name.startswith("1") or label.name == "base")
    session.runs.set_baseline(base.key)
    session.evaluation.set_measure("AP")
    session.protocol.set(smallest=0.02)
    session.navigation.set_place("verdict")
    verdict_screen = VerdictScreen(session, theme)
    qtbot.addWidget(verdict_screen)
    verdict_screen.resize(1260, 690)
    verdict_screen.show()
    follow(verdict_screen)
    yield verdict_screen
    session.close()


def follow(screen: VerdictScreen) -> None:
    screen.session.compute_now()
    screen.refresh(EVERY_CHANGE)


def test_the_screen_shows_what_the_command_and_python_say(screen: VerdictScreen, tmp_path: Path) -> None:
    answer = screen.session.result_views.answer("verdict")
    assert answer is not None and answer.shown is not None, answer
    inside = answer.shown.value.verdict
    paths = [str(tmp_path / name) for name in ("a.qrels", "1.run", "2.run", "3.run")]
    outside = irviewer.verdict(
        paths[0], paths[1:], "AP", baseline=inside.answer.pair.other_name, smallest=0.02,
        texts=str(tmp_path / "queries.tsv"),
    )  # fmt: skip
    for table in answer.shown.tables:
        other = outside[table.name]
        for column in table.columns:
            for part, values in column.parts.items():
                np.testing.assert_array_equal(np.asarray(values), np.asarray(other.column(column.key).parts[part]))
    assert inside.answer.chosen_among == 2 and screen.answer.headline.text().endswith(inside.answer.sentence[-12:])
    assert len(screen.changes.rows) == len(inside.changes)
    rows = [row for _, row in screen.queries.rows if isinstance(row, QueryRow)]
    assert [row.texts.query for row in rows if row not in screen._further] == [
        row.query for row in (*inside.deciding.for_it, *inside.deciding.against_it)
    ]
    assert "\u202e" not in screen.answer.headline.text()
    screen.grab()


def test_what_is_not_declared_yet_is_a_dash(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = Session()
    session.files.open_files(write(tmp_path)[:2])
    verdict_screen = VerdictScreen(session, theme)
    qtbot.addWidget(verdict_screen)
    follow(verdict_screen)
    assert verdict_screen.answer.family.text() == "–"
    session.close()


def _left(screen: VerdictScreen) -> int:
    """The pixels below the column of the queries."""
    below = screen.steps if screen.steps.x() == screen.queries.x() else screen.queries
    return screen.area.viewport().height() - below.geometry().bottom() - 1


def test_a_high_window_shows_further_queries_and_no_panel_leaves_it(screen: VerdictScreen, qtbot: QtBot) -> None:
    base = len(screen.queries.rows) - len(screen._further)
    numbers = []
    for height in (400, 690, 800, 950, 1400, 690):
        screen.resize(1700, height)
        qtbot.waitUntil(lambda: not screen._fill_timer.isActive())
        rows = [row for _, row in screen.queries.rows if isinstance(row, QueryRow) and row.isVisible()]
        if len(rows) > base:  # when the panels have the heights of their rows
            qtbot.waitUntil(lambda: _left(screen) >= 0)
        if any(row.isHidden() for row in screen._further):
            qtbot.waitUntil(lambda: _left(screen) < QueryRow.HEIGHT)
        for direction in (1, -1):  # the largest first
            shown = [direction * row.texts.gain for row in rows if direction * row.texts.gain > 0]
            assert shown == sorted(shown, reverse=True)
        numbers.append(len(rows))
    assert numbers[0] == base < numbers[1] < numbers[2]
    assert numbers == [*sorted(numbers[:-1]), numbers[1]]
    screen.resize(700, 1400)  # panels stand below each other
    qtbot.waitUntil(lambda: not screen._fill_timer.isActive())
    assert all(row.isHidden() for row in screen._further)


def test_an_answer_that_arrives_leaves_what_to_do_next_in_sight(screen: VerdictScreen, qtbot: QtBot) -> None:
    """The texts of the changes find their lines some turns after the answer: rows that were counted before that pushed
    what to do next out of the window that a user sees first."""
    filled = []
    for height in range(560, 960, 50):
        screen.resize(960, height)
        screen._clear()  # as while it is computed
        QApplication.processEvents()
        screen.refresh(EVERY_CHANGE)
        for _ in range(3):
            QApplication.processEvents()
            qtbot.waitUntil(lambda: not screen._fill_timer.isActive())
        below_loss = screen._first.indexOf(screen.steps) >= 0
        if below_loss or any(not row.isHidden() for row in screen._further):
            filled.append(height)
            for panel in (screen.steps, screen.queries):
                assert panel.geometry().bottom() < screen.area.viewport().height(), height
    assert filled


def test_what_to_do_next_fills_the_first_column_of_a_high_window(screen: VerdictScreen, qtbot: QtBot) -> None:
    """The lower left of 1920 x 1080 was empty, while further queries pushed it down in the second column."""
    for height, column in ((950, screen.loss), (500, screen.queries), (950, screen.loss)):
        screen.resize(1900, height)
        qtbot.waitUntil(lambda: not screen._fill_timer.isActive())
        QApplication.processEvents()
        assert screen.steps.x() == column.x()
        assert screen.steps.y() > column.geometry().bottom()
        if column is screen.loss:
            assert screen.steps.geometry().bottom() < screen.area.viewport().height()


def test_every_row_leads_to_its_evidence(screen: VerdictScreen) -> None:
    session = screen.session
    rows = [(name, row) for name, row in screen.changes.rows if isinstance(row, ChangeRow)]
    assert {name for name, _ in rows} <= set(EVIDENCE) and len(rows) >= 4
    for name, row in rows:
        session.navigation.set_place("verdict")
        row.click()
        place, tab = EVIDENCE[name]
        assert session.view.place == place and (not tab or session.view.tab(place) == tab)
        focus = next(label for label in session.view.labels() if label.focus)
        assert focus.whole_name == session.result_views.answer("verdict").shown.value.verdict.answer.pair.run_name  # type: ignore[union-attr]
    session.navigation.set_place("verdict")
    name, query = screen.queries.rows[0]
    query.click()
    assert (session.view.place, session.view.query_id) == ("query", name)


def test_every_sentence_of_the_answer_leads_to_its_evidence_and_says_the_way_back(screen: VerdictScreen) -> None:
    session = screen.session
    texts = [link.text() for link in screen.answer.links]
    assert len(texts) >= 3 and any(text.startswith("Mean AP") for text in texts)
    wanted = {"systems": "systems", "compare": "pair"}
    for link in screen.answer.links:
        session.navigation.set_place("verdict")
        link.click()
        assert session.view.place in wanted
        assert session.view.place == "systems" or session.view.tab("compare") == wanted[session.view.place]
        assert any("back to the verdict" in message.text for message in session.view.messages)
    for button, place in ((screen.answer.counts, "table"), (screen.loss_bars, "failures")):
        button.click()
        assert (session.view.place, session.view.tab("queries")) == ("queries", place)


def test_the_keys_come_back_to_the_sentence_or_row_that_they_left_by(screen: VerdictScreen, qtbot: QtBot) -> None:
    screen.activateWindow()
    screen.setFocus()
    assert screen.window().focusWidget() is screen.answer.run
    for choose in (
        lambda: screen.answer.links[1], lambda: screen.changes.rows[2][1], lambda: screen.queries.rows[1][1],
        lambda: screen.steps.rows[0][1], lambda: screen.answer.counts
    ):  # fmt: skip
        row = choose()
        qtbot.waitUntil(row.isVisible)
        row.setFocus()
        qtbot.keyClick(row, Qt.Key.Key_Return)
        assert screen.session.view.place != "verdict"
        row.clearFocus()
        screen.session.navigation.set_place("verdict")
        follow(screen)
        screen.refresh(EVERY_CHANGE - {Change.THEME})
        screen.setFocus()
        assert screen.window().focusWidget() is choose()
        screen.refresh(EVERY_CHANGE)  # all rows are made anew
        screen.setFocus()
        assert screen.window().focusWidget() is choose()


def test_the_frame_of_a_sentence_with_the_focus_leaves_its_letters(screen: VerdictScreen) -> None:
    """It went through the first letter. Without the focus the sentence is aligned with the headline."""
    link = screen.answer.links[0]
    picture = link.grab().toImage()
    ground = picture.pixelColor(0, 0)
    inked = [x for x in range(picture.width()) for y in range(picture.height()) if picture.pixelColor(x, y) != ground]
    left = min(inked) / picture.devicePixelRatio()
    assert left >= SentenceLink.INSET - 1
    assert link.x() + SentenceLink.INSET == screen.answer.headline.x() + screen.answer.headline.contentsMargins().left()


def test_only_runs_that_take_part_can_be_asked_about(screen: VerdictScreen) -> None:
    """A verdict on another one would be refused: it is not in the declared family."""
    session = screen.session
    names = [action.data() for action in screen.answer.run_menu().actions() if action.data()]
    out = next(label for label in session.view.system_labels() if label.whole_name == names[-1])
    session.protocol.set_taking_part(out.key, False)
    offered = [action.data() for action in screen.answer.run_menu().actions() if action.data()]
    assert offered == names[:-1] != []


def test_another_run_and_another_baseline_are_chosen(screen: VerdictScreen) -> None:
    session = screen.session
    menu = screen.answer.run_menu()
    names = [action.data() for action in menu.actions() if action.data() is not None]
    assert names[0] == "" and len(names) == 3
    first = session.result_views.answer("verdict")
    chosen = next(name for name in names[1:] if name != first.shown.value.verdict.answer.pair.run_name)  # type: ignore[union-attr]
    next(action for action in menu.actions() if action.data() == chosen).trigger()
    follow(screen)
    answer = session.result_views.answer("verdict")
    assert answer is not None and answer.shown is not None
    assert answer.shown.value.verdict.answer.pair.run_name == chosen
    # It had another colour in its evidence, where it was chosen only then.
    assert [label.whole_name for label in session.view.labels() if label.key == session.view.focus] == [chosen]
    assert answer.shown.value.verdict.answer.chosen_among == 0
    former = answer.shown.value.verdict.answer.pair.other_name
    base = screen.answer.baseline_menu()
    next(action for action in base.actions() if not action.isChecked() and chosen not in action.text()).trigger()
    follow(screen)
    answer = session.result_views.answer("verdict")
    assert answer is not None and answer.shown is not None
    assert answer.shown.value.verdict.answer.pair.other_name != former


def test_one_run_alone_says_what_a_verdict_needs(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = Session()
    session.files.open_files(write(tmp_path)[:2])
    session.navigation.set_place("verdict")
    verdict_screen = VerdictScreen(session, theme)
    qtbot.addWidget(verdict_screen)
    verdict_screen.resize(1024, 600)
    follow(verdict_screen)
    assert "two runs" in verdict_screen.answer.headline.text()
    assert not verdict_screen.changes.rows and not verdict_screen.steps.rows
    boxes = (verdict_screen.changes, verdict_screen.queries, verdict_screen.loss, verdict_screen.steps)
    assert all(box.isHidden() for box in boxes), "empty ones"
    verdict_screen.grab()
    assert verdict_screen.answer.headline.width() > 500, "what is said was as wide as a margin, and not to be read"
    session.close()


def test_one_query_has_a_difference_without_an_interval(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    """It said that there is no difference to draw, above a query with one, and "1 of 1 queries"."""
    paths = [tmp_path / name for name in ("a.qrels", "a.run", "b.run")]
    for path, text in zip(paths, ("1 0 d1 1\n", "1 Q0 d1 1 2 a\n", "1 Q0 d2 1 2 b\n1 Q0 d1 2 1 b\n"), strict=True):
        path.write_text(text)
    session = Session()
    session.files.open_files([str(path) for path in paths])
    session.navigation.set_place("verdict")
    verdict_screen = VerdictScreen(session, theme)
    qtbot.addWidget(verdict_screen)
    follow(verdict_screen)
    answer = verdict_screen.answer
    assert answer.axis.accessibleDescription() == "the mean difference −.3691, without an interval"  # 1 − 1 / log2(3)
    assert answer.counts.accessibleName() == "better on 0 · equal on 0 · worse on 1 of 1 query"
    assert not answer.axis.grab().isNull()
    session.close()


def test_no_line_goes_through_the_digits_at_an_end() -> None:
    for wanted in np.linspace(0.0, 200.0, 81):
        centre = beside(float(wanted), 100.0, 22.0)
        assert abs(centre - 100.0) >= 22.0, "the line of no difference is beside the label"
        assert abs(centre - wanted) <= 44.0
        assert centre == wanted or abs(wanted - 100.0) < 22.0
    assert beside(12.0, 14.0, 22.0) == 36.0, "at the left edge there is room at the right only"


@pytest.mark.parametrize(("low", "high"), [(-0.1, 0.25), (-3.0, 7.0), (0.0, 1e-9), (-2e5, 1e5)])
def test_ticks_are_round_and_few(low: float, high: float) -> None:
    places = ticks(low, high)
    assert 2 <= len(places) <= 6 and all(low <= tick <= high for tick in places)
    steps = np.diff(places)
    assert np.allclose(steps, steps[0]) and f"{steps[0]:.0e}"[0] in "125"
    assert ticks(1.0, 1.0) == []


def test_measures_of_answers_have_short_names_and_no_cause_in_the_lists(qtbot: QtBot, theme: Theme) -> None:
    session = Session()
    session.files.open_files([str(ANSWERS / name) for name in (
        "nuggets.jsonl", "alpha.answers.jsonl", "alpha.assignments.jsonl", "beta.answers.jsonl",
        "beta.assignments.jsonl", "qrels.txt", "context.run",
    )])  # fmt: skip
    session.evaluation.set_measure("V_strict")
    session.navigation.set_place("verdict")
    verdict_screen = VerdictScreen(session, theme)
    qtbot.addWidget(verdict_screen)
    verdict_screen.resize(1260, 690)
    verdict_screen.show()
    follow(verdict_screen)
    rows = verdict_screen.queries.findChildren(QueryRow)
    assert rows and not any(row.texts.cause for row in rows)
    texts = [link.text() for link in verdict_screen.answer.findChildren(SentenceLink)]
    assert any(text.startswith("Mean V_strict ") for text in texts)
    picture = verdict_screen.answer.savable()
    assert picture is None or picture.title == "Δ V_strict"
    session.close()


def test_what_a_small_window_cuts_is_reached_by_scrolling(screen: VerdictScreen) -> None:
    for width, scrolls in ((420, True), (1260, False)):
        screen.resize(width, 300)
        for _ in range(3):
            QApplication.processEvents()
        assert (screen.area.horizontalScrollBar().maximum() > 0) is scrolls
        assert screen.area.horizontalScrollBar().isVisible() is scrolls
        assert screen.area.verticalScrollBar().maximum() > 0


@pytest.mark.parametrize("width", [540, 640, 900])
def test_what_was_found_is_never_cut(qtbot: QtBot, theme: Theme, width: int) -> None:
    words = (
        "the mean difference could be from +.2538 to +.2901: 0 unjudged documents, and 8,738 more that it does not read"
    )
    row = ChangeRow(theme, ChangeTexts("judgments", "more judgments", words, "● holds", False), (0.0, 1.0), 0.0, 0.3)
    qtbot.addWidget(row)
    row.resize(width, row.HEIGHT)
    row.show()
    QApplication.processEvents()
    assert " ".join(row.lines()) == words
    assert row.height() >= 16 * len(row.lines())


def test_what_to_do_next_is_never_cut(qtbot: QtBot, theme: Theme) -> None:
    words = "Vea qué podría ganar un reordenador con lo que se recupera demasiado abajo."
    row = StepRow(theme, 2, words, "stages", "Consulta › Etapas")
    qtbot.addWidget(row)
    row.resize(420, row.HEIGHT)
    row.show()
    QApplication.processEvents()
    assert " ".join(row.lines()) == words
    assert row.height() > row.HEIGHT


@pytest.mark.parametrize("width", [604, 624, 1008, 1264])
def test_a_narrow_screen_scrolls_only_down(screen: VerdictScreen, width: int) -> None:
    """The widths of the screen in windows of 620, 640, 1024 and 1280 pixels."""
    screen.resize(width, 500)
    for _ in range(3):
        QApplication.processEvents()
    assert screen.area.horizontalScrollBar().maximum() == 0
    panels = [screen.changes, screen.loss, screen.queries, screen.steps]
    places = [panel.mapTo(screen.area.content, panel.rect().topLeft()) for panel in panels]
    beside = width >= 1000
    assert (places[2].y() == places[0].y()) is beside
    assert all(place.x() + panel.width() <= width for place, panel in zip(places, panels, strict=True))
    assert (screen.answer.axis.x() > 0) is beside, "the axis stands beside the sentences, or below them"
    for button in (screen.answer.run, screen.answer.baseline, screen.answer.family, screen.answer.smallest):
        place = button.mapTo(screen.answer, button.rect().topRight())
        assert place.x() < screen.answer.width()
        assert button.width() >= button.sizeHint().width(), "no button is squeezed"


def test_digits_do_what_the_rows_say(screen: VerdictScreen, qtbot: QtBot) -> None:
    screen.session.result_views.set_parameter("run", "3", "verdict")
    follow(screen)
    led: list[str] = []
    screen.steps.chosen.connect(led.append)
    wanted = [name for name, _ in screen.steps.rows]
    assert 2 <= len(wanted) <= 4
    for number in range(len(wanted)):
        qtbot.keyClick(screen.answer.run, Qt.Key(Qt.Key.Key_1 + number))
        assert led == wanted[: number + 1]
        screen.session.navigation.set_place("verdict")
        follow(screen)
    qtbot.keyClick(screen.answer.run, Qt.Key(Qt.Key.Key_1 + len(wanted)))  # no such row
    qtbot.keyClick(screen.answer.run, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert led == wanted
    qtbot.keyClick(screen.answer.run, Qt.Key(Qt.Key.Key_0 + len(wanted)))
    place, tab = EVIDENCE[wanted[-1]]
    assert (screen.session.view.place, screen.session.view.tab(place)) == (place, tab)


def test_reading_where_it_loses_leaves_these_queries_and_begins_with_the_worst(screen: VerdictScreen) -> None:
    session = screen.session
    session.result_views.set_parameter("run", "3", "verdict")
    follow(screen)
    name, row = screen.steps.rows[0]
    assert name == "losing"
    row.click()
    assert (session.view.place, session.view.tab("queries")) == ("queries", "table")
    context = session.view.context
    assert context is not None and context.focus is not None and context.baseline is not None
    runs = context.collection
    differences = dict(zip(
        context.query_ids,
        (context.values(runs.run(context.focus), context.measure)
         - context.values(runs.run(context.baseline), context.measure)).tolist(),
        strict=True,
    ))  # fmt: skip
    wanted = sorted((query for query, value in differences.items() if value <= -0.1), key=differences.__getitem__)
    assert 1 < len(wanted) < len(differences)
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    shown = list(view_model.query_ids)
    assert sorted(shown) == sorted(wanted)
    assert [differences[query] for query in shown] == sorted(differences[query] for query in wanted)
    assert session.view.query_id == shown[0]


def test_the_answer_is_copied_by_its_key_by_the_menu_and_by_the_command(screen: VerdictScreen, qtbot: QtBot) -> None:
    clipboard = QApplication.clipboard()
    screen.activateWindow()
    said = screen.session.result_views.answer("verdict").shown  # type: ignore[union-attr]
    assert said is not None
    for copying in (
        partial(qtbot.keyClick, screen.changes.rows[0][1], Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier),
        screen.copy_action.trigger,
        screen.copy,
    ):
        clipboard.setText("before")
        copying()
        lines = clipboard.text().split("\n")
        assert lines[: len(said.sentences)] == [remark.text for remark in said.sentences]
        assert said.table("changes").title in lines and screen.session.protocol.line == lines[-1]
        for row in (row for _, row in screen.changes.rows if isinstance(row, ChangeRow)):
            assert any(line.startswith(f"{row.texts.title}: ") and row.texts.found in line for line in lines)
        assert any("of the loss of" in line for line in lines)


def test_the_difference_is_saved_as_a_picture(screen: VerdictScreen, tmp_path: Path) -> None:
    savable = screen.answer.savable()
    assert savable is not None and savable.title == "Δ AP"
    savable.write(str(tmp_path / "figure.svg"))
    words = (tmp_path / "figure.svg").read_text("utf-8")
    assert "better" in words and screen.answer.axis.words.split("\n")[0] in words


def test_nothing_is_copied_while_the_answer_is_covered(screen: VerdictScreen) -> None:
    screen.session.judging.set_blind(True)
    follow(screen)
    QApplication.clipboard().setText("before")
    assert not screen.copy() and QApplication.clipboard().text() == "before"


def test_another_measure_leads_to_the_means_of_all_measures(screen: VerdictScreen) -> None:
    row = next(row for _, row in screen.changes.rows if isinstance(row, ChangeRow) and row.texts.kind == "measure")
    row.click()
    assert screen.session.view.place == "systems"


def test_the_step_of_a_chosen_run_names_it(screen: VerdictScreen) -> None:
    session = screen.session
    session.result_views.set_parameter("run", "3", "verdict")
    assert session.history.undo_label == "Verdict: run 3"
    session.result_views.set_parameter("run", "", "verdict")
    assert session.history.undo_label == "Verdict: run"


def test_the_loss_names_the_run_as_the_window_does(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    paths = write(tmp_path)
    for number in (1, 2):
        (tmp_path / f"{number}.run").rename(tmp_path / f"results_{'ab'[number - 1]}_bm25.run")
    session = Session()
    session.files.open_files([paths[0], *map(str, sorted(tmp_path.glob("results_*.run")))])
    session.navigation.set_place("verdict")
    verdict_screen = VerdictScreen(session, theme)
    qtbot.addWidget(verdict_screen)
    verdict_screen.show()
    follow(verdict_screen)
    names = [label.name for label in session.view.labels()]
    said = verdict_screen.loss_bars.accessibleDescription()
    assert any(f" of the loss of {name} comes" in said for name in names), said
    session.close()


def test_a_screen_reader_tells_the_answer_where_the_keys_begin(
    screen: VerdictScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert screen.focusProxy() is screen.answer.run
    assert screen.answer.headline.text() == screen.answer.run.accessibleDescription() != ""
    read: list[str] = []
    monkeypatch.setattr("irviewer.gui.verdict.screen.announce", lambda _, text: read.append(text))
    screen.session.result_views.set_parameter("run", "3", "verdict")
    follow(screen)
    assert read[-1] == screen.answer.headline.text() == screen.answer.run.accessibleDescription()
    before = len(read)
    follow(screen)
    assert len(read) == before
