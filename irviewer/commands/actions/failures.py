"""Commands for the views of failure analysis, and for saving the worklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Test, has_collection
from irviewer.session.failures.loop import LETTERS
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _view(name: str) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.navigation.set_tab("queries", name)
        session.navigation.set_place("queries")

    def checked(session: Session) -> bool:
        return session.view.place == "queries" and session.view.tab("queries") == name

    return run, checked


def _row(name: str, title: str, tip: str) -> Command:
    run, checked = _view(name)
    return Command(f"find_{name}", title, "Go", tip, run=run, enabled=has_collection, checked=checked, group="failures")


def _in_loop(session: Session) -> bool:
    return session.failure_loop.in_view


def _has_tags(session: Session) -> bool:
    return bool(session.failure_loop.noted.tags)


def _has_looks(session: Session) -> bool:
    return session.failure_loop.has_looks


def _is_random(session: Session) -> bool:
    return session.state.finding.loop_order == "random"


def _switch_order(session: Session) -> None:
    session.failure_loop.set_order("loss" if _is_random(session) else "random")


def _is_every(session: Session) -> bool:
    return session.state.finding.every_run


def _switch_every(session: Session) -> None:
    session.failures.show_every_run(not _is_every(session))
    session.navigation.set_tab("queries", "failures")
    session.navigation.set_place("queries")


def _pressing(key: str) -> Action:
    def run(session: Session) -> None:
        session.failure_loop.press(key)

    return run


def _has_key(key: str) -> Test:
    def has(session: Session) -> bool:
        return session.failure_loop.in_view and session.failure_loop.noted.tag_of(key) is not None

    return has


ROWS: tuple[Command, ...] = (
    _row("failures", tr("Failures"), tr("Queries on which runs fail, and how they fail")),
    _row("relevant", tr("Relevant documents by run"),
         tr("Which runs retrieved each relevant document of the query, and at which rank")),
    _row("vector", tr("Ranking vectors"), tr("Documents ranked too high or too low, and by how many ranks")),
    _row("hubs", tr("Misleading documents"), tr("Non-relevant documents that are retrieved for many queries")),
    _row("recall", tr("Reading effort"), tr("Recall by number of documents read, with stopping points")),
    _row("worklist", tr("Worklist of unjudged documents"),
         tr("Unjudged documents, in the order in which judging them pays off")),
    Command("examine_failure", tr("Examined, and on to the next"), "Go",
            tr("In Failures: the query was examined; select the next one that was not"),
            run=lambda session: session.failure_loop.examine(), shortcuts=("Space",), enabled=_in_loop, bound=False,
            words=tr("seen"), group="failures"),
    Command("forget_failure", tr("Not examined"), "Go", tr("In Failures: the query was not examined; its tags go"),
            run=lambda session: session.failure_loop.forget(), shortcuts=("Shift+Space",), enabled=_in_loop,
            bound=False, group="failures"),
    Command("new_failure_tag", tr("New tag of failures…"), "Go",
            tr("In Failures: a new tag, which takes the next free key, 1 to 9, then letters"),
            ask=lambda dialogs: dialogs.failures.new_tag(), shortcuts=("+",), enabled=_in_loop, group="failures"),
    Command("edit_failure_tag", tr("Rename or remove a tag of failures…"), "Go",
            tr("The tags of failures, to rename or to remove one"),
            ask=lambda dialogs: dialogs.failures.edit_tags(), enabled=_has_tags, group="failures"),
    Command("random_failures", tr("Queries in random order"), "Go",
            tr("In Failures: examine queries in a random order, so that the shares of tags hold for all queries"),
            run=_switch_order, checked=_is_random, enabled=has_collection, group="failures"),
    Command("failures_seed", tr("Seed of the random order…"), "Go",
            tr("Another random order of the queries in Failures"),
            ask=lambda dialogs: dialogs.failures.seed(), enabled=has_collection, group="failures"),
    Command("failures_of_all_runs", tr("Failures of all runs"), "Go",
            tr("One table of the failures of all runs, or those of one run, query by query"),
            run=_switch_every, checked=_is_every, enabled=has_collection, group="failures"),
    Command("keep_failures_set", tr("Keep failures as a query set…"), "Go",
            tr("A query set of the queries that Failures lists"),
            ask=lambda dialogs: dialogs.failures.keep_set(), enabled=_in_loop, group="failures"),
    *(Command(f"failure_tag_{letter}", tr("Tag of failures on key {key}", key=letter), "Go",
              tr("In Failures: give the query the tag of this key, or take it away"), run=_pressing(letter),
              shortcuts=(letter.upper(),), enabled=_has_key(letter), listed=False, group="failures")
      for letter in LETTERS),
    Command("export_failure_tags", tr("Export tags of failures…"), "Export",
            tr("Query, run, loss, causes and tags of every query examined, as a table"),
            ask=lambda dialogs: dialogs.failures.export_tags(), enabled=_has_looks),
    Command("save_worklist", tr("Save worklist as pool…"), "Export",
            tr("One query and document per line, in the order of the worklist"),
            ask=lambda dialogs: dialogs.failures.save_worklist(),
            enabled=lambda session: has_collection(session) and session.failures.has_worklist),
)  # fmt: skip
