"""A threshold dragged while the window lives: from each place that the hand comes to until tables and curves of that
place, or of a later one, are painted; and how long the window answers nothing meanwhile."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.case import SPENT, Side
from tests.benchmarks.editing import VIEWS, go, shown
from tests.benchmarks.making import GeneratedFiles, Shape, make

if TYPE_CHECKING:
    from irviewer.gui.window import MainWindow

HANDS = (("AP", "level"), ("nDCG@10", "cutoff"), ("RBP(p=0.8)", "p"), ("nDCG@10", "dcg"))
"""What is dragged of which measure."""

EVERY = 0.03
"""Seconds from one place of the hand to the next: faster than 20 runs of 6,980 queries can be painted."""

STEPS = 8
"""Moves of the hand; one fewer where the last would be back at the first stop, and nothing need be painted."""

MOST_SECONDS = 120


@contextmanager
def cranfield(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Cranfield's 15 runs of 225 queries, where the collections lie beside the checkout."""
    data = Path(os.environ.get("IRVIEWER_DATA", Path(__file__).parents[3] / "shared" / "data")) / "cranfield"
    if small:
        generated = make(folder / "few", Shape(6, 12, 3, 8, texts=60))
    elif not data.is_dir():
        raise FileNotFoundError(f"Cranfield's runs are not here: {data}")
    else:
        runs = tuple(sorted((data / "runs").iterdir()))
        generated = GeneratedFiles(data / "qrel.trec", runs, data / "cran.all.1400", data / "cran.qry")
    with _sides(generated) as sides:
        yield sides


@contextmanager
def large(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Twenty runs of 6,980 queries, a hundred documents each."""
    with _sides(make(folder / "many", Shape(6, 12, 3, 8) if small else Shape(6980, 100, 20, 10))) as sides:
        yield sides


def names() -> list[str]:
    """The sides, each with its "…, stalled"."""
    return [f"{axis}: {' '.join(filter(None, view))}" for view in VIEWS for _, axis in HANDS]


@contextmanager
def _sides(generated: GeneratedFiles) -> Iterator[dict[str, Side]]:
    from irviewer.gui.garbage_collection import Garbage

    with shown(generated) as window:
        garbage = Garbage(window.session)
        garbage.settle()
        stalled: dict[str, float] = {}

        def side(name: str, view: tuple[str, str, str], measure: str, axis: str) -> Side:
            def once() -> float:
                window.session.evaluation.set_measure(measure)
                window.session.sliders.set_thresholds(True)
                go(window, *view)
                spent = time.thread_time()
                late, stalled[name] = _drag(window, axis)
                SPENT.setdefault(name, []).append((time.thread_time() - spent) / STEPS)
                return late

            return once

        def stall(name: str) -> Side:
            return lambda: stalled.get(name, 0.0)

        sides: dict[str, Side] = {}
        hands = ((view, *hand) for view in VIEWS for hand in HANDS)
        for name, (view, measure, axis) in zip(names(), hands, strict=True):
            sides[name] = side(name, view, measure, axis)
            sides[f"{name}, stalled"] = stall(name)
        yield sides
        garbage.close()


def _drag(window: MainWindow, axis: str) -> tuple[float, float]:
    """Move the slider from stop to stop: the median seconds until something was painted that is no older, and the
    longest turn of the loop."""
    import statistics

    session, strip = window.session, window.thresholds
    late: list[float] = []
    longest, moved = 0.0, 0
    asked: float | None = None
    begun = following = time.perf_counter()
    start = strip.sliders[axis].slider.value()
    steps = moves(strip.sliders[axis].slider.maximum() + 1)
    shown_at: Any = session.sliders.threshold_at(axis)

    def at_work() -> bool:
        return strip.waits or session.store.tasks.under_way("evaluate") or not window.is_complete()

    while moved < steps or asked is not None or at_work():
        now = time.perf_counter()
        if moved < steps and now >= following:
            moved += 1
            slider = strip.sliders[axis].slider
            slider.setValue((start + moved) % (slider.maximum() + 1))
            following, asked = now + EVERY, now if asked is None else asked
        longest = max(longest, _turn())
        if session.sliders.threshold_at(axis) != shown_at and window.is_complete():
            longest = max(longest, _turn(), _turn())  # the paints that a refresh asks for
            shown_at = session.sliders.threshold_at(axis)
            if asked is not None:
                late.append(time.perf_counter() - asked)
            asked = None
        if moved == steps and not at_work():
            asked = None  # the last stop is the one that was painted last, and nothing changes
        time.sleep(0.001)  # work in Python waits for us otherwise
        if now - begun > MOST_SECONDS:
            raise TimeoutError(f"{axis} did not follow")
    return statistics.median(late), longest


def moves(stops: int) -> int:
    """Return how often a slider of so many stops is moved by one: it ends at another stop than it begins at, so that
    something is painted even where the machine is too busy for anything in between."""
    return STEPS - 1 if STEPS % stops == 0 else STEPS


def _turn() -> float:
    from PySide6.QtCore import QEventLoop
    from PySide6.QtWidgets import QApplication

    begun = time.perf_counter()
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
    QApplication.sendPostedEvents(None, 0)
    return time.perf_counter() - begun
