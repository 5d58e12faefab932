"""What is said of the strata of sampled judgments, from a file of them or a table."""

from __future__ import annotations

import numpy as np

from irviewer.evaluation.sampled_cautions import unknown_sizes, unsampled_strata
from irviewer.formats.load_report import Finding
from irviewer.model.qrels import Qrels
from irviewer.translation import tr


def strata_findings(qrels: Qrels) -> tuple[Finding, ...]:
    """Return the notes of sampled qrels: strata without any sampled document, of which nothing can be estimated, a file
    without unsampled documents, whose strata may be larger than listed, and what other measures do."""
    assert qrels.strata is not None
    unsampled = int(np.count_nonzero(qrels.grades < 0))
    notes = [Finding(text) for text in unsampled_strata(qrels)]
    notes += [Finding(text, len(qrels)) for text in unknown_sizes(qrels)]
    if unsampled:
        text = tr(
            "documents with the grade -1 were not sampled: xinfAP and infNDCG estimate for them by stratum, all other "
            "measures count them as unjudged"
        )
        notes.append(Finding(text, unsampled, serious=False))
    return tuple(notes)
