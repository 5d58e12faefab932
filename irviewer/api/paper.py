"""The public function that makes a table for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Unpack

import numpy as np

from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.result_comparison import compare_measure, comparison_options, untestable
from irviewer.api.attributes import Attributes, given_attributes
from irviewer.api.protocols import (
    EVALUATION,
    INFERENCE,
    UNIT,
    AnyProtocol,
    bound_to,
    protocol_of,
    taking_part,
    unmatched_places,
    with_files_of,
    with_measures,
    with_queries,
)
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Sources, listed_measures, measures_of
from irviewer.errors import OptionError, UndecidedError
from irviewer.evaluation.answer_cautions import left_out_texts
from irviewer.evaluation.bind import BoundProtocol, deciding_of
from irviewer.evaluation.caveats import zeros_text
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.evaluation.usual_measures import usual_measures
from irviewer.formats.registration import kept_sentences, read_registration
from irviewer.model.arguments import checked
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import ComparisonFields
from irviewer.model.protocol_line import BY_LOOK
from irviewer.model.qrels import Qrels
from irviewer.model.run_names import further_names, run_place, whole_name
from irviewer.translation import tr
from irviewer.views.paper import (
    DECIMALS,
    USUAL,
    PaperStyle,
    PaperSubject,
    PaperTable,
    column_of,
    own_queries_remark,
    rules_remarks,
)
from irviewer.views.selection import once_notes
from irviewer.views.values import numeric_measures

MEASURES = ("nDCG@10", "AP", "RR", "P@10")
"""The columns where no measures are given."""


@checked
def paper_table(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures | None = None,
    *,
    protocol: AnyProtocol | None = None,
    baseline: str | int | None = None,
    tested: bool = True,
    queries: Sequence[str] | None = None,
    chosen_after_looking: bool = False,
    shown: Sequence[str] = (),
    collection: str = "",
    judged_by: str = "",
    decimals: int = DECIMALS,
    bold: bool = True,
    registered: str | PathLike[str] | None = None,
    query_attributes: Attributes | None = None,
    **fields: Unpack[ComparisonFields],
) -> PaperTable:
    """Return one table of runs and measures with daggers, or letters with ``family="pairs"``, at the primary measure,
    the best values in bold, and a caption.

    >>> qrels = {str(q): {"a": 1} for q in range(40)}
    >>> good = {str(q): {"a": 2.0, "b": 1.0} for q in range(40)}
    >>> bad = {str(q): {"b": 2.0 if q % 2 else 1.0, "a": 1.5} for q in range(40)}
    >>> print(paper_table(qrels, {"bad": bad, "good": good}, ["RR", "P@1"]).markdown.partition("\\n\\n")[2])
    | Run | RR | P@1 |
    | :-- | --: | --: |
    | bad | 0.7500 | 0.5000 |
    | good | **1.0000**† | **1.0000** |
    <BLANKLINE>
    Means over 40 queries, 40 judgments. Best values in bold. †: significantly better than bad (paired t-test, one \
comparison, p \\< .05). Only RR is tested; P@1 is secondary.
    <BLANKLINE>

    measures      the first is the primary one; None: those of the protocol, else nDCG@10, AP, RR and P@10
    protocol      an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    baseline      name or index of a run; None: the run called baseline or BM25, else the first
    tested        False: no tests
    queries       as for compare()
    shown         names of the runs that are rows, in their order; the others take part in the tests all the same; ():
                  all
    collection, judged_by    names for the caption
    decimals      of each value
    registered    a registered protocol: the caption says whether it was kept, and what differs

    The other arguments are as for compare(). The result has ``latex``, ``markdown``, ``csv``, ``html`` and ``caption``,
    and ``save(path)`` writes every format. Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "paper_table", fields, EVALUATION | INFERENCE | UNIT,
                        ("queries", "weights", "runs", "baseline"))  # fmt: skip
    measures = listed_measures(measures)
    asked = with_measures(asked, measures)
    asked = with_queries(asked, queries, chosen_after_looking)
    sources = Sources(stored=True)
    judgments, given = sources.both(qrels, runs)
    if isinstance(baseline, str):
        asked = asked.but(baseline=baseline)
    asked, all_runs = taking_part(given, asked)
    texts = measures_of((asked.measures or usual_measures(MEASURES, judgments)) if measures is None else measures)
    result = evaluate(judgments, all_runs, texts, evaluation_options(asked.rules))
    if isinstance(baseline, int):
        asked = asked.but(baseline=_name(result, baseline))
    bound = bound_to(
        asked, judgments, all_runs, ("attributes", query_attributes), result=result,
        undecided=unmatched_places(result), uses=uses_of(tested=tested),
        primary=deciding_of(result.measures),
        attributes=given_attributes(query_attributes),
    )  # fmt: skip
    return with_files_of(table_of(
        result, judgments, bound, tested=tested,
        shown=[whole_name(name, result.runs, further_names(all_runs)) for name in shown],
        collection=collection, judged_by=judged_by,
        style=PaperStyle(decimals, bold), registered=registered,
    ), given)  # fmt: skip


