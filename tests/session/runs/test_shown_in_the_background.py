"""Many runs that are shown: a worker computes what is in view of them, then they are shown at once, as without
workers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Queue

import pytest
from patience import deliver

from irviewer.evaluation.evaluation_cache import Evaluation, EvaluationInput
from irviewer.measures.base import Measure
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime, Workspace
from irviewer.session import store as core
from irviewer.session.files.import_result import ImportResult
from irviewer.session.session import Session
from irviewer.session.state_changes import Opening, with_import_result

QRELS = {str(query): {"a": 1, "c": 2, "e": 0} for query in range(3)}
NAMES = tuple(f"run{number}" for number in range(6))


def _session(post: Callable[[Callable[[], None]], None] | None = None) -> Session:
    session = Session(post=post)
    runs = [
        Run.from_dict({query: {doc: (number * 7 + ord(doc)) % 5 for doc in "abcdef"} for query in QRELS}, name=name)
        for number, name in enumerate(NAMES)
    ]
    judgments = (JudgmentSet(Qrels.from_dict(QRELS, name="judged"), Regime.POOLED),)
    collections = tuple(Collection(name, judgments=judgments).with_runs(runs) for name in ("made", "other"))
    import_result = ImportResult(Workspace(collections), new=[0, 1], touched=[0])
    session.store.apply(
        with_import_result(session.state, import_result, Opening(), session.store.context_of, hints=False)
    )
    session.navigation.set_place("query")
    return session


def _seen(session: Session) -> str:
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    gain = [(curve.label, curve.x.tolist(), curve.y.tolist()) for curve in view_model.gain.curves]
    columns = [(each.run.key, each.value, list(each.doc_ids), each.grades.tolist()) for each in view_model.columns]
    rows = [(row.measure, row.values, row.best) for row in view_model.metrics]
    return repr((session.view.shown, rows, columns, gain))


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> list[Session]:
    """A session with workers and one without, which show two runs and have judged a document since."""
    queue: Queue[Callable[[], None]] = Queue()
    sessions = [_session(queue.put), _session()]
    for session in sessions:
        session.runs.show_runs([0, 1])
        deliver(queue, lambda session=session: session.busy is None)
        assert session.judging.judge("b", 2.0)
    monkeypatch.setattr(core, "INLINE", 0.0)
    sessions[0].queue = queue  # type: ignore[attr-defined]
    return sessions


def _deliver(session: Session) -> None:
    deliver(session.queue, lambda: session.busy is None)  # type: ignore[attr-defined]


def test_no_run_is_shown_before_its_values_are_known(waiting: list[Session], monkeypatch: pytest.MonkeyPatch) -> None:
    split, whole = waiting
    before = _seen(split)
    threads: set[str] = set()
    computed = Evaluation._computed

    def noted(self: Evaluation, entry: object, measure: Measure) -> object:
        threads.add(threading.current_thread().name)
        return computed(self, entry, measure)  # type: ignore[arg-type]

    monkeypatch.setattr(Evaluation, "_computed", noted)
    shown: list[tuple[int, ...]] = []
    split.changed.connect(lambda _: shown.append(split.view.shown))
    split.runs.show_runs(range(6))
    assert split.view.shown == (0, 1) and _seen(split) == before  # and so is what would be saved
    _deliver(split)
    assert set(shown) == {(0, 1), tuple(range(6))}
    seen = _seen(split)
    assert threads and all(name.startswith("irviewer") for name in threads)
    whole.runs.show_runs(range(6))
    assert seen == _seen(whole)
    for session in waiting:
        session.close()


def test_what_changes_meanwhile_stays_and_the_newest_wins(waiting: list[Session]) -> None:
    split, whole = waiting
    for session in waiting:
        session.runs.show_runs(range(6))
        assert session.judging.judge("d", 1.0)
        session.runs.show_runs([1, 2, 3])
        session.runs.remove_run(3)
    _deliver(split)
    assert split.view.shown == (1, 2)
    assert _seen(split) == _seen(whole)
    split.runs.show_runs([4, 5])
    split.collections.open_collection(1)
    before = split.view.shown
    _deliver(split)
    assert split.view.shown == before  # the keys were those of the other collection
    for session in waiting:
        session.close()


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda session: session.runs.show_run(1, False), id="hide"),
        pytest.param(lambda session: session.run_editing.edit_copy(1), id="copy"),
        pytest.param(lambda session: session.runs.set_focus(4), id="focus"),
    ],
)
def test_a_run_shown_or_hidden_meanwhile_stays_so(waiting: list[Session], act: Callable[[Session], object]) -> None:
    split, whole = waiting
    for session in waiting:
        session.runs.show_runs([1, 2, 3])
        act(session)
    _deliver(split)
    assert split.view.shown == whole.view.shown
    assert _seen(split) == _seen(whole)
    for session in waiting:
        session.close()


def test_what_an_edit_leaves_known_costs_nothing(waiting: list[Session]) -> None:
    split = waiting[1]
    context = split.view.context
    assert context is not None
    inputs = [context.evaluation_input(entry) for entry in context.shown_runs]
    evaluation_inputs = [each for each in inputs if isinstance(each, EvaluationInput)]
    assert len(evaluation_inputs) == 2
    evaluation = split.store.evaluation
    assert evaluation.cost(evaluation_inputs, [context.measure]) == 0.0
    assert evaluation.cost(evaluation_inputs, ()) > 0.0  # they are not joined anew
    for session in waiting:
        session.close()


@pytest.mark.parametrize("cancelled", [False, True])
@pytest.mark.parametrize(
    ("act", "said"),
    [
        pytest.param(lambda session: session.runs.show_runs(range(6)), "Shown: 6 runs, no others", id="show"),
        pytest.param(lambda session: session.runs.set_baseline(3), "Baseline: run3", id="baseline"),
        pytest.param(lambda session: session.history.undo(), "Undone: baseline run3", id="undo"),
    ],
)
def test_what_was_done_is_said_when_it_is_seen(
    waiting: list[Session], act: Callable[[Session], object], said: str, cancelled: bool
) -> None:
    """It was said when it was asked for, and stayed where the wait was cancelled."""
    split = waiting[0]
    if said.startswith("Undone"):
        split.runs.set_baseline(3)
        _deliver(split)
    before = split.state.chosen
    answers: list[tuple[str, object]] = []
    split.answered.connect(lambda message: answers.append((message.text, split.state.chosen)))
    act(split)
    assert split.busy is not None and not answers
    if cancelled:
        split.busy.cancel()
    _deliver(split)
    assert answers == ([] if cancelled else [(said, split.state.chosen)])
    assert (split.state.chosen == before) is cancelled
    for session in waiting:
        session.close()
