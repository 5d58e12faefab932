"""The values of rankings while they are typed."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.evaluation.evaluate import evaluate
from irviewer.model.lessons.lesson import TEXTBOOK
from irviewer.model.options import EvaluationOptions
from irviewer.model.rankings.inline_ranking import parse_inline_ranking


@dataclass(frozen=True)
class InlineRankingValues:
    """The values of rankings while they are typed: ``rows`` are (name, a value for each of ``measures``); the means if
    there are several queries."""

    measures: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...]


def inline_ranking_values(text: str, rules: str = TEXTBOOK) -> InlineRankingValues:
    """Return the values of a typed text under the rules of a dialect. Raises IrviewerError if it cannot be read."""
    typed = parse_inline_ranking(text)
    n = max(int(run.offsets[1] - run.offsets[0]) for run in typed.runs)
    graded = typed.qrels.max_grade > 1
    measures = ["AP", "nDCG", *(["DCG"] if graded else []), f"P@{min(n, 10)}", f"R@{min(n, 10)}", "RR"]
    options = EvaluationOptions(dialect=rules)
    results = [evaluate(typed.qrels, [run], measures, options) for run in typed.runs]
    rows = tuple(
        (run.name, tuple(result.mean(measure, run.name) for measure in measures))
        for run, result in zip(typed.runs, results, strict=True)
    )
    return InlineRankingValues(tuple(measures), rows)
