"""Colours of runs: no two the same in view, kept while a run is in view, grey for most of many."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.rendering.palette import PALETTES
from irviewer.rendering.styles import run_styles
from irviewer.session.runs.colours import HUES, MANY_SYSTEMS, PINNED, with_slots
from irviewer.session.session import Session
from tests.session.helpers import session_with


def opened(runs: int) -> Session:
    """Runs of one query; the first ones are better."""
    grades = {"1": {"r": 1.0}}
    documents = [f"d{place}" for place in range(runs)]
    runs_of_one = [
        Run.from_dict(
            {"1": {doc: -float(rank) for rank, doc in enumerate([*documents[:number], "r", *documents[number:]])}},
            name=f"run{number}",
        )
        for number in range(runs)
    ]
    collection = Collection("many", judgments=(JudgmentSet(Qrels.from_dict(grades), Regime.COMPLETE),))
    return session_with(collection.with_runs(runs_of_one))


def in_view(session: Session) -> dict[int, str]:
    """Run key -> colour of the runs that are shown and the baseline, without grey ones."""
    labels = session.view.labels()
    styles = run_styles(labels, PALETTES["light"])
    return {
        label.key: styles[label.key][0]
        for label in labels
        if (label.shown or label.baseline) and not label.grey
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(PALETTES))
def test_of_many_runs_eight_have_colours_and_no_colour_comes_twice(name: str) -> None:
    session = opened(76)
    session.runs.set_baseline(60)
    session.runs.set_focus(70)
    keys = [entry.key for entry in session.view.collection.runs]  # type: ignore[union-attr]
    session.runs.show_runs([*keys[:30], 60, 70])
    labels = {label.key: label for label in session.view.labels()}
    coloured = {key for key, label in labels.items() if not label.grey}
    assert len(coloured) == PINNED + 2
    assert {60, 70} <= coloured <= set(keys[:30]) | {60, 70}
    styles = run_styles(labels.values(), PALETTES[name])
    assert len({styles[key][0] for key in coloured}) == len(coloured)
    assert {styles[key][0] for key in set(keys) - coloured} == {PALETTES[name].faint}


def test_the_runs_that_were_shown_first_keep_their_colours_as_others_are_shown() -> None:
    session = opened(40)
    session.runs.set_baseline(0)
    session.runs.set_focus(1)
    session.runs.show_runs([0, 1])
    before = in_view(session)
    for key in (30, 20, 10, 35, 25, 15, 5):
        session.runs.show_run(key, True)
        now = in_view(session)
        assert {key: now[key] for key in before} == before
        before = now
    assert set(before) == {0, 1, 30, 20, 10, 35, 25, 15}
    session.runs.set_focus(5)  # the seventh was grey until it was chosen
    assert set(in_view(session)) == {0, 5, 1, 30, 20, 10, 35, 25}


@pytest.mark.parametrize("n_runs", [MANY_SYSTEMS, 30])
def test_a_run_that_comes_back_takes_no_colour_of_a_run_in_view(n_runs: int) -> None:
    drawn = random.Random(n_runs)
    session = opened(n_runs)
    keys = [entry.key for entry in session.view.collection.runs]  # type: ignore[union-attr]
    for _ in range(200):
        before, key = in_view(session), drawn.choice(keys)
        shown = session.view.shown
        if len(shown) > 6 or key in shown:
            key = drawn.choice(sorted(shown))
            session.runs.show_run(key, False)
        else:
            session.runs.show_run(key, True)
        now = in_view(session)
        assert len(set(now.values())) == len(now)
        assert all(now[key] == before[key] for key in set(now) & set(before))


def test_a_few_runs_all_have_colours() -> None:
    session = opened(MANY_SYSTEMS)
    assert not any(label.grey for label in session.view.labels())
    assert len({colour for colour, _ in run_styles(session.view.labels(), PALETTES["dark"]).values()}) == HUES


def test_a_colour_that_the_user_gave_is_shown() -> None:
    session = opened(20)
    session.runs.recolour_run(19, "#123456")
    session.runs.show_runs(list(range(12)))
    label = next(label for label in session.view.labels() if label.key == 19)
    assert not label.grey
    assert run_styles([label], PALETTES["light"])[19][0] == "#123456"


def test_edited_copies_are_grey_where_all_colours_are_taken() -> None:
    session = opened(MANY_SYSTEMS)
    for entry in session.view.collection.runs:  # type: ignore[union-attr]
        session.runs.show_run(entry.key, True)
    session.run_editing.edit_copy(3)
    labels = session.view.labels()
    colours = [run_styles([label], PALETTES["light"])[label.key][0] for label in labels if not label.grey]
    assert len(colours) == len(set(colours)) == HUES


def test_the_baseline_keeps_its_colour_as_dozens_of_runs_come_and_go() -> None:
    session = opened(40)
    session.runs.set_baseline(5)
    session.runs.set_focus(0)
    before = in_view(session)[5]
    keys = [entry.key for entry in session.view.collection.runs]  # type: ignore[union-attr]
    session.runs.show_runs(keys)
    for key in keys[:20]:
        session.runs.set_focus(key)
    session.runs.show_runs([3, 18])
    colours = in_view(session)
    assert colours[5] == before
    assert len(set(colours.values())) == len(colours) == 3


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


def test_colours_stay_as_they_are_where_more_runs_are_shown_than_there_are_hues() -> None:
    session = opened(40)
    keys = [entry.key for entry in session.view.collection.runs]  # type: ignore[union-attr]
    for key in reversed(keys[3:20]):
        session.runs.show_run(key, True)
    before = run_styles(session.view.labels(), PALETTES["light"])
    for place in ("queries", "query", "systems"):
        session.navigation.set_place(place)
        assert run_styles(session.view.labels(), PALETTES["light"]) == before
    session.runs.show_run(keys[-1], True)
    after = run_styles(session.view.labels(), PALETTES["light"])
    assert {key: after[key] for key in keys[:-1]} == {key: before[key] for key in keys[:-1]}


def test_given_colours_stay_at_edits_which_ask_for_none() -> None:
    """What an edit relies on that asks for no colours: to give them again changes none."""
    dice = random.Random(1)
    for n in range(1, 25):
        runs = opened(n).view.collection.runs  # type: ignore[union-attr]
        runs = tuple(replace(run, slot=dice.randint(0, 20), worn=dice.random() < 0.7) for run in runs)
        keys = [run.key for run in runs]
        baseline = dice.choice(keys)
        wanted, seen = ({*dice.sample(keys, dice.randint(0, n)), baseline} for _ in range(2))
        given = with_slots(runs, wanted, seen, baseline)
        assert all(now is run for now, run in zip(with_slots(given, wanted, wanted, baseline), given, strict=True))
