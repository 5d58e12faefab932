"""The support of sentences by the labels of their citations, for the measures and their ledgers."""

from __future__ import annotations

import numpy as np

from irviewer.model.answers.labels import FULL, PARTIAL
from irviewer.model.answers.support import Support
from irviewer.model.arrays import Bools, Floats, Ints, safe_divide


def sentence_values(support: Support, citations: str, *, hard: bool) -> tuple[Floats, Bools]:
    """Return the support of each sentence, float64[S], and whether it is judged, bool[S]."""
    weight = np.where(support.labels == FULL, 1.0, np.where((support.labels == PARTIAL) & (not hard), 0.5, 0.0))
    sentences, count = support.citation_sentence, len(support.texts)
    counted = support.judged
    if citations == "first":
        first = np.zeros(len(weight), dtype=np.bool_)
        first[support.citation_offsets[:-1][np.diff(support.citation_offsets) > 0]] = True
        counted = counted & first
    number: Ints = np.bincount(sentences[counted], minlength=count)
    total = np.bincount(sentences[counted], weights=weight[counted], minlength=count)
    return safe_divide(total, number), number > 0
