"""Tables read in parts give what the careful readers give of the whole, wherever the parts are cut."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from irviewer.formats.load import Loaded, load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.formats.tables import arrow_tables, delimited
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

SIGNS = "abc019-é中 :#"


def table_of(seed: int, odd: str = "") -> dict[str, list[Any]]:
    """Columns of a run, some of its queries there twice, with a rank, a tag and two parts of the score."""
    chance = random.Random(seed)
    columns: dict[str, list[Any]] = {name: [] for name in ("qid", "docno", "rank", "score", "tag", "bm25", "title")}
    for query in chance.choices([f"q{n}{chance.choice(SIGNS)}" for n in range(5)], k=6):
        for rank in range(1, chance.choice([2, 3, 60])):
            document = "".join(chance.choices(SIGNS.strip() + odd, k=9)) + str(len(columns["qid"]))
            row = (
                query,
                document,
                rank,
                chance.uniform(-9, 9),
                "one",
                chance.randrange(9),
                chance.choice(["x", "y z"]),
            )
            for values, value in zip(columns.values(), row, strict=True):
                values.append(value)
    return columns


def as_csv(columns: dict[str, list[Any]], **how: Any) -> str:
    out = io.StringIO()
    writer = csv.writer(out, **{"lineterminator": "\n", **how})
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return out.getvalue()


def opened(data: str | bytes, sizes: Sizes = SIZES) -> Opened:
    binary = isinstance(data, bytes)
    raw = data if isinstance(data, bytes) else data.encode()
    return Opened("x.csv", raw, "", "binary" if binary else "utf-8", sizes=sizes)


def content_of(loaded: Loaded) -> tuple[Any, ...]:
    """All that a person sees of what was read."""
    value = loaded.value
    assert isinstance(value, Run | Qrels)
    numbers = value.scores if isinstance(value, Run) else value.grades
    parts = {name: component.tolist() for name, component in value.components.items()} if isinstance(value, Run) else {}
    facts = (value.query_ids, value.offsets.tolist(), value.doc_ids.to_pylist(), numbers.tolist(), parts)
    return (*facts, loaded.report.lines())


def both(
    data: str | bytes, monkeypatch: pytest.MonkeyPatch, sizes: Sizes = SIZES, **choices: Any
) -> tuple[tuple[Any, ...], bool]:
    """What the careful reader gives, and whether the other could read it, which then gives the same."""
    streamed: list[bool] = []
    for module, name in ((delimited, "stream_table"), (arrow_tables, "stream_columns")):
        real = getattr(module, name)

        def watch(*given: Any, real: Any = real) -> Any:
            stream = real(*given)
            streamed.append(stream is not None)
            return stream

        monkeypatch.setattr(module, name, watch)
    summary = content_of(load_opened(opened(data, sizes), **choices))
    for module, name in ((delimited, "stream_table"), (arrow_tables, "stream_columns")):
        monkeypatch.setattr(module, name, lambda *given: None)
    assert summary == content_of(load_opened(opened(data, sizes), **choices))
    return summary, streamed == [True]


@pytest.mark.parametrize(
    "how",
    [
        {}, {"delimiter": "\t"}, {"delimiter": ";", "lineterminator": "\r\n"}, {"quoting": csv.QUOTE_ALL},
        {"quoting": csv.QUOTE_NONNUMERIC},
    ],
)  # fmt: skip
@pytest.mark.parametrize("part", [300, 2 << 20])
def test_a_regular_table_is_read_in_parts(how: dict[str, Any], part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(12):
        with monkeypatch.context() as patch:
            columns = table_of(seed)
            summary, streamed = both(as_csv(columns, **how), patch, replace(SIZES, part=part))
        assert streamed
        assert sorted(summary[2]) == sorted(columns["docno"])
        assert list(summary[4]) == ["bm25"]


def test_commas_and_quotation_marks_in_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(12):
        with monkeypatch.context() as patch:
            columns = table_of(seed, odd=',"')
            summary, streamed = both(as_csv(columns), patch, replace(SIZES, part=300))
        assert streamed
        assert sorted(summary[2]) == sorted(columns["docno"])


@pytest.mark.parametrize(
    "text",
    [
        'qid,docno,score\n1,"a\nb",1.5\n2,c,2.5\n',
        'qid,docno,score\n1,"a",1.5\n\n2,c,2.5\n',
        "qid,docno,score\n1,a,1.5\n1,b,2.5,\n",
        "qid,docno,rank,score\n1,a,first,1.5\n1,b,second,2.5\n",
        "qid,docno,score,bm25\n1,a,1.5,7\n1,b,2.5,\n",
    ],
)
@pytest.mark.parametrize("part", [12, 4 << 20])
def test_an_irregular_table_is_the_careful_readers(text: str, part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _, streamed = both(text, monkeypatch, replace(SIZES, part=part))
    assert not streamed


def test_one_of_several_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "qid,docno,score,tag\n1,a,1.5,x\n2,b,2.5,y\n3,c,3.5,x\n"
    for part, wanted in (("x", ("1", "3")), ("y", ("2",))):
        with monkeypatch.context() as patch:
            summary, streamed = both(text, patch, part=part)
        assert streamed
        assert summary[0] == wanted


def test_grades_and_subtopics(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "qid,docno,rel,subtopic\n1,a,1,s1\n1,a,0,s2\n2,b,2,s1\n"
    summary, streamed = both(text, monkeypatch)
    assert streamed
    assert summary[3] == [1, 2]


def test_duplicates_are_kept_by_policy_and_have_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "qid,docno,score\n1,a,1.5\n1,b,2.5\n1,a,3.5\n"
    summary, _ = both(text, monkeypatch, duplicates="best")
    assert (summary[2], summary[3]) == (["a", "b"], [3.5, 2.5])
    assert any("(line 4)" in line for line in summary[5])


def arrow_bytes(table: Any, how: str) -> bytes:
    sink = pa.BufferOutputStream()
    if how == "parquet":
        pq.write_table(table, sink, row_group_size=17)
    else:
        with (pa.ipc.new_file if how == "file" else pa.ipc.new_stream)(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=23)
    return bytes(sink.getvalue())


@pytest.mark.parametrize("how", ["parquet", "file", "stream"])
def test_arrow_in_batches(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(6):
        columns = table_of(seed)
        table = pa.table(columns)
        coded = pa.DictionaryArray.from_arrays(  # names that occur nowhere, and one of them twice
            pa.array([2 + ["one"].index(tag) for tag in columns["tag"]]), pa.array(["none", "none", "one"])
        )
        for changed in (
            table,
            table.set_column(0, "qid", table["qid"].combine_chunks().dictionary_encode()),
            table.set_column(4, "tag", coded),
            table.set_column(1, "docno", pa.array(range(len(table)), pa.int32())),
            table.set_column(1, "docno", table["docno"].cast(pa.large_string())),
            table.set_column(3, "score", table["score"].cast(pa.float32())),
        ):
            with monkeypatch.context() as patch:
                _, streamed = both(arrow_bytes(changed, how), patch, replace(SIZES, rows=10))
            assert streamed == (how == "parquet")
        missing = table.set_column(5, "bm25", pa.array([None, *columns["bm25"][1:]], pa.int64()))
        whole = table.set_column(0, "qid", pa.array([float(n // 9) for n in range(len(table))]))
        for changed in (missing, whole):
            with monkeypatch.context() as patch:
                _, streamed = both(arrow_bytes(changed, how), patch, replace(SIZES, rows=10))
            assert not streamed


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_large_table_is_never_read_as_a_whole(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"big.{suffix}"
    delimiter = "," if suffix == "csv" else "\t"
    rows = [delimiter.join((f"q{n % 900}", f"document {n} é", f"{n % 77}.5", "system")) for n in range(50_000)]
    path.write_text(delimiter.join(("qid", "docno", "score", "tag")) + "\n" + "\n".join(rows), "utf-8")
    assert path.stat().st_size > SIZES.large
    monkeypatch.setattr("irviewer.formats.reading.opener._read_whole", None)
    loaded = load(path, cached="no")
    run = loaded.value
    assert isinstance(run, Run)
    assert len(run) == 50_000
    ranked = sorted(range(1, 50_000, 900), key=lambda n: (n % 77, f"document {n} é"), reverse=True)
    assert run.ranking("q1") == [f"document {n} é" for n in ranked]
