"""A window says at its start which measures and formats of other packages could not be loaded, and why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from patience import LONG_PROCESS

ROOT = Path(__file__).resolve().parents[2]
BEGIN = """
import json
from PySide6.QtWidgets import QApplication
from irviewer.gui import app
from irviewer.gui.startup_request import ViewRequest

def run(application):
    for _ in range(20):
        QApplication.processEvents()
    print(json.dumps([[one.level.value, one.text, one.details] for one in application.session.view.messages]))
    return 0

app._run = run
app.run_application(ViewRequest())
"""


def said(folder: Path, points: str, group: str = "measures") -> list[list[object]]:
    """The messages of a window that has just begun, where a package with these entry points is installed."""
    info = folder / "its_measures-1.5.dist-info"
    info.mkdir(parents=True)
    (folder / "broken_measures.py").write_text("raise RuntimeError('built for <b>another</b> version')\n")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: its-measures\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(f"[irviewer.{group}]\n{points}")
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), "QT_QPA_PLATFORM": "offscreen",
        "IRVIEWER_CONFIG_DIR": str(folder / "config"),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", BEGIN],
        env=environment, capture_output=True, text=True, check=False, encoding="utf-8", timeout=LONG_PROCESS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    results: list[list[object]] = json.loads(done.stdout.splitlines()[-1])
    return results


def test_the_window_says_which_measures_were_left_out(tmp_path: Path) -> None:
    reason = "broken_measures:f: RuntimeError('built for <b>another</b> version')"
    text = f"A measure of another package was not loaded: Hits: {reason}"
    assert said(tmp_path / "one", "Hits = broken_measures:f\n") == [["warning", text, [f"Hits: {reason}"]]]
    ((level, text, details),) = said(tmp_path / "two", "Hits = broken_measures:f\nMisses = broken_measures:g\n")
    assert level == "warning"
    assert text == f"2 measures of other packages were not loaded: Hits: {reason}; …"
    assert details == [f"Hits: {reason}", f"Misses: {reason.replace(':f:', ':g:')}"]


def test_the_window_says_which_formats_were_left_out(tmp_path: Path) -> None:
    reason = "broken_measures:f: RuntimeError('built for <b>another</b> version')"
    text = f"A format of another package was not loaded: pipes: {reason}"
    assert said(tmp_path, "pipes = broken_measures:f\n", "formats") == [["warning", text, [f"pipes: {reason}"]]]


def test_without_such_packages_nothing_is_said(tmp_path: Path) -> None:
    assert said(tmp_path, "") == []
