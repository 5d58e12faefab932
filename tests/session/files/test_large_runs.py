"""Runs that are too large to be open: values at once the second time, and the list of a query from its file."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from irviewer.formats.blocks import sources, table_blocks, text_blocks
from irviewer.formats.blocks.kept_values import kept
from irviewer.formats.reading import program
from irviewer.session.session import Session

QUERIES = [str(number) for number in range(1, 41)]
QRELS = {query: {f"d{n}": (n * int(query)) % 4 - 1 for n in range(6)} for query in QUERIES}
RUNS = {
    name: {query: {f"d{n}": float((n * int(query) * (number + 3)) % 7) for n in range(9)} for query in QUERIES[2:]}
    for number, name in enumerate(("alpha", "beta"))
}

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.IrviewerWarning")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Some lines are many, a cache of its own."""
    monkeypatch.setattr(sources, "LARGE", 1000)
    monkeypatch.setattr(text_blocks, "SIZE", 400)
    monkeypatch.setattr(table_blocks, "ROWS", 50)
    monkeypatch.setenv("IRVIEWER_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


def write_qrels(folder: Path) -> str:
    path = folder / "qrels.txt"
    path.write_text("".join(f"{q} 0 {d} {grade}\n" for q, judged in QRELS.items() for d, grade in judged.items()))
    return str(path)


def rows_of(name: str) -> list[tuple[str, str, float]]:
    return [(query, document, score) for query, own in RUNS[name].items() for document, score in own.items()]


def write_run(folder: Path, name: str, kind: str = "run") -> str:
    path = folder / f"{name}.{kind}"
    rows = rows_of(name)
    if kind == "parquet":
        queries, documents, scores = zip(*rows, strict=True)
        table = pa.table({"query_id": queries, "doc_id": documents, "score": scores})
        parquet.write_table(table, path, row_group_size=70)
    elif kind == "parts":
        path = folder / name
        path.mkdir()
        for part in range(3):
            own = RUNS[name].items()
            lines = [
                f"{q} Q0 {d} 1 {s} t\n" for n, (q, list_) in enumerate(own) if n % 3 == part for d, s in list_.items()
            ]
            (path / f"part-{part:05d}").write_text("".join(lines))
    else:
        text = "".join(f"{query} Q0 {document} 1 {score} t\n" for query, document, score in rows).encode()
        path.write_bytes(gzip.compress(text) if kind == "gz" else text)
    return str(path)


def opened(*paths: str) -> Session:
    session = Session()
    session.files.open_files(list(paths))
    return session


def texts(session: Session) -> list[str]:
    return [message.text for message in session.view.messages]


def whole(monkeypatch: pytest.MonkeyPatch, *paths: str) -> Session:
    """The same files, read as a whole."""
    with monkeypatch.context() as patch:
        patch.setattr(sources, "LARGE", 1 << 40)
        return opened(*paths)


def show(session: Session, query: str) -> Any:
    session.navigation.set_place("query")
    session.navigation.set_query(query)
    session.compute_now()
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    return view_model


def assert_same(session: Session, other: Session, query: str) -> None:
    """What the screen of a query shows of lists, values and what is missed."""
    mine, theirs = show(session, query), show(other, query)
    assert [column.run.name for column in mine.columns] == [column.run.name for column in theirs.columns]
    for column, expected in zip(mine.columns, theirs.columns, strict=True):
        assert list(column.doc_ids) == list(expected.doc_ids)
        np.testing.assert_array_equal(column.grades, expected.grades)
        np.testing.assert_array_equal(column.tied, expected.tied)
        np.testing.assert_equal(column.value, expected.value)
        np.testing.assert_equal(column.change, expected.change)
        assert not column.stored
    assert mine.missed == theirs.missed
    for strip, expected_strip in zip(mine.strips, theirs.strips, strict=True):
        assert (strip.doc_ids, strip.returned) == (expected_strip.doc_ids, expected_strip.returned)
        np.testing.assert_array_equal(strip.ranks, expected_strip.ranks)
    assert mine.depth == theirs.depth
    assert mine.explanation == theirs.explanation


@pytest.mark.parametrize("kind", ["run", "parquet", "parts"])
@pytest.mark.parametrize("again", [False, True])
def test_values_and_lists_are_those_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, again: bool
) -> None:
    paths = [write_qrels(tmp_path), write_run(tmp_path, "alpha", kind), write_run(tmp_path, "beta")]
    session, other = opened(*paths), whole(monkeypatch, *paths)
    if again:  # from what was kept, without the run's lines
        monkeypatch.setattr("irviewer.session.files.large_runs.evaluate_blocks", None)
        session = opened(*paths)
    assert session.view.collection is not None
    entries = session.view.collection.runs
    assert [entry.name for entry in entries] == ["alpha", "beta"]
    assert all(entry.run.stored is not None and entry.run.stored.lists is not None for entry in entries)
    context, expected = session.view.context, other.view.context
    assert context is not None
    assert expected is not None
    for entry, theirs in zip(context.collection.runs, expected.collection.runs, strict=True):
        np.testing.assert_array_equal(context.values(entry, context.measure), expected.values(theirs, expected.measure))
    for query in ("1", "2", "3", "17", "40"):
        assert_same(session, other, query)


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_the_files(tmp_path: Path, order: int) -> None:
    session = opened(*[write_qrels(tmp_path), write_run(tmp_path, "alpha")][::order])
    assert session.view.collection is not None
    assert [entry.name for entry in session.view.collection.runs] == ["alpha"]
    assert len(session.view.workspace.collections) == 1


