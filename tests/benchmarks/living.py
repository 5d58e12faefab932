"""Whether the window lives while statistics are computed: how long it takes, and how long it answers nothing.

In a process of its own, by the wall and without a display; of TREC-COVID's runs, where they lie beside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.case import Side

QUESTIONS = ("systems", "pair", "pool", "pool: Rprec", "pool: Bpref", "pool: nDCG", "pool: IPrec@0.1")


@contextmanager
def living(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """76 runs, 2,850 pairs, 10,000 samples asked for in each place: until it is there, and the longest stall."""
    data = Path(os.environ.get("IRVIEWER_DATA", Path(__file__).parents[3] / "shared" / "data")) / "trec-covid-r1"
    if not data.is_dir():
        raise FileNotFoundError(f"TREC-COVID's runs are not here: {data}")
    qrels = next(path for path in sorted(data.rglob("qrels*")) if path.is_file())
    runs = sorted(path for path in (data / "runs").iterdir() if path.is_file())[: 3 if small else None]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "IRVIEWER_CONFIG_DIR": str(folder / "settings")}
    last: dict[str, float] = {}

    def first() -> float:
        command = [sys.executable, "-m", "tests.benchmarks.living", str(qrels), *map(str, runs)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=600)
        last.update(json.loads(done.stdout.splitlines()[-1]))
        return last[QUESTIONS[0]]

    def side(name: str) -> Side:
        def of_the_same() -> float:
            if not last:
                first()
            return last[name]

        return of_the_same

    names = [name for question in QUESTIONS for name in (question, f"{question}, stalled")][1:]
    yield {QUESTIONS[0]: first, **{name: side(name) for name in names}}


def main(paths: list[str]) -> dict[str, float]:
    """Seconds by question, and beside them the longest time in which the window answered nothing."""
    from irviewer.gui.app import make_application
    from irviewer.gui.bridge import Bridge
    from irviewer.gui.garbage_collection import Garbage
    from irviewer.gui.screenshot import settle
    from irviewer.gui.theme import Theme
    from irviewer.gui.window import MainWindow
    from irviewer.session.session import Session
    from irviewer.session.settings import Settings
    from tests.benchmarks.pulse import Pulse
    from tests.benchmarks.showing import SMALL_WINDOW

    make_application()
    bridge = Bridge()
    session = Session(Settings(), post=bridge.post)
    window = MainWindow(session, Theme(session.view.palette))
    window.restore(SMALL_WINDOW)
    window.show()
    settle(window)
    pulse = Pulse()

    def until(act: Callable[[], object], done: Callable[[], bool]) -> float:
        return pulse.until(act, lambda: session.busy is None and window.is_complete() and done())

    until(lambda: session.files.open_files(paths), lambda: session.view.collection is not None)
    garbage = Garbage(session)
    garbage.settle()
    seconds: dict[str, float] = {}

    def quiet() -> bool:
        works = ("statistics baseline", "statistics pairs", "pool open", "pool left out", "evaluate")
        return not any(session.store.tasks.under_way(name) for name in works)

    def ask(name: str, act: Callable[[], object]) -> None:
        pulse.take()
        seconds[name] = until(act, quiet)
        seconds[f"{name}, stalled"], _ = pulse.take()

    until(lambda: session.navigation.set_place("systems"), quiet)
    ask("systems", lambda: session.protocol.set_number("seed", "1"))  # all of it anew, the places built
    until(lambda: session.navigation.set_place("compare"), quiet)
    ask("pair", lambda: session.protocol.set_number("seed", "2"))
    ask("pool", lambda: session.navigation.set_tab("compare", "pool"))
    for question in QUESTIONS[3:]:
        ask(question, lambda question=question: session.evaluation.set_measure(question.removeprefix("pool: ")))  # type: ignore[misc]
    bridge.close()
    garbage.close()
    window.release()
    window.close()
    session.close()
    return seconds


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1:])))
