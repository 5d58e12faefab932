"""Measures of what an answer says: the nuggets that an assigner finds in it.

A label that no rule knows counts as not supported; a nugget whose importance no rule knows counts in ``all`` alone. The
scores of a topic are over the nuggets that the assigner returned (or, with ``unreturned``, over all of the topic);
without any that count they are 0."""

from __future__ import annotations

import numpy as np

from irviewer.measures.answered import of_queries, ratios_of_queries, undefined
from irviewer.measures.base import Measure, Parameter, in_formula, measure
from irviewer.measures.formulas import of
from irviewer.model.answers.labels import FULL, OKAY, VITAL
from irviewer.model.answers.nuggets import Nuggets, lacking, weights_of
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
UNRETURNED = Parameter(
    "unreturned", "choice", "out", tr("a nugget that the assigner did not return is left out, or not said"),
    ("out", "not_said"),
)  # fmt: skip
NUGGETS = "Pradeep and others, AutoNuggetizer, arXiv 2411.09607, 2024; arXiv 2504.15068, 2025"


def _formula(measure: Measure) -> str:
    weights = {
        "vital": ("1", in_formula(tr("vital")), "0"),
        "weighted": ("1", in_formula(tr("vital")), r"\frac{1}{2}"),
        "all": ("1", in_formula(tr("vital")), "1"),
    }[measure.parameter("weight")]
    weight = rf"w_j = {weights[0]}\ {weights[1]}, {weights[2]}\ " + in_formula(tr("okay"))
    return _weighted(measure, weight)


def _weighted(measure: Measure, weight: str) -> str:
    """Return the formula of the share of a weight that an answer says."""
    partial = 0 if measure.parameter("strict") else measure.parameter("partial")
    said = ", ".join((
        r"s_j = 1\ " + in_formula(tr("said")), rf"{partial:g}\ " + in_formula(tr("in part")),
        r"0\ " + in_formula(tr("not said")),
    ))  # fmt: skip
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
    parameters=(WEIGHT, STRICT, CREDIT, ODD, UNRETURNED),
    rewards=_rewards,
    ignores=tr("what else the answer says, its length, its citations, and the list behind it"),
    formula=_formula,
    source=NUGGETS,
    tools={"textbook": "nugget recall"},
)
def nugget_recall(
    judged: Judged, weight: str, strict: bool, partial: float, odd: str, unreturned: str
) -> Floats:  # fmt: skip
    """The share of the nuggets' weight that the answer says, float64[E]."""
    if judged.answered is None or judged.answered.assignments is None:
        return undefined(judged)
    assignments = judged.answered.assignments
    nuggets = assignments.nuggets
    weights = assignments.weights(weight, odd)
    said, topics = weights * assignments.credits(0.0 if strict else partial), nuggets.topic_of_each
    listed = judged.qrels.nuggets
    if unreturned == "not_said" and listed is not None:
        rows, places = lacking(nuggets, listed, judged.query_ids)
        topics, said = np.concatenate((topics, places)), np.concatenate((said, np.zeros(len(rows))))
        weights = np.concatenate((weights, weights_of(listed.importance[rows], weight, odd)))
    return ratios_of_queries(judged, nuggets.topic_index, topics, said, weights)


def _pyramid_formula(measure: Measure) -> str:
    votes = in_formula(tr("assessors who call the nugget vital"))
    return _weighted(measure, r"w_j = \frac{v_j}{\max_i v_i}, \quad v_j = " + votes)


