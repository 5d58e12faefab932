"""The panel of a view: its parameters, sorting and filtering, and files that are those of the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import latency_view
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from irviewer.cli.main import main
from irviewer.gui.compare.screen import CompareScreen, MoreViewsView
from irviewer.gui.tables.model import VALUE
from irviewer.gui.tables.view_panel import ViewPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton
from irviewer.gui.widgets.number_field import NumberField
from irviewer.gui.widgets.parameter_bar import ParameterBar, text_of
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session
from irviewer.translation import use_decimal_comma
from irviewer.views import manifest


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    return latency_view.write_collection(tmp_path)


@pytest.fixture
def panel(
    qtbot: QtBot, theme: Theme, tmp_path: Path, paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[ViewPanel]:
    monkeypatch.setitem(manifest._added, latency_view.NAME, latency_view.latency_view())
    session = Session()
    session.files.open_files(paths)
    session.result_views.choose(latency_view.NAME)
    screen = CompareScreen(session, theme)
    qtbot.addWidget(screen)
    screen.resize(1100, 500)
    screen.show()
    view = screen.view("views")
    assert isinstance(view, MoreViewsView)
    follow(view.panel)
    yield view.panel


def follow(panel: ViewPanel) -> None:
    """What the window does after a change."""
    panel.session.compute_now()
    panel.refresh(EVERY_CHANGE)


def column(panel: ViewPanel, name: str) -> list[object]:
    section = panel.model.column_of(name)
    return [panel.model.data(panel.model.index(row, section), VALUE) for row in range(panel.model.rowCount())]


def test_the_view_is_a_table_with_its_line_and_its_parameters(panel: ViewPanel) -> None:
    assert (panel.views.text(), panel.title) == ("Latency", "Cost of a query")
    assert panel._note.text() == "4 queries · graded, level ≥ 1 · unjudged: unknown"
    assert column(panel, "run") == ["bm25", "dense", "other"] and column(panel, "cost") == [3.3, 0.1, None]
    cost, budget = panel.parameters.controls["cost"], panel.parameters.controls["budget"]
    assert isinstance(cost, ChoiceButton) and cost.text() == "cost: ms"
    assert isinstance(budget, NumberField) and budget.line.text() == "50"
    assert [action.text() for action in panel.views_menu().actions()] == [
        title for _, title in panel.session.result_views.listed()
    ]


def test_the_chosen_view_is_named_whole_in_a_narrow_window(panel: ViewPanel) -> None:
    """At 200 % its button was cut, beside a title that says the same."""
    panel.resize(620, 300)
    panel.layout().activate()
    assert panel.views.width() >= panel.views.natural_width
    assert not panel._title.isVisible()
    panel.resize(1200, 300)
    assert panel._title.isVisible()


def test_tables_without_a_title_have_a_name_in_their_chooser(panel: ViewPanel) -> None:
    """The button had an arrow only, and its menu empty lines."""
    panel.session.runs.set_baseline(panel.session.view.labels()[0].key)
    panel.session.result_views.choose("comparison")
    follow(panel)
    assert len(panel.listed) > 1 and not panel.listed[0].title
    assert panel.tables.text() == panel.views.text()
    texts = [action.text() for action in panel.tables_menu().actions()]
    assert all(texts) and len(set(texts)) == len(texts)


def test_the_only_group_of_rows_is_the_title_and_no_column(panel: ViewPanel) -> None:
    panel.session.runs.set_baseline(panel.session.view.labels()[0].key)
    panel.session.result_views.choose("comparison")
    follow(panel)
    assert panel.title == "nDCG@10, 4 queries, compared with bm25"
    table = panel.result_table
    assert table is not None and (table.group, table.columns[0].key) == ("measure", "measure")  # as files have it
    assert "measure" not in [each.id for each in panel.model.columns]
    assert panel.model.columns[0].id == "run"
    assert panel.model.rowCount() == table.n_rows


def test_parameters_compute_it_anew(panel: ViewPanel) -> None:
    next(action for action in panel.parameters.menu_of("cost").actions() if action.text() == "size").trigger()
    follow(panel)
    assert column(panel, "cost") == [1.0, 2.0, None]
    panel.parameters.typed.emit("budget", "4")
    follow(panel)
    assert column(panel, "of_budget") == [0.25, 0.5, None]
    panel.parameters.typed.emit("budget", "much")
    assert "budget is 'much'; it must be a number" in panel.notice.text()
    assert panel.session.result_views.parameters["budget"] == 4.0


def test_rows_are_sorted_and_filtered_and_files_are_not(panel: ViewPanel, tmp_path: Path, paths: list[str]) -> None:
    panel.table.sort_requested.emit("cost", False)
    assert column(panel, "run") == ["dense", "bm25", "other"], "without a value last"
    panel.table.sort_requested.emit("cost", True)
    assert column(panel, "run") == ["bm25", "dense", "other"]
    panel.filter.used.emit("cost > 1")
    assert column(panel, "run") == ["bm25"]
    panel.filter.used.emit("cost >")
    assert panel.model.rowCount() == 3 and panel.filter.hint is not None
    panel.filter.used.emit("cost > 1")
    arguments = [*paths[:-1], "--run-attributes", paths[-1]]
    for ending, form in ((".csv", "csv"), (".tsv", "tsv"), (".tex", "latex"), (".md", "markdown"), (".txt", "table")):
        panel.savable().write(str(tmp_path / f"window{ending}"))
        target = tmp_path / f"command{ending}"
        assert main(["show", latency_view.NAME, *arguments, "--format", form, "-o", str(target)]) == 0
        assert (tmp_path / f"window{ending}").read_bytes() == target.read_bytes(), ending
    panel.savable().write(str(tmp_path / "window.json"))
    table = json.loads((tmp_path / "window.json").read_text())["tables"][0]
    assert [row["run"] for row in table["rows"]] == ["bm25", "dense", "other"]


def test_enter_makes_a_run_the_focus(panel: ViewPanel) -> None:
    panel.table.row_activated.emit(1)
    context = panel.session.view.context
    assert context is not None and context.labels[context.focus].name == "dense"  # type: ignore[index]


def test_why_there_is_nothing_is_said(panel: ViewPanel, theme: Theme, qtbot: QtBot) -> None:
    panel.session.result_views.set_parameter("cost", "euros")
    follow(panel)
    assert panel.model.rowCount() == 0
    assert panel.table.accessibleDescription() == "The runs have no attribute euros; they have ms, size."
    empty = ViewPanel(Session(), theme)
    qtbot.addWidget(empty)
    empty.refresh(EVERY_CHANGE)
    assert empty.table.accessibleDescription() == "Nothing is open." and not empty.save.isEnabled()


def test_every_control_has_a_name_for_screen_readers(panel: ViewPanel) -> None:
    for control in panel.parameters.controls.values():
        named = control.line if isinstance(control, NumberField) else control
        assert named.accessibleName() or isinstance(named, QCheckBox)
    assert panel.model.headerData(1, Qt.Orientation.Horizontal) == "nDCG@10"


def test_every_parameter_is_shown_whole(panel: ViewPanel) -> None:
    """Those of a plan need two rows at 1100 pixels, and one each where the panel is narrow."""
    panel.session.result_views.choose("plan")
    follow(panel)
    bar = panel.parameters
    looks = bar.controls["look_at"]
    assert isinstance(looks, NumberField)
    assert looks.line.width() > looks.line.fontMetrics().horizontalAdvance("50, 100, 150") + 10
    for width, rows in ((1100, 2), (220, 11), (4000, 1)):
        bar.resize(width, bar.height())
        boxes = [control.geometry() for control in bar.controls.values()]
        assert len({box.center().y() for box in boxes}) >= rows
        for control, box in zip(bar.controls.values(), boxes, strict=True):
            assert bar.rect().contains(box)
            assert box.width() >= min(control.sizeHint().width(), width - 24)
        assert not any(box.intersects(other) for box in boxes for other in boxes if box is not other)


def test_hidden_characters_of_a_choice_are_escapes(theme: Theme, qtbot: QtBot) -> None:
    run = "a\u200b\u202eb"
    bar = ParameterBar(theme)
    qtbot.addWidget(bar)
    parameters = tuple(each for each in manifest.view_named("reproduction").parameters if each.name == "original")
    bar.show_parameters(parameters, {"original": run}, lambda parameter: ("", run))
    button = bar.controls["original"]
    assert isinstance(button, ChoiceButton)
    assert button.text() == r"A: a\u200b\u202eb"
    empty, chosen = bar.menu_of("original").actions()
    assert (empty.text(), chosen.text(), chosen.data()) == ("(not chosen)", r"a\u200b\u202eb", ("original", run))


def test_a_zero_that_is_no_number_is_a_word(theme: Theme, qtbot: QtBot) -> None:
    """The field is empty and says what holds then; a code is shown as people read it, and chosen as what it is."""
    plan = manifest.view_named("plan")
    values = {each.name: each.default for each in plan.parameters}
    bar = ParameterBar(theme)
    qtbot.addWidget(bar)
    bar.show_parameters(plan.parameters, values, lambda parameter: parameter.choices)
    shown = {name: control.line for name, control in bar.controls.items() if isinstance(control, NumberField)}
    assert (shown["comparisons"].text(), shown["comparisons"].placeholderText()) == ("", "declared")
    assert (shown["true"].text(), shown["true"].placeholderText()) == ("0", "")
    spending = bar.controls["spending"]
    assert isinstance(spending, ChoiceButton)
    assert spending.text() == "spending: O'Brien–Fleming"
    first, _ = bar.menu_of("spending").actions()
    assert (first.text(), first.data(), first.isChecked()) == ("O'Brien–Fleming", ("spending", "obrien-fleming"), True)
    bar.show_parameters(plan.parameters, {**values, "comparisons": 3}, lambda parameter: parameter.choices)
    assert shown["comparisons"].text() == "3"


def test_an_emptied_field_is_what_its_word_says(panel: ViewPanel) -> None:
    service = panel.session.result_views
    service.choose("plan")
    follow(panel)
    for typed, taken in (("3", 3), ("", 0)):
        panel.parameters.typed.emit("comparisons", typed)
        assert service.parameters_of("")["comparisons"] == taken
    panel.parameters.typed.emit("power", "")
    use_decimal_comma(True)
    try:
        panel.parameters.typed.emit("power", "0,9")
        assert service.parameters_of("")["power"] == 0.9
        assert text_of(0.9) == "0,9"
        panel.parameters.typed.emit("power", "0,8")
    finally:
        use_decimal_comma(False)
    assert service.parameters_of("")["power"] == 0.8, "an empty field of another parameter is no number"


def test_a_few_rows_do_not_scroll_in_a_low_window(panel: ViewPanel, qtbot: QtBot) -> None:
    """A scroll bar stood beside two rows."""
    view = panel.parent()
    while not isinstance(view, MoreViewsView):
        assert view is not None
        view = view.parent()
    qtbot.addWidget(view)
    view.setParent(None)
    view.resize(1000, 400)
    view.show()
    follow(panel)
    assert panel.model.rowCount() < 5
    assert view.scrolled.verticalScrollBar().maximum() == 0
    assert panel.table.verticalScrollBar().maximum() == 0


def test_the_figure_of_a_view_is_below_its_tables(panel: ViewPanel) -> None:
    session, view = panel.session, panel.parent()
    while not isinstance(view, MoreViewsView):
        assert view is not None
        view = view.parent()
    assert view.figure.isHidden(), "the latency view draws nothing"
    session.result_views.choose("plan")
    session.result_views.set_parameter("size", 0.1, "plan")
    follow(panel)
    view.load_plots()
    canvas = view.figure.canvas
    assert panel.shown is not None and not view.figure.isHidden()
    assert canvas is not None and canvas.figure is not None  # type: ignore[attr-defined]
    (drawn,) = panel.shown.figures
    assert canvas.figure.curves[0].y.tolist() == drawn.curves[0].y.tolist()  # type: ignore[attr-defined]
    assert view._legend is not None
    needed = panel.shown.value.rows[0].plan.needed
    place = drawn.curves[0].x.tolist().index(needed)
    said = [f"{curve.label} {curve.y[place]:.4f}" for curve in drawn.curves]
    assert [entry.label for entry in view._legend.painted_entries] == said
    assert drawn.curves[0].y[place - 1] < 0.8 <= drawn.curves[0].y[place]
    first = session.view.context.collection.runs[0]  # type: ignore[union-attr]
    session.runs.remove_run(first.key)
    session.result_views.choose("curves")
    follow(panel)
    keys = {entry.name: entry.key for entry in session.view.context.collection.runs}  # type: ignore[union-attr]
    shown = {curve.label: curve.role.run for curve in canvas.figure.curves}  # type: ignore[attr-defined]
    assert shown == keys and 0 not in keys.values()
