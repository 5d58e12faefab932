"""Measures of what answers cite, and of their length: counted from the answers, and from qrels of documents."""

from __future__ import annotations

import numpy as np

from irviewer.measures.answered import WITHOUT_DIVISOR, divided, leave_out, of_queries, undefined
from irviewer.measures.base import (
    FROM_ZERO,
    RELEVANCE_LEVEL,
    SHARE,
    Measure,
    Parameter,
    Span,
    in_formula,
    measure,
)
from irviewer.measures.refusals import abstained
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.systems import cited_run
from irviewer.model.arrays import Floats, Ints, safe_divide
from irviewer.model.judgments.judged import Judged, judge
from irviewer.translation import tr

OF = Parameter(
    "of", "choice", "cited", tr("divide by all cited documents, or by those that are judged"), ("cited", "judged")
)
COUNTED = "TREC 2024 Retrieval-Augmented Generation track, guidelines, 2024"
UNIT = Parameter(
    "unit", "choice", "words", tr("words between white space, or characters (NFKC) without it"), ("words", "chars")
)
LIMIT = Parameter("limit", "number", 400, tr("the length that the task allows"), low=0, always=True)


@measure(
    "CitedRel",
    title=tr("Relevance of what is cited"),
    parameters=(RELEVANCE_LEVEL, OF, WITHOUT_DIVISOR),
    rewards=tr("answers that cite relevant documents"),
    ignores=tr("whether a document supports its sentence, how often it is cited, and what the answer says"),
    formula=lambda measure: divided(
        measure, in_formula(tr("distinct cited documents of grade")) + rf" \geq {measure.parameter('rel'):g}",
        in_formula(tr("distinct cited documents") if measure.parameter("of") == "cited" else tr("those judged")),
    ),
    source=COUNTED,
    tools={"textbook": "relevance of citations"},
)  # fmt: skip
def cited_relevance(judged: Judged, rel: float, of: str, missing: str) -> Floats:
    """The share of the distinct cited documents that are relevant, float64[E]; 0 for an answer that cites none."""
    if judged.answered is None or judged.answered.answers is None:
        return undefined(judged)
    answers = judged.answered.answers
    cited = judge(cited_run(answers), judged.qrels, queries=judged.query_ids)
    below = cited.returned if of == "cited" else cited.judged_hits.count_by_query
    values = safe_divide(cited.relevant_hits(rel).count_by_query, below)
    return values if missing == "zero" else leave_out(values, judged, below, answers.topic_index)


def _by_sentence(judged: Judged, answers: Answers, counts: Ints, missing: str) -> Floats:
    """Return counts by the sentences of each answer, float64[E]."""
    index, sentences = answers.topic_index, answers.sentence_counts
    values = of_queries(judged, index, safe_divide(counts, sentences))
    return values if missing == "zero" else leave_out(values, judged, of_queries(judged, index, sentences), index)


@measure(
    "Uncited",
    title=tr("Sentences without a citation"),
    rewards=tr("answers whose sentences all cite something"),
    parameters=(WITHOUT_DIVISOR,),
    ignores=tr("what is cited; an answer without sentences has 0"),
    formula=lambda measure: divided(
        measure, in_formula(tr("sentences without a citation")), in_formula(tr("sentences"))
    ),
    source=COUNTED,
    higher_is_better=False,
    tools={"textbook": "uncited sentences"},
)
def uncited(judged: Judged, missing: str) -> Floats:
    """The share of sentences that cite nothing, float64[E]."""
    if judged.answered is None or judged.answered.answers is None:
        return undefined(judged)
    answers = judged.answered.answers
    return _by_sentence(judged, answers, answers.uncited_counts, missing)


@measure(
    "CitationsPerSentence",
    title=tr("Citations per sentence"),
    rewards=tr("answers with many citations"),
    ignores=tr("what is cited, and whether it supports the sentence"),
    parameters=(WITHOUT_DIVISOR,),
    formula=lambda measure: divided(measure, in_formula(tr("citations")), in_formula(tr("sentences"))),
    source=COUNTED,
    span=FROM_ZERO,
    tools={"textbook": "citations per sentence"},
)
def citations_per_sentence(judged: Judged, missing: str) -> Floats:
    """The mean number of citations of a sentence, float64[E]; 0 without sentences."""
    if judged.answered is None or judged.answered.answers is None:
        return undefined(judged)
    answers = judged.answered.answers
    return _by_sentence(judged, answers, answers.citation_counts, missing)


