"""The registry of commands: named once, done or asked for, and never an error whatever is open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from irviewer import commands
from irviewer.commands import COMMANDS, Command, answer, every, run_command
from irviewer.commands.actions import navigation
from irviewer.errors import IrviewerError
from irviewer.model.workspace import Collection
from irviewer.session.session import Session
from tests.session.helpers import collection, session_with


def twice(names: Iterable[str]) -> list[str]:
    """Those that stand there more than once."""
    return [name for name, count in Counter(names).items() if count > 1]


def test_commands_are_named_once_and_run_or_ask() -> None:
    session = session_with(collection(3))
    asked: list[str] = []
    session.asked.connect(asked.append)
    ids = [command.id for command in every(session)]
    assert twice(ids) == [], "ids of several commands"
    shortcuts = twice(shortcut for command in COMMANDS for shortcut in command.shortcuts)
    assert shortcuts == [], "shortcuts of several commands"
    for command in COMMANDS:
        assert command.title
        assert command.help
    assert run_command(session, "find_action")
    assert asked == ["find_action"]
    run_command(session, "go_queries")
    assert session.view.place == "queries"
    session.navigation.sort_queries("query", False)
    session.navigation.set_query("1")
    run_command(session, "next_query")
    assert session.view.query_id == "2"
    run_command(session, "previous_query")
    assert session.view.query_id == "1"
    assert run_command(session, "cutoff_up")
    assert session.view.cutoff == 11
    assert run_command(session, "hide 1" if "hide 1" in ids else "show 1")
    assert 1 not in session.view.shown
    assert run_command(session, "baseline 2")
    assert session.view.baseline == 2
    assert run_command(session, "measure AP")
    assert str(session.view.measure) == "AP"
    assert not run_command(session, "next_judgments")
    with pytest.raises(IrviewerError, match="unknown command"):
        run_command(session, "fly")


def test_a_command_either_runs_or_asks() -> None:
    with pytest.raises(ValueError, match="either run or ask"):
        Command("a", "A", "Go", "Neither")
    with pytest.raises(ValueError, match="either run or ask"):
        Command("a", "A", "Go", "Both", run=lambda session: None, ask=lambda dialogs: dialogs.window.quit())


class AskedOf:
    """Stands for the dialogs and notes what is asked of them."""

    def __init__(self, asked: list[str], path: str = "") -> None:
        self._asked, self._path = asked, path

    def __getattr__(self, name: str) -> AskedOf:
        return AskedOf(self._asked, f"{self._path}.{name}".lstrip("."))

    def __call__(self, *arguments: object, **options: object) -> None:
        self._asked.append(self._path)


def test_a_row_asks_one_question() -> None:
    asked: list[str] = []
    for command in COMMANDS:
        if command.ask is not None:
            before = len(asked)
            command.ask(AskedOf(asked))
            assert len(asked) == before + 1, command.id
    repeated = {question for question, count in Counter(asked).items() if count > 1}
    assert repeated == {"statistics.number", "teaching.print_sheet"}, "which number, which sheet"


def test_what_the_session_asks_automatically_is_answered_by_its_row() -> None:
    session, asked = session_with(collection(3)), []  # type: ignore[var-annotated]
    answer(session, "join_project", AskedOf(asked))
    assert asked == ["projects.join"]
    with pytest.raises(IrviewerError, match="no dialog"):
        answer(session, "next_query", AskedOf(asked))


KINDS = {
    "three runs": lambda: collection(3),
    "one run": lambda: collection(1),
    "runs only": lambda: Collection("runs only").with_runs([entry.run for entry in collection(2).runs]),
    "qrels only": lambda: Collection("qrels only", judgments=collection().judgments),
}


@pytest.mark.parametrize(
    "kind", [*list(KINDS)[:1], *(pytest.param(kind, marks=pytest.mark.slow) for kind in list(KINDS)[1:])]
)
def test_every_enabled_command_can_be_run_on_every_kind_of_collection(kind: str) -> None:
    collection_of_kind = KINDS[kind]()
    for command in every(session_with(collection_of_kind)):
        if command.id.startswith(("sample", "recent", "reload")):
            continue
        session = session_with(collection_of_kind)
        run_command(session, command.id)
        for view_model in (
            session.view_models.query_view_model,
            session.view_models.systems_view_model,
            session.view_models.queries_view_model,
            session.view_models.document_card,
        ):
            view_model()


def test_no_command_is_an_error_where_nothing_is_open() -> None:
    empty = Session()
    for command in COMMANDS:
        run_command(empty, command.id)
    assert empty.view.collection is None


def test_a_command_is_found_without_those_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tab of Compare was opened after all lessons were read, which takes a third of a second."""

    def never(session: Session) -> list[Command]:
        raise AssertionError("a table behind the command's own was made")

    tables = commands._DYNAMIC
    monkeypatch.setattr(commands, "_DYNAMIC", (*tables[: tables.index(navigation.dynamic) + 1], never))
    session = session_with(collection(1))
    assert commands.find(session, "tab pair").title == "Compare › Pair"
    with pytest.raises(AssertionError, match="behind"):
        commands.find(session, "tab of nothing")
