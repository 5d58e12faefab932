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
from irviewer.rendering.palette import CONTRAST, CONTRAST_DARK, DARK, LIGHT
from irviewer.session import store as core
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.messages import Level, info
from irviewer.session.session import Session
from tests.session.helpers import Announcements, collection, session_with


def test_up_to_four_runs_are_shown_of_more_the_best_three_and_the_baseline() -> None:
    session = session_with(collection(4))
    assert session.view.shown == (0, 1, 2, 3)
    session = session_with(collection(6))
    means = {
        entry.key: session.view.context.mean(entry, session.view.measure)
        for entry in session.view.context.collection.runs
    }  # type: ignore[union-attr]
    best = sorted(means, key=lambda key: -means[key])[:3]
    assert set(session.view.shown) == {0, *best}
    assert session.view.baseline == 0
    assert session.view.focus == best[0]


def test_focus_is_the_best_shown_beside_the_baseline_until_chosen() -> None:
    session = session_with(collection(4))
    assert session.view.focus == 3
    session.runs.set_baseline(3)
    assert session.view.focus == 2
    session.runs.set_focus(0)
    assert session.view.focus == 0
    session.runs.show_run(0, False)
    assert session.view.focus == 2
    session.runs.show_run(0, True)
    assert session.view.focus == 0  # the person's choice is not forgotten
    session.runs.set_focus(None)
    assert session.view.focus == 2
    session.runs.show_runs([3])
    assert session.view.focus is None


def test_each_action_announces_what_changed_and_once() -> None:
    session = session_with(collection(3), collection(2, name="second", seed=2))
    session.navigation.set_query("1")
    while session.view.messages:
        session.dismiss_message(session.view.messages[0])
    heard = Announcements(session)
    expected: list[tuple[Callable[[], object], set[str]]] = [
        (lambda: session.navigation.set_place("systems"), {"place"}),
        (lambda: session.navigation.set_query("2"), {"query"}),
        (lambda: session.navigation.set_document("d1"), {"document"}),
        (lambda: session.navigation.set_query("3"), {"query", "document"}),
        (lambda: session.appearance.set_lists_mode("strips"), {"mode"}),
        (lambda: session.appearance.set_theme("dark"), {"theme"}),
        (lambda: session.appearance.set_system_dark(True), {"theme"}),
        (lambda: session.navigation.sort_queries("text", False), {"order"}),
        (lambda: session.navigation.filter_queries("1"), {"order"}),
        (lambda: session.navigation.sort_systems("AP", True), {"order"}),
        (lambda: session.evaluation.set_cutoff(9), {"measure"}),
        (lambda: session.runs.set_baseline(1), {"runs", "statistics", "history"}),
        (lambda: session.runs.show_run(2, False), {"runs"}),
        (lambda: session.runs.rename_run(1, "other"), {"workspace", "runs", "history"}),
        (lambda: session.runs.recolour_run(1, "#aabbcc"), {"workspace", "runs", "history"}),
        (lambda: session.runs.move_run(1, 0), {"workspace", "runs", "history"}),
        (lambda: session.runs.remove_run(2), {"workspace", "runs", "history", "messages"}),
        (lambda: session.evaluation.set_regime(Regime.COMPLETE), {"workspace", "collection", "history", "messages"}),
        (lambda: session.say(info("news")), {"messages"}),
        (lambda: session.dismiss_message(session.view.messages[0]), {"messages"}),
    ]
    for action, aspects in expected:
        heard.take()
        action()
        (announced,) = heard.take()
        assert announced == aspects
        assert announced <= EVERY_CHANGE
        action() if "messages" not in aspects else None
        assert heard.take() == [], f"{aspects} announced without a change"
    session.files.set_collection(1)
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
    session.evaluation.set_measure("P@1")
    assert session.view.focus == 1
    heard = Announcements(session)
    session.evaluation.set_measure("R@3")
    assert session.view.focus == 2
    assert heard.take() == [{"measure", "runs"}]


