"""Merge of several judges into one judgment set: majority, median, mean, or one judge with another for missing
grades."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from irviewer.analysis.agreement.grades_of_runs import top_documents
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints, distinct, frozen, places_of
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.judgments.panel import Panel
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

Rule = Literal["majority", "median", "mean", "fill"]
RULES: dict[Rule, str] = {
    "majority": tr("The grade that most judges give."),
    "median": tr("The middle grade; of an even number the lower of the two in the middle."),
    "mean": tr("The mean of the grades."),
    "fill": tr("The first judge's grade; where it has none, that of the next who has one."),
}
Ties = Literal["lower", "higher", "first", "unjudged"]
TIES: dict[Ties, str] = {
    "lower": tr("If several grades have the same number of judges, the lowest counts."),
    "higher": tr("If several grades have the same number of judges, the highest counts."),
    "first": tr("If several grades have the same number of judges, that of the judge named first counts."),
    "unjudged": tr("If several grades have the same number of judges, the document stays unjudged."),
}
MIXED = -1
"""The source of a grade that several judges contributed to."""


@dataclass(frozen=True, eq=False)
class Merged:
    """A merged judgment set.

    judges    the names of the merged judges
    source    int64[U]: for each pair of the panel the judge whose grade is used (rule "fill"), -1 for several, -2 for
              none
    ties      the number of pairs decided by the tie rule
    """

    judgments: JudgmentSet
    panel: Panel
    rule: Rule
    tie_rule: Ties
    grades: Floats
    source: Ints
    ties: int

    @property
    def sentence(self) -> str:
        """The sentence that says how it was made."""
        return said_of_rule(self.rule, self.tie_rule, RULES, TIES)

    def shares_of_top(self, runs: Sequence[Run], depth: int = 10, options: EvaluationOptions | None = None) -> Floats:
        """Return float64[N, J + 2]: of each run's first documents, on the queries of the set, the share whose grade is
        from each of the judges, from several, and from none; NaN where the run returns nothing for them."""
        top = top_documents(self.panel, runs, depth, options or EvaluationOptions())
        judged = distinct(self.panel.query[~np.isnan(self.grades)])
        inside = np.zeros(len(self.panel.query_ids), dtype=np.bool_)
        inside[judged] = True
        size = len(self.panel.sets)
        result = np.full((len(runs), size + 2), np.nan)
        for run, (rows, query) in enumerate(zip(top.rows, top.query, strict=True)):
            returned = int(top.returned[run, inside].sum())
            if not returned:
                continue
            source = self.source[rows[inside[query]]]
            counts = np.bincount(np.where(source == MIXED, size, source)[source > MIXED - 1], minlength=size + 1)
            result[run, : size + 1] = counts / returned
            result[run, size + 1] = 1 - counts.sum() / returned
        return result


def check_rule(rule: str, ties: str, rules: Collection[str]) -> None:
    """Raise OptionError for a rule that is none of ``rules``, or a tie rule that there is not."""
    if rule not in rules or ties not in TIES:
        raise OptionError(
            tr("There is no rule {rule!r} with ties {ties!r}. Rules: {rules}; ties: {all_ties}.", rule=rule, ties=ties,
               rules=", ".join(rules), all_ties=", ".join(TIES))
        )  # fmt: skip


def said_of_rule(rule: str, ties: str, rules: Mapping[Any, str], tie_rules: Mapping[Any, str]) -> str:
    """Return how a rule decides, with the rule of ties where it needs one."""
    return f"{rules[rule]} {tie_rules[ties]}" if rule == "majority" else rules[rule]


def merge(panel: Panel, rule: Rule = "majority", *, ties: Ties = "lower", name: str = "") -> Merged:
    """Merge the judges of a panel, in their order. Raises OptionError for fewer than two, or a rule there is not."""
    check_rule(rule, ties, RULES)
    if len(panel.sets) < 2:
        raise OptionError(tr("Merging needs two judgment sets or more."))
    judged = panel.judged
    source = np.where(judged.any(axis=1), MIXED, MIXED - 1)
    tied = 0
    if rule == "fill":
        first = np.argmax(judged, axis=1)
        grades = np.where(judged.any(axis=1), panel.grades[np.arange(len(panel)), first], np.nan)
        source = np.where(judged.any(axis=1), first, source)
    elif rule == "majority":
        grades, tied = _majority(panel, ties)
    elif rule == "median":
        ordered = np.sort(panel.grades, axis=1)  # NaN last
        middle = np.maximum(judged.sum(axis=1) - 1, 0) // 2
        grades = ordered[np.arange(len(panel)), middle]
    else:
        number = judged.sum(axis=1)
        total = np.where(judged, panel.grades, 0.0).sum(axis=1)
        grades = np.divide(total, number, out=np.full(len(panel), np.nan), where=number > 0)
    source = np.where(np.isnan(grades), MIXED - 1, source)
    name = name or tr("{rule} of {judges}", rule=rule, judges=", ".join(panel.names))
    kept = np.flatnonzero(~np.isnan(grades))
    codes = panel.query[kept]
    used = distinct(codes)
    qrels = Qrels.from_columns(
        tuple(panel.query_ids[place] for place in used.tolist()),
        np.searchsorted(used, codes),
        panel.doc_ids.take(places_of(kept)),
        grades[kept],
        name=name,
    )
    judgments = JudgmentSet(qrels, name, "merged", note=said_of_rule(rule, ties, RULES, TIES))
    return Merged(judgments, panel, rule, ties, frozen(grades), frozen(source.astype(np.int64)), tied)


def _majority(panel: Panel, ties: Ties) -> tuple[Floats, int]:
    if not len(panel):
        return np.full(0, np.nan), 0
    votes = np.stack([(panel.grades == grade).sum(axis=1) for grade in panel.scale], axis=1)
    most = votes == votes.max(axis=1, keepdims=True)
    several = most.sum(axis=1) > 1
    if ties == "first":
        grades = np.full(len(panel), np.nan)
        for judge in range(len(panel.sets) - 1, -1, -1):
            code = panel.codes[:, judge]
            own = (code >= 0) & most[np.arange(len(panel)), np.maximum(code, 0)]
            grades = np.where(own, panel.grades[:, judge], grades)
    else:
        lowest, highest = np.argmax(most, axis=1), most.shape[1] - 1 - np.argmax(most[:, ::-1], axis=1)
        grades = panel.scale[highest if ties == "higher" else lowest]
        if ties == "unjudged":
            grades = np.where(several, np.nan, grades)
    return grades, int(several.sum())
