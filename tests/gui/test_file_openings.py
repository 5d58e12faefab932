"""Files that are double-clicked while the program runs, as macOS announces them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from patience import LONG_PROCESS

CODE = """
import json, sys
from PySide6.QtCore import QTimer, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication
from irviewer.gui import app
from irviewer.gui.launch import open_window
from irviewer.gui.startup_request import ViewRequest

def send():
    for url in map(QUrl, sys.argv[1:]):
        QApplication.sendEvent(QApplication.instance(), QFileOpenEvent(url))

asked = []
open_files = app.MainWindow.open_from_system
def opened(window, paths):
    asked.append(list(paths))
    open_files(window, paths)
app.MainWindow.open_from_system = opened

make = app.make_application
def make_application():
    application = make()
    send()  # before there is a window: those that started the program
    return application
app.make_application = make_application

show = app.MainWindow.show
def shown(window):
    show(window)
    QTimer.singleShot(0, send)
    def look():
        collection = window.session.view.collection
        if sum(map(len, asked)) == 4 and window.session.busy is None and collection is not None:
            print(json.dumps([asked, [run.name for run in collection.runs], window.session.view.judgments is not None]))
            window.looking.stop()
            window.close_unasked()
    window.looking = QTimer(window, interval=20)
    window.looking.timeout.connect(look)
    window.looking.start()
app.MainWindow.show = shown
sys.exit(open_window(ViewRequest()))
"""


def test_files_are_opened_together_and_addresses_are_not(tmp_path: Path) -> None:
    qrels, run = tmp_path / "a b.qrels", tmp_path / "é.run"
    qrels.write_text("1 0 d1 1\n", encoding="utf-8")
    run.write_text("1 Q0 d1 1 2.0 bm25\n", encoding="utf-8")
    urls = [qrels.as_uri(), "http://example.org/x.run", run.as_uri()]
    done = subprocess.run(
        [sys.executable, "-c", CODE, *urls], capture_output=True, text=True, timeout=LONG_PROCESS, check=False
    )
    assert done.returncode == 0, done.stderr
    asked, runs, judged = json.loads(done.stdout)
    # Those of one click are never divided.
    assert [path for paths in asked for path in paths] == [str(qrels), str(run)] * 2
    assert all(len(paths) % 2 == 0 for paths in asked)
    assert (len(set(runs)), judged) == (1, True)
