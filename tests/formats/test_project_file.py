"""The project file as text: stable, refused where it is newer, written whole or not at all."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path

import pytest

from irviewer.formats import project_file
from irviewer.formats.project_file import (
    MARK,
    VERSION,
    ProjectError,
    line_of,
    project_text,
    read_project,
    sweep,
    write_project,
)


def test_text_reads_back_and_a_row_is_a_line(tmp_path: Path) -> None:
    rows = [["q1", f"d{n}", n, "ada"] for n in range(60)]
    ids = [f"document-{n}" for n in range(100)]
    data = {"collections": [{"name": "é “x” \u2028", "judged": rows, "ids": ids, "empty": [], "none": None}], "b": 1}
    path = tmp_path / "a.irviewer"
    write_project(path, project_text(data))
    assert read_project(path) == data
    text = path.read_text("utf-8")
    lines = text.split("\n")
    assert lines[1] == f'  "{MARK}": {VERSION},'
    assert sum('"q1", ' in line for line in lines) == 60
    assert max(map(len, lines)) <= project_file.WIDTH + 2
    assert len(lines) < 90  # ids stand as many to a line as there is room
    assert text.endswith("}\n")
    assert project_text(read_project(path)) == text


def test_names_that_are_no_text_come_back(tmp_path: Path) -> None:
    name = os.fsdecode(b"r\xffn.run")
    path = tmp_path / "a.irviewer"
    write_project(path, project_text({"file": name}))
    assert read_project(path) == {"file": name}


def test_writing_fails_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.irviewer"
    write_project(path, "old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(ProjectError, match="No space left on device"):
            write_project(path, "new")
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.irviewer"]
    with pytest.raises(ProjectError, match="cannot be written"):
        write_project(path / "below" / "b.irviewer", "new")


def test_the_file_keeps_its_rights_and_its_place_behind_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.irviewer", tmp_path / "link.irviewer"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_project(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_what_a_killed_writer_left_is_swept_away_in_time(tmp_path: Path) -> None:
    path = tmp_path / "a[1].irviewer"
    path.write_text("x")
    old, young, other = (
        tmp_path / name for name in (".a[1].irviewer.x.part", ".a[1].irviewer.y.part", ".b.irviewer.z.part")
    )
    for temporary in (old, young, other):
        temporary.write_text("half")
    for temporary in (old, other):
        os.utime(temporary, (time.time() - 1000,) * 2)
    sweep(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([path.name, young.name, other.name])


def test_versions(tmp_path: Path) -> None:
    path = tmp_path / "a.irviewer"
    assert sorted(project_file.UPGRADES) == list(range(1, VERSION))
    path.write_text(json.dumps({MARK: VERSION + 3}))
    with pytest.raises(ProjectError, match=rf"newer irviewer \(file version {VERSION + 3}; .* up to {VERSION}\)"):
        read_project(path)
    damaged = {"runs": [1, {"file": "a"}, 2], "judgments": 3}
    path.write_text(json.dumps({MARK: 1, **damaged, "selection": {"shown": 4}}))
    (collection,) = read_project(path)["collections"]  # as damaged as it was: whoever reads the parts says so
    assert collection["runs"] == [1, {"file": "a", "key": 1}, 2]
    assert collection["judgments"] == 3
    with pytest.raises(ProjectError, match="cannot be read"):
        read_project(tmp_path / "nowhere.irviewer")


def test_the_line_of_a_place(tmp_path: Path) -> None:
    text = '{\n "a": [1, {"b": "x\\"]"},\n  {"c": [\n [], 7\n]}],\n "a \\u00e9": {\n}, "d": 1,\n "d": 2}'
    content = text.encode()
    for place, line in {
        (): 1, ("a",): 2, ("a", 0): 2, ("a", 1, "b"): 2, ("a", 2): 3, ("a", 2, "c", 1): 4, ("a é",): 6, ("d",): 8,
        ("a", 3): 0, ("e",): 0, ("a", "b"): 0, ("a", 0, 1): 0,
    }.items():  # fmt: skip
        assert line_of(content, place) == line, place
    assert line_of(b"\n[1", (0,)) == 2
    assert line_of(b"\n[1", (1,)) == 0
    assert line_of(b"", (1,)) == 0
