"""Measures of what an answer says: the nuggets that an assigner finds in it.

A label that no rule knows counts as not supported; a nugget whose importance no rule knows counts in ``all`` alone. The
scores of a topic are over the nuggets that the assigner returned (or, with ``unreturned``, over all of the topic);
without any that count they are 0, or with ``missing`` the topic has no value and is left out."""

from __future__ import annotations

import numpy as np

from irviewer.measures.answered import of_queries, ratios_of_queries, undefined
from irviewer.measures.base import Measure, Parameter, in_formula, joined, measure
from irviewer.measures.formulas import filled
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.labels import FULL, OKAY, PARTIAL, VITAL
from irviewer.model.answers.nuggets import Nuggets, lacking, weights_of
from irviewer.model.arrays import Bools, Floats, Ints, safe_divide
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
MISSING = Parameter(
    "missing", "choice", "zero", tr("a topic of which no nugget counts has 0, or no value, and is left out"),
    ("zero", "undefined"),
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
    return joined(r"\frac{\sum_{j} w_j s_j}{\sum_{j} w_j}", said, weight, _defined(measure, r"\sum_{j} w_j > 0"))


def _defined(measure: Measure, condition: str) -> str:
    """Return the condition under which a topic has a value; "" where each has one."""
    return condition if measure.leaves_out else ""


def left_out(judged: Judged, nuggets: Nuggets, weights: Floats, topics: Ints, listed: Floats | None = None) -> Bools:
    """Return bool[E]: no nugget of the topic counts, of those that the assigner was given; where it was given none of
    the topic, as for one without an answer, of those in force. Where these are not known the topic counts.

    weights, topics  float64[N] and int64[N]: what the nuggets count, and the places of their topics in ``nuggets``
    listed           float64: what the nuggets in force count, those of ``judged.qrels``
    """
    own = np.bincount(topics, weights=weights, minlength=len(nuggets.topics))
    total = of_queries(judged, nuggets.topic_index, own, np.nan)
    in_force = judged.qrels.nuggets
    if in_force is not None and listed is not None:
        sums = np.bincount(in_force.topic_of_each, weights=listed, minlength=len(in_force.topics))
        total = np.where(np.isnan(total), of_queries(judged, in_force.topic_index, sums), total)
    nothing: Bools = total == 0
    return nothing


def _rewards(measure: Measure) -> str:
    return {
        "vital": tr("answers that say the vital nuggets of the topic"),
        "weighted": tr("answers that say the nuggets of the topic, the vital ones above all"),
        "all": tr("answers that say the nuggets of the topic"),
    }[measure.parameter("weight")]


@measure(
    "NuggetR",
    title=tr("Nugget recall"),
    parameters=(WEIGHT, STRICT, CREDIT, ODD, UNRETURNED, MISSING),
    rewards=_rewards,
    ignores=tr("what else the answer says, its length, its citations, and the list behind it"),
    formula=_formula,
    source=NUGGETS,
    tools={"textbook": "nugget recall"},
)
def nugget_recall(
    judged: Judged, weight: str, strict: bool, partial: float, odd: str, unreturned: str, missing: str
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
    values = ratios_of_queries(judged, nuggets.topic_index, topics, said, weights)
    if missing == "undefined":
        in_force = None if listed is None else weights_of(listed.importance, weight, odd)
        values[left_out(judged, nuggets, weights, topics, in_force)] = np.nan
    return values


def _pyramid_formula(measure: Measure) -> str:
    votes = in_formula(tr("assessors who call the nugget vital"))
    return _weighted(measure, r"w_j = \frac{v_j}{\max_i v_i}, \quad v_j = " + votes)


@measure(
    "NuggetPyramid",
    title=tr("Nugget recall, weighted by votes"),
    parameters=(STRICT, CREDIT, MISSING),
    rewards=tr("answers that say what most assessors call vital"),
    ignores=tr("nuggets that no assessor calls vital, what else the answer says, its length, and its citations"),
    formula=_pyramid_formula,
    source=(
        "Lin and Demner-Fushman, Will Pyramids Built of Nuggets Topple Over?, HLT-NAACL 2006; what is said in part as "
        "in arXiv 2411.09607"
    ),
    tools={"textbook": "nugget pyramid"},
)
def nugget_pyramid(judged: Judged, strict: bool, partial: float, missing: str) -> Floats:
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
    values = ratios_of_queries(judged, nuggets.topic_index, nuggets.topic_of_each, weights * credit, weights)
    if missing == "undefined":
        listed = judged.qrels.nuggets
        in_force = None if listed is None else np.nan_to_num(vote_weights(listed, None))
        values[left_out(judged, nuggets, weights, nuggets.topic_of_each, in_force)] = np.nan
    return values


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
    parameters=(MISSING,),
    rewards=tr("lists that hold the vital nuggets of the topic, whatever the answer says"),
    ignores=tr("the answer, the ranks within the context, and nuggets that no document is known to hold"),
    formula=lambda measure: joined(
        r"\frac{" + in_formula(tr("vital nuggets that a document of the context holds")) + r"}{"
        + in_formula(tr("vital nuggets that any document is known to hold")) + "}",
        _defined(measure, in_formula(tr("vital nuggets that any document is known to hold")) + " > 0"),
    ),
    source="Pradeep and others, AutoNuggetizer, arXiv 2411.09607, 2024 (vital nuggets); recall over them by counts",
    tools={"textbook": "context recall"},
)  # fmt: skip
def context_recall(judged: Judged, missing: str) -> Floats:
    """The share of the vital nuggets with a link that a document of the context holds, float64[E]; 0 for a topic of
    which none has a link, and no values where no nugget has any."""
    nuggets = judged.qrels.nuggets
    if judged.answered is None or nuggets is None or nuggets.links is None:
        return undefined(judged)
    rows = [context_rows(judged, topic) for topic in judged.query_ids]
    held = np.array([sum(each for _, _, each in own) for own in rows], dtype=np.float64)
    known = np.array([len(own) for own in rows], dtype=np.float64)
    return np.where((known == 0) & (missing == "undefined"), np.nan, safe_divide(held, known))


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
        MISSING,
    ),
    rewards=tr("short answers that say the vital nuggets"),
    ignores=tr("okay nuggets that are not said, and what is said in part"),
    formula=lambda measure: filled(
        measure,
        r"\frac{(\beta^2 + 1) P R}{\beta^2 P + R}",
        r"R = " + in_formula(tr("vital nuggets said")) + r" / " + in_formula(tr("vital nuggets")),
        r"P = \min(1, 1 - \frac{L - 100 m}{L})",
        r"m = " + in_formula(tr("nuggets said")),
        r"L = " + in_formula(tr("characters of the answer without spaces")),
        _defined(measure, in_formula(tr("vital nuggets")) + " > 0"),
    ),
    source="Voorhees, Overview of the TREC 2003 Question Answering Track, TREC 2003",
    tools={"textbook": "nugget F"},
)
def nugget_f(judged: Judged, beta: float, missing: str) -> Floats:
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
    values = of_queries(judged, nuggets.topic_index, value)
    if missing == "undefined":
        listed = judged.qrels.nuggets
        in_force = None if listed is None else (listed.importance == VITAL).astype(np.float64)
        values[left_out(judged, nuggets, vital.astype(np.float64), groups, in_force)] = np.nan
    return values


