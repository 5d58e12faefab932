"""The support of sentences by the labels of their citations, one by one and together, for the measures and their
ledgers."""

from __future__ import annotations

import numpy as np

from irviewer.model.answers.labels import FULL, PARTIAL, UNJUDGED, Labels
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


def joint_labels(support: Support) -> Labels:
    """Return int8[S], the label of all that each sentence cites. One citation is all where a sentence has no other;
    UNJUDGED where nobody has said, also where the sentence cites nothing."""
    count = np.diff(support.citation_offsets)
    given = np.full(len(count), UNJUDGED, dtype=np.int8) if support.together is None else support.together.copy()
    given[count == 0] = UNJUDGED
    alone = np.flatnonzero((count == 1) & (given == UNJUDGED))
    given[alone] = support.labels[support.citation_offsets[:-1][alone]]
    return given


def needed_citations(support: Support) -> tuple[Bools, Bools]:
    """Return which citations are needed, bool[C], and of which that is known, bool[C]: a citation is needed where all
    that its sentence cites supports the sentence fully, and it supports it fully alone, or the others do not without
    it. Where the label of the others is not given: of two citations the other one is the others; of more, one that
    supports the sentence fully alone does so with others too. Nothing is known of a citation otherwise."""
    joint = joint_labels(support)[support.citation_sentence]
    number = np.diff(support.citation_offsets)
    among = number[support.citation_sentence]
    full = support.labels == FULL
    others_full = np.bincount(support.citation_sentence[full], minlength=len(number))[support.citation_sentence] - full
    others_judged = np.bincount(support.citation_sentence[support.judged], minlength=len(number))
    given = np.full(len(full), UNJUDGED, dtype=np.int8) if support.others is None else support.others
    labelled_rest = given != UNJUDGED
    all_else_judged = others_judged[support.citation_sentence] - support.judged == among - 1
    rest_known = labelled_rest | (others_full > 0) | ((among <= 2) & all_else_judged)
    rest = np.where(labelled_rest, given == FULL, others_full > 0)
    whole = joint == FULL
    known = (joint != UNJUDGED) & (~whole | (among == 1) | full | (support.judged & rest_known))
    return known & whole & ((among == 1) | full | ~rest), known
