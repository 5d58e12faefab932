"""What is open is walked once by the collector, and all of what is closed is let go."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from irviewer.formats.reading.no_collection import NO_COLLECTION
from irviewer.gui import garbage_collection
from irviewer.gui.garbage_collection import Garbage
from irviewer.session.changes import Change
from irviewer.session.session import Session


@pytest.fixture
def garbage(empty_session: Session, qtbot: QtBot) -> Iterator[Garbage]:
    gc.unfreeze()  # what tests/conftest.py has set apart
    new_garbage = Garbage(empty_session)
    new_garbage._timer.setInterval(0)
    yield new_garbage
    new_garbage.close()
    assert gc.get_freeze_count() == 0
    gc.freeze()


class _Ring:
    """Refers to itself: only the collector can let it go."""

    def __init__(self) -> None:
        self.self = self


def test_what_is_opened_is_set_apart(qtbot: QtBot, garbage: Garbage, empty_session: Session, files: list[str]) -> None:
    assert gc.get_freeze_count() == 0
    empty_session.files.open_files(files)
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 10_000)
    assert empty_session.view.collection is not None
    assert not any(kept is empty_session.view.collection for kept in gc.get_objects())
    gc.unfreeze()
    assert any(kept is empty_session.view.collection for kept in gc.get_objects())


def test_what_is_opened_is_set_apart_before_the_next_tick(
    garbage: Garbage, empty_session: Session, files: list[str]
) -> None:
    collects = gc.isenabled()
    gc.disable()
    garbage._timer.setInterval(100_000)
    try:
        garbage.begin()
        gc.unfreeze()
        empty_session.files.open_files(files)
        assert gc.get_freeze_count() > 10_000
    finally:
        if collects:
            gc.enable()


def test_an_edit_sets_nothing_apart(qtbot: QtBot, garbage: Garbage, empty_session: Session, files: list[str]) -> None:
    empty_session.files.open_files(files)
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0)
    empty_session.navigation.set_query("3")
    assert empty_session.judging.judge("d5", 1.0)
    assert not garbage._timer.isActive()


def test_what_is_closed_is_collected(
    qtbot: QtBot, garbage: Garbage, empty_session: Session, files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[bool] = []
    monkeypatch.setattr("irviewer.gui.garbage_collection.give_back", lambda: given.append(True))
    empty_session.files.open_files(files)
    ring = _Ring()
    seen = weakref.ref(ring)
    garbage.settle()
    del ring
    gc.collect()
    assert seen() is not None  # set apart
    empty_session.files.close_collection()
    qtbot.waitUntil(lambda: seen() is None)
    assert given == [True]  # and the system has it again


def test_what_another_collection_takes_the_place_of_is_collected(
    qtbot: QtBot, garbage: Garbage, empty_session: Session, files: list[str]
) -> None:
    empty_session.files.open_files(files)
    ring = _Ring()
    seen = weakref.ref(ring)
    garbage.settle()
    del ring
    collection = empty_session.view.collection
    assert collection is not None
    other = replace(collection, identity="other", runs=collection.with_runs([collection.runs[0].run]).runs)
    empty_session.files.replace_collection(0, other)
    qtbot.waitUntil(lambda: seen() is None)


def test_later_objects_are_collected_between_events_and_not_while_a_file_is_read(
    qtbot: QtBot, garbage: Garbage
) -> None:
    collects, limits = gc.isenabled(), gc.get_threshold()
    gc.disable()
    gc.set_threshold(1)
    try:
        garbage._ticks.setInterval(0)
        garbage.begin()
        assert not gc.isenabled()  # or Python would collect within Qt
        ring = _Ring()
        seen = weakref.ref(ring)
        del ring
        with NO_COLLECTION:
            qtbot.wait(20)
            assert seen() is not None
        qtbot.waitUntil(lambda: seen() is None)
    finally:
        gc.set_threshold(*limits)
        if collects:
            gc.enable()


def test_what_two_collections_found_in_use_is_visited_again_while_nobody_is_here(
    qtbot: QtBot, garbage: Garbage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 500 runs a full collection took 200 ms, again and again."""
    here = [Qt.ApplicationState.ApplicationActive]
    monkeypatch.setattr(QGuiApplication, "applicationState", lambda: here[0])
    collects, limits = gc.isenabled(), gc.get_threshold()
    gc.disable()
    gc.set_threshold(1, 1)
    try:
        garbage._ticks.setInterval(0)
        garbage.begin()
        ring = _Ring()
        seen, own = weakref.ref(ring), id(ring)
        qtbot.waitUntil(lambda: garbage._pause.isActive() and all(id(kept) != own for kept in gc.get_objects()))
        garbage._ticks.stop()
        del ring
        gc.collect()
        assert seen() is not None
        garbage._pause.timeout.emit()
        assert seen() is not None and garbage._pause.isActive()
        here[0] = Qt.ApplicationState.ApplicationInactive
        garbage._pause.timeout.emit()
        assert seen() is None
        assert not garbage._pause.isActive()
    finally:
        gc.set_threshold(*limits)
        if collects:
            gc.enable()


@pytest.mark.parametrize("alive", [1500, 600])
def test_many_new_objects_are_set_apart_unseen(garbage: Garbage, monkeypatch: pytest.MonkeyPatch, alive: int) -> None:
    """A hundred thousand objects that a worker makes would hold the window when they are collected: those of one tick
    are set apart unseen, those of several once they are too many together."""
    monkeypatch.setattr(garbage_collection, "MOST", 1000)
    monkeypatch.setattr(garbage_collection._Survivors, "number", 0)
    collects, limits = gc.isenabled(), gc.get_threshold()
    gc.disable()
    gc.set_threshold(20, 1000)
    gc.collect()
    gc.freeze()
    visited: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            visited.append(sum(len(gc.get_objects(generation)) for generation in range(info["generation"] + 1)))

    gc.callbacks.append(note)
    try:
        kept, done = [], []
        for _ in range(6):
            kept.append([_Ring() for _ in range(alive)])
            done.append(garbage_collection.collect_due())
        gc.callbacks.remove(note)
        assert done == [alive > 1000 or tick % 2 == 1 for tick in range(6)]
        assert bool(visited) == (alive < 1000)
        assert all(number <= 1000 for number in visited)
    finally:
        gc.callbacks[:] = [callback for callback in gc.callbacks if callback is not note]
        gc.set_threshold(*limits)
        if collects:
            gc.enable()


def test_where_python_collects_it_goes_on(garbage: Garbage) -> None:
    collects = gc.isenabled()
    gc.enable()
    try:
        garbage.begin()
        assert gc.isenabled() and not garbage._ticks.isActive()
    finally:
        if not collects:
            gc.disable()


def test_what_statistics_took_is_given_back_once_when_the_last_arrived(
    qtbot: QtBot, garbage: Garbage, empty_session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each measure of 500 runs left fifty megabytes of freed samples in the process."""
    given: list[bool] = []
    monkeypatch.setattr("irviewer.gui.garbage_collection.give_back", lambda: given.append(True))
    garbage._freed.setInterval(0)
    empty_session.changed.emit(frozenset({Change.QUERY}))
    assert not garbage._freed.isActive()
    for _ in range(3):
        empty_session.changed.emit(frozenset({Change.STATISTICS}))
    qtbot.waitUntil(lambda: bool(given))
    assert given == [True] and not garbage._freed.isActive()