def _length(judged: Judged, unit: str) -> Floats:
    if judged.answered is None or judged.answered.answers is None:
        return undefined(judged)
    answers = judged.answered.answers
    return of_queries(judged, answers.topic_index, answers.words if unit == "words" else answers.characters)


@measure(
    "Length",
    title=tr("Length of the answer"),
    parameters=(UNIT,),
    rewards=tr("short answers"),
    ignores=tr("what is said"),
    formula=lambda measure: in_formula(
        tr("words of the answer") if measure.parameter("unit") == "words" else tr("characters of the answer")
    ),
    source=COUNTED,
    span=FROM_ZERO,
    higher_is_better=False,
    tools={"textbook": "length"},
)
def length(judged: Judged, unit: str) -> Floats:
    """The length of each answer, float64[E]."""
    return _length(judged, unit)


def _over_span(measure: Measure) -> Span:
    return FROM_ZERO if measure.parameter("amount") else SHARE


@measure(
    "OverBudget",
    title=tr("Answers beyond the limit of length"),
    parameters=(LIMIT, UNIT, Parameter("amount", "flag", False, tr("how much the answer is beyond the limit"))),
    rewards=tr("answers within the limit"),
    ignores=tr("what is said, and how short an answer within the limit is"),
    formula=lambda measure: (
        rf"\max(0, L - {measure.parameter('limit'):g})" if measure.parameter("amount")
        else rf"[L > {measure.parameter('limit'):g}]"
    ) + r", \quad L = " + in_formula(tr("length of the answer")),
    source=COUNTED,
    span=_over_span,
    higher_is_better=False,
    tools={"textbook": "over budget"},
)  # fmt: skip
def over_budget(judged: Judged, limit: float, unit: str, amount: bool) -> Floats:
    """1 for each answer beyond the limit, or how much it is beyond, float64[E]."""
    over = _length(judged, unit) - limit
    return np.maximum(over, 0.0) if amount else np.where(np.isnan(over), np.nan, over > 0)


@measure(
    "Used",
    title=tr("Share of the context that is cited"),
    rewards=tr("answers that cite much of the list that they were made from"),
    ignores=tr("whether it is relevant, and what the answer says"),
    parameters=(WITHOUT_DIVISOR,),
    formula=lambda measure: divided(
        measure, in_formula(tr("distinct cited documents")), in_formula(tr("documents of the context"))
    ),
    source=COUNTED,
    tools={"textbook": "context used"},
)
def used(judged: Judged, missing: str) -> Floats:
    """Distinct cited documents by documents of the context, float64[E]; at most 1."""
    if judged.answered is None or judged.answered.answers is None:
        return undefined(judged)
    answers = judged.answered.answers
    cited = of_queries(judged, answers.topic_index, answers.cited_counts)
    values = np.minimum(safe_divide(cited, judged.returned), 1.0)
    return values if missing == "zero" else leave_out(values, judged, judged.returned, answers.topic_index)


@measure(
    "Abstain",
    title=tr("Answers that are empty or refuse"),
    rewards=tr("systems that answer every topic"),
    ignores=tr("whether an answer is right, and refusals in other words than those of the list"),
    formula=r"[" + in_formula(tr("the answer has no words, or its first sentence has a phrase of the list")) + "]",
    source=COUNTED,
    higher_is_better=False,
    tools={"textbook": "abstention"},
)
def abstain(judged: Judged) -> Floats:
    """1 for each topic whose answer is empty, is lacking, or refuses, float64[E]."""
    if judged.answered is None or judged.answered.answers is None:
        return undefined(judged)
    answers = judged.answered.answers
    return 1.0 - of_queries(judged, answers.topic_index, 1.0 - abstained(answers))
