"""The manual pages: one for each command, with all its options, and without a fault that mandoc or man knows."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irviewer.cli.commands import COMMANDS

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
import manpages  # noqa: E402 - a script beside the package


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {path.name: path for path in manpages.write(tmp_path_factory.mktemp("man"))}


def test_there_is_a_page_for_each_command(written: dict[str, Path]) -> None:
    assert set(written) == {"irviewer.1", *(f"irviewer-{command.name}.1" for command in COMMANDS)}
    named = re.findall(r"^\.B irviewer (\S+)$", written["irviewer.1"].read_text("ascii"), re.M)
    assert [name.replace("\\-", "-") for name in named] == [command.name for command in COMMANDS]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_page_names_every_option(command: object, written: dict[str, Path]) -> None:
    text = written[f"irviewer-{command.name}.1"].read_text("ascii").replace("\\-", "-")  # type: ignore[attr-defined]
    shown = [action for action in command.parser()._actions if action.help != argparse.SUPPRESS]  # type: ignore[attr-defined]
    assert [word for action in shown for word in action.option_strings if word not in text] == []


def test_a_date_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert all('"1970-01-02"' in text for text in manpages.pages().values())


def test_text_is_never_a_request() -> None:
    assert manpages._paragraph(". 'so' a\\b -x") == "\\&. \\(aqso\\(aq a\\eb \\-x\n"
    long = manpages._paragraph("x" * 77 + " .run files")
    assert long == "x" * 77 + "\n\\&.run files\n"


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="there is no mandoc")
def test_mandoc_has_nothing_to_say(written: dict[str, Path]) -> None:
    done = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "all", *written.values()], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.skipif(shutil.which("man") is None or shutil.which("groff") is None, reason="there is no man")
def test_man_shows_them_without_warnings(written: dict[str, Path]) -> None:
    for path in written.values():
        done = subprocess.run(
            ["man", "--warnings", "--locale=C.UTF-8", "-l", str(path)], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), path.name
        assert "SYNOPSIS" in done.stdout
