"""What was edited or closed since ends: the window collects garbage rarely."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("others", [0, 1])
def test_what_was_kept_of_a_closed_collection_goes_with_it(tmp_path: Path, others: int) -> None:
    """The protocol, the order of its queries and a context held all its runs: those of the last one until another was
    opened, and else until much else had been computed."""
    session = Session()
    for name in "ab"[: 1 + others]:
        (tmp_path / f"{name}.qrels").write_text(f"{name}1 0 {name} 1\n")
        (tmp_path / f"{name}.run").write_text(f"{name}1 Q0 {name} 1 1.0 {name}\n{name}1 Q0 {name}{name} 2 0.5 {name}\n")
        session.files.open_files([str(tmp_path / f"{name}.qrels"), str(tmp_path / f"{name}.run")])
    assert len(session.view.workspace.collections) == 1 + others
    session.collections.open_collection(0)
    _look(session)
    assert session.view.collection is not None
    seen = weakref.ref(session.view.collection.runs[0].run.scores)
    session.files.close_collection(0)
    _look(session)
    gc.collect()
    assert seen() is None
    session.close()


def _look(session: Session) -> None:
    for place in ("queries", "compare", "systems", "query"):
        session.navigation.set_place(place)
        assert session.view.protocol is not None or session.view.collection is None
        session.view_models.systems_view_model()
        session.view_models.query_view_model()
