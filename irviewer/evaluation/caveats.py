"""What a user should know of runs and of their values, as sentences: nothing matches, no documents, queries missing.
The command line prints them as notes, Python warns of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irviewer.errors import name_some, short_name
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.measures.field_values import can_be_empty
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run
from irviewer.translation import tr, trn


def caveats_of(result: ResultTable, options: EvaluationOptions) -> list[str]:
    """Return the warnings of a result, and a sentence for each run that lacks queries: its mean is over fewer, or with
    zeros."""
    known = {each.run for each in result.unmatched}
    lacking = [(name, missing) for name, missing in result.missing.items() if missing and name not in known]
    return [*result.warnings, *(missing_text(name, missing, options, result.measures) for name, missing in lacking)]


def empty_runs(runs: Sequence[Run]) -> list[str]:
    """Return a sentence about the runs without documents; none if all have some."""
    names = [run.name for run in runs if not len(run) and run.stored is None and run.answered is None]
    if not names:
        return []
    return [
        trn("run {runs} has no documents", "{n} runs ({runs}) have no documents", len(names), runs=name_some(names, 3))
    ]


def missing_text(
    run: str, queries: Sequence[str], options: EvaluationOptions, measures: Iterable[Measure] = ()
) -> str:  # fmt: skip
    """Return a sentence that a run lacks queries of the qrels, and how they are treated: as 0 where that is the value
    of an empty list by all ``measures`` of numbers."""
    listed = some_queries(queries)
    if options.missing_policy == "zero":
        if not counts_as_zero(measures):
            return tr(
                "run {run} lacks {queries} of the qrels: each counts as an empty list",
                run=short_name(run), queries=listed,
            )  # fmt: skip
        return tr("run {run} lacks {queries} of the qrels: counted as 0", run=short_name(run), queries=listed)
    if options.missing is None:
        return tr(
            "run {run} lacks {queries} of the qrels: left out, as in {tool}",
            run=short_name(run), queries=listed, tool=options.rules.title,
        )  # fmt: skip
    return tr("run {run} lacks {queries} of the qrels: left out", run=short_name(run), queries=listed)


def counts_as_zero(measures: Iterable[Measure]) -> bool:
    """Return whether 0 is the value of an empty list by all measures of numbers."""
    numbers = [each for each in measures if not each.is_text]
    return all(each.higher_is_better and each.span[0] == 0 and not can_be_empty(each) for each in numbers)


def zeros_text(measures: Iterable[Measure]) -> str:
    """Return a sentence about tables of these measures in which queries that a run lacks count."""
    if counts_as_zero(measures):
        return tr("Queries that a run lacks count as 0.")
    return tr("Queries that a run lacks count as empty lists.")


def some_queries(queries: Sequence[str]) -> str:
    """Return the number of queries and the first of them: ``3 queries (1, 2, 5)``."""
    return trn("{n} query ({names})", "{n} queries ({names})", len(queries), names=name_some(queries))
