"""Result tables: values by measure, run and query, and their means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.errors import MeasureError, OptionError, UndecidedError
from irviewer.evaluation.answer_cautions import Lacking, lack_text
from irviewer.evaluation.answer_sources import AnswerSources
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures import records  # noqa: F401 - measures of a result can be pickled
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Bools, Floats, Ints, bytewise_order, frozen, looked_up, restore
from irviewer.model.exported import Exported
from irviewer.model.matching.unmatched import JudgedShare, Unmatched, unmatched_warnings
from irviewer.model.options import EvaluationOptions
from irviewer.translation import decimal, has_decimal_commas, tr


@dataclass(frozen=True, eq=False, repr=False)
class ResultTable(Exported):
    """The values of an evaluation of M measures, N runs and E queries.

    measures    the measures as computed, with their relevance level and other defaults written out
    runs        the names of the runs
    query_ids   the evaluated queries in bytewise order; with "intersection" those of any run
    values      float64[M, N, E]; NaN for queries left out for a run (missing, with "intersection"), and for all queries
                of a run that lacks what the measure reads
    means       float64[M, N]; the aggregates of the values
    missing     run name -> the queries of the qrels that it lacks
    options     the options of the evaluation
    unmatched   the runs without any judged document, whose values mean nothing
    cautions    warnings about the shares of judged documents
    shares      those shares, of the runs whose shares are known and some document of which is judged
    protocol    the protocol that the values follow, if they were computed by one
    answers     the answers of the runs and labels of them, None without any
    lacking     measure -> run without values of it -> what it lacks, such as labels of answers
    """

    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    values: Floats
    means: Floats
    missing: Mapping[str, tuple[str, ...]]
    options: EvaluationOptions
    unmatched: tuple[Unmatched, ...] = ()
    cautions: tuple[str, ...] = ()
    protocol: BoundProtocol | None = None
    answers: AnswerSources | None = None
    lacking: Lacking = field(default_factory=dict)
    shares: tuple[JudgedShare, ...] = ()

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Set the fields of a pickled value."""
        restore(self, state)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the reliability of the values."""
        return (*unmatched_warnings(self.unmatched), *self.cautions)

    def check_matched(self) -> None:
        """Raise UndecidedError if a run has no judged document: a comparison would count it as the worst."""
        if self.unmatched:
            raise UndecidedError("; ".join(unmatched_warnings(self.unmatched)))

    def having(self, measures: Sequence[str | Measure], least: int = 1) -> ResultTable:
        """Return the table of the runs that have what each of some measures reads; its cautions name the others. Raises
        MeasureError where fewer than ``least`` are left."""
        texts = [self.measures[self._place(measure)].text for measure in measures]
        without = {run for text in texts for run in self.lacking.get(text, ())}
        kept = [place for place, run in enumerate(self.runs) if run not in without]
        if len(kept) == len(self.runs):
            return self
        if len(kept) < least:
            raise MeasureError(self.lack(texts, self.runs))
        return self.of_runs(kept)

    def lack(self, measures: Sequence[str], runs: Sequence[str]) -> str:
        """Return what the first of some runs lacks of what measures, by their texts, read; "" where none does."""
        gaps = ((text, run, self.lacking.get(text, {}).get(run)) for run in runs for text in measures)
        return next((lack_text(text, run, reason) for text, run, reason in gaps if reason is not None), "")

    def __getitem__(self, measure: str | Measure) -> Floats:
        """Return the means of a measure by run, float64[N]."""
        row: Floats = self.means[self._place(measure)]
        return row

    def mean(self, measure: str | Measure, run: str | None = None) -> float:
        """Return the mean of a measure for a run; without a name, for the only run."""
        return float(self.means[self._place(measure), self._run(run)])

    def of(self, measure: str | Measure) -> tuple[Measure, Floats]:
        """Return the measure as computed and its values by run and query, float64[N, E]."""
        index = self._place(measure)
        return self.measures[index], self.values[index]

    def by_query(self, measure: str | Measure, run: str | None = None) -> dict[str, float]:
        """Return query -> value of a measure for a run, without queries left out."""
        values = self.values[self._place(measure), self._run(run)]
        pairs = zip(self.query_ids, values.tolist(), strict=True)
        return {query: value for query, value in pairs if not np.isnan(value)}

    @cached_property
    def counted(self) -> Bools:
        """The queries that count in a run's mean, bool[N, E]."""
        if self.options.missing_policy == "zero":
            return np.ones((len(self.runs), len(self.query_ids)), dtype=np.bool_)
        lacks = [set(self.missing.get(run, ())) for run in self.runs]
        rows = [[query not in lacking for query in self.query_ids] for lacking in lacks]
        return np.array(rows, dtype=np.bool_).reshape(len(self.runs), len(self.query_ids))

    def unreached(self, measure: str | Measure) -> Bools:
        """Return the queries that count for a run but have no value, bool[N, E]: those whose recall is not reached, for
        example. None where the measure leaves such queries out, and none of a run that lacks what it reads."""
        place = self._place(measure)
        without = self.lacking.get(self.measures[place].text, {})
        empty = np.isnan(self.values[place]) & (not self.measures[place].leaves_out)
        return np.asarray(self.counted & empty & np.array([run not in without for run in self.runs], np.bool_)[:, None])

    @cached_property
    def without_mean(self) -> tuple[tuple[Measure, str, tuple[str, ...]], ...]:
        """(measure, run, queries) for runs without a mean because some queries have no value, or because the size of
        the collection is not given."""
        incomplete = []
        for m, n in np.argwhere(np.isnan(self.means)).tolist():
            wants_size = self.measures[m].wants_size and len(self.query_ids) > 0
            if np.isnan(self.values[m, n]).all() and not wants_size:
                continue
            queries = tuple(self.query_ids[index] for index in np.flatnonzero(np.isnan(self.values[m, n])))
            incomplete.append((self.measures[m], self.runs[n], queries))
        return tuple(incomplete)

    def over(self, query_ids: Collection[str]) -> ResultTable:
        """Return the table of some of the queries, with the means over these."""
        wanted = frozenset(query_ids)
        kept = np.array([query in wanted for query in self.query_ids], dtype=np.bool_)
        counted = self.counted & kept
        means = [
            [measure.mean(row[own]) for row, own in zip(rows, counted, strict=True)]
            for measure, rows in zip(self.measures, self.values, strict=True)
        ]
        return replace(
            self, query_ids=tuple(query for query in self.query_ids if query in wanted),
            values=frozen(self.values[:, :, kept]),
            means=frozen(np.array(means, dtype=np.float64).reshape(self.means.shape)),
            missing={run: tuple(query for query in ids if query in wanted) for run, ids in self.missing.items()},
        )  # fmt: skip

    @classmethod
    def merge(cls, parts: Iterable[ResultTable]) -> ResultTable:
        """Return the result of parts that have other queries each, in any order: of the same runs, evaluated with the
        judgments of their queries. Values and means are those of all queries at once, to the last bit.

        Raises OptionError without parts, for a query of two parts, and for parts of other runs, measures or rules."""
        tables = list(parts)
        if not tables:
            raise OptionError(tr("there are no parts"))
        first = tables[0]
        for number, part in enumerate(tables, start=1):
            same = (
                (tr("other runs"), part.runs == first.runs),
                (tr("other measures"), [each.text for each in part.measures] == [each.text for each in first.measures]),
                (tr("other rules"), part.options == first.options),
                (
                    tr("other runs that lack what a measure reads"),
                    {text: {*gaps} for text, gaps in part.lacking.items()}
                    == {text: {*gaps} for text, gaps in first.lacking.items()},
                ),
            )
            for what, agrees in same:
                if not agrees:
                    raise OptionError(tr("part {n:,} has {what}", n=number, what=what))
        every = [query for part in tables for query in part.query_ids]
        order = bytewise_order(every)
        query_ids = tuple([every[place] for place in order.tolist()])
        twice = next((query for query, after in pairwise(query_ids) if query == after), None)
        if twice is not None:
            raise OptionError(tr("query {query} is in two parts; evaluate each with the judgments of its queries",
                                 query=twice))  # fmt: skip
        values = np.concatenate([part.values for part in tables], axis=2)[:, :, order]
        counted = np.concatenate([part.counted for part in tables], axis=1)[:, order]
        means = [
            [measure.mean(row[own]) for row, own in zip(rows, counted, strict=True)]
            for measure, rows in zip(first.measures, values, strict=True)
        ]
        missing = {run: [query for part in tables for query in part.missing.get(run, ())] for run in first.missing}
        unmatched = [each for each in first.unmatched
                     if all(each.run in {other.run for other in part.unmatched} for part in tables)]  # fmt: skip
        return replace(
            first, query_ids=query_ids, values=frozen(values),
            means=frozen(np.array(means, dtype=np.float64).reshape(first.means.shape)),
            missing={run: tuple(ids[place] for place in bytewise_order(ids).tolist()) for run, ids in missing.items()},
            unmatched=tuple(unmatched),
            cautions=tuple(dict.fromkeys(caution for part in tables for caution in part.cautions)),
            protocol=first.protocol if len(tables) == 1 else None, shares=first.shares if len(tables) == 1 else (),
        )  # fmt: skip

    def of_runs(self, places: Sequence[int]) -> ResultTable:
        """Return the table of some runs, in the order of ``places``."""
        order = list(places)
        return replace(
            self, runs=tuple(self.runs[place] for place in order), values=frozen(self.values[:, order]),
            means=frozen(self.means[:, order]),
            answers=None if self.answers is None else self.answers.of_runs(order),
        )  # fmt: skip

    def compared(self, bound: BoundProtocol) -> ResultTable:
        """Return the table without the systems that a protocol compares already, under another assigner."""
        others = {bound.names[place] for place in bound.under_others}
        return self.of_runs([n for n, run in enumerate(self.runs) if run not in others]) if others else self

    @cached_property
    def table(self) -> Any:
        """A pyarrow.Table with the columns run, query, measure, value, one row per value; the query of means is
        ``all``."""
        run, query, measure, value = [], [], [], []
        for m, row_measure in enumerate(self.measures):
            if row_measure.is_text:
                continue
            for n, name in enumerate(self.runs):
                row = self.values[m, n]
                kept = np.flatnonzero(~np.isnan(row))
                run += [name] * (len(kept) + 1)
                measure += [row_measure.text] * (len(kept) + 1)
                query += [self.query_ids[index] for index in kept] + ["all"]
                value += [*row[kept].tolist(), float(self.means[m, n])]
        return pa.table(
            {
                "run": pa.array(run, pa.string()),
                "query": pa.array(query, pa.string()),
                "measure": pa.array(measure, pa.string()),
                "value": pa.array(value, pa.float64()),
            }
        )

    def _place(self, measure: str | Measure) -> int:
        texts = [evaluated.text for evaluated in self.measures]
        if isinstance(measure, Measure):
            text = measure.text
        else:
            known = measure in texts or any(evaluated.asked == measure for evaluated in self.measures)
            text = measure if known else parse_measure(measure).text
        if text in texts:
            return texts.index(text)
        # AP was computed as AP(rel=2) under level 2: the measure has both names.
        by_asked = [index for index, evaluated in enumerate(self.measures) if text == evaluated.asked]
        if len(by_asked) == 1:
            return by_asked[0]
        raise KeyError(tr("{measure} was not evaluated; choose from {known}", measure=measure, known=", ".join(texts)))

    def _run(self, run: str | None) -> int:
        known = ", ".join(self.runs)
        if run is None:
            if len(self.runs) != 1:
                raise KeyError(tr("there are several runs; name one of {known}", known=known))
            return 0
        if run not in self.runs:
            raise KeyError(tr("unknown run {run}; choose from {known}", run=run, known=known))
        return self.runs.index(run)


