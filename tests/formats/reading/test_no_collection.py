"""The garbage collector while files are read: off, and back as it was, whatever happens."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from threading import Thread

import pytest

from irviewer.formats.load import load
from irviewer.formats.reading.no_collection import NO_COLLECTION


@pytest.fixture(autouse=True)
def _enabled() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_off_until_the_last_reader_has_ended() -> None:
    with NO_COLLECTION:
        with NO_COLLECTION:
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_stays_off_where_it_was_off() -> None:
    gc.disable()
    with NO_COLLECTION:
        pass
    assert not gc.isenabled()


def test_a_fault_switches_it_on_again() -> None:
    with pytest.raises(KeyError), NO_COLLECTION:
        raise KeyError
    assert gc.isenabled()


def test_readers_in_threads() -> None:
    def read() -> None:
        for _ in range(300):
            with NO_COLLECTION:
                states.append(gc.isenabled())

    states: list[bool] = []
    threads = [Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert states == [False] * 1200
    assert gc.isenabled()


def test_a_file_is_read_without_it(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    seen = []
    monkeypatch.setattr("irviewer.formats.load.choose", _choosing(seen))
    file = tmp_path / "a.qrels"
    file.write_text("1 0 d 1\n")
    load(file)
    assert seen == [False]
    assert gc.isenabled()


def _choosing(seen: list[bool]):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    from irviewer.formats import load as module

    choose = module.choose

    def chosen(*arguments):  # type: ignore[no-untyped-def]
        format_, sniffed = choose(*arguments)

        def read(opened, wanted):  # type: ignore[no-untyped-def]
            seen.append(gc.isenabled())
            return format_.read(opened, wanted)

        return replace(format_, read=read), sniffed

    return chosen
