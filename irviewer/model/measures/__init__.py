"""The measures, one file a family; importing this package registers them in the order of these lines."""

from irviewer.model.measures import (
    average_precision,
    bpref,
    counts,
    dcg,
    expected_reciprocal_rank,
    gain_levels,
    inferred,
    interpolated,
    judged_share,
    precision,
    r_precision,
    rbp,
    reciprocal_rank,
    sets,
    success,
    utility,
)

__all__ = [
    "average_precision",
    "bpref",
    "counts",
    "dcg",
    "expected_reciprocal_rank",
    "gain_levels",
    "inferred",
    "interpolated",
    "judged_share",
    "precision",
    "r_precision",
    "rbp",
    "reciprocal_rank",
    "sets",
    "success",
    "utility",
]
