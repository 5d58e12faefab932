"""Ledgers of what answers cite and of their length: sentence by sentence, or document by document."""

from __future__ import annotations

import unicodedata

import numpy as np

from irviewer.analysis.explain.explainer import DOCUMENT, GRADE, Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.analysis.explain.without_divisor import divisor_rules
from irviewer.measures.answered import answers_in
from irviewer.measures.refusals import refusal_in
from irviewer.model.answers.answers import Answers
from irviewer.model.arrays import Floats
from irviewer.translation import tr

SENTENCE = Column("sentence", tr("sentence"), tr("of the answer"), "text")
BY_SENTENCE = tr("each sentence contributes what its row adds")


def _sentences(ranked_query: RankedQuery) -> tuple[Answers, int, int, tuple[str, ...]]:
    answers = answers_in(ranked_query.judged.answered)
    topic = ranked_query.judged.query_ids[0]
    place = answers.topic_index.get(topic)
    first, last = (0, 0) if place is None else (int(answers.offsets[place]), int(answers.offsets[place + 1]))
    return answers, first, last, tuple(answers.sentences_of(topic))


def _cited(ranked_query: RankedQuery) -> list[str]:
    answers = answers_in(ranked_query.judged.answered)
    place = answers.topic_index.get(ranked_query.judged.query_ids[0])
    rows = answers.distinct_cited
    own = rows[answers.citation_topic[rows] == (-1 if place is None else place)]
    return [str(answers.cited[row].as_py()) for row in own.tolist()]


def _divisor_rules(ranked_query: RankedQuery, below: float, missing: str) -> tuple[Rule, ...]:
    index = answers_in(ranked_query.judged.answered).topic_index
    return divisor_rules(ranked_query, below, index, missing)


def _number(ranked_query: RankedQuery) -> Quantity:
    return Quantity("n", tr("sentences of the answer"), len(_sentences(ranked_query)[3]))


@explainer("CitedRel")
def cited_relevance(ranked_query: RankedQuery, rel: float, of: str, missing: str) -> Contributions:
    """1 for each relevant document that is cited, by those cited or those of them that are judged."""
    documents = _cited(ranked_query)
    judgments = ranked_query.query.asked.judgments(ranked_query.judged.query_ids[0])
    grades = np.array([judgments.get(document, np.nan) for document in documents], dtype=np.float64)
    judged = int(np.count_nonzero(grades >= 0))
    below = len(documents) if of == "cited" else judged
    meaning = tr("distinct cited documents") if of == "cited" else tr("distinct cited documents that are judged")
    return account(
        (grades >= max(rel, 0)).astype(np.float64), tr("relevant"), tr("1 where the document is relevant"),
        tr("relevant so far"), whole=True, labels=(DOCUMENT, tuple(documents)), columns=((GRADE, grades),),
        normaliser=Quantity("n", meaning, below),
        quantities=(Quantity("u", tr("cited documents without a judgment"), len(documents) - judged),),
        unjudged=tr("A cited document without a judgment counts as non-relevant.") if of == "cited" else "",
        rules=_divisor_rules(ranked_query, below, missing),
    )  # fmt: skip


@explainer("Uncited")
def uncited(ranked_query: RankedQuery, missing: str) -> Contributions:
    """1 for each sentence without a citation."""
    answers, first, last, texts = _sentences(ranked_query)
    return account(
        answers.uncited[first:last].astype(np.float64), tr("uncited"), tr("1 where the sentence cites nothing"),
        whole=True, labels=(SENTENCE, texts), normaliser=_number(ranked_query), unjudged="",
        rules=_divisor_rules(ranked_query, last - first, missing), attribution=BY_SENTENCE,
    )  # fmt: skip


@explainer("CitationsPerSentence")
def citations_per_sentence(ranked_query: RankedQuery, missing: str) -> Contributions:
    """The citations of each sentence, by the sentences."""
    answers, first, last, texts = _sentences(ranked_query)
    return account(
        np.diff(answers.citation_offsets)[first:last].astype(np.float64), tr("citations"),
        tr("what the sentence cites"), whole=True, labels=(SENTENCE, texts), normaliser=_number(ranked_query),
        unjudged="", rules=_divisor_rules(ranked_query, last - first, missing), attribution=BY_SENTENCE,
    )  # fmt: skip


def _lengths(ranked_query: RankedQuery, unit: str) -> tuple[Floats, tuple[str, ...]]:
    answers, first, last, texts = _sentences(ranked_query)
    if unit == "words":
        return answers.sentence_words[first:last].astype(np.float64), texts
    counts = [len("".join(unicodedata.normalize("NFKC", text).split())) for text in texts]
    return np.array(counts, dtype=np.float64), texts


@explainer("Length")
def length(ranked_query: RankedQuery, unit: str) -> Contributions:
    """The length of each sentence."""
    lengths, texts = _lengths(ranked_query, unit)
    return account(
        lengths, tr("length"), tr("of the sentence"), whole=True, labels=(SENTENCE, texts), unjudged="",
        attribution=BY_SENTENCE,
    )  # fmt: skip


@explainer("OverBudget")
def over_budget(ranked_query: RankedQuery, limit: float, unit: str, amount: bool) -> Contributions:
    """What each sentence adds beyond the limit; or 1 at the sentence that passes it."""
    lengths, texts = _lengths(ranked_query, unit)
    total = np.cumsum(lengths)
    beyond = np.diff(np.maximum(total - limit, 0.0), prepend=0.0)
    passes = np.diff((total > limit).astype(np.float64), prepend=0.0)
    return account(
        beyond if amount else passes, tr("beyond"), tr("what the sentence adds beyond the limit"), whole=True,
        labels=(SENTENCE, texts), columns=((Column("length", tr("length"), tr("of the sentence"), "int", 0), lengths),),
        quantities=(Quantity("b", tr("the limit"), limit),), unjudged="", attribution=BY_SENTENCE,
    )  # fmt: skip


@explainer("Used")
def used(ranked_query: RankedQuery, missing: str) -> Contributions:
    """1 for each document that is cited, by the documents of the context; at most all of them."""
    documents = _cited(ranked_query)
    counted = np.arange(len(documents)) < ranked_query.n
    return account(
        counted.astype(np.float64), tr("cited"), tr("1 for each document that is cited"), whole=True,
        labels=(DOCUMENT, tuple(documents)),
        normaliser=Quantity("n", tr("documents of the context"), ranked_query.n), unjudged="",
        rules=_divisor_rules(ranked_query, ranked_query.n, missing),
    )  # fmt: skip


@explainer("Abstain")
def abstain(ranked_query: RankedQuery) -> Contributions:
    """1 for an answer that is empty or refuses, at its first sentence."""
    texts = _sentences(ranked_query)[3] or ("",)
    phrase = refusal_in(list(texts))
    at = next((place for place, text in enumerate(texts) if text.strip()), 0)
    values = np.zeros(len(texts))
    values[at] = phrase is not None
    if phrase:
        rule = tr("The first sentence has a phrase of the list of refusals: “{phrase}”.", phrase=phrase)
    elif phrase is None:
        rule = tr("The first sentence has no phrase of the list of refusals.")
    else:
        rule = tr("The answer has no words.")
    return account(
        values, tr("refuses"), tr("1 where the answer is empty or refuses"), whole=True, labels=(SENTENCE, texts),
        unjudged="", rules=(Rule("own", rule),), attribution=BY_SENTENCE,
    )  # fmt: skip
