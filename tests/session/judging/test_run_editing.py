"""Edited copies: runs of their own whose lists move under the hand, and numbers with them; the run copied stays."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np
import pytest
from examples import a_part

from irviewer.commands import run_command
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.load import load
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import strings
from irviewer.model.dialects import DIALECTS
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from tests.session.helpers import Announcements, collection, session_with


def copied(session: Session, key: int = 1) -> int:
    copy = session.run_editing.edit_copy(key)
    assert copy is not None
    return copy


def ranking(session: Session, key: int) -> list[str]:
    context = session.view.context
    assert context is not None
    entry = context.collection.run(key)
    assert entry is not None
    return entry.run.ranking(session.view.query_id)


def mean(session: Session, key: int, text: str = "AP") -> float:
    """The measure of a run from scratch."""
    assert session.view.collection is not None
    assert session.view.judgments is not None
    entry = session.view.collection.run(key)
    assert entry is not None
    qrels = session.view.judgments.qrels
    plain = Qrels.from_dict({query: qrels.judgments(query) for query in qrels.query_ids})
    return evaluate(plain, entry.run, [text]).mean(text)


def value(session: Session, key: int, text: str = "AP") -> float:
    """The measure of a run on the selected query, as the views show it."""
    context = session.view.context
    assert context is not None
    entry = context.collection.run(key)
    assert entry is not None
    return float(context.values(entry, parse_measure(text))[context.query_index[session.view.query_id]])


def shown_mean(session: Session, key: int, text: str = "AP") -> float:
    context = session.view.context
    assert context is not None
    entry = context.collection.run(key)
    assert entry is not None
    return context.mean(entry, parse_measure(text))


def test_a_copy_is_a_run_of_its_own_and_its_source_stays() -> None:
    session = session_with(collection(2))
    session.navigation.set_query("3")
    assert session.run_editing.edited_run is None
    copy = copied(session)
    assert session.run_editing.edited_run == copy == session.view.focus
    assert copy in session.view.shown
    assert [label.name for label in session.view.labels()] == ["alpha", "beta", "beta (edited)"]
    source = ranking(session, 1)
    heard = Announcements(session)
    assert session.run_editing.move_document(copy, source[4], 1)
    assert any("runs" in aspects for aspects in heard.take())
    assert ranking(session, copy) == [source[4], *source[:4], *source[5:]]
    assert ranking(session, 1) == source
    assert session.history.undo_label == f"move {source[4]} to rank 1"
    session.run_editing.shift_document(copy, source[4], 2)
    assert ranking(session, copy)[:3] == [source[0], source[1], source[4]]
    session.run_editing.swap_documents(copy, source[0], source[1])
    session.run_editing.remove_document(copy, source[2])
    session.run_editing.insert_document(copy, "e3", 1)
    assert ranking(session, copy)[:4] == ["e3", source[1], source[0], source[4]]
    for _ in range(5):
        assert session.history.undo()
    assert ranking(session, copy) == source
    for _ in range(5):
        assert session.history.redo()
    session.run_editing.reset_list(copy)
    assert ranking(session, copy) == source
    assert not session.run_editing.reset_list(copy)
    session.history.undo()
    assert ranking(session, copy)[0] == "e3"


def test_a_copy_is_named_in_the_language_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that another language named keeps its name when it is copied again."""
    session = session_with(collection(2))
    first = copied(session)
    monkeypatch.setattr(
        "irviewer.session.judging.run_editing.tr",
        lambda text, **values: {" (edited)": " (editada)"}.get(text, text).format(**values),
    )
    copied(session, 0)
    copied(session, first)
    names = [entry.name for entry in session.view.collection.runs]  # type: ignore[union-attr]
    assert "alpha (editada)" in names
    assert "beta (edited) (2)" in names


def test_the_numbers_follow() -> None:
    session = session_with(collection(2))
    session.navigation.set_query("3")
    copy = copied(session)
    session.view_models.systems_view_model()
    before, before_here = mean(session, copy), value(session, copy)
    session.run_editing.move_document(copy, "d3", 1)
    context = session.view.context
    assert context is not None
    assert shown_mean(session, 1) == pytest.approx(before)
    assert shown_mean(session, copy) == pytest.approx(mean(session, copy))
    assert value(session, 1) == before_here
    gain = value(session, copy) - value(session, 1)
    assert gain == pytest.approx(8 * (shown_mean(session, copy) - shown_mean(session, 1)))
    assert gain > 0
    assert ranking(session, copy)[0] == "d3"
    session.judging.judge("d3", 0)
    assert context.evaluation is session.view.context.evaluation  # type: ignore[union-attr]
    assert shown_mean(session, copy) == pytest.approx(mean(session, copy))
    assert shown_mean(session, 1) == pytest.approx(mean(session, 1))


