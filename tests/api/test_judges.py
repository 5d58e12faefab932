"""The public calls about judges: what they take, their example, what they give."""

from __future__ import annotations

import doctest
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

import irviewer
from irviewer.api import judges

HUMAN = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 0, "b": 1}}
MODEL = {"1": {"a": 2, "b": 1, "c": 1}, "2": {"a": 0, "b": 2}}
RUNS = {"good": {"1": {"a": 3.0, "c": 2.0}, "2": {"b": 1.0}}, "bad": {"1": {"b": 3.0}, "2": {"a": 1.0}}}


def test_the_example_holds() -> None:
    tests = doctest.testmod(judges)
    assert tests.failed == 0
    assert tests.attempted >= 6


def test_files_values_and_sets(tmp_path: Path) -> None:
    path = tmp_path / "model.qrels"
    path.write_text("".join(f"{q} 0 {d} {g}\n" for q, own in MODEL.items() for d, g in own.items()))
    human = irviewer.Qrels.from_dict(HUMAN, name="human")
    model = irviewer.JudgmentSet(irviewer.read_qrels(path), "model", "model", "gpt", "prompt 3")
    wanted = irviewer.agreement({"human": HUMAN, "model": MODEL}, samples=50).pair("human", "model")
    for given in ([human, model], [human, path], {"human": human, "model": model}):
        agreement = irviewer.agreement(given, samples=50)
        assert agreement.judges == ("human", "model")
        assert agreement.pair("human", "model") == wanted
        assert agreement.systems is None
    assert irviewer.agreement([human, model], samples=0).grades.panel.sets[1].note == "prompt 3"


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_judge_column_of_a_data_frame_makes_judges(library: str) -> None:
    rows = [
        {"query_id": query, "doc_id": doc, "relevance": grade, "judge": name, "explanation": f"{name} on {doc}"}
        for name, grades in (("human", HUMAN), ("model", MODEL))
        for query, own in grades.items()
        for doc, grade in own.items()
    ]
    table = pa.Table.from_pylist(rows)
    frame = {"pyarrow": lambda: table, "pandas": table.to_pandas}.get(library)
    if frame is None:
        value = pytest.importorskip("polars").from_arrow(table)
    else:
        pytest.importorskip(library)
        value = frame()
    result = irviewer.agreement([value], samples=0)
    assert result.judges == ("human", "model")
    wanted = irviewer.agreement({"human": HUMAN, "model": MODEL}, samples=0)
    assert result.pair("human", "model") == wanted.pair("human", "model")
    sets = result.grades.panel.sets
    assert sets[1].explanations.by_query["2"]["b"].text == "model on b"
    renamed = irviewer.Qrels.from_dict(HUMAN)
    assert irviewer.agreement([renamed, MODEL], samples=0).judges == ("qrels", "qrels (2)")


def test_runs_and_their_families() -> None:
    own = irviewer.Run.from_dict(RUNS["good"], name="good")
    marked = replace(own, attributes={"family": ["gpt"]})
    model = irviewer.JudgmentSet(irviewer.Qrels.from_dict(MODEL), "model", "model", "gpt")
    sets = {"human": HUMAN, "model": model}
    bad = irviewer.Run.from_dict(RUNS["bad"], name="bad")
    agreement = irviewer.agreement(sets, [marked, bad], "RR", samples=50)
    assert agreement.systems is not None
    assert agreement.systems["model"].marked.tolist() == [True, False]
    with_families = irviewer.agreement(sets, RUNS, "RR", samples=50, families={"bad": "gpt"})
    assert with_families.systems is not None
    assert with_families.systems["model"].marked.tolist() == [False, True]
    with pytest.raises(KeyError):
        with_families.systems["nobody"]


def test_confusion_and_notes() -> None:
    agreement = irviewer.agreement({"human": HUMAN, "model": MODEL}, RUNS, "RR", samples=0)
    assert agreement.confusion("human", "model").counts.tolist() == [[1, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert agreement.notes[-1] == "No run is marked as using a model of a judge's family."
    assert agreement.pair("human", "model")["kappa"].low is None


def test_merging_drawing_and_correcting() -> None:
    merged = irviewer.merge_judgments({"human": HUMAN, "model": MODEL}, "mean")
    assert merged.judgments.qrels.judgments("1") == {"a": 2, "b": 0.5, "c": 1}
    task = irviewer.draw_task(MODEL, 2)
    assert list(task.drawn) == ["1", "2"]
    assert irviewer.draw_task(MODEL, 1, "pair").unit == "pair"
    corrected = irviewer.corrected_scores(HUMAN, MODEL, RUNS, "P@1", baseline="bad")
    assert corrected.means.values.tolist() == [1.0, 0.0]
