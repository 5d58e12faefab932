"""Results come to the main thread, in order, and not after the end."""

from __future__ import annotations

import threading
from functools import partial

from pytestqt.qtbot import QtBot

from irviewer.gui.bridge import Bridge


def test_calls_run_on_the_main_thread_in_order(qtbot: QtBot) -> None:
    bridge = Bridge()
    seen: list[tuple[int, bool]] = []

    def note(number: int) -> None:
        seen.append((number, threading.current_thread() is threading.main_thread()))

    def post_all() -> None:
        for number in range(50):
            bridge.post(partial(note, number))

    worker = threading.Thread(target=post_all)
    worker.start()
    worker.join()
    assert seen == []
    qtbot.waitUntil(lambda: len(seen) == 50)
    assert seen == [(number, True) for number in range(50)]


def test_nothing_is_delivered_after_close(qtbot: QtBot) -> None:
    bridge = Bridge()
    seen: list[int] = []
    bridge.post(partial(seen.append, 1))
    bridge.close()
    bridge.post(partial(seen.append, 2))
    qtbot.wait(20)
    assert seen == []
