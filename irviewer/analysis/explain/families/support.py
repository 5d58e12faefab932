"""Ledgers of support, sentence by sentence."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.analysis.explain.without_divisor import divisor_rules
from irviewer.measures.answered import joint_support_in, support_in
from irviewer.measures.support_values import joint_labels, needed_citations, sentence_values
from irviewer.model.answers.labels import FULL, UNJUDGED
from irviewer.model.answers.support import Support
from irviewer.model.arrays import Floats
from irviewer.translation import tr

SENTENCE = Column("sentence", tr("sentence"), tr("of the answer that was judged"), "text")
CITED = Column("cited", tr("cites"), tr("what the sentence cites, with the label of each"), "text")
COUNTED = Column("counts", tr("counts"), tr("1 where the sentence counts in the denominator"), "int", 0)


def _account(ranked_query: RankedQuery, citations: str, missing: str, *, hard: bool, recall: bool) -> Contributions:
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
        normaliser=Quantity("n", said, float(counted.sum())), unjudged="",
        rules=(Rule("own", rule), *divisor_rules(ranked_query, float(counted.sum()), support.topic_index, missing)),
        attribution=tr("each sentence contributes what its row adds"),
    )  # fmt: skip


@explainer("SupportP")
def support_precision(ranked_query: RankedQuery, citations: str, hard: bool, missing: str) -> Contributions:
    """The support of each sentence, by the sentences that are judged."""
    return _account(ranked_query, citations, missing, hard=hard, recall=False)


@explainer("SupportR")
def support_recall(ranked_query: RankedQuery, citations: str, hard: bool, missing: str) -> Contributions:
    """The support of each sentence, by all sentences less those cited but not judged."""
    return _account(ranked_query, citations, missing, hard=hard, recall=True)


def _joint(ranked_query: RankedQuery) -> tuple[Support, int, int]:
    support = joint_support_in(ranked_query.judged.answered)
    place = support.topic_index.get(ranked_query.judged.query_ids[0])
    return support, *((0, 0) if place is None else (int(support.offsets[place]), int(support.offsets[place + 1])))


CITATION = Column("citation", tr("citation"), tr("sentence and what it cites"), "text")


@explainer("CitationP")
def citation_precision(ranked_query: RankedQuery, missing: str) -> Contributions:
    """1 for each citation that is needed, by those of which it is known."""
    support, first, last = _joint(ranked_query)
    start, stop = int(support.citation_offsets[first]), int(support.citation_offsets[last])
    needed, known = needed_citations(support)
    rows = [start + place for place in np.flatnonzero(known[start:stop]).tolist()]
    cited = [f"{int(support.citation_sentence[row]) - first + 1}: {support.cited[row].as_py()}" for row in rows]
    labels = [support.label_texts[row].as_py() or "–" for row in rows]
    unknown = Quantity("u", tr("citations of which it is not known"), stop - start - len(rows))
    return account(
        needed[rows].astype(np.float64), tr("needed"), tr("1 where the sentence needs the citation"), whole=True,
        labels=(CITATION, tuple(cited)), columns=((CITED, tuple(labels)),), quantities=(unknown,),
        normaliser=Quantity("n", tr("citations that are judged"), len(rows)), unjudged="",
        rules=(Rule("own", tr(
            "A citation is needed where all that its sentence cites supports it fully, and the citation does so alone, "
            "or the others do not without it."
        )), *divisor_rules(ranked_query, len(rows), support.topic_index, missing)),
        attribution=tr("each citation contributes what its row adds"),
    )  # fmt: skip


@explainer("CitationR")
def citation_recall(ranked_query: RankedQuery, missing: str) -> Contributions:
    """1 for each sentence that all it cites supports fully, by the sentences less those cited but not judged."""
    support, first, last = _joint(ranked_query)
    joint = joint_labels(support)[first:last]
    counted = ((joint != UNJUDGED) | (np.diff(support.citation_offsets)[first:last] == 0)).astype(np.float64)
    return account(
        (joint == FULL).astype(np.float64), tr("supported"),
        tr("1 where all that the sentence cites supports it fully"), whole=True,
        labels=(SENTENCE, tuple(support.texts[first:last].to_pylist())), columns=((COUNTED, counted),),
        normaliser=Quantity("n", tr("sentences, less those cited but not judged"), float(counted.sum())), unjudged="",
        rules=(Rule("own", tr("The label of one citation is that of all where a sentence cites one document.")),
               *divisor_rules(ranked_query, float(counted.sum()), support.topic_index, missing)),
        attribution=tr("each sentence contributes what its row adds"),
    )  # fmt: skip
