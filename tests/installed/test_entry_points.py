"""Loading entry points leaves the search for modules as it is, also that of other threads."""

from __future__ import annotations

import random
import sys
import threading
from importlib.metadata import EntryPoint, distributions
from pathlib import Path

import pytest

from irviewer.installed import entry_points
from irviewer.installed.entry_points import Additions, installed_packages_only


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """A path that begins with the current folder, as that of ``python -m irviewer``."""
    monkeypatch.chdir(tmp_path)
    folders = [str(tmp_path), *sys.path]
    monkeypatch.setattr(sys, "path", folders)
    return list(folders)


def test_a_search_that_is_under_way_passes_over_no_folder(path: list[str]) -> None:
    search = iter(sys.path)
    seen = [next(search)]
    with installed_packages_only() as kept:
        assert sys.path == kept == path[1:]
        seen.append(next(search))
    assert [*seen, *search] == path


def test_folders_that_a_package_adds_stay(path: list[str]) -> None:
    with installed_packages_only():
        sys.path.append("/added")
    assert sys.path == [*path, "/added"]


def test_parallel_loading_of_groups_keeps_the_path(monkeypatch: pytest.MonkeyPatch, path: list[str]) -> None:
    point = EntryPoint("name", "module:value", "group")
    monkeypatch.setattr(entry_points, "_points", lambda folders, group: [point])
    first_ended = threading.Event()
    second = Additions("second", lambda _: first_ended.wait(0.5))  # type: ignore[arg-type, return-value]
    other = threading.Thread(target=second.load)

    def register(_: EntryPoint) -> None:
        other.start()
        other.join(0.2)  # it is in the middle of its own loading, or waits for this one

    Additions("first", register).load()
    first_ended.set()
    other.join()
    assert sys.path == path


@pytest.mark.parametrize("seed", range(20))
def test_the_packages_of_a_group_are_those_that_parsing_all_finds(tmp_path: Path, seed: int) -> None:
    """Packages without a word of the group are not parsed; names of groups also stand in names, values and comments."""
    dice = random.Random(seed)
    lines = ("[irviewer.measures]", "[irviewer.formats]", "[ irviewer.measures ]", "[other]", "# irviewer.formats", "")
    names = ("a", "b", "irviewer.measures", "häs")
    for number in range(12):
        folder = tmp_path / f"p{number}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Name: p{number}\nVersion: 1\n")
        if dice.random() < 0.8:
            sections = [
                f"{dice.choice(lines)}\n{dice.choice(names)} = module{number}:{dice.choice(names)}\n" for _ in range(4)
            ]
            text = "[irviewer.views]\n" * (dice.random() < 0.5) + "".join(sections)
            (folder / "entry_points.txt").write_text(text if sections[0].startswith("[") else f"[x]\n{text}", "utf-8")
    for group in ("irviewer.measures", "irviewer.formats", "irviewer.views", "absent"):
        wanted: dict[str, EntryPoint] = {}
        for package in distributions(path=[str(tmp_path)]):
            for point in package.entry_points:
                if point.group == group:
                    wanted.setdefault(point.name, point)
        assert entry_points._points([str(tmp_path)], group) == list(wanted.values())


def test_packages_of_other_programs_are_not_parsed(tmp_path: Path) -> None:
    folder = tmp_path / "p-1.dist-info"
    folder.mkdir()
    (folder / "entry_points.txt").write_text("[console_scripts]\nthis is no entry point\n")
    with pytest.raises(TypeError, match="value"):
        [list(package.entry_points) for package in distributions(path=[str(tmp_path)])]
    assert entry_points._points([str(tmp_path)], "irviewer.views") == []
