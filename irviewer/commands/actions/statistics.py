"""Commands for statistical options, matrices, curves, and the columns of tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irviewer.analysis.similarity.ties import MEANINGS, TieVariant
from irviewer.commands.command import Action, Command, Question, Test, has_judgments, has_runs
from irviewer.session.comparison.matrices import RBO
from irviewer.session.evaluation.default_measures import COMMON
from irviewer.session.protocol.fields import DECIDING, FAMILIES, LOOKS, NUMBERS, TUKEYS, ZEROS
from irviewer.session.view_models.matrix import MATRICES
from irviewer.session.view_models.queries import QUERY_COLUMNS
from irviewer.session.view_models.systems import STATISTICS
from irviewer.translation import filled, tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg", "none": tr("no correction")}
_WORDS = tr("statistics significance test p-value p-values multiple comparisons")
"""Search words of all these commands."""
LEAST_RUNS = 5
"""The number of runs from which their median is shown."""
INTERVALS = {"percentile": tr("bootstrap, percentile"), "bca": tr("bootstrap, BCa"), "t": tr("Student's t")}


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
    Command("choose_test", tr("Deciding test…"), "Statistics",
            tr("Choose the test that letters, marks and conclusions use: paired t, Wilcoxon, sign, randomisation, "
               "Tukey"),
            ask=lambda dialogs: dialogs.statistics.test(), enabled=_can_compare, words=_WORDS, group="tests"),
    Command("choose_correction", tr("Correction for multiple comparisons…"), "Statistics",
            tr("Choose Holm, Bonferroni, Benjamini-Hochberg, or none"),
            ask=lambda dialogs: dialogs.statistics.correction(), enabled=_can_compare, words=_WORDS, group="tests"),
    Command("choose_family", tr("Family of comparisons…"), "Statistics",
            tr("Choose what p-values are corrected over: each run with the baseline, or all pairs of runs"),
            ask=lambda dialogs: dialogs.statistics.family(), enabled=_can_compare, words=_WORDS, group="tests"),
    Command("choose_interval", tr("Confidence intervals…"), "Statistics",
            tr("Choose the method: bootstrap (BCa or percentile) or Student's t"),
            ask=lambda dialogs: dialogs.statistics.interval(), enabled=_can_compare,
            words=tr("{words} confidence bootstrap", words=_WORDS), group="tests"),
    Command("choose_zeros", tr("Zeros in Wilcoxon's test…"), "Statistics",
            tr("Leave out queries without a difference before ranking, or after it (Pratt)"),
            ask=lambda dialogs: dialogs.statistics.zeros(), enabled=_can_compare, words=_WORDS, group="numbers"),
    Command("choose_tukey", tr("Tukey's test of all pairs…"), "Statistics",
            tr("Use the studentized range, or randomisation"),
            ask=lambda dialogs: dialogs.statistics.tukey(), enabled=_can_compare, words=_WORDS, group="numbers"),
    *(Command(f"statistics_{number.name}", tr("{option}…", option=number.title), "Statistics", number.meaning,
              ask=_asking_number(number.name), enabled=_can_compare, words=_WORDS, group="numbers")
      for number in NUMBERS.values()),
    Command("statistics_looks", tr("{option}…", option=LOOKS.title), "Statistics", LOOKS.meaning,
            ask=_asking_number("looks"), enabled=_can_compare,
            words=tr("group sequential interim look Pocock O'Brien Fleming alpha spending repeated"), group="numbers"),
    *(Command(f"statistics_{number.name}", tr("{option}…", option=number.title), "Statistics", number.meaning,
              ask=_asking_number(number.name), enabled=has_runs, group="numbers") for number in RBO.values()),
    Command("statistics_rbo_ties", tr("Ties in RBO…"), "Statistics",
            tr("Choose how rank-biased overlap counts tied scores"),
            ask=lambda dialogs: dialogs.statistics.rbo_ties(), enabled=has_runs, group="numbers"),
    *(Command(f"matrix_{matrix.name}", tr("Matrix: {title}", title=matrix.title), "Go",
              matrix.meaning.capitalize(), run=_matrix(matrix.name), enabled=has_runs,
            group="compare") for matrix in MATRICES),
    Command("keep_gate", tr("Keep as a gate"), "Go",
            tr("Show whether the focus run may replace the baseline, by conditions that the next run is held to"),
            run=lambda session: session.result_views.keep_gate(), enabled=_can_compare,
            words=tr("regression non-inferior continuous integration CI build"), group="compare"),
    Command("save_comparison", tr("Save comparison with baseline…"), "Export",
            tr("Save as LaTeX, Markdown, CSV or JSON; every test that was run is named"),
            ask=lambda dialogs: dialogs.statistics.save_comparison(), enabled=_can_compare, words=_WORDS,
            group="comparisons"),
    Command("save_all_pairs", tr("Save comparison of all pairs…"), "Export",
            tr("Save as LaTeX, Markdown, CSV or JSON; every test that was run is named"),
            ask=lambda dialogs: dialogs.statistics.save_all_pairs(), enabled=_can_compare, words=_WORDS,
            group="comparisons"),
    Command("curve_bands", tr("Bands around curves"), "View",
            tr("Show the confidence interval at each point of the averaged curves"),
            run=_switch("curve_bands"), enabled=_has_curves, checked=_is_on("curve_bands"), group="curves"),
    Command("curve_differences", tr("Curves as differences"), "View",
            tr("Show the averaged curves of the focus run minus those of the baseline, with bands"),
            run=_switch("curve_differences"), enabled=_can_compare, checked=_is_on("curve_differences"),
            group="curves"),
    Command("curve_dcg", tr("DCG by cutoff"), "View", tr("Show DCG instead of nDCG in the curve by cutoff"),
            run=lambda session: session.curves.set_curve_gain("ndcg" if _shows_dcg(session) else "dcg"),
            enabled=_has_curves, checked=_shows_dcg, group="curves"),
    Command("pr_raw", tr("Precision at every rank"), "View",
            tr("Show precision at every rank instead of interpolated precision in a query's precision–recall plot"),
            run=_switch("pr_raw"), enabled=_has_curves, checked=_is_on("pr_raw"), group="curves"),
    Command("query_cg", tr("Query gain without discount"), "View",
            tr("Show CG instead of DCG in the gain plot of a query"),
            run=lambda session: session.curves.set_query_gain("dcg" if _shows_cg(session) else "cg"),
            enabled=_has_curves, checked=_shows_cg, group="curves"),
    Command("iso_f", tr("Lines of equal F1"), "View", tr("Show lines of equal F1 in precision–recall plots"),
            run=_switch("iso_f"), enabled=_has_curves, checked=_is_on("iso_f"), group="curves"),
    Command("choose_columns", tr("Systems table columns…"), "View",
            tr("Choose the measures and statistics that the Systems table shows"),
            ask=lambda dialogs: dialogs.statistics.columns(), enabled=has_judgments, group="columns"),
    Command("choose_query_columns", tr("Queries table columns…"), "View",
            tr("Choose columns: Δ to the median of all runs, query difficulty, how well a query separates runs"),
            ask=lambda dialogs: dialogs.statistics.query_columns(), enabled=_can_compare, group="columns"),
    Command("bars_median", tr("Bars against median of all runs"), "View",
            tr("Show the focus run minus the median of all runs for each query, as TREC does; needs five runs"),
            run=lambda session: session.columns.set_bars_against("baseline" if _bars_by_median(session) else "median"),
            enabled=lambda session: _can_compare(session) and len(session.view.labels()) >= LEAST_RUNS,
            checked=_bars_by_median, group="columns"),
    Command("reset_columns", tr("Default columns"), "View", tr("Show the default columns of the Systems table"),
            run=lambda session: session.comparison.reset_columns(), enabled=has_judgments, group="columns"),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return a command for each statistical choice, and for each column that can be shown or hidden."""
    rows = []
    if _can_compare(session):
        rows += [choice.command(name) for choice in _CHOICES for name in choice.values]
        rows += [_query_column(name, title) for name, title in QUERY_COLUMNS.items()]
    if has_runs(session):
        rows += [_tie_variant(variant, meaning) for variant, meaning in MEANINGS.items()]
    if has_judgments(session):
        rows += [_column(name, meaning) for name, meaning in _columns(session).items()]
    return rows


