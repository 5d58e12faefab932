"""A history of gates: how many were decided, and about how many would have failed without any change.

Every candidate is new, the queries are not: results of gates on the same queries hang together, and some fail by
chance. The history counts; it names no change point."""

from __future__ import annotations

import math
from dataclasses import dataclass

from irviewer.model.number_text import limit, quantity
from irviewer.translation import tr, trn


@dataclass(frozen=True)
class PastResult:
    """The numbers of a condition of a gate over all queries: the mean of the run, its difference from the baseline, and
    the one-sided limits of that, each at ``confidence``; NaN without. ``collection`` and ``run`` are "" in a gate of
    one of each."""

    condition: str
    collection: str = ""
    run: str = ""
    mean: float = math.nan
    difference: float = math.nan
    low: float = math.nan
    high: float = math.nan
    confidence: float = 0.95


@dataclass(frozen=True)
class PastGate:
    """A gate that was decided.

    time        as ISO 8601, in UTC
    outcome     "passed", "failed" or "undecided"
    alarm       at most how often a gate as this one fails where the run is no other than the baseline
    results     the numbers of its conditions; () in lines of earlier versions
    queries     compared; ``digest`` is the SHA-256 of their ids, one a line, in bytewise order
    """

    time: str
    run: str
    baseline: str
    outcome: str
    alarm: float
    queries: int
    digest: str
    conditions: tuple[str, ...] = ()
    results: tuple[PastResult, ...] = ()


@dataclass(frozen=True)
class GateHistory:
    """The gates of a file, oldest first; ``damaged`` are lines that could not be read: number and reason."""

    path: str
    gates: tuple[PastGate, ...]
    damaged: tuple[tuple[int, str], ...] = ()

    @property
    def expected(self) -> float:
        """At most how many gates fail without any change, on average: the sum of their alarms."""
        return sum(gate.alarm for gate in self.gates)

    @property
    def failed(self) -> int:
        """How many failed."""
        return sum(gate.outcome == "failed" for gate in self.gates)

    @property
    def sentence(self) -> str:
        """The history in words."""
        k = len(self.gates)
        if not k:
            return tr("The history has no gate yet.")
        return trn(
            "{n:,} gate: at most about {expected} alarms expected on average without change (at most {alarm} "
            "each); {failed:,} failed.",
            "{n:,} gates: at most about {expected} alarms expected on average without change (at most {alarm} "
            "each); {failed:,} failed.",
            k, expected=_about(self.expected), failed=self.failed,
            alarm=limit(max(gate.alarm for gate in self.gates)),
        )  # fmt: skip

    @property
    def reuse(self) -> str:
        """How often the queries of the last gate were used; "" for once."""
        if not self.gates:
            return ""
        last = self.gates[-1]
        times = sum(gate.digest == last.digest for gate in self.gates)
        if times < 2:
            return ""
        return tr(
            "{times:,} of the gates used the same {n:,} queries: the candidates are new, the queries are not, and "
            "alarms come together. A fresh sample of queries has none of these alarms in common.",
            times=times, n=last.queries,
        )  # fmt: skip


def _about(value: float) -> str:
    """Return two digits of a number: ``.075``, ``1.3``, ``150``."""
    rounded = float(f"{value:.2g}")
    return quantity(rounded) if rounded >= 1 and rounded == round(rounded) else limit(rounded)
