"""Fixtures of the window's tests."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from irviewer.gui.theme import Theme
from irviewer.session.palette import LIGHT


def _load(name: str) -> ModuleType:
    """A helper that lies beside this file: tests are no package, so it cannot be imported by name."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_table_pages = _load("table_pages")


@pytest.fixture
def pages() -> ModuleType:
    """Pages made by hand: see table_pages.py."""
    return _table_pages


@pytest.fixture
def theme(qapp: object) -> Theme:
    """The light theme."""
    return Theme(LIGHT)
