"""Which measure, at which cutoff and level, by whose rules and which judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Test, has_collection, has_judgments, has_levels, has_runs
from irviewer.model.dialects import DIALECTS, Dialect
from irviewer.model.workspace import Regime

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _regime(regime: Regime) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.evaluation.set_regime(regime)

    def checked(session: Session) -> bool:
        return session.view.judgments is not None and session.view.judgments.regime is regime

    return run, checked


def _next_judgments(session: Session) -> None:
    assert session.view.collection is not None
    session.evaluation.set_judgments((session.state.chosen.judgments + 1) % len(session.view.collection.judgments))


ROWS: tuple[Command, ...] = (
    Command("choose_measure", "Choose the measure…", "Measure", "The measure of every table, plot and sort",
            ask=lambda dialogs: dialogs.measures.choose(), shortcuts=("Ctrl+M",), enabled=has_judgments),
    Command("about_measure", "About the measure…", "Measure",
            "Its formula, what it rewards and ignores, its parameters, source and names in other tools",
            ask=lambda dialogs: dialogs.measures.about(), enabled=has_judgments),
    Command("cutoff_down", "Cutoff up the ranking", "Measure", "One rank less above the cutoff line",
            run=lambda session: session.evaluation.set_cutoff(session.view.cutoff - 1), shortcuts=("[",),
            enabled=lambda session: has_collection(session) and session.view.cutoff > 1),
    Command("cutoff_up", "Cutoff down the ranking", "Measure", "One rank more above the cutoff line",
            run=lambda session: session.evaluation.set_cutoff(session.view.cutoff + 1), shortcuts=("]",),
            enabled=has_collection),
    Command("choose_level", "Relevance level…", "Measure", "From which grade on documents are relevant",
            ask=lambda dialogs: dialogs.measures.level(), enabled=has_levels),
    Command("judged_only", "Judged documents only", "Measure",
            "Leave what nobody judged out of lists and numbers, as trec_eval -J does",
            run=lambda session: session.evaluation.set_judged_only(not session.view.judged_only),
            enabled=has_judgments, checked=lambda session: session.view.judged_only),
    Command("as_zscores", "Values as Z-scores", "Measure",
            "Deviations from the means of reference runs, by a file that is open: query measure mean deviation",
            run=lambda session: session.zscores.set_zscores(not session.zscores.is_on),
            enabled=lambda session: has_judgments(session) and session.zscores.has_zscores,
            checked=lambda session: session.zscores.is_on),
    Command("choose_dialect", "Rules of another tool…", "Measure",
            "Ties, gains and missing queries as trec_eval, ir_measures, ranx or gdeval have them",
            ask=lambda dialogs: dialogs.measures.dialect(), enabled=has_judgments, submenu="dialect "),
    Command("compare_dialects", "What other tools' rules would change…", "Measure",
            "Which numbers in view, from what to what, and which rule does it",
            ask=lambda dialogs: dialogs.measures.compare_dialects(),
            enabled=lambda session: has_runs(session) and has_judgments(session)),
    *(Command(f"regime_{regime.value}", f"Judgments are {regime.value}", "Measure", regime.meaning.capitalize(),
              run=_regime(regime)[0], enabled=has_judgments, checked=_regime(regime)[1]) for regime in Regime),
    Command("next_judgments", "Judge by the next judgment set", "Measure", "Another of the collection's qrels",
            run=_next_judgments,
            enabled=lambda session: session.view.collection is not None and len(session.view.collection.judgments) > 1),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """A command for every common measure, every dialect, and every grade that relevance can begin at."""
    found = []
    if has_judgments(session):
        found += [_measure(text) for text in session.view.common_measures]
        found += [_dialect(one) for one in DIALECTS.values()]
    if has_levels(session):
        found += [_level(session, level) for level in session.view.levels]
    return found


def _measure(text: str) -> Command:
    return Command(
        f"measure {text}",
        f"Measure {text}",
        "Measure",
        "The measure of every table, plot and sort",
        run=lambda session: session.evaluation.set_measure(text),
        checked=lambda session: str(session.view.measure) == text,
    )


def _level(session: Session, level: float) -> Command:
    judgments = session.view.judgments
    count = 0 if judgments is None else int(judgments.qrels.relevant_counts(level).sum())
    return Command(
        f"level {level:g}",
        f"Relevant from grade {level:g}",
        "Measure",
        f"{count:,} judged documents are relevant then",
        run=lambda session: session.evaluation.set_level(level),
        checked=lambda session: session.view.level == level,
    )


def _dialect(dialect: Dialect) -> Command:
    return Command(
        f"dialect {dialect.name}",
        f"Rules of {dialect.title}",
        "Measure",
        "; ".join(dialect.account()) or "What the window starts with",
        run=lambda session: session.dialects.set_dialect(dialect.name),
        checked=lambda session: session.view.dialect == dialect.name,
    )
