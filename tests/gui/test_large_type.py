"""Large type: how large fits, the way to the session while the toolkit is away, a program begun anew at its size."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from patience import LONG_PROCESS
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from irviewer.gui import app
from irviewer.gui.bridge import Bridge, Door
from irviewer.gui.large_type import CLASS, VARIABLE, Scale, least_room, next_size, scale_for, system_scale, wanted_scale
from irviewer.gui.startup_request import ViewRequest
from irviewer.gui.window import LEAST
from irviewer.rendering.palette import LIGHT
from irviewer.session.settings import TYPE_SIZES, Settings


@pytest.mark.parametrize(
    ("room", "wanted"),
    [((1920, 1080), 1.5), ((1280, 800), 1.4), ((1280, 720), 1.2), ((900, 560), 1.0), ((800, 600), 1.0)],
)
def test_a_window_of_the_least_size_always_fits(room: tuple[int, int], wanted: float) -> None:
    scale = scale_for(QSize(*room), QSize(*CLASS))
    assert scale == pytest.approx(wanted)
    assert scale == 1.0 or (CLASS[0] * scale <= room[0] and CLASS[1] * scale <= room[1])


@pytest.mark.parametrize(("wanted", "given"), [(0.8, 0.8), (1.0, 1.0), (1.2, 1.2), (1.75, 1.4)])
def test_the_scale_that_is_wanted_where_it_fits(wanted: float, given: float) -> None:
    assert scale_for(QSize(1280, 800), QSize(*CLASS), wanted) == pytest.approx(given)


@pytest.mark.parametrize(
    ("platform", "points", "scale"),
    [("windows", 9.0, 1.0), ("windows", 13.5, 1.5), ("cocoa", 13.0, 1.0), ("xcb", 10.0, 1.0), ("wayland", 16.5, 1.5),
     ("wayland", 60.0, 2.0), ("offscreen", 30.0, 1.0)],
)  # fmt: skip
def test_the_type_size_of_the_system(platform: str, points: float, scale: float) -> None:
    assert system_scale(platform, points) == pytest.approx(scale)


def test_a_chosen_type_size_goes_before_that_of_the_system() -> None:
    settings = Settings()
    assert wanted_scale(settings, 1.2) == 1.2
    settings["type_size"] = 150
    assert wanted_scale(settings, 1.2) == 1.5
    settings["large_type"] = True
    assert wanted_scale(settings, 1.2) == pytest.approx(2.25)


def test_type_grows_and_shrinks_by_steps_to_an_end() -> None:
    settings, sizes = Settings(), []
    for _ in TYPE_SIZES:
        settings["type_size"] = next_size(settings, 1.0, 1)
        sizes.append(settings["type_size"])
    assert sizes == [110, 120, 130, 150, 175, 200, 200, 200, 200]
    settings["type_size"] = 80
    assert next_size(settings, 1.0, -1) == 80
    settings["type_size"] = 0
    assert next_size(settings, 1.2, 1) == 130
    assert next_size(settings, 1.2, -1) == 110


def test_the_environments_own_scale_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "2")
    scale = Scale()
    scale.set(1.5)
    assert os.environ[VARIABLE] == "3"
    scale.set(1.0)
    assert os.environ[VARIABLE] == "2"
    monkeypatch.delenv(VARIABLE)
    other = Scale()
    other.set(1.4)
    assert os.environ[VARIABLE] == "1.4"
    other.release()
    assert VARIABLE not in os.environ


def test_a_type_size_of_one_s_own_reaches_further_than_a_class_needs() -> None:
    settings = Settings()
    assert scale_for(QSize(1280, 800), least_room(settings, QSize(*LEAST)), 2.0) == 2.0
    settings["large_type"] = True
    assert scale_for(QSize(1280, 800), least_room(settings, QSize(*LEAST)), 2.0) == pytest.approx(1.4)


def test_what_is_posted_while_there_is_no_bridge_waits(qtbot: QtBot) -> None:
    door, heard = Door(), []
    door.post(lambda: heard.append(1))
    first = Bridge()
    door.lead_to(first)
    door.post(lambda: heard.append(2))
    qtbot.waitUntil(lambda: heard == [1, 2])
    door.lead_to(None)
    first.close()
    door.post(lambda: heard.append(3))
    second = Bridge()
    door.lead_to(second)
    qtbot.waitUntil(lambda: heard == [1, 2, 3])
    second.close()


def test_what_the_former_bridge_has_not_run_yet_waits_for_the_next(qtbot: QtBot) -> None:
    """Else a worker's result is lost where it comes just before larger type is set."""
    door, first, second, heard = Door(), Bridge(), Bridge(), list[int]()
    door.lead_to(first)
    for number in range(3):
        door.post(partial(heard.append, number))
    door.lead_to(None)
    first.close()
    door.post(partial(heard.append, 3))
    qtbot.wait(20)
    assert heard == []
    door.lead_to(second)
    door.post(partial(heard.append, 4))
    qtbot.waitUntil(lambda: len(heard) >= 5)
    assert heard == list(range(5))
    second.close()


