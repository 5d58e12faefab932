"""Where the program's own files are: a checkout, a wheel, a bundle."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from irviewer import paths
from irviewer.errors import IrviewerError, checked_path
from irviewer.paths import can_be_path, is_anything, is_file, is_folder


def test_in_this_checkout() -> None:
    assert (paths.resource() / "samples").is_dir()
    assert (paths.resource("samples/trec") / "qrels.test").is_file()
    with pytest.raises(FileNotFoundError, match="samples/nothing"):
        paths.resource("samples/nothing")


def test_in_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder lies inside the package there."""
    package = tmp_path / "site-packages" / "irviewer"
    (package / "resources" / "samples").mkdir(parents=True)
    monkeypatch.setattr(paths, "__file__", str(package / "paths.py"))
    assert paths.resource("samples") == package / "resources" / "samples"


def test_a_folder_of_that_name_that_is_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """site-packages/resources may belong to anybody."""
    package = tmp_path / "irviewer"
    package.mkdir()
    (tmp_path / "resources").mkdir()
    monkeypatch.setattr(paths, "__file__", str(package / "paths.py"))
    with pytest.raises(FileNotFoundError, match="is not installed"):
        paths.resource()


def test_in_a_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "irviewer" / "resources" / "samples").mkdir(parents=True)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert paths.resource() == tmp_path / "irviewer" / "resources"


def test_what_can_be_a_path() -> None:
    assert can_be_path("/a b/é文\n")
    assert can_be_path(Path("a"))
    assert can_be_path("/\udcff"), "a byte that is no text"
    assert not can_be_path("a\0b")
    assert not can_be_path("/\ud800")
    assert checked_path("a/b") == Path("a/b")
    for path in ("a\0b", "/\ud800"):
        with pytest.raises(IrviewerError, match="no file can have this name") as fault:
            checked_path(path)
        assert "\0" not in str(fault.value)
        str(fault.value).encode()


@pytest.mark.parametrize("path", ["x" * 5000, "a\0b", "nowhere/" * 500])
def test_a_text_that_can_be_no_path_is_none(path: str) -> None:
    """Path.is_file raises for some of them: a project may name anything as a file."""
    assert not is_file(path)
    assert not is_folder(path)
    assert not is_anything(path)


def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert (is_file(tmp_path / "a"), is_folder(tmp_path / "a"), is_anything(tmp_path / "a")) == (True, False, True)
    assert (is_file(str(tmp_path)), is_folder(str(tmp_path)), is_anything(str(tmp_path))) == (False, True, True)
