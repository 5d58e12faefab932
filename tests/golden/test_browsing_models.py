"""ir_measures' stored values of C/W/L's measures, compatibility and accuracy, on real runs with all their ties.

cwl_eval and accuracy keep tied documents in the order of the file, compatibility takes them by document id, where
trec_eval takes them by id descending: here each run is given the tool's own order, so that every value can be asked
for to the last digit stored."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from golden_files import qrels_of

from irviewer.evaluation.evaluate import evaluate
from irviewer.model.run import Run

FAMILIES = ("INST", "INSQ", "BPM", "NERR", "SDCG", "Compat", "Accuracy")
Table = dict[str, dict[str, float]]


def _found(folder: Path, name: str) -> Path:
    for old, new in (("runs_helper/", "runs_made/"), ("doshi-jay/runs_ids", "runs/runs_ids"), ("doshi-jay/", "runs/")):
        name = name.replace(old, new)
    return next(path for path in (folder / name, folder / f"{name}.gz") if path.is_file())


def _lines(path: Path) -> dict[str, list[tuple[str, float]]]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    by_query: dict[str, list[tuple[str, float]]] = {}
    for line in data.decode("utf-8").splitlines():
        query, _, document, _, score, *_ = line.split()
        by_query.setdefault(query, []).append((document, float(score)))
    return by_query


def _as_ranked(lists: dict[str, list[tuple[str, float]]], by_id: bool) -> Run:
    """The run with scores that say the tool's order and no ties."""
    table: Table = {}
    for query, ranking in lists.items():
        ordered = sorted(sorted(ranking) if by_id else ranking, key=lambda pair: -pair[1])
        table[query] = {document: float(-place) for place, (document, _) in enumerate(ordered)}
    return Run.from_dict(table)


def _ideal_is_theirs(ranked: list[tuple[str, float]], judgments: dict[str, float]) -> bool:
    """False where compat.py orders documents of one grade otherwise than the run does: it gives those not returned a
    score of 0 (which lies above negative scores), and ties in the qrels' order."""
    scores = [score for document, score in ranked if judgments.get(document, 0) > 0]
    return len(set(scores)) == len(scores) and min(scores, default=1) > 0


@pytest.mark.parametrize("collection", ["adi", "cacm", "cranfield", "trec-covid-r1", "trec_eval_test"])
def test_stored_values(collection: str, data: Path, record_property: Callable[[str, object], None]) -> None:
    folder = data / collection
    stored: dict[str, Any] = json.loads(
        gzip.decompress((folder / "goldens" / "python" / "ir_measures_extra.json.gz").read_bytes())
    )
    path = _found(folder, stored["qrels"].removeprefix(f"{collection}/"))
    qrels = qrels_of(path)
    compared, wrong = 0, []
    for name, values in stored["runs"].items():
        lists = _lines(_found(folder, name))
        texts = [text for text in values["per_query"] if text.startswith(FAMILIES)]
        assert texts
        for by_id in (False, True):
            wanted = [text for text in texts if text.startswith("Compat") is by_id]
            result = evaluate(qrels, _as_ranked(lists, by_id), wanted)
            for text in wanted:
                ours_by_query = result.by_query(text)
                theirs = values["per_query"][text]
                otherwise = {
                    query
                    for query, ranking in lists.items()
                    if by_id and query in theirs and not _ideal_is_theirs(ranking, qrels.judgments(query))
                }
                for query, value in theirs.items():
                    if query in otherwise:
                        continue
                    compared += 1
                    if ours_by_query[query] != pytest.approx(value, abs=6e-8):
                        wrong.append(f"{name} {text} {query}: {ours_by_query[query]} {value}")
                if otherwise:
                    continue
                # Accuracy leaves out the queries without a relevant document returned, which we count as 0.
                mean = sum(ours_by_query[q] for q in theirs) / len(theirs) if text == "Accuracy" else result.mean(text)
                compared += 1
                if mean != pytest.approx(values["aggregate"][text], abs=6e-8):
                    wrong.append(f"{name} {text}: {mean} {values['aggregate'][text]}")
    assert not wrong, f"{len(wrong)} of {compared}\n" + "\n".join(wrong[:20])
    record_property("values equal to ir_measures and gdeval", compared)
