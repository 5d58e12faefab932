"""The values of rankings while they are typed."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.evaluation.evaluate import evaluate
from irviewer.model.dialect_rules import gain_and_discount
from irviewer.model.dialects import dialect_of
from irviewer.model.lessons.lesson import TEXTBOOK
from irviewer.model.options import EvaluationOptions
from irviewer.model.rankings.inline_ranking import parse_inline_ranking
from irviewer.translation import tr

_OWNERS = {TEXTBOOK: tr("the lecture's rule"), "trec_eval": tr("trec_eval's rule")}
"""Dialect -> whose rule it is."""


@dataclass(frozen=True)
class InlineRankingValues:
    """The values of rankings while they are typed.

    measures  M names
    rows      for each of N runs its name and M values: means if there are several queries
    queries   the names of E queries, in the order in which they are typed
    by_query  N x E x M values
    rule      which gain and discount the values have, and whose rule it is
    """

    measures: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...]
    queries: tuple[str, ...] = ()
    by_query: tuple[tuple[tuple[float, ...], ...], ...] = ()
    rule: str = ""


def inline_ranking_values(text: str, rules: str = TEXTBOOK) -> InlineRankingValues:
    """Return the values of a typed text under the rules of a dialect. Queries that a run lacks count as 0; those
    that the dialect leaves out are left out. Raises IrviewerError if the text cannot be read."""
    typed = parse_inline_ranking(text)
    n = max(int((run.offsets[1:] - run.offsets[:-1]).max(initial=0)) for run in typed.runs)
    graded = typed.qrels.max_grade > 1
    measures = ["AP", "nDCG", *(["DCG"] if graded else []), f"P@{min(n, 10)}", f"R@{min(n, 10)}", "RR"]
    options = EvaluationOptions(dialect=rules, missing="zero")
    results = [evaluate(typed.qrels, [run], measures, options) for run in typed.runs]
    queries: tuple[str, ...] = ()
    by_query = []
    for result in results:
        columns = [result.by_query(measure) for measure in measures]
        queries = tuple(sorted(columns[0], key=int))  # the same for all
        by_query.append(tuple(tuple(column[query] for column in columns) for query in queries))
    rows = tuple(
        (run.name, tuple(result.mean(measure, run.name) for measure in measures))
        for run, result in zip(typed.runs, results, strict=True)
    )
    rule = tr(
        "{measure}, {rule}: {owner}",
        measure="DCG" if graded else "nDCG",
        rule=gain_and_discount(dialect_of(rules).dcg),
        owner=_OWNERS.get(rules, dialect_of(rules).title),
    )
    return InlineRankingValues(tuple(measures), rows, queries, tuple(by_query), rule)