def test_walking_holds_at_the_ends_and_follows_the_order() -> None:
    session = session_with(collection(2, queries=3))
    session.navigation.sort_queries("query", True)
    session.navigation.set_query("3")
    seen = []
    for _ in range(4):
        seen.append(session.view.query_id)
        session.navigation.step_query(1)
    assert seen == ["3", "2", "1", "1"]
    session.navigation.step_query(-5)
    assert session.view.query_id == "3"
    session.navigation.filter_queries("id:2")
    session.navigation.step_query(-1)
    assert session.view.query_id == "2"
    session.navigation.filter_queries("nothing has this")
    session.navigation.step_query(1)
    assert session.view.query_id == "2"


def test_an_unknown_query_is_a_message_and_changes_nothing() -> None:
    session = session_with(collection())
    before = session.view.query_id
    assert not session.navigation.set_query("999")
    assert session.view.query_id == before
    assert "999 is not in the qrels" in session.view.messages[-1].text


def test_measure_and_cutoff_go_together() -> None:
    session = session_with(collection())
    assert (str(session.view.measure), session.view.cutoff) == ("nDCG@10", 10)
    session.evaluation.set_cutoff(5)
    assert (str(session.view.measure), session.view.cutoff) == ("nDCG@5", 5)
    session.evaluation.set_measure("AP")
    assert session.view.cutoff == 5
    session.evaluation.set_cutoff(7)
    assert (str(session.view.measure), session.view.cutoff) == ("AP", 7)
    session.evaluation.set_measure("P@20")
    assert session.view.cutoff == 20
    session.evaluation.set_measure("IPrec@0.1")
    assert session.view.cutoff == 20  # a recall level is no rank
    session.evaluation.set_cutoff(0)
    assert session.view.cutoff == 1
    assert session.settings["measure"] == "IPrec@0.1"


def test_runs_are_renamed_moved_recoloured_and_removed() -> None:
    session = session_with(collection(3))
    session.runs.rename_run(0, "  beta ")
    assert [label.name for label in session.view.labels()] == ["beta (2)", "beta", "gamma"]
    session.runs.rename_run(0, "   ")
    assert session.view.messages[-1].text == "Enter a name for the run."
    session.runs.recolour_run(0, "red")
    assert "#rrggbb" in session.view.messages[-1].text
    session.runs.recolour_run(0, "#ABCDEF")
    session.runs.move_run(0, 99)
    assert [(label.key, label.colour, label.slot) for label in session.view.labels()] == [
        (1, None, 1),
        (2, None, 2),
        (0, "#ABCDEF", 0),
    ]
    assert session.view.baseline == 0  # an order is not a choice
    session.navigation.sort_queries("0", True)
    session.runs.remove_run(0)
    assert (session.view.baseline, session.view.shown) == (1, (1, 2))
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    assert view_model.sort == ("query", False)
    session.runs.remove_run(1)
    session.runs.remove_run(2)
    assert session.view.labels() == ()
    assert session.view_models.query_view_model() is not None


