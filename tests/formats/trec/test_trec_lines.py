"""Values as the lines of trec_eval, to the sign."""

from __future__ import annotations

import math

from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.trec.trec_lines import as_trec_eval, trec_lines
from irviewer.measures.parser import parse_measure
from irviewer.model.judgments.judged import judge
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

QRELS = Qrels.from_dict({"1": {"a": 1, "b": 0}, "2": {"a": 1}})
RUN = Run.from_dict({"1": {"a": 2.0, "x": 1.0}, "2": {"x": 1.0}}, name="r|un")


def written(measures: list[str], options: EvaluationOptions | None = None, by_query: bool = True) -> str:
    options = options or EvaluationOptions()
    return trec_lines(evaluate(QRELS, [RUN], measures, options), [RUN.tag], [judge(RUN, QRELS, options)],
                      by_query=by_query)  # fmt: skip


def test_a_query_whose_list_judged_only_leaves_empty_prints_as_trec_eval_divides() -> None:
    """0 divided by 0 in six places where no document is needed for the recall; the sum carries it on."""
    options = EvaluationOptions(judged_only=True)
    text = written(["iprec_at_recall.0,0.5", "11pt_avg", "map"], options)
    lines = dict(line.rsplit("\t", 1) for line in text.splitlines())
    assert lines["iprec_at_recall_0.00  \t2"] == lines["11pt_avg              \tall"] == "  -nan"
    assert lines["iprec_at_recall_0.50  \t2"] == "0.0000"
    assert lines["iprec_at_recall_0.00  \t1"] == "1.0000"
    assert lines["map                   \tall"] == "0.5000"
    result = evaluate(QRELS, RUN, ["IPrec@0"], options)
    assert result.by_query("IPrec@0") == {"1": 1.0, "2": 0.0}  # elsewhere it is 0
    judged = judge(RUN, QRELS, options)
    values = parse_measure("AP").compute(judged)
    assert as_trec_eval(parse_measure("AP"), judged, values) is values


def test_a_long_name_is_not_cut() -> None:
    text = written(["nDCG(dcg='exp-log2',judged_only=True)@10"], by_query=False)
    assert "nDCG(dcg='exp-log2',judged_only=True)@10\tall\t" in text


def test_summaries_are_not_values_of_queries() -> None:
    text = written(["num_q", "gm_map", "AP"])
    lines = [line for line in text.splitlines() if "\tall\t" not in line]
    assert {line.split("\t")[0].rstrip() for line in lines} == {"map"}
    assert math.isclose(evaluate(QRELS, [RUN], ["gm_map"]).mean("gm_map"), math.sqrt(0.00001))
