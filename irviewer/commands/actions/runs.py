"""Commands that show, hide, compare, rename, colour, move and remove runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_runs
from irviewer.session.shortcuts import SHORTCUTS
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


ROWS: tuple[Command, ...] = (
    Command("choose_baseline", tr("Choose baseline…"), "Run",
            tr("Choose the run that all differences are computed against"),
            ask=lambda dialogs: dialogs.runs.baseline(), shortcuts=("B",), enabled=has_runs, group="choose"),
    Command("choose_runs", tr("Show or hide runs…"), "Run", tr("Choose the runs that have a column and a curve"),
            ask=lambda dialogs: dialogs.runs.choose(), shortcuts=SHORTCUTS["choose_runs"], enabled=has_runs,
            group="choose"),
    Command("show_all_runs", tr("Show all runs"), "Run", tr("Show a column and a curve for every run"),
            run=lambda session: session.runs.show_runs([label.key for label in session.view.labels()]),
            enabled=has_runs, group="choose"),
    Command("show_best_runs", tr("Show best three runs and baseline"), "Run",
            tr("Show the three best runs by the chosen measure, and the baseline"),
            run=lambda session: session.runs.show_best(), enabled=has_runs, group="choose"),
    Command("rename_run", tr("Rename run…"), "Run", tr("Change the name of a run in every ranking, table and plot"),
            ask=lambda dialogs: dialogs.runs.rename(), shortcuts=("F2",), enabled=has_runs, group="change"),
    Command("recolour_run", tr("Change run colour…"), "Run", tr("Change the colour of a run"),
            ask=lambda dialogs: dialogs.runs.recolour(), enabled=has_runs, group="change"),
    Command("run_family", tr("Model family of a run…"), "Run",
            tr("Name the model that a run uses, to see whether a judge of the same family favours it"),
            ask=lambda dialogs: dialogs.runs.family(), enabled=has_runs, group="change",
            words=tr("attribute judge favours")),
    Command("move_run", tr("Move run…"), "Run", tr("Change the position of a run among columns and in legends"),
            ask=lambda dialogs: dialogs.runs.move(), enabled=has_runs, group="change"),
    Command("run_versions", tr("Versions of runs"), "Run",
            tr("List the means of runs before their files changed"),
            ask=lambda dialogs: dialogs.runs.versions(), words=tr("history changes"),
            enabled=lambda session: bool(session.versions.histories()), group="change"),
    Command("remove_run", tr("Remove run…"), "Run",
            tr("Remove a run from the collection; its file is kept, and undo brings the run back"),
            ask=lambda dialogs: dialogs.runs.remove(), enabled=has_runs, group="change"),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return two commands for each run: show or hide it, and make it the baseline."""
    rows = []
    for label in session.view.labels():
        rows += [_show(label.key, label.name, label.shown), _baseline(label.key, label.name)]
    return rows


def _show(key: int, name: str, shown: bool) -> Command:
    return Command(
        f"show {key}",
        tr("Hide {run}", run=name) if shown else tr("Show {run}", run=name),
        "Run",
        tr("Whether the run has a column and a curve"),
        run=lambda session: session.runs.show_run(key, not shown),
        checked=lambda session: key in session.view.shown,
    )


def _baseline(key: int, name: str) -> Command:
    return Command(
        f"baseline {key}",
        tr("Baseline {run}", run=name),
        "Run",
        tr("Choose the run that all differences are computed against"),
        run=lambda session: session.runs.set_baseline(key),
        checked=lambda session: session.view.baseline == key,
    )
