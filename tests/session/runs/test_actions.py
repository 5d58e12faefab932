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