def test_the_option_is_for_one_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path))
    begun: list[Settings] = []

    def application(settings: Settings, **_: object) -> None:
        begun.append(settings)
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "Application", application)
    with pytest.raises(KeyboardInterrupt):
        app.run_application(ViewRequest(large_type=True))
    assert begun[0]["large_type"]
    begun[0]["theme"] = "dark"
    assert begun[0].save()
    assert not Settings.load()["large_type"]


CODE = """
import sys
from PySide6.QtCore import QTimer
from irviewer.commands import run_command
from irviewer.gui import app, large_type
from irviewer.gui.dialogs import teaching_dialogs
from irviewer.gui.launch import open_window
from irviewer.gui.startup_request import ViewRequest
from PySide6.QtCore import QSize
large_type.room = teaching_dialogs.whole_room = lambda: QSize(1280, 800)
seen = []
show = app.MainWindow.show
def shown(window):
    show(window)
    seen.append(window)
    def go():
        session = window.session
        if session.view.collection is None or session.busy is not None or not window.is_complete():
            QTimer.singleShot(100, window, go)
            return
        print(round(window.devicePixelRatio(), 2), session.view.place, session.view.query_id,
              window.current_screen.isVisible(),
              window.thresholds.isVisible(), window.windowTitle().split()[-1], len(window.windowTitle()) > 12)
        session.navigation.step_query(1)
        session.sliders.set_thresholds(True)
        if len(seen) < 4:
            run_command(session, "large_type")
        else:
            window.close()
    QTimer.singleShot(100, window, go)
app.MainWindow.show = shown
sys.exit(open_window(ViewRequest(sample="cranfield", size=(1280, 800))))
"""


def test_the_toolkit_begins_anew_and_the_session_stays() -> None:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, timeout=LONG_PROCESS, check=False, env=environment
    )
    heard = [line for line in done.stderr.splitlines() if "does not support" not in line]
    assert (done.returncode, heard) == (0, [])
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[0] for line in lines] == ["1.0", "1.4", "1.0", "1.4"]
    assert {line[1] for line in lines} == {"query"}
    assert len({line[2] for line in lines}) == 4  # each went on from where the one before stood
    assert {line[3] for line in lines} == {"True"}
    # Sliders and title are there in a window that was built anew, though nothing has changed since.
    assert [line[4] for line in lines] == ["False", "True", "True", "True"]
    assert {tuple(line[5:]) for line in lines} == {("irviewer", "True")}


@pytest.mark.slow  # two processes; that the window grows is tested above
def test_a_picture_in_large_type_has_the_size_asked_for(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    pictures = []
    for flags in ([], ["--large-type"]):
        target = tmp_path / f"{len(flags)}.png"
        what = ["view", "--sample", "trec", "--place", "systems", "--theme", "light", "--size", "1280x800"]
        done = subprocess.run(
            [sys.executable, "-m", "irviewer", *what, *flags, "--screenshot", str(target)],
            capture_output=True, text=True, timeout=LONG_PROCESS, check=False, env=environment,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        pictures.append(QImage(str(target)))
    plain, large = pictures
    assert plain.size() == large.size() == QSize(1280, 800)
    # The line below the top bar: at the scale that the room allows.
    assert _first_line(large) == pytest.approx(_first_line(plain) * 1.4, abs=1.5)


def _first_line(image: QImage) -> int:
    """The first row of pixels, from the top, that is the border below the top bar, counted from the menu bar."""
    colours = [image.pixelColor(2, y).name() for y in range(image.height())]
    menu = colours.index(LIGHT.panel)
    return colours.index(LIGHT.panel_border) - (menu if menu < 30 else 0)
