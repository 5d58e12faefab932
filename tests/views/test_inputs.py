"""Parts: their values are those of an evaluation, under every dialect and rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.statistics.run_values import RunValues
from irviewer.errors import NoQueriesError, OptionError, UndecidedError
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.attributes.runs import RunAttribute
from irviewer.model.attributes.tables import AttributeTable
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.views.inputs import Inputs, inputs_of

QRELS = Qrels.from_dict({"1": {"a": 2}, "2": {"b": 1}, "10": {"a": 1}})
RUNS = [
    Run.from_dict({"1": {"a": 1.0}, "2": {"c": 1.0}, "10": {"x": 2.0, "a": 1.0}}, name="one"),
    Run.from_dict({"1": {"b": 1.0, "a": 1.0}}, name="two"),
]


@given(
    qrels=some.qrels(), runs=st.tuples(some.runs(some.any_scores), some.runs(some.any_scores)),
    dialect=st.sampled_from(["trec_eval", "trec_eval-9", "ranx", "ir_measures", "textbook"]),
    missing=st.sampled_from([None, "zero", "intersection"]), level=st.sampled_from([1, 2]), judged_only=st.booleans(),
    measure=st.sampled_from(["AP", "nDCG@3", "RR", "P@2", "Bpref"]),
)  # fmt: skip
def test_values_are_those_of_an_evaluation(
    qrels: dict[str, dict[str, float]], runs: tuple[dict[str, dict[str, float]], ...], dialect: str,
    missing: Any, level: int, judged_only: bool, measure: str,
) -> None:  # fmt: skip
    judgments = Qrels.from_dict(qrels)
    both = [Run.from_dict(run, name=name) for run, name in zip(runs, ("one", "two"), strict=True)]
    protocol = EvaluationProtocol().but(
        dialect=dialect,
        missing=missing,
        level=level,
        judged_only=judged_only,
        measures=(measure,),
    )
    theirs = evaluate(judgments, both, [measure], evaluation_options(protocol.rules))
    part = inputs_of(protocol, judgments, both).one
    np.testing.assert_array_equal(part.means(), theirs.means[0])
    if theirs.unmatched:
        return
    values, expected = part.values(), RunValues.of(theirs, measure)
    places = [values.query_ids.index(query) for query in expected.query_ids]
    np.testing.assert_array_equal(values.values[:, places], expected.values)
    np.testing.assert_array_equal(values.unreached[:, places], expected.unreached)
    assert np.isnan(np.delete(values.values, places, axis=1)).all(), "queries that no run has, left out"
    assert (values.names, values.measure) == (expected.names, expected.measure)


def test_only_the_queries_and_runs_of_the_protocol_count() -> None:
    part = inputs_of(EvaluationProtocol().but(queries=("1", "10"), runs=("two",), measures="RR"), QRELS, RUNS).one
    assert (part.query_ids, part.protocol.taking_part) == (("1", "10"), ("two",))
    assert part.means().tolist() == [0.5 * 0.5]  # 1: b before a, as ties are broken; 10 is lacking
    assert part.values((0,)).values.tolist() == [[1.0, 0.5]]
    with pytest.raises(NoQueriesError):
        inputs_of(EvaluationProtocol().but(queries=("7",)), QRELS, RUNS)


def test_attributes_are_those_of_tables_and_of_the_qrels() -> None:
    table = AttributeTable("costs", runs=(RunAttribute("ms", "number", {"two": 3.5}),))
    part = inputs_of(EvaluationProtocol(), QRELS, RUNS, attributes=(table,)).one
    np.testing.assert_array_equal(part.run_numbers("ms"), [np.nan, 3.5])
    assert part.query_attribute("relevant").numbers(part.query_ids).tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(OptionError, match="no attribute euros; they have ms"):
        part.run_numbers("euros")


def test_a_run_of_which_nothing_is_judged_is_not_compared() -> None:
    strange = Run.from_dict({"1": {"z": 1.0}, "2": {"z": 1.0}}, name="strange")
    part = inputs_of(EvaluationProtocol(), QRELS, [*RUNS, strange]).one
    with pytest.raises(UndecidedError, match=r"^No document of strange is judged: .*\.$"):
        part.values()
    assert part.values((0, 1)).names == ("one", "two")


def test_several_parts_have_one_protocol() -> None:
    first = inputs_of(EvaluationProtocol(), QRELS, RUNS).one
    other = inputs_of(EvaluationProtocol().but(level=2), Qrels.from_dict({"1": {"a": 1}}, name="other"), RUNS).one
    with pytest.raises(OptionError, match="the protocols differ"):
        Inputs((first, other))
    both = Inputs((first, inputs_of(EvaluationProtocol(), Qrels.from_dict({"1": {"a": 1}}, name="other"), RUNS).one))
    with pytest.raises(OptionError, match="one collection, not 2"):
        _ = both.one
