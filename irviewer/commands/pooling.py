"""What the pool does, and runs made of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_judgments, has_runs

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _has_pool(session: Session) -> bool:
    return has_runs(session) and has_judgments(session)


def _can_fuse(session: Session) -> bool:
    return len(session.view.labels()) > 1


def _show_pool(session: Session) -> None:
    session.navigation.set_tab("compare", "pool")
    session.navigation.set_place("compare")


ROWS: tuple[Command, ...] = (
    Command("show_pool", "What the pool leaves open", "Runs",
            "Unique and unjudged documents, each run left out, and the interval that judging could move a measure in",
            _show_pool, (), _has_pool),
    Command("fuse_runs", "Fuse runs…", "Runs", "One run out of several: CombSUM, CombMNZ, RRF, weighted, ISR, Borda",
            None, ("Ctrl+Shift+F",), _can_fuse),
    Command("save_run", "Save a run as a file…", "Runs", "A fused, an edited, or any other run", None, (), has_runs),
)  # fmt: skip
