"""Commands for answers: where they can be called, and that they change nothing that a user made."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.commands import dynamic, run_command
from irviewer.commands.actions.answers import ROWS
from irviewer.session.session import Session

OWN = Path(__file__).parents[1] / "data" / "answers"
FILES = [OWN / f"{run}.{part}.jsonl" for run in ("alpha", "beta") for part in ("answers", "assignments", "support")]
OTHERS = ("show_answer", "label_answers", "next_answer_to_label", "choose_answer_list", "choose_assigner",
          "choose_answer_versions", "keep_labels_apart", "join_labels", "take_merged_labels", "save_merged_labels",
          "label_blind", "label_support")  # fmt: skip
LABELS = {"label_full": 2, "label_partial": 1, "label_not": 0, "label_none": None}
STEPS = tuple(row.id for row in ROWS if row.id not in (*OTHERS, *LABELS))


def opened() -> Session:
    session = Session()
    session.files.open_files([str(OWN / "nuggets.jsonl"), *map(str, FILES)])
    session.navigation.set_query("t1")
    return session


def test_without_answers_none_can_be_called() -> None:
    session = Session()
    for row in ROWS:
        assert not run_command(session, row.id)


@pytest.mark.parametrize("name", STEPS)
def test_steps_are_of_the_tab(name: str) -> None:
    session = opened()
    session.navigation.set_place("systems")
    assert not run_command(session, name)
    assert run_command(session, "show_answer")
    assert session.answers.is_shown
    before = session.state.workspace, session.state.chosen
    assert run_command(session, name)
    assert session.state.workspace is before[0], "nothing that a user made is changed"
    assert session.state.chosen != before[1]


@pytest.mark.parametrize(("name", "field"), [("label_blind", "blind"), ("label_support", "support")])
def test_each_way_to_label_is_a_command_of_the_tab(name: str, field: str) -> None:
    """“Judge blind” alone was found by the word blind, which grades documents."""
    session = opened()
    assert not run_command(session, name)
    assert run_command(session, "label_answers")
    for wanted in (True, False):
        assert run_command(session, name)
        assert getattr(session.answering, field) is wanted
        assert next(row for row in ROWS if row.id == name).checked(session) is wanted


def test_lost_nuggets_are_gone_through_to_the_last() -> None:
    """By the labels of the files alpha lacks one vital nugget of t1 and one of t2, and none of t3."""
    session = opened()
    context = session.view.context
    assert context is not None
    session.navigation.set_query(context.query_ids[int(session.view.order(context).rows[0])])
    run_command(session, "show_answer")
    selected = []
    for _ in range(4):
        run_command(session, "next_lost_nugget")
        selected.append(session.state.chosen.answer_part)
    assert {part[0] for part in selected} == {"t1", "t2"}
    assert len(set(selected)) == 2
    assert selected[1] == selected[3], "after the last one the selection stays"


def test_labelling_is_a_tab() -> None:
    session = opened()
    assert run_command(session, "label_answers")
    assert session.view.tab("query") == "label"
    assert run_command(session, "next_answer_to_label")


@pytest.mark.parametrize("support", [False, True])
def test_labels_are_given_by_commands_as_by_keys(support: bool) -> None:
    session = opened()
    assert not run_command(session, "label_full"), "only in the tab Label"
    run_command(session, "label_answers")
    session.answering.choose_support(support)
    session.answering.select(0)
    for name, code in LABELS.items():
        session.answering.select(0)
        assert run_command(session, name)
        answer = session.answering.answer()
        assert answer is not None and answer.items[0].code == code
    session.history.undo()
    answer = session.answering.answer()
    assert answer is not None and answer.items[0].code == 0, "each is an undo step"


@pytest.mark.parametrize(("typed", "view"), [
    ("vital nuggets", "nuggets"), ("missing facts", "nuggets"), ("believe assigner", "answer-agreement"),
    ("wrong labels", "answer-checks"), ("label next", "answer-worklist"), ("checks", "answer-checks"),
])  # fmt: skip
def test_a_view_of_answers_is_found_by_its_words(typed: str, view: str) -> None:
    """Views that are no tab were reached by the mouse, and no word led to them."""
    session = opened()
    offered = [
        command for command in dynamic(session)
        if all(word in f"{command.title} {command.help} {command.words}".casefold() for word in typed.split())
    ]  # fmt: skip
    command = next(each for each in offered if each.id in (f"tab {view}", f"answer_view {view}"))
    assert command.enabled(session) and not command.checked(session)
    assert run_command(session, command.id) and command.checked(session)
    assert session.view.place == "compare"
    session.close()
    assert not [each for each in dynamic(Session()) if each.id.startswith("answer_view")]
