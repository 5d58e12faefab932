"""``irviewer completion``: the scripts do in their shells what they promise; the shells that are installed try them."""

from __future__ import annotations

import argparse
import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from examples import a_part
from patience import LONG_PROCESS

from irviewer.cli.commands import COMMANDS
from irviewer.cli.commands.completion import FILES, FOLDERS, SHELLS, _actions, _names, _whole, script
from irviewer.cli.main import main

VALUES = {
    "ADDRESS", "ATTRIBUTE", "ATTRIBUTE=N,N", "C", "CHANCE", "CODE", "COLUMN", "CONDITION", "D", "DEPTH", "DOC",
    "FAMILY", "FILTER", "GB", "ID",
    "INTERVAL", "JUDGE", "JUDGE=FAMILY", "JUDGE=ORIGIN", "K", "K,K…", "LOOKS", "N", "NAME", "NAME,NAME", "P",
    "PLACE", "QUERY", "ROLE=COLUMN,…", "RULE", "RUN=FAMILY", "SHARE", "STATISTIC", "SYSTEM", "SYSTEM,SYSTEM",
    "TEST", "TEXT", "VALUE", "VIEW[:NAME=VALUE,…]", "W", "W,W…", "WxH", "X",
}  # fmt: skip
"""What arguments are called that no list and no folder of the disk has the values of."""


def test_every_argument_is_completed_or_a_value_of_its_own() -> None:
    called = {action.metavar for action in _actions(_whole()) if isinstance(action.metavar, str)}
    assert called - VALUES == FILES | FOLDERS | set(_names())
    assert VALUES - called == set()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files to complete, and a program that is not run."""
    for name in ("qrels.txt", "first.run", "second run.run"):
        (tmp_path / name).write_text("")
    (tmp_path / "runs").mkdir()
    return tmp_path


def _bash(folder: Path, line: str) -> list[str]:
    """What bash offers for the last word of a line."""
    (folder / "script").write_text(script("bash"))
    words = line.split(" ")
    code = (
        f"source ./script\nCOMP_WORDS=({' '.join(repr(word) for word in words)})\nCOMP_CWORD={len(words) - 1}\n"
        "_shtab_irviewer\nprintf '%s\\n' \"${COMPREPLY[@]}\""
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", code], cwd=folder, capture_output=True, text=True, check=True, timeout=LONG_PROCESS
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("irviewer comp", ["compare", "completion"]),
        ("irviewer --sam", ["--sample"]),
        ("irviewer gate --non", ["--non-inferior"]),
        ("irviewer evaluate qr", ["qrels.txt"]),
        ("irviewer evaluate qrels.txt fi", ["first.run"]),
        ("irviewer evaluate qrels.txt sec", ["second run.run"]),
        ("irviewer evaluate qrels.txt first.run -m nDC", ["nDCG"]),
        ("irviewer evaluate qrels.txt first.run --format mark", ["markdown"]),
        ("irviewer view --theme con", ["contrast", "contrast-dark"]),
        ("irviewer convert first.run out --to parq", ["parquet"]),
        ("irviewer help cutof", ["cutoff"]),
        ("irviewer completion z", ["zsh"]),
    ],
)
def test_bash(folder: Path, line: str, offered: list[str]) -> None:
    assert sorted(_bash(folder, line)) == offered


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_files_where_a_command_could_be(folder: Path) -> None:
    assert _bash(folder, "irviewer qre") in ([], [""])
    code = "source ./script; complete -p irviewer"
    done = subprocess.run(["bash", "--norc", "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    assert " -o default " in done.stdout


def _typed(shell: list[str], setup: str, keys: str, folder: Path, wanted: str, term: str) -> str:
    """What a shell on a terminal has written when ``wanted`` is on it."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": term, "LANG": "C.UTF-8"}
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe(shell[0], shell, environment)
    written, sent, end = "", False, time.monotonic() + LONG_PROCESS
    try:
        os.write(terminal, f"{setup}; echo rea''dy\n".encode())
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                written += os.read(terminal, 4096).decode("utf-8", "replace")
            if not sent and "ready\r\n" in written:
                sent, written = True, ""
                os.write(terminal, keys.encode())
            if sent and wanted in written:
                break
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(terminal)
    return written


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh; .ci/run installs it")
@pytest.mark.parametrize(
    ("typed", "wanted"),
    a_part(
        [
            ("irviewer gat\t", "gate "),
            ("irviewer qre\t", "qrels.txt"),
            ("irviewer evaluate qre\t", "qrels.txt"),
            ("irviewer evaluate qrels.txt fir\t", "first.run"),
            ("irviewer evaluate qrels.txt first.run --form\t", "--format"),
            ("irviewer help cutof\t", "cutoff"),
        ],
        3,
    ),
)
def test_zsh(folder: Path, typed: str, wanted: str) -> None:
    (folder / "script").write_text(script("zsh"))
    setup = "PS1='> '; autoload -U compinit; compinit -u; eval \"$(cat script)\""
    assert wanted in _typed(["zsh", "-f", "-i"], setup, typed, folder, wanted, "dumb")


@pytest.mark.skipif(shutil.which("tcsh") is None, reason="there is no tcsh; .ci/run installs it")
@pytest.mark.parametrize(("typed", "wanted"), [("irviewer gat\t", "gate "), ("irviewer evaluate qre\t", "qrels.txt")])
def test_tcsh(folder: Path, typed: str, wanted: str) -> None:
    (folder / "script").write_text(script("tcsh"))
    assert wanted in _typed(["tcsh", "-f"], "set prompt='> '; source script", typed, folder, wanted, "vt100")


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert [command.name for command in COMMANDS if command.name not in out] == []


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "cmd"]) == 2
    assert "bash" in capsys.readouterr().err


def test_the_line_of_every_command_is_short() -> None:
    """Shells show a line beside each name."""
    (commands,) = (action for action in _whole()._actions if isinstance(action, argparse._SubParsersAction))
    assert [name for name, parser in commands.choices.items() if len(parser.description or "") > 80] == []
