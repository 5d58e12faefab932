"""What a user should know of runs and of their values, as sentences: nothing matches, no documents, queries missing.
The command line prints them as notes, Python warns of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irviewer.errors import name_some, short_name
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.measures.field_values import can_be_empty
from irviewer.measures.tool_names import usual_name
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run
from irviewer.translation import tr, trn


def caveats_of(
    result: ResultTable, options: EvaluationOptions, measures: Sequence[Measure] | None = None
) -> list[str]:  # fmt: skip
    """Return the warnings of a result, and a sentence for each run that lacks queries: its mean is over fewer, or with
    zeros. ``measures`` are those that are shown, None: all."""
    known = {each.run for each in result.unmatched}
    shown = result.measures if measures is None else measures
    lacking = [(name, missing) for name, missing in result.missing.items() if missing and name not in known]
    return [*result.warnings, *(missing_text(name, missing, options, shown) for name, missing in lacking)]


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
    of an empty list by the ``measures`` that are numbers."""
    name, listed = short_name(run), some_queries(queries)
    if options.missing_policy == "zero":
        others = apart_from_zero(measures)
        if others is None:
            return tr("run {run} lacks {queries} of the qrels: each counts as an empty list", run=name, queries=listed)
        if others:
            return tr(
                "run {run} lacks {queries} of the qrels: counted as 0 (by {measures} as an empty list)",
                run=name, queries=listed, measures=others,
            )  # fmt: skip
        return tr("run {run} lacks {queries} of the qrels: counted as 0", run=name, queries=listed)
    if options.missing is None:
        return tr(
            "run {run} lacks {queries} of the qrels: left out, as in {tool}",
            run=name, queries=listed, tool=options.rules.title,
        )  # fmt: skip
    return tr("run {run} lacks {queries} of the qrels: left out", run=name, queries=listed)


def apart_from_zero(measures: Iterable[Measure]) -> str | None:
    """Return which measures of numbers give an empty list another value than 0, "" for none; None for all of them."""
    numbers = [each for each in measures if not each.is_text]
    others = [each for each in numbers if not is_zero_without_documents(each)]
    if others and len(others) == len(numbers):
        return None
    return name_some(list(dict.fromkeys(map(usual_name, others))), 3)


def is_zero_without_documents(measure: Measure) -> bool:
    """Return whether 0 is the value of an empty list, for all that is known of a measure."""
    from_zero = measure.higher_is_better and measure.span[0] == 0
    return from_zero and not measure.family.of_judgments and not can_be_empty(measure)


def zeros_text(measures: Iterable[Measure]) -> str:
    """Return a sentence about tables of these measures in which queries that a run lacks count."""
    others = apart_from_zero(measures)
    if others is None:
        return tr("Queries that a run lacks count as empty lists.")
    if others:
        return tr("Queries that a run lacks count as 0 (by {measures} as empty lists).", measures=others)
    return tr("Queries that a run lacks count as 0.")


def some_queries(queries: Sequence[str]) -> str:
    """Return the number of queries and the first of them: ``3 queries (1, 2, 5)``."""
    return trn("{n} query ({names})", "{n} queries ({names})", len(queries), names=name_some(queries))
