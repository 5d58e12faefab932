"""Ledgers of support, sentence by sentence."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.measures.answered import support_in
from irviewer.measures.support_values import sentence_values
from irviewer.model.arrays import Floats
from irviewer.translation import tr

SENTENCE = Column("sentence", tr("sentence"), tr("of the answer that was judged"), "text")
CITED = Column("cited", tr("cites"), tr("what the sentence cites, with the label of each"), "text")
COUNTED = Column("counts", tr("counts"), tr("1 where the sentence counts in the denominator"), "int", 0)


def _account(ranked_query: RankedQuery, citations: str, *, hard: bool, recall: bool) -> Contributions:
    support = support_in(ranked_query.judged.answered)
    place = support.topic_index.get(ranked_query.judged.query_ids[0])
    first, last = (0, 0) if place is None else (int(support.offsets[place]), int(support.offsets[place + 1]))
    values, known = sentence_values(support, citations, hard=hard)
    uncited = np.diff(support.citation_offsets) == 0
    counted: Floats = ((known | uncited) if recall else known)[first:last].astype(np.float64)
    cited = []
    for sentence in range(first, last):
        start, stop = int(support.citation_offsets[sentence]), int(support.citation_offsets[sentence + 1])
        pairs = zip(support.cited[start:stop].to_pylist(), support.label_texts[start:stop].to_pylist(), strict=True)
        cited.append(", ".join(f"{document}: {label or '–'}" for document, label in pairs))
    said = tr("sentences, less those cited but not judged") if recall else tr("sentences that are judged")
    rule = {
        "first": tr("The first citation of a sentence decides; without a label the sentence does not count."),
        "all": tr("A sentence has the mean of its judged citations; without any it does not count."),
    }[citations]
    return account(
        values[first:last], tr("adds"), tr("1 for full support, ½ for partial (0 where that counts as none)"),
        labels=(SENTENCE, tuple(support.texts[first:last].to_pylist())),
        columns=((CITED, tuple(cited)), (COUNTED, counted)),
        normaliser=Quantity("n", said, float(counted.sum())), unjudged="", rules=(Rule("own", rule),),
        attribution=tr("each sentence contributes what its row adds"),
    )  # fmt: skip


@explainer("SupportP")
def support_precision(ranked_query: RankedQuery, citations: str, hard: bool) -> Contributions:
    """The support of each sentence, by the sentences that are judged."""
    return _account(ranked_query, citations, hard=hard, recall=False)


@explainer("SupportR")
def support_recall(ranked_query: RankedQuery, citations: str, hard: bool) -> Contributions:
    """The support of each sentence, by all sentences less those cited but not judged."""
    return _account(ranked_query, citations, hard=hard, recall=True)
