"""What README shows is what happens: the commands' outputs, the Python example, the keys."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from irviewer.commands import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)


def _run(*words: str) -> str:
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("block", _blocks("console"), ids=lambda block: " ".join(block.split()[1:3]))
def test_command(block: str) -> None:
    command, _, expected = block.partition("\n")
    dollar, program, *words = shlex.split(command)
    assert (dollar, program) == ("$", "irviewer")
    assert _run("-m", "irviewer", *words) == expected


def test_python() -> None:
    for code, expected in zip(_blocks("python"), _blocks("text"), strict=True):
        assert _run("-c", code) == expected


def test_keys() -> None:
    """The table is the registry's commands that have a key, in their order."""
    shown = re.findall(r"^\| (`.*) \| (.*) \|$", README, re.M)
    assert shown == [
        (" or ".join(f"`{keys}`" for keys in command.shortcuts), command.title.rstrip("…"))
        for command in COMMANDS
        if command.shortcuts
    ]


def test_pictures_are_the_ones_that_are_made() -> None:
    names = re.findall(r"!\[[^\]]*\]\(packaging/pictures/([^)]+)\)", README)
    script = (ROOT / "packaging" / "pictures.py").read_text("utf-8")
    assert len(names) >= 3
    assert sorted(names) == sorted(re.findall(r'"(\w+\.png)":', script))
