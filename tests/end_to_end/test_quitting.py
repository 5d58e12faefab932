"""The whole program as a process: neither its window nor a command waits for a file that never says anything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import patience
import pytest
from examples import a_part

QRELS = "1 0 d1 1\n1 0 d2 0\n"
RUN = "1 Q0 d2 1 9 t\n1 Q0 d1 2 8 t\n"
MOMENT = 1.0
WINDOW = """
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from irviewer import __main__
from irviewer.gui import app

begin = app._run

def quits_while_it_reads(application):
    def look():
        if application.session.busy is not None and application.window.isActiveWindow():
            timer.stop()
            print(application.session.busy.title, flush=True)
            QTest.keyClick(application.window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(20)
    return begin(application)

app._run = quits_while_it_reads
__main__.run()
"""


@contextmanager
def silent_pipe() -> Iterator[int]:
    """The reading end of a pipe into which nobody writes, and which stays open."""
    read, write = os.pipe()
    try:
        yield read
    finally:
        os.close(read)
        os.close(write)


@pytest.mark.parametrize("way", a_part(["/dev/fd", "-"], 2))
def test_the_window_quits_while_a_pipe_is_being_opened(tmp_path: Path, way: str) -> None:
    """``irviewer <(zcat on a disk that hangs)``, and Ctrl+Q."""
    own = {"IRVIEWER_CONFIG_DIR": str(tmp_path / "config"), "IRVIEWER_CACHE_DIR": str(tmp_path / "cache")}
    with silent_pipe() as pipe:
        done = subprocess.run(
            [sys.executable, "-c", WINDOW, f"/dev/fd/{pipe}" if way == "/dev/fd" else "-"],
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **own}, pass_fds=(pipe,),
            stdin=pipe if way == "-" else None, capture_output=True, text=True, timeout=patience.LONG, check=False,
        )  # fmt: skip
    assert done.stdout.startswith("Reading "), done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr


def test_a_command_reads_a_pipe_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text(QRELS)
    os.mkfifo(tmp_path / "a.run")
    words = ["-m", "irviewer", "evaluate", str(tmp_path / "a.qrels"), str(tmp_path / "a.run"), "-m", "AP"]
    given = [sys.executable, *words]
    with subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        (tmp_path / "a.run").write_text(RUN)  # which waits until somebody reads
        out, err = command.communicate(timeout=patience.LONG)
        assert (command.returncode, err) == (0, "")
        assert "0.5000" in out
    with subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        with (tmp_path / "a.run").open("w") as file:
            file.write(RUN[:5])  # it is read by now, and never ends
            file.flush()
            for _ in range(int(patience.LONG)):
                # One that comes just before Python waits is seen at the next: as a user presses Ctrl-C again.
                command.send_signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    command.wait(MOMENT)
                    break
        assert command.returncode == 130
