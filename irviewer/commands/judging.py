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


def _has_left(session: Session) -> bool:
    progress = session.judging.judged_progress
    return progress is not None and bool(progress.left)


def _has_own(session: Session) -> bool:
    return session.view.judgments is not None and bool(session.view.judgments.overlay)


def _grade(grade: int) -> Command:
    return Command(f"grade_{grade}", f"Judge: grade {grade}", "Judge",
                   f"Give the selected document grade {grade}, in judging mode",
                   run=_giving(grade), shortcuts=(str(grade),), enabled=_keys_judge, refused=_refused)  # fmt: skip


ROWS: tuple[Command, ...] = (
    Command("judging_mode", "Judging mode", "Judge", "Digits judge the selected document, until Esc",
            run=lambda session: session.judging.set_judging(not session.judging.is_on), shortcuts=(MODE,),
            enabled=has_queries, checked=lambda session: session.judging.is_on),
    *(_grade(grade) for grade in GRADES),
    Command("unjudge", "Judge: unjudged", "Judge",
            "Take the judgment of the selected document back, the file's too, in judging mode",
            run=lambda session: session.list_judging.judge_here(None), shortcuts=("U", "."), enabled=_keys_judge,
            refused=_refused),
    Command("revert_judgment", "Judge: as in the file", "Judge",
            "Let the file's judgment of the document hold again, in judging mode",
            run=lambda session: session.list_judging.revert_here(), shortcuts=("Shift+U",), enabled=_keys_judge,
            refused=_refused),
    Command("judgment_note", "Note of the judgment…", "Judge", "Why the selected document has its grade",
            ask=lambda dialogs: dialogs.judging.note(), shortcuts=("Ctrl+Shift+T",),
            enabled=lambda session: session.list_judging.can_note),
    Command("next_unjudged", "Next document to judge", "Judge", "The next one that nobody judged, of the shown tops",
            run=lambda session: session.judging.step_unjudged(1), shortcuts=("N",), enabled=_has_left),
    Command("previous_unjudged", "Previous document to judge", "Judge", "The one before that nobody judged",
            run=lambda session: session.judging.step_unjudged(-1), shortcuts=("Shift+N",), enabled=_has_left),
    Command("judge_blind", "Judge blind", "Judge", "Hide runs and ranks, so that they do not lead who judges",
            run=lambda session: session.judging.set_blind(not session.judging.blind), shortcuts=("Ctrl+Shift+J",),
            enabled=has_queries, checked=lambda session: session.judging.blind),
    Command("query_details", "Description and narrative", "Judge",
            "What the person who asked wants, above the lists",
            run=lambda session: session.judging.show_details(not session.judging.details), shortcuts=("I",),
            enabled=lambda session: bool(session.judging.query_details),
            checked=lambda session: session.judging.details),
    Command("assessor", "Who judges…", "Judge", "The name that each judgment bears",
            ask=lambda dialogs: dialogs.judging.assessor()),
    Command("list_judgments", "What was judged here…", "Judge",
            "Each beside the file's: who, when, why; the numbers with and without",
            ask=lambda dialogs: dialogs.judging.all_made(), enabled=_has_own),
    Command("import_judgments", "Lay other judgments over these…", "Judge",
            "A patch, or another judge's qrels; what contradicts yours is told before",
            ask=lambda dialogs: dialogs.judging.import_judgments(), enabled=has_queries,
            words="import merge colleague patch"),
    Command("lay_over", "Judgments that contradict…", "Judge", "Keep yours, take theirs, or keep both",
            ask=lambda dialogs: dialogs.judging.lay_over(),
            enabled=lambda session: session.judging.laying is not None),
    Command("export_patch", "Save judgments as a patch…", "Judge", "Those made here, beside the file's",
            ask=lambda dialogs: dialogs.judging.export_patch(), enabled=_has_own),
    Command("save_judgment_set", "Save as a judgment set of its own…", "Judge",
            "A file of qrels with what was judged here; numbers are by it from then on",
            ask=lambda dialogs: dialogs.judging.save_set(), enabled=_has_own),
    Command("export_merged", "Save merged qrels…", "Judge", "The file's judgments with those made here",
            ask=lambda dialogs: dialogs.judging.export_merged(), enabled=has_judgments),
)  # fmt: skip