def test_a_renamed_run_costs_no_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    session = session_with(collection(3))
    session.view_models.systems_view_model()

    def refuse(*_: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr("irviewer.evaluation.evaluate.judge", refuse)
    session.runs.rename_run(0, "new")
    session.evaluation.set_regime(Regime.SPARSE)
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert "new" in [run.name for run in view_model.runs]


def test_removed_runs_are_let_go() -> None:
    session = session_with(collection(3))
    session.view_models.systems_view_model()
    assert len(session.store.evaluation) == 3
    session.runs.remove_run(1)
    assert len(session.store.evaluation) == 2
    session.files.close_collection()
    assert len(session.store.evaluation) == 0


def test_view_models_are_kept_until_what_they_depend_on_changes() -> None:
    session = session_with(collection(3))
    session.navigation.set_query("1")
    query, systems, queries = (
        session.view_models.query_view_model(),
        session.view_models.systems_view_model(),
        session.view_models.queries_view_model(),
    )
    session.navigation.set_place("systems")
    session.say(info("news"))
    session.navigation.hover("d1")
    assert session.view_models.query_view_model() is query
    assert session.view_models.systems_view_model() is systems
    assert session.view_models.queries_view_model() is queries
    session.navigation.set_query("2")
    assert session.view_models.query_view_model() is not query
    assert session.view_models.systems_view_model() is systems
    session.navigation.set_document("d2")
    with_document = session.view_models.query_view_model()
    assert with_document is not None
    assert with_document.document == "d2"
    assert session.view_models.queries_view_model() is not queries


def test_each_collection_keeps_its_own_choices() -> None:
    session = session_with(collection(3), collection(2, name="second", seed=2))
    session.navigation.set_query("5")
    session.runs.set_baseline(2)
    session.files.set_collection(1)
    assert session.view.collection is not None
    assert session.view.collection.name == "second"
    assert session.view.baseline == 0
    session.navigation.set_query("6")
    session.files.set_collection(0)
    assert (session.view.query_id, session.view.baseline) == ("5", 2)
    session.files.close_collection(0)
    assert session.view.collection.name == "second"
    assert session.view.query_id == "6"
    session.files.set_collection(7)
    assert session.view.query_id == "6"
    session.files.close_collection()
    assert (session.view.collection, session.view.place, session.view.query_id) == (None, "start", "")
    assert (
        session.view_models.query_view_model()
        is session.view_models.systems_view_model()
        is session.view_models.queries_view_model()
        is None
    )


def test_hover_is_announced_apart_and_once() -> None:
    session = session_with(collection())
    heard = Announcements(session)
    hovered: list[str] = []
    session.hovered.connect(hovered.append)
    for doc_id in ("d1", "d1", "", ""):
        session.navigation.hover(doc_id)
    assert hovered == ["d1", ""]
    assert heard.take() == []


def test_another_query_has_nothing_under_the_pointer() -> None:
    session = session_with(collection())
    session.navigation.hover("d1")
    session.navigation.step_query(1)
    assert session.store.hovered_document == ""


def test_a_view_model_that_is_pulled_again_is_the_same_and_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session = session_with(collection())
    view_models = (session.view_models.query_view_model(), session.view_models.queries_view_model())

    def sought(*_: object) -> None:
        raise AssertionError("looked for again")

    monkeypatch.setattr(session.view, "order", sought)
    assert (session.view_models.query_view_model(), session.view_models.queries_view_model()) == view_models
    session.navigation.set_document("d1")
    with pytest.raises(AssertionError, match="again"):
        session.view_models.query_view_model()


def test_colours_follow_the_system_unless_chosen() -> None:
    session = Session()
    assert session.view.palette is LIGHT
    session.appearance.set_system_dark(True)
    assert session.view.palette is DARK
    session.appearance.set_system_contrast(True)
    assert session.view.palette is CONTRAST_DARK
    session.appearance.set_system_dark(False)
    assert session.view.palette is CONTRAST
    session.appearance.set_theme("light")
    assert session.view.palette is LIGHT
    assert session.settings["theme"] == "light"


def test_words_that_no_setting_knows_are_refused() -> None:
    session = session_with(collection())
    for call in (session.navigation.set_place, session.appearance.set_theme, session.appearance.set_lists_mode):
        with pytest.raises(IrviewerError, match="nowhere"):
            call("nowhere")


def test_warnings_group_runs_that_lack_the_same_queries() -> None:
    base = collection(4)
    assert base.judgments[0].qrels
    short = [
        Run.from_dict({q: {"d" + q: 1.0} for q in ("1", "2", "3", "4", "5", "6", "7")}, name=f"short{n}")
        for n in range(3)
    ]
    odd = Run.from_dict({q: {"d" + q: 1.0} for q in (*"12345678", "99")}, name="odd")
    session = session_with(base.with_runs([*short, odd]))
    assert session.view.caveats == ("3 runs lack query 8: counted as 0", "odd has query 99 without judgments")


def test_means_count_missing_queries_as_zero() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}, "2": {"a": 1}})
    half = Run.from_dict({"1": {"a": 1.0}}, name="half")
    session = session_with(Collection("c", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs([half]))
    session.evaluation.set_measure("RR")
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert view_model.means[0, [column.measure for column in view_model.columns].index("RR")] == 0.5


def test_what_takes_long_is_a_task_and_the_newest_request_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    queue: Queue[Callable[[], None]] = Queue()
    session = Session(post=queue.put)
    from irviewer.model.workspace import Workspace
    from irviewer.session.files.import_result import ImportResult
    from irviewer.session.state_changes import Opening, with_import_result

    import_result = ImportResult(Workspace((collection(3),)), new=[0], touched=[0])
    session.store.apply(
        with_import_result(session.state, import_result, Opening(), session.store.context_of, hints=False)
    )
    monkeypatch.setattr(core, "INLINE", 0.0)
    session.evaluation.set_measure("AP")
    assert str(session.view.measure) == "nDCG@10"
    assert session.busy is not None
    assert session.busy.title == "Computing AP"
    session.evaluation.set_measure("P@3")
    deliver(queue, lambda: session.busy is None)
    assert str(session.view.measure) == "P@3"
    while not queue.empty():
        queue.get()()
    assert str(session.view.measure) == "P@3"
    session.close()


def test_a_random_walk_keeps_the_view_models_consistent() -> None:
    dice = random.Random(7)
    session = session_with(collection(6, queries=12), collection(2, name="second", seed=3))
    actions: list[Callable[[], object]] = [
        lambda: session.navigation.step_query(dice.choice((-1, 1))),
        lambda: session.evaluation.set_measure(dice.choice(("AP", "RR", "P@5", "nDCG"))),
        lambda: session.evaluation.set_cutoff(dice.randint(1, 30)),
        lambda: session.runs.show_run(dice.randint(0, 5), dice.random() < 0.5),
        lambda: session.runs.set_baseline(dice.randint(0, 5)),
        lambda: session.runs.set_focus(dice.choice((None, 0, 1, 2, 3))),
        lambda: session.runs.move_run(dice.randint(0, 5), dice.randint(0, 5)),
        lambda: session.files.set_collection(dice.randint(0, 1)),
        lambda: session.navigation.sort_queries(
            dice.choice(("query", "text", "delta", "spread", "0", "5")), dice.random() < 0.5
        ),
        lambda: session.navigation.filter_queries(dice.choice(("", "", "Δ > 0", "1", "alpha > .1", "Δ"))),
        lambda: session.navigation.sort_systems(dice.choice(("AP", "run", "delta", "")), dice.random() < 0.5),
        lambda: session.navigation.set_document(dice.choice((None, "d1", "nowhere"))),
        lambda: session.evaluation.set_regime(dice.choice(list(Regime))),
    ]
    for _ in range(400):
        dice.choice(actions)()
        query, queries, systems = (
            session.view_models.query_view_model(),
            session.view_models.queries_view_model(),
            session.view_models.systems_view_model(),
        )
        assert query is not None
        assert queries is not None
        assert systems is not None
        assert [column.run.key for column in query.columns] == list(session.view.shown)
        assert queries.values.shape == (len(queries.query_ids), len(session.view.shown))
        if queries.selected >= 0:
            assert queries.query_ids[queries.selected] == session.view.query_id
            assert query.position == (queries.selected + 1, len(queries.query_ids))
        values = [column.value for column in query.columns]
        if queries.selected >= 0 and values:
            assert np.array_equal(queries.values[queries.selected], np.array(values))
        assert sorted(run.key for run in systems.runs) == sorted(label.key for label in session.view.labels())


def test_a_hint_goes_with_the_view_it_speaks_of() -> None:
    session = session_with(collection(), collection(name="other"))
    assert [message.level for message in session.view.messages] == [Level.HINT]
    session.say(info("stays"))
    session.files.set_collection(1)
    assert [message.text for message in session.view.messages] == ["stays"]
    session.files.close_collection()
    session.files.close_collection()
    assert (session.view.place, [message.text for message in session.view.messages]) == ("start", ["stays"])
