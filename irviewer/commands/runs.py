"""Which runs are shown, against which, under what name, colour and place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_runs
from irviewer.session.shortcuts import SHORTCUTS

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _show_all(session: Session) -> None:
    session.runs.show_runs([label.key for label in session.view.labels()])


def _show_best(session: Session) -> None:
    session.runs.show_best()


ROWS: tuple[Command, ...] = (
    Command("choose_baseline", "Choose the baseline…", "Runs", "What every difference is against", None, ("B",),
            has_runs),
    Command("choose_runs", "Show or hide runs…", "Runs", "Which runs have a column and a curve", None,
            SHORTCUTS["choose_runs"],
            has_runs),
    Command("show_all_runs", "Show all runs", "Runs", "A column and a curve for every run", _show_all, (),
            has_runs),
    Command("show_best_runs", "Show the best three and the baseline", "Runs", "By the chosen measure", _show_best,
            (), has_runs),
    Command("rename_run", "Rename a run…", "Runs", "Another name in every list, table and plot", None, ("F2",),
            has_runs),
    Command("recolour_run", "Change a run's colour…", "Runs", "Another colour everywhere", None, (), has_runs),
    Command("move_run", "Move a run…", "Runs", "Another place in the order of columns and legends", None, (),
            has_runs),
    Command("remove_run", "Remove a run…", "Runs", "Take a run out; its file stays, undo brings it back", None, (),
            has_runs),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Two commands for every run: to show or hide it, and to make it the baseline."""
    found = []
    for label in session.view.labels():
        found += [_show(label.key, label.name, label.shown), _baseline(label.key, label.name)]
    return found


def _show(key: int, name: str, shown: bool) -> Command:
    return Command(
        f"show {key}",
        f"{'Hide' if shown else 'Show'} {name}",
        "Runs",
        "A column and a curve",
        lambda session: session.runs.show_run(key, not shown),
        checked=lambda session: key in session.view.shown,
    )


def _baseline(key: int, name: str) -> Command:
    return Command(
        f"baseline {key}",
        f"Baseline {name}",
        "Runs",
        "What every difference is against",
        lambda session: session.runs.set_baseline(key),
        checked=lambda session: session.view.baseline == key,
    )
