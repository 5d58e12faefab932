"""Measures of support: whether the documents that a sentence cites say what it says, by the labels of a judge.

A label that no rule knows counts as no support. A citation without a label is not judged."""

from __future__ import annotations

import numpy as np

from irviewer.measures.answered import WITHOUT_DIVISOR, divided, ratios_of_queries, undefined
from irviewer.measures.base import Measure, Parameter, in_formula, measure
from irviewer.measures.support_values import joint_labels, needed_citations, sentence_values
from irviewer.model.answers.labels import FULL, UNJUDGED
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

CITATIONS = Parameter(
    "citations", "choice", "first", tr("the first citation of a sentence, or the mean of all its judged ones"),
    ("first", "all"), always=True,
)  # fmt: skip
HARD = Parameter("hard", "flag", False, tr("partial support counts as none"))
SOURCE = "Thakur and others, Support evaluation for the TREC 2024 RAG track, arXiv 2504.15205, 2025"


def _top(measure: Measure) -> str:
    text = tr("support of the first citation") if measure.parameter("citations") == "first" else tr("mean support")
    partial = "0" if measure.parameter("hard") else r"\frac{1}{2}"
    return (
        r"s = " + in_formula(text) + r",\ 1\ " + in_formula(tr("full")) + rf",\ {partial}\ " + in_formula(tr("partial"))
    )


def _precision(measure: Measure) -> str:
    return divided(measure, r"\sum s", in_formula(tr("sentences that are judged"))) + r", \quad " + _top(measure)


def _recall(measure: Measure) -> str:
    below = in_formula(tr("sentences")) + " - " + in_formula(tr("cited and not judged"))
    return divided(measure, r"\sum s", below) + r", \quad " + _top(measure)


@measure(
    "SupportP",
    title=tr("Support precision"),
    parameters=(CITATIONS, HARD, WITHOUT_DIVISOR),
    rewards=tr("citations that support their sentences"),
    ignores=tr("sentences without a citation, citations that are not judged, and what the answer should say"),
    formula=_precision,
    source=SOURCE,
    tools={"textbook": "support precision"},
)
def support_precision(judged: Judged, citations: str, hard: bool, missing: str) -> Floats:
    """The mean support of the sentences that are judged, float64[E]; 0 without any."""
    if judged.answered is None or judged.answered.support is None:
        return undefined(judged)
    support = judged.answered.support
    values, known = sentence_values(support, citations, hard=hard)
    return ratios_of_queries(judged, support.topic_index, support.sentence_topic, values, known, missing)


@measure(
    "SupportR",
    title=tr("Support recall"),
    parameters=(CITATIONS, HARD, WITHOUT_DIVISOR),
    rewards=tr("answers whose sentences are all supported by what they cite"),
    ignores=tr("sentences whose citations are not judged, and what the answer should say"),
    formula=_recall,
    source=SOURCE,
    tools={"textbook": "support recall"},
)
def support_recall(judged: Judged, citations: str, hard: bool, missing: str) -> Floats:
    """The mean support of the sentences, those without a citation 0, float64[E]; 0 without any."""
    if judged.answered is None or judged.answered.support is None:
        return undefined(judged)
    support = judged.answered.support
    values, known = sentence_values(support, citations, hard=hard)
    cited = np.diff(support.citation_offsets) > 0
    return ratios_of_queries(judged, support.topic_index, support.sentence_topic, values, known | ~cited, missing)


ALCE = "Gao and others, Enabling Large Language Models to Generate Text with Citations, arXiv 2305.14627, 2023"


@measure(
    "CitationP",
    title=tr("Citation precision"),
    rewards=tr("answers that cite what their sentences need, and nothing else"),
    ignores=tr("sentences without a citation, partial support, and citations of which it is not known"),
    parameters=(WITHOUT_DIVISOR,),
    formula=lambda measure: (
        divided(measure, in_formula(tr("citations that are needed")), in_formula(tr("citations that are judged")))
        + r", \quad " + in_formula(tr("needed")) + " = " + in_formula(tr(
            "all together support the sentence fully, and it does alone, or the others do not without it"
        ))
    ),
    source=ALCE,
    tools={"textbook": "citation precision"},
)  # fmt: skip
def citation_precision(judged: Judged, missing: str) -> Floats:
    """The share of the citations that are needed, of those of which it is known, float64[E]; 0 without any."""
    if judged.answered is None or judged.answered.support is None:
        return undefined(judged)
    support = judged.answered.support
    needed, known = needed_citations(support)
    topics = support.sentence_topic[support.citation_sentence]
    return ratios_of_queries(judged, support.topic_index, topics, needed, known, missing)


@measure(
    "CitationR",
    title=tr("Citation recall"),
    rewards=tr("answers whose sentences are fully supported by all that they cite, read together"),
    ignores=tr("which citation supports, citations that are not needed, and partial support"),
    parameters=(WITHOUT_DIVISOR,),
    formula=lambda measure: divided(
        measure, in_formula(tr("sentences that their citations together support fully")),
        in_formula(tr("sentences")) + " - " + in_formula(tr("cited and not judged")),
    ),
    source=ALCE,
    tools={"textbook": "citation recall"},
)  # fmt: skip
def citation_recall(judged: Judged, missing: str) -> Floats:
    """The share of the sentences that are fully supported, those without a citation not, float64[E]; 0 without any."""
    if judged.answered is None or judged.answered.support is None:
        return undefined(judged)
    support = judged.answered.support
    joint = joint_labels(support)
    counted = (joint != UNJUDGED) | (np.diff(support.citation_offsets) == 0)
    return ratios_of_queries(judged, support.topic_index, support.sentence_topic, joint == FULL, counted, missing)
