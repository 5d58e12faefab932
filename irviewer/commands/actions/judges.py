"""Commands for the judges of a collection: the one in force, what is known of each, and removal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_judgments
from irviewer.session.judges.actions import facts_text
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def has_judges(session: Session) -> bool:
    """Return whether the collection has more than one judge, and they are not hidden by blind judging."""
    return len(session.judges.sets) > 1 and not session.judging.blind


ROWS: tuple[Command, ...] = (
    Command("choose_judge", tr("Choose judge…"), "Judge",
            tr("Choose the judge whose grades all values are computed with"),
            ask=lambda dialogs: dialogs.judges.choose(), enabled=has_judges, submenu="judge ", group="judges",
            words=tr("judgment set qrels judged by")),
    Command("describe_judge", tr("Describe judge…"), "Judge",
            tr("Name of the judge in force, whether it is a human or a model, its family, and a note"),
            ask=lambda dialogs: dialogs.judges.describe(), enabled=has_judgments,
            words=tr("rename origin family model human"), group="judges"),
    Command("remove_judge", tr("Remove judge…"), "Judge",
            tr("Remove a judge from the collection; its file is kept, and undo brings the judge back"),
            ask=lambda dialogs: dialogs.judges.remove(), enabled=has_judges, group="judges"),
    Command("merge_judges", tr("Merge judges…"), "Judge",
            tr("Combine several judges into one: by majority, median or mean, or one judge with gaps "
               "filled from the others"),
            ask=lambda dialogs: dialogs.judges.merge(), enabled=has_judges, group="judges",
            words=tr("majority median mean fill gaps")),
    Command("draw_task", tr("Draw a sample to judge…"), "Judge",
            tr("Save queries drawn at random, with inclusion probabilities, as a task for another judge"),
            ask=lambda dialogs: dialogs.judges.draw_task(), enabled=has_judgments, group="judges",
            words=tr("sample task human corrected scores")),
    Command("judge_role", tr("Judgments for judged queries…"), "Judge",
            tr("Choose whether opened judgments are those of another judge, more of the same judge, or a "
               "replacement"),
            ask=lambda dialogs: dialogs.judges.role(), listed=False,
            enabled=lambda session: session.judges.asked is not None, group="judges"),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return a command for each judge of the collection."""
    return [
        _judge(number, judgments.name, facts_text(judgments)) for number, judgments in enumerate(session.judges.sets)
    ]


def _judge(number: int, name: str, facts: str) -> Command:
    return Command(
        f"judge {number}",
        tr("Judged by {judge}", judge=name),
        "Judge",
        facts,
        short=name,
        run=lambda session: session.judges.choose(number),
        checked=lambda session: session.judges.number == number,
    )
