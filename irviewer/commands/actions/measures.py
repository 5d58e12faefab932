"""Commands that choose the measure, cutoff, relevance level, dialect and judgment set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import (
    Action,
    Command,
    Test,
    has_collection,
    has_judgments,
    has_levels,
    has_runs,
    shows_values,
)
from irviewer.model.dialects import DIALECTS, Dialect
from irviewer.model.workspace import Regime
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _regime(regime: Regime) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.evaluation.set_regime(regime)

    def checked(session: Session) -> bool:
        return session.view.judgments is not None and session.view.judgments.regime is regime

    return run, checked


def _regime_title(regime: Regime) -> str:
    if regime is Regime.UNKNOWN:
        return tr("How judgments were made is unknown")
    return tr("Judgments are {regime}", regime=regime.title)


def _next_judgments(session: Session) -> None:
    assert session.view.collection is not None
    session.evaluation.set_judgments((session.state.chosen.judgments + 1) % len(session.view.collection.judgments))


ROWS: tuple[Command, ...] = (
    Command("choose_measure", tr("Choose measure…"), "Statistics",
            tr("Choose the measure that tables, plots and sorting use"),
            ask=lambda dialogs: dialogs.measures.choose(), shortcuts=("Ctrl+M",), enabled=has_judgments,
            group="measure"),
    Command("about_measure", tr("About this measure…"), "Statistics",
            tr("Formula, what the measure rewards and ignores, parameters, source, and names in other tools"),
            ask=lambda dialogs: dialogs.measures.about(), enabled=has_judgments, group="measure"),
    Command("cutoff_down", tr("Decrease cutoff"), "Statistics", tr("Make the cutoff one rank smaller"),
            run=lambda session: session.evaluation.set_cutoff(session.view.cutoff - 1), shortcuts=("[",),
            enabled=lambda session: has_collection(session) and session.view.cutoff > 1, group="cutoff"),
    Command("cutoff_up", tr("Increase cutoff"), "Statistics", tr("Make the cutoff one rank larger"),
            run=lambda session: session.evaluation.set_cutoff(session.view.cutoff + 1), shortcuts=("]",),
            enabled=has_collection, group="cutoff"),
    Command("choose_level", tr("Relevance level…"), "Statistics", tr("Choose the lowest grade that counts as relevant"),
            ask=lambda dialogs: dialogs.measures.level(), enabled=has_levels, group="cutoff"),
    Command("judged_only", tr("Judged documents only"), "Statistics",
            tr("Remove unjudged documents from rankings and measures, as trec_eval -J does"),
            run=lambda session: session.protocol.set(judged_only=not session.view.judged_only),
            enabled=has_judgments, checked=lambda session: session.view.judged_only, group="cutoff"),
    Command("as_zscores", tr("Show Z-scores"), "Statistics",
            tr("Show values as deviations from the means of reference runs, which are read from an open "
               "Z-score file"),
            run=lambda session: session.zscores.set_zscores(not session.zscores.is_on),
            enabled=lambda session: has_judgments(session) and session.zscores.has_zscores,
            checked=lambda session: session.zscores.is_on, group="rules"),
    Command("choose_dialect", tr("Choose dialect…"), "Statistics",
            tr("Treat ties, gains and missing queries as trec_eval, ir_measures, ranx or gdeval does"),
            ask=lambda dialogs: dialogs.measures.dialect(), enabled=has_judgments, submenu="dialect ", group="rules"),
    Command("compare_dialects", tr("Compare dialects…"), "Help",
            tr("Show which of the current values other dialects change, and by which rule"),
            ask=lambda dialogs: dialogs.measures.compare_dialects(),
            enabled=lambda session: has_runs(session) and has_judgments(session) and shows_values(session)),
    *(Command(f"regime_{regime.value}", _regime_title(regime), "Statistics",
            regime.meaning.capitalize(),
              run=_regime(regime)[0], enabled=has_judgments, checked=_regime(regime)[1],
            group="judgments") for regime in Regime),
    Command("next_judgments", tr("Next judgment set"), "Statistics",
            tr("Evaluate with the next judgment set of the collection"),
            run=_next_judgments,
            enabled=lambda session: session.view.collection is not None and len(session.view.collection.judgments) > 1,
            group="judgments"),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return a command for each common measure, each dialect and each possible relevance level."""
    rows = []
    if has_judgments(session):
        rows += [_measure(text) for text in session.view.common_measures]
        rows += [_dialect(dialect) for dialect in DIALECTS.values()]
    if has_levels(session):
        rows += [_level(session, level) for level in session.view.levels]
    return rows


def _measure(text: str) -> Command:
    return Command(
        f"measure {text}",
        tr("Measure {measure}", measure=text),
        "Statistics",
        tr("Choose the measure that tables, plots and sorting use"),
        run=lambda session: session.evaluation.set_measure(text),
        checked=lambda session: str(session.view.measure) == text,
    )


def _level(session: Session, level: float) -> Command:
    judgments = session.view.judgments
    count = 0 if judgments is None else int(judgments.qrels.relevant_counts(level).sum())
    return Command(
        f"level {level:g}",
        tr("Relevant from grade {level:g}", level=level),
        "Statistics",
        trn("{n:,} judged document is then relevant", "{n:,} judged documents are then relevant", count),
        short=tr("grade {level:g}", level=level),
        run=lambda session: session.protocol.set(level=level),
        checked=lambda session: session.view.level == level,
    )


def _dialect(dialect: Dialect) -> Command:
    return Command(
        f"dialect {dialect.name}",
        tr("Dialect {dialect}", dialect=dialect.title),
        "Statistics",
        "; ".join(dialect.account()) or tr("The default dialect"),
        short=dialect.title,
        run=lambda session: session.protocol.set(dialect=dialect.name),
        checked=lambda session: session.view.dialect == dialect.name,
    )
