"""How runs are compared, and which columns the Systems table has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Question, Test, has_judgments, has_runs
from irviewer.session.comparison.options import DECIDING, NUMBERS, TUKEYS, ZEROS
from irviewer.session.evaluation.default_measures import COMMON, systems_measures
from irviewer.session.view_models.matrix import MATRICES
from irviewer.session.view_models.queries import QUERY_COLUMNS
from irviewer.session.view_models.systems import STATISTICS

if TYPE_CHECKING:
    from irviewer.session.session import Session

CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg", "none": "no correction"}
_WORDS = "statistics significance test p-value p-values multiple comparisons"
"""What people look for any of these by."""
LEAST_RUNS = 5
"""Runs from which their median is a yardstick, as the statistics have it."""
INTERVALS = {"percentile": "bootstrap, percentiles", "bca": "bootstrap, BCa", "t": "Student's t"}


def _can_compare(session: Session) -> bool:
    return has_runs(session) and has_judgments(session) and len(session.view.labels()) > 1


def _matrix(kind: str) -> Action:
    def run(session: Session) -> None:
        session.matrices.set_matrix(kind)
        session.navigation.set_tab("compare", "matrices")
        session.navigation.set_place("compare")

    return run


def _has_curves(session: Session) -> bool:
    return has_runs(session) and has_judgments(session)


def _switch(name: str) -> Action:
    def run(session: Session) -> None:
        session.curves.set_curve_look(name, not session.curves.curve_look(name))

    return run


def _is_on(name: str) -> Test:
    def checked(session: Session) -> bool:
        return session.curves.curve_look(name)

    return checked


def _shows_dcg(session: Session) -> bool:
    return session.curves.curve_gain == "dcg"


def _bars_by_median(session: Session) -> bool:
    return session.columns.bars_against == "median"


def _shows_cg(session: Session) -> bool:
    return session.curves.query_gain == "cg"


def _asking_number(name: str) -> Question:
    return lambda dialogs: dialogs.statistics.number(name)


ROWS: tuple[Command, ...] = (
    Command("choose_correction", "Correction for many comparisons…", "Runs",
            "Holm, Bonferroni, Benjamini-Hochberg, or none",
            ask=lambda dialogs: dialogs.statistics.correction(), enabled=_can_compare, words=_WORDS),
    Command("choose_interval", "Kind of interval…", "Runs", "Bootstrap (BCa or percentiles) or Student's t",
            ask=lambda dialogs: dialogs.statistics.interval(), enabled=_can_compare,
            words=f"{_WORDS} confidence bootstrap"),
    Command("choose_test", "Test that decides…", "Runs",
            "The test that letters, marks and sentences are of: paired t, Wilcoxon, signs, randomisation, Tukey",
            ask=lambda dialogs: dialogs.statistics.test(), enabled=_can_compare, words=_WORDS),
    Command("choose_zeros", "Zeros in Wilcoxon's test…", "Runs",
            "Queries without a difference left out before ranking, or after (Pratt)",
            ask=lambda dialogs: dialogs.statistics.zeros(), enabled=_can_compare, words=_WORDS),
    Command("choose_tukey", "Tukey's test of all pairs…", "Runs", "From the studentized range, or by randomisation",
            ask=lambda dialogs: dialogs.statistics.tukey(), enabled=_can_compare, words=_WORDS),
    *(Command(f"statistics_{one.name}", f"{one.title}…", "Runs", one.meaning,
              ask=_asking_number(one.name), enabled=has_runs if one.name.startswith("rbo") else _can_compare,
              words="" if one.name.startswith("rbo") else _WORDS) for one in NUMBERS.values()),
    *(Command(f"matrix_{one.name}", f"Matrix: {one.title}", "Runs", one.meaning.capitalize(),
              run=_matrix(one.name), enabled=has_runs) for one in MATRICES),
    Command("save_comparison", "Save the comparison with the baseline…", "File",
            "As LaTeX, Markdown, CSV, JSON; each names every test that was run",
            ask=lambda dialogs: dialogs.statistics.save_comparison(), enabled=_can_compare, words=_WORDS),
    Command("save_all_pairs", "Save the comparison of all pairs…", "File",
            "As LaTeX, Markdown, CSV, JSON; each names every test that was run",
            ask=lambda dialogs: dialogs.statistics.save_all_pairs(), enabled=_can_compare, words=_WORDS),
    Command("curve_bands", "Bands around the curves", "View",
            "What the intervals hold at each point of the averaged curves, the queries drawn again",
            run=_switch("curve_bands"), enabled=_has_curves, checked=_is_on("curve_bands")),
    Command("curve_differences", "Curves as differences", "View",
            "The averaged curves of the focus run less the baseline's, with their bands",
            run=_switch("curve_differences"), enabled=_can_compare, checked=_is_on("curve_differences")),
    Command("curve_dcg", "Curve of DCG by cutoff", "View", "DCG in the place of nDCG in the curve by cutoff",
            run=lambda session: session.curves.set_curve_gain("ndcg" if _shows_dcg(session) else "dcg"),
            enabled=_has_curves, checked=_shows_dcg),
    Command("pr_raw", "Precision at every rank", "View",
            "In a query's precision–recall plot, in the place of interpolated precision",
            run=_switch("pr_raw"), enabled=_has_curves, checked=_is_on("pr_raw")),
    Command("query_cg", "Gain of a query without discount", "View", "CG in the place of DCG in a query's gain plot",
            run=lambda session: session.curves.set_query_gain("dcg" if _shows_cg(session) else "cg"),
            enabled=_has_curves, checked=_shows_cg),
    Command("iso_f", "Lines of equal F1", "View", "In plots of precision against recall",
            run=_switch("iso_f"), enabled=_has_curves, checked=_is_on("iso_f")),
    Command("choose_columns", "Columns of the Systems table…", "View",
            "Which measures and which statistics it shows",
            ask=lambda dialogs: dialogs.statistics.columns(), enabled=has_judgments),
    Command("choose_query_columns", "Columns of the Queries table…", "View",
            "Δ from the median of all runs, how hard a query is, whether it tells runs apart",
            ask=lambda dialogs: dialogs.statistics.query_columns(), enabled=_can_compare),
    Command("bars_median", "Bars against the median of all runs", "View",
            "The bars by query show the focus run less the median of all, from five runs on, as TREC does",
            run=lambda session: session.columns.set_bars_against("baseline" if _bars_by_median(session) else "median"),
            enabled=lambda session: _can_compare(session) and len(session.view.labels()) >= LEAST_RUNS,
            checked=_bars_by_median),
    Command("reset_columns", "The usual columns", "View", "The columns that the Systems table has at first",
            run=lambda session: session.comparison.reset_columns(), enabled=has_judgments),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """A command for every correction and interval, and for every column that may be shown or hidden."""
    found = []
    if _can_compare(session):
        found += [_correction(name, title) for name, title in CORRECTIONS.items()]
        found += [_query_column(name, told) for name, told in QUERY_COLUMNS.items()]
        found += [_interval(name, title) for name, title in INTERVALS.items()]
        found += [_deciding(name, told) for name, told in DECIDING.items()]
        found += [_zeros(name, told) for name, told in ZEROS.items()]
        found += [_tukey(name, told) for name, told in TUKEYS.items()]
    if has_judgments(session):
        found += [_column(name, told) for name, told in _columns(session).items()]
    return found


def _columns(session: Session) -> dict[str, str]:
    context = session.view.context
    depth = 0 if context is None else context.depth
    present = [str(one) for one in systems_measures(depth, session.view.measure, session.settings["table_measures"])]
    measures = {name: "a measure" for name in dict.fromkeys((*present, *COMMON)) if name != str(session.view.measure)}
    return measures | STATISTICS


def _shows(session: Session, name: str) -> bool:
    if name in STATISTICS:
        return name not in session.settings["hidden_columns"]
    context = session.view.context
    depth = 0 if context is None else context.depth
    present = systems_measures(depth, session.view.measure, session.settings["table_measures"])
    return name in [str(one) for one in present]


def _column(name: str, told: str) -> Command:
    title = told if name in STATISTICS else name
    return Command(
        f"column {name}",
        f"Column {title}",
        "View",
        "a statistic" if name in STATISTICS else told,
        run=lambda session: session.comparison.set_column(name, not _shows(session, name)),
        checked=lambda session: _shows(session, name),
    )


def _query_column(name: str, told: str) -> Command:
    return Command(
        f"querycolumn {name}",
        f"Column {told}",
        "View",
        "of the Queries table",
        run=lambda session: session.columns.set_query_column(name, name not in session.columns.query_columns),
        checked=lambda session: name in session.columns.query_columns,
    )


def _correction(name: str, title: str) -> Command:
    return Command(
        f"correction {name}",
        f"Correct p-values: {title}",
        "Runs",
        "Of all comparisons in the table",
        run=lambda session: session.comparison.set_correction(name),
        checked=lambda session: session.state.statistics.correction == name,
        words=_WORDS,
    )


def _interval(name: str, title: str) -> Command:
    return Command(
        f"interval {name}",
        f"Intervals: {title}",
        "Runs",
        "Of means and of mean differences",
        run=lambda session: session.comparison.set_interval(name),
        checked=lambda session: session.state.statistics.interval == name,
        words=_WORDS,
    )


def _deciding(name: str, told: str) -> Command:
    return Command(
        f"test {name}",
        f"Test that decides: {told}",
        "Runs",
        "Letters, marks and sentences are of it",
        run=lambda session: session.statistics.set_test(name),
        checked=lambda session: session.statistics.statistics_options.test == name,
        words=_WORDS,
    )


def _zeros(name: str, told: str) -> Command:
    return Command(
        f"zeros {name}",
        f"Wilcoxon's test: {told}",
        "Runs",
        "Of two runs in depth",
        run=lambda session: session.statistics.set_zeros(name),
        checked=lambda session: session.statistics.statistics_options.zeros == name,
        words=_WORDS,
    )


def _tukey(name: str, told: str) -> Command:
    return Command(
        f"tukey {name}",
        f"Tukey's test: {told}",
        "Runs",
        "Of all pairs; it supposes equal spread of all runs",
        run=lambda session: session.statistics.set_tukey(name),
        checked=lambda session: session.statistics.statistics_options.tukey == name,
        words=_WORDS,
    )
