"""Pictures without a display, and what is said where one cannot be had."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest
from patience import LONG_PROCESS
from PySide6.QtCore import QEvent
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.launch import open_window
from irviewer.gui.screenshot import open_now
from irviewer.gui.startup_request import ViewRequest
from irviewer.session.session import Session


def say(capsys: pytest.CaptureFixture[str], request: ViewRequest) -> str:
    assert open_window(request) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("place", ["systems", "queries", "query"])
def test_a_picture_of_each_place(tmp_path: Path, files: list[str], qapp: object, place: str) -> None:
    target = tmp_path / "picture.png"
    request = ViewRequest(
        tuple(files), place=place, query="2", theme="dark", size=(1000, 700), screenshot=str(target), measure="AP"
    )
    assert open_window(request) == 0
    image = QImage(str(target))
    assert (image.width(), image.height()) == (1000, 700)
    assert image.pixelColor(3, 60).lightness() < 60, "the ground is not dark"
    colours = {image.pixel(x, y) for x in range(0, 1000, 5) for y in range(0, 700, 5)}
    assert len(colours) > 20, "there is hardly anything on it"


class TestBadRequests:
    def test_no_png(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "saved as PNG" in say(capsys, ViewRequest(sample="trec", screenshot=str(tmp_path / "a.jpg")))

    def test_no_folder(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "does not exist" in say(capsys, ViewRequest(sample="trec", screenshot=str(tmp_path / "no" / "a.png")))

    @pytest.mark.parametrize(
        ("what", "said"),
        [
            ({"sample": "nothing"}, "Unknown sample 'nothing'"),
            ({"paths": ("/no/such/file.run",)}, "file.run"),
            ({"place": "query"}, "nothing to show"),
            ({"sample": "trec", "query": "999"}, "no query '999'"),
            ({"sample": "trec", "measure": "nDGC"}, "nDGC"),
            ({"sample": "trec", "baseline": "other"}, "no run other"),
            ({"sample": "trec", "place": "nowhere"}, "Unknown view 'nowhere'"),
            ({"sample": "trec", "place": "compare:views:nothing"}, "there is no view nothing"),
            ({"sample": "trec", "theme": "pink"}, "Unknown theme 'pink'"),
        ],
    )
    def test_what_cannot_be_had(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], qapp: object, what: dict[str, str], said: str
    ) -> None:
        target = tmp_path / "a.png"
        heard = say(capsys, ViewRequest(screenshot=str(target), **what))  # type: ignore[arg-type]
        assert said in heard
        assert heard.startswith("irviewer: ")
        assert heard.count("\n") == 1
        assert not target.exists()


def test_no_widget_ends_while_a_picture_is_dressed(
    tmp_path: Path, files: list[str], qapp: QApplication, qtbot: QtBot
) -> None:
    """Qt goes through all widgets, also those of a former picture, and calls their Python."""
    collects = list[bool]()

    class Watch(QWidget):
        def changeEvent(self, event: QEvent) -> None:
            if event.type() == QEvent.Type.StyleChange:
                collects.append(gc.isenabled())

    watch, collected = Watch(), gc.isenabled()
    qtbot.addWidget(watch)
    watch.ensurePolished()
    gc.enable()
    try:
        assert open_window(ViewRequest(tuple(files), theme="dark", screenshot=str(tmp_path / "a.png"))) == 0
        assert gc.isenabled()
    finally:
        if not collected:
            gc.disable()
    assert collects and not any(collects)


def test_as_a_process_without_a_display(tmp_path: Path) -> None:
    target = tmp_path / "a.png"
    code = (
        "import os, sys; os.environ.pop('DISPLAY', None); os.environ.pop('QT_QPA_PLATFORM', None)\n"
        "from irviewer.gui.launch import open_window\n"
        "from irviewer.gui.startup_request import ViewRequest\n"
        f"sys.exit(open_window(ViewRequest(sample='trec', screenshot={str(target)!r}, size=(900, 600))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG_PROCESS, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert target.exists()


def test_a_place_may_be_a_result_view(files: list[str]) -> None:
    session = Session()
    open_now(session, ViewRequest(tuple(files), place="compare:views:slices"))
    assert (session.view.place, session.store.state.tabs["compare"]) == ("compare", "views")
    assert session.store.state.result_view == "slices"
    session.close()
