"""What is said of the strata of sampled judgments, from a file of them or a table."""

from __future__ import annotations

import numpy as np

from irviewer.errors import name_some
from irviewer.formats.load_report import Finding
from irviewer.model.arrays import group_of_each
from irviewer.model.qrels import Qrels
from irviewer.translation import tr, trn


def strata_findings(qrels: Qrels) -> tuple[Finding, ...]:
    """Return the notes of sampled qrels: strata without any sampled document, of which nothing can be estimated, a file
    without unsampled documents, whose strata may be larger than listed, and what other measures do."""
    assert qrels.strata is not None
    names = qrels.strata.names
    cell = group_of_each(qrels.offsets) * len(names) + qrels.strata.codes
    unsampled = np.unique(cell[qrels.grades < 0])
    empty = np.setdiff1d(unsampled, cell[qrels.grades >= 0]).tolist()
    notes = []
    if empty:
        pairs = [(names[code % len(names)], qrels.query_ids[code // len(names)]) for code in empty]
        shown = name_some([tr("{stratum} of query {query}", stratum=name, query=query) for name, query in pairs], 3)
        text = trn(
            "{n:,} stratum has no sampled document ({strata}): nothing is known of it, and its documents add nothing "
            "to xinfAP and infNDCG",
            "{n:,} strata have no sampled document ({strata}): nothing is known of them, and their documents add "
            "nothing to xinfAP and infNDCG",
            len(empty),
            strata=shown,
        )
        notes.append(Finding(text, len(empty)))
    if not len(unsampled):
        text = tr(
            "no document has the grade -1: every stratum is read as judged in full. If the file leaves out the "
            "documents that were not sampled, the sizes of the strata are unknown, and xinfAP and infNDCG are not "
            "estimates"
        )
        notes.append(Finding(text, len(qrels)))
    else:
        text = tr(
            "documents with the grade -1 were not sampled: xinfAP and infNDCG estimate for them by stratum, all other "
            "measures count them as unjudged"
        )
        notes.append(Finding(text, int((qrels.grades < 0).sum()), serious=False))
    return tuple(notes)
