"""The session's actions: what each changes, what it announces, and that nothing is announced where nothing changed."""

from __future__ import annotations

import random
from collections.abc import Callable
from queue import Queue

import numpy as np
import pytest
from patience import deliver

from irviewer.errors import IrviewerError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.rendering.palette import DARK, LIGHT
from irviewer.session import core
from irviewer.session.messages import Level, info
from irviewer.session.session import Session
from tests.session.helpers import Announcements, collection, session_with


def test_up_to_four_runs_are_shown_of_more_the_best_three_and_the_baseline() -> None:
    session = session_with(collection(4))
    assert session.shown == (0, 1, 2, 3)
    session = session_with(collection(6))
    means = {entry.key: session.scene.mean(entry, session.measure) for entry in session.scene.collection.runs}  # type: ignore[union-attr]
    best = sorted(means, key=lambda key: -means[key])[:3]
    assert set(session.shown) == {0, *best}
    assert session.baseline == 0
    assert session.focus == best[0]


def test_focus_is_the_best_shown_beside_the_baseline_until_chosen() -> None:
    session = session_with(collection(4))
    assert session.focus == 3
    session.set_baseline(3)
    assert session.focus == 2
    session.set_focus(0)
    assert session.focus == 0
    session.show_run(0, False)
    assert session.focus == 2
    session.show_run(0, True)
    assert session.focus == 0  # the person's choice is not forgotten
    session.set_focus(None)
    assert session.focus == 2
    session.show_runs([3])
    assert session.focus is None


def test_each_action_announces_what_changed_and_once() -> None:
    session = session_with(collection(3), collection(2, name="second", seed=2))
    session.set_query("1")
    while session.messages:
        session.dismiss_message(0)
    heard = Announcements(session)
    expected: list[tuple[Callable[[], object], set[str]]] = [
        (lambda: session.set_place("systems"), {"place"}),
        (lambda: session.set_query("2"), {"query"}),
        (lambda: session.set_document("d1"), {"document"}),
        (lambda: session.set_query("3"), {"query", "document"}),
        (lambda: session.set_lists_mode("strips"), {"mode"}),
        (lambda: session.set_theme("dark"), {"theme"}),
        (lambda: session.set_system_dark(True), {"theme"}),
        (lambda: session.sort_queries("text", False), {"order"}),
        (lambda: session.filter_queries("1"), {"order"}),
        (lambda: session.sort_systems("AP", True), {"order"}),
        (lambda: session.set_cutoff(9), {"measure"}),
        (lambda: session.set_baseline(1), {"runs"}),
        (lambda: session.show_run(2, False), {"runs"}),
        (lambda: session.rename_run(1, "other"), {"workspace", "runs", "history"}),
        (lambda: session.recolour_run(1, "#aabbcc"), {"workspace", "runs", "history"}),
        (lambda: session.move_run(1, 0), {"workspace", "runs", "history"}),
        (lambda: session.remove_run(2), {"workspace", "runs", "history", "messages"}),
        (lambda: session.set_regime(Regime.COMPLETE), {"workspace", "collection", "history", "messages"}),
        (lambda: session.say(info("news")), {"messages"}),
        (lambda: session.dismiss_message(0), {"messages"}),
    ]
    for action, aspects in expected:
        heard.take()
        action()
        (announced,) = heard.take()
        assert announced == aspects
        assert announced <= Session.aspects
        action() if "messages" not in aspects else None
        assert heard.take() == [], f"{aspects} announced without a change"
    session.set_collection(1)
    (announced,) = heard.take()
    assert {"collection", "runs", "query"} <= announced


def test_a_measure_that_changes_the_best_run_announces_the_runs() -> None:
    qrels = {"1": {"a": 1, "b": 1}}
    early = Run.from_dict({"1": {"a": 9.0, "x": 8.0, "y": 7.0}}, name="early")
    deep = Run.from_dict({"1": {"x": 9.0, "a": 8.0, "b": 7.0}}, name="deep")
    none = Run.from_dict({"1": {"x": 1.0}}, name="none")
    session = session_with(
        Collection("c", judgments=(JudgmentSet(Qrels.from_dict(qrels), Regime.POOLED),)).with_runs([none, early, deep])
    )
    session.set_measure("P@1")
    assert session.focus == 1
    heard = Announcements(session)
    session.set_measure("R@3")
    assert session.focus == 2
    assert heard.take() == [{"measure", "runs"}]


def test_walking_holds_at_the_ends_and_follows_the_order() -> None:
    session = session_with(collection(2, queries=3))
    session.sort_queries("query", True)
    session.set_query("3")
    seen = []
    for _ in range(4):
        seen.append(session.query_id)
        session.step_query(1)
    assert seen == ["3", "2", "1", "1"]
    session.step_query(-5)
    assert session.query_id == "3"
    session.filter_queries("id:2")
    session.step_query(-1)
    assert session.query_id == "2"
    session.filter_queries("nothing has this")
    session.step_query(1)
    assert session.query_id == "2"


