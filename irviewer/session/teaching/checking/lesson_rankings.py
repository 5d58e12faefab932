"""The rankings of a lesson, in some states of it, and the means that they have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from irviewer.errors import MeasureError
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Lesson
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.lecture_table.values import TableRanking
from irviewer.session.teaching.step_actions import copied_names
from irviewer.session.view_models.lecture_table import table_ranking


class Rankings:
    """The rankings of some states of a lesson."""

    def __init__(
        self, contexts: Sequence[EvaluationContext], *, of_step: bool = False, run: str = "", query: str = ""
    ) -> None:
        """``of_step``: the last state is what the step leads to, and counts are about that one. ``run`` and ``query``
        are those that a text is about, "" for all."""
        self.contexts = contexts
        self._of_step, self._run, self._query = of_step, run, query

    @cached_property
    def by_query(self) -> list[tuple[str, str, TableRanking]]:
        """(run, query, ranking) of each."""
        return [
            (entry.name, query, ranking)
            for context in self.contexts
            for entry in context.collection.runs
            for query in context.query_ids
            if self._run in ("", entry.name)
            and self._query in ("", query)
            and (ranking := table_ranking(context, entry, query)) is not None
        ]

    @cached_property
    def lists(self) -> list[TableRanking]:
        """The rankings alone."""
        return [ranking for _, _, ranking in self.by_query]

    @cached_property
    def totals(self) -> frozenset[int]:
        """How many documents are relevant, found, and missed, in all queries together."""
        totals: set[int] = set()
        for context in self.contexts if not self._query else ():
            own = Rankings([context], run=self._run).by_query
            for name in {run for run, _, _ in own}:
                lists = [ranking for run, _, ranking in own if run == name]
                relevant = sum(each.relevant for each in lists)
                retrieved = sum(int(each.hits[-1]) for each in lists if each.n)
                totals |= {relevant, retrieved, relevant - retrieved}
        return frozenset(totals)

    @cached_property
    def grades(self) -> list[tuple[Mapping[str, float], float]]:
        """(the judgments, the relevance level) of each query."""
        return [
            (context.judgments.qrels.judgments(query), ranking.level)
            for context in self.contexts
            if context.judgments is not None
            for entry in context.collection.runs[:1]
            for query in context.query_ids
            if self._query in ("", query) and (ranking := table_ranking(context, entry, query)) is not None
        ]

    @cached_property
    def counted(self) -> list[TableRanking]:
        """The rankings that a count can be about: of a step those that it leads to, and not what it copied."""
        if not self._of_step:
            return self.lists
        copied = copied_names(self.contexts[-1])
        last = Rankings(self.contexts[-1:], run=self._run, query=self._query)
        return [ranking for run, _, ranking in last.by_query if run not in copied]

    def of(self, run: str, query: str) -> Rankings:
        """Return those of one ranking and query."""
        return Rankings(self.contexts, of_step=self._of_step, run=run, query=query)

    def names(self) -> frozenset[str]:
        """Return the names of the rankings."""
        return self._names

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(run for run, _, _ in self.by_query)

    def called(self, word: str) -> str:
        """Return the ranking that a word names, as it is or as it begins a sentence; "" for none."""
        known = sorted(self.names(), key=lambda name: name != word)
        return next((name for name in known if re.fullmatch(either_case(name), word)), "")


class KeptRankings:
    """The rankings of states, kept for lessons that differ in a sentence."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Rankings] = {}

    def of(self, contexts: tuple[EvaluationContext, ...], of_step: bool, run: str, query: str) -> Rankings:
        """Return :class:`Rankings` of these, the same ones each time."""
        key = (contexts, of_step, run, query)
        if key not in self._known:
            self._known[key] = Rankings(contexts, of_step=of_step, run=run, query=query)
        return self._known[key]


def either_case(name: str) -> str:
    """Return a pattern of a name as it is, and as it begins a sentence: "kestrel", "Kestrel"; a letter is as it is."""
    rest = re.escape(name[1:])
    return f"[{name[0]}{name[0].upper()}]{rest}" if len(name) > 1 and name[0].islower() else re.escape(name)


def values_stated(measure: str, values: Mapping[str, float]) -> str:
    """Return the values of a measure as a text, the highest first: "AP: A .6500, B .3583"."""
    falling = sorted(values.items(), key=lambda each: -each[1])
    return f"{measure}: " + ", ".join(f"{name} {HalfUp(value):.4f}" for name, value in falling)


def means_of(measure: str, context: EvaluationContext, lesson: Lesson, query: str = "") -> dict[str, float]:
    """Return the mean of a measure of each ranking, or its value of a query, by the name of the ranking; {} for no
    measure of the lesson's rules."""
    try:
        parsed = parse_measure(measure, DIALECTS[lesson.rules].names)
    except MeasureError:
        return {}
    if query:
        place = list(context.query_ids).index(query)
        return {entry.name: float(context.values(entry, parsed)[place]) for entry in context.collection.runs}
    return {entry.name: float(context.mean(entry, parsed)) for entry in context.collection.runs}
