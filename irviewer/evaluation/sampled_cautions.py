"""What measures make of sampled judgments: two of them estimate by strata, the others count what was not sampled as
unjudged."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.errors import name_some
from irviewer.measures.answered import parts_of
from irviewer.measures.base import Measure
from irviewer.model.qrels import Qrels
from irviewer.translation import trn

BY_STRATA = ("xinfAP", "infNDCG")
COUNTING = ("NumQ", "NumRet")
"""Families that no judgment changes."""


def sampled_cautions(measures: Sequence[Measure], qrels: Qrels) -> list[str]:
    """Return the sentence about measures that do not know the strata of sampled qrels; none without strata, or where
    nothing was left out of the sample."""
    if qrels.strata is None or not bool((qrels.grades < 0).any()):
        return []
    names = [
        measure.text for measure in measures if not {part.name for part in parts_of(measure)} <= {*BY_STRATA, *COUNTING}
    ]
    if not names:
        return []
    return [
        trn(
            "the judgments are a sample: {measures} does not know the strata and counts documents that were not "
            "sampled as unjudged; xinfAP and infNDCG estimate for them",
            "the judgments are a sample: {measures} do not know the strata and count documents that were not sampled "
            "as unjudged; xinfAP and infNDCG estimate for them",
            len(names),
            measures=name_some(names, 3),
        )
    ]


def is_by_strata(measure: str) -> bool:
    """Return whether the text of a measure is of one that estimates from a sample, of whose mean no interval is shown:
    the estimate of every query may be off the same way."""
    return measure.partition("@")[0].partition("(")[0] in BY_STRATA
