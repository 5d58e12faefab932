"""What the program does not do before its first screen is painted, seen in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from patience import LONG_PROCESS

CODE = """
import gc, json, sys
from irviewer.gui import launch
collections, seen = [], {}
gc.callbacks.append(lambda phase, about: collections.append(phase))
disable = gc.disable
def disable_and_count():
    disable()
    collections.clear()  # what the command line is read with comes before
    seen["off"] = True
gc.disable = disable_and_count
begun = launch.open_window
def open_and_watch(request):
    import irviewer.gui.quick_imports as quick
    plainly = quick.import_plainly
    def and_watch():
        plainly()
        from irviewer.gui import garbage_collection
        from irviewer.gui.screens.screen import Screen
        garbage_collection.LONGEST = 1_000_000  # this machine may be slow
        garbage_collection.TICK = 0
        collect_due = garbage_collection.collect_due
        def collect_and_close():
            assert len(collections) == 0 or "then" in seen, "collected elsewhere"
            collect_due()
            if collections and "then" not in seen:
                seen["then"] = gc.isenabled()
                seen["window"].close()
        garbage_collection.collect_due = collect_and_close
        on_painted = Screen._on_painted
        def look_first(screen):
            if "garbage" not in seen:
                seen.update(garbage=len(collections), collects=gc.isenabled(), modules=[*sys.modules])
                seen["window"] = screen.window()
            on_painted(screen)
        Screen._on_painted = look_first
    quick.import_plainly = and_watch
    return begun(request)
launch.open_window = open_and_watch
from irviewer.__main__ import main
gc.set_threshold(50)  # often: none must be by luck
status = main(["--sample", "cranfield"])
del seen["window"]
print(json.dumps({**seen, "status": status, "at the end": gc.isenabled(), "frozen": gc.get_freeze_count() > 0}))
"""


@pytest.fixture(scope="module")
def first_paint() -> dict[str, object]:
    """What there was when the first lists and tables had been painted."""
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, timeout=LONG_PROCESS, check=True
    )
    seen: dict[str, object] = json.loads(done.stdout)
    return seen


def test_garbage_is_collected_after_the_first_paint(first_paint: dict[str, object]) -> None:
    """Not before: to visit the objects of a thousand modules again and again is a twentieth of the start."""
    assert first_paint["off"]
    assert (first_paint["status"], first_paint["garbage"], first_paint["collects"]) == (0, 0, False)
    assert (first_paint["then"], first_paint["at the end"]) == (False, True)  # between events, not by Python


@pytest.mark.parametrize(
    "package",
    [
        "irviewer.formats.lessons",
        "irviewer.analysis.explain",
        "irviewer.analysis.failures.near_duplicates",
        "irviewer.analysis.statistics.result_comparison",
        "irviewer.views.inputs",
        "irviewer.views.manifest",
    ],
)
def test_what_is_asked_for_later_is_not_loaded(first_paint: dict[str, object], package: str) -> None:
    assert isinstance(first_paint["modules"], list)
    assert [name for name in first_paint["modules"] if f"{name}.".startswith(f"{package}.")] == []
