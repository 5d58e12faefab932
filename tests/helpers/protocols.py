"""Random protocols: every field, with the values that its check takes."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from irviewer.model.dialects import DIALECTS
from irviewer.model.protocol import (
    MOST_SAMPLES,
    BoundsName,
    CorrectionName,
    EvaluationProtocol,
    FamilyName,
    IntervalName,
    Looks,
    MissingPolicy,
    ProtocolFields,
    QuerySelection,
    TestName,
    TukeyName,
    UnjudgedName,
    WeightSelection,
    ZerosName,
)

names = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6) | st.sampled_from(
    ['a"b', "a\\b", "line\nend", "\x7f", "a\udc80", "[scope]", "level = 7 # no", "'''", '"""', " ", "#", "\U000e0001"]
)
"""Names of runs, queries and columns, with everything that a file must escape."""
numbers = st.floats(-1e6, 1e6) | st.integers(-5, 5) | st.sampled_from([1e-9, 1e300, -0.0, 2**53, 0.1])
shares = st.floats(0, 1, exclude_min=True, exclude_max=True)
selections = st.one_of(
    st.just(QuerySelection()),
    st.builds(QuerySelection, name=names, looked=st.booleans()),
    st.builds(QuerySelection, name=st.just("") | names, file=names, looked=st.booleans()),
    st.builds(
        QuerySelection, name=st.just("") | names, ids=st.lists(names, min_size=1).map(tuple), looked=st.booleans()
    ),
)
weights = st.just(WeightSelection()) | st.builds(WeightSelection, names) | st.builds(WeightSelection, file=names)
VALUES = {
    "measures": st.lists(st.sampled_from(["AP", "nDCG@10", "P@5", "RR"]), unique=True),
    "level": numbers,
    "dialect": st.sampled_from(sorted(DIALECTS)),
    "missing": st.sampled_from((None, *get_args(MissingPolicy))),
    "judged_only": st.booleans(),
    "depth": st.none() | st.integers(1, 2**31 - 1),
    "unjudged": st.sampled_from(get_args(UnjudgedName)),
    "zscores": st.just("") | names,
    "queries": selections,
    "weights": weights,
    "unit": st.just("") | names,
    "runs": st.lists(names, unique=True),
    "baseline": st.just("") | names,
    "test": st.sampled_from(get_args(TestName)),
    "zeros": st.sampled_from(get_args(ZerosName)),
    "tukey": st.sampled_from(get_args(TukeyName)),
    "family": st.sampled_from(get_args(FamilyName)),
    "correction": st.sampled_from(get_args(CorrectionName)),
    "alpha": shares,
    "interval": st.sampled_from(get_args(IntervalName)),
    "confidence": shares,
    "samples": st.integers(0, MOST_SAMPLES),
    "seed": st.integers(0, 2**63 - 1),
    "smallest": st.none() | st.floats(0, 1e6),
    "looks": st.none()
    | st.builds(
        Looks,
        st.lists(st.floats(0.01, 0.99), min_size=1, max_size=4, unique=True).map(lambda some: (*sorted(some), 1.0)),
        st.sampled_from(get_args(BoundsName)),
    ),
    "epsilon": st.none() | st.floats(0, 1, exclude_max=True),
}
"""The values of each field by its name."""

fields = st.fixed_dictionaries({}, optional=VALUES).map(lambda values: ProtocolFields(**values))  # type: ignore[typeddict-item]
"""Some fields with their values."""
protocols = fields.map(lambda values: EvaluationProtocol().but(**values))
"""Protocols of which some fields are declared."""
