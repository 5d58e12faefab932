"""The leaderboard that NIST published for round 1 of TREC-COVID: five measures of 76 runs that were submitted."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from comparison import Comparison

from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.trec.qrels import read_qrels
from irviewer.formats.trec.run import read_run
from irviewer.model.options import EvaluationOptions

MEASURES = {"ndcg@10": "nDCG@10", "p@5": "P@5", "RBP(p=.5)": "RBP(p=0.5)", "bpref": "Bpref", "MAP": "AP"}


def test_every_value(data: Path, record_property: Callable[[str, object], None]) -> None:
    """All four decimals under version 9, which NIST used; under version 10 near ties of two runs break otherwise."""
    folder = data / "trec-covid-r1"
    qrels = read_qrels(folder / "qrels-rnd1.txt.gz")
    with (folder / "leaderboard.csv").open(encoding="utf-8") as file:
        published = {row["run"]: row for row in csv.DictReader(file)}
    accounts = {
        dialect: Comparison(f"NIST's leaderboard, as {dialect}", "trec-covid-r1", 1)
        for dialect in ("trec_eval-9", "trec_eval")
    }
    changed = set()
    runs = 0
    for name, row in published.items():
        path = folder / "runs" / f"{name}.gz"
        if not path.is_file():
            continue
        runs += 1
        run = read_run(path)
        for dialect, account in accounts.items():
            options = EvaluationOptions(dialect=dialect, missing="zero")
            result = evaluate(qrels, run, list(MEASURES.values()), options)
            for column, text in MEASURES.items():
                differs = f"{result.mean(text):.4f}" != row[column]
                if dialect == "trec_eval-9":
                    assert not differs, (name, column)
                    account.equal()
                elif differs:
                    changed.add(name)
                    account.aside("near ties of scores with 32 bits, that have an order with 64", True)
                else:
                    account.equal()
    assert runs == 76
    assert len(changed) <= 2
    for account in accounts.values():
        account.record(record_property)
