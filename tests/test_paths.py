"""Where the program's own files are: a checkout, a wheel, a bundle."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from irviewer import paths


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
