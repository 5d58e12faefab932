"""Ledgers of nugget scores, nugget by nugget: importance, label, weight, credit."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.measures.answered import assignments_in, context_in
from irviewer.measures.families.nuggets import context_rows, vote_weights
from irviewer.model.answers.labels import FULL, ODD, VITAL
from irviewer.model.answers.nuggets import lacking, weights_of
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


@explainer("NuggetR")
def nugget_recall(
    ranked_query: RankedQuery, weight: str, strict: bool, partial: float, odd: str, unreturned: str
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
    if not weights.sum():
        rules.append(Rule("own", tr("No nugget counts here, so the score is 0.")))
    return account(
        weights * credit, tr("adds"), tr("weight times credit"), labels=(NUGGET, texts),
        columns=((IMPORTANCE, importance), (LABEL, labels), (WEIGHT, weights), (CREDIT, credit)),
        normaliser=Quantity("Σ w", tr("the sum of the weights"), float(weights.sum()), whole=False),
        unjudged="", rules=tuple(rules), attribution=tr("each nugget contributes what its row adds"),
    )  # fmt: skip


@explainer("NuggetF")
def nugget_f(ranked_query: RankedQuery, beta: float) -> Contributions:
    """(β² + 1)·P for each vital nugget said, by (β²·P + R)·(vital nuggets)."""
    assignments, rows = assignments_in(ranked_query.judged.answered), _rows(ranked_query)
    said, importance = assignments.labels[rows] == FULL, assignments.nuggets.importance[rows]
    vital = importance == VITAL
    texts, words, labels = _texts(ranked_query, rows)
    place = assignments.nuggets.topic_index.get(ranked_query.judged.query_ids[0])
    length = 0 if place is None else len("".join(assignments.answer_texts[place].split()))
    allowed = 100 * int(np.count_nonzero(said & (importance >= 0)))
    precision = 1.0 if length <= allowed else 1.0 - (length - allowed) / length
    n_vital = int(np.count_nonzero(vital))
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
        unjudged="", rules=(_assigner(ranked_query),), attribution=tr("each nugget contributes what its row adds"),
    )  # fmt: skip


VOTES = Column("votes", tr("votes"), tr("assessors who call the nugget vital, by the most of the topic"))


@explainer("NuggetPyramid")
def nugget_pyramid(ranked_query: RankedQuery, strict: bool, partial: float) -> Contributions:
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
    return account(
        weights * credit, tr("adds"), tr("weight times credit"), labels=(NUGGET, texts),
        columns=((IMPORTANCE, importance), (LABEL, labels), (VOTES, votes), (CREDIT, credit)),
        normaliser=Quantity("Σ w", tr("the sum of the weights"), float(weights.sum()), whole=False),
        unjudged="", rules=tuple(rules), attribution=tr("each nugget contributes what its row adds"),
    )  # fmt: skip


HOLDERS = Column("documents", tr("held by"), tr("the documents that are known to hold the nugget"), "text")


@explainer("ContextR")
def context_recall(ranked_query: RankedQuery) -> Contributions:
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
                    else tr("The context is the references of the answer, since no list was given.")),),
        attribution=tr("each nugget contributes what its row adds"),
    )  # fmt: skip