def test_a_drag_is_one_step() -> None:
    session = session_with(collection(2))
    copy = copied(session)
    source = ranking(session, copy)
    for number, rank in enumerate((8, 7, 5, 2)):
        session.run_editing.move_document(copy, source[9], rank, going_on=number > 0)
    assert ranking(session, copy)[1] == source[9]
    session.history.undo()
    assert ranking(session, copy) == source
    session.history.redo()
    session.run_editing.move_document(copy, source[3], 1, going_on=True)  # another document: a step of its own
    session.history.undo()
    assert ranking(session, copy)[1] == source[9]


def test_where_unjudged_documents_are_left_out_the_others_keep_their_ranks() -> None:
    session = session_with(collection(2))
    session.navigation.set_query("1")
    session.judging.judge("x1-3", 1)
    session.judging.judge("x1-7", 2)
    session.judging.judge("x1-12", 0)
    copy = copied(session)
    full = ranking(session, copy)
    session.protocol.set(judged_only=True)
    seen = ranking(session, copy)
    assert len(seen) == 4
    session.run_editing.move_document(copy, seen[3], 1)
    assert ranking(session, copy) == [seen[3], *seen[:3]]
    assert value(session, copy) != value(session, 1)
    session.protocol.set(judged_only=False)
    now = ranking(session, copy)
    assert [doc for doc in now if doc not in seen] == [doc for doc in full if doc not in seen]
    assert [now.index(doc) for doc in full if doc not in seen] == [full.index(doc) for doc in full if doc not in seen]


def test_what_cannot_be_done_is_said() -> None:
    session = session_with(collection(2))
    copy = copied(session)
    state = session.state
    assert not session.run_editing.move_document(copy, "nobody", 1)
    assert "not in the ranking" in session.view.messages[-1].text
    assert not session.run_editing.move_document(0, "d1", 1)
    assert "cannot be edited" in session.view.messages[-1].text
    assert not session.run_editing.swap_ranks(copy, 1, 999)
    assert not session.run_editing.move_document(99, "d1", 1)
    assert session.run_editing.edit_copy(99) is None
    assert session.state.workspace is state.workspace
    assert Session().run_editing.edit_copy(0) is None


def test_the_fewest_swaps_can_be_made(tmp_path: Path) -> None:
    session = session_with(collection(2))
    session.navigation.set_query("2")
    copy = copied(session)
    swaps = session.run_editing.fewest_swaps_for(copy, 0.5, "AP")
    assert swaps is not None
    assert swaps.reached
    session.run_editing.set_list(copy, swaps.order, swaps.text)
    assert value(session, copy) == pytest.approx(swaps.value)
    assert swaps.value >= 0.5
    session.run_editing.save_run(copy, str(tmp_path / "mine.run"))
    written = load(tmp_path / "mine.run").value
    assert isinstance(written, Run)
    assert written.ranking("2") == list(swaps.order)
    assert written.tag == "beta_(edited)"
    for query in ("1", "3"):
        assert written.ranking(query) == session.view.collection.run(1).run.ranking(query)  # type: ignore[union-attr]


def test_keys_move_the_selected_document() -> None:
    session = session_with(collection(2))
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    assert run_command(session, "edit_copy")
    copy = session.run_editing.edited_run
    assert copy is not None
    source = ranking(session, copy)
    session.navigation.set_document(source[5])
    run_command(session, "document_up")
    run_command(session, "document_up")
    run_command(session, "document_down")
    assert ranking(session, copy).index(source[5]) == 4
    run_command(session, "remove_document")
    assert source[5] not in ranking(session, copy)
    run_command(session, "reset_list")
    assert ranking(session, copy) == source


def test_a_copy_that_is_removed_comes_back_edited() -> None:
    session = session_with(collection(2))
    copy = copied(session)
    source = ranking(session, copy)
    session.run_editing.move_document(copy, source[5], 1)
    edited = ranking(session, copy)
    session.runs.remove_run(copy)
    assert [label.name for label in session.view.labels()] == ["alpha", "beta"]
    assert session.history.undo_label == "remove run beta (edited)"
    assert "is in no file" in session.view.messages[-1].text
    assert session.history.undo()
    assert not any(message.action == "undo" for message in session.view.messages)
    assert [label.name for label in session.view.labels()] == ["alpha", "beta", "beta (edited)"]
    assert ranking(session, copy) == edited
    assert session.history.undo()
    assert ranking(session, copy) == source


