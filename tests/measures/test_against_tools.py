"""pytrec_eval and ir_measures, called live on random qrels and runs, for the measures that mean the same there."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import pytest
import pytrec_eval
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.tool_names import GROUPS
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its own imports are not ours to mend
    import ir_measures

CHANGED_IN_10 = ("iprec_at_recall", "11pt_avg", "unj", "rbp")
"""trec_eval 9, which pytrec_eval wraps, rounds recall otherwise or lacks the name."""

Table = Mapping[str, Mapping[str, float]]
whole_scores = st.integers(-5, 5).map(float)
plain_qrels = some.qrels(st.integers(0, 4).map(float))


def as_ints(qrels: Table) -> dict[str, dict[str, int]]:
    return {query: {document: int(grade) for document, grade in grades.items()} for query, grades in qrels.items()}


@given(plain_qrels, some.runs(whole_scores, least=1), st.sampled_from((1, 2, 3)))
def test_pytrec_eval(qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], level: int) -> None:
    """Every value of every query that both have, at any relevance level, ties included; negative grades now and
    then crash pytrec_eval (the goldens have them)."""
    if not any(query in run for query in qrels):
        return
    names = {name for name in GROUPS["all_trec"] if name in pytrec_eval.supported_measures}
    theirs = pytrec_eval.RelevanceEvaluator(as_ints(qrels), names, relevance_level=level).evaluate(run)
    texts = sorted({name for values in theirs.values() for name in values if not name.startswith(CHANGED_IN_10)})
    result = evaluate(
        Qrels.from_dict(qrels), Run.from_dict(run), texts, EvaluationOptions(level, missing="intersection")
    )
    assert set(result.query_ids) == set(theirs)
    assert len(texts) > 50
    for text in texts:
        if text in ("gm_map", "gm_bpref", "num_q", "relstring"):
            continue  # logarithms, ones and texts there
        ours = result.by_query(text)
        for query, values in theirs.items():
            assert ours[query] == pytest.approx(values[text], abs=1e-9), (text, query)


IR_MEASURES = (
    "AP", "AP(rel=2)", "AP@3", "RR", "P@1", "P(rel=2)@3", "R@3", "Rprec", "Success@2", "nDCG", "nDCG@3", "Bpref",
    "SetP", "SetR", "SetF", "SetRelP", "SetAP", "infAP", "RBP(p=0.8,rel=1)", "RBP(p=0.5,rel=2)",
    "AP(judged_only=True)", "nDCG(judged_only=True)@3", "P(judged_only=True)@2", "Judged@2", "Judged",
)  # fmt: skip


@given(plain_qrels, st.data())
def test_ir_measures(qrels: dict[str, dict[str, float]], drawn: st.DataObject) -> None:
    """ir_measures' notation is ours: the same text, the same value. Runs without ties, which its providers break in
    three ways; the mean counts queries that the run lacks as 0 there as well."""
    run = {}
    for query in drawn.draw(st.sets(some.queries, min_size=1)):
        order = drawn.draw(st.lists(some.documents, unique=True, min_size=1))
        run[query] = {document: float(-place) for place, document in enumerate(order)}
    wanted = [ir_measures.parse_measure(text) for text in IR_MEASURES]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = ir_measures.calc(wanted, as_ints(qrels), run)
    by_text = dict(zip(wanted, IR_MEASURES, strict=True))
    result = evaluate(Qrels.from_dict(qrels), Run.from_dict(run), IR_MEASURES)
    for measure, value in theirs[0].items():
        assert result.mean(by_text[measure]) == pytest.approx(value, abs=1e-9), by_text[measure]
    for their_value in theirs[1]:
        assert result.by_query(by_text[their_value.measure])[their_value.query_id] == pytest.approx(
            their_value.value, abs=1e-9
        ), their_value
