"""Judging the selected document with a key, taking that back, and what becomes of judgments.

The digits judge where a document is selected in the Query place, or in a list of documents of the Queries place;
anywhere else 1 to 4 go to the places, as Ctrl and the digit always do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.session.commands.command import Action, Command, Test, has_collection, has_judgments, has_queries
from irviewer.session.state import PLACES

if TYPE_CHECKING:
    from irviewer.session.session import Session

GRADES = range(10)
_BY_DIGIT = ("systems", "queries", "query", "compare")
"""The places that 1 to 4 go to."""


def _digit(grade: int) -> tuple[Action, Test]:
    place = _BY_DIGIT[grade - 1] if 1 <= grade <= len(_BY_DIGIT) else ""

    def run(session: Session) -> None:
        if session.can_judge:
            session.judge_here(float(grade))
        elif place in PLACES:
            session.set_place(place)

    def enabled(session: Session) -> bool:
        return session.can_judge or (bool(place) and has_collection(session))

    return run, enabled


def _can_judge(session: Session) -> bool:
    return session.can_judge


def _can_note(session: Session) -> bool:
    return session.can_note


def _take_back(session: Session) -> None:
    session.judge_here(None)


def _revert(session: Session) -> None:
    session.revert_here()


def _next_unjudged(session: Session) -> None:
    session.step_unjudged(1)


def _previous_unjudged(session: Session) -> None:
    session.step_unjudged(-1)


def _has_left(session: Session) -> bool:
    progress = session.judged_progress
    return progress is not None and bool(progress.left)


def _has_own(session: Session) -> bool:
    return session.judgments is not None and bool(session.judgments.overlay)


def _switch_details(session: Session) -> None:
    session.show_details(not session.details)


def _has_details(session: Session) -> bool:
    return bool(session.query_details)


def _shows_details(session: Session) -> bool:
    return session.details


def _switch_blind(session: Session) -> None:
    session.set_blind(not session.blind)


def _is_blind(session: Session) -> bool:
    return session.blind


def _can_undo(session: Session) -> bool:
    return bool(session.undo_label)


def _can_redo(session: Session) -> bool:
    return bool(session.redo_label)


def _grade(grade: int) -> Command:
    run, enabled = _digit(grade)
    where = f"; without a document selected: the {_BY_DIGIT[grade - 1]} place" if 1 <= grade <= len(_BY_DIGIT) else ""
    return Command(
        f"grade_{grade}", f"Judge: grade {grade}", "Judge", f"Give the selected document grade {grade}{where}", run,
        (str(grade),), enabled,
    )  # fmt: skip


ROWS: tuple[Command, ...] = (
    Command("undo", "Undo", "Judge", "Take back the last change of data", lambda session: session.undo(),
            ("Ctrl+Z",), _can_undo),
    Command("redo", "Redo", "Judge", "Make again what was taken back", lambda session: session.redo(),
            ("Ctrl+Shift+Z", "Ctrl+Y"), _can_redo),
    *(_grade(grade) for grade in GRADES),
    Command("unjudge", "Judge: unjudged", "Judge", "Take the judgment of the selected document back, the file's too",
            _take_back, ("U", "."), _can_judge),
    Command("revert_judgment", "Judge: as in the file", "Judge", "Let the file's judgment of the document hold again",
            _revert, ("Shift+U",), _can_judge),
    Command("judgment_note", "Note of the judgment…", "Judge", "Why the selected document has its grade", None,
            ("Ctrl+Shift+T",), _can_note),
    Command("next_unjudged", "Next document to judge", "Judge", "The next one that nobody judged, of the shown tops",
            _next_unjudged, ("N",), _has_left),
    Command("previous_unjudged", "Previous document to judge", "Judge", "The one before that nobody judged",
            _previous_unjudged, ("Shift+N",), _has_left),
    Command("judge_blind", "Judge blind", "Judge", "Hide runs and ranks, so that they do not lead who judges",
            _switch_blind, ("Ctrl+J",), has_queries, _is_blind),
    Command("query_details", "Description and narrative", "Judge", "What the person who asked wants, above the lists",
            _switch_details, ("I",), _has_details, _shows_details),
    Command("assessor", "Who judges…", "Judge", "The name that each judgment bears", None),
    Command("list_judgments", "What was judged here…", "Judge", "Each beside the file's: who, when, why", None, (),
            _has_own),
    Command("import_patch", "Lay a patch of judgments over these…", "Judge", "Judgments saved as a patch", None, (),
            has_queries),
    Command("export_patch", "Save judgments as a patch…", "Judge", "Those made here, beside the file's", None,
            (), _has_own),
    Command("export_merged", "Save merged qrels…", "Judge", "The file's judgments with those made here", None,
            (), has_judgments),
)  # fmt: skip
