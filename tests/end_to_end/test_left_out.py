"""A window says at its start, after its first screen, which measures and formats of other packages were left out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import LONG_PROCESS

ROOT = Path(__file__).resolve().parents[2]
BEGIN = """
import json
from PySide6.QtWidgets import QApplication
from irviewer.gui import app
from irviewer.gui.prefetch import LATER, is_coming
from irviewer.gui.startup_request import ViewRequest

def run(application):
    QApplication.processEvents()
    while is_coming(LATER[-1]):
        QApplication.processEvents()
    for _ in range(20):
        QApplication.processEvents()
    print(json.dumps([[one.level.value, one.text, one.details] for one in application.session.view.messages]))
    return 0

app._run = run
app.run_application(ViewRequest())
"""


def said(folder: Path, **points: str) -> list[list[object]]:
    """The messages of a window that has just begun, where a package with these entry points is installed, by group."""
    info = folder / "its_measures-1.5.dist-info"
    info.mkdir(parents=True)
    (folder / "broken_measures.py").write_text("raise RuntimeError('built for <b>another</b> version')\n")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: its-measures\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text("".join(f"[irviewer.{group}]\n{text}" for group, text in points.items()))
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


REASON = "broken_measures:f: RuntimeError('built for <b>another</b> version')"


def test_the_window_says_what_was_left_out(tmp_path: Path) -> None:
    (measures, formats) = said(
        tmp_path,
        measures="Hits = broken_measures:f\nMisses = broken_measures:g\n",
        formats="pipes = broken_measures:f\n",
    )
    assert measures == [
        "warning",
        f"2 measures of other packages were not loaded: Hits: {REASON}; …",
        [f"Hits: {REASON}", f"Misses: {REASON.replace(':f:', ':g:')}"],
    ]
    text = f"A format of another package was not loaded: pipes: {REASON}"
    assert formats == ["warning", text, [f"pipes: {REASON}"]]


@pytest.mark.slow
def test_a_measure_alone_and_none(tmp_path: Path) -> None:
    text = f"A measure of another package was not loaded: Hits: {REASON}"
    alone = said(tmp_path / "one", measures="Hits = broken_measures:f\n")
    assert alone == [["warning", text, [f"Hits: {REASON}"]]]
    assert said(tmp_path / "none", measures="") == []
