"""What the program computes of the rankings of a lesson in a state of it: values, counts, ranks, and relevance."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from irviewer.errors import MeasureError
from irviewer.model.arrays import Bools
from irviewer.model.lessons.lesson import Figure
from irviewer.model.workspace import RunEntry
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.lecture_table.values import TableRanking
from irviewer.session.teaching.figures import value_of
from irviewer.session.teaching.step_actions import ranking_name
from irviewer.session.view_models.lecture_table import table_ranking


class State:
    """A state of the rankings: of a ranking that a step changed, its copy. A query "" is the mean, or all queries."""

    def __init__(self, context: EvaluationContext) -> None:
        self.context = context
        self._entries: dict[str, RunEntry] = {}
        for entry in context.collection.runs:
            if entry.edited is not None or ranking_name(entry) not in self._entries:
                self._entries[ranking_name(entry)] = entry
        self.runs = tuple(self._entries)
        self.queries = tuple(context.query_ids)
        self._rankings: dict[tuple[str, str], TableRanking | None] = {}
        self._values: dict[tuple[str, str, str], float | None] = {}

    def ranking(self, run: str, query: str) -> TableRanking | None:
        """Return the ranking of a query; None without documents or judgments."""
        if (run, query) not in self._rankings:
            entry = self._entries.get(run)
            known = entry is not None and query in self.queries
            self._rankings[run, query] = table_ranking(self.context, entry, query) if entry and known else None
        return self._rankings[run, query]

    def value(self, measure: str, run: str, query: str) -> float | None:
        """Return the value of a measure; None if it has none."""
        key = (measure, run, query)
        if key not in self._values:
            try:
                entry = self._entries[run]
                value = value_of(Figure(measure, "", 0.0, 0, "", query), self.context, entry)
            except (MeasureError, KeyError, ValueError):
                value = math.nan
            self._values[key] = None if math.isnan(value) else value
        return self._values[key]

    def lists(self, run: str, query: str) -> Sequence[TableRanking] | None:
        """Return the ranking of a query, or those of all; None if one of them is not there."""
        rankings = [self.ranking(run, each) for each in ([query] if query else self.queries)]
        known = [each for each in rankings if each is not None]
        return known if len(known) == len(rankings) else None


def relevance_at(ranking: TableRanking, rank: int, what: object) -> bool | None:
    """Return whether the document at a rank is relevant, judged, or of a grade; None without such a rank."""
    rank = ranking.n if rank == -1 else rank
    if not 1 <= rank <= ranking.n:
        return None
    return bool(is_such(ranking, what)[rank - 1])


def is_such(ranking: TableRanking, what: object) -> Bools:
    """Return bool[n], which documents are "relevant", "other" (not relevant), "judged", "unjudged", of a grade, or
    anything ("document")."""
    such: Bools = np.ones(ranking.n, dtype=bool)
    if isinstance(what, tuple):
        _, grade, or_more = what
        grades = np.nan_to_num(ranking.grades, nan=-1.0 if grade else 0.0)
        such = grades >= grade if or_more else grades == grade
    elif what in ("judged", "unjudged"):
        such = np.isnan(ranking.grades) == (what == "unjudged")
    elif what != "document":
        such = (ranking.is_relevant > 0) == (what == "relevant")
    return such


def counts(ranking: TableRanking, what: object, span: tuple[int, int | None] | None) -> list[float]:
    """Return how many documents of a list, or of some ranks of it, are such; several where it can be meant in several
    ways, none where the list has no such ranks."""
    low, high = span or (1, None)
    if high is not None and high > ranking.n:
        return []
    if what == "missed":
        return [] if span else [float(ranking.relevant - ranking.hits[-1])]
    own = is_such(ranking, what)[low - 1 : high]
    n = [float(np.count_nonzero(own))]
    if what == "other":  # an unjudged one may count, or not
        n.append(float(np.count_nonzero(own & ~np.isnan(ranking.grades[low - 1 : high]))))
    return n


def nth_rank(ranking: TableRanking, nth: int) -> int | None:
    """Return the rank of the nth relevant document, -1 for the last; None if there are fewer."""
    ranks = np.flatnonzero(ranking.is_relevant) + 1
    if not ranks.size or (nth != -1 and not 1 <= nth <= ranks.size):
        return None
    return int(ranks[-1 if nth == -1 else nth - 1])


class KeptStates:
    """States that are kept for lessons that differ in a sentence."""

    def __init__(self) -> None:
        self._known: dict[EvaluationContext, State] = {}

    def of(self, context: EvaluationContext) -> State:
        """Return the state of a context, the same one each time."""
        if context not in self._known:
            self._known[context] = State(context)
        return self._known[context]
