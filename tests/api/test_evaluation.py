"""The public calls: values or files in, a table out, the examples of the documentation as they stand there."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import irviewer
from irviewer.api import evaluation
from irviewer.errors import MeasureError, OptionError, ParseError

QRELS = {"1": {"a": 3, "b": 0, "c": 1}, "2": {"a": 1}}
RUN = {"1": {"b": 9.0, "a": 8.0, "c": 7.0}}


def test_the_examples_in_the_docstrings() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    tried = 0
    for test in finder.find(evaluation.evaluate, globs={"evaluate": irviewer.evaluate}):
        tried += runner.run(test).attempted
    assert tried >= 5
    assert runner.failures == 0


def test_dictionaries_files_and_values_are_the_same(tmp_path: Path) -> None:
    qrels, run = tmp_path / "my.qrels", tmp_path / "my.run"
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, grades in QRELS.items() for d, g in grades.items()))
    run.write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, scores in RUN.items() for d, s in scores.items()))
    measures = ["AP", "nDCG@10", "P@5", "RR"]
    first = irviewer.evaluate(QRELS, RUN, measures)
    for given in (
        (str(qrels), str(run)),
        (qrels, [run]),
        (irviewer.read_qrels(qrels), irviewer.read_run(run)),
        (irviewer.Qrels.from_dict(QRELS), [irviewer.Run.from_dict(RUN)]),
    ):
        from_given = irviewer.evaluate(*given, measures)
        assert from_given.values.tolist() == first.values.tolist()
        assert from_given.missing[from_given.runs[0]] == ("2",)


def test_what_a_result_holds() -> None:
    other = irviewer.Run.from_dict({"1": {"a": 1.0}, "2": {"a": 1.0}}, name="other")
    result = irviewer.evaluate(QRELS, [irviewer.Run.from_dict(RUN, name="first"), other], ["AP", "num_ret"])
    assert result.runs == ("first", "other")
    assert result.query_ids == ("1", "2")
    assert result.values.shape == (2, 2, 2)
    assert result.values.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        result.values[0, 0, 0] = 1
    assert result["AP"].tolist() == pytest.approx([(0.5 + 2 / 3) / 2 / 2, 0.75])
    assert result.mean("num_ret", "first") == 3
    assert result.mean("map", "other") == result.mean("AP", "other")
    assert result.by_query("AP", "other") == {"1": 0.5, "2": 1.0}
    table = result.table
    assert isinstance(table, pa.Table)
    assert table.column_names == ["run", "query", "measure", "value"]
    assert table.num_rows == 2 * 2 * 3
    wanted = {"run": "other", "query": "all", "measure": "AP", "value": 0.75}
    assert wanted in table.to_pylist()
    text = repr(result)
    assert "2 queries" in text
    assert "first" in text
    with pytest.raises(KeyError, match="several runs"):
        result.mean("AP")
    with pytest.raises(KeyError, match="unknown run x"):
        result.mean("AP", "x")
    with pytest.raises(KeyError, match="was not evaluated"):
        result.mean("P@3", "first")


def test_options() -> None:
    assert irviewer.evaluate(QRELS, RUN, "AP", missing="intersection").query_ids == ("1",)
    result = irviewer.evaluate(QRELS, RUN, ["AP", "P@1"], level=2, depth=1, judged_only=True)
    assert [measure.text for measure in result.measures] == ["AP(rel=2)", "P(rel=2)@1"]
    assert result.mean("AP") == result.mean("AP(rel=2)") == 0
    ndcg = irviewer.parse_measure("nDCG@3")
    assert irviewer.evaluate(QRELS, RUN, ndcg).mean(ndcg) > 0


def test_nothing_in_common_is_no_crash() -> None:
    result = irviewer.evaluate({"1": {"a": 1}}, {"2": {"a": 1.0}}, "official", missing="intersection")
    assert result.query_ids == ()
    assert np.isnan(result.mean("AP"))
    assert result.mean("num_q") == 0
    assert "–" in repr(result)


def test_faults(tmp_path: Path) -> None:
    with pytest.raises(ParseError, match="does not exist"):
        irviewer.evaluate("absent", RUN)
    with pytest.raises(MeasureError, match="did you mean"):
        irviewer.evaluate(QRELS, RUN, "nDGC")
    assert irviewer.evaluate(QRELS, [irviewer.Run.from_dict(RUN, name="x")] * 2, "AP").runs == ("x", "x (2)")
    with pytest.raises(OptionError, match="depth"):
        irviewer.evaluate(QRELS, RUN, depth=0)
    path = tmp_path / "twice.run"
    path.write_text("1 Q0 a 1 3 t\n1 Q0 a 2 1 t\n")
    with pytest.raises(ParseError, match="is repeated"):
        irviewer.read_run(path)
    assert len(irviewer.read_run(path, duplicates="last")) == 1
    assert irviewer.read_run(path, duplicates="first", name="mine").name == "mine"


def test_lengths_of_documents(tmp_path: Path) -> None:
    """A mapping and a file of documents say the same; without any, a measure that needs them says so."""
    qrels, run = {"1": {"a": 1, "b": 1}}, {"1": {"x": 3.0, "a": 2.0, "b": 1.0}}
    asked = "BudgetRecall(budget=7)"
    assert irviewer.evaluate(qrels, run, asked, lengths={"x": 2, "a": 5, "b": 1}).mean(asked) == 0.5
    path = tmp_path / "docs.jsonl"
    path.write_text(
        '{"id": "x", "text": "one two"}\n{"id": "a", "text": "a b c d e"}\n{"id": "b", "text": "z"}\n', encoding="utf-8"
    )
    assert irviewer.evaluate(qrels, run, asked, lengths=path).mean(asked) == 0.5
    with pytest.raises(irviewer.MeasureError):
        irviewer.evaluate(qrels, run, asked)


def test_z_scores(small: Path, samples: Path) -> None:
    """From a file as trec_eval -Z prints them, and from a mapping."""
    folder, reference = samples / "trec", small / "trec_eval" / "zscores_file"
    result = irviewer.evaluate(folder / "qrels.test", folder / "results.test", ["map"], zscores=reference)
    printed = [line.split() for line in (small / "trec_eval" / "out.test.aqZ").read_text().splitlines()]
    wanted = {query: value for name, query, value in printed if name == "Zmap"}
    assert {query: f"{value:.4f}" for query, value in result.by_query(result.measures[0]).items()} == {
        query: value for query, value in wanted.items() if query != "all"
    }
    assert f"{result.mean(result.measures[0]):.4f}" == wanted["all"]
    given = irviewer.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, "P@1", zscores={("1", "P@1"): (0.5, 0.25)})
    assert given.mean(given.measures[0]) == 2.0


def test_score_components_of_a_run(tmp_path: Path) -> None:
    """Further numbers beside the score are kept and can be asked for by document."""
    path = tmp_path / "x.csv"
    path.write_text("qid,docno,score,bm25,dense\n1,a,2,7,0.5\n1,b,3,1,0.75\n", encoding="utf-8")
    run = irviewer.read_run(path)
    assert set(run.components) == {"bm25", "dense"}
    assert run.ranking("1") == ["b", "a"]
    assert {name: values.tolist() for name, values in run.ranking_components("1").items()} == {
        "bm25": [1, 7], "dense": [0.75, 0.5],
    }  # fmt: skip


def test_runs_by_their_names() -> None:
    other = {"1": {"a": 1.0}, "2": {"a": 1.0}}
    named = irviewer.evaluate(QRELS, {"bm25": RUN, "other": other}, ["AP", "P@5"])
    from_given = irviewer.evaluate(
        QRELS, [irviewer.Run.from_dict(RUN, name="bm25"), irviewer.Run.from_dict(other, name="other")], ["AP", "P@5"]
    )
    assert named.runs == ("bm25", "other")
    assert named.values.tolist() == from_given.values.tolist()
    assert irviewer.evaluate(QRELS, {"r": irviewer.Run.from_dict(RUN)}, "AP").runs == ("r",)
    assert irviewer.evaluate(QRELS, {}, "AP").mean("AP") == 0


@pytest.mark.parametrize("run", [{"1": ["a", "b"]}, {"1": {"a": "high"}}, {"1": 3}, {"r": {"1": {"a": [1]}}}])
def test_dictionaries_of_another_shape_are_reported(run: Any) -> None:
    with pytest.raises(OptionError, match=r"A run must be {query: {document: score}}"):
        irviewer.evaluate(QRELS, run, "AP")
    with pytest.raises(OptionError, match=r"Qrels must be {query: {document: grade}}"):
        irviewer.evaluate(run, RUN, "AP")
