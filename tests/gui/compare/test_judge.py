"""The page of a judge on screen: its numbers are those of the view, sentences lead to evidence, keys reach all."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.errors import IrviewerError
from irviewer.gui.compare.judge import JudgeView
from irviewer.gui.compare.screen import CompareScreen
from irviewer.gui.plots.judges.page import GradeBars, HalfWidthPlot, IntervalRow, IntervalRows, PairBar, beside
from irviewer.gui.widgets.controls import SentenceLink
from irviewer.gui.window import MainWindow
from irviewer.model.judgments.judging_task import JudgingTask, TaskRow
from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.model.number_text import quantity, signed_quantity
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from irviewer.views.result import ViewResult
from tests.session.helpers import session_with

pytestmark = pytest.mark.opens("compare", "judge")

MakeWindow = Callable[[Session], MainWindow]
ORIGINS = ("human", "model", "human", "human")


def judged_by(judges: int) -> Session:
    """40 queries with 6 documents, 4 runs, and judges of whom all but the first err now and then."""
    random = np.random.default_rng(5)
    truth = random.integers(0, 4, (40, 6))
    sets = []
    for number in range(judges):
        wrong = random.random(truth.shape) < (0.3 if number else 0.0)
        grades = np.where(wrong, random.integers(0, 4, truth.shape), truth).tolist()
        rows = {f"q{query:02}": {f"d{place}": grade for place, grade in enumerate(row)}
                for query, row in enumerate(grades)}  # fmt: skip
        name = ("person", "model", "second", "third")[number]
        sets.append(JudgmentSet(Qrels.from_dict(rows, name=name), Regime.POOLED,
                                facts=JudgeFacts(ORIGINS[number])))  # type: ignore[arg-type]  # fmt: skip
    runs = [
        Run.from_dict({f"q{query:02}": {f"d{place}": float(truth[query, place] * skill + random.normal())
                                        for place in range(6)} for query in range(40)}, name=name)
        for name, skill in (("good", 2.0), ("fair", 1.2), ("weak", 0.5), ("poor", 0.1))
    ]  # fmt: skip
    session = session_with(Collection("made", judgments=tuple(sets)).with_runs(runs))
    session.protocol.set_number("samples", "100")
    session.judge_comparison.go_to("judge")
    session.compute_now()
    return session


def opened(make_window: MakeWindow, session: Session) -> tuple[MainWindow, JudgeView, ViewResult]:
    window = make_window(session)
    screen = window.current_screen
    assert isinstance(screen, CompareScreen)
    view = screen.view("judge")
    assert isinstance(view, JudgeView)
    screen.load_plots()
    answer = session.result_views.answer("judge")
    assert answer is not None
    assert answer.shown is not None
    return window, view, answer.shown


def said_by(canvas: Any) -> list[str]:
    return str(canvas.accessibleDescription()).split("\n")


def test_all_numbers_are_those_of_the_view(make_window: MakeWindow) -> None:
    session = judged_by(2)
    _, view, shown = opened(make_window, session)
    assert view.headline.text() == shown.sentences[0].text
    for use, text in zip(shown.table("judge").keys, shown.table("judge").column("found").show.texts or (),
                          strict=True):  # fmt: skip
        link = view.uses[str(use)].link
        assert link is not None
        assert link.text() == text
    grades, order, bias, pairs = (panel.canvas for panel in (view.grades, view.order, view.bias, view.pairs))
    assert isinstance(grades, IntervalRows)
    assert isinstance(order, IntervalRows)
    assert isinstance(bias, GradeBars)
    assert isinstance(pairs, PairBar)
    table = shown.table("grades")
    most = table.column("value").values[list(table.keys).index("kappa_level_max")]
    assert len(said_by(grades)) == table.n_rows - 1
    assert quantity(most) in said_by(grades)[0]
    for canvas, name in ((grades, "grades"), (order, "order")):
        words = " ".join(said_by(canvas))
        assert all(quantity(value) in words for value in shown.table(name).column("value").values)
    table = shown.table("bias")
    for line, mean, off in zip(said_by(bias), table.column("mean").values, table.column("bias").values, strict=True):
        assert quantity(mean) in line
        assert signed_quantity(off) in line
    counts = shown.table("pairs").column("all").values
    assert sum(int(line.rsplit(" ", 1)[1]) for line in said_by(pairs)) == sum(counts) == 6
    session.close()


def test_runs_in_the_order_of_their_corrected_means(qtbot: QtBot, make_window: MakeWindow) -> None:
    session = judged_by(2)
    _, view, shown = opened(make_window, session)
    rows = view.means.canvas.widget()  # type: ignore[union-attr]
    assert isinstance(rows, IntervalRows)
    table = shown.table("corrected")
    by_mean = sorted(zip(table.column("corrected").values, table.keys, strict=True), reverse=True)
    assert [line.split(":")[0] for line in said_by(rows)] == [name for _, name in by_mean]
    low, high = rows.axis_ends()
    assert low <= np.nanmin(table.column("interval").parts["low"])
    assert high >= max(table.column("judge").values)
    assert rows.row_at(QPointF(60, rows.row_box(2).center().y())) == 2
    for row in (0, 1):  # the first is the baseline
        qtbot.keyClick(rows, Qt.Key.Key_Down)
        assert rows.current == row
        assert said_by(rows) == [rows.tip_of(row)]
    qtbot.keyClick(rows, Qt.Key.Key_Return)
    assert session.view.tab("compare") == "corrected"
    assert session.view.context is not None
    assert session.view.context.focus is not None
    assert session.view.context.labels[session.view.context.focus].name == by_mean[1][1]
    session.close()


def test_sentences_lead_to_their_evidence(qtbot: QtBot, make_window: MakeWindow) -> None:
    session = judged_by(3)
    session.result_views.set_parameter("judge_name", "second", "judge")
    session.compute_now()
    _, view, _ = opened(make_window, session)
    assert view.judge.text() == "second"
    for use, tab in (("order", "judges"), ("height", "corrected"), ("documents", "agreement")):
        link = view.uses[use].link
        assert link is not None
        qtbot.keyClick(link, Qt.Key.Key_Return)
        assert session.view.tab("compare") == tab
        assert session.judge_comparison.pair == (0, 2)
    assert {row.text() for row in view.sentences.rows if isinstance(row, SentenceLink)}
    session.close()


def test_orders_that_are_one_have_an_axis(make_window: MakeWindow) -> None:
    """Two judges without a turned pair: all values are 1, but for rounding."""
    session = judged_by(2)
    _, view, _ = opened(make_window, session)
    rows = view.order.canvas
    assert isinstance(rows, IntervalRows)
    rows.show_rows("order", [IntervalRow("tau", "τ", 1.0), IntervalRow("tau_ap", "τ-AP", 1 - 2e-16)], None)
    low, high = rows.axis_ends()
    assert (low, high) == pytest.approx((0.5, 1.0))
    assert rows.pixel(1.0) == pytest.approx(rows.pixel(1 - 2e-16))
    assert rows.pixel(1.0) == pytest.approx(rows.area().right())
    rows.show_rows("order", [IntervalRow("tau", "τ", 0.9, -0.2, 0.98)], None)
    assert rows.axis_ends()[1] == 1.0  # no τ lies beyond
    assert all(value <= 1.0 for value, _ in rows.ticks())
    session.close()


def test_without_corrected_means_the_values_are_known(make_window: MakeWindow) -> None:
    session = judged_by(2)
    session.result_views.set_parameter("human", 40, "judge")
    session.compute_now()
    _, view, shown = opened(make_window, session)
    assert view.means.title == shown.table("height").title
    rows = view.means.canvas.widget()  # type: ignore[union-attr]
    assert all(row.filled for row in rows.rows)
    assert sorted(row.value for row in rows.rows) == sorted(shown.table("height").column("reference").values)
    assert said_by(view.widths.canvas) == ["No half-width is known."]
    said = {remark.code: remark.text for remark in shown.sentences}
    assert view.needed_words.rows[0].text() == said["corrected"]  # type: ignore[attr-defined]
    session.close()


def test_one_second_person_is_a_mark_of_the_orders(make_window: MakeWindow) -> None:
    session = judged_by(3)
    _, view, shown = opened(make_window, session)
    lines = said_by(view.order.canvas)
    values = shown.table("ceiling")
    assert lines[0].endswith(f"; two people {quantity(values.column('tau').values[0])}")
    assert lines[1].endswith(f"; two people {quantity(values.column('tau_ap').values[0])}")
    assert "two people" not in lines[2]
    assert view.order._note.text().endswith(" · | two people")  # beside the title, where no interval strikes it out
    session.close()


def test_a_half_width_is_typed_and_drawn(qtbot: QtBot, make_window: MakeWindow) -> None:
    session = judged_by(2)
    window, view, shown = opened(make_window, session)
    plot = view.widths.canvas
    assert isinstance(plot, HalfWidthPlot)
    table = shown.table("widths")
    ends = [quantity(table.column(key).values[-1]) for key in ("corrected", "alone")]
    assert said_by(plot)[-1] == f"40 queries: corrected ±{ends[0]}, alone ±{ends[1]}"
    view.half.line.setFocus()
    view.half.line.setText("0.1")
    qtbot.keyClick(view.half.line, Qt.Key.Key_Return)
    assert session.result_views.parameters_of("judge")["half_width"] == 0.1
    session.compute_now()
    window.flush()
    said = {remark.code: remark.text for remark in session.result_views.answer("judge").shown.sentences}  # type: ignore[union-attr]
    assert view.needed_words.rows[0].text() == said["needed"]  # type: ignore[attr-defined]
    for text in ("zero", "-1"):
        view.half.used.emit(text)
        assert session.result_views.parameters_of("judge")["half_width"] == 0.1
    menu = view.against_menu()
    assert [action.text() for action in menu.actions()][:2] == ["means", "differences from good"]
    menu.actions()[1].trigger()
    assert session.result_views.parameters_of("judge")["against"] == "good"
    session.close()


def test_people_and_the_price_of_one(make_window: MakeWindow) -> None:
    session = judged_by(4)
    _, view, shown = opened(make_window, session)
    assert {table.name for table in shown.tables} >= {"people", "epsilon", "stress", "ceiling"}
    for name in ("people", "epsilon", "stress", "ceiling"):
        assert not view.tables[name].isHidden()
        assert view.tables[name].result_table is shown.table(name)
    assert view.tables["length"].isHidden()
    assert [action.text() for action in view.judge_menu().actions()] == ["model", "second", "third"]
    view.judge_menu().actions()[2].trigger()
    assert session.result_views.parameters_of("judge")["judge_name"] == "third"
    session.close()


@pytest.mark.parametrize("width", [260, 300, 420, 900])
@pytest.mark.parametrize("values", [(0.75, 1.0), (0.0, 1.0), (-1.0, 1.0), (0.503, 0.512), (0.62, 0.62)])
def test_the_numbers_of_an_axis_have_room(make_window: MakeWindow, width: int, values: tuple[float, float]) -> None:
    rows = [IntervalRow("a", "τ-b of the 5 best", values[0]), IntervalRow("b", "τ-AP", values[1])]
    session = judged_by(2)
    window = make_window(session)
    canvas = IntervalRows(session, window.theme)
    canvas.resize(width, 120)
    canvas.show_rows("rows", rows, None)
    metrics = QFontMetricsF(window.theme.font(8.5, numbers=True))
    boxes = [(canvas.pixel(value), metrics.horizontalAdvance(text)) for value, text in canvas.ticks()]
    assert 2 <= len(boxes) <= 8
    for (left, wide), (right, other) in pairwise(boxes):
        assert left + wide / 2 < right - other / 2
    session.close()


def test_names_without_room_take_two_lines(make_window: MakeWindow) -> None:
    """At 1024 × 640 two rows were called “agreement …n-relevant” and in Spanish the same."""
    names = ("agreement on relevant", "agreement on non-relevant", "same grade")
    session = session_with()
    window = make_window(session)
    canvas = IntervalRows(session, window.theme)
    rows = [IntervalRow(name, name, 0.5, 0.4, 0.6, words=name) for name in names]
    heights = []
    for width in (255, 600):
        canvas.resize(width, 10)
        canvas.show_rows("rows", rows, (0.0, 1.0))
        canvas.resize(width, canvas.minimumHeight())
        shown = [canvas.name_lines(row) for row in rows]
        assert ["".join(lines).replace(" ", "") for lines in shown] == [name.replace(" ", "") for name in names]
        line = QFontMetricsF(window.theme.font(8)).height()
        assert all(line * len(lines) <= canvas.row_height() + 2 for lines in shown)
        heights.append((max(map(len, shown)), canvas.row_height()))
    assert heights[0][0] == 2 and heights[1][0] == 1
    session.close()


def test_turned_pairs_beyond_the_listed_are_counted(make_window: MakeWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irviewer.gui.compare.judge.MOST_PAIRS", 1)
    random = np.random.default_rng(3)
    rows = [{f"q{query}": {f"d{place}": int(grade) for place, grade in enumerate(row)}
             for query, row in enumerate(random.integers(0, 4, (6, 8)))} for _ in range(2)]  # fmt: skip
    sets = [JudgmentSet(Qrels.from_dict(each, name=name), Regime.POOLED)
            for each, name in zip(rows, ("one", "other"), strict=True)]  # fmt: skip
    listed = [{query: {doc: random.random() for doc in docs} for query, docs in rows[0].items()} for _ in range(6)]
    runs = [Run.from_dict(each, name=f"r{number}") for number, each in enumerate(listed)]
    session = session_with(Collection("made", judgments=tuple(sets)).with_runs(runs))
    session.judge_comparison.go_to("judge")
    session.compute_now()
    _, view, shown = opened(make_window, session)
    turned = shown.table("turned").n_rows
    assert turned > 2
    texts = [row.text() for row in view.turned.rows]  # type: ignore[attr-defined]
    assert texts[1] == f"and {turned - 1} more"
    assert len(texts) == 2 + len(shown.table("pairs").notes)
    session.close()


def test_a_fault_in_place_of_the_answer(make_window: MakeWindow) -> None:
    session = judged_by(2)
    session.result_views.set_parameter("judge_name", "nobody", "judge")
    session.compute_now()
    window = make_window(session)
    view = window.current_screen.shown  # type: ignore[attr-defined]
    assert view.headline.text() == "There is no judge nobody. The judges are model."
    assert all(panel.isHidden() for panel in view.plots)
    session.result_views.set_parameter("judge_name", "model", "judge")
    session.compute_now()
    window.flush()
    assert view.answer._note.text().startswith("240 pairs judged by both")
    session.result_views.set_parameter("judge_name", "nobody", "judge")
    session.compute_now()
    window.flush()
    assert not view.answer._note.text()  # no numbers of the former answer
    with pytest.raises(IrviewerError):
        session.result_views.set_parameter("strength", 7.0, "judge")
    session.close()


def test_narrow_panels_come_below_each_other_before_it_scrolls_sideways(make_window: MakeWindow) -> None:
    """At twice the scale a window of 1280 pixels is 640 wide."""
    window, view, _ = opened(make_window, judged_by(3))
    panels = (view.grades, view.order, view.means, view.bias, view.pairs, view.widths, view.needed, view.rest)

    def places(width: int, height: int) -> list[QRect]:
        window.resize(width, height)
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        assert view.area.horizontalScrollBar().maximum() == 0, width
        areas = [QRect(panel.mapTo(view.area.content, panel.rect().topLeft()), panel.size()) for panel in panels]
        assert all(not a.intersects(b) for a, b in combinations(areas, 2))
        return areas

    wide = places(1280, 800)
    narrow = places(640, 400)
    assert len({place.left() for place in wide}) == 3
    assert len({place.left() for place in narrow}) == 2
    assert all(place.width() >= 250 and place.height() >= 140 for place in narrow)
    assert places(1280, 800) == wide


@pytest.mark.parametrize("panel", ["grades", "order", "bias"])
def test_no_line_of_the_sentences_below_a_picture_is_cut(make_window: MakeWindow, panel: str) -> None:
    window, view, _ = opened(make_window, judged_by(2))
    note = view.notes[getattr(view, panel)]
    note.setText(" ".join(["The scales of both judges differ."] * 11))
    for width in (1280, 640):
        window.resize(width, 800)
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        assert note.height() >= note.heightForWidth(note.width()) > 60, width


def test_nothing_scrolls_within_the_page_but_a_table(make_window: MakeWindow) -> None:
    """All sentences are in sight, of which there were two of five at 1920 pixels."""
    window, view, _ = opened(make_window, judged_by(3))
    for size in ((1920, 1080), (1280, 800), (640, 400)):
        window.resize(*size)
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        for panel, sentences in ((view.pairs, view.turned), (view.needed, view.needed_words),
                                 (view.rest, view.sentences)):  # fmt: skip
            assert sentences.rows
            for row in sentences.rows:
                foot = row.mapTo(panel, QPoint(0, row.height())).y()
                assert row.height() >= row.heightForWidth(row.width()) and foot <= panel.height(), size


def test_what_was_sampled_is_chosen_by_keys_and_kept(qtbot: QtBot, make_window: MakeWindow) -> None:
    """The person judged a sample of documents: P@3 is corrected by it, differences are listed, and whole queries are
    refused with the reason."""
    session = judged_by(2)
    person, model = (each for each in session.view.collection.judgments)  # type: ignore[union-attr]
    drawn = {query: {doc: grade for doc, grade in person.qrels.judgments(query).items() if doc in ("d0", "d3", "d4")}
             for query in person.qrels.query_ids}  # fmt: skip
    rows = tuple(TaskRow(query, doc, grade, query, 0.5) for query, own in drawn.items() for doc, grade in own.items())
    sampled = JudgmentSet(Qrels.from_dict(drawn, name="person"), Regime.POOLED, task=JudgingTask("pair", rows),
                          facts=person.facts)  # fmt: skip
    runs = [entry.run for entry in session.view.collection.system_runs]  # type: ignore[union-attr]
    session.close()
    session = session_with(Collection("made", judgments=(sampled, model)).with_runs(runs))
    session.protocol.set_number("samples", "100")
    session.evaluation.set_measure("P@3")
    session.judge_comparison.go_to("judge")
    session.result_views.set_parameter("against", "weak", "judge")
    session.compute_now()
    _, view, shown = opened(make_window, session)
    table = view.tables["differences"]
    assert table.isVisible()
    assert table.table.model().rowCount() == shown.table("differences").n_rows == 3
    assert "How many documents a half-width takes is not computed" in said_in(view)
    control = view.parameters.controls["sampled"]
    assert control.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert "as its file says" in control.text()  # type: ignore[attr-defined]
    session.result_views.set_parameter("sampled", "queries", "judge")
    session.compute_now()
    qtbot.waitUntil(lambda: "queries" in control.text())  # type: ignore[attr-defined]
    assert not table.isVisible()
    assert "not whole queries" in said_in(view)
    assert control.isVisible()
    session.close()


def said_in(view: JudgeView) -> str:
    return " ".join(str(row.text()) for row in view.needed_words.rows)  # type: ignore[attr-defined]


def test_names_below_a_bar_are_beside_each_other_within_it() -> None:
    """The name of the last part, a narrow one, was cut at the right."""
    assert beside([0.0, 380.0, 420.0, 590.0], [100.0, 110.0, 110.0, 90.0], 0.0, 610.0) == [0.0, 300.0, 410.0, 520.0]
    assert beside([0.0, 50.0, 60.0], [40.0, 5.0, 20.0], 0.0, 100.0) == [0.0, 50.0, 60.0]
    assert beside([4.0, 60.0], [80.0, 80.0], 4.0, 100.0) == [4.0, 84.0]
