"""How long the window answers nothing on a walk through all views: the longest time between two beats of a timer in its
event loop, in processor time of its thread, so that other work on the machine does not count, and by the wall, which
counts waiting for its own workers. And how long statistics of all runs take.

The whole program in processes of their own, without a display: 76 runs, where TREC-COVID's lie beside the checkout, 20
runs of 6,980 queries, 500 runs of 50, and 2 of 100,000."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks import processes
from tests.benchmarks.case import Side
from tests.benchmarks.making import Shape, make
from tests.benchmarks.opened_window import has_statistics, opened_window
from tests.benchmarks.track import make_track

STEPS = (
    "opened", "views", "measures", "queries", "judgments", "dialects", "runs shown", "explained", "theme", "statistics",
)  # fmt: skip
BY_THE_WALL = tuple(f"{step}, by the wall" for step in STEPS)
SECONDS = ("until opened", "until statistics")
"""Not stalls: until files are open, and until all statistics of Systems are there with a new seed."""


@contextmanager
def many_runs(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """TREC-COVID's 76 runs of 30 queries."""
    data = Path(os.environ.get("IRVIEWER_DATA", Path(__file__).parents[3] / "shared" / "data")) / "trec-covid-r1"
    if not data.is_dir():
        raise FileNotFoundError(f"TREC-COVID's runs are not here: {data}")
    qrels = next(path for path in sorted(data.rglob("qrels*")) if path.is_file())
    runs = sorted(path for path in (data / "runs").iterdir() if path.is_file())[: 3 if small else None]
    yield _sides(folder, [str(qrels), *map(str, runs)])


@contextmanager
def many_queries(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """20 perturbed runs of 6,980 queries."""
    track = make_track(folder / "wide", 2, 6) if small else make_track(folder / "wide", 20, 6980, seed=11)
    yield _sides(folder, track.paths)


@contextmanager
def most_runs(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """500 runs of 50 queries."""
    yield _sides(folder, make(folder / "runs", Shape(4, 5, 6) if small else Shape(50, 100, 500)).paths)


@contextmanager
def most_queries(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """2 runs of 100,000 queries."""
    yield _sides(folder, make(folder / "queries", Shape(6, 5, 2) if small else Shape(100_000, 20, 2, 6)).paths)


def _sides(folder: Path, files: list[str]) -> dict[str, Side]:
    last: dict[str, float] = {}

    def first() -> float:
        command = ["-m", "tests.benchmarks.walking", *files]
        folders = {"IRVIEWER_CONFIG_DIR": str(folder / "settings"), "IRVIEWER_CACHE_DIR": str(folder / "cache")}
        output = processes.run("window", command, QT_QPA_PLATFORM="offscreen", **folders).output
        last.update(json.loads(output.split("map", 1)[1]))
        return last[STEPS[0]]

    def of_the_same(name: str) -> Side:
        return lambda: last[name] if last or first() else 0.0

    return {STEPS[0]: first, **{name: of_the_same(name) for name in (*STEPS[1:], *BY_THE_WALL, *SECONDS)}}


def main(files: list[str]) -> dict[str, float]:
    """Seconds of the longest time without an answer, by step, in processor time and by the wall."""
    application = opened_window()
    from irviewer.session.state import TABS
    from tests.benchmarks.pulse import Pulse

    session, window = application.session, application.window
    pulse = Pulse()
    longest = dict.fromkeys((*STEPS, *BY_THE_WALL, *SECONDS), 0.0)

    def do(step: str, act: Callable[[], object], done: Callable[[], bool] = lambda: True) -> float:
        """Act, and let events come until nothing is left to do."""
        seconds = pulse.until(act, lambda: session.busy is None and window.is_complete() and done())
        wall, own = pulse.take()
        longest[step] = max(longest[step], own)
        longest[f"{step}, by the wall"] = max(longest[f"{step}, by the wall"], wall)
        return seconds

    def go(place: str, tab: str | None = None) -> None:
        if tab is not None:
            session.navigation.set_tab(place, tab)
        session.navigation.set_place(place)

    pulse.until(lambda: None)
    pulse.take()
    longest["until opened"] = do(
        "opened", lambda: session.files.open_files(files), lambda: session.view.collection is not None
    )
    assert session.view.collection is not None
    for message in session.view.messages:
        session.dismiss_message(message)
    places = [(place, tab) for place in ("verdict", "systems", "queries", "query", "compare", "collections")
              for tab in TABS.get(place, (None,))]  # fmt: skip
    for place, tab in places:
        do("views", lambda place=place, tab=tab: go(place, tab))  # type: ignore[misc]
    for place, tab in [("systems", None), ("queries", "table"), ("query", "rankings"), ("compare", "matrices")]:
        do("views", lambda place=place, tab=tab: go(place, tab))  # type: ignore[misc]
        for measure in ("P@10", "AP"):
            do("measures", lambda measure=measure: session.evaluation.set_measure(measure))  # type: ignore[misc]
    do("views", lambda: go("query", "rankings"))
    for mode in ("lists", "strips", "lists"):
        do("queries", lambda mode=mode: session.appearance.set_lists_mode(mode))  # type: ignore[misc]
        for _ in range(3):
            do("queries", lambda: session.navigation.step_query(1))
    documents = session.view.collection.runs[0].run.ranking(session.view.query_id, 3)
    for document in documents:
        do("judgments", lambda document=document: session.judging.judge(document, 1.0))  # type: ignore[misc]
    do("judgments", session.history.undo)
    for name in ("ranx", "trec_eval"):
        do("dialects", lambda name=name: session.protocol.set(dialect=name))  # type: ignore[misc]
    for wanted in (True, False):
        do("dialects", lambda wanted=wanted: session.protocol.set(judged_only=wanted))  # type: ignore[misc]
    every = [entry.key for entry in session.view.collection.runs]
    for place, tab in (("query", "rankings"), ("systems", None)):
        do("views", lambda place=place, tab=tab: go(place, tab))  # type: ignore[misc]
        for keys in (every, every[:4]):
            do("runs shown", lambda keys=keys: session.runs.show_runs(keys))  # type: ignore[misc]
    for place in ("query", "systems"):
        do("views", lambda place=place: go(place))  # type: ignore[misc]
        do("explained", session.explaining.explain)
        do("explained", session.explaining.stop_explaining)
    for place in ("query", "systems"):
        do("views", lambda place=place: go(place))  # type: ignore[misc]
        for theme in ("dark", "light"):
            do("theme", lambda theme=theme: session.appearance.set_theme(theme))  # type: ignore[misc]
    longest["until statistics"] = do(
        "statistics", lambda: session.protocol.set_number("seed", "7"), lambda: has_statistics(session)
    )
    application.close()
    return longest


if __name__ == "__main__":
    print("map", json.dumps(main(sys.argv[1:])))
