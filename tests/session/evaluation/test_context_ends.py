"""A context of what was edited since ends at once: the window collects garbage rarely."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from pathlib import Path

from irviewer.session.session import Session


def test_a_context_of_lists_ends_with_its_last_use(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text("1 0 a 1\n")
    (tmp_path / "b.run").write_text("1 Q0 a 1 1.0 b\n")
    session = Session()
    session.files.open_files([str(tmp_path / "a.qrels"), str(tmp_path / "b.run")])
    assert session.view.context is not None
    context = replace(session.view.context)
    assert context.with_lists is context
    seen = weakref.ref(context)
    collects = gc.isenabled()
    gc.disable()
    try:
        del context
        assert seen() is None
    finally:
        if collects:
            gc.enable()
        session.close()
