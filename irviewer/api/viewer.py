"""``irviewer.view``: the window, opened from Python, with data and selections in both directions.

The window is a process of its own, started with the same interpreter. Messages go over a local socket (a named pipe on
Windows) in a folder that only the user can read; both ends prove a secret first, and data are Arrow tables, never
pickles. Closing the window or ending Python leaves the other as it is."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection
from os import PathLike
from pathlib import Path
from typing import Any, Self

from irviewer.api.protocols import AnyProtocol
from irviewer.api.sources import AnyQrels, AnyRun, AnyRuns, Sources
from irviewer.api.texts import AnyTexts, text_table
from irviewer.errors import IrviewerError, OptionError
from irviewer.formats.protocol_file import protocol_text, read_protocol
from irviewer.formats.viewer_protocol import (
    SECRET,
    ViewerMessage,
    qrels_from,
    qrels_table,
    receive,
    run_table,
    send,
)
from irviewer.installed.parts import require_window
from irviewer.measures.base import Measure
from irviewer.model.arguments import checked
from irviewer.model.exported import Exported
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.run_names import further_names, run_place
from irviewer.tables import column
from irviewer.tables.table import Table
from irviewer.translation import tr
from irviewer.views.registered import view_of
from irviewer.views.result import ViewResult

STARTING = 60.0
"""Seconds that the window may take to start."""
WAITING = 60.0
"""Seconds that an answer of the window may take: it answers from its main thread, between the user's actions."""


@dataclass(frozen=True)
class ViewerSelection(Exported):
    """What is selected in the window: as fields, and as two tables, ``queries`` (query_id; selected and brushed: true
    or false) and ``documents`` (query_id, doc_id), which ``to_pandas()``, ``to_polars()`` and ``to_arrow()`` return by
    their names; without a name the queries.

    query      id of the query
    document   id of the document, None without one
    measure    the measure
    queries    ids of the brushed queries, in the order of the collection
    runs       names of the shown runs
    baseline   name of the baseline, None without one
    query_set  name of the query set that values are computed over, "" for all queries
    """

    query: str
    document: str | None
    measure: str
    queries: tuple[str, ...]
    runs: tuple[str, ...]
    baseline: str | None
    query_set: str


@dataclass(frozen=True, eq=False, repr=False)
class ViewerTable(Exported):
    """A table of what the user made in the window; ``to_pandas()``, ``to_polars()`` and ``to_arrow()`` return it."""

    name: str
    title: str
    table: Any

    def __len__(self) -> int:
        return int(self.table.num_rows)


@view_of.register
def _(value: ViewerSelection) -> ViewResult:
    queries = list(dict.fromkeys((*([value.query] if value.query else ()), *value.queries)))
    documents = [] if value.document is None else [value.document]
    return ViewResult(value, (
        Table("queries", tr("Selected and brushed queries"), (
            column.identifier("query_id", tr("query"), queries),
            column.flag("selected", tr("selected"), [query == value.query for query in queries]),
            column.flag("brushed", tr("brushed"), [query in set(value.queries) for query in queries]),
        ), opens="query"),
        Table("documents", tr("Selected documents"), (
            column.identifier("query_id", tr("query"), [value.query] * len(documents)),
            column.identifier("doc_id", tr("document"), documents),
        ), opens="document"),
    ))  # fmt: skip


@view_of.register
def _(value: ViewerTable) -> ViewResult:
    columns = []
    for name in value.table.column_names:
        values = value.table[name].to_pylist()
        numbers = any(isinstance(each, int | float) for each in values)
        columns.append((column.number if numbers else column.text)(name, name, values))
    return ViewResult(value, (Table(value.name, value.title, tuple(columns)),))


