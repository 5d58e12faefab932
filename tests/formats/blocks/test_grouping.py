"""Runs whose queries are apart, grouped on disk: the values of the run at once, and nothing that stays behind."""

from __future__ import annotations

import gzip
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv, parquet

import irviewer
from irviewer.errors import DuplicateError, IrviewerError, ParseError
from irviewer.evaluation.blocks import RepeatedQueryError, evaluate_blocks
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.blocks import grouping, text_blocks
from irviewer.formats.blocks.grouping import grouped_blocks
from irviewer.formats.blocks.sources import blocks_of
from irviewer.formats.load import load
from irviewer.formats.trec.run import read_run
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

QUERIES = [str(number) for number in range(25)]
QRELS = Qrels.from_dict({query: {f"d{n}": n % 3 for n in range(0, 9, 2)} for query in QUERIES[3:]})
LINES = [f"{query} Q0 d{n} {n} {(n * 3) % 4} t\n" for query in QUERIES for n in range(7)]


def write(path: Path, seed: int, end: str = "") -> Path:
    lines = list(LINES)
    random.Random(seed).shuffle(lines)
    text = ("".join(lines) + end).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def group(path: Path, folder: Path, progress: Callable[[float], None] | None = None) -> None:
    """Group a run, and evaluate it."""
    with grouped_blocks(str(path), folder, progress=progress) as groups:
        evaluate_blocks(QRELS, groups, ["AP"])


