"""What the window draws against evaluate: every curve passes through the table's value under every dialect's rules."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from examples import a_part

from irviewer.api.evaluation import evaluate
from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.evaluation.results import ResultTable
from irviewer.figures.figure import Figure
from irviewer.model.arrays import Floats
from irviewer.model.dialects import DIALECTS
from irviewer.model.options import EvaluationOptions
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.session import Session
from irviewer.session.view_models.systems import build_curves
from tests.session.helpers import QUERIES, unlike_tools

CHOSEN = ("AP", "nDCG@5", "nDCG(dcg='exp-log2')@5", "nDCG(ideal='retrieved')@5", "DCG(gains={1: 2, 3: 0.5})@5")


@pytest.fixture(params=[False, True], ids=["all", "judged only"])
def case(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Session, list[str], bool]:
    """A session on the files under either choice of unjudged documents."""
    files = unlike_tools(tmp_path)
    session = Session()
    session.files.open_files(files)
    session.protocol.set(judged_only=request.param)
    return session, files, request.param


def _oracle(files: list[str], measures: list[str], dialect: str, level: float, judged_only: bool) -> ResultTable:
    return evaluate(
        files[0], files[1:], measures, dialect=dialect, level=level, judged_only=judged_only
    )  # fmt: skip


def _at(figure: Figure, label: str, x: float) -> float:
    return next(curve for curve in figure.curves if curve.label == label).at(x)


@pytest.mark.parametrize(
    ("dialect", "level"), a_part([(dialect, level) for dialect in DIALECTS for level in (1, 2)], 3)
)
def test_curves_pass_through_the_tables_values(
    case: tuple[Session, list[str], bool], dialect: str, level: float
) -> None:
    session, files, judged_only = case
    session.protocol.set(dialect=dialect)
    session.protocol.set(level=level)
    compared = 0
    for text in CHOSEN:
        assert session.evaluation.set_measure(text)
        name, given = re.split("[@(]", text)[0], text.partition("(")[2].rpartition(")")[0]
        part = f"({given})" if "DCG" in name and given else ""
        gaining = f"DCG{part}" if "ideal" not in given else "DCG"
        ndcg = [f"nDCG{part}@{k}" for k in range(1, 7)]
        dcg, ideal = ([f"{gain_name}@{k}" for k in range(1, 6)] for gain_name in (gaining, f"Ideal{gaining}"))
        # Drawn by the definition, whatever a tool does at its eleven levels: the heading says so.
        recall = [f"IPrec(cut='exact')@{step / 100}" for step in range(0, 101, 5)]
        result = _oracle(files, [*ndcg, *dcg, *ideal, *recall], dialect, level, judged_only)
        systems = session.view_models.systems_view_model()
        assert systems is not None
        for run in ("one", "two"):
            for k in range(1, 7):
                assert _at(systems.by_cutoff, run, k) == pytest.approx(result.mean(ndcg[k - 1], run), abs=1e-9)
            for step in range(21):
                height = _at(systems.precision_recall, run, step * 5 / 100)
                assert height == pytest.approx(result.mean(recall[step], run), abs=1e-9)
        tables = {
            (run, k): [result.by_query(names[k - 1], run) for names in (ndcg, dcg, ideal)]
            for run in ("one", "two")
            for k in range(1, 6)
        }
        for query in map(str, range(1, QUERIES + 1)):
            session.navigation.set_query(query)
            view_model = session.view_models.query_view_model()
            assert view_model is not None
            for run, k in tables:
                drawn = next(curve for curve in view_model.gain.curves if curve.label == run)
                values = [table.get(query, float("nan")) for table in tables[run, k]]
                if not np.isfinite(values).all() or not len(drawn.x) or drawn.x[-1] < k:
                    continue
                # nDCG may be another program's, with ties of its own: then the curve's are those of nDCG.
                best = _at(view_model.gain, f"ideal of {run}" if "ideal" in given else "ideal", k)
                gain = values[1] if name == "DCG" else values[0] * best
                assert drawn.at(k) == pytest.approx(gain, abs=1e-9), (text, run, query, k)
                if "ideal" not in given:
                    assert best == pytest.approx(values[2], abs=1e-9)
                compared += 1
    assert compared > 150


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_querys_precision_recall_is_interpolated_precision(
    case: tuple[Session, list[str], bool], dialect: str
) -> None:
    session, files, judged_only = case
    session.protocol.set(dialect=dialect)
    context = session.view.context
    assert context is not None
    of_query = {
        query: [f"IPrec@{rank / relevant!r}" for rank in range(1, relevant + 1)]
        for query, relevant in zip(context.query_ids, context.relevant.tolist(), strict=True)
    }
    result = _oracle(files, [*dict.fromkeys(chain(*of_query.values()))], dialect, 1, judged_only)
    for query, levels in of_query.items():
        relevant = len(levels)
        session.navigation.set_query(query)
        view_model = session.view_models.query_view_model()
        assert view_model is not None
        for run in ("one", "two") if levels else ():
            curve = next(drawn for drawn in view_model.precision_recall.curves if drawn.label == run)
            for rank, text in enumerate(levels, 1):
                value = result.by_query(text, run).get(query)
                if value is not None and value == value and rank / relevant <= (curve.x[-1] if len(curve.x) else 0):
                    assert curve.at(rank / relevant) == pytest.approx(value)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_tables_map_and_bars_follow(case: tuple[Session, list[str], bool], dialect: str) -> None:
    """Values by query, the differences and their counts, and the map's cells where the lists have the documents."""
    session, files, judged_only = case
    session.protocol.set(dialect=dialect)
    assert session.evaluation.set_measure("RBP(p=0.8)")
    result = _oracle(files, ["RBP(p=0.8)"], dialect, 1, judged_only)
    first, two = (result.by_query("RBP(p=0.8)", run) for run in ("one", "two"))
    view_model = session.view_models.queries_view_model()
    context = session.view.context
    assert view_model is not None
    assert view_model.map is not None
    assert view_model.bars.bars is not None
    assert context is not None
    deltas = {}
    for row, query in enumerate(view_model.query_ids):
        values = (first.get(query, float("nan")), two.get(query, float("nan")))
        assert view_model.values[row].tolist() == pytest.approx(values, nan_ok=True), query
        deltas[query] = values[1] - values[0]
        assert view_model.bars.bars.heights[row] == pytest.approx(deltas[query], nan_ok=True)
        run = next(entry for entry in context.collection.runs if entry.key == view_model.map.run.key).run
        documents = run.ranking(query)
        grades = context.judgments.qrels.judgments(query) if context.judgments is not None else {}
        seen = [view_model.map.cells[rank, row] for rank in range(len(documents))]
        judged_grades = EvaluationOptions(dialect=dialect).rules.negatives_judged
        for document, cell in zip(documents, seen, strict=True):
            grade = grades.get(document, float("nan"))
            assert cell == pytest.approx(max(grade, 0.0) if judged_grades and grade < 0 else grade, nan_ok=True)
    counts = [sum(1 for d in deltas.values() if test(d)) for test in (_up, _level, _down)]
    assert [view_model.better, view_model.equal, view_model.worse] == counts


