"""Loading entry points leaves the search for modules as it is, also that of other threads."""

from __future__ import annotations

import sys
import threading
from importlib.metadata import EntryPoint
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
