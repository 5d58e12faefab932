"""An installed package whose measure and format do in every call what no plugin should, and what that did to the rest.

    misbehaving.py FOLDER

For each misdeed the measure is computed beside built-in ones, and the format sniffs, reads and writes beside files of
others: by Python, on the command line and in a session. What is not the plugin's own stays as it is: values, files,
output, the process. The plugin's own answer is a value or an error of one line that names it. The last line printed is
a JSON object of counts; lines before it say what went wrong."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from odd_names import UNSEEN

from irviewer.cli.main import main as command_line
from irviewer.commands import every
from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.load import load
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.session.messages import Level
from irviewer.session.session import Session
from irviewer.session.settings import Settings

MODULE = '''
import misbehaving
from irviewer.formats.format import Format, Sniffed
from irviewer.measures.base import Cutoff, measure

def bad(judged):
    """Misdeeds."""
    return misbehaving.misbehave("measure", judged)

def sniff(head):
    return misbehaving.misbehave("sniff", head)

def read(opened, wanted):
    return misbehaving.misbehave("read", opened)

def write(value):
    return misbehaving.misbehave("write", value)

FORMAT = Format("misbehaving", "misdeeds", ("run",), sniff, read, write, suffixes=(".mis",))
'''

BUILT_IN = ["AP", "nDCG@5", "P@3", "RR", "R@10"]
QRELS = Qrels.from_dict({query: {d: n % 3 for n, d in enumerate(UNSEEN)} for query in UNSEEN[:9]})
RUN = Run.from_dict({query: {d: 1.0 / (n + 1) for n, d in enumerate(UNSEEN[k:])} for k, query in enumerate(UNSEEN[:9])})


def install(folder: Path) -> None:
    """Leave the package in a folder of the path, as an installer does."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "misdeeds.py").write_text(MODULE)
    info = folder / "misdeeds-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: misdeeds\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[irviewer.measures]\nMisdeed = misdeeds:bad\n[irviewer.formats]\nmisbehaving = misdeeds:FORMAT\n"
    )
    sys.path.insert(0, str(folder))


# --- what it does ---


class UnprintableError(Exception):
    """An error that cannot be shown."""

    def __str__(self) -> str:
        raise ValueError("no text")

    __repr__ = __str__


class LinesError(Exception):
    """An error of several lines, with commands for a terminal."""

    def __str__(self) -> str:
        return "one\ntwo\x1b[31m\u202e" + "long " * 999

    __repr__ = __str__


def _raising(kind: type[BaseException]) -> Callable[[Any], object]:
    def misdeed(given: Any) -> object:
        raise kind(7)

    return misdeed


def _recurses(given: Any) -> object:
    return _recurses(given)


def _prints(given: Any) -> object:
    print("a line of a plugin")
    sys.stdout.write("more of it")
    sys.stdout.flush()
    return None


def _closes(given: Any) -> object:
    sys.stdout.close()
    return None


def _replaces(given: Any) -> object:
    sys.stdout = io.StringIO()
    return None


def _warns(given: Any) -> object:
    warnings.warn("of a plugin", UserWarning, stacklevel=1)
    np.seterr(all="raise")
    return None


def _writes(given: Any) -> object:
    """Write into every array that it is given."""
    for name in dir(given):
        with contextlib.suppress(Exception):
            array = getattr(given, name)
            if isinstance(array, np.ndarray):
                with contextlib.suppress(ValueError):
                    array.flags.writeable = True
                array[:] = 0
    return None