def test_an_unknown_query_is_a_message_and_changes_nothing() -> None:
    session = session_with(collection())
    before = session.query_id
    assert not session.set_query("999")
    assert session.query_id == before
    assert "999 is not in the qrels" in session.messages[-1].text


def test_measure_and_cutoff_go_together() -> None:
    session = session_with(collection())
    assert (str(session.measure), session.cutoff) == ("nDCG@10", 10)
    session.set_cutoff(5)
    assert (str(session.measure), session.cutoff) == ("nDCG@5", 5)
    session.set_measure("AP")
    assert session.cutoff == 5
    session.set_cutoff(7)
    assert (str(session.measure), session.cutoff) == ("AP", 7)
    session.set_measure("P@20")
    assert session.cutoff == 20
    session.set_measure("IPrec@0.1")
    assert session.cutoff == 20  # a recall level is no rank
    session.set_cutoff(0)
    assert session.cutoff == 1
    assert session.settings["measure"] == "IPrec@0.1"


def test_runs_are_renamed_moved_recoloured_and_removed() -> None:
    session = session_with(collection(3))
    session.rename_run(0, "  beta ")
    assert [label.name for label in session.labels()] == ["beta (2)", "beta", "gamma"]
    session.rename_run(0, "   ")
    assert session.messages[-1].text == "a run needs a name"
    session.recolour_run(0, "red")
    assert "#rrggbb" in session.messages[-1].text
    session.recolour_run(0, "#ABCDEF")
    session.move_run(0, 99)
    assert [(label.key, label.colour, label.slot) for label in session.labels()] == [
        (1, None, 1),
        (2, None, 2),
        (0, "#ABCDEF", 0),
    ]
    assert session.baseline == 0  # an order is not a choice
    session.sort_queries("0", True)
    session.remove_run(0)
    assert (session.baseline, session.shown) == (1, (1, 2))
    page = session.queries_page()
    assert page is not None
    assert page.sort == ("query", False)
    session.remove_run(1)
    session.remove_run(2)
    assert session.labels() == ()
    assert session.query_page() is not None


