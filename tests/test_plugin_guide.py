"""docs/plugins.md: the package that it makes does what it says, installed as any other package is."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from one_process import results
from patience import LONG_PROCESS

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


def data_of(folder: Path, tmp_path: Path) -> Path:
    """A folder with the data of the guide: what is in the current folder is no installed package."""
    data_folder = tmp_path / "data"
    data_folder.mkdir()
    for name in ("qrels.txt", "ours.pipes", "costs.csv"):
        (folder / name).rename(data_folder / name)
    return data_folder


def test_the_commands_print_what_the_guide_shows(folder: Path, tmp_path: Path) -> None:
    data_folder = data_of(folder, tmp_path)
    (session,) = re.findall(r"^```console\n(.*?)^```$", GUIDE, re.M | re.S)
    commands = re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", session, re.M)
    assert len(commands) == 6
    lines = [shlex.split(line) for line, _ in commands]
    assert {words[0] for words in lines} == {"irviewer"}
    printed = results([words[1:] for words in lines], data_folder, environment(folder))
    for (line, shown), done in zip(commands, printed, strict=True):
        assert (done.returncode, done.stdout) == (0, shown), f"{line}\n{done.stdout}{done.stderr}"


DOORS = """
import json, sys
import irviewer
from PySide6.QtWidgets import QApplication
from irviewer.gui.tables.model import VALUE
from irviewer.gui.tables.view_panel import ViewPanel
from irviewer.gui.theme import Theme
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session

application = QApplication([])
session = Session()
session.files.open_files(["qrels.txt", "ours.pipes", "costs.csv"])
session.result_views.choose("our-latency")
session.result_views.set_parameter("budget", 25.0)
session.compute_now()
panel = ViewPanel(session, Theme())
panel.refresh(EVERY_CHANGE)
window = {
    column.id: [panel.model.data(panel.model.index(row, section), VALUE) for row in range(panel.model.rowCount())]
    for section, column in enumerate(panel.model.columns)
}
measure = session.view.context.measure.text
shown = irviewer.show(
    "our-latency", "qrels.txt", "ours.pipes", run_attributes="costs.csv", budget=25, measures=measure
)
report = irviewer.report("qrels.txt", "ours.pipes", [measure], run_attributes="costs.csv",
                         sections=[("our-latency", {"budget": 25})]).html
exact = [value for column in shown.to_arrow().to_pydict().values() for value in column if isinstance(value, float)]
print(json.dumps([window, shown.to_arrow().to_pydict(), all(f'data-value="{value!r}"' in report for value in exact),
                  shown.protocol.line() == session.result_views.protocol().line()]))
"""


def test_an_installed_view_is_the_same_in_the_window_in_python_and_in_the_report(folder: Path, tmp_path: Path) -> None:
    """The command line's answer is in the guide itself."""
    data_folder = data_of(folder, tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", DOORS], cwd=data_folder, env=environment(folder), capture_output=True, text=True,
        check=True, timeout=LONG_PROCESS,
    )  # fmt: skip
    window, python, in_report, same_line = json.loads(done.stdout.splitlines()[-1])
    assert window == python and python["run"] == ["ours.pipes"] and python["of_budget"] == [0.5]
    assert in_report and same_line


def test_all_are_listed(folder: Path, tmp_path: Path) -> None:
    formats, measures, views = results([["formats"], ["measures"], ["show"]], tmp_path, environment(folder))
    assert re.search(r"^pipes +run +run +\.pipes$", formats.stdout, re.M)
    assert formats.stderr == ""
    assert re.search(r"^our-latency +Latency$", views.stdout, re.M) and views.stderr == ""
    assert "Hits(rel=1, weight=1.0)@k?" in measures.stdout
    assert re.search(r"^Reach@k +Share of queries with a relevant document in the top k$", measures.stdout, re.M)
