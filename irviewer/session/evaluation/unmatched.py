"""Runs in view that the qrels know nothing of, and what would make their ids those of the qrels. Plain functions of
frozen values; the session asks, the window shows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irviewer.formats.doctor import ReadOptions, repair
from irviewer.model.matching.query_matching import query_proposals
from irviewer.model.matching.unmatched import Unmatched
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, Workspace

if TYPE_CHECKING:
    from irviewer.formats.doctor import Option
    from irviewer.session.evaluation.context import EvaluationContext


@dataclass(frozen=True, eq=False)
class Stranger:
    """A run, the qrels that know nothing of it, and what is wrong."""

    run: Run
    qrels: Qrels
    why: Unmatched

    @property
    def path(self) -> str:
        """The file to read it from again; "" where it is of none."""
        return "" if self.run.origin == "-" else self.run.origin


@dataclass(frozen=True)
class Repair:
    """How files are read again so that their ids are those of the qrels: ``options`` by path."""

    options: Mapping[str, Option]

    @property
    def title(self) -> str:
        """What a person presses."""
        ways = len({option.read_options for option in self.options.values()})
        return "Match the ids" if ways < 2 else f"Match the ids ({ways} rules)"

    @property
    def words(self) -> tuple[str, ...]:
        """What it does, once for each way."""
        return tuple(dict.fromkeys(option.title for option in self.options.values()))

    @property
    def read_options(self) -> dict[str, ReadOptions]:
        """Path -> how it is read."""
        return {path: option.read_options for path, option in self.options.items()}


def strangers_in(
    workspace: Workspace, collection: Collection | None, context: EvaluationContext | None
) -> tuple[Stranger, ...]:
    """The runs of the collection in view that its qrels know nothing of; and runs that stand in a collection without
    judgments because no qrels that are open have their queries, where these are only written otherwise."""
    found: list[Stranger] = []
    if collection is None or context is None:
        return ()
    if context.judgments is not None:
        qrels = context.judgments.qrels
        for entry in collection.runs:
            why = context.strangers.get(entry.key)
            if why is not None:
                found.append(Stranger(entry.run, qrels, why))
    homeless = [one for one in workspace.collections if one.runs and not one.judgments]
    if context.judgments is None:
        homeless = [one for one in homeless if one is collection]
        at_hand = [each.qrels for one in workspace.collections for each in one.judgments]
    else:
        at_hand = [context.judgments.qrels]
    for one in homeless:
        qrels_of = next((qrels for qrels in at_hand if query_proposals(one.runs[0].run, qrels, most=1)), None)
        if qrels_of is not None:
            found += [Stranger(entry.run, qrels_of, _no_query(entry.name, entry.run, qrels_of)) for entry in one.runs]
    return tuple(found)


def _no_query(name: str, run: Run, qrels: Qrels) -> Unmatched:
    return Unmatched(name, "queries", 0, run.query_ids[:2], qrels.query_ids[:2])


def repair_of(
    strangers: Sequence[Stranger], read_options: Mapping[str, ReadOptions], heard: Callable[[float], object]
) -> Repair | None:
    """What the file doctor would do to each, all at once; None where nothing would help. Of large runs it takes
    seconds; ``heard`` is told the share that is done, and ends the work by raising."""
    options = {}
    for number, one in enumerate(strangers):
        heard(number / len(strangers))
        if one.path:
            found = repair(one.run, one.qrels, read_options.get(os.path.realpath(one.path), ReadOptions()))
            if found is not None:
                options[one.path] = found
    return Repair(options) if options else None


def said(strangers: Iterable[Stranger]) -> str:
    """The whole of it in a line."""
    every = list(strangers)
    if not every:
        return ""
    first, more = every[0].why, len(every) - 1
    who = first.run if not more else f"{first.run} and {more} more"
    mine, theirs = first.mine[:1], first.theirs[:1]
    queries = first.of == "queries"
    does = (
        f"answer{'' if more else 's'} no judged query" if queries else f"return{'' if more else 's'} no judged document"
    )
    ids = f"{'query ' if queries else ''}ids such as {' '.join(mine)} are not those of the qrels ({' '.join(theirs)})"
    return f"{who} {does}: {ids}." + ("" if queries else f" {'Their' if more else 'Its'} numbers say nothing.")
