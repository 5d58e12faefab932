"""What the pool does, and runs made of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_judgments, has_runs

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _show_pool(session: Session) -> None:
    session.navigation.set_tab("compare", "pool")
    session.navigation.set_place("compare")


ROWS: tuple[Command, ...] = (
    Command("show_pool", "What the pool leaves open", "Runs",
            "Unique and unjudged documents, each run left out, and the interval that judging could move a measure in",
            run=_show_pool, enabled=lambda session: has_runs(session) and has_judgments(session)),
    Command("fuse_runs", "Fuse runs…", "Runs", "One run out of several: CombSUM, CombMNZ, RRF, weighted, ISR, Borda",
            ask=lambda dialogs: dialogs.runs.fuse(), shortcuts=("Ctrl+Shift+F",),
            enabled=lambda session: len(session.view.labels()) > 1),
    Command("save_run", "Save a run as a file…", "Runs", "A fused, an edited, or any other run",
            ask=lambda dialogs: dialogs.runs.save(), enabled=has_runs),
)  # fmt: skip