def having_in_all(results: Sequence[ResultTable], measure: str | Measure, least: int = 2) -> list[int]:
    """Return the places of the runs that have what a measure reads in each of several results of the same runs, such as
    those under several judges. Raises MeasureError where fewer than ``least`` are left, if any is left out."""
    texts = [(result, result.of(measure)[0].text) for result in results]
    without = {run for result, text in texts for run in result.lacking.get(text, ())}
    kept = [place for place, run in enumerate(results[0].runs) if run not in without]
    if without and len(kept) < least:
        raise MeasureError(next(why for result, text in texts if (why := result.lack([text], result.runs))))
    return kept


def format_value(measure: Measure, value: float, digits: int = 4) -> str:
    """Return a value as trec_eval prints it: four decimals, counts whole; "–" for NaN."""
    if np.isnan(value):
        return "–"
    return decimal(f"{value:.0f}" if measure.counts else f"{value:.{digits}f}")


def format_values(measure: Measure, values: Floats, digits: int = 4, nan: str = "–") -> list[str]:
    """Return :func:`format_value` of each of many values float64[N]; ``nan`` for NaN."""
    pattern = "%.0f" if measure.counts else f"%.{digits}f"
    texts = [pattern % value for value in values.tolist()]
    if has_decimal_commas():
        texts = [decimal(text) for text in texts]
    for place in np.flatnonzero(np.isnan(values)):
        texts[place] = nan
    return texts


