"""Fixtures of the Query place's views: hand-made pages and a session that notes what it is asked."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


def _load(name: str) -> ModuleType:
    """A helper that lies beside this file: tests are no package, so it cannot be imported by name."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_query_pages = _load("query_pages")


@pytest.fixture
def made() -> ModuleType:
    """Pages and the session: see query_pages.py."""
    return _query_pages