def _up(delta: float) -> bool:
    return delta > 1e-9


def _level(delta: float) -> bool:
    return abs(delta) <= 1e-9


def _down(delta: float) -> bool:
    return delta < -1e-9


def test_curves_after_edits_are_those_of_a_session_that_opens_the_edited_files(tmp_path: Path) -> None:
    """What is kept from one edit to the next: the curves of each run, and those that an edit leaves as they are."""
    session = Session()
    session.files.open_files(unlike_tools(tmp_path))
    collection = session.view.collection
    assert collection is not None
    key = session.run_editing.edit_copy(collection.runs[0].key)
    assert key is not None
    first, second = collection.runs[0].run.ranking("1", 2)
    before = _lines(session.view.context)
    for place, edit in enumerate((
        lambda: session.run_editing.shift_document(key, first, 1),
        lambda: session.judging.judge(first, 2.0),
        lambda: session.judging.judge(second, 0.0),
        lambda: session.run_editing.shift_document(key, first, -1),
        lambda: session.judging.judge(first, None),
    )):  # fmt: skip
        session.navigation.set_query("1")
        assert edit()
        context = session.view.context
        assert context is not None
        now, anew = _lines(context), _lines(replace(context, evaluation=Evaluation()))
        assert [[y.tolist() for y in figure] for figure in now] == [[y.tolist() for y in figure] for figure in anew]
        if place == 0:  # only the copy has changed
            same = [[y is was for y, was in zip(*figures, strict=True)] for figures in zip(now, before, strict=True)]
            assert all(True in figure for figure in same)
        before = now


def _lines(context: EvaluationContext | None) -> list[list[Floats]]:
    assert context is not None
    return [[curve.y for curve in figure.curves] for figure in build_curves(context)]
