"""What the bars and the warnings keep between edits is what those say that are made anew and keep nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.gui.bars.protocol_bar import ProtocolBar
from irviewer.gui.bars.top_bar import TopBar
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.window import MainWindow
from irviewer.session.evaluation.caveats import find_caveats, share_caveats
from irviewer.session.protocol.in_view import bound_protocol
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("compare", "pair")


def row(switch: Segmented) -> list[object]:
    """What is shown of a row of choices."""
    return [switch.folded, *((each.shown_text, each.tight, not each.isHidden() and each.geometry().getRect())
                             for each in switch.buttons.values())]  # fmt: skip


def shown(bar: TopBar, line: ProtocolBar) -> list[object]:
    """What is shown of the bars."""
    QApplication.processEvents()
    choices = (bar.collection_button, bar.judge_button, bar.measure_button, bar.baseline_button)
    return [
        *((each.isHidden(), each.toolTip(), each.shown_text(each.width())) for each in choices),
        *((each.isHidden(), each.text()) for each in (bar.summary, bar.mark)),
        bar.mark.shown_text, row(bar.place_buttons), line.text, line.toolTip(),
        [(each.text(), each.isHidden()) for each in line.buttons], line.more.isHidden(),
    ]  # fmt: skip


def test_what_is_kept_is_what_is_made_anew(
    qtbot: QtBot, window: MainWindow, session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    assert session.view.collection is not None
    first, second, *_ = [entry.key for entry in session.view.collection.runs]
    copy = session.run_editing.edit_copy(first)
    assert copy is not None
    query = session.view.query_id
    listed = session.view.collection.runs[0].run.ranking(query, 3)
    present = str(session.view.measure)

    def few() -> None:
        session.query_sets.make_query_set("few", [query], looked=False)
        session.query_sets.set_query_set("few")

    steps: tuple[Callable[[], object], ...] = (
        lambda: session.judging.judge(listed[0], 1.0),
        lambda: session.judging.judge(listed[1], 0.0),
        lambda: session.run_editing.shift_document(copy, listed[0], 1),
        lambda: session.runs.show_run(second, False),
        lambda: session.evaluation.set_measure("P@1000"),
        lambda: window.resize(980, 700),
        session.history.undo,
        lambda: session.evaluation.set_measure(present),
        lambda: session.runs.rename_run(first, "another_name_of_many_words"),
        lambda: window.resize(1500, 700),
        session.history.undo,
        lambda: session.protocol.set_taking_part(second, False),
        few,
        lambda: session.runs.remove_run(second),
        session.history.undo,
    )
    for step in steps:
        step()
        window.flush()
        bar, line = TopBar(session, window.theme), ProtocolBar(session, window.theme)
        bar.show_menu_button(not window.top_bar._menu_part.isHidden())
        for new, old in ((bar, window.top_bar), (line, window.protocol_bar)):
            qtbot.addWidget(new)
            new.resize(old.size())
            new.show()
        assert shown(window.top_bar, window.protocol_bar) == shown(bar, line)
        context, bound = session.view.context, session.view.protocol
        assert context is not None
        alone = replace(context, evaluation=Evaluation())
        assert bound == bound_protocol(alone, session.state.protocol)
        assert find_caveats(context) == find_caveats(alone)
        assert share_caveats(context) == share_caveats(alone)
        assert context.unmatched == alone.unmatched
        for key, without in alone.unreached.items():
            assert np.array_equal(context.unreached[key], without)
    other = make_window(session)
    other.resize(window.size())
    for each in (window, other):
        each.flush()
    assert shown(window.top_bar, window.protocol_bar) == shown(other.top_bar, other.protocol_bar)
    strips = [each._screens["compare"].strip for each in (window, other)]
    assert row(strips[0]) == row(strips[1])


def test_layouts_know_the_present_width_of_a_row(qtbot: QtBot, theme: Theme) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    layout = QHBoxLayout(around)
    switch = Segmented(theme, (("a", "Some", ""), ("b", "Others", "")), around)
    layout.addWidget(switch)
    switch.set_tight(False)
    wide = layout.sizeHint().width()
    switch.buttons["b"].setVisible(False)
    switch.set_tight(False)
    hidden = switch.buttons["b"].width_of(False)
    assert layout.sizeHint().width() == wide - hidden
    switch.buttons["a"].show_lack("nothing")
    switch.set_tight(False)
    assert layout.sizeHint().width() > wide - hidden
