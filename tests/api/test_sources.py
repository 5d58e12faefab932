"""What the public functions take as qrels and runs: every shape that the messages name, in every function, and for all
else one sentence that says what is wrong."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import irviewer
from irviewer.api.judges import judgment_sets
from irviewer.api.sources import Sources
from irviewer.errors import IrviewerError, OptionError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

ONE = {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}}
TWO = {"1": {"b": 2.0, "a": 1.0}, "2": {"c": 1.0}}
GRADES = {"1": {"a": 1, "b": 0}, "2": {"c": 1}}
Retrieved = namedtuple("Retrieved", "query_id doc_id score")


def rows(nested: dict[str, dict[str, float]], value: str = "score") -> list[dict[str, Any]]:
    return [{"query_id": q, "doc_id": d, value: v} for q, inner in nested.items() for d, v in inner.items()]


def frame(nested: dict[str, dict[str, float]], value: str = "score") -> pd.DataFrame:
    return pd.DataFrame(rows(nested, value))


SHAPES: dict[str, Callable[[dict[str, dict[str, float]]], Any]] = {
    "pandas": frame,
    "PyTerrier": lambda nested: frame(nested).rename(columns={"query_id": "qid", "doc_id": "docno"}),
    "polars": lambda nested: pl.DataFrame(rows(nested)),
    "lazy polars": lambda nested: pl.LazyFrame(rows(nested)),
    "Arrow": lambda nested: pa.Table.from_pylist(rows(nested)),
    "dictionary": lambda nested: nested,
    "records": rows,
    "records of pandas": lambda nested: frame(nested).to_dict("records"),
    "records of numpy": lambda nested: [
        {"qid": row["query_id"], "docno": row["doc_id"], "score": np.float32(row["score"])} for row in rows(nested)
    ],
    "a tuple of records": lambda nested: tuple(rows(nested)),
    "a generator of records": lambda nested: iter(rows(nested)),
    "named tuples": lambda nested: [Retrieved(**row) for row in rows(nested)],
    "pandas' tuples": lambda nested: list(frame(nested).itertuples()),
    "tuples": lambda nested: [tuple(row.values()) for row in rows(nested)],
    "run": Run.of,
}
LISTS: dict[str, Callable[[Any, Any], Any]] = {
    "list": lambda first, second: [first, second],
    "tuple": lambda first, second: (first, second),
    "generator": lambda first, second: (run for run in (first, second)),
    "named": lambda first, second: {"x": first, "y": second},
    "values of a dictionary": lambda first, second: {"x": first, "y": second}.values(),
}


def as_dict(run: Run) -> dict[str, dict[str, float]]:
    return {q: dict(zip(run.ranking(q), run.ranking_scores(q).tolist(), strict=True)) for q in run.query_ids}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("listed", LISTS)
def test_every_shape_alone_and_among_several(shape: str, listed: str) -> None:
    make = SHAPES[shape]
    assert [as_dict(run) for run in Sources().runs(make(ONE))] == [ONE]
    runs = Sources().runs(LISTS[listed](make(ONE), make(TWO)))
    assert [as_dict(run) for run in runs] == [ONE, TWO]
    if listed == "named":
        assert [run.name for run in runs] == ["x", "y"]


FUNCTIONS: dict[str, Callable[[Any, Any], object]] = {
    "evaluate": lambda qrels, runs: irviewer.evaluate(qrels, runs, "AP"),
    "compare": lambda qrels, runs: irviewer.compare(qrels, runs, "AP"),
    "compare_slices": lambda qrels, runs: irviewer.compare_slices(qrels, runs, "AP", by="relevant"),
    "similarity": lambda qrels, runs: irviewer.similarity(runs),
    "fuse": lambda qrels, runs: irviewer.fuse(runs),
    "pool_effects": irviewer.pool_effects,
    "curves": irviewer.curves,
    "set_means": lambda qrels, runs: irviewer.set_means(qrels, runs, {"all": ["1", "2"]}, "AP"),
    "paper_table": lambda qrels, runs: irviewer.paper_table(qrels, runs, "AP"),
    "ranking_stability": lambda qrels, runs: irviewer.ranking_stability(qrels, runs, "AP"),
    "report": lambda qrels, runs: irviewer.report(qrels, runs, "AP"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_lists_of_frames_and_of_records_in_every_function(name: str) -> None:
    call = FUNCTIONS[name]
    for make in (frame, rows):
        call(make(GRADES, "relevance"), [make(ONE), make(TWO)])


STRANGE: dict[str, Any] = {
    "pairs": {"1": [("b", 2.0)]},
    "lists of pairs": {"1": [["b", 2.0]]},
    "sets": {"1": {"a"}},
    "lists of documents": {"1": ["a", "b"]},
    "pairs in a named run": {"x": {"1": [("b", 2.0)]}},
    "numbers": {"1": 2.0},
    "one record": rows(ONE)[0],
    "one row": ["1", "a", 2.0],
    "rows as lists": [["1", "a", 2.0]],
    "pandas' dictionary": frame(ONE).to_dict(),
    "pandas' lists": frame(ONE).to_dict("list"),
    "an array": np.array([["1", "a", "2"]]),
    "a column": frame(ONE)["score"],
    "columns": [frame(ONE)["score"]],
    "no score": [{"query_id": "1", "doc_id": "a"}],
    "a frame without a score": frame(ONE).drop(columns="score"),
    "a text as score": [Retrieved("1", "a", "x")],
    "a text as score of a record": [{"query_id": "1", "doc_id": "a", "score": "x"}],
    "a record without document": [*rows(ONE), {"query_id": "1", "score": 2.0}],
    "a number among records": [*rows(ONE), 5],
    "texts as scores": {"1": {"a": "x"}},
    "no number as score": {"1": {"a": None}},
    "too deep": {"x": {"1": {"a": {"b": 1}}}},
    "nothing": None,
    "nothing in a list": [None],
    "a number": 5,
    "bytes": b"a.run",
    "a type": dict,
}


@pytest.mark.parametrize("name", STRANGE)
def test_other_shapes_get_one_sentence_about_themselves(name: str) -> None:
    messages = [said(lambda: Sources().runs(STRANGE[name])), said(lambda: Sources().qrels(STRANGE[name]))]
    for text in messages:
        assert "file does not exist" not in text
        assert "\n" not in text
        assert any(words in text for words in ("cannot be read as", "The dictionary differs: ", "Column ", "Item ")), (
            text
        )


def said(call: Callable[[], object]) -> str:
    with pytest.raises(OptionError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ({"1": [("b", 2.0)]}, "query '1' has a value of type list, not a dictionary"),
        ({"1": {"a"}}, "query '1' has a value of type set, not a dictionary"),
        ({"x": {"1": {"a": "high"}}}, "document 'a' of query '1' has 'high', which is no number"),
        ([{"query_id": "1", "doc_id": "a"}], "no column for score or rank. The columns are: query_id, doc_id."),
        ([Retrieved("1", "a", "high")], "Item 0 has 'high' as its score, which is no number."),
        (["1", "a", 2.0], "A value of type float cannot be read as a run."),
    ],
)
def test_the_sentence_says_where_the_shape_differs(shape: Any, words: str) -> None:
    assert words in said(lambda: Sources().runs(shape))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_path_is_named_in_every_function(name: str, tmp_path: Path) -> None:
    wrong = tmp_path / "nix" / "a.run"
    for given in (str(wrong), wrong, [wrong, wrong], {"x": wrong, "y": wrong}, [ONE, str(wrong)]):
        with pytest.raises(IrviewerError, match=r"a\.run: the file does not exist; check the path"):
            FUNCTIONS[name](GRADES, given)


def test_one_table_of_judges_need_not_be_in_a_list() -> None:
    table = pd.concat([frame(GRADES, "relevance").assign(judge=name) for name in ("x", "y")])
    for given in (table, table.to_dict("records")):
        assert [judge.name for judge in judgment_sets(given)] == ["x", "y"]
        assert [judge.name for judge in judgment_sets([given])] == ["x", "y"]


def test_frames_of_one_row() -> None:
    single = frame({"1": {"a": 2.0}})
    assert [as_dict(run) for run in Sources().runs([single, single])] == [{"1": {"a": 2.0}}] * 2


def test_ids_of_several_types_in_records() -> None:
    mixed = [{"qid": 1, "docno": "a", "score": 2}, {"qid": "q2", "docno": 5, "score": 1.5}]
    assert as_dict(Run.of(mixed)) == {"1": {"a": 2.0}, "q2": {"5": 1.5}}


def test_records_of_several_runs_and_named_columns() -> None:
    given = [{"run": name, "q": "1", "chunk": "a", "score": 1.0} for name in ("x", "y")]
    assert [run.name for run in Sources({"query": "q", "doc": "chunk"}).runs(given)] == ["x", "y"]


ORDERED: dict[str, Callable[[Any, Any], Any]] = {
    "evaluate": lambda qrels, run: irviewer.evaluate(qrels, run, "AP").means.tolist(),
    "explain": lambda qrels, run: irviewer.explain(qrels, run, "AP", "1").value,
    "gate": lambda qrels, run: irviewer.gate(qrels, run, TWO, "AP > -0.9").outcome,
    "pool_effects": lambda qrels, run: irviewer.pool_effects(qrels, run, "AP").bounds.mean_values.tolist(),
    "curves": lambda qrels, run: irviewer.curves(qrels, run).table,
    "dialects": lambda qrels, run: irviewer.dialects(qrels, run, "AP").by_dialect,
}


@pytest.mark.parametrize("name", ORDERED)
def test_a_run_in_place_of_the_qrels_is_understood(name: str, tmp_path: Path) -> None:
    irviewer.write_qrels(GRADES, tmp_path / "judged.txt")
    irviewer.write_run(ONE, tmp_path / "ranked.txt")
    call = ORDERED[name]
    for qrels, run in (
        (str(tmp_path / "judged.txt"), tmp_path / "ranked.txt"),
        (Qrels.of(GRADES), Run.of(ONE)),
        (frame(GRADES, "relevance"), frame(ONE)),
        (rows(GRADES, "relevance"), rows(ONE)),
    ):
        assert call(run, qrels) == call(qrels, run)
    several = irviewer.compare(Run.of(ONE), [Run.of(TWO, name="two"), Qrels.of(GRADES)], "AP")
    plain = irviewer.compare(Qrels.of(GRADES), [Run.of(ONE), Run.of(TWO, name="two")], "AP")
    assert several.to_pandas().equals(plain.to_pandas())


NOT_FINITE = [float("nan"), float("inf"), -float("inf")]


@pytest.mark.parametrize("grade", NOT_FINITE)
def test_grades_that_are_not_finite_are_refused_in_every_shape(grade: float, tmp_path: Path) -> None:
    """A NaN counted as a judgment, and an infinite one made a value that is no number; files refused both."""
    columns = {"query_id": ["1", "1"], "doc_id": ["a", "b"], "relevance": [1.0, grade]}
    table = pa.table(columns)
    records = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    path = tmp_path / "qrels.txt"
    path.write_text(f"1 0 a 1\n1 0 b {grade}\n")
    nested = {"0": {"a": 1.0}, "1": {"a": 1.0, "b": grade}}
    shapes = (nested, Qrels.from_dict(nested), table, pd.DataFrame(columns), pl.DataFrame(columns), records, path)
    for qrels in shapes:
        with pytest.raises(IrviewerError, match=r"not a finite number|Column relevance is empty in 1 row \(row 1"):
            irviewer.evaluate(qrels, ONE, "nDCG@10")
    with pytest.raises(OptionError, match="grade of document b of query 1"):
        Qrels.of(nested)


def test_whole_scores_beyond_a_float_are_those_of_a_file(tmp_path: Path) -> None:
    """A time in nanoseconds is one: a table with them was said to hold no numbers."""
    time = 1_700_000_000_000_000_000
    for kind in (pa.int64(), pa.uint64()):
        table = pa.table({"query_id": ["1", "1"], "doc_id": ["b", "a"], "score": pa.array([time, time + 4096], kind)})
        pq.write_table(table, tmp_path / "run.parquet")
        for run in (table, table.to_pandas(), pl.from_arrow(table), tmp_path / "run.parquet"):
            assert irviewer.evaluate({"1": {"a": 1}}, run, "RR").mean("RR") == 1
        assert irviewer.evaluate_blocks({"1": {"a": 1}}, table, "RR").mean("RR") == 1
    with pytest.raises(OptionError, match="document 'a' of query '1' has 1000"):
        irviewer.evaluate(GRADES, {"1": {"a": 10**400}}, "RR")