def uses_of(*, tested: bool) -> tuple[str, ...]:
    """Return the parts of a protocol that a table depends on, with tests or without."""
    return BY_LOOK if tested else ("rules", "scope")


def table_of(
    result: ResultTable,
    qrels: Qrels,
    bound: BoundProtocol,
    *,
    tested: bool = True,
    shown: Sequence[str] = (),
    collection: str = "",
    judged_by: str = "",
    style: PaperStyle = USUAL,
    registered: str | PathLike[str] | None = None,
) -> PaperTable:
    """Return the table of a result under a protocol. Its tests are of the primary measure, over all runs of the result,
    whichever are rows."""
    over = result if bound.selected is None else result.over(bound.selected)
    rows = over if not shown else over.of_runs([run_place(name, result.runs) for name in shown])
    primary, comparison = "", None
    if tested and len(result.runs) > 1:
        measure = result.of(bound.facts.primary)[0]
        primary, comparison = measure.text, _comparison(result, bound)
    columns = tuple(
        column_of(
            measure,
            rows.means[place],
            graded=qrels.is_graded,
            level=result.options.level,
            own=np.count_nonzero(rows.counted & ~np.isnan(rows.values[place]), axis=1).tolist(),
        )
        for place, measure in numeric_measures(rows)
    )
    lacking = any(rows.missing.get(name) for name in rows.runs)
    remarks = [_missing_remark(rows)] if lacking else []
    once = once_notes(bound) if comparison else []
    remarks += [f"{text}." for text in (*left_out_texts(result.lacking, len(result.runs)), *once)]
    selection = bound.protocol.scope.queries
    weighted = bool(bound.protocol.scope.weights)
    remarks += rules_remarks(result.options, weighted=weighted, looked=selection.looked)
    if registered is not None:
        remarks += kept_sentences(read_registration(registered), bound.protocol, bound.files)
    judgments = len(qrels) if bound.selected is None else sum(len(qrels.judgments(query)) for query in rows.query_ids)
    subject = PaperSubject(
        collection, len(rows.query_ids), selection.name or Path(selection.file).name, judgments, judged_by,
        remarks=tuple(remarks), apart=lacking and result.options.missing_policy != "zero",
    )  # fmt: skip
    return PaperTable(rows.runs, columns, subject, primary if comparison else "", comparison, style, bound)


def _comparison(result: ResultTable, bound: BoundProtocol) -> Comparison | None:
    """Return the comparison of the primary measure under a protocol; None where it has no test, and where no document
    of the baseline is judged."""
    measure = result.of(bound.facts.primary)[0]
    if untestable(measure):
        return None
    options = replace(
        comparison_options(bound.protocol.inference, units=bound.units, looked=bound.looked,
                           comparisons=bound.facts.comparisons or 0),
        interval="t",
    )  # fmt: skip  # the table has no intervals
    try:
        return compare_measure(result.compared(bound), measure, options, queries=bound.selected, **bound.runs_compared)
    except UndecidedError:
        return None


def _missing_remark(result: ResultTable) -> str:
    if result.options.missing_policy == "zero":
        return zeros_text(result.measures)
    counts = zip(result.runs, result.counted.sum(axis=1).tolist(), strict=True)
    return own_queries_remark({name: n for name, n in counts if result.missing.get(name)})


def _name(result: ResultTable, baseline: int) -> str:
    """Return the name of a run, given by its index. Raises OptionError."""
    if not -len(result.runs) <= baseline < len(result.runs):
        raise OptionError(
            tr("there is no run number {number}; number of runs: {runs}", number=baseline, runs=len(result.runs))
        )
    return result.runs[baseline]
