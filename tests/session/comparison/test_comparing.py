"""Comparisons in the session: computed in the background for the places that show them, of the queries in force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from queue import Queue

import numpy as np
import pytest
import scipy.stats
from patience import deliver

from irviewer.errors import OptionError
from irviewer.model.matching.unmatched import ShareWarning
from irviewer.model.query_sets import QueryWeights
from irviewer.model.workspace import Workspace
from irviewer.session.comparison import actions
from irviewer.session.comparison.actions import KINDS
from irviewer.session.evaluation.caveats import share_caveats
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.files.import_result import ImportResult
from irviewer.session.session import Session
from irviewer.session.state_changes import Opening, with_import_result
from tests.session.helpers import Announcements, collection, session_with


def test_each_run_beside_the_baseline() -> None:
    session = session_with(collection(3, queries=12))
    compared = session.comparison.compared()
    assert compared is not None
    assert compared.keys == (0, 1, 2)
    pair = compared.pair(2)
    context = session.view.context
    assert pair is not None
    assert context is not None
    mine, its = (context.values(context.collection.runs[place], context.measure) for place in (2, 0))
    assert pair.difference == pytest.approx(float(np.mean(mine - its)))
    assert pair.test("t").p == pytest.approx(scipy.stats.ttest_rel(mine, its).pvalue, rel=1e-9)
    assert compared.pair(0) is None
    assert compared.pair(9) is None


def test_all_pairs() -> None:
    session = session_with(collection(4, queries=12))
    compared = session.comparison.compared("pairs")
    assert compared is not None
    assert len(compared.comparison) == 6
    pair, other = compared.pair(1, 3), compared.pair(3, 1)
    assert pair is not None
    assert other is not None
    assert pair.difference == -other.difference
    assert len(compared.comparison.letters()) == 4


def test_it_is_of_the_set_in_force_and_warns_where_that_was_chosen_after_looking() -> None:
    session = session_with(collection(2, queries=12))
    session.query_sets.make_query_set("few", ["1", "2", "3", "4"])
    session.query_sets.set_query_set("few")
    compared = session.comparison.compared()
    assert compared is not None
    assert compared.comparison.query_ids == tuple(sorted(["1", "2", "3", "4"]))
    assert any("chosen after looking" in warning for warning in compared.comparison.warnings)


def test_what_cannot_be_compared_is_not() -> None:
    assert Session().comparison.compared() is None
    assert session_with(collection(1)).comparison.compared() is None
    session = session_with(collection(2))
    session.evaluation.set_measure("NumRet")
    assert session.comparison.compared() is None


def test_choices_announce_and_change_the_numbers() -> None:
    session = session_with(collection(4, queries=12))
    before = session.comparison.compared()
    heard = Announcements(session)
    session.protocol.set(correction="none")
    assert heard.take() == [{"statistics", "history"}]
    after = session.comparison.compared()
    assert before is not None
    assert after is not None
    assert before.comparison.correction == "holm"
    assert after.comparison.correction == "none"
    session.protocol.set(correction="holm")
    assert session.comparison.compared() is before
    for wrong in (
        lambda: session.protocol.set(correction="x"),
        lambda: session.protocol.set(interval="x"),
        lambda: session.protocol.set_number("alpha", "1"),
    ):
        with pytest.raises(OptionError):
            wrong()


def wait(session: Session, queue: Queue[Callable[[], None]], until: Callable[[], bool]) -> None:
    deliver(queue, until)


def test_in_the_window_it_comes_later_and_is_announced() -> None:
    queue: Queue[Callable[[], None]] = Queue()
    session = Session(post=queue.put)
    import_result = ImportResult(Workspace((collection(3, queries=12),)), new=[0], touched=[0])
    session.store.apply(
        with_import_result(session.state, import_result, Opening(), session.store.context_of, hints=False)
    )
    assert session.view.place == "query"
    assert session.comparison.compared() is None
    assert session.busy is None  # nobody sees it there
    heard = Announcements(session)
    session.navigation.set_place("systems")
    wait(
        session,
        queue,
        lambda: session.comparison.compared() is not None and session.comparison.compared("pairs") is not None,
    )
    assert {"statistics"} in heard.take()
    session.evaluation.set_measure("AP")
    assert session.comparison.compared() is None
    heard.take()
    session.navigation.set_place("queries")
    # UnsavedWork before it was done: it goes on, and is there for whoever comes back.
    wait(
        session,
        queue,
        lambda: session.comparison.compared() is not None and session.comparison.compared("pairs") is not None,
    )
    assert session.view.place == "queries"
    wait(session, queue, lambda: session.busy is None)
    session.close()


def test_what_goes_on_elsewhere_ends_where_it_is_of_no_use_any_more() -> None:
    queue: Queue[Callable[[], None]] = Queue()
    session = Session(post=queue.put)
    import_result = ImportResult(Workspace((collection(3, queries=12),)), new=[0], touched=[0])
    session.store.apply(
        with_import_result(session.state, import_result, Opening(), session.store.context_of, hints=False)
    )
    session.navigation.set_place("systems")
    assert session.store.tasks.under_way("statistics baseline")
    assert session.store.tasks.under_way("statistics pairs")
    job = session.store.tasks._jobs["statistics pairs"]
    session.navigation.set_place("query")
    session.navigation.set_query("3")
    assert session.store.tasks._jobs["statistics pairs"] is job  # the same, not begun again
    session.navigation.set_place("systems")
    assert session.store.tasks._jobs["statistics pairs"] is job
    session.navigation.set_place("query")
    session.evaluation.set_measure("AP")
    assert job.cancelled.is_set()
    assert not session.store.tasks.under_way("statistics baseline")
    assert not session.store.tasks.under_way("statistics pairs")
    session.navigation.set_place("systems")
    wait(
        session,
        queue,
        lambda: session.comparison.compared() is not None and session.comparison.compared("pairs") is not None,
    )
    session.close()


def test_a_set_whose_queries_have_no_weight_is_compared_and_says_so() -> None:
    small_collection = collection(2, queries=12)
    weights = QueryWeights({"1": 2.0, "2": 1.0}, "some")
    session = session_with(replace(small_collection, weights=weights))
    session.query_sets.make_query_set("others", ["3", "4", "5"])
    session.query_sets.set_query_set("others")
    compared = session.comparison.compared()
    assert compared is not None
    assert compared.comparison.weights is None
    assert any("None of these queries has a weight" in warning for warning in compared.comparison.warnings)


def test_curves_that_take_long_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are known are shown meanwhile; in the end they are those that are computed at once."""
    queue: Queue[Callable[[], None]] = Queue()
    session = session_with(collection(5, queries=12), post=queue.put)
    at_once = session_with(collection(5, queries=12))
    for a_session in (session, at_once):
        a_session.navigation.set_place("systems")

    def runs(of: Session) -> list[int]:
        view_model = of.comparison.systems_view_model()
        assert view_model is not None
        shown = [curve.role.run for curve in view_model.precision_recall.curves]
        assert shown == [curve.role.run for curve in view_model.by_cutoff.curves if curve.role.kind == "run"]
        return shown

    session.runs.show_runs([0, 2])
    assert runs(session) == [0, 2], "what is cheap is there at once"
    monkeypatch.setattr("irviewer.session.comparison.actions.AT_ONCE", 0.0)
    wait(session, queue, lambda: session.busy is None)
    heard = Announcements(session)
    session.runs.show_runs([0, 1, 2, 3])
    assert runs(session) == [0, 2]
    wait(session, queue, lambda: runs(session) == [0, 1, 2, 3])
    assert {"statistics"} in heard.take()
    at_once.runs.show_runs([0, 1, 2, 3])
    assert runs(at_once) == [0, 1, 2, 3]
    ours, theirs = session.comparison.systems_view_model(), at_once.comparison.systems_view_model()
    assert ours is not None
    assert theirs is not None
    for mine, its in ((ours.precision_recall, theirs.precision_recall), (ours.by_cutoff, theirs.by_cutoff)):
        for curve, other in zip(mine.curves, its.curves, strict=True):
            assert (curve.x.tolist(), curve.y.tolist()) == (other.x.tolist(), other.y.tolist())
    session.close()


def test_what_is_wanted_is_found_once_until_a_choice_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []

    def counting(context: EvaluationContext) -> list[ShareWarning]:
        read.append(context)
        return share_caveats(context)

    monkeypatch.setattr(actions, "share_caveats", counting)
    session = session_with(collection(3, queries=12))
    session.query_sets.make_query_set("few", ["1", "2", "3"])
    keys = set()
    for number, choose in enumerate(
        (
            lambda: session.navigation.set_place("systems"),
            lambda: session.evaluation.set_measure("RR"),
            lambda: session.protocol.set(correction="bonferroni"),
            lambda: session.query_sets.set_query_set("few"),
        ),
        start=1,
    ):
        choose()
        context = session.view.context
        assert context is not None
        wanted = {kind: session.comparison.wanted(context, kind) for kind in KINDS}
        for _ in range(3):
            assert all(session.comparison.wanted(context, kind) is wanted[kind] for kind in KINDS)
        assert None not in wanted.values()
        keys.add(wanted["pairs"].key)  # type: ignore[union-attr]
        assert len(keys) == number
        assert len(read) <= number * len(KINDS), "the caveats of all runs were read again though nothing changed"
