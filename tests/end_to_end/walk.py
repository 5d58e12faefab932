"""A person with no plan: a seeded random walk of keys, clicks, commands and sizes over the real window.

Run as a program (``python -m tests.end_to_end.walk ACTIONS SEED [FILES]``) it prints as JSON what went wrong, and which
threads there were on the way. Files that are named are opened, and change now and then while the walk goes on: they are
cut, filled with something else, replaced, removed, and come back. Where IRVIEWER_MISDEEDS names a folder, a package is
installed there whose measure and format misbehave (``helpers/misbehaving.py``), and are used now and then."""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QPoint, QPointF, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLineEdit, QWidget

from irviewer import commands
from irviewer.commands import run_command
from irviewer.gui.app import Application
from irviewer.session.settings import Settings
from irviewer.session.workers import Call, Workers

KEYS = [
    *[Qt.Key.Key_J, Qt.Key.Key_K, Qt.Key.Key_Down, Qt.Key.Key_Up] * 3,
    *[Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Home, Qt.Key.Key_End],
    *[Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape],
    *[Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight, Qt.Key.Key_V],
    *[Qt.Key.Key_0, Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_9],
    *[Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_U, Qt.Key.Key_X, Qt.Key.Key_F],
]
PICKERS = ["find_action", "go_to_query", "choose_measure", "choose_baseline", "choose_runs", "move_run"]
"""Commands that lay a list over the window; the others that ask it open a dialog, and nobody is there to close it."""

PATIENCE = 120.0
"""Seconds that work may take, on any machine."""

THREADS = {"irviewer-saver"}
"""The saver: beside the window's own, all that is there when no work is under way or waits. Workers end when they have
nothing to do."""

KNOWN = (
    "This plugin does not support propagateSizeHints()",
    "This plugin does not support raise()",
    "This plugin does not support grabbing the keyboard",
)
"""What the offscreen platform says of windows and menus; a real one has all three."""
MISDEEDS = os.environ.get("IRVIEWER_MISDEEDS", "")
"""The folder of a package that misbehaves; "" for none."""
TEXTS = ["flow", "1", "Δ > 0.1", "relevant < 5", "id:3", "nothing has this in it", "(", ""]


@dataclass
class Report:
    """What the walk found: ``unmeant`` are the acts after which a judgment was another though nobody judged;
    ``in_background`` counts what was given to workers; ``threads`` are the names of those there are, beside the
    window's own, after each tenth part."""

    actions: int = 0
    exceptions: list[str] = field(default_factory=list)
    qt: list[str] = field(default_factory=list)
    threads: list[list[str]] = field(default_factory=list)
    done: dict[str, int] = field(default_factory=dict)
    last: list[str] = field(default_factory=list)
    unmeant: list[str] = field(default_factory=list)
    in_background: int = 0


