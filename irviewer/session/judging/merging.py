"""Import of judgments into a set: compared first, then applied, or kept as another judge's set.

Frozen values and states in and out; dialogs and messages belong to the session."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from irviewer.model.judgments.merging import Comparison, Document, compared, merged_overlay
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.qrels import Qrels
from irviewer.model.run_names import free_name
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.judging.authors import UNKNOWN, by_judge
from irviewer.session.state import State
from irviewer.translation import listed, tr, trn

Choice = Literal["mine", "theirs", "each", "judge"]
MOST_NAMED = 2
"""With more judges the name of a set has only their number."""


@dataclass(frozen=True, eq=False)
class Incoming:
    """Judgments of a file to be applied to a set of a collection, both given by their identities.

    said   judgments that differ from the set's own file, or are of documents that were judged here
    same   number of its other judgments, which agree with the set's file
    qrels  the file if it is a judge's own qrels, None for a patch
    """

    path: str
    collection: object
    judgments: object
    said: tuple[Judgment, ...]
    same: int = 0
    qrels: Qrels | None = None

    @property
    def name(self) -> str:
        """The file's name."""
        return Path(self.path).name


@dataclass(frozen=True, eq=False)
class ImportComparison:
    """Judgments of a file compared with those of a set, ``set_name``, before they are applied."""

    incoming: Incoming
    set_name: str
    found: Comparison
    same: int

    def summary(self, assessor: str) -> str:
        """Return ``12 new, 4 changed from the file, 3 differ from yours, 5 the same`` without the parts that are 0."""
        comparison = self.found
        conflicts = conflicts_text([conflict.mine for conflict in comparison.conflicts], assessor)
        parts = [
            trn("{n:,} new", "{n:,} new", len(comparison.new)) if comparison.new else "",
            trn("{n:,} changed from the file", "{n:,} changed from the file", len(comparison.changing))
            if comparison.changing
            else "",
            conflicts,
            trn("{n:,} the same", "{n:,} the same", self.same) if self.same else "",
        ]
        return listed(parts) or tr("no judgments")


def conflicts_text(mine: Iterable[Judgment], assessor: str) -> str:
    """Return ``3 differ from yours``, ``1 differs from Ada's`` or ``5 differ from judgments made here (3 yours, 2
    Ada's)``; "" without conflicts."""
    conflicts = list(mine)
    if not conflicts:
        return ""
    number = len(conflicts)
    judges = by_judge(conflicts, assessor)
    if len({judgment.who for judgment in conflicts}) > 1 or judges == UNKNOWN:
        return trn(
            "{n:,} differs from a judgment made here ({judges})", "{n:,} differ from judgments made here ({judges})",
            number, judges=judges,
        )  # fmt: skip
    return trn("{n:,} differs from {judges}", "{n:,} differ from {judges}", number, judges=judges)


def compare_import(state: State, incoming: Incoming) -> ImportComparison | None:
    """Compare the file with the current judgments; None if its collection or set was closed."""
    target = _target(state, incoming)
    if target is None:
        return None
    place, number = target
    judgments = state.workspace.collections[place].judgments[number]
    beside = compared(judgments.overlay, judgments.read, incoming.said)
    return ImportComparison(incoming, judgments.name, beside, beside.same + incoming.same)


def with_import(state: State, import_comparison: ImportComparison, *, theirs: bool | frozenset[Document]) -> State:
    """Return the state with the judgments applied to the set, its collection in view; ``theirs``: the conflicts, all
    or those of some documents, that are decided for the file."""
    target = _target(state, import_comparison.incoming)
    assert target is not None
    place, number = target
    collection = state.workspace.collections[place]
    sets = list(collection.judgments)
    sets[number] = sets[number].with_overlay(
        merged_overlay(sets[number].overlay, import_comparison.found, theirs=theirs)
    )
    return _with_collection(state, place, replace(collection, judgments=tuple(sets)))


def with_judge(state: State, import_comparison: ImportComparison) -> tuple[State, str]:
    """Return the state with the judgments as a new set, and the set's name. Qrels become the set as they are, a patch
    together with the file that it belongs to. The present set is unchanged and stays selected."""
    target = _target(state, import_comparison.incoming)
    assert target is not None
    place, number = target
    collection = state.workspace.collections[place]
    beside, qrels = collection.judgments[number], import_comparison.incoming.qrels
    if qrels is not None:
        name = free_name(qrels.name, [judgment_set.name for judgment_set in collection.judgments])
        new_set = JudgmentSet(qrels.renamed(name), Regime.UNKNOWN)  # nobody said how this judge's were made
    else:
        name = f"{beside.name} ({_judges(import_comparison.incoming)})"
        name = free_name(name, [judgment_set.name for judgment_set in collection.judgments])
        new_set = JudgmentSet(beside.read.renamed(name), beside.regime, beside.chosen)
        new_set = new_set.with_overlay(JudgmentOverlay.of(import_comparison.incoming.said))
    return _with_collection(state, place, replace(collection, judgments=(*collection.judgments, new_set))), name


def by_unnamed(said: Iterable[Judgment], path: str) -> tuple[Judgment, ...]:
    """Return the judgments of a file with the file's name as the judge of those that name none."""
    name = Path(path).name
    return tuple(judgment if judgment.who else replace(judgment, who=name) for judgment in said)


def _judges(incoming: Incoming) -> str:
    names = list(dict.fromkeys(judgment.who for judgment in incoming.said))
    return ", ".join(names) if len(names) <= MOST_NAMED else trn("{n:,} judge", "{n:,} judges", len(names))


def _target(state: State, incoming: Incoming) -> tuple[int, int] | None:
    for position, collection in enumerate(state.workspace.collections):
        if collection.identity is incoming.collection:
            for number, judgment_set in enumerate(collection.judgments):
                if judgment_set.identity is incoming.judgments:
                    return position, number
    return None


def _with_collection(state: State, place: int, collection: Collection) -> State:
    return replace(state, workspace=state.workspace.with_collection(place, collection), current=place)
