"""Partitions of a run: whole queries, each in one of them, wherever the file is divided."""

from __future__ import annotations

import gzip
import pickle
import random
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from irviewer.errors import OptionError, ParseError
from irviewer.evaluation.blocks import JoinedParts, RepeatedQueryError, values_of_blocks
from irviewer.evaluation.evaluate import bound_measures, evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.formats.blocks.partitions import Partition, partitions_of
from irviewer.formats.reading.sizes import SIZES
from irviewer.formats.trec.run import read_run
from irviewer.model.column_names import ColumnChoice
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels

QRELS = Qrels.from_dict({str(query): {f"d{n}": n % 3 for n in range(5)} for query in range(40)})
MEASURES = ["AP", "nDCG@5"]
TINY = replace(SIZES, head=32, large=1)
"""As if every file were large."""

Row = tuple[str, str, float]


def rows_of(seed: int) -> list[Row]:
    """Rows of queries of different lengths, from one document to more than a row group has."""
    drawn = random.Random(seed)
    lengths = [(str(query), drawn.choice([1, 2, 5, 30])) for query in drawn.sample(range(60), drawn.randint(1, 20))]
    return [(query, f"d{n}", float(drawn.randint(0, 5))) for query, length in lengths for n in range(length)]


def lines(rows: list[Row]) -> str:
    return "".join(f"{query} Q0 {document} 1 {score} t\n" for query, document, score in rows)


def table(rows: list[Row]) -> pa.Table:
    return pa.table({name: [row[n] for row in rows] for n, name in enumerate(("query_id", "doc_id", "score"))})


def write(path: Path, rows: list[Row], rows_of_group: int) -> None:
    """A run as its ending says."""
    if path.suffix == ".parquet":
        parquet.write_table(table(rows), path, row_group_size=rows_of_group)
    elif path.suffix == ".arrow":
        with pa.ipc.new_file(str(path), table(rows).schema) as writer:
            writer.write_table(table(rows), max_chunksize=rows_of_group)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(lines(rows).encode()))
    else:
        path.write_text(("\ufeff" if rows_of_group % 2 else "") + lines(rows))


def joined(partitions: list[Partition]) -> ResultTable:
    options = EvaluationOptions()
    wanted = bound_measures(MEASURES, QRELS, options)
    parts = JoinedParts(QRELS, wanted, options)
    for partition in partitions:
        parts.add(values_of_blocks(partition.blocks(), QRELS, wanted, options), partition.finder())
    return parts.result()


@pytest.mark.parametrize("ending", ["run", "parquet", "arrow", "run.gz"])
@given(seed=st.integers(0, 9999), size=st.sampled_from([40, 200, 1000]), rows_of_group=st.integers(3, 30))
def test_they_have_the_values_of_the_whole_run(
    ending: str, seed: int, size: int, rows_of_group: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, rows = tmp_path_factory.mktemp("run"), rows_of(seed)
    (folder / "plain.run").write_text(lines(rows))
    whole = evaluate(QRELS, read_run(folder / "plain.run", name="a"), MEASURES)
    write(folder / f"a.{ending}", rows, rows_of_group)
    partitions = pickle.loads(pickle.dumps(partitions_of(folder / f"a.{ending}", size=size, sizes=TINY)))
    assert [partition.number for partition in partitions] == list(range(len(partitions)))
    ours = joined(partitions)
    assert ours.values.tobytes() == whole.values.tobytes()
    assert (ours.runs, ours.missing, ours.warnings) == (whole.runs, whole.missing, whole.warnings)


def test_a_file_is_divided(tmp_path: Path) -> None:
    rows = [(str(query), f"d{n}", 1.0) for query in range(100) for n in range(10)]
    for ending, most in (("run", 20), ("parquet", 20), ("arrow", 20), ("run.gz", 1)):
        write(tmp_path / f"a.{ending}", rows, 10)
        size = max(1, (tmp_path / f"a.{ending}").stat().st_size // 20)
        size *= 3 if ending == "parquet" else 1
        partitions = partitions_of(tmp_path / f"a.{ending}", size=size, sizes=TINY)
        assert most <= len(partitions) <= most + 1
        own = [[query for block in each.blocks() for query in block.read().query_ids] for each in partitions]
        assert [query for queries in own for query in queries] == [str(query) for query in range(100)]
        assert max(map(len, own)) <= 2 * 100 // most


def test_parts_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    write(folder / "part-0.run", rows_of(1), 2)
    write(folder / "part-1.parquet", [(f"x{query}", document, score) for query, document, score in rows_of(2)], 2)
    partitions = partitions_of(folder, size=100, sizes=TINY)
    assert len(partitions) > 4
    assert {partition.name for partition in partitions} == {"mine"}
    assert joined(partitions).runs == ("mine",)


def test_a_query_in_two_partitions(tmp_path: Path) -> None:
    rows = [("1", "a", 1.0), ("2", "a", 1.0), ("3", "a", 1.0), ("1", "b", 2.0)]
    write(tmp_path / "a.run", rows, 2)
    with pytest.raises(RepeatedQueryError, match=r"query 1 is in two places: .*a\.run, line 1, and .*a\.run, line 4;"):
        joined(partitions_of(tmp_path / "a.run", size=20, sizes=TINY))
    write(tmp_path / "a.parquet", rows, 1)
    with pytest.raises(RepeatedQueryError, match=r"query 1 .*a\.parquet, row 1, and .*a\.parquet, row 4;"):
        joined(partitions_of(tmp_path / "a.parquet", size=1000, sizes=TINY))


def test_faults(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text(lines(rows_of(3)) + "x Q0 a 1 high t\n")
    with pytest.raises(ParseError, match=rf"a\.run:{len(rows_of(3)) + 1}:10: "):
        joined(partitions_of(tmp_path / "a.run", size=100, sizes=TINY))
    write(tmp_path / "b.run", rows_of(3), 2)
    partitions = partitions_of(tmp_path / "b.run", size=100, sizes=TINY)
    (tmp_path / "b.run").write_text(lines(rows_of(3)[:40]))
    with pytest.raises(ParseError, match=r"b\.run: the file changed while it was read"):
        joined(partitions)
    (tmp_path / "b.run").unlink()
    with pytest.raises(ParseError, match=r"b\.run: the file cannot be read"):
        joined(partitions)
    write(tmp_path / "a.parquet", rows_of(3), 5)
    whole = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ParseError, match=r"a\.parquet: the table is damaged"):
        partitions_of(tmp_path / "a.parquet")
    columns = ColumnChoice({"query": "topic"})
    write(tmp_path / "a.parquet", rows_of(3), 5)
    partitions_of(tmp_path / "a.parquet", columns=columns)
    with pytest.raises(OptionError, match="No table has a column 'topic'"):
        columns.check()


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_table_that_is_replaced_meanwhile(tmp_path: Path, ending: str) -> None:
    """Its row groups were read without looking, so that the values were of two runs."""
    rows = [(str(query), f"d{n}", 1.0) for query in range(12) for n in range(3)]
    path, other = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    write(path, rows, 3)
    write(other, [(query, f"other {document}", score) for query, document, score in rows], 3)
    first, *_, last = partitions_of(path, size=100, sizes=TINY)
    blocks = first.blocks()
    assert next(blocks).read().ranking("0") == ["d2", "d1", "d0"]
    other.replace(path)
    for partition in (first, last):
        with pytest.raises(ParseError, match=rf"a\.{ending}: the file changed while it was read"):
            joined([partition])
    path.unlink()
    with pytest.raises(ParseError, match="changed while it was read"):
        joined([last])
