"""Colours of runs: given when a run is first shown, kept for good, different for runs seen together."""

from __future__ import annotations

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.rendering.palette import LIGHT
from irviewer.session.session import Session
from tests.session.helpers import session_with

HUES = len(LIGHT.runs)


def many_runs(n: int) -> Session:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0}})
    runs = [Run.from_dict({"1": {"a": 1.0 + number, "b": float(n)}}, name=f"run{number}") for number in range(n)]
    collection = Collection("many", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs(runs)
    return session_with(collection)


def slots(session: Session) -> dict[int, int]:
    return {label.key: label.slot for label in session.view.labels() if label.shown}


def test_runs_seen_together_differ_in_hue_however_many_are_open() -> None:
    session = many_runs(40)
    for key in (38, 12, 24, 36, 13):
        session.runs.show_run(key, True)
    hues = [slot % HUES for slot in slots(session).values()]
    assert len(hues) >= 8
    assert len(set(hues)) == len(hues)


def test_a_run_keeps_its_colour_when_it_is_hidden_and_shown_again() -> None:
    session = many_runs(40)
    session.runs.show_run(30, True)
    before = slots(session)[30]
    session.runs.show_run(30, False)
    session.runs.show_run(31, True)
    session.runs.show_run(30, True)
    assert slots(session)[30] == before
    assert slots(session)[31] != before


def test_the_first_shown_take_the_first_colours_in_order() -> None:
    session = many_runs(3)
    assert slots(session) == {0: 0, 1: 1, 2: 2}


def test_past_the_last_hue_the_dash_differs() -> None:
    session = many_runs(HUES + 3)
    for key in range(HUES + 3):
        session.runs.show_run(key, True)
    assert len(set(slots(session).values())) == HUES + 3
