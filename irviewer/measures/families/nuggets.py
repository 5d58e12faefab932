"""Measures of what an answer says: the nuggets that an assigner finds in it.

A label that no rule knows counts as not supported; a nugget whose importance no rule knows counts in ``all`` alone. The
scores of a topic are over the nuggets that the assigner returned; without any that count they are 0."""

from __future__ import annotations

import numpy as np

from irviewer.measures.answered import of_queries, undefined
from irviewer.measures.base import Measure, Parameter, in_formula, measure
from irviewer.measures.formulas import of
from irviewer.model.answers.labels import FULL, OKAY, VITAL
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

WEIGHT = Parameter(
    "weight", "choice", "vital", tr("which nuggets count: vital alone, okay ones half, or all alike"),
    ("vital", "weighted", "all"), always=True,
)  # fmt: skip
STRICT = Parameter("strict", "flag", False, tr("what is said in part counts as not said"))
CREDIT = Parameter("partial", "number", 0.5, tr("what a nugget counts that is said in part"), low=0, high=1)
ODD = Parameter(
    "odd", "choice", "all", tr("where a nugget counts whose importance no rule knows: in all, as an okay one, nowhere"),
    ("all", "okay", "drop"),
)  # fmt: skip
NUGGETS = "Pradeep and others, AutoNuggetizer, arXiv 2411.09607, 2024; arXiv 2504.15068, 2025"


def _formula(measure: Measure) -> str:
    partial = 0 if measure.parameter("strict") else measure.parameter("partial")
    weights = {
        "vital": ("1", in_formula(tr("vital")), "0"),
        "weighted": ("1", in_formula(tr("vital")), r"\frac{1}{2}"),
        "all": ("1", in_formula(tr("vital")), "1"),
    }[measure.parameter("weight")]
    said = ", ".join((
        r"s_j = 1\ " + in_formula(tr("said")), rf"{partial:g}\ " + in_formula(tr("in part")),
        r"0\ " + in_formula(tr("not said")),
    ))  # fmt: skip
    weight = rf"w_j = {weights[0]}\ {weights[1]}, {weights[2]}\ " + in_formula(tr("okay"))
    return r"\frac{\sum_{j} w_j s_j}{\sum_{j} w_j}, \quad " + said + r", \quad " + weight


def _rewards(measure: Measure) -> str:
    return {
        "vital": tr("answers that say the vital nuggets of the topic"),
        "weighted": tr("answers that say the nuggets of the topic, the vital ones above all"),
        "all": tr("answers that say the nuggets of the topic"),
    }[measure.parameter("weight")]


@measure(
    "NuggetR",
    title=tr("Nugget recall"),
    parameters=(WEIGHT, STRICT, CREDIT, ODD),
    rewards=_rewards,
    ignores=tr("what else the answer says, its length, its citations, and the list behind it"),
    formula=_formula,
    source=NUGGETS,
    tools={"textbook": "nugget recall"},
)
def nugget_recall(judged: Judged, weight: str, strict: bool, partial: float, odd: str) -> Floats:
    """The share of the nuggets' weight that the answer says, float64[E]."""
    if judged.answered is None or judged.answered.assignments is None:
        return undefined(judged)
    assignments = judged.answered.assignments
    nuggets = assignments.nuggets
    weights = assignments.weights(weight, odd)
    credit = assignments.credits(0.0 if strict else partial)
    groups, count = nuggets.topic_of_each, len(nuggets.topics)
    said = np.bincount(groups, weights=weights * credit, minlength=count)
    return of_queries(
        judged, nuggets.topic_index, safe_divide(said, np.bincount(groups, weights=weights, minlength=count))
    )


ALLOWANCE = 100
"""The characters that each nugget allows an answer in NuggetF."""


@measure(
    "NuggetF",
    title=tr("F of nuggets, with an allowance of length"),
    parameters=(
        Parameter("beta", "number", 3, tr("how many times recall counts against precision"), low=0, always=True),
    ),
    rewards=tr("short answers that say the vital nuggets"),
    ignores=tr("okay nuggets that are not said, and what is said in part"),
    formula=of(
        r"\frac{(\beta^2 + 1) P R}{\beta^2 P + R}",
        r"R = " + in_formula(tr("vital nuggets said")) + r" / " + in_formula(tr("vital nuggets")),
        r"P = \min(1, 1 - \frac{L - 100 m}{L})",
        r"m = " + in_formula(tr("nuggets said")),
        r"L = " + in_formula(tr("characters of the answer without spaces")),
    ),
    source="Voorhees, Overview of the TREC 2003 Question Answering Track, TREC 2003",
    tools={"textbook": "nugget F"},
)
def nugget_f(judged: Judged, beta: float) -> Floats:
    """Recall of vital nuggets and precision by length, float64[E]; the length is that of the text that was judged."""
    if judged.answered is None or judged.answered.assignments is None:
        return undefined(judged)
    assignments = judged.answered.assignments
    nuggets, said = assignments.nuggets, assignments.labels == FULL
    groups, count = nuggets.topic_of_each, len(nuggets.topics)
    vital, known = nuggets.importance == VITAL, nuggets.importance >= OKAY
    recall = safe_divide(np.bincount(groups[vital & said], minlength=count), nuggets.vital_counts)
    allowed = ALLOWANCE * np.bincount(groups[known & said], minlength=count)
    length = np.array([len("".join(text.split())) for text in assignments.answer_texts], dtype=np.float64)
    precision = np.where(length <= allowed, 1.0, 1.0 - safe_divide(length - allowed, length))
    value = safe_divide((beta * beta + 1) * precision * recall, beta * beta * precision + recall)
    return of_queries(judged, nuggets.topic_index, value)