def _shown_measures(session: Session) -> list[str]:
    """Return the measures that the Systems table shows."""
    return [str(measure) for measure in session.comparison.measures_shown(session.settings["table_measures"])]


def _columns(session: Session) -> dict[str, str]:
    """Return the meaning of each column that can be shown or hidden."""
    names = dict.fromkeys((*_shown_measures(session), *COMMON))
    measures = {name: tr("a measure") for name in names if name != str(session.view.measure)}
    return measures | STATISTICS


def _shows(session: Session, name: str) -> bool:
    if name in STATISTICS:
        return name not in session.settings["hidden_columns"]
    return name in _shown_measures(session)


def _column(name: str, meaning: str) -> Command:
    title = meaning if name in STATISTICS else name
    return Command(
        f"column {name}",
        tr("Column {title}", title=title),
        "View",
        tr("a statistic") if name in STATISTICS else meaning,
        run=lambda session: session.comparison.set_column(name, not _shows(session, name)),
        checked=lambda session: _shows(session, name),
        short=title,
    )


def _query_column(name: str, title: str) -> Command:
    return Command(
        f"querycolumn {name}",
        tr("Column {title}", title=title),
        "View",
        tr("Show or hide this column of the Queries table"),
        run=lambda session: session.columns.set_query_column(name, name not in session.columns.query_columns),
        checked=lambda session: name in session.columns.query_columns,
        short=title,
    )


