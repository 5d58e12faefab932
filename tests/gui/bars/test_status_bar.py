"""The legend shows the signs that can occur, and no other."""

from __future__ import annotations

import math

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.bars.status_bar import APART, LEGIBLE, Parts, StatusBar, signs
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import JudgmentSet, Regime
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


def legend(grades: list[float], regime: Regime) -> list[tuple[str, str]]:
    qrels = Qrels.from_dict({"1": {f"d{n}": grade for n, grade in enumerate(grades)}})
    return [
        (" ".join("…" if g is None else "?" if math.isnan(g) else f"{g:g}" for g in sign.grades), sign.meaning)
        for sign in signs(JudgmentSet(qrels, regime))
    ]


@pytest.mark.parametrize(
    ("grades", "regime", "expected"),
    [
        ([1, 2, 5], Regime.COMPLETE, [("1 2 5", "grade"), ("0", "non-relevant")]),
        ([0, 1], Regime.POOLED, [("1", "relevant"), ("0", "judged non-relevant"), ("?", "unjudged")]),
        ([1], Regime.SPARSE, [("1", "relevant"), ("?", "unjudged")]),
        ([-1, 0, 2], Regime.POOLED, [("2", "relevant"), ("0", "judged non-relevant"), ("-1 ?", "unjudged")]),
        (
            [1, 2, 3, 4, 5, 6, 7, 8],
            Regime.COMPLETE,
            [("1 2 3 … 7 8", "grade"), ("0", "non-relevant")],
        ),
    ],
)
def test_signs(grades: list[float], regime: Regime, expected: list[tuple[str, str]]) -> None:
    assert legend(grades, regime) == expected


def test_no_judgments_no_signs() -> None:
    assert signs(None) == ()


@pytest.mark.opens("query")
def test_the_legend_follows_regime_and_place(window: MainWindow, session: Session) -> None:
    bar = window.status_bar
    assert [sign.meaning for sign in bar.legend.shown] == ["grade", "judged non-relevant", "unjudged"]
    session.evaluation.set_regime(Regime.COMPLETE)
    window.flush()
    assert [sign.meaning for sign in bar.legend.shown] == ["grade", "non-relevant"]
    session.navigation.set_place("systems")
    window.flush()
    assert bar.legend.shown == ()


@pytest.mark.opens("query")
def test_warnings_are_in_the_line(window: MainWindow, session: Session) -> None:
    assert session.view.caveats
    assert all(caveat in window.status_bar.caveats.text() for caveat in session.view.caveats)


def test_judged_only_lists_show_no_unjudged_sign() -> None:
    judgments = JudgmentSet(Qrels.from_dict({"1": {"a": 1, "b": 0, "c": -1}}), Regime.POOLED)
    assert [sign.meaning for sign in signs(judgments, judged_only=True)] == ["relevant", "judged non-relevant"]


def test_the_queries_that_numbers_are_of(window: MainWindow, session: Session) -> None:
    bar = window.status_bar
    assert bar.queries.text() == "all 3 queries ▾"
    session.query_sets.make_query_set("hard ones", ("1", "3"), "made", "by hand")
    for place in ("verdict", "systems", "queries", "query", "compare"):
        session.navigation.set_place(place)
        window.flush()
        assert bar.queries.isVisible()
    menu = bar.queries_menu()
    names = [action.text() for action in menu.actions()]
    assert names[:2] == ["all queries", "hard ones"]
    assert "Open query sets…" in names
    assert [action.isChecked() for action in menu.actions()[:2]] == [True, False]
    menu.actions()[1].trigger()
    window.flush()
    assert session.query_sets.query_set == "hard ones"
    assert bar.queries.text() == "hard ones: 2 queries ▾"
    assert [action.isChecked() for action in bar.queries_menu().actions()[:2]] == [False, True]


def test_a_part_without_room_for_something_legible_goes(window: MainWindow, session: Session) -> None:
    session.navigation.set_place("query")
    window.flush()
    bar = StatusBar(session, window.theme)
    bar.judged.setText("4 documents judged by Ada in qrels.txt")
    bar._want(bar.judged, True)
    bar.show()
    seen = set()
    for width in range(1400, 40, -20):
        bar.resize(width, bar.height())
        QApplication.processEvents()
        assert bar.width() == width
        for part in (bar.queries, bar.judged):
            if part.isVisible():
                assert part.width() >= min(part.sizeHint().width(), LEGIBLE)
        if bar.caveats.isVisible():
            assert bar.caveats.width() >= min(bar.caveats.sizeHint().width(), LEGIBLE)
        seen.add((bar.queries.isVisible(), bar.judged.isVisible(), bar.caveats.isVisible()))
        tip = bar.toolTip()
        assert (bar.judged.text() in tip) is not bar.judged.isVisible()
        assert (bar.caveats.text() in tip) is not bar.caveats.isVisible()
    assert {(True, True, True), (True, True, False), (True, False, False), (False, False, False)} <= seen
    bar.deleteLater()


def test_keys_without_room_are_left_out_whole(qtbot: QtBot, theme: Theme) -> None:
    """At 200 % "+ new tag, Enter open the query" was "+ ...er open the query"."""
    label = Parts()
    label.whole = True
    label.setFont(theme.font(9))
    qtbot.addWidget(label)
    parts = ["Space examined, next", "1–9 tag (no grade)", "+ new tag", "Enter open the query"]
    label.setText(APART.join(parts))
    for height, most in ((16, 1), (40, 2)):
        counts = []
        for width in range(150, 700, 25):
            label.resize(width, height)
            lines = label.shown_lines()
            shown = APART.join(lines).split(APART)
            assert shown == parts[: len(shown)] and len(lines) <= most
            counts.append(len(shown))
        assert counts == sorted(counts) and (counts[0], counts[-1]) == (most, 4)
    label.resize(60, 16)
    assert "…" in label.shown_lines()[0], "a single part is cut"


def test_warnings_without_room_are_cut_with_a_sign(window: MainWindow, session: Session) -> None:
    """One that was left out whole was not missed: nothing said that there were more."""
    bar = window.status_bar
    bar.refresh()
    bar.caveats.setText(APART.join(["beta lacks query 3: counted as 0", "values are over 2 queries of the set short"]))
    for height in (16, 40):
        for width in range(120, 340, 20):
            bar.caveats.resize(width, height)
            lines = bar.caveats.shown_lines()
            assert "…" in lines[-1] or "".join(lines).endswith("short"), lines