def _columns(query_ids: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], list[slice | Ints]]:
    """Return the queries of several runs in bytewise order, and the place of each run's queries among them. Runs mostly
    have the same queries: then none is looked up, as a worker shares the interpreter with the window."""
    first = tuple(query_ids[0]) if query_ids else ()
    if all(tuple(ids) == first for ids in query_ids):
        return first, [slice(None)] * len(query_ids)
    every = list({query for ids in query_ids for query in ids})
    all_ids = tuple([every[place] for place in bytewise_order(every).tolist()])
    column_of = dict(zip(all_ids, range(len(all_ids)), strict=True))
    return all_ids, [looked_up(column_of, ids) for ids in query_ids]


def combine(
    measures: Sequence[Measure],
    runs: Sequence[str],
    tables: Sequence[Sequence[Floats]],
    query_ids: Sequence[Sequence[str]],
    missing: Mapping[str, tuple[str, ...]],
    options: EvaluationOptions,
    unmatched: Sequence[Unmatched] = (),
    cautions: Sequence[str] = (),
    shares: Sequence[JudgedShare] = (),
) -> ResultTable:
    """Return one table of the values of several runs.

    ``tables[n][m]`` float64[E_n] are the values of run n for its queries ``query_ids[n]`` (in bytewise order). Means
    are over a run's own queries."""
    all_ids, columns_of = _columns(query_ids)
    values = np.full((len(measures), len(runs), len(all_ids)), np.nan)
    means = np.full((len(measures), len(runs)), np.nan)
    for n in range(len(query_ids)):
        for m, measure in enumerate(measures):
            values[m, n, columns_of[n]] = tables[n][m]
            means[m, n] = measure.mean(tables[n][m])
    values.flags.writeable = False
    means.flags.writeable = False
    return ResultTable(
        tuple(measures), tuple(runs), all_ids, values, means, dict(missing), options, tuple(unmatched),
        tuple(cautions), shares=tuple(shares),
    )  # fmt: skip