@given(
    seed=st.integers(0, 999),
    bucket=st.sampled_from([100, 1000, 1 << 20]),
    dialect=st.sampled_from(["trec_eval", "ranx"]),
    size=st.integers(1, 900),
    workers=st.sampled_from([1, 3]),
)
def test_values_of_the_whole_run(
    seed: int, bucket: int, dialect: str, size: int, workers: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("run")
    path = write(folder / "a.run", seed)
    options = EvaluationOptions(dialect=dialect)  # ranx ranks tied documents in the order of the file
    whole = evaluate(QRELS, read_run(path), ["AP", "nDCG@5", "num_ret"], options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "blocks_of", partial(blocks_of, size=size))
        with grouped_blocks(str(path), folder, bucket=bucket, workers=workers) as groups:
            ours = evaluate_blocks(QRELS, groups, ["AP", "nDCG@5", "num_ret"], options)
    assert ours.values.tobytes() == whole.values.tobytes()
    assert ours.means.tobytes() == whole.means.tobytes()
    assert (ours.runs, ours.missing) == (whole.runs, whole.missing)
    assert [file.name for file in folder.iterdir()] == ["a.run"]


NAMES = st.lists(st.text("abé", max_size=12).map(lambda text: f"q{text}"), min_size=1, max_size=6, unique=True)


@given(
    names=NAMES, seed=st.integers(0, 99), count=st.sampled_from([100, 1 << 20]), rows=st.integers(1, 50),
    short=st.sampled_from([0, 5, 64]), first=st.sampled_from([None, 0, 1]),
)  # fmt: skip
def test_values_of_a_whole_table(
    names: list[str], seed: int, count: int, rows: int, short: int, first: int | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    """Queries hashed row by row, as those of up to ``short`` bytes are, and once for each distinct one; scores, or
    ranks from ``first`` on, which few blocks have."""
    cells = [(query, f"d{n}", (n * 3 % 4 if first is None else n + first)) for query in names for n in range(7)]
    random.Random(seed).shuffle(cells)
    value = "score" if first is None else "rank"
    columns = dict(zip(["query_id", "doc_id", value], map(list, zip(*cells, strict=True)), strict=True))
    folder = tmp_path_factory.mktemp("table")
    parquet.write_table(pa.table(columns), folder / "a.parquet", row_group_size=rows)
    qrels = Qrels.from_dict({query: {f"d{n}": n % 3 for n in range(0, 9, 2)} for query in names})
    nested: dict[str, dict[str, float]] = {}
    for query, document, number in cells:
        nested.setdefault(query, {})[document] = number if first is None else -number
    whole = evaluate(qrels, Run.from_dict(nested), ["AP", "nDCG@5", "num_ret"], EvaluationOptions(dialect="ranx"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "blocks_of", partial(blocks_of, rows=rows))
        patch.setattr(grouping, "_groups", partial(grouping._groups, short=short))
        with grouped_blocks(str(folder / "a.parquet"), folder, bucket=count) as groups:
            ours = evaluate_blocks(qrels, groups, ["AP", "nDCG@5", "num_ret"], EvaluationOptions(dialect="ranx"))
    assert ours.values.tobytes() == whole.values.tobytes()
    assert [file.name for file in folder.iterdir()] == ["a.parquet"]


@given(names=NAMES, count=st.integers(1, 300))
def test_a_query_has_one_group(names: list[str], count: int) -> None:
    """However its column is stored, and whatever other queries a block has."""
    texts = pa.array(names, pa.string())
    numbers = [int(grouping._groups(texts[place : place + 1], count)[0]) for place in range(len(names))]
    assert max(numbers) < count
    for column in (texts, texts.dictionary_encode()):
        for short in (0, 5, 64):
            assert grouping._groups(column, count, short).tolist() == numbers


@pytest.mark.parametrize("kind", ["gz", "parquet", "tsv"])
def test_other_files(tmp_path: Path, kind: str) -> None:
    path = write(tmp_path / "a.run.gz", 3)
    if kind == "parquet":
        table = csv.read_csv(
            write(tmp_path / "a.run", 3), csv.ReadOptions(column_names=["query_id", "q0", "doc_id", "n", "score", "t"]),
            csv.ParseOptions(delimiter=" "),
        )  # fmt: skip
        path = tmp_path / "b.parquet"
        parquet.write_table(table.select(["query_id", "doc_id", "score"]), path, row_group_size=10)
    elif kind == "tsv":
        rows = [(query, n) for query in QUERIES[1:] for n in range(1, 8)]
        random.Random(1).shuffle(rows)
        path = tmp_path / "b.tsv"
        path.write_text("".join(f"{q}\td{n}\t{n}\n" for q, n in [(QUERIES[0], n) for n in range(1, 8)] + rows))
    run = load(path, kind="run", cached="no").value
    assert isinstance(run, Run)
    whole = evaluate(QRELS, run, ["AP", "RR"])
    with grouped_blocks(str(path), tmp_path, bucket=500) as groups:
        ours = evaluate_blocks(QRELS, groups, ["AP", "RR"])
    assert ours.values.tobytes() == whole.values.tobytes()


@pytest.mark.filterwarnings("ignore::irviewer.IrviewerWarning")
def test_python_groups_where_it_must(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "SIZE", 100_000)
    text = LINES * 1
    random.Random(5).shuffle(text)
    path = tmp_path / "a.run"
    path.write_text("".join(text) + "".join(f"x{n} Q0 d 1 1 t\n" for n in range(10_000)) + "1 Q0 last 1 1 t\n")
    qrels = {query: QRELS.judgments(query) for query in QRELS.query_ids}
    with pytest.raises(RepeatedQueryError, match="query 1 is in two places"):
        irviewer.evaluate_blocks(qrels, path, ["AP"])
    shares: list[float] = []
    ours = irviewer.evaluate_blocks(qrels, path, ["AP"], group_in=tmp_path, progress=shares.append)
    assert ours.values.tobytes() == irviewer.evaluate(qrels, path, ["AP"]).values.tobytes()
    assert shares[-1] == 1
    assert [file.name for file in tmp_path.iterdir()] == ["a.run"]


def test_faults(tmp_path: Path) -> None:
    path = write(tmp_path / "a.run", 1, "3 Q0 d4 1 x t\n")
    with pytest.raises(ParseError, match=r"a\.run:176:.*not a number"):
        group(path, tmp_path)
    write(path, 1, "3 Q0 d4 1 9 t\n")
    with pytest.raises(DuplicateError, match="document d4 of query 3 is repeated"):
        group(path, tmp_path)
    with pytest.raises(IrviewerError, match="none: the run cannot be grouped there"):
        group(path, tmp_path / "none")
    assert [file.name for file in tmp_path.iterdir()] == ["a.run"]


def test_a_damaged_table(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    cells = [(str(n % 997), f"d{n}", float(n)) for n in range(20_000)]
    columns = dict(zip(["query_id", "doc_id", "score"], map(list, zip(*cells, strict=True)), strict=True))
    parquet.write_table(pa.table(columns), path, row_group_size=2_000, use_dictionary=False)
    whole = path.read_bytes()
    group(path, tmp_path)
    middle = len(whole) // 2
    for data in (whole[:-20], whole[:middle] + bytes(2_000) + whole[middle + 2_000 :]):
        path.write_bytes(data)
        with pytest.raises(ParseError, match="the table is damaged"):
            group(path, tmp_path)
        assert [file.name for file in tmp_path.iterdir()] == ["a.parquet"]


def test_an_evaluation_that_ends_early_leaves_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "a.run", 1)
    with pytest.raises(KeyboardInterrupt), grouped_blocks(str(path), tmp_path, bucket=100) as groups:
        assert len(groups) > 3
        assert len(list(tmp_path.iterdir())) == 2
        raise KeyboardInterrupt
    assert [file.name for file in tmp_path.iterdir()] == ["a.run"]

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        group(path, tmp_path, stop)
    assert [file.name for file in tmp_path.iterdir()] == ["a.run"]


KILLED = """
import os, signal, sys
from irviewer.formats.blocks.grouping import grouped_blocks
with grouped_blocks(sys.argv[1], sys.argv[2]):
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed by its end of Unix")
def test_what_a_killed_program_leaves_is_removed_by_the_next(tmp_path: Path) -> None:
    path = write(tmp_path / "a.run", 1)
    done = subprocess.run([sys.executable, "-c", KILLED, path, tmp_path], check=False)
    assert done.returncode == -9
    assert len(list(tmp_path.iterdir())) == 2
    other = tmp_path / ".irviewer.of-a-user.part"
    other.mkdir()
    with grouped_blocks(str(path), tmp_path):
        assert len(list(tmp_path.iterdir())) == 3
        group(path, tmp_path)  # does not remove that of this process
        assert len(list(tmp_path.iterdir())) == 3
    assert {file.name for file in tmp_path.iterdir()} == {"a.run", other.name}


ENDED = """
import os, signal, sys
signal.signal(getattr(signal, sys.argv[1]), signal.SIG_DFL)  # nohup, which may run the tests, has it ignored
if sys.argv[1] == "SIGINT":
    signal.signal(signal.SIGINT, signal.default_int_handler)
from irviewer.cli.main import main
from irviewer.formats.blocks import grouping, text_blocks
text_blocks.SIZE = 1000
write = grouping._write
def ended(*given):
    write(*given)
    assert len(os.listdir(sys.argv[4])) == 1
    os.kill(os.getpid(), getattr(signal, sys.argv[1]))
    return write(*given)
grouping._write = ended
qrels, run, room, values = sys.argv[2:]
options = ["--in-blocks", "--group-in", room, "--save-values", values, "-m", "AP"]
sys.exit(main(["evaluate", qrels, run, *options]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize(("how", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_command_that_is_ended_leaves_nothing(tmp_path: Path, how: str, status: int) -> None:
    path, room, values = tmp_path / "a.run", tmp_path / "room", tmp_path / "values.parquet"
    room.mkdir()
    path.write_text("".join(f"{n % 50} Q0 d{n} 1 1 t\n" for n in range(1000)))
    qrels = tmp_path / "a.qrels"
    qrels.write_text("1 0 d1 1\n")
    command = [sys.executable, "-c", ENDED, how, qrels, path, room, values]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", "")
    assert list(room.iterdir()) == []
    assert {file.name for file in tmp_path.iterdir()} == {"a.run", "a.qrels", "room"}


def test_too_little_room_is_said_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.run", 1)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage._replace(free=10))
    with pytest.raises(IrviewerError, match="not enough room to group the run, which takes about 1 MB"):
        group(path, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["a.run"]


FILLING = """
import resource, signal, sys
from irviewer.errors import IrviewerError
from irviewer.formats.blocks.grouping import grouped_blocks
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    with grouped_blocks(sys.argv[1], sys.argv[2]):
        pass
except IrviewerError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
def test_a_disk_that_fills(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("".join(f"{n % 50} Q0 d{n} 1 1 t\n" for n in range(100_000)))
    done = subprocess.run([sys.executable, "-c", FILLING, path, tmp_path], capture_output=True, text=True, check=True)
    assert "there is not enough room to group the run" in done.stdout
    assert [file.name for file in tmp_path.iterdir()] == ["a.run"]