class Viewer:
    """A window that was opened with :func:`view`.

    Every property asks the window. After the window was closed they return what they had last; methods that would
    change the window raise IrviewerError. In ``with`` the connection ends with the block; the window stays open."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path, connection: Connection[Any, Any]) -> None:
        self._process = process
        self._folder = folder
        self._connection = connection
        self._number = 0
        self._asking = threading.Lock()
        self._arrived = threading.Condition()
        self._replies: dict[int, ViewerMessage] = {}
        self._last: ViewerMessage | None = None
        self._gone = threading.Event()
        threading.Thread(target=self._listen, name="irviewer_viewer", daemon=True).start()

    def __repr__(self) -> str:
        return f"Viewer({'open' if self.is_open else 'closed'})"

    @property
    def is_open(self) -> bool:
        """Whether the window is open."""
        return not self._gone.is_set()

    @property
    def selection(self) -> ViewerSelection:
        """The selection. Raises IrviewerError if the collection was closed in the window."""
        values = self._ask("get", {"what": "selection"}).values
        return ViewerSelection(
            values["query"], values["document"], values["measure"], tuple(values["queries"]), tuple(values["runs"]),
            values["baseline"], values["query_set"],
        )  # fmt: skip

    @property
    def judgments(self) -> ViewerTable:
        """The user's judgments: query_id, doc_id, grade (null: judgment removed), former_grade (null: was unjudged),
        judge, time (ISO 8601, UTC), note."""
        table = self._ask("get", {"what": "judgments"}).tables["judgments"]
        return ViewerTable("judgments", tr("Judgments made in the window"), table)

    @property
    def query_sets(self) -> ViewerTable:
        """The query sets, a row per query of each set: query_set, query_id."""
        table = self._ask("get", {"what": "query_sets"}).tables["query_sets"]
        return ViewerTable("query_sets", tr("Query sets of the window"), table)

    @property
    def qrels(self) -> Qrels | None:
        """The qrels in use with the user's judgments applied, for :func:`irviewer.evaluate`; None without qrels."""
        reply = self._ask("get", {"what": "qrels"})
        return qrels_from(reply.tables["qrels"], reply.values["name"]) if "qrels" in reply.tables else None

    def add(self, run: AnyRun, name: str | None = None, *, columns: Mapping[str, str] | None = None) -> str:
        """Add a run to the collection in the window and show it; return its name there. Raises OptionError for a value
        that is no run, IrviewerError if the window or the collection is closed."""
        sources = Sources(columns)
        value = sources.run(run)
        sources.check()
        value = value if name is None else value.renamed(name)
        reply = self._ask("add", {"names": [value.name]}, {"run_0": run_table(value)})
        return str(reply.values["names"][0])

    def select(
        self, *, query: Any = None, document: Any = None, measure: str | Measure | None = None,
        queries: Iterable[Any] | None = None,
    ) -> None:  # fmt: skip
        """Select a query, a document of it, a measure, or brush ``queries`` in the window. Raises IrviewerError for one
        that does not exist; then nothing is selected."""
        self._ask(
            "select",
            {
                "query": None if query is None else str(query),
                "document": None if document is None else str(document),
                "measure": None if measure is None else str(measure),
                "queries": None if queries is None else [str(each) for each in queries],
            },
        )

    def follow(self) -> None:
        """In a notebook or IPython: add each run that a cell ends with from now on, such as ``irviewer.fuse(…)`` or
        ``irviewer.Run(frame)``, until the window is closed. Raises IrviewerError elsewhere."""
        loaded = sys.modules.get("IPython")
        shell = None if loaded is None else loaded.get_ipython()
        if shell is None:
            raise IrviewerError(tr("Only a notebook or IPython can be followed; elsewhere add runs with add(run)."))
        shell.events.register("post_run_cell", self._follow)

    def _follow(self, cell: Any) -> None:
        """Add the run that a cell ended with."""
        value = getattr(cell, "result", None)
        if isinstance(value, Run) and self.is_open:
            self.add(value)

    def wait(self) -> None:
        """Wait until the window is closed, for a script that should not end before."""
        self._process.wait()
        with self._arrived:
            self._arrived.wait_for(self._gone.is_set, WAITING)

    def close(self) -> None:
        """Close the window, without asking there about work that is not saved: selection, judgments, query sets and
        qrels can be read here afterwards. Raises IrviewerError if the window does not close."""
        if self.is_open:
            self._remember()
            with contextlib.suppress(IrviewerError):  # closed meanwhile
                self._ask("close", {})
        try:
            self._process.wait(WAITING)
        except subprocess.TimeoutExpired:
            raise IrviewerError(tr("The window did not close within {seconds:.0f} seconds.", seconds=WAITING)) from None
        with self._arrived:
            self._arrived.wait_for(self._gone.is_set, WAITING)

    def disconnect(self) -> None:
        """End the connection. The window stays open with all its data; what it had can be read here afterwards."""
        self._remember()
        with contextlib.suppress(OSError):
            self._connection.close()
        self._forget()

    def _remember(self) -> None:
        """Keep what the window has, for reading it when the window can no longer be asked."""
        if self.is_open:
            with contextlib.suppress(IrviewerError):  # the collection was closed
                self._last = self._ask("get", {"what": "everything"})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.disconnect()

    # --- the connection ---

    def _ask(self, kind: str, values: Mapping[str, Any], tables: Mapping[str, Any] | None = None) -> ViewerMessage:
        with self._asking:
            self._number += 1
            number = self._number
            if self._gone.is_set():
                return self._remembered(kind, values)
            try:
                send(self._connection, ViewerMessage(kind, number, values, tables or {}))
            except (OSError, ValueError):
                return self._remembered(kind, values)
            with self._arrived:
                self._arrived.wait_for(lambda: number in self._replies or self._gone.is_set(), WAITING)
                reply = self._replies.pop(number, None)
        if reply is None:
            if self._gone.is_set():
                return self._remembered(kind, values)
            raise IrviewerError(tr("The window did not answer within {seconds:.0f} seconds.", seconds=WAITING))
        if reply.kind == "error":
            raise IrviewerError(str(reply.values["text"]))
        return reply

    def _remembered(self, kind: str, values: Mapping[str, Any]) -> ViewerMessage:
        if kind == "get" and self._last is not None:
            return self._last
        raise IrviewerError(tr("The window is closed."))

    def _listen(self) -> None:
        try:
            while True:
                message = receive(self._connection)
                with self._arrived:
                    if message.kind == "closing":
                        self._last = message
                    else:
                        self._replies[message.number] = message
                    self._arrived.notify_all()
        except (EOFError, OSError, ValueError, TypeError):  # TypeError: closed here while it was read
            self._forget()

    def _forget(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)  # before anybody who waits goes on
        with self._arrived:
            self._gone.set()
            self._arrived.notify_all()


