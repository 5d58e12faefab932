"""A switch of rules that has runs ranked or condensed anew does so in a task: the thread of the window never ranks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Queue

import pytest
from patience import LONG, deliver

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime, Workspace
from irviewer.session import store as core
from irviewer.session.files.import_result import ImportResult
from irviewer.session.session import Session
from irviewer.session.state_changes import Opening, with_import_result

QRELS = {str(query): {"a": 1, "c": 2, "e": -1} for query in range(6)}
LIST = {"a": 2.0, "b": 2.0, "c": 1.0, "d": 1.0, "e": 1.0}


@pytest.fixture
def ranked_by(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The threads that ranked or condensed a run."""
    names: list[str] = []
    for name in ("reordered", "only"):
        whole = getattr(Run, name)

        def noted(self: Run, *arguments: object, whole: Callable[..., Run] = whole) -> Run:
            names.append(threading.current_thread().name)
            return whole(self, *arguments)

        monkeypatch.setattr(Run, name, noted)
    return names


def _session(queue: Queue[Callable[[], None]]) -> Session:
    session = Session(post=queue.put)
    judgments = tuple(JudgmentSet(Qrels.from_dict(QRELS, name=name), Regime.POOLED) for name in ("first", "second"))
    runs = [Run.from_dict(dict.fromkeys(QRELS, LIST), name=name) for name in ("one", "two")]
    whole = Collection("made", judgments=judgments).with_runs(runs)
    import_result = ImportResult(Workspace((whole,)), new=[0], touched=[0])
    session.store.apply(
        with_import_result(session.state, import_result, Opening(), session.store.context_of, hints=False)
    )
    return session


def _wait(session: Session, queue: Queue[Callable[[], None]]) -> None:
    deliver(queue, lambda: session.busy is None)


@pytest.mark.parametrize(
    "switch",
    [
        lambda session: session.protocol.set(dialect="ranx"),
        lambda session: session.protocol.set(judged_only=True),
        lambda session: (session.protocol.set(dialect="textbook"), session.protocol.set(judged_only=True)),
    ],
    ids=["dialect", "judged only", "both"],
)
def test_the_windows_thread_ranks_nothing(
    switch: Callable[[Session], object], ranked_by: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    queue: Queue[Callable[[], None]] = Queue()
    session = _session(queue)
    monkeypatch.setattr(core, "INLINE", 0.0)
    ranked_by.clear()
    switch(session)
    assert session.busy is not None
    _wait(session, queue)
    assert ranked_by, "nothing was ranked at all: the test shows nothing"
    session.evaluation.set_judgments(1)
    _wait(session, queue)
    view_models = [
        session.view_models.systems_view_model(),
        session.view_models.queries_view_model(),
        session.view_models.query_view_model(),
    ]
    assert all(view_model is not None for view_model in view_models)
    assert {name.split("_")[0] for name in ranked_by} <= {"irviewer", "irviewer urgent"}
    session.close()


def test_progress_says_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    queue: Queue[Callable[[], None]] = Queue()
    session = _session(queue)
    monkeypatch.setattr(core, "INLINE", 0.0)
    titles: list[str] = []

    def hear(_: frozenset[str]) -> None:
        if session.busy is not None:
            titles.append(session.busy.title)

    session.changed.connect(hear)
    monkeypatch.setattr("irviewer.session.tasks.PROGRESS_EVERY", 0.0)
    held = threading.Event()
    whole = Run.only
    monkeypatch.setattr(Run, "only", lambda self, rows: (held.wait(LONG), whole(self, rows))[1])
    session.protocol.set(judged_only=True)
    deliver(queue, lambda: "Leaving out unjudged documents" in titles)
    held.set()
    _wait(session, queue)
    assert session.view.judged_only
    session.close()


def test_what_was_made_of_a_removed_run_goes_with_it() -> None:
    queue: Queue[Callable[[], None]] = Queue()
    session = _session(queue)
    for dialect in ("ranx", "ir_measures", "trec_eval"):
        for judged_only in (True, False):
            session.protocol.set(dialect=dialect)
            session.protocol.set(judged_only=judged_only)
            assert session.view_models.systems_view_model() is not None
    evaluation = session.store.evaluation
    before = len(evaluation)
    assert before > 6
    session.runs.remove_run(0)
    context = session.view.context
    assert context is not None
    assert len(evaluation) == before // 2
    former = context.mean(context.collection.runs[0], session.view.measure)
    session.files.close_collection()
    assert len(evaluation) == 0
    session.close()
    assert former > 0
