"""Firefox for Selenium without a driver's program: WebDriver's commands are sent by Marionette, the protocol that
Firefox itself speaks and geckodriver translates to.

Messages are ``length:json`` over TCP: ``[0, id, command, parameters]`` is answered by ``[1, id, error, result]``.
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

Remote = pytest.importorskip("selenium.webdriver").Remote
ArgOptions = pytest.importorskip("selenium.webdriver.common.options").ArgOptions
ClientConfig = pytest.importorskip("selenium.webdriver.remote.client_config").ClientConfig
Command = pytest.importorskip("selenium.webdriver.remote.command").Command
RemoteConnection = pytest.importorskip("selenium.webdriver.remote.remote_connection").RemoteConnection

SECONDS = 60
COMMANDS = {
    Command.NEW_SESSION: "WebDriver:NewSession",
    Command.QUIT: "Marionette:Quit",
    Command.GET: "WebDriver:Navigate",
    Command.REFRESH: "WebDriver:Refresh",
    Command.W3C_EXECUTE_SCRIPT: "WebDriver:ExecuteScript",
    Command.W3C_EXECUTE_SCRIPT_ASYNC: "WebDriver:ExecuteAsyncScript",
    Command.FIND_ELEMENT: "WebDriver:FindElement",
    Command.FIND_ELEMENTS: "WebDriver:FindElements",
    Command.FIND_CHILD_ELEMENT: "WebDriver:FindElement",
    Command.FIND_CHILD_ELEMENTS: "WebDriver:FindElements",
    Command.W3C_GET_ACTIVE_ELEMENT: "WebDriver:GetActiveElement",
    Command.CLICK_ELEMENT: "WebDriver:ElementClick",
    Command.CLEAR_ELEMENT: "WebDriver:ElementClear",
    Command.SEND_KEYS_TO_ELEMENT: "WebDriver:ElementSendKeys",
    Command.GET_ELEMENT_TEXT: "WebDriver:GetElementText",
    Command.GET_ELEMENT_RECT: "WebDriver:GetElementRect",
    Command.IS_ELEMENT_ENABLED: "WebDriver:IsElementEnabled",
    Command.SET_WINDOW_RECT: "WebDriver:SetWindowRect",
    Command.SWITCH_TO_FRAME: "WebDriver:SwitchToFrame",
    Command.W3C_GET_CURRENT_WINDOW_HANDLE: "WebDriver:GetWindowHandle",
    Command.SWITCH_TO_WINDOW: "WebDriver:SwitchToWindow",
    Command.NEW_WINDOW: "WebDriver:NewWindow",
    Command.CLOSE: "WebDriver:CloseWindow",
    "context": "Marionette:SetContext",
}
"""The commands that tests use, with Marionette's names."""
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element's reference in WebDriver."""
SETTINGS = {"marionette.port": 0}
"""Any free port."""
FAULTS = """return Services.console.getMessageArray()
    .filter((each) => each instanceof Ci.nsIScriptError && /^(file|data|about|https?):/.test(each.sourceName))
    .map((each) => `${each.sourceName}:${each.lineNumber}: ${each.errorMessage}`)"""


class Marionette(RemoteConnection):
    """A connection to the Firefox that listens on a port of this machine."""

    def __init__(self, port: int) -> None:
        super().__init__(client_config=ClientConfig(f"http://127.0.0.1:{port}"))
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self._stream = self._socket.makefile("rb")
        self._sent = 0
        self._read()  # its greeting

    def _read(self) -> Any:
        length = b""
        while (digit := self._stream.read(1)) != b":":
            assert digit, "Firefox has ended"
            length += digit
        return json.loads(self._stream.read(int(length)))

    def execute(self, command: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """The answer to a command of WebDriver, as a driver's program gives it."""
        self._sent += 1
        message = json.dumps([0, self._sent, COMMANDS[command], parameters(command, params or {})]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        kind, number, error, result = self._read()
        assert (kind, number) == (1, self._sent)
        if error:
            return {"status": 500, "value": json.dumps({"value": error})}
        return {"value": result["value"] if isinstance(result, dict) and set(result) == {"value"} else result}

    def close(self) -> None:
        self._stream.close()
        self._socket.close()
        super().close()


def parameters(command: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What Marionette wants to be told of the parameters of a command of WebDriver."""
    wanted = {name: value for name, value in given.items() if name != "sessionId"}
    if command == Command.NEW_SESSION:
        return dict(wanted["capabilities"]["alwaysMatch"])
    if command == Command.QUIT:
        return {"flags": ["eForceQuit"]}
    if command in (Command.FIND_CHILD_ELEMENT, Command.FIND_CHILD_ELEMENTS):
        wanted["element"] = wanted.pop("id")
    if isinstance(wanted.get("id"), dict):
        wanted["element"] = wanted.pop("id")[ELEMENT]
    return wanted


class Firefox(Remote):
    """A Firefox without a window."""

    def __init__(self, program: str, folder: Path) -> None:
        """``folder`` takes its profile and its log."""
        profile = folder / "profile"
        profile.mkdir()
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in SETTINGS.items()]
        (profile / "user.js").write_text("".join(lines), encoding="utf-8")
        self.log = folder / "firefox.log"
        with self.log.open("wb") as log:
            command = [program, "--headless", "--no-remote", "--marionette", "--remote-allow-system-access"]
            self._process = subprocess.Popen(
                [*command, "-profile", str(profile), "about:blank"], stdout=log, stderr=log
            )
        try:
            super().__init__(Marionette(self._port(profile / "MarionetteActivePort")), options=Options())
        except BaseException:
            self._process.kill()
            self._process.wait()
            raise

    def _port(self, path: Path) -> int:
        end = time.monotonic() + SECONDS
        while not (path.exists() and (text := path.read_text().strip())):
            assert self._process.poll() is None, self.log.read_text(errors="replace")
            assert time.monotonic() < end, "Firefox does not listen"
            time.sleep(0.05)
        return int(text)

    def faults(self) -> list[str]:
        """What the console says of pages: errors, warnings, and what a policy refused."""
        self.execute("context", {"value": "chrome"})
        try:
            return list(self.execute_script(FAULTS))
        finally:
            self.execute("context", {"value": "content"})

    def quit(self) -> None:
        """End the browser, also one that does not answer."""
        try:
            super().quit()
            self._process.wait(SECONDS)
        finally:
            self._process.kill()
            self._process.wait()


class Options(ArgOptions):
    """The capabilities that are asked for."""

    @property
    def default_capabilities(self) -> dict[str, str]:
        return {"browserName": "firefox"}

    def to_capabilities(self) -> dict[str, Any]:
        return dict(self._caps)
