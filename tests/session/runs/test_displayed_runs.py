"""Runs as the window shows them, judged documents only above a depth, have the values of the runs as they were read:
which documents are above the depth depends on how ties are broken."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.trec.qrels import read_qrels
from irviewer.formats.trec.run import read_run
from irviewer.model.options import EvaluationOptions
from irviewer.session.session import Session


@pytest.mark.parametrize("dialect", ["trec_eval", "trec_eval-9", "ranx", "ir_measures"])
def test_depth_cuts_lists_by_the_ties_of_the_dialect(tmp_path: Path, dialect: str) -> None:
    """Every order of a tie of a judged and two unjudged documents in the file, and of their ids."""
    qrels: list[str] = []
    lines: list[str] = []
    for number, (judged, *others) in enumerate(itertools.permutations("abcx", 3)):
        query = f"q{number}"
        qrels.append(f"{query} 0 {judged} 1\n")
        lines += [f"{query} Q0 {document} 1 7 t\n" for document in sorted((judged, *others), reverse=number % 2 == 0)]
    (tmp_path / "tied.run").write_text("".join(lines))
    (tmp_path / "tied.qrels").write_text("".join(qrels))
    session = Session()
    session.files.open_files([str(tmp_path / "tied.qrels"), str(tmp_path / "tied.run")])
    session.protocol.set(dialect=dialect, depth=1, judged_only=True)
    session.evaluation.set_measure("RR")
    context = session.view.context
    assert context is not None
    values = context.values(context.collection.runs[0], context.measure)
    session.close()
    judged, run = read_qrels(tmp_path / "tied.qrels"), read_run(tmp_path / "tied.run")
    options = EvaluationOptions(dialect=dialect, depth=1, judged_only=True)
    wanted = evaluate(judged, run, ["RR"], options).by_query("RR")
    assert dict(zip(context.query_ids, values.tolist(), strict=True)) == wanted
    assert 0 < np.sum(values) < len(values)
