"""What is said of queries that a run lacks, against the values of empty lists."""

from __future__ import annotations

import random

import numpy as np
import pytest
from every import computed, every_measure

from irviewer.evaluation.caveats import apart_from_zero, is_zero_without_documents, missing_text, zeros_text
from irviewer.evaluation.evaluate import Joined
from irviewer.measures.parser import parse_measures
from irviewer.model.document_lengths import Lengths
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable


def test_a_measure_that_counts_an_empty_list_as_zero_gives_it_zero() -> None:
    """Every family, with every value of its parameters."""
    dice = random.Random(7)
    documents = [f"d{number}" for number in range(20)]
    grades = {f"q{q}": {name: dice.choice((-1, 0, 1, 2, 3)) for name in dice.sample(documents, 9)} for q in range(12)}
    lists = {f"q{q}": {name: dice.random() for name in dice.sample(documents, 8)} for q in range(3)}
    table = TextTable.from_rows([
        {"id": name, "tokens": number + 1, "price": float(number), "in_stock": number % 2 == 0}
        for number, name in enumerate(documents)
    ])  # fmt: skip
    options = EvaluationOptions(lengths=Lengths(table))
    judged = Joined(Run.from_dict(lists), Qrels.from_dict(grades), options).under(options.rules.join_options)
    lacking = np.array([query not in lists for query in judged.query_ids])
    said = []
    for measure in every_measure(12):
        values = computed(measure, judged)
        if values is not None and is_zero_without_documents(measure):
            assert not values[lacking].any(), measure.text
            said.append(measure.name)
    assert {"AP", "nDCG", "NumRet", "FieldCount", "BudgetRecall"} <= set(said)
    assert not {"NumRel", "NumQ", "IdealDCG", "prefs_num_prefs_poss", "SearchLength"} & set(said)


@pytest.mark.parametrize(
    ("measures", "others", "how", "caption"),
    [
        ("AP RR", "", "counted as 0", "count as 0."),
        ("NumRel NumQ", None, "each counts as an empty list", "count as empty lists."),
        ("AP NumRel NumQ", "NumRel, NumQ", "counted as 0 (by NumRel, NumQ as an empty list)",
         "count as 0 (by NumRel, NumQ as empty lists)."),
    ],
)  # fmt: skip
def test_measures_that_give_an_empty_list_another_value_are_named(
    measures: str, others: str | None, how: str, caption: str
) -> None:
    parsed = parse_measures(measures.split())
    assert apart_from_zero(parsed) == others
    assert missing_text("a", ["1"], EvaluationOptions(), parsed) == f"run a lacks 1 query (1) of the qrels: {how}"
    assert zeros_text(parsed) == f"Queries that a run lacks {caption}"
