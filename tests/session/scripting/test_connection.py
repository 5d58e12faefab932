"""The window's end of the connection to Python, beside a process that does not answer."""

from __future__ import annotations

import threading
from multiprocessing.connection import Client
from pathlib import Path

from patience import LONG

from irviewer.formats.viewer_protocol import ViewerMessage, receive, send
from irviewer.model.qrels import Qrels
from irviewer.session.scripting.actions import GivenData
from irviewer.session.scripting.connection import ScriptConnection
from irviewer.session.session import Session


def test_a_process_that_does_not_read_does_not_keep_the_window_open(tmp_path: Path) -> None:
    """A stopped process leaves the work in the pipe, which holds less than these qrels."""
    session = Session()
    large = Qrels.from_dict({"q1": {f"document {number}": 1 for number in range(50_000)}})
    session.scripting.open_data(GivenData("large", large, (), None, None, ""))
    address = str(tmp_path / "s")
    connection = ScriptConnection(session, address, b"secret", lambda call: call(), closing_time=0.0)
    with Client(address, authkey=b"secret") as client:
        send(client, ViewerMessage("get", 1, {"what": "selection"}))
        assert receive(client).kind == "reply"
        closing = threading.Thread(target=connection.close, daemon=True)
        closing.start()
        closing.join(LONG)
        assert not closing.is_alive()
    session.close()
