"""A run kept beside a project is the same run again: order, ties as they stood, parts of the score, queries of none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import ParseError
from irviewer.formats.reading import derived_run
from irviewer.formats.reading.derived_run import discard_kept, kept_name, read_kept, sweep_kept, write_kept
from irviewer.model.arrays import strings
from irviewer.model.run import Run

ids = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6)
rows = st.lists(
    st.tuples(st.integers(0, 3), ids, st.sampled_from([1.5, 2.5, -0.0, float("inf"), float("nan")])),
    unique_by=lambda row: row[:2], max_size=30,
)  # fmt: skip


def run_of(scored_rows: list[tuple[int, str, float]], name: str = "made") -> Run:
    codes = np.array([row[0] for row in scored_rows], np.int64)
    scores = np.array([row[2] for row in scored_rows], np.float64)
    parts = {"score": np.arange(len(scored_rows), dtype=np.float64), "bm25 é": scores * 2}
    queries = ("q 1", "ü", "2", "none")
    doc_ids = strings([row[1] for row in scored_rows])
    return Run.from_columns(queries, codes, doc_ids, scores, name=name, tag="a tag", components=parts)


@given(rows)
def test_it_is_the_same_run_again(
    tmp_path_factory: pytest.TempPathFactory, scored_rows: list[tuple[int, str, float]]
) -> None:
    run = run_of(scored_rows)
    project = tmp_path_factory.mktemp("kept") / "p.irviewer"
    path = project.with_name(kept_name(project, run))
    write_kept(path, run)
    again = read_kept(path, "another name")
    assert (again.name, again.tag, again.query_ids) == ("another name", "a tag", run.query_ids)
    for first, other in ((run, again), (run.reordered("arrival"), again.reordered("arrival"))):
        assert first.offsets.tolist() == other.offsets.tolist()
        assert first.doc_ids.equals(other.doc_ids)
        np.testing.assert_array_equal(first.scores, other.scores)
        assert list(first.components) == list(other.components)
        for name, values in first.components.items():
            np.testing.assert_array_equal(values, other.components[name])


def test_a_name_is_of_what_is_in_it(tmp_path: Path) -> None:
    project = tmp_path / "p.irviewer"
    rows = [(0, "a", 1.0), (0, "b", 1.0)]
    assert kept_name(project, run_of(rows)) == kept_name(project, run_of(rows, "other"))
    others = ([(0, "a", 1.0), (0, "b", 0.5)], [(0, "ab", 1.0), (0, "", 1.0)], [(0, "b", 1.0), (0, "a", 1.0)],
              [(0, "a", 1.0), (1, "b", 1.0)])  # fmt: skip
    assert len({kept_name(project, run_of(scored)) for scored in (rows, *others)}) == 5


def test_what_is_lost_or_damaged_is_said(tmp_path: Path) -> None:
    run = run_of([(0, "a", 1.0), (0, "b", 2.0)])
    path = tmp_path / kept_name(tmp_path / "p.irviewer", run)
    with pytest.raises(ParseError, match="is missing; put it next to the project"):
        read_kept(path, "x")
    write_kept(path, run)
    whole = path.read_bytes()
    for broken in (whole[: len(whole) // 2], b"", whole[:20] + b"\0" * 50 + whole[70:]):
        path.write_bytes(broken)
        with pytest.raises(ParseError, match=r"damaged|changed"):
            read_kept(path, "x")
    path.write_bytes(whole)
    table = pq.read_table(path)
    pq.write_table(table.slice(0, 1), path)
    with pytest.raises(ParseError, match="changed"):
        read_kept(path, "x")


def test_only_what_no_project_names_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derived_run, "LEFT_OVER", -1)
    project = tmp_path / "p.irviewer"
    runs = [run_of([(0, sign, 1.0)]) for sign in "abc"]
    names = [kept_name(project, run) for run in runs]
    for name, run in zip(names, runs, strict=True):
        write_kept(tmp_path / name, run)
    foreign = tmp_path / "q.irviewer-1234.parquet"
    foreign.write_bytes(b"")
    project.write_text(f'"kept": "{names[0]}"')
    (tmp_path / "a copy.irviewer").write_text(f'"kept": "{names[1]}"')
    sweep_kept(project)
    assert {file.name for file in tmp_path.glob("*.parquet")} == {*names[:2], foreign.name}
    discard_kept(project)
    assert list(tmp_path.glob("*.parquet")) == [foreign]
