"""Values as the lines that trec_eval prints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.evaluation.results import ResultTable, format_values
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import trec_name, trec_sort_key
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.model.recall_cuts import documents_taken
from irviewer.model.zscores import MISSING

TREC_NAN = "  -nan"
"""What trec_eval prints for NaN in %6.4f; nothing but this is ever shorter than its six places."""


def trec_lines(
    result: ResultTable,
    tags: Sequence[str],
    judged: Sequence[Judged],
    *,
    by_query: bool = False,
    runid: bool = True,
    zscores: bool = False,
) -> str:
    """Return the lines run by run: the name padded to 22, tab, query, tab, value; ``all`` last.

    tags      of each run; ``judged`` its join with the qrels
    by_query  whether values by query are written, ``runid`` whether the line of the run is (trec_eval prints it with
              its groups; several runs always need it)
    zscores   whether the values are Z-scores"""
    level = result.options.level
    order = sorted(range(len(result.measures)), key=lambda m: (*trec_sort_key(result.measures[m], level), m))
    lines: list[str] = []
    for n, tag in enumerate(tags):
        columns = _columns(result, n, judged[n], order, zscores=zscores)
        if by_query:
            texts = [
                _column(name, judged[n], measure, values)
                for name, measure, values, summary_only in columns
                if measure.is_text or not summary_only
            ]
            lines += [line for lines_of_query in zip(*texts, strict=True) for line in lines_of_query]
        if runid:
            lines.append(f"{'runid':<22}\tall\t{tag}")
        for name, measure, values, _ in columns:
            if not measure.is_text:
                (text,) = format_values(measure, np.array([measure.mean(values)]), nan=TREC_NAN)
                lines.append(f"{name:<22}\tall\t{text}")
    return "\n".join(lines) + "\n"


def _columns(
    result: ResultTable, n: int, judged: Judged, order: Sequence[int], *, zscores: bool
) -> list[tuple[str, Measure, Floats, bool]]:
    """Return of each measure its name, its values, and whether trec_eval prints its summary alone."""
    level = result.options.level
    place = {query: number for number, query in enumerate(result.query_ids)}
    rows = [place[query] for query in judged.query_ids]
    columns: list[tuple[str, Measure, Floats, bool]] = []
    for m in order:
        measure = result.measures[m]
        known = trec_name(measure, level)
        name, summary_only = (
            (known[0], known[2]) if known else (measure.text, measure.aggregate in ("geometric", "count"))
        )
        values = result.values[m, n][rows]
        if zscores:
            values = np.where(np.isnan(values), MISSING, values)
            name = name if measure.is_text else f"Z{name:<22}"
        columns.append((name, measure, as_trec_eval(measure, judged, values), summary_only))
    return columns


def _column(name: str, judged: Judged, measure: Measure, values: Floats) -> list[str]:
    """Return the lines of one measure, a query each."""
    if measure.is_text:
        texts = [f"'{text}'" for text in measure.strings(judged)]
    else:
        texts = format_values(measure, values, nan=TREC_NAN)
    padded = f"{name:<22}"
    return [f"{padded}\t{query}\t{text}" for query, text in zip(judged.query_ids, texts, strict=True)]


def as_trec_eval(measure: Measure, judged: Judged, values: Floats) -> Floats:
    """Return the values as trec_eval 10 prints them. If judged-only leaves a query's list empty, it divides 0 by 0 for
    the precision at a recall that needs no document, and prints -nan. Elsewhere (window, Python, other formats) that
    precision is 0."""
    if measure.name not in ("IPrec", "11pt_avg"):
        return values
    empty = judged.in_run & (judged.returned == 0)
    if measure.name == "IPrec" and measure.cutoff is not None:
        relevant = judged.relevant_count(measure.parameter("rel"))
        empty = empty & (documents_taken(measure.cutoff, relevant, measure.parameter("cut")) == 0)
    return np.where(empty, np.nan, values)
