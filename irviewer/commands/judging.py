"""Judging the selected document with a key, taking that back, and what becomes of judgments.

Keys judge in judging mode only, which Ctrl+J turns on and Esc ends; outside of it a digit, typed beside a field, say,
does nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, has_judgments, has_queries
from irviewer.session.messages import info
from irviewer.session.shortcuts import KEYS_DO_NOT_JUDGE

if TYPE_CHECKING:
    from irviewer.session.session import Session

GRADES = range(10)
MODE = "Ctrl+J"


def _giving(grade: int) -> Action:
    def run(session: Session) -> None:
        session.list_judging.judge_here(float(grade))

    return run


def _keys_judge(session: Session) -> bool:
    return session.judging.is_on and session.list_judging.can_judge


def _refused(session: Session) -> None:
    if session.list_judging.can_judge:
        said = info(f"{KEYS_DO_NOT_JUDGE}: {MODE} turns it on, the buttons and menus of a document judge at any time")
        session.say(replace(said, action="judging_mode", topic=KEYS_DO_NOT_JUDGE))


def _switch_judging(session: Session) -> None:
    session.judging.set_judging(not session.judging.is_on)


def _is_judging(session: Session) -> bool:
    return session.judging.is_on


def _can_note(session: Session) -> bool:
    return session.list_judging.can_note


def _take_back(session: Session) -> None:
    session.list_judging.judge_here(None)


def _revert(session: Session) -> None:
    session.list_judging.revert_here()


def _next_unjudged(session: Session) -> None:
    session.judging.step_unjudged(1)


def _previous_unjudged(session: Session) -> None:
    session.judging.step_unjudged(-1)


def _has_left(session: Session) -> bool:
    progress = session.judging.judged_progress
    return progress is not None and bool(progress.left)


def _has_waiting(session: Session) -> bool:
    return session.judging.laying is not None


def _has_own(session: Session) -> bool:
    return session.view.judgments is not None and bool(session.view.judgments.overlay)


def _switch_details(session: Session) -> None:
    session.judging.show_details(not session.judging.details)


def _has_details(session: Session) -> bool:
    return bool(session.judging.query_details)


def _shows_details(session: Session) -> bool:
    return session.judging.details


def _switch_blind(session: Session) -> None:
    session.judging.set_blind(not session.judging.blind)


def _is_blind(session: Session) -> bool:
    return session.judging.blind


def _grade(grade: int) -> Command:
    return Command(
        f"grade_{grade}", f"Judge: grade {grade}", "Judge",
        f"Give the selected document grade {grade}, in judging mode",
        _giving(grade), (str(grade),), _keys_judge, refused=_refused,
    )  # fmt: skip


ROWS: tuple[Command, ...] = (
    Command("judging_mode", "Judging mode", "Judge", "Digits judge the selected document, until Esc", _switch_judging,
            (MODE,), has_queries, _is_judging),
    *(_grade(grade) for grade in GRADES),
    Command("unjudge", "Judge: unjudged", "Judge",
            "Take the judgment of the selected document back, the file's too, in judging mode", _take_back, ("U", "."),
            _keys_judge, refused=_refused),
    Command("revert_judgment", "Judge: as in the file", "Judge",
            "Let the file's judgment of the document hold again, in judging mode", _revert, ("Shift+U",), _keys_judge,
            refused=_refused),
    Command("judgment_note", "Note of the judgment…", "Judge", "Why the selected document has its grade", None,
            ("Ctrl+Shift+T",), _can_note),
    Command("next_unjudged", "Next document to judge", "Judge", "The next one that nobody judged, of the shown tops",
            _next_unjudged, ("N",), _has_left),
    Command("previous_unjudged", "Previous document to judge", "Judge", "The one before that nobody judged",
            _previous_unjudged, ("Shift+N",), _has_left),
    Command("judge_blind", "Judge blind", "Judge", "Hide runs and ranks, so that they do not lead who judges",
            _switch_blind, ("Ctrl+Shift+J",), has_queries, _is_blind),
    Command("query_details", "Description and narrative", "Judge", "What the person who asked wants, above the lists",
            _switch_details, ("I",), _has_details, _shows_details),
    Command("assessor", "Who judges…", "Judge", "The name that each judgment bears", None),
    Command("list_judgments", "What was judged here…", "Judge",
            "Each beside the file's: who, when, why; the numbers with and without", None, (),
            _has_own),
    Command("import_judgments", "Lay other judgments over these…", "Judge",
            "A patch, or another judge's qrels; what contradicts yours is told before", None, (), has_queries,
            words="import merge colleague patch"),
    Command("lay_over", "Judgments that contradict…", "Judge", "Keep yours, take theirs, or keep both", None, (),
            _has_waiting),
    Command("export_patch", "Save judgments as a patch…", "Judge", "Those made here, beside the file's", None,
            (), _has_own),
    Command("save_judgment_set", "Save as a judgment set of its own…", "Judge",
            "A file of qrels with what was judged here; numbers are by it from then on", None, (), _has_own),
    Command("export_merged", "Save merged qrels…", "Judge", "The file's judgments with those made here", None,
            (), has_judgments),
)  # fmt: skip
