"""Where parts are parsed: in jemalloc's memory, or malloc's where Arrow was built without."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest

from irviewer.formats.load import load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.parsed_memory import parsed_memory
from irviewer.model.run import Run

TEXT = b"".join(b"q%d Q0 d%d 1 %d tag\n" % (n // 9, n, 9 - n % 9) for n in range(200))


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    parsed_memory.cache_clear()
    yield
    parsed_memory.cache_clear()


@pytest.mark.parametrize("has_jemalloc", [True, False])
def test_a_file_is_read_in_either(monkeypatch: pytest.MonkeyPatch, has_jemalloc: bool) -> None:
    def refuse() -> None:
        raise NotImplementedError("this version of Arrow was not built with jemalloc")

    if not has_jemalloc:
        monkeypatch.setattr(pa, "jemalloc_memory_pool", refuse)
        assert parsed_memory().backend_name == "system"
    run = load_opened(Opened("a.run", TEXT, "", "utf-8"), kind="run").value
    assert isinstance(run, Run)
    assert run.ranking("q2") == [f"d{n}" for n in range(18, 27)]


def test_where_addresses_are_limited_nothing_is_reserved() -> None:
    resource = pytest.importorskip("resource")
    former = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 46, former[1]))
    try:
        assert parsed_memory().backend_name == "system"
    finally:
        resource.setrlimit(resource.RLIMIT_AS, former)
