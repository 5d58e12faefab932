"""Ledgers of nugget scores, nugget by nugget: importance, label, weight, credit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.measures.answered import assignments_in, context_in
from irviewer.measures.families.nuggets import context_rows, group_shares, vote_weights
from irviewer.model.answers.labels import FULL, ODD, VITAL
from irviewer.model.answers.nuggets import Nuggets, lacking, weights_of
from irviewer.model.arrays import Floats, Ints, places_of
from irviewer.translation import tr, trn

NUGGET = Column("nugget", tr("nugget"), tr("what an answer should say"), "text")
IMPORTANCE = Column("importance", tr("importance"), tr("as in the file of assignments"), "text")
LABEL = Column("assignment", tr("assignment"), tr("what the assigner says of the answer"), "text")
WEIGHT = Column("weight", tr("weight"), tr("what the nugget counts"))
CREDIT = Column("credit", tr("credit"), tr("1 for what is said, less for what is said in part"))


def _rows(ranked_query: RankedQuery) -> Ints:
    nuggets = assignments_in(ranked_query.judged.answered).nuggets
    return nuggets.rows(ranked_query.judged.query_ids[0])


def _texts(ranked_query: RankedQuery, rows: Ints) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    assignments = assignments_in(ranked_query.judged.answered)
    taken = places_of(rows)
    columns = (assignments.nuggets.texts, assignments.nuggets.importance_texts, assignments.label_texts)
    texts, importance, labels = (tuple(column.take(taken).to_pylist()) for column in columns)
    return texts, importance, labels


def _assigner(ranked_query: RankedQuery) -> Rule:
    origin = assignments_in(ranked_query.judged.answered).nuggets.name
    return Rule("own", tr("The labels are those of {file}: they are what an assigner says, not facts.", file=origin))


def _divisor(
    ranked_query: RankedQuery, own: Floats, in_force: Callable[[Nuggets], Floats], missing: str
) -> tuple[float, list[Rule]]:
    """Return the sum of the weights of a topic, and what is said where no nugget counts. Where its nuggets were never
    assigned, as those of a topic without an answer, the nuggets in force count, where they are known."""
    judged, topic = ranked_query.judged, ranked_query.judged.query_ids[0]
    listed, total = judged.qrels.nuggets, float(own.sum())
    if topic not in assignments_in(judged.answered).nuggets.topic_index:
        total = 1.0 if listed is None else float(in_force(listed)[listed.rows(topic)].sum())
        if total:
            return total, [Rule("own", tr("No label is known of this topic: the score is 0."))]
    return total, [] if total else [Rule("own", NOTHING_COUNTS[missing])]


NOTHING_COUNTS = {
    "zero": tr("No nugget counts here, so the score is 0."),
    "undefined": tr("No nugget counts here, so the topic has no value and is left out."),
}


@explainer("NuggetR")
def nugget_recall(
    ranked_query: RankedQuery, weight: str, strict: bool, partial: float, odd: str, unreturned: str, missing: str
) -> Contributions:  # fmt: skip
    """Weight times credit of each nugget, by the sum of the weights."""
    assignments, rows = assignments_in(ranked_query.judged.answered), _rows(ranked_query)
    weights: Floats = assignments.weights(weight, odd)[rows]
    credit: Floats = assignments.credits(0.0 if strict else partial)[rows]
    texts, importance, labels = _texts(ranked_query, rows)
    rules = [_assigner(ranked_query)]
    codes = assignments.nuggets.importance[rows]
    listed = ranked_query.judged.qrels.nuggets
    if unreturned == "not_said" and listed is not None:
        more, _ = lacking(assignments.nuggets, listed, ranked_query.judged.query_ids)
        codes = np.concatenate((codes, listed.importance[more]))
        weights = weights_of(codes, weight, odd)
        credit = np.concatenate((credit, np.zeros(len(more))))
        texts += tuple(listed.texts.take(places_of(more)).to_pylist())
        importance += tuple(listed.importance_texts.take(places_of(more)).to_pylist())
        labels += (tr("not returned"),) * len(more)
    unknown = int(np.count_nonzero(codes == ODD))
    if unknown:
        rules.append(Rule("own", {
            "all": trn("{n:,} nugget has an importance that no rule knows: it counts in “all” alone.",
                       "{n:,} nuggets have an importance that no rule knows: they count in “all” alone.", unknown),
            "okay": trn("{n:,} nugget has an importance that no rule knows: it counts as an okay one.",
                        "{n:,} nuggets have an importance that no rule knows: they count as okay ones.", unknown),
            "drop": trn("{n:,} nugget has an importance that no rule knows: it counts nowhere.",
                        "{n:,} nuggets have an importance that no rule knows: they count nowhere.", unknown),
        }[odd]))  # fmt: skip
    if np.any(assignments.labels[rows] == ODD):
        rules.append(Rule("own", tr("An assignment that no rule knows counts as not supported.")))
    below, said = _divisor(ranked_query, weights, lambda each: weights_of(each.importance, weight, odd), missing)
    rules += said
    return account(
        weights * credit, tr("adds"), tr("weight times credit"), labels=(NUGGET, texts),
        columns=((IMPORTANCE, importance), (LABEL, labels), (WEIGHT, weights), (CREDIT, credit)),
        normaliser=Quantity("Σ w", tr("the sum of the weights"), below, whole=False),
        unjudged="", rules=tuple(rules), attribution=tr("each nugget contributes what its row adds"),
    )  # fmt: skip


@explainer("NuggetF")
def nugget_f(ranked_query: RankedQuery, beta: float, missing: str) -> Contributions:
    """(β² + 1)·P for each vital nugget said, by (β²·P + R)·(vital nuggets)."""
    assignments, rows = assignments_in(ranked_query.judged.answered), _rows(ranked_query)
    said, importance = assignments.labels[rows] == FULL, assignments.nuggets.importance[rows]
    vital = importance == VITAL
    texts, words, labels = _texts(ranked_query, rows)
    place = assignments.nuggets.topic_index.get(ranked_query.judged.query_ids[0])
    length = 0 if place is None else len("".join(assignments.answer_texts[place].split()))
    allowed = 100 * int(np.count_nonzero(said & (importance >= 0)))
    precision = 1.0 if length <= allowed else 1.0 - (length - allowed) / length
    n_vital, rules = _divisor(
        ranked_query, vital.astype(np.float64), lambda each: (each.importance == VITAL).astype(np.float64), missing
    )
    recall = float(np.count_nonzero(vital & said)) / n_vital if n_vital else 0.0
    below = (beta * beta * precision + recall) * n_vital
    return account(
        np.where(vital & said, (beta * beta + 1) * precision, 0.0), tr("adds"),
        tr("(β² + 1) · P where a vital nugget is said"), labels=(NUGGET, texts),
        columns=((IMPORTANCE, words), (LABEL, labels)),
        quantities=(
            Quantity("L", tr("characters of the answer without spaces"), length),
            Quantity("P", tr("precision by length: {n} characters are allowed", n=allowed), precision, whole=False),
            Quantity("R", tr("recall of vital nuggets"), recall, whole=False),
        ),
        normaliser=Quantity("(β²·P + R) · v", tr("the denominator of F, times the vital nuggets"), below, whole=False),
        unjudged="", rules=(_assigner(ranked_query), *rules),
        attribution=tr("each nugget contributes what its row adds"),
    )  # fmt: skip


VOTES = Column("votes", tr("votes"), tr("assessors who call the nugget vital, by the most of the topic"))


@explainer("NuggetPyramid")
def nugget_pyramid(ranked_query: RankedQuery, strict: bool, partial: float, missing: str) -> Contributions:
    """Weight by votes times credit of each nugget, by the sum of the weights."""
    judged = ranked_query.judged
    assignments, rows = assignments_in(judged.answered), _rows(ranked_query)
    votes = vote_weights(assignments.nuggets, judged.qrels.nuggets)[rows]
    weights: Floats = np.where(np.isfinite(votes), votes, 0.0)
    credit: Floats = assignments.credits(0.0 if strict else partial)[rows]
    texts, importance, labels = _texts(ranked_query, rows)
    rules = [_assigner(ranked_query)]
    if unknown := int(np.count_nonzero(~np.isfinite(votes))):
        rules.append(Rule("own", trn("{n:,} nugget has no votes: it counts nowhere.",
                                     "{n:,} nuggets have no votes: they count nowhere.", unknown)))  # fmt: skip
    below, said = _divisor(ranked_query, weights, lambda each: np.nan_to_num(vote_weights(each, None)), missing)
    rules += said
    return account(
        weights * credit, tr("adds"), tr("weight times credit"), labels=(NUGGET, texts),
        columns=((IMPORTANCE, importance), (LABEL, labels), (VOTES, votes), (CREDIT, credit)),
        normaliser=Quantity("Σ w", tr("the sum of the weights"), below, whole=False),
        unjudged="", rules=tuple(rules), attribution=tr("each nugget contributes what its row adds"),
    )  # fmt: skip


@explainer("WeightedScore")
def weighted_score(ranked_query: RankedQuery, groups: str, partial: float) -> Contributions:
    """What each nugget adds to the mean of its group, by the sizes of both groups."""
    assignments, rows = assignments_in(ranked_query.judged.answered), _rows(ranked_query)
    shares, sizes = (each[rows] for each in group_shares(assignments, groups, partial))
    texts, importance, labels = _texts(ranked_query, rows)
    size, meaning = tr("size"), tr("1 for a nugget of the first group, ½ for one of the second")
    return account(
        shares, tr("adds"), tr("credit by the number of nuggets of its group, of the second group one half"),
        labels=(NUGGET, texts),
        columns=((IMPORTANCE, importance), (LABEL, labels), (Column("size", size, meaning), sizes),
                 (CREDIT, assignments.credits(partial)[rows])),
        normaliser=Quantity("|A| + ½ |B|", tr("the sizes of both groups"), float(sizes.sum()), whole=False),
        unjudged="",
        rules=(_assigner(ranked_query),
               Rule("own", tr("A group of which nothing is said in full adds 0, also where some is said in part."))),
        attribution=tr("each nugget contributes what its row adds"),
    )  # fmt: skip


HOLDERS = Column("documents", tr("held by"), tr("the documents that are known to hold the nugget"), "text")


@explainer("ContextR")
def context_recall(ranked_query: RankedQuery, missing: str) -> Contributions:
    """1 for each vital nugget that a document of the context holds, by those that any document holds."""
    judged = ranked_query.judged
    context_in(judged.answered)
    rows, nuggets = context_rows(judged, judged.query_ids[0]), judged.qrels.nuggets
    texts = () if nuggets is None else tuple(nuggets.texts[row].as_py() for row, _, _ in rows)
    given = judged.answered is not None and judged.answered.with_list
    return account(
        np.array([held for _, _, held in rows], dtype=np.float64), tr("held"),
        tr("1 where the context has a document that holds it"), whole=True, labels=(NUGGET, texts),
        columns=((HOLDERS, tuple(", ".join(documents) for _, documents, _ in rows)),),
        normaliser=Quantity("v", tr("vital nuggets that any document is known to hold"), len(rows)), unjudged="",
        rules=(Rule("own", tr("The context is the list that the answers were made from.") if given
                    else tr("The context is the references of the answer, since no list was given.")),
               *(() if rows else (Rule("own", NOTHING_COUNTS[missing]),))),
        attribution=tr("each nugget contributes what its row adds"),
    )  # fmt: skip
