"""Commands for the effects of the pool, and for fusing and saving runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_judgments, has_runs, has_several_collections
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _show_pool(session: Session) -> None:
    session.navigation.set_tab("compare", "pool")
    session.navigation.set_place("compare")


def _show_stages(session: Session) -> None:
    session.navigation.set_tab("query", "stages")
    session.navigation.set_place("query")


ROWS: tuple[Command, ...] = (
    Command("show_pool", tr("Effects of the pool"), "Go",
            tr("Unique and unjudged documents, values with each run left out, and how far more judgments could move "
               "a measure"),
            run=_show_pool, enabled=lambda session: has_runs(session) and has_judgments(session), group="compare"),
    Command("fuse_runs", tr("Fuse runs…"), "Run",
            tr("Combine several runs into one: CombSUM, CombMNZ, RRF, weighted, ISR, Borda"),
            ask=lambda dialogs: dialogs.runs.fuse(), shortcuts=("Ctrl+Shift+F",),
            enabled=lambda session: len(session.view.labels()) > 1),
    Command("show_stages", tr("Stages"), "Go",
            tr("Show what a first stage and the runs that re-rank it lose of the relevant documents"),
            run=_show_stages, enabled=has_runs, group="compare"),
    Command("match_systems", tr("Match systems…"), "Run",
            tr("Choose the run of each system in each collection, for the view Collections"),
            ask=lambda dialogs: dialogs.runs.match(), enabled=has_several_collections),
    Command("save_run", tr("Save run…"), "Export", tr("Save a fused, edited or any other run as a file"),
            ask=lambda dialogs: dialogs.runs.save(), enabled=has_runs, group="runs"),
)  # fmt: skip