class Walk:
    """One walk over one window."""

    def __init__(
        self, application: Application, seed: int, before: set[threading.Thread], files: Sequence[str] = ()
    ) -> None:
        self._before = before
        self._files = {Path(file): Path(file).read_bytes() for file in files}
        self.random = random.Random(seed)
        self.session = application.session
        self.window = application.window
        self.report = Report()

    def walk(self, actions: int) -> Report:
        """Do that many actions, each painted before the next."""
        kinds = [self.press] * 6 + [self.command] * 5 + [self.click] * 5
        kinds += [self.wheel, self.hover, self.pick, self.filter, self.resize]
        kinds += [self.meddle] if self._files else []
        kinds += [self.misbehave] * 2 if MISDEEDS else []
        sys.excepthook, former = self._on_exception, sys.excepthook
        handler = qInstallMessageHandler(self._on_message)
        given = Workers.put

        def counted(workers: Workers, call: Call) -> None:
            self.report.in_background += 1
            given(workers, call)

        Workers.put = counted  # type: ignore[method-assign]
        try:
            for number in range(actions):
                kind = self.random.choice(kinds)
                self.report.last = [*self.report.last[-8:], kind.__name__]
                judged, meant = self._judgments(), kind != self.press or self.session.judging.is_on
                try:
                    kind()
                    QApplication.processEvents()
                    now = self._judgments()  # collections may come and go meanwhile, in the background
                    if not meant and any(now[key] != judged[key] for key in now.keys() & judged.keys()):
                        self.report.unmeant.append(", ".join(self.report.last))
                    self._leave_dialogs()
                except Exception:  # what an action raises is what the walk is there to find
                    self._note(traceback.format_exc())
                self.report.done[kind.__name__] = self.report.done.get(kind.__name__, 0) + 1
                self.report.actions += 1
                if (number + 1) % max(1, actions // 10) == 0:
                    self.report.threads.append(self._threads())
            self.settle()
        finally:
            Workers.put = given  # type: ignore[method-assign]
            sys.excepthook = former
            qInstallMessageHandler(handler)
        return self.report

    def _judgments(self) -> dict[tuple[str, str], object]:
        """What the user has judged, by collection and set of judgments."""
        return {
            (collection.name, judgment_set.name): judgment_set.overlay
            for collection in self.session.view.workspace.collections
            for judgment_set in collection.judgments
        }

    def _threads(self) -> list[str]:
        """Those that stay, when what works and what pauses before work has had time to end, and is no more than
        THREADS."""
        end = time.monotonic() + PATIENCE
        while True:
            names = sorted(thread.name for thread in threading.enumerate() if thread not in self._before)
            if (set(names) <= THREADS and len(names) == len(set(names))) or time.monotonic() > end:
                return names
            QApplication.processEvents()
            time.sleep(0.01)

    def settle(self) -> None:
        """Until no task is under way."""
        end = time.monotonic() + PATIENCE
        while (self.session.busy is not None or not self.window.is_complete()) and time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.002)

    # --- the actions ---

    def press(self) -> None:
        key, focus = self.random.choice(KEYS), self._focus()
        self.report.last[-1] += f" {key.name} in {type(focus).__name__}"
        QTest.keyClick(focus, key)

    def command(self) -> None:
        choices = [row for row in commands.every(self.session) if not row.asks and row.id != "close_collection"]
        chosen = self.random.choice(choices)
        self.report.last[-1] += f" {chosen.id}"
        run_command(self.session, chosen.id)

    def click(self) -> None:
        view, at = self._somewhere()
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)

    def hover(self) -> None:
        view, at = self._somewhere()
        QTest.mouseMove(view, at)

    def wheel(self) -> None:
        view, at = self._somewhere()
        turn = QPoint(0, self.random.choice([-240, -120, 120, 240]))
        none, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
        whole = QPointF(view.mapToGlobal(at))
        event = QWheelEvent(QPointF(at), whole, QPoint(), turn, Qt.MouseButton.NoButton, none, phase, False)
        QApplication.sendEvent(view, event)

    def pick(self) -> None:
        name = self.random.choice(PICKERS)
        self.report.last[-1] += f" {name}"
        if run_command(self.session, name):
            QApplication.processEvents()
            QTest.keyClicks(self._focus(), self.random.choice(["1", "64", "ap", "b", "zz"]))
            QApplication.processEvents()
            QTest.keyClick(self._focus(), Qt.Key.Key_Return if name == "go_to_query" else Qt.Key.Key_Escape)

    def filter(self) -> None:
        text = self.random.choice(TEXTS)
        self.report.last[-1] += f" {text}"
        fields = [edit for edit in self.window.current_screen.findChildren(QLineEdit) if edit.isVisible()]
        if fields:
            self.random.choice(fields).setText(text)
            QApplication.processEvents()
        self.session.navigation.filter_queries(text if self.random.random() < 0.3 else "")

    def resize(self) -> None:
        self.window.resize(self.random.randint(900, 1500), self.random.randint(560, 950))

    def meddle(self) -> None:
        """Change one of the files behind the program's back, and now and then read what changed."""
        file = self.random.choice(list(self._files))
        content = self._files[file]
        what = self.random.choice(("cut", "other", "replaced", "removed", "back", "back"))
        self.report.last[-1] += f" {what}"
        if what == "cut":
            file.write_bytes(content[: self.random.randrange(len(content) + 1)])
        elif what == "other":
            file.write_bytes(self.random.choice((b"", b"\0\xff" * 99, b"{", content[::-1], content * 2)))
        elif what == "removed":
            file.unlink(missing_ok=True)
        else:
            beside = file.with_name(f".{file.name[:20]}.new")
            beside.write_bytes(content if what == "back" else content[len(content) // 3 :])
            beside.replace(file)
        if self.random.random() < 0.5:
            run_command(self.session, "read_changed")

    def misbehave(self) -> None:
        """Let the package do something else from now on; choose its measure, or open a file that only it could know."""
        import misbehaving

        misbehaving.now.how = self.random.choice(
            [how for how in misbehaving.MISDEEDS if how not in misbehaving.HANGING]
        )
        misbehaving.now.where = self.random.choice(("measure", "measure", "sniff", "read"))
        self.report.last[-1] += f" {misbehaving.now.how} in {misbehaving.now.where}"
        if misbehaving.now.where == "measure":
            self.session.evaluation.set_measure(self.random.choice(("Misdeed", "Misdeed", "AP", "nDCG@10")))
        else:
            file = Path(MISDEEDS) / "mystery"
            file.write_text("⁂ nothing that anybody knows\n", encoding="utf-8")
            self.session.files.open_files([str(file)])

    def _leave_dialogs(self) -> None:
        """Keys and clicks find dialogs and menus too; nothing is to be written, and the walk is of the window."""
        for dialog in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
            if dialog is not None and dialog is not self.window:
                self.report.done["dialogs left"] = self.report.done.get("dialogs left", 0) + 1
                dialog.close()
        if self.window.has_dialog() and self.random.random() < 0.5:
            self.window.make_room()
        QApplication.processEvents()

    # --- where ---

    def _focus(self) -> QWidget:
        return QApplication.focusWidget() or self.window

    def _somewhere(self) -> tuple[QWidget, QPoint]:
        """A point in one of the lists, tables and plots in view."""
        areas = [
            area.viewport() for area in self.window.current_screen.findChildren(QAbstractScrollArea) if area.isVisible()
        ]
        view = self.random.choice(areas or [self.window.current_screen])
        return view, QPoint(self.random.randrange(max(1, view.width())), self.random.randrange(max(1, view.height())))

    # --- what is heard ---

    def _on_exception(self, kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
        self._note("".join(traceback.format_exception(kind, value, trace)))

    def _on_message(self, level: QtMsgType, context: object, text: str) -> None:
        if text not in KNOWN:
            self.report.qt.append(f"{text} (after {', '.join(self.report.last)})")

    def _note(self, text: str) -> None:
        self.report.exceptions.append(f"{text}after {', '.join(self.report.last)}")


def walk(actions: int, seed: int, files: Sequence[str] = ()) -> Report:
    """Open both samples, or the files, in a new window, walk, take the window down. To be called where a file may be
    written."""
    before = set(threading.enumerate())
    application = Application(Settings())
    try:
        new_walk = Walk(application, seed, before, files)
        application.window.resize(1280, 800)
        application.window.show()
        if files:
            application.session.files.open_files(list(files))
            new_walk.settle()
        for sample in () if files else ("trec", "cranfield"):
            application.session.files.open_sample(sample)
            new_walk.settle()
        return new_walk.walk(actions)
    finally:
        application.window.close()
        application.close()
        application.appearance.close()


if __name__ == "__main__":
    if MISDEEDS:
        import misbehaving

        misbehaving.install(Path(MISDEEDS) / "installed")
    print(json.dumps(asdict(walk(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))))