def test_a_renamed_run_costs_no_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    session = session_with(collection(3))
    session.systems_page()

    def refuse(*_: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr("irviewer.evaluation.evaluate.judge", refuse)
    session.rename_run(0, "new")
    session.set_regime(Regime.SPARSE)
    page = session.systems_page()
    assert page is not None
    assert "new" in [run.name for run in page.runs]


def test_removed_runs_are_let_go() -> None:
    session = session_with(collection(3))
    session.systems_page()
    assert len(session._evaluation) == 3
    session.remove_run(1)
    assert len(session._evaluation) == 2
    session.close_collection()
    assert len(session._evaluation) == 0


def test_pages_are_kept_until_what_they_depend_on_changes() -> None:
    session = session_with(collection(3))
    session.set_query("1")
    query, systems, queries = session.query_page(), session.systems_page(), session.queries_page()
    session.set_place("systems")
    session.say(info("news"))
    session.hover("d1")
    assert session.query_page() is query
    assert session.systems_page() is systems
    assert session.queries_page() is queries
    session.set_query("2")
    assert session.query_page() is not query
    assert session.systems_page() is systems
    session.set_document("d2")
    with_document = session.query_page()
    assert with_document is not None
    assert with_document.document == "d2"
    assert session.queries_page() is not queries


def test_each_collection_keeps_its_own_choices() -> None:
    session = session_with(collection(3), collection(2, name="second", seed=2))
    session.set_query("5")
    session.set_baseline(2)
    session.set_collection(1)
    assert session.collection is not None
    assert session.collection.name == "second"
    assert session.baseline == 0
    session.set_query("6")
    session.set_collection(0)
    assert (session.query_id, session.baseline) == ("5", 2)
    session.close_collection(0)
    assert session.collection.name == "second"
    assert session.query_id == "6"
    session.set_collection(7)
    assert session.query_id == "6"
    session.close_collection()
    assert (session.collection, session.place, session.query_id) == (None, "start", "")
    assert session.query_page() is session.systems_page() is session.queries_page() is None


def test_hover_is_announced_apart_and_once() -> None:
    session = session_with(collection())
    heard = Announcements(session)
    hovered: list[str] = []
    session.hovered.connect(hovered.append)
    for doc_id in ("d1", "d1", "", ""):
        session.hover(doc_id)
    assert hovered == ["d1", ""]
    assert heard.take() == []


def test_another_query_has_nothing_under_the_pointer() -> None:
    session = session_with(collection())
    session.hover("d1")
    session.step_query(1)
    assert session.hovered_document == ""


def test_a_page_that_is_pulled_again_is_the_same_and_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session = session_with(collection())
    pages = (session.query_page(), session.queries_page())

    def sought(*_: object) -> None:
        raise AssertionError("looked for again")

    monkeypatch.setattr(type(session), "_order", sought)
    assert (session.query_page(), session.queries_page()) == pages
    session.set_document("d1")
    with pytest.raises(AssertionError, match="again"):
        session.query_page()


def test_colours_follow_the_system_unless_chosen() -> None:
    session = Session()
    assert session.palette is LIGHT
    session.set_system_dark(True)
    assert session.palette is DARK
    session.set_theme("light")
    assert session.palette is LIGHT
    assert session.settings["theme"] == "light"


def test_words_that_no_setting_knows_are_refused() -> None:
    session = session_with(collection())
    for call in (session.set_place, session.set_theme, session.set_lists_mode):
        with pytest.raises(IrviewerError, match="nowhere"):
            call("nowhere")


def test_caveats_group_runs_that_lack_the_same_queries() -> None:
    base = collection(4)
    assert base.judgments[0].qrels
    short = [
        Run.from_dict({q: {"d" + q: 1.0} for q in ("1", "2", "3", "4", "5", "6", "7")}, name=f"short{n}")
        for n in range(3)
    ]
    odd = Run.from_dict({q: {"d" + q: 1.0} for q in (*"12345678", "99")}, name="odd")
    session = session_with(base.with_runs([*short, odd]))
    assert session.caveats == ("3 runs lack query 8: counted as 0", "odd answers query 99 without judgments")


def test_means_count_missing_queries_as_zero() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}, "2": {"a": 1}})
    half = Run.from_dict({"1": {"a": 1.0}}, name="half")
    session = session_with(Collection("c", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs([half]))
    session.set_measure("RR")
    page = session.systems_page()
    assert page is not None
    assert page.means[0, [one.measure for one in page.columns].index("RR")] == 0.5


def test_what_takes_long_is_a_task_and_the_newest_wish_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    queue: Queue[Callable[[], None]] = Queue()
    session = Session(post=queue.put)
    from irviewer.model.workspace import Workspace
    from irviewer.session.files.import_result import Placed
    from irviewer.session.state_changes import Opening, with_placed

    placed = Placed(Workspace((collection(3),)), new=[0], touched=[0])
    session._apply(with_placed(session.state, placed, Opening(), session._scene_of, hints=False))
    monkeypatch.setattr(core, "INLINE", 0.0)
    session.set_measure("AP")
    assert str(session.measure) == "nDCG@10"
    assert session.busy is not None
    assert session.busy.title == "Computing AP"
    session.set_measure("P@3")
    deliver(queue, lambda: session.busy is None)
    assert str(session.measure) == "P@3"
    while not queue.empty():
        queue.get()()
    assert str(session.measure) == "P@3"
    session.close()


def test_a_random_walk_keeps_the_pages_consistent() -> None:
    dice = random.Random(7)
    session = session_with(collection(6, queries=12), collection(2, name="second", seed=3))
    actions: list[Callable[[], object]] = [
        lambda: session.step_query(dice.choice((-1, 1))),
        lambda: session.set_measure(dice.choice(("AP", "RR", "P@5", "nDCG"))),
        lambda: session.set_cutoff(dice.randint(1, 30)),
        lambda: session.show_run(dice.randint(0, 5), dice.random() < 0.5),
        lambda: session.set_baseline(dice.randint(0, 5)),
        lambda: session.set_focus(dice.choice((None, 0, 1, 2, 3))),
        lambda: session.move_run(dice.randint(0, 5), dice.randint(0, 5)),
        lambda: session.set_collection(dice.randint(0, 1)),
        lambda: session.sort_queries(dice.choice(("query", "text", "delta", "spread", "0", "5")), dice.random() < 0.5),
        lambda: session.filter_queries(dice.choice(("", "", "Δ > 0", "1", "alpha > .1", "Δ"))),
        lambda: session.sort_systems(dice.choice(("AP", "run", "delta", "")), dice.random() < 0.5),
        lambda: session.set_document(dice.choice((None, "d1", "nowhere"))),
        lambda: session.set_regime(dice.choice(list(Regime))),
    ]
    for _ in range(400):
        dice.choice(actions)()
        query, queries, systems = session.query_page(), session.queries_page(), session.systems_page()
        assert query is not None
        assert queries is not None
        assert systems is not None
        assert [column.run.key for column in query.columns] == list(session.shown)
        assert queries.values.shape == (len(queries.query_ids), len(session.shown))
        if queries.selected >= 0:
            assert queries.query_ids[queries.selected] == session.query_id
            assert query.position == (queries.selected + 1, len(queries.query_ids))
        values = [column.value for column in query.columns]
        if queries.selected >= 0 and values:
            assert np.array_equal(queries.values[queries.selected], np.array(values))
        assert sorted(run.key for run in systems.runs) == sorted(label.key for label in session.labels())


def test_a_hint_goes_with_the_view_it_speaks_of() -> None:
    session = session_with(collection(), collection(name="other"))
    assert [one.level for one in session.messages] == [Level.HINT]
    session.say(info("stays"))
    session.set_collection(1)
    assert [one.text for one in session.messages] == ["stays"]
    session.close_collection()
    session.close_collection()
    assert (session.place, [one.text for one in session.messages]) == ("start", ["stays"])