@checked
def view(
    qrels: AnyQrels | None = None,
    runs: AnyRuns | None = None,
    *,
    queries: AnyTexts | None = None,
    documents: AnyTexts | None = None,
    name: str = "Python",
    measure: str | Measure | None = None,
    baseline: str | None = None,
    columns: Mapping[str, str] | None = None,
    protocol: AnyProtocol | None = None,
    watch: bool = False,
) -> Viewer:
    """Open the window with qrels and runs: files, data frames, dictionaries, or values of other libraries, as
    :func:`irviewer.evaluate` takes them. Returns when the window has the data, which takes some seconds: its process
    starts, and reads the files. It does not wait until the window is closed; ``Viewer.wait`` does.

    queries, documents   their texts: a file, ``{id: text}``, ``{id: {column: value}}`` or a data frame
    name                 the name of the collection in the window
    measure, baseline    the measure and the baseline run to select; None: the program's choice
    columns              names of columns in data frames, ``{"doc": "chunk_id"}``
    protocol             the protocol to declare, a value or its file
    watch                read files again when they change, without asking

    If everything given is files, the window opens the files themselves, and notices when they change. All other data
    are sent to it, and kept by the projects it saves.

    >>> viewer = irviewer.view(qrels, {"bm25": frame, "dense": run})  # doctest: +SKIP
    >>> viewer.selection.query                                        # doctest: +SKIP

    Raises IrviewerError if the window is not installed or cannot start, OptionError or ParseError for the data."""
    require_window()
    declared = "" if protocol is None else _protocol_text(protocol)
    paths = _paths(qrels, runs, queries, documents) if columns is None else None
    request = ViewerMessage("open_files", values={"paths": paths}) if paths else _data(
        qrels, runs, queries, documents, name, baseline, columns
    )  # fmt: skip
    viewer = start("--watch") if watch else start()
    try:
        viewer._ask(request.kind, request.values, request.tables)
        while paths and not viewer._ask("adopt", {}).values["open"]:
            time.sleep(0.05)
        if declared:
            viewer._ask("protocol", {"text": declared})
        if measure is not None:
            viewer.select(measure=measure)
    except BaseException:
        viewer._process.terminate()
        viewer._process.wait()
        viewer.disconnect()
        raise
    return viewer


