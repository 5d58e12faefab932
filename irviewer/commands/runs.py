"""Which runs are shown, against which, under what name, colour and place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_runs
from irviewer.session.shortcuts import SHORTCUTS

if TYPE_CHECKING:
    from irviewer.session.session import Session


ROWS: tuple[Command, ...] = (
    Command("choose_baseline", "Choose the baseline…", "Runs", "What every difference is against",
            ask=lambda dialogs: dialogs.runs.baseline(), shortcuts=("B",), enabled=has_runs),
    Command("choose_runs", "Show or hide runs…", "Runs", "Which runs have a column and a curve",
            ask=lambda dialogs: dialogs.runs.choose(), shortcuts=SHORTCUTS["choose_runs"], enabled=has_runs),
    Command("show_all_runs", "Show all runs", "Runs", "A column and a curve for every run",
            run=lambda session: session.runs.show_runs([label.key for label in session.view.labels()]),
            enabled=has_runs),
    Command("show_best_runs", "Show the best three and the baseline", "Runs", "By the chosen measure",
            run=lambda session: session.runs.show_best(), enabled=has_runs),
    Command("rename_run", "Rename a run…", "Runs", "Another name in every list, table and plot",
            ask=lambda dialogs: dialogs.runs.rename(), shortcuts=("F2",), enabled=has_runs),
    Command("recolour_run", "Change a run's colour…", "Runs", "Another colour everywhere",
            ask=lambda dialogs: dialogs.runs.recolour(), enabled=has_runs),
    Command("move_run", "Move a run…", "Runs", "Another place in the order of columns and legends",
            ask=lambda dialogs: dialogs.runs.move(), enabled=has_runs),
    Command("remove_run", "Remove a run…", "Runs", "Take a run out; its file stays, undo brings it back",
            ask=lambda dialogs: dialogs.runs.remove(), enabled=has_runs),
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
        run=lambda session: session.runs.show_run(key, not shown),
        checked=lambda session: key in session.view.shown,
    )


def _baseline(key: int, name: str) -> Command:
    return Command(
        f"baseline {key}",
        f"Baseline {name}",
        "Runs",
        "What every difference is against",
        run=lambda session: session.runs.set_baseline(key),
        checked=lambda session: session.view.baseline == key,
    )
