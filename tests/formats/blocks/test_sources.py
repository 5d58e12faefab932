"""Tables in blocks, folders of parts, data sets and frames that come one by one."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv, dataset, parquet

from irviewer.errors import IrviewerError, ParseError
from irviewer.evaluation.blocks import RepeatedQueryError, evaluate_blocks
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.formats.blocks.sources import blocks_of
from irviewer.formats.load import load
from irviewer.model.column_names import ColumnChoice
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

QUERIES = [f"q{number}" for number in range(12)]
QRELS = Qrels.from_dict(
    {query: {f"d{n}": n % 3 for n in range(0, 9, 2)} for query in QUERIES[2:]} | {"lacking": {"d": 1}}
)
MEASURES = ["AP", "nDCG@3", "num_ret"]


def table_of(queries: list[str], seed: int = 1, depth: int = 5) -> pa.Table:
    shuffle = random.Random(seed)
    rows = [(query, f"d{n}", round(shuffle.random(), 1)) for query in queries for n in shuffle.sample(range(9), depth)]
    return pa.table({name: [row[place] for row in rows] for place, name in enumerate(("query_id", "doc_id", "score"))})


TABLE = table_of(QUERIES)
WHOLE = evaluate(QRELS, Run.of(TABLE), MEASURES)


def assert_whole(source: Any, rows: int = 7, **options: Any) -> ResultTable:
    ours = evaluate_blocks(QRELS, blocks_of(source, rows=rows, **options), MEASURES)
    assert ours.values.tobytes() == WHOLE.values.tobytes()
    assert ours.means.tobytes() == WHOLE.means.tobytes()
    assert ours.missing == {ours.runs[0]: ("lacking",)}
    return ours


@given(cuts=st.lists(st.integers(0, 60)), rows=st.integers(1, 70))
def test_tables_cut_anywhere(cuts: list[int], rows: int) -> None:
    places = sorted({0, *cuts, 60})
    pieces = [TABLE.slice(start, stop - start) for start, stop in pairwise(places)]
    assert_whole(iter(pieces), rows)


@pytest.mark.parametrize("rows", [1, 4, 1000])
def test_files(tmp_path: Path, rows: int) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(TABLE, path, row_group_size=4)
    assert assert_whole(path, rows).runs == ("a",)
    with pa.OSFile(str(tmp_path / "b.arrow"), "wb") as sink, pa.ipc.new_file(sink, TABLE.schema) as writer:
        writer.write_table(TABLE, 7)
    with pa.OSFile(str(tmp_path / "c.arrows"), "wb") as sink, pa.ipc.new_stream(sink, TABLE.schema) as writer:
        writer.write_table(TABLE, 7)
    assert_whole(tmp_path / "b.arrow", rows)
    assert assert_whole(str(tmp_path / "c.arrows"), rows, name="mine").runs == ("mine",)


@pytest.mark.parametrize("kind", ["dictionary", "large_string", "int64", "double"])
def test_types_of_ids(tmp_path: Path, kind: str) -> None:
    numbers = [3, 3, 1, 1, 1, 20]
    texts = pa.array([str(number) for number in numbers])
    column = {
        "dictionary": texts.dictionary_encode(), "large_string": texts.cast(pa.large_string()),
        "int64": pa.array(numbers), "double": pa.array(numbers, pa.float64()),
    }[kind]  # fmt: skip
    table = pa.table({"q_id": column, "doc_id": list("ababca"), "score": [1.0, 2, 3, 2, 1, 1]})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=2)
    qrels = Qrels.from_dict({"3": {"a": 1}, "1": {"b": 1}, "20": {"a": 1}})
    ours = evaluate_blocks(qrels, blocks_of(tmp_path / "a.parquet", rows=2), ["RR"])
    assert ours.by_query("RR") == {"1": 0.5, "20": 1.0, "3": 0.5}
    assert evaluate_blocks(qrels, blocks_of(iter([table[:2], table[2:5], table[5:]])), ["RR"]).by_query("RR") == (
        ours.by_query("RR")
    )


def test_data_sets_and_frames(tmp_path: Path) -> None:
    parquet.write_table(TABLE, tmp_path / "a.parquet", row_group_size=11)
    assert_whole(dataset.dataset(tmp_path))
    assert_whole(dataset.dataset(tmp_path).scanner(batch_size=9))
    assert_whole(polars.scan_parquet(tmp_path / "a.parquet"))
    assert_whole(polars.read_parquet(tmp_path / "a.parquet"))
    assert_whole(TABLE.to_reader(max_chunksize=8))
    assert_whole(TABLE)
    frame = TABLE.to_pandas()
    assert_whole(frame[start : start + 8] for start in range(0, 60, 8))
    assert_whole(TABLE.rename_columns(["a", "b", "c"]), columns=ColumnChoice({"query": "a", "doc": "b", "score": "c"}))


def test_runs_and_dictionaries_are_whole_queries() -> None:
    nested = {query: dict(zip(run.ranking(query), run.ranking_scores(query).tolist(), strict=True))
              for run in [Run.of(TABLE)] for query in run.query_ids}  # fmt: skip

    def items() -> Iterator[Any]:
        yield {query: nested[query] for query in QUERIES[:3]}
        yield TABLE.slice(15, 7)
        yield TABLE.slice(22, 13)
        yield Run.from_dict({query: nested[query] for query in QUERIES[7:9]})
        yield TABLE.slice(45)

    assert_whole(items())
    assert_whole(nested)


def test_a_folder_of_parts(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for number, (start, stop) in enumerate([(0, 20), (20, 45), (45, 60)]):
        parquet.write_table(TABLE.slice(start, stop - start), folder / f"part-0000{number}.parquet")
    (folder / "_SUCCESS").touch()
    assert assert_whole(folder).runs == ("run",)
    assert_whole(str(folder / "part-*.parquet"))
    shares = [block.share for block in blocks_of(folder, rows=5)]
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_a_query_in_two_parts(tmp_path: Path) -> None:
    parquet.write_table(TABLE.slice(0, 22), tmp_path / "part-0.parquet")
    parquet.write_table(TABLE.slice(22), tmp_path / "part-1.parquet")
    with pytest.raises(
        RepeatedQueryError, match=r"query q4 is in two places: .*part-0.parquet, row 21, and .*part-1.*row 1;"
    ):
        evaluate_blocks(QRELS, blocks_of(tmp_path), MEASURES)


@pytest.mark.parametrize("groups", [500, 10_000])
def test_memory_does_not_grow_with_a_file(tmp_path: Path, groups: int) -> None:
    shuffle = random.Random(7)
    documents = [f"{shuffle.getrandbits(256):064x}" for _ in range(10_000)]
    table = pa.table({"query_id": documents, "doc_id": documents, "score": [1.0] * 10_000})
    table = pa.concat_tables([table] * 40)
    path = tmp_path / "a.parquet"
    parquet.write_table(
        table.set_column(0, "query_id", pa.array(range(400_000)).cast(pa.string())), path,
        row_group_size=groups * 40, use_dictionary=False, data_page_size=1 << 16,
    )  # fmt: skip
    held, finders, before = [], [], pa.total_allocated_bytes()
    for block in blocks_of(path, rows=5000):
        held.append(pa.total_allocated_bytes())
        finders.append((block.finder(), block.read().query_ids[0]))
        assert len(pickle.dumps(finders[-1][0])) < 1000
    assert len(held) > 50
    assert max(held) - before < path.stat().st_size / 3 > 7 << 20
    for find, query in finders[:: len(finders) // 5]:
        assert find(query) == f"{path}, row {int(query) + 1:,}"


def test_where_a_query_of_a_table_is(tmp_path: Path) -> None:
    apart = pa.concat_tables([TABLE.slice(0, 10), TABLE.slice(20, 20), TABLE.slice(5, 3)])
    with pytest.raises(RepeatedQueryError, match="run, rows 6 to 10, and run, rows 31 to 33"):
        evaluate_blocks(QRELS, blocks_of(apart, rows=5), MEASURES)
    parquet.write_table(TABLE, tmp_path / "a.parquet")
    block = next(iter(blocks_of(tmp_path / "a.parquet", rows=9)))
    (tmp_path / "a.parquet").unlink()
    assert block.finder()("q1") == f"{tmp_path / 'a.parquet'}, rows 1 to 5"


def test_a_part_that_is_missing(tmp_path: Path) -> None:
    for number in (0, 2):
        parquet.write_table(table_of([f"q{number}"]), tmp_path / f"part-0000{number}-of-00003.parquet")
    with pytest.raises(ParseError, match="the name says 3 parts, and there are 2"):
        list(blocks_of(tmp_path))


@pytest.mark.parametrize("kept", [0.3, 0.9, 0.99])
def test_a_truncated_file(tmp_path: Path, kept: float) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(TABLE, path)
    path.write_bytes(path.read_bytes()[: int(kept * path.stat().st_size)])
    with pytest.raises(ParseError, match="the table is damaged"):
        list(blocks_of(path))


def test_a_fault_names_its_rows(tmp_path: Path) -> None:
    queries = [*["a"] * 3, *["b"] * 3, *["c"] * 2]
    table = pa.table({"query_id": queries, "doc_id": list("xyzxyxxy"), "score": [1.0] * 8})
    parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(ParseError, match="in the rows from 4 to 6: document x of query b is repeated"):
        evaluate_blocks(QRELS, blocks_of(tmp_path / "a.parquet", rows=4), ["AP"])
    for source in (iter([table]), table.to_reader()):
        with pytest.raises(IrviewerError, match=r"in the rows from 4 to 6: .*x.*b"):
            evaluate_blocks(QRELS, blocks_of(source, rows=4), ["AP"])
    with pytest.raises(ParseError, match="unknown names: a, b, c"):
        parquet.write_table(table.rename_columns(["a", "b", "c"]), tmp_path / "b.parquet")
        list(blocks_of(tmp_path / "b.parquet"))
    with pytest.raises(IrviewerError, match="no column for"):
        list(blocks_of(table.rename_columns(["a", "b", "c"])))
    with pytest.raises(IrviewerError, match="cannot be read as a run"):
        list(blocks_of(7))


def test_several_runs_in_a_table(tmp_path: Path) -> None:
    table = TABLE.append_column("run", pa.array(["a"] * 30 + ["b"] * 30))
    parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(IrviewerError, match="several runs"):
        evaluate_blocks(QRELS, blocks_of(tmp_path / "a.parquet"), ["AP"])


def test_missing_scores(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(
        TABLE.set_column(2, "score", pa.array([float("nan") if n % 7 == 3 else 1.0 for n in range(60)])), path
    )
    run = load(path, kind="run", cached="no").value
    assert isinstance(run, Run)
    whole = evaluate(QRELS, run, ["official"])
    ours = evaluate_blocks(QRELS, blocks_of(path, rows=3), ["official"])
    assert ours.values.tobytes() == whole.values.tobytes()


def test_nothing() -> None:
    assert list(blocks_of(TABLE.slice(0, 0).to_reader())) == []
    assert list(blocks_of(iter([]))) == []


@pytest.mark.parametrize(("columns", "best"), [
    ({"score": "reranker_score"}, "b"),
    ({"score": "reranker_score", "rank": "place"}, "b"),
    ({"rank": "place"}, "a"),
    ({"rank": "reranker_score"}, "a"),
])  # fmt: skip
def test_a_column_is_a_rank_by_its_role_whatever_its_name(tmp_path: Path, columns: dict[str, str], best: str) -> None:
    table = pa.table(
        {"query": ["1", "1"], "doc": ["a", "b"], "place": [1, 2], "reranker_score": [1, 2], "more": [0.5, 0.5]}
    )
    paths = [tmp_path / "a.parquet", tmp_path / "a.csv"]
    parquet.write_table(table, paths[0])
    csv.write_csv(table, paths[1])
    runs = [load(path, kind="run", cached="no", columns=ColumnChoice(columns)).value for path in paths]
    sources = paths[0], polars.from_arrow(table), table, iter([table])
    runs += [next(iter(blocks_of(source, columns=ColumnChoice(columns)))).read() for source in sources]
    assert [run.ranking("1")[0] for run in runs if isinstance(run, Run)] == [best] * 6


def test_ids_that_are_floats_are_the_same_in_every_block(tmp_path: Path) -> None:
    """10000000000 was 1e+10 where another id of the block has decimals."""
    ids = [1.0, 1.0, 2.0, 2.0, 2.5, 2.5, 1e10, 1e10]
    table = pa.table({"query_id": ids, "doc_id": [1.0, 0.5, *ids[:6]], "score": [float(-row) for row in range(8)]})
    path = tmp_path / "a.parquet"
    parquet.write_table(table, path, row_group_size=1)
    expected = {"1": ["1", "0.5"], "2": ["1", "1"], "2.5": ["2", "2"], "10000000000": ["2.5", "2.5"]}
    whole = load(path, kind="run", cached="no", duplicates="first").value
    assert isinstance(whole, Run)
    for rows in (1, 3, 100):
        listed: dict[str, list[str]] = {}
        for block in blocks_of(path, rows=rows, duplicates="first"):
            own = block.listed()  # type: ignore[attr-defined]
            for query, document in zip(own.queries.to_pylist(), own.doc_ids.to_pylist(), strict=True):
                listed.setdefault(query, []).append(document)
        runs = [block.read() for block in blocks_of(path, rows=rows, duplicates="first")]
        read = {query: run.ranking(query) for run in runs for query in run.query_ids}
        assert listed == expected
        assert read == {query: whole.ranking(query) for query in expected}
        assert read == {query: list(dict.fromkeys(documents)) for query, documents in expected.items()}
    assert next(iter(blocks_of(path))).finder()("10000000000").endswith("a.parquet, row 7")