def test_without_judgments(tmp_path: Path) -> None:
    session = opened(write_run(tmp_path, "alpha"))
    assert "alpha.run is so large that it is evaluated in blocks, which needs its judgments" in texts(session)[-1]
    assert not session.view.workspace.collections


def test_other_rules_are_evaluated_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [write_qrels(tmp_path), write_run(tmp_path, "alpha"), write_run(tmp_path, "beta")]
    session, other = opened(*paths), whole(monkeypatch, *paths)
    for each in (session, other):
        each.protocol.set(level=2, judged_only=True)
    assert [entry.name for entry in session.large_runs.others] == ["alpha", "beta"]
    assert session.view.messages[-1].action == "evaluate_in_blocks"
    session.large_runs.evaluate_again()
    assert session.large_runs.others == ()
    context, expected = session.view.context, other.view.context
    assert context is not None
    assert expected is not None
    for entry, theirs in zip(context.collection.runs, expected.collection.runs, strict=True):
        np.testing.assert_array_equal(context.values(entry, context.measure), expected.values(theirs, expected.measure))
    assert_same(session, other, "9")


def test_lists_under_another_dialect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [write_qrels(tmp_path), write_run(tmp_path, "alpha")]
    session, other = opened(*paths), whole(monkeypatch, *paths)
    for each in (session, other):
        each.protocol.set(dialect="ranx")  # ties in the order of the file
    session.large_runs.evaluate_again()
    assert_same(session, other, "9")


def test_a_file_that_changes_or_goes(tmp_path: Path) -> None:
    path = write_run(tmp_path, "alpha")
    session = opened(write_qrels(tmp_path), path)
    assert not show(session, "5").explanation
    with Path(path).open("a") as file:
        file.write("77 Q0 d1 1 1 t\n")
    changed = show(session, "6")
    assert "alpha.run: the file changed since the run was evaluated; open it again" in changed.explanation
    assert np.isfinite(changed.columns[0].value)
    assert list(show(session, "5").columns[0].doc_ids), "what was read before is still known"
    Path(path).unlink()
    assert "alpha.run: the file is gone" in show(session, "7").explanation


def test_a_file_that_changed_is_evaluated_again(tmp_path: Path) -> None:
    path, qrels = write_run(tmp_path, "alpha"), write_qrels(tmp_path)
    opened(qrels, path)
    write_run(tmp_path, "beta")
    Path(path).write_bytes((tmp_path / "beta.run").read_bytes() + b"77 Q0 d1 1 1 t\n")
    session = opened(qrels, path)
    assert list(show(session, "9").columns[0].doc_ids) == sorted(
        RUNS["beta"]["9"], key=lambda document: (RUNS["beta"]["9"][document], document), reverse=True
    )


def test_a_compressed_file_has_values_and_no_lists(tmp_path: Path) -> None:
    session = opened(write_qrels(tmp_path), write_run(tmp_path, "alpha", "gz"))
    shown = show(session, "5")
    assert np.isfinite(shown.columns[0].value)
    assert "cannot be read from a compressed file; unpack it" in shown.explanation


def test_queries_that_are_apart_say_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "alpha.run"
    path.write_text(
        "".join(f"{query} Q0 {d} 1 {s} t\n" for query, d, s in sorted(rows_of("alpha"), key=lambda r: r[1]))
    )
    session = opened(write_qrels(tmp_path), str(path))
    assert "is in two places" in texts(session)[-1]
    assert "group it first" in texts(session)[-1]
    assert session.view.collection is not None
    assert session.view.collection.runs == ()


def test_values_in_the_cache_are_those_of_this_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of other sources or libraries may be wrong, though its version is the same."""
    run = write_run(tmp_path, "alpha")
    opened(write_qrels(tmp_path), run)
    assert kept(run) is not None
    with monkeypatch.context() as patched:
        patched.setattr(program.np, "__version__", "99.1")
        program.program.cache_clear()
        assert kept(run) is None
    program.program.cache_clear()
    assert kept(run) is not None


def test_damaged_values_in_the_cache_are_not_used(tmp_path: Path) -> None:
    import os

    paths = [write_qrels(tmp_path), write_run(tmp_path, "alpha")]
    opened(*paths)
    (place,) = (Path(os.environ["IRVIEWER_CACHE_DIR"]) / "values").iterdir()
    whole_file = place.read_bytes()
    for data in (whole_file[: len(whole_file) // 2], b"", whole_file[:-40] + bytes(40)):
        place.write_bytes(data)
        assert not show(opened(*paths), "9").explanation
