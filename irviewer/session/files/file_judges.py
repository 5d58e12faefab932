"""The judgment sets of a file: one for each judge that its table names, else one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.model.judgments.judgment_set import JudgmentSet as Judge
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import JudgmentSet, Regime

if TYPE_CHECKING:
    from irviewer.formats.format import Loaded


def judges_of(loaded: Loaded) -> tuple[Judge, ...]:
    """Return the judges of a file of qrels, in order; one named by the file if it names none."""
    assert isinstance(loaded.value, Qrels)
    return loaded.judges or (Judge.of(loaded.value),)


def judge_of(loaded: Loaded, file_judge: str) -> Judge | None:
    """Return the judge of this name in the file, the first for ""; None if the file has no such judge."""
    judges = judges_of(loaded)
    return next((judge for judge in judges if not file_judge or judge.name == file_judge), None)


def judgment_sets_of(loaded: Loaded, regime: Regime | None) -> tuple[JudgmentSet, ...]:
    """Return a judgment set of each judge; the regime is unknown unless the collection's own file declares it. Each set
    has a name of its own."""
    judges = judges_of(loaded)
    return tuple(
        JudgmentSet(
            judge.qrels, regime or Regime.UNKNOWN, regime is not None,
            facts=JudgeFacts(judge.origin, judge.family, judge.note), explanations=judge.explanations,
            file_judge=judge.name if len(judges) > 1 else "", task=judge.task,
        )
        for judge in judges
    )  # fmt: skip


def reread(former: JudgmentSet, now: JudgmentSet) -> JudgmentSet:
    """Apply the judgments made here to the file's new judgments, under the name of the former set, as sets of several
    judges can come from one file."""
    kept = former.reread(now.qrels.renamed(former.name) if former.name != now.qrels.name else now.qrels)
    kept = replace(kept, explanations=now.explanations, task=now.task, file_judge=now.file_judge or former.file_judge)
    return kept if former.chosen else replace(kept, regime=now.regime, chosen=now.chosen)


def reread_sets(present: tuple[JudgmentSet, ...], now: tuple[JudgmentSet, ...]) -> tuple[JudgmentSet, ...]:
    """Return the sets of a file that was read again, with those of judges that are new in it at the end. The set of a
    judge that the file no longer has is unchanged."""
    by_name = {judgment_set.name: judgment_set for judgment_set in now}
    sets, taken = [], set()
    for former in present:
        fresh = by_name.get(former.file_judge) if former.file_judge else now[0]
        sets.append(former if fresh is None else reread(former, fresh))
        taken |= set() if fresh is None else {fresh.name}
    return (*sets, *(judgment_set for judgment_set in now if judgment_set.name not in taken))