MISDEEDS: dict[str, Callable[[Any], object]] = {
    **{
        kind.__name__: _raising(kind)
        for kind in (SystemExit, KeyboardInterrupt, GeneratorExit, MemoryError, RecursionError, ValueError, OSError,
                     StopIteration, AssertionError, UnicodeError, BaseException, UnprintableError, LinesError)
    },
    "exits": lambda given: sys.exit(0),
    "recurses": _recurses,
    "prints": _prints,
    "closes": _closes,
    "replaces": _replaces,
    "warns": _warns,
    "writes": _writes,
    "None": lambda given: None,
    "a number": lambda given: 7,
    "a text": lambda given: "text",
    "nothing": lambda given: [],
    "too many": lambda given: np.zeros(10**6),
    "complex": lambda given: np.full(getattr(given, "n_queries", 1), 1 + 2j),
    "texts": lambda given: ["x"] * getattr(given, "n_queries", 1),
    "NaN": lambda given: np.full(getattr(given, "n_queries", 1), np.nan),
    "infinity": lambda given: np.full(getattr(given, "n_queries", 1), -np.inf),
    "objects": lambda given: np.array([object()] * getattr(given, "n_queries", 1), dtype=object),
    "dates": lambda given: np.full(getattr(given, "n_queries", 1), np.datetime64("2020-01-01")),
    "an endless one": lambda given: iter(int, 1),
}  # fmt: skip
VALUES = ("NaN", "infinity")
"""What is a value for each query, though no good one."""
HANGING = ("an endless one",)
"""Nothing can be done against these but not to use the plugin."""


@dataclass
class Now:
    """What the package does at present, and where."""

    how: str = "None"
    where: str = "measure"


now = Now()


def misbehave(place: str, given: Any) -> object:
    """Do the present misdeed, if this is its place; else nothing."""
    how = now.how
    if how == "none yet" and place == "measure":
        return np.ones(given.n_queries)
    return MISDEEDS[how](given) if place == now.where and how in MISDEEDS else None


# --- what becomes of the rest ---


