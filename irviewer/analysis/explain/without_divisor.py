"""What a ledger says of an answer of which there is nothing to divide by."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.analysis.explain.explainer import RankedQuery
from irviewer.analysis.explain.ledger_types import Rule
from irviewer.measures.answered import without_divisor
from irviewer.translation import tr

NOTHING_TO_DIVIDE_BY = {
    "zero": tr("There is nothing to divide by here, so the value is 0."),
    "undefined": tr("There is nothing to divide by here, so the topic has no value and is left out."),
}


def divisor_rules(
    ranked_query: RankedQuery, below: float, index: Mapping[str, int], missing: str
) -> tuple[Rule, ...]:  # fmt: skip
    """Return the rule about a divisor of 0, none of another or of a topic without an answer."""
    is_without = without_divisor(ranked_query.judged, np.array([below]), index)[0]
    return (Rule("own", NOTHING_TO_DIVIDE_BY[missing]),) if is_without else ()