def _protocol_text(protocol: AnyProtocol) -> str:
    """Return a protocol as text with whole paths. Raises ParseError, OptionError."""
    value = protocol
    if not isinstance(value, EvaluationProtocol):
        value = read_protocol(Path(value).resolve())
    return protocol_text(value)


def start(*options: str) -> Viewer:
    """Start the window without data, with options of ``irviewer view``, and connect to it. Raises IrviewerError if it
    cannot start."""
    folder = Path(tempfile.mkdtemp(prefix="irviewer-"))  # only the user can read it
    address = rf"\\.\pipe\{folder.name}" if os.name == "nt" else str(folder / "socket")
    secret = secrets.token_bytes(32)
    messages = folder / "messages.txt"
    environment = {**os.environ, SECRET: secret.hex()}
    package = str(Path(__file__).resolve().parents[2])
    if package in sys.path:  # found by a path of this process, which the new one does not have
        environment["PYTHONPATH"] = os.pathsep.join([package, *filter(None, [environment.get("PYTHONPATH")])])
    # Ctrl+C in the terminal of the script must not close the window.
    own_group: dict[str, Any] = (
        {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        if os.name == "nt"
        else {"start_new_session": True}
    )
    with messages.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "irviewer", "view", *options, "--connect", address],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=environment, **own_group,
        )  # fmt: skip
    deadline = time.monotonic() + STARTING
    while True:
        try:
            return Viewer(process, folder, Client(address, authkey=secret))
        except (OSError, EOFError, AuthenticationError):  # not listening yet
            ended = process.poll() is not None
            if ended or time.monotonic() > deadline:
                process.terminate()
                process.wait()
                text = messages.read_text(errors="replace").strip()
                shutil.rmtree(folder, ignore_errors=True)
                reason = text or tr("it did not start within {seconds:.0f} seconds", seconds=STARTING)
                raise IrviewerError(tr("The window cannot be opened: {reason}", reason=reason)) from None
            time.sleep(0.05)


def _paths(*sources: Any) -> list[str] | None:
    """Return all sources as paths if they are files, else None."""
    paths: list[str] = []
    for source in sources:
        each = source if isinstance(source, list | tuple) else [source]
        for path in each:
            if path is None:
                continue
            if not isinstance(path, str | PathLike) or not Path(path).exists():
                return None
            paths.append(str(Path(path).resolve()))
    return paths or None


def _data(
    qrels: AnyQrels | None, runs: AnyRuns | None, queries: AnyTexts | None, documents: AnyTexts | None, name: str,
    baseline: str | None, columns: Mapping[str, str] | None,
) -> ViewerMessage:  # fmt: skip
    sources = Sources(columns)
    read_qrels: Qrels | None = None
    read_runs: list[Run] = []
    if qrels is not None and runs is not None:
        read_qrels, read_runs = sources.both(qrels, runs)
    elif qrels is not None:
        read_qrels = sources.qrels(qrels)
    elif runs is not None:
        read_runs = sources.runs(runs)
    if read_qrels is None and not read_runs:
        raise OptionError(tr("Give qrels, runs, or both."))
    sources.check()
    names = [run.name for run in read_runs]
    if baseline is not None:
        baseline = names[run_place(baseline, names, (), further_names(read_runs))]
    tables = {f"run_{number}": run_table(run) for number, run in enumerate(read_runs)}
    if read_qrels is not None:
        tables["qrels"] = qrels_table(read_qrels)
    for kind, texts in (("queries", queries), ("documents", documents)):
        if texts is not None:
            tables[kind] = text_table(texts, kind).table
    values = {"name": name, "names": names, "baseline": baseline or "", "qrels": read_qrels and read_qrels.name}
    return ViewerMessage("open", values=values, tables=tables)
