"""Parts that may not be installed are named in one sentence."""

from __future__ import annotations

import pytest

from irviewer import __main__
from irviewer.installed import parts


def test_a_module_is_found_without_importing_it() -> None:
    assert parts.has("json", "irviewer.model.run")
    assert not parts.has("no_such_package.inside")
    assert not parts.has("irviewer.no_such_module")


def test_a_missing_window_is_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(parts, "has", lambda *modules: False)
    assert __main__.main([]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("irviewer: The window is not installed. Install it: pip install irviewer.")


def test_missing_figures_are_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "has", lambda *modules: False)
    with pytest.raises(parts.MissingPartError, match="pip install irviewer"):
        parts.require_figures()
