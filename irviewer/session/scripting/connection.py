"""The window's end of the connection to the Python process that opened it.

A thread waits for requests; each is carried out on the thread of the session, and answered. If the other end is closed,
the window stays as it is."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, Listener
from typing import TYPE_CHECKING, Any

from irviewer.errors import IrviewerError
from irviewer.formats.protocol_file import parse_protocol
from irviewer.formats.viewer_protocol import SECRET, ViewerMessage, qrels_from, qrels_table, receive, run_from, send
from irviewer.model.texts import TextTable
from irviewer.session.protocol.files import with_files
from irviewer.session.scripting.actions import GivenData
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

Post = Callable[[Callable[[], None]], None]

CLOSING_TIME = 3.0
"""Seconds that a closing window waits for the Python process to read the user's work."""


class ScriptConnection:
    """Listens at an address for one connection with the right secret, and answers its requests.

    ``post`` runs a call on the thread of the session, and ``close_window`` is called there on request. Call
    :meth:`close` there when the window closes: it sends the user's judgments, query sets and selection, so that they
    can be read afterwards. It waits at most ``closing_time`` seconds for a process that is stopped or reads slowly."""

    def __init__(
        self, session: Session, address: str, secret: bytes, post: Post,
        close_window: Callable[[], object] = lambda: None, *, closing_time: float = CLOSING_TIME,
    ) -> None:  # fmt: skip
        self._session = session
        self._post = post
        self._close_window = close_window
        self._closing_time = closing_time
        self._listener = Listener(address, authkey=secret)
        self._connection: Connection[Any, Any] | None = None
        self._closed = False
        self._sending = threading.Lock()
        self._thread = threading.Thread(target=self._listen, name="irviewer_script_connection", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Send the user's work and close the connection. May be called twice."""
        if self._closed:
            return
        self._closed = True
        if self._connection is not None:
            self._say_goodbye(self._connection)
        with contextlib.suppress(OSError):
            self._listener.close()

    def _say_goodbye(self, connection: Connection[Any, Any]) -> None:
        try:
            message = ViewerMessage("closing", 0, *_work(self._session))
        except IrviewerError:  # the collection was closed before: there is nothing to send
            message = None

        def send_and_close() -> None:
            with contextlib.suppress(OSError, ValueError):
                if message is not None:
                    self._send(message)
            with contextlib.suppress(OSError):
                connection.close()

        # A daemon: it does not keep the program running for a process that never reads.
        thread = threading.Thread(target=send_and_close, name="irviewer_script_closing", daemon=True)
        thread.start()
        thread.join(self._closing_time)

    # --- the thread ---

    def _listen(self) -> None:
        try:
            while self._connection is None and not self._closed:
                with contextlib.suppress(AuthenticationError, EOFError):
                    self._connection = self._listener.accept()
            while not self._closed and self._connection is not None:
                self._carry_out(receive(self._connection))
        except (EOFError, OSError, ValueError):
            return  # the other end is gone, or this one is closing: the window goes on without it

    def _carry_out(self, request: ViewerMessage) -> None:
        try:
            call = prepare(self._session, request)
        except IrviewerError as failure:
            self._reply(request, ViewerMessage("error", request.number, {"text": str(failure)}))
            return

        def answer() -> None:
            if self._closed:
                return
            try:
                values, tables = call()
            except IrviewerError as failure:
                self._reply(request, ViewerMessage("error", request.number, {"text": str(failure)}))
            else:
                self._reply(request, ViewerMessage("reply", request.number, values, tables))
                if request.kind == "close":
                    self._close_window()

        self._post(answer)

    def _reply(self, request: ViewerMessage, message: ViewerMessage) -> None:
        # A large table must not wait on the thread of the window for a process that reads slowly.
        def reply() -> None:
            with contextlib.suppress(OSError, ValueError):
                self._send(message)

        threading.Thread(target=reply, name="irviewer_script_reply", daemon=True).start()

    def _send(self, message: ViewerMessage) -> None:
        if self._connection is None:
            return
        with self._sending:
            send(self._connection, message)


def take_secret() -> bytes:
    """Return the secret in the environment, which processes that are started later do not see; empty without one."""
    return bytes.fromhex(os.environ.pop(SECRET, ""))


Answer = tuple[dict[str, Any], dict[str, Any]]


def prepare(session: Session, request: ViewerMessage) -> Callable[[], Answer]:
    """Return the call that carries out a request on the thread of the session and returns values and tables. Decodes
    the request's tables, on the thread of the caller. Raises IrviewerError for a request that is not known."""
    scripting, values = session.scripting, request.values
    match request.kind:
        case "open":
            given = _given(request)

            def open_data() -> Answer:
                scripting.open_data(given)
                return {}, {}

            return open_data
        case "open_files":

            def open_files() -> Answer:
                session.files.open_files([str(path) for path in values["paths"]])
                return {}, {}

            return open_files
        case "adopt":
            return lambda: ({"open": _adopted(session)}, {})
        case "add":
            runs = [run_from(request.tables[f"run_{number}"], name) for number, name in enumerate(values["names"])]
            return lambda: ({"names": list(scripting.add_runs(runs))}, {})
        case "select":
            chosen = {name: values.get(name) for name in ("query", "document", "measure", "queries")}

            def select() -> Answer:
                scripting.select(**chosen)
                return {}, {}

            return select
        case "protocol":
            declared = with_files(parse_protocol(str(values["text"])))

            def declare() -> Answer:
                session.protocol.declare(declared, "Python")
                return {}, {}

            return declare
        case "close":
            return lambda: ({}, {})
        case "get":
            return lambda: _got(session, str(values["what"]))
    raise IrviewerError(tr("The window does not know the request {request!r}.", request=request.kind))


def _adopted(session: Session) -> bool:
    """Return True once the files that were asked for are open."""
    if session.busy is not None or session.view.collection is None:
        failure = next((message.text for message in session.state.messages if message.level.name == "ERROR"), None)
        if session.busy is None and failure is not None:
            raise IrviewerError(failure)
        return False
    session.scripting.adopt()
    return True


def _given(request: ViewerMessage) -> GivenData:
    values, tables = request.values, request.tables
    texts = {kind: TextTable(tables[kind], kind) if kind in tables else None for kind in ("queries", "documents")}
    return GivenData(
        values["name"],
        qrels_from(tables["qrels"], values["qrels"]) if "qrels" in tables else None,
        tuple(run_from(tables[f"run_{number}"], name) for number, name in enumerate(values["names"])),
        texts["queries"],
        texts["documents"],
        values.get("baseline") or "",
    )


def _got(session: Session, what: str) -> Answer:
    scripting = session.scripting
    match what:
        case "selection":
            return dict(scripting.selection()), {}
        case "judgments":
            return {}, {"judgments": scripting.judgments()}
        case "query_sets":
            return {}, {"query_sets": scripting.query_sets()}
        case "qrels":
            qrels = scripting.qrels()
            return ({"name": None}, {}) if qrels is None else ({"name": qrels.name}, {"qrels": qrels_table(qrels)})
        case "everything":
            return _work(session)
    raise IrviewerError(tr("The window does not know the request {request!r}.", request=what))


def _work(session: Session) -> Answer:
    """Return the selection, and the tables of judgments and query sets."""
    scripting = session.scripting
    tables = {"judgments": scripting.judgments(), "query_sets": scripting.query_sets()}
    qrels = scripting.qrels()
    if qrels is not None:
        tables["qrels"] = qrels_table(qrels)
    return {**scripting.selection(), "name": None if qrels is None else qrels.name}, tables
