"""The runs that are shown as stages: those that the user chose, else those found by their documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from irviewer.session.evaluation.context import EvaluationContext

if TYPE_CHECKING:
    from irviewer.analysis.stages.find_stages import StagePair


@dataclass(frozen=True)
class Chain:
    """Keys of runs, the first stage first. ``found``: they were found by their documents; ``same``: each stage returns
    the documents of the one before, or some of them."""

    keys: tuple[int, ...] = ()
    found: bool = False
    same: bool = False


def chosen_chain(context: EvaluationContext) -> Chain | None:
    """Return the stages that the user chose and that are still open; None for fewer than two. An edited copy is no
    stage."""
    systems = {entry.key for entry in context.system_runs if entry.run.stored is None}
    keys = tuple(key for key in context.collection.stages if key in systems)
    return Chain(keys) if len(keys) > 1 else None


def chain_of(context: EvaluationContext, pairs: Sequence[StagePair], keys: Sequence[int]) -> Chain:
    """Return the stages: those chosen, else the first pair of ``pairs`` (places in ``keys``) of baseline and focus, of
    the baseline, of the focus, or any, followed by runs that return ever fewer of the same documents. Without such a
    pair the chain is empty."""
    chosen = chosen_chain(context)
    pairs = [turned(pair, keys, context.baseline) for pair in pairs]
    linked = {(keys[pair.first], keys[pair.second]): pair for pair in pairs}
    if chosen is not None:
        links = zip(chosen.keys, chosen.keys[1:], strict=False)
        return replace(chosen, same=all(link in linked for link in links))
    shown = context.choices.shown

    def rank(link: tuple[int, int]) -> tuple[bool, bool, bool]:
        """Order the pairs: of the baseline, then of the focus, then of a shown run."""
        return link[0] != context.baseline, link[1] != context.focus, link[1] not in shown

    first = min(linked, key=rank, default=None)
    if first is None:
        return Chain()
    chain = list(first)
    while True:
        further = (second for (before, second), pair in linked.items() if before == chain[-1] and not pair.same)
        following = next((key for key in further if key not in chain), None)
        if following is None:
            return Chain(tuple(chain), found=True, same=True)
        chain.append(following)


def turned(pair: StagePair, keys: Sequence[int], baseline: int | None) -> StagePair:
    """Return the pair with the baseline as its first stage, where the documents do not say which comes first."""
    if pair.same and keys[pair.second] == baseline:
        return replace(pair, first=pair.second, second=pair.first)
    return pair
