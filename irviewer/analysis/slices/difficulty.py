"""The difficulty of queries as an attribute. It is computed from runs that are not compared: otherwise hard queries
would be those on which the compared runs do badly by chance, and every difference would regress to the mean."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.statistics.run_values import RunValues
from irviewer.errors import OptionError
from irviewer.model.arrays import safe_divide
from irviewer.model.attributes.queries import DIFFICULTY, QueryAttribute
from irviewer.translation import tr, trn


def difficulty(others: RunValues) -> QueryAttribute:
    """Return the mean value of ``others`` by query; lower values (for a cost, higher ones) mean harder queries. Raises
    OptionError without runs."""
    if not others.names:
        raise OptionError(tr("Difficulty needs runs that are not compared; give some."))
    known = ~np.isnan(others.values)
    counts = known.sum(axis=0)
    means = safe_divide(np.where(known, others.values, 0.0).sum(axis=0), counts)
    pairs = zip(others.query_ids, means.tolist(), counts.tolist(), strict=True)
    values = {query: mean for query, mean, count in pairs if count}
    meaning = trn(
        "the {measure} of {n} run that is not compared",
        "the mean {measure} of {n} runs that are not compared",
        len(others.names), measure=others.measure,
    )  # fmt: skip
    return QueryAttribute(DIFFICULTY, "number", values, tr("difficulty"), meaning)
