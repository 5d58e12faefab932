"""Data frames, records and other libraries' objects as qrels and runs: the same as the dictionary they come from, and
refused with the columns there are."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import irviewer
from irviewer.errors import OptionError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

RUN = {"q1": {"d1": 1.0, "d2": 2.0}, "q2": {"d1": 3.0}}
QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}}
LIBRARIES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "pandas objects": lambda frame: frame.astype(
        {name: object for name in frame if frame[name].dtype.kind not in "if"}
    ),
    "polars": lambda frame: pl.DataFrame(frame.to_dict("list")),
    "lazy polars": lambda frame: pl.LazyFrame(frame.to_dict("list")),
    "pyarrow": lambda frame: pa.table(frame.to_dict("list")),
}
NAMES = {
    "PyTerrier": ("qid", "docno", "score", "label"),
    "ir_measures": ("query_id", "doc_id", "score", "relevance"),
    "BEIR": ("query-id", "corpus-id", "score", "score"),
    "trec": ("topic", "docid", "sim", "rel"),
    "ranx": ("q_id", "doc_id", "score", "score"),
}


class Record(NamedTuple):
    """A judgment or retrieved document, as ir_measures and ir_datasets have them."""

    query_id: str
    doc_id: str
    score: float
    relevance: int


def frame(names: tuple[str, str, str] = ("qid", "docno", "score"), nested: dict[str, Any] = RUN) -> pd.DataFrame:
    rows = [(query, document, value) for query, values in nested.items() for document, value in values.items()]
    return pd.DataFrame(rows, columns=list(names))


def as_dict(run: Run) -> dict[str, dict[str, float]]:
    return {
        query: dict(zip(run.ranking(query), run.ranking_scores(query).tolist(), strict=True)) for query in run.query_ids
    }


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("library", LIBRARIES)
def test_every_library_and_every_tools_names(library: str, names: tuple[str, str, str, str]) -> None:
    run = Run.of(LIBRARIES[library](frame(names[:3])))
    assert as_dict(run) == RUN
    qrels = Qrels.of(LIBRARIES[library](frame((*names[:2], names[3]), QRELS)))
    assert {query: qrels.judgments(query) for query in qrels.query_ids} == QRELS


def test_pyterriers_docno_is_the_document_and_docid_a_number_of_the_index() -> None:
    assert as_dict(Run.of(frame().assign(docid=[7, 8, 9], query="text"))) == RUN


def test_columns_of_ones_own() -> None:
    own = frame(("question", "chunk_id", "s"))
    columns = {"query": "question", "doc": "chunk_id", "score": "s"}
    assert as_dict(Run.of(own, columns=columns)) == RUN
    assert irviewer.evaluate(QRELS, own, "AP", columns=columns).mean("AP") == 0.75
    # Only the run has such columns; one that neither has is refused.
    assert irviewer.evaluate(frame(nested=QRELS), own, "AP", columns=columns).mean("AP") == 0.75
    with pytest.raises(OptionError, match=r"No table has a column 'nix'.*chunk_id"):
        irviewer.evaluate(QRELS, frame().assign(chunk_id="x"), "AP", columns={"doc": "nix"})
    with pytest.raises(OptionError, match=r"no column 'nix' for doc. The columns are: question, chunk_id, s"):
        Run.of(own, columns={"doc": "nix"})
    with pytest.raises(OptionError, match="no column role 'colour'"):
        Run.of(own, columns={"colour": "s"})


@pytest.mark.parametrize(
    ("missing", "said"),
    [(["docno"], "doc_id"), (["score"], "score or rank"), (["qid", "docno"], "query_id, doc_id")],
)
def test_what_is_missing_and_what_there_is(missing: list[str], said: str) -> None:
    with pytest.raises(OptionError) as caught:
        Run.of(frame().drop(columns=missing))
    rest = ", ".join(name for name in ("qid", "docno", "score") if name not in missing)
    assert f"no column for {said}. The columns are: {rest}." in str(caught.value)


def test_an_index_of_pandas_is_named() -> None:
    with pytest.raises(OptionError, match=r"The index has qid, docno: call reset_index\(\) first"):
        Run.of(frame().set_index(["qid", "docno"]))


@pytest.mark.parametrize("dtype", ["category", "string[pyarrow]", object])
def test_texts_of_every_kind(dtype: Any) -> None:
    assert as_dict(Run.of(frame().astype({"qid": dtype, "docno": dtype}))) == RUN


@pytest.mark.parametrize("dtype", ["int32", "Int64", "uint64", "float64", "category"])
def test_whole_numbers_are_ids(dtype: Any) -> None:
    numbers = frame().assign(qid=pd.Series([1, 1, 2]).astype(dtype), docno=pd.Series([10, 20, 10]).astype(dtype))
    assert as_dict(Run.of(numbers)) == {"1": {"10": 1.0, "20": 2.0}, "2": {"10": 3.0}}


def test_ranks_alone_order_the_documents() -> None:
    for first in (0, 1):
        ranked = frame().assign(rank=[first + 1, first, first]).drop(columns="score")
        assert Run.of(ranked).ranking("q1") == ["d2", "d1"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"score": [1.0, np.nan, 2.0]}, "score is empty in 1 row (row 1"),
        ({"score": pd.array([None, None, 2], dtype="Float64")}, "score is empty in 2 rows (the first is row 0"),
        ({"qid": ["a", None, "b"]}, "qid is empty in 1 row (row 1"),
        ({"docno": ["a", "", "b"]}, "docno is empty in 1 row (row 1"),
        ({"qid": [1.0, 1.5, 2.0]}, "qid has '1.5' in row 1"),
        ({"qid": [1, "1", 2]}, "qid cannot be read"),
        ({"qid": [True, True, False]}, "qid has values of type bool, which are not ids"),
        ({"score": ["1", "high", "2"]}, "score has 'high' in row 1"),
        ({"docno": ["a", "a", "b"]}, "document a"),
        ({"run": ["a", "a", "b"]}, "has 2 runs (column run: a, b)"),
    ],
)
def test_cells_that_will_not_do(change: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError) as caught:
        Run.of(frame().assign(**change))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nan_in_polars_is_empty_too() -> None:
    with pytest.raises(OptionError, match="score is empty in 1 row"):
        Run.of(pl.DataFrame({"qid": ["1"], "docno": ["a"], "score": [float("nan")]}))


def test_hostile_texts_stay_one_line() -> None:
    with pytest.raises(OptionError) as caught:
        Run.of(frame().assign(score=["1", "\x1b[31m\n{x}", "2"]))
    assert "\x1b" not in str(caught.value)
    odd = {"q\n{0}": {"<b>\x00": 1.0}}
    assert as_dict(Run.of(frame(nested=odd))) == odd


def test_empty_tables() -> None:
    assert len(Run.of(frame().iloc[:0])) == 0
    with pytest.raises(OptionError, match="no judgments"):
        Qrels.of(frame().iloc[:0])
    with pytest.raises(OptionError, match="no column for query_id, doc_id, score or rank"):
        Run.of(pd.DataFrame())


def test_two_columns_of_one_name() -> None:
    with pytest.raises(OptionError, match="unique column names"):
        Run.of(pd.concat([frame(), frame()], axis=1))


def test_a_table_of_several_runs_is_several_runs() -> None:
    both = pd.concat([frame().assign(system="one"), frame().assign(system="two")])
    evaluation = irviewer.evaluate(QRELS, both, "AP")
    assert evaluation.runs == ("one", "two")
    assert evaluation.means.tolist() == [[0.75, 0.75]]
    named = irviewer.evaluate(QRELS, {"mine": frame(), "other": pl.DataFrame(frame().to_dict("list"))}, "AP")
    assert named.runs == ("mine", "other")
    assert irviewer.evaluate(QRELS, [frame(), frame()], "AP").runs == ("run", "run (2)")


def test_records_dictionaries_and_generators() -> None:
    records = [Record(q, d, s, QRELS[q][d]) for q, scores in RUN.items() for d, s in scores.items()]
    assert as_dict(Run.of(records)) == as_dict(Run.of(iter(records))) == RUN
    assert as_dict(Run.of([tuple(record[:3]) for record in records])) == RUN
    assert {query: Qrels.of(iter(records)).judgments(query) for query in QRELS} == QRELS
    evaluation = irviewer.evaluate(iter(records), (record for record in records), "AP")
    assert evaluation.mean("AP") == 0.75
    assert as_dict(Run.of({1: {np.int64(2): 3}})) == {"1": {"2": 3.0}}
    with pytest.raises(OptionError, match="The id 1 is given twice"):
        Run.of({1: {"a": 1}, "1": {"b": 2}})
    with pytest.raises(OptionError, match="Item 1 is of type int, not a record"):
        Run.of([records[0], 5])
    with pytest.raises(OptionError, match="read_run reads a file by its path"):
        Run.of("bm25.run")
    for value in (5, [], None, np.zeros(3)):
        with pytest.raises(OptionError, match="cannot be read as a run"):
            Run.of(value)


def test_ir_measures() -> None:
    measures = pytest.importorskip("ir_measures")
    records = [measures.ScoredDoc(q, d, s) for q, scores in RUN.items() for d, s in scores.items()]
    wanted = [measures.AP, measures.nDCG @ 10, measures.P(rel=2) @ 5]
    evaluation = irviewer.evaluate(QRELS, records, wanted)
    theirs = measures.calc_aggregate(wanted, QRELS, RUN)
    assert evaluation.means[:, 0].tolist() == pytest.approx([theirs[name] for name in wanted])
    assert irviewer.evaluate(QRELS, records, measures.AP).means.shape == (1, 1)


@pytest.mark.slow  # numba compiles ranx in each process anew, for ten seconds
def test_ranx() -> None:
    ranx = pytest.importorskip("ranx")
    run = Run.of(ranx.Run(RUN, name="bm25"))
    assert (run.name, as_dict(run)) == ("bm25", RUN)
    assert Qrels.of(ranx.Qrels(QRELS)).judgments("q2") == {"d1": 2}


def test_a_pattern_is_its_files(tmp_path: Any) -> None:
    for name in ("b.run", "a.run"):
        (tmp_path / name).write_text("q1 Q0 d1 1 1 t\n")
    assert irviewer.evaluate(QRELS, str(tmp_path / "*.run"), "AP").runs == ("a", "b")
    with pytest.raises(OptionError, match="No file matches"):
        irviewer.evaluate(QRELS, str(tmp_path / "*.nix"), "AP")


def test_files_with_headers_of_their_own(tmp_path: Any) -> None:
    path = tmp_path / "own.csv"
    frame(("question", "chunk_id", "s")).to_csv(path, index=False)
    columns = {"query": "question", "doc": "chunk_id", "score": "s"}
    assert as_dict(irviewer.read_run(path, columns=columns)) == RUN
    frame(("question", "chunk_id", "s")).to_parquet(tmp_path / "own.parquet")
    assert as_dict(irviewer.read_run(tmp_path / "own.parquet", columns=columns)) == RUN
    frame(("question", "chunk_id", "s")).to_json(tmp_path / "own.jsonl", orient="records", lines=True)
    assert as_dict(irviewer.read_run(tmp_path / "own.jsonl", columns=columns)) == RUN
    with pytest.raises(OptionError, match="No table has a column 'nix'"):
        irviewer.read_run(path, columns={**columns, "rank": "nix"})


def test_a_class_takes_what_its_of_takes() -> None:
    run = Run(frame(), name="mine")
    assert (run.name, as_dict(run)) == ("mine", RUN)
    assert as_dict(Run(frame().rename(columns={"docno": "x"}), columns={"doc": "x"})) == RUN
    qrels = irviewer.Qrels(frame(nested=QRELS, names=("qid", "docno", "label")))
    assert (qrels.name, {query: qrels.judgments(query) for query in QRELS}) == ("qrels", QRELS)
    assert as_dict(irviewer.Run(RUN)) == as_dict(Run(Run(RUN))) == RUN
    assert as_dict(copy.deepcopy(run)) == as_dict(pickle.loads(pickle.dumps(run))) == RUN
    assert repr(replace(run, name="other")) == repr(run).replace("mine", "other")


def test_a_class_refuses_what_is_neither_a_value_nor_its_columns() -> None:
    with pytest.raises(OptionError, match="no column for doc_id"):
        Run(frame().drop(columns="docno"))
    for arguments, options in ((("mine",), {}), ((), {}), ((frame(),), {"nix": 1}), (("q", *["x"] * 20), {})):
        for kind in (Run, Qrels):
            with pytest.raises(TypeError):
                kind(*arguments, **options)  # type: ignore[call-overload]
    given = {"query_ids": ("1",), "offsets": np.array([0, 0]), "doc_ids": pa.array([], pa.string())}
    with pytest.raises(TypeError, match="nix"):
        Qrels("q", **given, grades=np.empty(0), nix=1)  # type: ignore[call-overload]
