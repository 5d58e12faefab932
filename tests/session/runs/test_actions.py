"""What is undone is called as on screen."""

from __future__ import annotations

from dataclasses import replace

from tests.session.helpers import collection, session_with


def test_steps_of_the_history_have_the_names_on_screen() -> None:
    opened = collection(3)
    runs = tuple(
        replace(entry, run=replace(entry.run, name=f"results_{entry.name}", read_name="")) for entry in opened.runs
    )
    session = session_with(replace(opened, runs=runs))
    first, second, _ = session.view.labels()
    assert (first.name, first.whole_name) == ("alpha", "results_alpha")
    session.runs.move_run(second.key, 0)
    assert session.history.undo_label == "move run beta"
    session.runs.rename_run(second.key, "mine")
    assert session.history.undo_label == "rename run beta to mine"
    session.runs.remove_run(first.key)
    assert session.history.undo_label == "remove run alpha"
    assert [label.name for label in session.view.labels()] == ["mine", "gamma"]


def test_the_chosen_baseline_is_shown_in_place_of_one_that_nobody_chose() -> None:
    session = session_with(collection(6, queries=30))
    inferred, *others = session.view.labels()
    assert inferred.baseline
    hidden = [label.key for label in others if not label.shown]
    best = {label.key for label in others if label.shown}
    assert (len(hidden), len(best)) == (2, 3)
    session.runs.set_baseline(hidden[0])
    assert session.state.chosen.shown == {*best, hidden[0]}
    session.runs.set_baseline(hidden[1])
    assert session.state.chosen.shown == {*best, *hidden}, "one that was chosen stays"


def test_a_shown_baseline_changes_no_list() -> None:
    session = session_with(collection(6, queries=30))
    before = session.state.chosen.shown
    shown = next(label.key for label in session.view.labels() if label.shown and not label.baseline)
    session.runs.set_baseline(shown)
    assert session.state.chosen.shown == before
