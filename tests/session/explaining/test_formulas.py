"""Formulas are drawn by a worker, once for each way to draw them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

import pytest
from patience import LONG

from irviewer.rendering.formula import FormulaPicture
from irviewer.session.explaining import formulas
from irviewer.session.explaining.formulas import FormulaDrawings, FormulaRequest, drawn
from irviewer.session.store import Store

SUM = FormulaRequest("a + b", "#000000", 12.0, 9.0, 2.0, 400.0)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The threads that drew."""
    seen: list[threading.Thread] = []

    def noted(request: FormulaRequest) -> FormulaPicture:
        seen.append(threading.current_thread())
        return drawn(request)

    monkeypatch.setattr(formulas, "drawn", noted)
    return seen


def test_a_worker_draws_and_the_picture_is_kept(threads: list[threading.Thread]) -> None:
    posted: queue.Queue[Callable[[], None]] = queue.Queue()
    store = Store(None, post=posted.put)
    try:
        service = FormulaDrawings(store)
        pictures: list[FormulaPicture] = []
        service.draw("ledger", SUM, pictures.append)
        assert store.busy is None, "it is not work to be told of"
        posted.get(timeout=LONG)()
        assert pictures == [drawn(SUM)]
        assert threads[0] is not threading.current_thread()
        service.draw("card", SUM, pictures.append)
        assert len(pictures) == 2
        assert pictures[0] is pictures[1]
        assert len(threads) == 1
    finally:
        store.tasks.close()


def test_only_the_newest_request_of_a_place_is_delivered() -> None:
    posted: queue.Queue[Callable[[], None]] = queue.Queue()
    store = Store(None, post=posted.put)
    try:
        service = FormulaDrawings(store)
        pictures: list[str] = []
        for name in "abc":
            request = FormulaRequest(name, "#000000", 12.0, 9.0, 2.0, 400.0)
            service.draw("ledger", request, lambda _, name=name: pictures.append(name))  # type: ignore[misc]
        while not pictures:
            posted.get(timeout=LONG)()
        assert pictures == ["c"]
    finally:
        store.tasks.close()


def test_without_threads_formulas_are_drawn_synchronously(threads: list[threading.Thread]) -> None:
    pictures: list[FormulaPicture] = []
    FormulaDrawings(Store(None)).draw("ledger", SUM, pictures.append)
    assert pictures == [drawn(SUM)]
    assert threads == [threading.current_thread()]


def test_few_pictures_are_kept(monkeypatch: pytest.MonkeyPatch, threads: list[threading.Thread]) -> None:
    monkeypatch.setattr(formulas, "MOST", 2)
    service = FormulaDrawings(Store(None))
    for size in (10.0, 11.0, 12.0, 10.0):
        service.draw("ledger", FormulaRequest("a", "#000000", size, 9.0, 2.0, 400.0), lambda _: None)
    assert len(threads) == 4
    assert len(service._kept) == 2
