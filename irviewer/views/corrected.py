"""Means under a model that a human corrected as a table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.analysis.agreement.corrected import CorrectedMeans, CorrectedScores
from irviewer.analysis.agreement.powered import CALIBRATED, FEWEST
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Floats, Ints
from irviewer.model.number_text import level_text
from irviewer.model.protocol import ALL
from irviewer.tables import column
from irviewer.tables.column import Column, ComparisonFamily
from irviewer.tables.table import Mark, Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult

PINS = {"interval": ("t", tr("corrected scores"))}


def uses_of(*, against: bool) -> tuple[str, ...]:
    """Return what corrected scores depend on, with differences to a baseline or without."""
    return ("rules", "scope", "alpha", "confidence", "seed", *(("baseline",) if against else ()))


def following(bound: BoundProtocol, scores: CorrectedScores) -> BoundProtocol:
    """Return the protocol of corrected scores: they are means over all queries that the model judged, of which a sample
    has been judged by the human too, whatever query set is in view."""
    queries, protocol = tuple(scores.query_ids), bound.protocol
    facts = replace(bound.facts, queries=len(queries), all_queries=len(queries))
    if protocol.scope.queries:
        protocol = protocol.but(queries=ALL)
    return replace(bound, protocol=protocol, query_ids=queries, left_out=(), facts=facts)


def tables(scores: CorrectedScores, bound: BoundProtocol | None) -> ViewResult:
    """Return the tables ``scores``, a row for each run, the best corrected mean first, and ``sample``: the queries that
    were drawn, with their inclusion probabilities."""
    baseline = None if scores.baseline is None else scores.runs[scores.baseline]
    parameters = {
        "measure": scores.measure.text, "model": scores.model, "human": scores.human, "baseline": baseline,
        "confidence": scores.means.level, "df": scores.means.df, "queries": scores.sample.total,
        "pairs_judged_twice": scores.pairs_judged_twice, "shift": scores.shift, "tau": scores.tau,
    }  # fmt: skip
    return ViewResult(scores, (_scores(scores),), further=(_sample(scores),)).with_provenance(
        provenance("corrected", bound, parameters)
    )


def _scores(scores: CorrectedScores) -> Table:
    name = usual_name(scores.measure)
    means, order = scores.means, (-scores.means.values).argsort(kind="stable")
    up, level = scores.measure.higher_is_better, level_text(means.level)
    misleads = tr("The value of the model alone is outside the interval: it misleads.")
    outside = means.misleads[order].tolist()
    withheld = tr("Withheld: so few queries do not tell how far the mean may be off.")
    lacking = np.isnan(means.low[order]).tolist()
    columns: list[Column] = [
        column.run("run", tr("run"), [scores.runs[run] for run in order]),
        column.number("model", scores.model, means.model[order], better_up=up,
                      tip=tr("Mean {measure} under {judge}, all queries", measure=name,
                             judge=scores.model)),
        column.number("human", trn(
            "{human}, {n} query",
            "{human}, {n} queries",
            means.n, human=scores.human,
        ), means.human[order],
                      better_up=up, tip=tr("Mean {measure} under {judge} on the sample", measure=name,
                                           judge=scores.human)),
        column.number("value", tr("corrected"), means.values[order], better_up=up,
                      tip=tr("Mean of the human over the sample, plus λ times what the model says of the others")),
        column.interval("interval", tr("{level} interval", level=level), means.low[order], means.high[order],
                        of="value", tips=lambda row: misleads if outside[row] else withheld if lacking[row] else ""),
        column.number("weight", "λ", means.weight[order], decimals=2,
                      tip=tr("How much the model counts, from 0 to 1; near 0 its labels did not help")),
        column.number("worth", tr("worth, queries"), means.worth[order], decimals=0,
                      tip=tr("Queries that {judge} alone would have to judge for so small a standard error; near {n} "
                             "the model did not help", judge=scores.human, n=means.n)),
        column.number("widened", tr("widened by"), means.widened[order], detail=True,
                      tip=tr("The interval is so many times as wide as Student’s")),
        column.number("saved", tr("saved, queries"), means.saved[order], decimals=0, detail=True),
        column.number("correlation", tr("correlation"), means.correlation[order], detail=True),
        column.flag("best", tr("best"), scores.best[order], detail=True),
    ]  # fmt: skip
    if scores.part is not None:
        low, high = scores.part.low[order], scores.part.high[order]
        columns.append(column.interval("part", tr("at least and at most"), low, high, of="value"))
    if scores.differences is not None:
        columns += _differences(scores, scores.differences, order)
    text = tr("not significantly different from the best corrected mean")
    marks = {(row, "run"): Mark("best", "*", text) for row, run in enumerate(order) if scores.best[run]}
    title = tr("{measure} under {model}, corrected by {human}", measure=name, model=scores.model,
               human=scores.human)  # fmt: skip
    return Table("scores", title, tuple(columns), keys=[scores.runs[run] for run in order], opens="run", marks=marks,
                 notes=_remarks(scores))  # fmt: skip


def _differences(scores: CorrectedScores, differences: CorrectedMeans, order: Ints) -> list[Column]:
    """Return the differences to the baseline, whose own row has none."""
    own, part = order == scores.baseline, scores.part

    def others(values: Floats) -> Floats:
        return np.where(own, np.nan, values[order])

    family = ComparisonFamily("runs", len(scores.runs) - 1, "Holm", _alpha(scores))
    columns = [
        column.difference(
            "difference", "Δ", others(differences.values), of="p_corrected",
            better_up=scores.measure.higher_is_better,
            texts=[tr("baseline") if is_baseline else None for is_baseline in own.tolist()],
            tip="\n".join((tr("Corrected difference to the baseline"),
                           tr("Filled arrow: the test shows a difference. Hollow and grey: it does not."))),
        ),
        column.interval("difference_interval", tr("{level} interval", level=level_text(differences.level)),
                        others(differences.low), others(differences.high), of="difference",
                        tip=tr("Interval of the corrected difference")),
        column.p_value("p", "p", others(differences.p), None, detail=True),
        column.p_value("p_corrected", tr("p, Holm"), others(scores.p), family,
                       tip=tr("p-value of the corrected difference, corrected by Holm")),
        column.number("difference_weight", "λ", others(differences.weight), decimals=2, detail=True),
        column.number("difference_worth", tr("worth, queries"), others(differences.worth), decimals=0,
                      tip=tr("The same for the difference")),
        column.number("difference_correlation", tr("correlation"), others(differences.correlation), detail=True),
        column.number("difference_widened", tr("widened by"), others(differences.widened), detail=True),
    ]  # fmt: skip
    if part is not None and part.difference_low is not None and part.difference_high is not None:
        low, high = others(part.difference_low), others(part.difference_high)
        columns.append(column.interval("difference_part", tr("at least and at most"), low, high, of="difference"))
    return columns


def _alpha(scores: CorrectedScores) -> float:
    return ALPHA if scores.protocol is None else scores.protocol.protocol.inference.alpha


def _remarks(scores: CorrectedScores) -> tuple[Remark, ...]:
    means = scores.means
    said = [
        tr("Corrected = mean under {human} over the {n} drawn queries + λ × (mean under {model} over the others − over "
           "the drawn); λ is tuned for each run (PPI++). {level} interval, Student's t with {df} degrees of freedom.",
           model=scores.model, human=scores.human, n=means.n, level=level_text(means.level), df=means.df),
        tr("Worth: how many queries judged by {human} alone would give so small a standard error; near {n} the model "
           "did not help.", human=scores.human, n=means.n),
    ]  # fmt: skip
    if means.n < CALIBRATED:
        said.append(_few(means))
    if means.n >= FEWEST:
        said.append(tr("Intervals with a tuned λ are widened for skewed values, by 1 + |skewness| / √queries."))
    notes = [Remark("method", text, warns=False) for text in said]
    notes += [Remark("sample", text) for text in scores.notes]
    if scores.part is not None:
        text = trn(
            "At least, at most: the ends of the interval if the {n} drawn query that is not wholly judged had the "
            "least value of {measure}, or the greatest.",
            "At least, at most: the ends of the interval if the {n} drawn queries that are not wholly judged had the "
            "least value of {measure}, or the greatest.",
            scores.part.n, measure=scores.measure.text,
        )  # fmt: skip
        notes.append(Remark("part", text, {"queries": scores.part.n}))
    return tuple(notes)


def _few(means: CorrectedMeans) -> str:
    """Return what holds for intervals from few queries."""
    if means.n < FEWEST:
        return trn(
            "No interval: {n} human query is fewer than {least}.",
            "No interval: {n} human queries are fewer than {least}.",
            means.n,
            least=FEWEST,
        )
    return tr(
        "With fewer than {most} human queries, drawn with equal probability, intervals are widened until they hold the "
        "mean as often as they say in samples drawn from these queries; one that had to be twice as wide is withheld.",
        most=CALIBRATED,
    )


def _sample(scores: CorrectedScores) -> Table:
    sample = scores.sample
    return Table("sample", tr("The queries that were drawn"), (
        column.identifier("query", tr("query"), [scores.query_ids[place] for place in sample.places.tolist()]),
        column.number("probability", tr("inclusion probability"), sample.probability),
    ), opens="query")  # fmt: skip
