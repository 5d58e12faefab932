"""Where parts are parsed: in jemalloc's memory, or malloc's where Arrow was built without or addresses are limited."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest

from irviewer.formats.load import load_opened
from irviewer.formats.reading import parsed_memory as module
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.parsed_memory import parsed_memory
from irviewer.model.run import Run

ROWS = [(f"q{n // 9}", f"d{n}", 9 - n % 9) for n in range(200)]
TEXTS = {
    "a.run": "".join(f"{query} Q0 {document} 1 {score} tag\n" for query, document, score in ROWS),
    "a.csv": "query_id,doc_id,score\n" + "".join(f"{query},{document},{score}\n" for query, document, score in ROWS),
}


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    parsed_memory.cache_clear()
    yield
    parsed_memory.cache_clear()


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("limits", [[], [1 << 46]])
@pytest.mark.parametrize("has_jemalloc", [True, False])
def test_each_reader_parses_there(
    monkeypatch: pytest.MonkeyPatch, name: str, limits: list[int], has_jemalloc: bool
) -> None:
    jemalloc, malloc = (pa.proxy_memory_pool(pa.default_memory_pool()) for _ in range(2))

    def given() -> pa.MemoryPool:
        if has_jemalloc:
            return jemalloc
        raise NotImplementedError("this version of Arrow was not built with jemalloc")

    monkeypatch.setattr(module, "own_limits", lambda: limits)
    monkeypatch.setattr(pa, "jemalloc_memory_pool", given)
    monkeypatch.setattr(pa, "system_memory_pool", lambda: malloc)
    run = load_opened(Opened(name, TEXTS[name].encode(), "", "utf-8"), kind="run").value
    assert isinstance(run, Run)
    assert run.ranking("q2") == [f"d{n}" for n in range(18, 27)]
    in_jemalloc = has_jemalloc and not limits
    assert [bool(pool.max_memory()) for pool in (jemalloc, malloc)] == [in_jemalloc, not in_jemalloc]


def test_where_addresses_are_limited_nothing_is_reserved() -> None:
    resource = pytest.importorskip("resource")
    former = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 46, former[1]))
    try:
        assert parsed_memory().backend_name == "system"
    finally:
        resource.setrlimit(resource.RLIMIT_AS, former)