GROUPS = Parameter(
    "groups", "choice", "labels",
    tr("what parts the nuggets in two: their labels, as since August 2025, or their importance, as before"),
    ("labels", "importance"), always=True,
)  # fmt: skip


def _group_means_formula(measure: Measure) -> str:
    by_labels = measure.parameter("groups") == "labels"
    upper, lower = (tr("said in full"), tr("said in part")) if by_labels else (tr("vital"), tr("okay"))
    said = r"s_j = 1\ " + in_formula(tr("said")) + rf",\ {measure.parameter('partial'):g}\ " + in_formula(tr("in part"))
    return joined(
        r"\frac{\bar{s}_A + \frac{1}{2} \bar{s}_B}{|A| + \frac{1}{2} |B|}",
        "A = " + in_formula(tr("nuggets: {kind}", kind=upper)), "B = " + in_formula(tr("nuggets: {kind}", kind=lower)),
        said, r"\bar{s} = 0\ " + in_formula(tr("where nothing of the group is said in full")),
    )  # fmt: skip


@measure(
    "WeightedScore",
    title=tr("Weighted score of PyTerrier’s nuggetizer"),
    parameters=(GROUPS, CREDIT),
    rewards=tr(
        "what PyTerrier’s nuggetizer rewards: it is here to compare with its numbers; W is the score of the track"
    ),
    ignores=tr(
        "what else the answer says; means are divided by numbers of nuggets once more, so that a topic of many nuggets "
        "scores low, or by labels an answer that says many"
    ),
    formula=_group_means_formula,
    source="NamaWho/pyterrier-nuggetizer, measure/_provider.py, September 2025",
    tools={"textbook": "weighted score of pyterrier-nuggetizer"},
)  # fmt: skip
def weighted_score(judged: Judged, groups: str, partial: float) -> Floats:
    """The mean credit of two groups of nuggets, the second one half, by their sizes, float64[E]."""
    if judged.answered is None or judged.answered.assignments is None:
        return undefined(judged)
    assignments = judged.answered.assignments
    nuggets = assignments.nuggets
    return ratios_of_queries(
        judged, nuggets.topic_index, nuggets.topic_of_each, *group_shares(assignments, groups, partial)
    )


def group_shares(assignments: Assignments, groups: str, partial: float) -> tuple[Floats, Floats]:
    """Return float64[N] both: what each nugget adds to the mean credits of its topic's two groups, the second one half,
    and to their sizes. The mean of a group is 0 where nothing in it is said in full."""
    nuggets, labels = assignments.nuggets, assignments.labels
    topics, count = nuggets.topic_of_each, len(nuggets.topics)
    upper, lower = (
        (labels == FULL, labels == PARTIAL) if groups == "labels"
        else (nuggets.importance == VITAL, nuggets.importance == OKAY)
    )  # fmt: skip
    sizes: Floats = np.where(upper, 1.0, np.where(lower, 0.5, 0.0))
    shares = np.zeros(len(labels))
    for group, worth in ((upper, 1.0), (lower, 0.5)):
        full = np.bincount(topics[group & (labels == FULL)], minlength=count) > 0
        size = np.bincount(topics[group], minlength=count)
        own = group & full[topics]
        shares[own] = worth * assignments.credits(partial)[own] / size[topics[own]]
    return shares, sizes