def _tie_variant(variant: TieVariant, meaning: str) -> Command:
    return Command(
        f"rbo_ties {variant}",
        tr("Ties in RBO: {variant}, {meaning}", variant=variant, meaning=meaning),
        "Statistics",
        tr("In the matrices of rank-biased overlap"),
        run=lambda session: session.matrices.set_ties(variant),
        checked=lambda session: session.matrices.ties == variant,
        short=f"{variant}: {meaning}",
    )


@dataclass(frozen=True)
class _Choice:
    """A field of the inference with a command for each of its values.

    field   its name, with which the ids of the commands begin
    values  value -> its title
    title   of a command, with the title of the value
    """

    field: str
    values: Mapping[Any, str]
    title: str
    help: str

    def _declare(self, session: Session, name: str) -> None:
        fields: dict[str, Any] = {self.field: name}
        session.protocol.set(**fields)

    def command(self, name: str) -> Command:
        """Return the command of a value."""
        return Command(
            f"{self.field} {name}",
            filled(self.title, title=self.values[name]),
            "Statistics",
            self.help,
            run=lambda session: self._declare(session, name),
            checked=lambda session: bool(session.state.protocol[self.field] == name),
            words=_WORDS,
            short=self.values[name],
        )


_CHOICES = (
    _Choice("correction", CORRECTIONS, tr("Correct p-values: {title}"),
            tr("Correct the p-values of all comparisons in the table")),
    _Choice("family", FAMILIES, tr("Correct p-values over: {title}"),
            tr("Marks, letters and conclusions obey this; hiding a run does not change it")),
    _Choice("interval", INTERVALS, tr("Confidence intervals: {title}"), tr("Intervals of means and mean differences")),
    _Choice("test", DECIDING, tr("Deciding test: {title}"), tr("Letters, marks and conclusions use this test")),
    _Choice("zeros", ZEROS, tr("Wilcoxon's test: {title}"), tr("In the comparison of two runs")),
    _Choice("tukey", TUKEYS, tr("Tukey's test: {title}"),
            tr("Test of all pairs; it assumes equal variance of the differences of all pairs")),
)  # fmt: skip
