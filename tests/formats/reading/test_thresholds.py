"""Thresholds of size and time choose a path, never a result: each is a parameter, and both sides are driven here."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irviewer.formats.load import load
from irviewer.formats.reading import cache, file_state
from irviewer.formats.texts.corpus import load_corpus
from irviewer.formats.texts.corpus_index import CorpusIndex
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

IDS = st.text("aäб0", min_size=1, max_size=9)
SCORES = st.sampled_from([-0.0, 0.0, 1.0, 1.5, -2.0, 1e300, float("inf"), float("-inf"), float("nan")])
RUNS = st.dictionaries(IDS, st.dictionaries(IDS, SCORES, min_size=1, max_size=8), min_size=1, max_size=5)
TEXTS = st.dictionaries(IDS, st.text('aé \t\\"', max_size=20), min_size=1, max_size=12)
CHOICES = {"kind": "run"}


def columns_of(run: Run) -> tuple[object, ...]:
    return (
        run.query_ids, run.offsets.tolist(), run.doc_ids.to_pylist(), [repr(score) for score in run.scores.tolist()],
        run.tied.tolist(), run.tag, None if run.arrival is None else run.arrival.tolist(),
    )  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(queries=RUNS)
def test_a_cached_run_of_any_size_is_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, queries: dict[str, dict[str, float]]
) -> None:
    monkeypatch.setenv("IRVIEWER_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "a.run"
    lines = (
        f"{query} Q0 {document} 1 {score!r} t\n"
        for query, inner in queries.items()
        for document, score in inner.items()
    )
    path.write_text("".join(lines), encoding="utf-8")
    loaded = load(path, kind="run", cached="no")
    assert isinstance(loaded.value, Run)
    size = path.stat().st_size
    assert cache.shelf_of(path, CHOICES, large=size + 1) is None
    shelf = cache.shelf_of(path, CHOICES, large=size)
    assert shelf is not None
    assert not cache.keep(shelf, loaded, settled=float("inf"))
    assert cache.recall(shelf) is None
    assert cache.keep(shelf, loaded, settled=0.0)
    cached = cache.recall(shelf)
    assert cached is not None
    assert isinstance(cached.value, Run)
    assert columns_of(cached.value) == columns_of(loaded.value)
    assert cached.report == loaded.report


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=TEXTS)
def test_documents_on_disk_are_those_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts: dict[str, str]
) -> None:
    monkeypatch.setenv("IRVIEWER_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "corpus.jsonl"
    lines = (json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n" for name, text in texts.items())
    path.write_text("".join(lines), encoding="utf-8")

    def corpus(index_from: int) -> TextTable | None:
        loaded = load_corpus(
            path, kind="documents", name=None, format=None, progress=lambda share: None, index_from=index_from
        )
        assert loaded is None or isinstance(loaded.value, CorpusIndex)
        return None if loaded is None else loaded.value  # type: ignore[return-value]

    assert corpus(path.stat().st_size + 1) is None
    on_disk, in_memory = corpus(1), load(path, kind="documents").value
    assert on_disk is not None
    assert isinstance(in_memory, TextTable)
    assert list(on_disk.ids) == list(in_memory.ids) == list(texts)
    assert [on_disk.row(name) for name in texts] == [in_memory.row(name) for name in texts]


def test_a_file_settles_after_the_seconds_given(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x")
    assert file_state.has_settled(path, 0.0)
    assert file_state.has_settled(path, float("inf")) == (os.name != "posix")


def test_seconds_from_which_a_file_is_cached() -> None:
    assert cache.is_worth(0.2, 0.2)
    assert not cache.is_worth(0.19, 0.2)
    assert cache.is_worth(cache.WORTH, cache.WORTH)