class Trial:
    """One misdeed at one place; ``faults`` are sentences."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.faults: list[str] = []
        self.tries = 0
        self.values = self._values(BUILT_IN)
        for name, text in (
            ("a.qrels", "".join(f"{q} 0 {d} {n % 3}\n" for q in UNSEEN[:9] for n, d in enumerate(UNSEEN))),
            ("a.run", "".join(f"{q} Q0 {d} {n} {9 - n / 7} a\n" for q in UNSEEN[:9] for n, d in enumerate(UNSEEN, 1))),
            ("mystery", "⁂ nothing that anybody knows\n⁂ nor this\n"),
        ):
            (folder / name).write_text(text, encoding="utf-8")

    def path(self, name: str) -> str:
        """Return the path of one of the files."""
        return str(self.folder / name)

    @staticmethod
    def _values(measures: list[str]) -> dict[str, dict[str, float]]:
        result = evaluate(QRELS, [RUN], measures)
        return {name: dict(result.by_query(name)) for name in BUILT_IN}

    def attempt(self, what: str, work: Callable[[], object]) -> object:
        """Do something; what it returns, or its error of one line. Anything else is a fault."""
        self.tries += 1
        said = sys.stdout
        own = io.StringIO()
        sys.stdout = own
        try:
            return work()
        except IrviewerError as error:
            text = str(error)
            if not text.isprintable() or len(text) > 1200:
                self.fault(what, f"an error of {len(text)} characters: {text[:80]!r}")
            return None
        except BaseException as error:  # what must not pass is what this is there to find
            self.fault(what, f"raised {type(error).__name__}")
            return None
        finally:
            if sys.stdout is not own or own.closed:
                self.fault(what, "standard output is another")
            elif "plugin" in own.getvalue() and not what.startswith("command"):
                self.fault(what, "its lines are in our output")
            self.output = "" if own.closed else own.getvalue()
            sys.stdout = said
            np.seterr(all="warn")

    def fault(self, what: str, text: str) -> None:
        """Note a fault."""
        self.faults.append(f"{now.how} in {now.where}: {what}: {text}")

    def measure(self) -> None:
        """Compute the measure beside built-in ones."""
        values = self.attempt("values", lambda: self._values([*BUILT_IN[:2], "Misdeed", *BUILT_IN[2:]]))
        if values is not None and values != self.values:
            self.fault("values", "built-in measures have others")
        if self.attempt("values afterwards", lambda: self._values(BUILT_IN)) != self.values:
            self.fault("values afterwards", "built-in measures have others")
        args = ["evaluate", self.path("a.qrels"), self.path("a.run"), "-m", "AP Misdeed RR", "--format", "csv"]
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            status = self.attempt("command", lambda: command_line(args))
        rows = self.output.splitlines()
        if status == 0 and any(row.count(",") < 3 for row in rows):
            self.fault("command", f"its lines are in the table: {rows[:2]}")
        if status not in (0, 2) or (status == 2 and ("Misdeed" not in errors.getvalue() or rows)):
            self.fault("command", f"status {status}: {errors.getvalue()[:200]!r}")

        def in_a_session() -> object:
            session = Session(Settings())
            session.files.open_files([self.path("a.qrels"), self.path("a.run")])
            deed = now.how
            try:
                for begin in (deed, "none yet"):  # from the first value, or from a later one
                    now.how = begin
                    session.evaluation.set_measure("Misdeed")
                    now.how = deed
                    session.protocol.set(level=2)
                    for place in ("systems", "query", "queries"):
                        session.navigation.set_place(place)
                        session.view_models.systems_view_model()
                        session.view_models.query_view_model()
                        session.view_models.queries_view_model()
                        every(session)
                    session.protocol.set(level=1)
                    session.evaluation.set_measure("AP")
            except IrviewerError as error:
                self.fault("session", f"raised {error!r:.200}")
            if deed not in VALUES and not any("Misdeed" in message.text for message in session.view.messages):
                self.fault("session", "nothing is said")
            view_model = session.view_models.query_view_model()
            assert view_model is not None
            value = view_model.columns[0].value
            session.close()
            return value

        self.attempt("session", in_a_session)

    def format(self) -> None:
        """Open files beside one that the format could be of; write one."""
        loaded = self.attempt("load", lambda: load(self.path("mystery"), kind="run"))
        named = self.attempt("load as it", lambda: load(self.path("mystery"), kind="run", format="misbehaving"))
        if loaded is not None or named is not None:
            self.fault("load", "something was read")

        def in_a_session() -> object:
            session = Session(Settings())
            session.files.open_files([self.path(name) for name in ("a.qrels", "mystery", "a.run")])
            collection = session.view.collection
            if collection is None or len(collection.runs) != 1 or not collection.judgments:
                self.fault("session", "the other files are not open")
            if not any(message.level in (Level.WARNING, Level.ERROR) for message in session.view.messages):
                self.fault("session", "nothing is said")
            session.close()
            return None

        self.attempt("session", in_a_session)
        for args in (
            ["convert", self.path("mystery"), self.path("out.run")],
            ["convert", self.path("a.run"), self.path("out.mis")],
        ):
            with contextlib.redirect_stderr(io.StringIO()) as errors:
                status = self.attempt("command", lambda args=args: command_line(args))
            if status not in (0, 2) or (status == 2 and not errors.getvalue().strip()):
                self.fault("command", f"{args[0]} ends with {status}: {errors.getvalue()[:200]!r}")
        if self.attempt("values afterwards", lambda: self._values(BUILT_IN)) != self.values:
            self.fault("values afterwards", "built-in measures have others")


def main() -> int:
    """Try every misdeed at every place; 1 if there is a fault."""
    sys.modules["misbehaving"] = sys.modules["__main__"]
    folder = Path(sys.argv[1])
    install(folder / "installed")
    os.environ.setdefault("IRVIEWER_CONFIG_DIR", str(folder / "config"))
    warnings.simplefilter("ignore")
    trial = Trial(folder)
    places = 0
    for how in MISDEEDS:
        if how in HANGING:
            continue
        for where in ("measure", "sniff", "read", "write"):
            places += 1
            now.how, now.where = how, where
            trial.measure() if where == "measure" else trial.format()
    for fault in trial.faults:
        print(fault)
    print(json.dumps({"misdeeds": places, "tries": trial.tries, "faults": len(trial.faults)}))
    return 1 if trial.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