def test_a_document_that_is_hidden_is_not_inserted_again() -> None:
    session = session_with(collection(2))
    session.navigation.set_query("1")
    copy = copied(session)
    full = ranking(session, copy)
    session.protocol.set(judged_only=True)
    state = session.state
    assert full[2] not in ranking(session, copy)
    assert not session.run_editing.insert_document(copy, full[2], 1)
    assert session.view.messages[-1].text == (
        f"{full[2]} is already in the list, at rank 3. The document is hidden because unjudged documents are left out."
    )
    assert not session.run_editing.move_document(copy, full[2], 1)
    assert "hidden because unjudged documents are left out" in session.view.messages[-1].text
    assert not session.run_editing.insert_document(copy, "nobody's", 1)
    assert session.view.messages[-1].text == ("nobody's would stay hidden: unjudged documents are left out.")
    assert not session.run_editing.set_list(copy, (full[2], *ranking(session, copy)), "a list")
    assert not session.run_editing.set_list(copy, (ranking(session, copy)[0],) * 2, "a list")
    assert session.state.workspace is state.workspace
    assert session.history.undo_label == "protocol: judged documents only"
    assert session.run_editing.insert_document(copy, "n1", 1)  # judged, and not returned so far
    assert ranking(session, copy)[0] == "n1"
    session.protocol.set(judged_only=False)
    session.judging.judge(full[2], 1)
    now = ranking(session, copy)
    assert len(set(now)) == len(now) == len(full) + 1


@pytest.mark.parametrize(
    ("dialect", "judged_only"), a_part([(dialect, only) for dialect in DIALECTS for only in (False, True)], 3)
)
def test_each_move_among_ties_moves_or_is_no_step(dialect: str, judged_only: bool) -> None:
    """Every document to every rank, from the list as it was: what is recorded is seen, and taken back is gone."""
    run = Run.from_columns(
        ("9",), np.zeros(6, np.int64), strings(["c", "a", "b", "e", "d", "f"]),
        np.array([2.0, 2.0, 2.0, 1.0 + 1e-12, 1.0, 0.5]), name="run",
    )  # fmt: skip
    qrels = Qrels.from_dict({"9": {"a": 1, "b": 0, "c": 1, "d": 2, "e": 0}})
    session = session_with(Collection("tied", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs([run]))
    session.protocol.set(dialect=dialect)
    session.protocol.set(judged_only=judged_only)
    session.navigation.set_query("9")
    copy = copied(session, 0)
    first = ranking(session, copy)
    assert len(first) == (5 if judged_only else 6)
    for doc in first:
        for rank in range(1, len(first) + 1):
            wanted = [document for document in first if document != doc]
            wanted.insert(rank - 1, doc)
            done = session.run_editing.move_document(copy, doc, rank)
            assert ranking(session, copy) == wanted
            assert done == (wanted != first) == (session.history.undo_label != "copy run for editing")
            if done:
                session.run_editing.move_document(
                    copy, doc, first.index(doc) + 1, going_on=True
                )  # and back, in the same drag
                assert ranking(session, copy) == first
                assert session.history.undo_label == "copy run for editing"
    assert session.run_editing.move_document(copy, first[0], 2)
    assert session.run_editing.move_document(copy, first[0], 1)
    assert ranking(session, copy) == first
    assert not session.run_editing.reset_list(copy)  # it is the list as it was, ties and all
    assert session.history.undo()
    assert ranking(session, copy)[1] == first[0]


def test_steps_are_named_by_what_happened_and_not_by_what_was_asked() -> None:
    session = session_with(collection())
    key = copied(session)
    order = ranking(session, key)
    last = len(order)
    assert last > 2
    assert session.run_editing.move_document(key, order[0], 99)
    assert session.history.undo_label == f"move {order[0]} to rank {last}"
    assert session.run_editing.shift_document(key, order[0], -99)
    assert session.history.undo_label == f"move {order[0]} up {last - 1} rank{'s' if last > 2 else ''}"
    assert session.run_editing.shift_document(key, order[-1], -1)
    assert session.history.undo_label == f"move {order[-1]} up 1 rank"
    assert session.run_editing.insert_document(key, "new", 99)
    assert session.history.undo_label == f"insert new at rank {last + 1}"
    assert session.run_editing.move_document(key, "new", 2, dragged=True)
    assert session.run_editing.move_document(key, "new", 1, going_on=True, dragged=True)
    assert session.history.undo_label == "move new to rank 1"


@pytest.mark.parametrize(("ending", "opened"), [("gz", gzip.open), ("bz2", bz2.open), ("xz", lzma.open)])
def test_saved_files_are_compressed_as_their_names_say(
    tmp_path: Path, ending: str, opened: Callable[[Path], IO[bytes]]
) -> None:
    session = session_with(collection())
    key = copied(session)
    session.run_editing.save_run(key, str(tmp_path / "mine.run"))
    session.run_editing.save_run(key, str(tmp_path / f"mine.run.{ending}"))
    session.judging.export_merged(str(tmp_path / "mine.qrels"))
    session.judging.export_merged(str(tmp_path / f"mine.qrels.{ending}"))
    for name in ("mine.run", "mine.qrels"):
        with opened(tmp_path / f"{name}.{ending}") as file:
            assert file.read() == (tmp_path / name).read_bytes()
