"""Commands that judge the selected document, and that list, import and save judgments.

Keys judge in judging mode only, which Ctrl+J turns on and Esc ends: a digit typed beside a text field must not change
a judgment."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, has_judgments, has_queries
from irviewer.session.messages import info
from irviewer.session.shortcuts import KEYS_DO_NOT_JUDGE, shortcuts_of, spelled
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

GRADES = range(10)
MODE = "Ctrl+J"


def _giving(grade: int) -> Action:
    def run(session: Session) -> None:
        if session.failure_loop.in_view:
            session.failure_loop.press(str(grade))  # grades are given by other places; here digits are tags
        elif session.judge_comparison.listed >= 0:
            session.judge_comparison.adjudicate(float(grade))
        else:
            session.list_judging.judge_here(float(grade))

    return run


def _keys_judge(session: Session) -> bool:
    return session.judging.is_on and session.list_judging.can_judge


def _keys_grade(session: Session) -> bool:
    return session.failure_loop.in_view or session.judge_comparison.listed >= 0 or _keys_judge(session)


def _refused(session: Session) -> None:
    if session.list_judging.can_judge:
        message = info(
            tr(
                "Keys judge in judging mode only. Press {shortcut} to turn it on, or use the buttons or the menu "
                "of the document.",
                shortcut=next(map(spelled, shortcuts_of("judging_mode", (MODE,))), tr("Judging mode")),
            )
        )
        session.say(replace(message, action="judging_mode", topic=KEYS_DO_NOT_JUDGE))


def _can_step(session: Session) -> bool:
    return session.judging.judged_progress is not None


def _step(session: Session, step: int) -> None:
    """Select the next document to judge and show the lists, or say why there is none."""
    if not session.judging.step_unjudged(step):
        _say_no_step(session)
    elif (session.view.place, session.view.tab("query")) != ("query", "rankings"):
        session.navigation.set_tab("query", "rankings")
        session.navigation.set_place("query")


def _say_no_step(session: Session) -> None:
    session.say(info(session.judging.nothing_to_judge))


def _has_own(session: Session) -> bool:
    return session.view.judgments is not None and bool(session.view.judgments.overlay)


def _grade(grade: int) -> Command:
    return Command(f"grade_{grade}", tr("Judge: grade {grade}", grade=grade), "Judge",
                   tr("In judging mode: give the selected document grade {grade}", grade=grade),
                   run=_giving(grade), shortcuts=(str(grade),), enabled=_keys_grade, refused=_refused,
            group="grade")  # fmt: skip


ROWS: tuple[Command, ...] = (
    Command("judging_mode", tr("Judging mode"), "Judge",
            tr("Digit keys judge the selected document; Esc leaves the mode"),
            run=lambda session: session.judging.set_judging(not session.judging.is_on), shortcuts=(MODE,),
            enabled=has_queries, checked=lambda session: session.judging.is_on),
    *(_grade(grade) for grade in GRADES),
    Command("unjudge", tr("Judge: unjudged"), "Judge",
            tr("In judging mode: remove the judgment of the selected document, also the one from the file"),
            run=lambda session: session.list_judging.judge_here(None), shortcuts=("U", "."), enabled=_keys_judge,
            refused=_refused, group="grade"),
    Command("revert_judgment", tr("Judge: as in the file"), "Judge",
            tr("In judging mode: restore the file's judgment of the selected document"),
            run=lambda session: session.list_judging.revert_here(), shortcuts=("Shift+U",), enabled=_keys_judge,
            refused=_refused, group="grade"),
    Command("judgment_note", tr("Judgment note…"), "Judge", tr("Write why the selected document has its grade"),
            ask=lambda dialogs: dialogs.judging.note(), shortcuts=("Ctrl+Shift+T",),
            enabled=lambda session: session.list_judging.can_note),
    Command("next_unjudged", tr("Next document to judge"), "Judge",
            tr("Select the next unjudged document within the cutoff of the runs shown"),
            run=lambda session: _step(session, 1), shortcuts=("N",), enabled=_can_step, refused=_say_no_step,
            group="step"),
    Command("previous_unjudged", tr("Previous document to judge"), "Judge",
            tr("Select the previous unjudged document within the cutoff of the runs shown"),
            run=lambda session: _step(session, -1), shortcuts=("Shift+N",), enabled=_can_step, refused=_say_no_step,
            group="step"),
    Command("judge_blind", tr("Judge blind"), "Judge",
            tr("Hide runs and ranks, so that they do not influence the judgment"),
            run=lambda session: session.judging.set_blind(not session.judging.blind), shortcuts=("Ctrl+Shift+J",),
            enabled=has_queries, checked=lambda session: session.judging.blind),
    Command("query_details", tr("Description and narrative"), "View",
            tr("Show the description and narrative of the query above the rankings"),
            run=lambda session: session.judging.show_details(not session.judging.details), shortcuts=("I",),
            enabled=lambda session: bool(session.judging.query_details),
            checked=lambda session: session.judging.details, group="document"),
    Command("widen_scale", tr("Widen the scale…"), "Judge",
            tr("Let higher grades be given than those of the judgments"),
            ask=lambda dialogs: dialogs.judging.widen_scale(), enabled=has_queries, words=tr("grade scale highest"),
            group="made"),
    Command("assessor", tr("Name of the judge…"), "Judge",
            tr("Set the name that is stored with each of your judgments"),
            ask=lambda dialogs: dialogs.judging.assessor(), group="made"),
    Command("list_judgments", tr("My judgments…"), "Judge",
            tr("List the judgments made here beside those of the file: judge, date, note, and all values with and "
               "without them"),
            ask=lambda dialogs: dialogs.judging.all_made(), enabled=_has_own, group="made"),
    Command("import_judgments", tr("Import judgments…"), "Judge",
            tr("Apply a judgment patch or another judge's qrels; conflicts with your judgments are shown first"),
            ask=lambda dialogs: dialogs.judging.import_judgments(), enabled=has_queries,
            words=tr("import merge colleague patch"), group="made"),
    Command("resolve_conflicts", tr("Conflicting judgments…"), "Judge",
            tr("Keep your judgments, take the other ones, or keep both sets"),
            ask=lambda dialogs: dialogs.judging.resolve_conflicts(),
            enabled=lambda session: session.judging.import_comparison is not None, group="made"),
    Command("export_patch", tr("Save judgment patch…"), "Export",
            tr("Save the judgments made here, each with the grade of the file"),
            ask=lambda dialogs: dialogs.judging.export_patch(), enabled=_has_own, group="judgments"),
    Command("save_judgment_set", tr("Save as new judgment set…"), "Export",
            tr("Save qrels that include the judgments made here, and evaluate with them from now on"),
            ask=lambda dialogs: dialogs.judging.save_set(), enabled=_has_own, group="judgments"),
    Command("export_merged", tr("Save merged qrels…"), "Export",
            tr("Save the judgments of the file together with those made here"),
            ask=lambda dialogs: dialogs.judging.export_merged(), enabled=has_judgments, group="judgments"),
)  # fmt: skip
