"""Q-measure, nCG and nERR, equal to pyNTCIREVAL's values; nCG is its nDCG of a base above the cutoff (no discount)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irviewer.evaluation.evaluate import evaluate
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

DATA = Path(__file__).parents[1] / "data/ntcireval"
ROWS = json.loads((DATA / "lists.json").read_text())["rows"]
MEASURES = {"Q": "Q1", "Q(beta=10)": "Q10", "nCG@3": "nCG3", "nCG@5": "nCG5"}


@pytest.mark.parametrize("measure", MEASURES)
def test_the_values_of_ntcireval(measure: str) -> None:
    qrels = Qrels.from_dict({str(number): row["judged"] for number, row in enumerate(ROWS)})
    run = Run.from_dict(
        {str(number): {doc: -float(at) for at, doc in enumerate(row["ranking"])} for number, row in enumerate(ROWS)}
    )
    values = evaluate(qrels, run, [measure]).by_query(measure)
    assert len(ROWS) >= 10
    for number, row in enumerate(ROWS):
        assert values[str(number)] == pytest.approx(row[MEASURES[measure]], abs=1e-12)


@pytest.mark.parametrize("cutoff", ["", "@1", "@3", "@5"])
def test_the_nerr_of_ntcireval(cutoff: str) -> None:
    """With its gains 1, 3 and 7 a document satisfies with the probability (2^grade − 1) ÷ 2^3."""
    values = json.loads((DATA / "nerr.json").read_text())["values"]
    qrels = Qrels.from_dict({str(number): row["judged"] for number, row in enumerate(ROWS)})
    run = Run.from_dict(
        {str(number): {doc: -float(at) for at, doc in enumerate(row["ranking"])} for number, row in enumerate(ROWS)}
    )
    measure = f"nERR(max_rel=3){cutoff}"
    by_query = evaluate(qrels, run, [measure]).by_query(measure)
    assert [by_query[str(number)] for number in range(len(ROWS))] == pytest.approx(
        [row[f"nERR{cutoff}"] for row in values], abs=1e-12
    )


def test_without_gain_it_is_average_precision() -> None:
    qrels = Qrels.from_dict({str(number): row["judged"] for number, row in enumerate(ROWS)})
    run = Run.from_dict(
        {str(number): {doc: -float(at) for at, doc in enumerate(row["ranking"])} for number, row in enumerate(ROWS)}
    )
    table = evaluate(qrels, run, ["Q(beta=0)", "AP", "RCap@4", "relative_P@4"])
    assert table.by_query("Q(beta=0)") == pytest.approx(table.by_query("AP"))
    assert table.by_query("RCap@4") == table.by_query("relative_P@4")
