"""docs/plugins.md: the package that it makes does what it says, installed as any other package is."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from pathlib import Path

import pytest
from one_process import results

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "plugins.md").read_text("utf-8")


def install(folder: Path) -> None:
    """The package of the guide's pyproject.toml and modules, as an installer leaves it in a folder of the path."""
    for name, text in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", GUIDE, re.M | re.S):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(text)
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in values.items())
        for group, values in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(points))


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    installed = tmp_path / "installed"
    installed.mkdir()
    install(installed)
    return installed


def test_the_commands_print_what_the_guide_shows(folder: Path, tmp_path: Path) -> None:
    data_folder = tmp_path / "data"
    data_folder.mkdir()
    for name in ("qrels.txt", "ours.pipes", "costs.csv"):
        (folder / name).rename(data_folder / name)
    (session,) = re.findall(r"^```console\n(.*?)^```$", GUIDE, re.M | re.S)
    commands = re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", session, re.M)
    assert len(commands) == 6
    lines = [shlex.split(line) for line, _ in commands]
    assert {words[0] for words in lines} == {"irviewer"}
    printed = results([words[1:] for words in lines], data_folder, environment(folder))
    for (line, shown), done in zip(commands, printed, strict=True):
        assert (done.returncode, done.stdout) == (0, shown), f"{line}\n{done.stdout}{done.stderr}"


def test_both_are_listed(folder: Path, tmp_path: Path) -> None:
    formats, measures = results([["formats"], ["measures"]], tmp_path, environment(folder))
    assert re.search(r"^pipes +run +run +\.pipes$", formats.stdout, re.M)
    assert formats.stderr == ""
    assert "Hits(rel=1, weight=1.0)@k?" in measures.stdout
    assert re.search(r"^Reach@k +Share of queries with a relevant document in the top k$", measures.stdout, re.M)
