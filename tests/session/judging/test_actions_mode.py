"""A key judges in judging mode only; outside it no letter and no digit, on any screen, changes what a user made."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from irviewer.commands import COMMANDS, Command, run_command
from irviewer.model.workspace import Regime
from irviewer.session.session import Session
from irviewer.session.state import LISTS_MODES, TABS
from tests.session.helpers import collection, session_with

SCREENS = [
    *(("systems", "", mode) for mode in LISTS_MODES[:1]),
    *(("queries", tab, "lists") for tab in TABS["queries"]),
    *(("query", "", mode) for mode in LISTS_MODES),
    *(("compare", tab, "lists") for tab in TABS["compare"]),
]


def typed() -> Iterator[Command]:
    """Every command that a character alone gives, as somebody types it beside a field: letters, digits and marks, with
    Shift or without, and the keys that delete. Keys that only a widget takes which has the focus are its own: Space in
    the table of failures."""
    for command in filter(lambda command: command.bound, COMMANDS):
        for keys in command.shortcuts:
            if not keys.startswith(("Ctrl+", "Alt+")) and not (keys[:1] == "F" and keys[1:].isdigit()):
                yield command
                break


def on(screen: tuple[str, str, str], *, copied: bool = False) -> Session:
    """A session on a screen, a document selected where it can be."""
    place, tab, mode = screen
    session = session_with(collection(4, queries=6))
    session.evaluation.set_regime(Regime.POOLED)
    if copied:
        session.run_editing.edit_copy(2)
    session.navigation.set_place(place)
    session.appearance.set_lists_mode(mode)
    if tab:
        session.navigation.set_tab(place, tab)
    session.compute_now()
    if place == "query":
        view_model = session.view_models.query_view_model()
        assert view_model is not None
        session.navigation.set_document(view_model.columns[0].doc_ids[1])
    elif tab == "relevant":
        relevant = session.list_judging.relevant_view_model()
        assert relevant is not None
        session.navigation.set_document(relevant.doc_ids[0])
    elif tab == "vector":
        vector = session.failures.vector_view_model()
        assert vector is not None
        session.navigation.set_document(vector.rows[0].doc_ids[0])
    elif tab == "hubs":
        hubs = session.list_judging.hubs_view_model()
        if hubs is not None and hubs.doc_ids:
            session.navigation.set_document(hubs.doc_ids[0])
    elif tab == "worklist":
        work = session.list_judging.worklist_view_model()
        assert work is not None
        session.list_judging.choose_pair(work.query_ids[0], work.doc_ids[0])
    else:
        context = session.view.context
        assert context is not None
        session.navigation.set_document(context.collection.runs[0].run.ranking(session.view.query_id, 3)[1])
    session.compute_now()
    return session


def users_work(session: Session) -> tuple[object, ...]:
    """What a user made: judgments, runs and their lists, query sets, notes."""
    opened = session.view.collection
    assert opened is not None
    runs = [(entry.key, entry.name, entry.colour, id(entry.run.scores)) for entry in opened.runs]
    judged = [list(judgment_set.overlay) for judgment_set in opened.judgments]
    return judged, runs, opened.query_sets, opened.weights, dict(opened.notes)


@pytest.mark.parametrize("copied", [False, True], ids=["", "an edited copy in view"])
@pytest.mark.parametrize("screen", SCREENS, ids=lambda words: " ".join(filter(None, words)))
def test_outside_the_mode_no_character_typed_changes_what_a_user_made(
    screen: tuple[str, str, str], copied: bool
) -> None:
    session = on(screen, copied=copied)
    before, place = users_work(session), session.view.place
    for command in typed():
        run_command(session, command.id)
        assert users_work(session) == before, command.id
        if command.shortcuts[0].isdigit():
            assert session.view.place == place, command.id


@pytest.mark.parametrize("screen", SCREENS, ids=lambda words: " ".join(filter(None, words)))
def test_in_the_mode_every_digit_judges_where_a_document_is_in_view(screen: tuple[str, str, str]) -> None:
    session = on(screen)
    target = session.list_judging.judging_target
    assert (target is not None) == (screen[0] == "query" or screen[1] in ("relevant", "vector", "worklist")) or (
        screen[1] == "hubs"
    )
    run_command(session, "judging_mode")
    assert session.judging.is_on
    before, place = users_work(session), session.view.place
    for digit in range(10):
        run_command(session, f"grade_{digit}")
        assert session.view.place == place
        if target is None:
            assert users_work(session) == before
        else:
            query, document = target
            assert session.view.judgments is not None
            # The scale ends at 2: other digits give no grade.
            assert session.view.judgments.qrels.judgments(query)[document] == min(digit, 2)
    run_command(session, "unjudge")
    if target is not None:
        assert session.view.judgments is not None
        assert target[1] not in session.view.judgments.qrels.judgments(target[0])
        run_command(session, "revert_judgment")
        assert not session.view.judgments.overlay


def test_the_mode_is_left_by_the_key_that_turned_it_on_and_with_blind_judging() -> None:
    session = on(("query", "", "lists"))
    assert not session.judging.is_on
    run_command(session, "judging_mode")
    run_command(session, "judging_mode")
    assert not session.judging.is_on
    run_command(session, "judge_blind")
    assert (session.judging.is_on, session.judging.blind) == (True, True)
    run_command(session, "grade_2")
    assert session.view.judgments is not None
    assert len(session.view.judgments.overlay) == 1
    run_command(session, "judging_mode")
    assert (session.judging.is_on, session.judging.blind) == (False, False)
    run_command(session, "judging_mode")
    run_command(session, "judge_blind")
    run_command(session, "judge_blind")  # blind no more, and judging goes on as it did
    assert (session.judging.is_on, session.judging.blind) == (True, False)


def test_a_digit_outside_the_mode_says_where_it_would_judge_and_once() -> None:
    session = on(("query", "", "lists"))
    run_command(session, "grade_2")
    run_command(session, "grade_3")
    run_command(session, "unjudge")
    said = [message for message in session.view.messages if "Ctrl+J" in message.text]
    assert len(said) == 1
    assert said[0].action == "judging_mode"
    run_command(session, "judging_mode")
    assert not [message for message in session.view.messages if "Ctrl+J" in message.text]
    run_command(session, "judging_mode")
    session.navigation.set_document(None)
    run_command(session, "grade_2")
    assert not [message for message in session.view.messages if "Ctrl+J" in message.text]


def test_another_collection_or_other_judgments_end_the_mode() -> None:
    first, second = collection(3), collection(2, name="other", seed=2)
    session = session_with(first, second)
    session.judging.set_judging(True)
    session.evaluation.set_measure("AP")
    session.navigation.set_place("query")
    session.navigation.step_query(1)
    assert session.judging.is_on
    session.files.set_collection(1 - session.state.current)
    assert not session.judging.is_on
    session.judging.set_judging(True)
    session.files.close_collection()
    assert not session.judging.is_on
    judged = first.judgments[0]
    several = type(first)("several", judgments=(judged, judged), runs=first.runs)
    session = session_with(several)
    session.judging.set_judging(True)
    session.evaluation.set_judgments(1)
    assert not session.judging.is_on


def test_the_first_judgment_of_a_collection_without_any_leaves_the_mode_on() -> None:
    made_ = collection(2)
    session = session_with(type(made_)("runs", runs=made_.runs))
    session.navigation.set_place("query")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    session.navigation.set_document(view_model.columns[0].doc_ids[0])
    session.judging.set_judging(True)
    run_command(session, "grade_1")
    assert session.view.judgments is not None
    assert len(session.view.judgments.overlay) == 1
    assert session.judging.is_on


def test_the_grades_to_give_are_those_of_the_judgments_and_of_what_was_judged() -> None:
    session = on(("query", "", "lists"))
    assert session.judging.grades == (0.0, 1.0, 2.0)
    session.judging.judge("x1-3", 7.0)
    assert session.judging.grades == (0.0, 1.0, 2.0, 7.0)


def test_judging_blind_takes_away_the_hint_that_names_runs() -> None:
    session = session_with(collection(3))
    names = [entry.name for entry in session.view.collection.runs] if session.view.collection is not None else []
    assert any(name in message.text for message in session.view.messages for name in names)
    session.judging.set_blind(True)
    assert not [message.text for message in session.view.messages if any(name in message.text for name in names)]
