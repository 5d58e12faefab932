"""Systems of several runs in the table of runs: which runs are of one system, and the order of rows with a heading for
each such system, which is unfolded into its runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from irviewer.gui.tables.result_columns import Heading
from irviewer.hidden_characters import escape_hidden
from irviewer.model.arrays import Ints
from irviewer.rendering.run_label import RunLabel

if TYPE_CHECKING:
    from irviewer.views.replicates import Replicates

FOLDED, UNFOLDED = "▸", "▾"


@dataclass(frozen=True)
class DeclaredSystems:
    """The system of each run, and what is said of each system of several runs beside its name and at its end."""

    of_run: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @staticmethod
    def of(shown: Replicates) -> DeclaredSystems:
        """Return the systems of the view ``replicates``; one of a single run is that run."""
        several = [place for place, runs in enumerate(shown.runs) if len(runs) > 1]
        return DeclaredSystems(
            {run: shown.systems[place] for place in several for run in shown.runs[place]},
            {shown.systems[place]: shown.words(place) for place in several},
        )


@dataclass(frozen=True, eq=False)
class FoldedRows:
    """The rows of the table: ``rows`` int64[n] are places of runs, or below 0 headings, -1 the first one; ``systems``
    names that of each heading."""

    rows: Ints
    headings: tuple[Heading, ...] = ()
    systems: tuple[str, ...] = ()
    below: frozenset[int] = frozenset()
    """The places of the runs below headings."""

    def system_at(self, row: int) -> str | None:
        """Return the system whose heading a row is; None for a run, and for a row that there is not."""
        place = int(self.rows[row]) if 0 <= row < len(self.rows) else 0
        return self.systems[-1 - place] if place < 0 else None

    def row_of(self, place: int) -> int | None:
        """Return the row of the run at ``place``; None where it is folded away."""
        rows = np.flatnonzero(self.rows == place)
        return int(rows[0]) if len(rows) else None


def folded_rows(labels: Sequence[RunLabel], declared: DeclaredSystems, unfolded: Collection[str]) -> FoldedRows:
    """Return the rows of runs in their order, those of a system below its heading, where the first of them stands, or
    folded into it."""
    of_label = [declared.of_run.get(label.whole_name or label.name, "") for label in labels]
    rows: list[int] = []
    headings: list[Heading] = []
    systems: list[str] = []
    for place, system in enumerate(of_label):
        if not system:
            rows.append(place)
        elif system not in systems:
            systems.append(system)
            rows.append(-len(systems))
            shown = system in unfolded
            name = escape_hidden(" ".join(system.split()))
            headings.append(Heading(f"{UNFOLDED if shown else FOLDED} {name}", *declared.words[system]))
            rows += [other for other, name in enumerate(of_label) if name == system] if shown else []
    below = frozenset(place for place, system in enumerate(of_label) if system)
    return FoldedRows(np.array(rows, dtype=np.int64), tuple(headings), tuple(systems), below)
