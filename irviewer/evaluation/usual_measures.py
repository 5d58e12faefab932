"""The measures that are taken where nobody names one."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.evaluation.answer_cautions import judges_nothing
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measures
from irviewer.model.qrels import Qrels

OF_NUGGETS = ("V_strict", "V", "W", "A")
"""What answers say, where nuggets are all that is known; the first is the main measure of TREC RAG."""

OF_DOCUMENTS = "nDCG@10"
"""What a question about one measure takes."""

OFFICIAL = ("official",)
"""What questions about all values take: those that trec_eval prints."""


def usual_measure(named: str | Measure | None, qrels: Qrels) -> str | Measure:
    """Return the one measure that is named, by a call or its protocol; None: the usual one."""
    return usual_measures((OF_DOCUMENTS,), qrels)[0] if named is None else named


def usual_measures(usual: Sequence[str], qrels: Qrels) -> tuple[str, ...]:
    """Return the names of the usual measures, or groups of them. Where only nuggets are known these would mean nothing:
    then as many of nuggets."""
    return OF_NUGGETS[: len(parse_measures(tuple(usual)))] if judges_nothing(qrels) else tuple(usual)