@measure(
    "NuggetPyramid",
    title=tr("Nugget recall, weighted by votes"),
    parameters=(STRICT, CREDIT),
    rewards=tr("answers that say what most assessors call vital"),
    ignores=tr("nuggets that no assessor calls vital, what else the answer says, its length, and its citations"),
    formula=_pyramid_formula,
    source=(
        "Lin and Demner-Fushman, Will Pyramids Built of Nuggets Topple Over?, HLT-NAACL 2006; what is said in part as "
        "in arXiv 2411.09607"
    ),
    tools={"textbook": "nugget pyramid"},
)
def nugget_pyramid(judged: Judged, strict: bool, partial: float) -> Floats:
    """The share of the votes for the nuggets that the answer says, float64[E]; 0 for a topic without votes, and no
    values where no nugget has any."""
    if judged.answered is None or judged.answered.assignments is None:
        return undefined(judged)
    assignments = judged.answered.assignments
    nuggets = assignments.nuggets
    weights = vote_weights(nuggets, judged.qrels.nuggets)
    known = np.isfinite(weights)
    if not known.any():
        return undefined(judged)
    weights = np.where(known, weights, 0.0)
    credit = assignments.credits(0.0 if strict else partial)
    return ratios_of_queries(judged, nuggets.topic_index, nuggets.topic_of_each, weights * credit, weights)


def vote_weights(nuggets: Nuggets, listed: Nuggets | None) -> Floats:
    """Return float64[N]: the votes of each nugget by the most votes of its topic, NaN for a nugget without a number of
    votes. Where the assigner's file has no votes, they are those of the nuggets in force (``listed``) that stand at the
    same place of the topic with the same text."""
    votes = nuggets.votes
    if votes is None:
        votes = np.full(len(nuggets.texts), np.nan)
        if listed is not None and listed.votes is not None:
            own, theirs = nuggets.texts.to_pylist(), listed.texts.to_pylist()
            for topic in nuggets.topics:
                for row, other in zip(nuggets.rows(topic).tolist(), listed.rows(topic).tolist(), strict=False):
                    if own[row] == theirs[other]:
                        votes[row] = listed.votes[other]
    most = np.zeros(len(nuggets.topics))
    known = np.flatnonzero(np.isfinite(votes))
    np.maximum.at(most, nuggets.topic_of_each[known], votes[known])
    weights: Floats = np.where(np.isfinite(votes), safe_divide(votes, most[nuggets.topic_of_each]), np.nan)
    return weights


@measure(
    "ContextR",
    title=tr("Vital nuggets that the context holds"),
    rewards=tr("lists that hold the vital nuggets of the topic, whatever the answer says"),
    ignores=tr("the answer, the ranks within the context, and nuggets that no document is known to hold"),
    formula=(
        r"\frac{" + in_formula(tr("vital nuggets that a document of the context holds")) + r"}{"
        + in_formula(tr("vital nuggets that any document is known to hold")) + "}"
    ),
    source="Pradeep and others, AutoNuggetizer, arXiv 2411.09607, 2024 (vital nuggets); recall over them by counts",
    tools={"textbook": "context recall"},
)  # fmt: skip
def context_recall(judged: Judged) -> Floats:
    """The share of the vital nuggets with a link that a document of the context holds, float64[E]; 0 for a topic of
    which none has a link, and no values where no nugget has any."""
    nuggets = judged.qrels.nuggets
    if judged.answered is None or nuggets is None or nuggets.links is None:
        return undefined(judged)
    rows = [context_rows(judged, topic) for topic in judged.query_ids]
    held = np.array([sum(each for _, _, each in own) for own in rows], dtype=np.float64)
    return safe_divide(held, np.array([len(own) for own in rows], dtype=np.float64))


def context_rows(judged: Judged, topic: str) -> list[tuple[int, list[str], bool]]:
    """Return each vital nugget of a topic that has a link: its row, the documents that hold it, and whether the context
    has one of them. The context is the list that was given, to its depth, else the references of the answer."""
    nuggets, answered = judged.qrels.nuggets, judged.answered
    if nuggets is None or nuggets.links is None or answered is None:
        return []
    if answered.context is not None:
        listed = answered.context.ranking(topic)
        context = set(listed[: int(judged.returned[judged.query_ids.index(topic)])])
    else:
        context = set() if answered.answers is None else set(answered.answers.references_of(topic))
    rows = []
    for row in nuggets.rows(topic).tolist():
        documents = nuggets.links.documents_of(row) if nuggets.importance[row] == VITAL else []
        if documents:
            rows.append((row, documents, not context.isdisjoint(documents)))
    return rows


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
