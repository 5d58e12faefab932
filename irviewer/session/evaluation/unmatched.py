"""Runs without judged documents or queries, and the rules that match their ids with the qrels. Plain functions of
frozen values."""

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
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.formats.doctor import Option
    from irviewer.session.evaluation.context import EvaluationContext


@dataclass(frozen=True, eq=False)
class UnmatchedRun:
    """A run whose ids do not match the qrels, the qrels, and the reason."""

    run: Run
    qrels: Qrels
    why: Unmatched

    @property
    def path(self) -> str:
        """The file to read the run from again; "" if it has none."""
        return "" if self.run.origin == "-" else self.run.origin


@dataclass(frozen=True)
class Repair:
    """The options with which files are read again so that their ids match the qrels: ``options`` by path."""

    options: Mapping[str, Option]

    @property
    def title(self) -> str:
        """The text of the button."""
        rules = len({option.read_options for option in self.options.values()})
        return tr("Match the ids") if rules < 2 else tr("Match the ids ({count} rules)", count=rules)

    @property
    def words(self) -> tuple[str, ...]:
        """A description of each rule."""
        return tuple(dict.fromkeys(option.title for option in self.options.values()))

    @property
    def read_options(self) -> dict[str, ReadOptions]:
        """Path -> read options."""
        return {path: option.read_options for path, option in self.options.items()}


def unmatched_runs_in(
    workspace: Workspace, collection: Collection | None, context: EvaluationContext | None
) -> tuple[UnmatchedRun, ...]:
    """Return the runs of the collection in view whose ids do not match its qrels; and runs in a collection without
    judgments whose query ids are only written differently from those of open qrels."""
    unmatched_runs: list[UnmatchedRun] = []
    if collection is None or context is None:
        return ()
    if context.judgments is not None:
        qrels = context.judgments.qrels
        for entry in collection.runs:
            why = context.unmatched.get(entry.key)
            if why is not None:
                unmatched_runs.append(UnmatchedRun(entry.run, qrels, why))
    homeless = [
        workspace_collection
        for workspace_collection in workspace.collections
        if workspace_collection.runs and not workspace_collection.judgments
    ]
    if context.judgments is None:
        homeless = [candidate for candidate in homeless if candidate is collection]
        at_hand = [
            each.qrels for workspace_collection in workspace.collections for each in workspace_collection.judgments
        ]
    else:
        at_hand = [context.judgments.qrels]
    for homeless_collection in homeless:
        qrels_of = next(
            (qrels for qrels in at_hand if query_proposals(homeless_collection.runs[0].run, qrels, most=1)), None
        )
        if qrels_of is not None:
            unmatched_runs += [
                UnmatchedRun(entry.run, qrels_of, _no_query(entry.name, entry.run, qrels_of))
                for entry in homeless_collection.runs
            ]
    return tuple(unmatched_runs)


def _no_query(name: str, run: Run, qrels: Qrels) -> Unmatched:
    return Unmatched(name, "queries", 0, run.query_ids[:2], qrels.query_ids[:2])


def repair_of(
    unmatched_runs: Sequence[UnmatchedRun], read_options: Mapping[str, ReadOptions], heard: Callable[[float], object]
) -> Repair | None:
    """Return the rules that match the ids of all runs; None if there are none. Large runs take seconds; ``heard`` is
    called with the share of the work that is done; raising cancels the work."""
    options = {}
    for number, unmatched in enumerate(unmatched_runs):
        heard(number / len(unmatched_runs))
        if unmatched.path:
            repaired = repair(
                unmatched.run, unmatched.qrels, read_options.get(os.path.realpath(unmatched.path), ReadOptions())
            )
            if repaired is not None:
                options[unmatched.path] = repaired
    return Repair(options) if options else None


def said(unmatched_runs: Iterable[UnmatchedRun]) -> str:
    """Return a text about all such runs; "" without any."""
    every = list(unmatched_runs)
    if not every:
        return ""
    first, more = every[0].why, len(every) - 1
    mine, theirs = " ".join(first.mine[:1]), " ".join(first.theirs[:1])
    if first.of == "queries" and not more:
        return tr(
            "{run} has no judged query: its query ids, such as {id}, do not match the qrels ({other}).",
            run=first.run, id=mine, other=theirs,
        )  # fmt: skip
    if first.of == "queries":
        return tr(
            "{run} and {count:,} more have no judged query: query ids such as {id} do not match the qrels ({other}).",
            run=first.run, count=more, id=mine, other=theirs,
        )  # fmt: skip
    if not more:
        return tr(
            "{run} has no judged document: its document ids, such as {id}, do not match the qrels ({other}). Its "
            "values mean nothing.",
            run=first.run, id=mine, other=theirs,
        )  # fmt: skip
    return tr(
        "{run} and {count:,} more have no judged document: document ids such as {id} do not match the qrels ({other}). "
        "Their values mean nothing.",
        run=first.run, count=more, id=mine, other=theirs,
    )  # fmt: skip
