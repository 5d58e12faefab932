"""The view models of ledgers of judges' numbers: a statistic of two judges, the order of runs, a mean under a judge, a
corrected score."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import frozen
from irviewer.model.number_text import score_text
from irviewer.model.workspace import JudgmentSet, RunEntry
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.session.view_models.ledgers.number_ledger import MEAN, number_ledger, openable
from irviewer.tables import column as kinds
from irviewer.tables.column import Column
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.agreement.corrected import CorrectedScores
    from irviewer.analysis.agreement.statistic_ledger import StatisticLedger
    from irviewer.analysis.agreement.systems_by_judge import SystemsByJudge


def statistic_view(names: tuple[str, str], ledger: StatisticLedger) -> LedgerViewModel:
    """Return the ledger of a statistic of two judges, by their cells."""
    title = tr(
        "Why is {statistic} of {first} and {second} {value}?",
        statistic=COEFFICIENTS[ledger.name].title, first=names[0], second=names[1], value=score_text(ledger.value),
    )  # fmt: skip
    columns: list[Column] = []
    for position, (name, meaning) in enumerate(ledger.columns):
        cells = [row[position] for row in ledger.rows]
        if all(isinstance(cell, str) for cell in cells):
            columns.append(kinds.text(f"part{position}", name, tuple(map(str, cells)), tip=meaning))
        else:
            numbers = np.array(cells, dtype=np.float64)
            whole = bool((numbers == np.round(numbers)).all())
            decimals = 4 if np.abs(numbers).max(initial=0.0) < 10 else 2
            columns.append(
                kinds.number(f"part{position}", name, frozen(numbers), whole=whole, decimals=decimals, tip=meaning)
            )
    meaning = COEFFICIENTS[ledger.name].meaning
    return number_ledger(title, columns, ledger.worked, ledger.formula, (meaning, *ledger.notes))


def order_ledger(systems: SystemsByJudge, reference: str, judge: str) -> LedgerViewModel:
    """Return the ledger of Kendall's tau-b of the orders of runs under two judges, by run: in how many pairs with other
    runs both judges have the same order."""
    from irviewer.analysis.agreement.orders import ranks_of

    under = systems[judge]
    means = np.stack([under.reference_values, under.values])
    sign = 1.0 if systems.measure.higher_is_better else -1.0
    ranks = np.stack([ranks_of(sign * values) for values in means])
    steps = np.sign(ranks[:, :, None] - ranks[:, None, :])
    both = steps[0] * steps[1]
    order = np.argsort(ranks[0], kind="stable")
    same, opposite = (both > 0).sum(axis=1), (both < 0).sum(axis=1)
    concordant, discordant = int(same.sum()) // 2, int(opposite.sum()) // 2
    untied = [int((steps[place] != 0).sum()) // 2 for place in (0, 1)]
    bottom = math.sqrt(untied[0] * untied[1])
    value = (concordant - discordant) / bottom if bottom else math.nan
    columns: list[Column] = [
        kinds.run("run", tr("run"), tuple(systems.runs[run] for run in order.tolist()),
                  tip=tr("The runs, the reference's best first")),
    ]  # fmt: skip
    for position, name in enumerate((reference, judge)):
        mean = tr("Mean under {judge}", judge=name)
        columns += [
            kinds.number(f"mean{position}", name, frozen(means[position][order]), tip=mean),
            kinds.number(f"rank{position}", tr("rank"), frozen(ranks[position][order].astype(np.float64)), whole=True,
                         tip=tr("Rank under {judge}", judge=name)),
        ]  # fmt: skip
    counts = (
        ("same", tr("same order"), tr("Other runs that both judges order alike"), same),
        ("opposite", tr("opposite"), tr("Other runs that the judges order in opposite ways"), opposite),
    )
    columns += [
        kinds.number(key, title, frozen(cells[order].astype(np.float64)), whole=True, tip=tip)
        for key, title, tip, cells in counts
    ]
    worked = f"({concordant} − {discordant}) ÷ √({untied[0]} × {untied[1]}) = {score_text(value)}"
    rules = [
        tr("{same} pairs of runs in the same order, {opposite} in opposite orders.", same=concordant,
           opposite=discordant),
        tr("Below the root: pairs that each judge does not tie."),
        trn(
            "Means of the one query that both judged.",
            "Means of the {n} queries that both judged.",
            len(under.queries),
        ),
    ]  # fmt: skip
    title = tr(
        "Why is Kendall's τ of {first} and {second} {value}?", first=reference, second=judge, value=score_text(value)
    )
    return number_ledger(
        title, columns, worked, r"\frac{C - D}{\sqrt{U_1 \, U_2}}", rules, measure=systems.measure.text
    )


def mean_under_judge_ledger(
    context: EvaluationContext, systems: SystemsByJudge, run: RunEntry, judge: JudgmentSet, reference: JudgmentSet
) -> LedgerViewModel:
    """Return the ledger of a run's mean under a judge, by query, with the values under the reference."""
    from irviewer.analysis.agreement.systems_by_judge import each_judge_condenses

    text = usual_name(systems.measure)
    queries = systems[judge.name].queries
    sides = [judge] if judge.identity == reference.identity else [judge, reference]
    values = []
    whole = next(entry.run for entry in context.opened_runs if entry.key == run.key)
    for side in sides:
        by_query = evaluate(side.qrels, [whole], [context.measure], context.asked_options).by_query(
            str(context.measure)
        )
        values.append(np.array([by_query.get(query, math.nan) for query in queries]))
    own = values[0]
    order = np.argsort(-own if context.measure.higher_is_better else own, kind="stable")
    columns: list[Column] = [
        kinds.identifier("query", tr("query"), tuple(queries[position] for position in order.tolist()),
                         tip=tr("The queries, the best first")),
    ]  # fmt: skip
    columns += [
        kinds.number(f"value{position}", side.name, frozen(values[position][order]),
                     tip=tr("{measure} under {judge}", measure=text, judge=side.name))
        for position, side in enumerate(sides)
    ]  # fmt: skip
    if len(sides) > 1:
        tip = tr("{judge} minus {reference}", judge=judge.name, reference=reference.name)
        columns.append(kinds.number("delta", "Δ", frozen((values[0] - values[1])[order]), tip=tip))
    mean, total = float(own.mean()), float(own.sum())
    title = tr("Why is {measure} of {run} under {judge} {value}?", measure=text, run=context.name_of(run),
               judge=judge.name, value=score_text(mean))  # fmt: skip
    worked = f"{score_text(total)} ÷ {len(queries)} = {score_text(mean)}"
    rules = [trn(
        "Mean of the one query that {judge} and {reference} both judged.",
        "Mean of the {n} queries that {judge} and {reference} both judged.",
        len(queries), judge=judge.name, reference=reference.name,
    )] if len(sides) > 1 else []  # fmt: skip
    if context.judged_only:
        rules.append(each_judge_condenses())
    known = frozenset(context.query_index)
    return number_ledger(title, columns, worked, MEAN, rules, queries=openable(columns[0].values, known), measure=text)


def corrected_ledger(
    scores: CorrectedScores, run: str, shown: str, of_difference: bool, known: frozenset[str]
) -> LedgerViewModel:
    """Return the ledger of a corrected mean of a run, or of its difference to the baseline: the queries of the sample.

    known   the queries that can be opened"""
    place, sample = scores.runs.index(run), scores.sample
    model, human, means = scores.model_values[place, sample.places], scores.human_values[place], scores.means
    if of_difference:
        assert scores.differences is not None
        assert scores.baseline is not None
        model = model - scores.model_values[scores.baseline, sample.places]
        human, means = human - scores.human_values[scores.baseline], scores.differences
    shift = human - model
    order = np.argsort(-np.abs(shift), kind="stable")
    queries = tuple(scores.query_ids[spot] for spot in sample.places[order].tolist())
    sign = "Δ " if of_difference else ""
    columns: list[Column] = [
        kinds.identifier("query", tr("query"), queries, tip=tr("Queries of the sample, the largest shift first")),
        kinds.number("model", f"{sign}{scores.model}", frozen(model[order]), tip=tr("Value under the model")),
        kinds.number("human", f"{sign}{scores.human}", frozen(human[order]), tip=tr("Value under the human")),
        kinds.number("shift", tr("shift"), frozen(shift[order]), tip=tr("Human minus model")),
    ]  # fmt: skip
    if not sample.equal:
        columns.append(
            kinds.number("probability", tr("inclusion"), frozen(sample.probability[order]),
                         tip=tr("Inclusion probability; its inverse is the weight"))
        )  # fmt: skip
    value, whole = float(means.values[place]), float(means.model[place])
    worked = f"{score_text(whole)} + ({score_text(value - whole)}) = {score_text(value)}"
    half = float(means.high[place] - means.values[place])
    rules = [
        tr("{mean}: mean under {model}, all {n} queries; {shift}: mean shift of the {sampled} queries of the sample.",
           mean=score_text(whole), model=scores.model, n=sample.total, shift=score_text(value - whole),
           sampled=len(queries)),
        tr("95 % interval: ± {half}, Student's t with df {df} and the variance {variance}.", half=score_text(half),
           df=means.df, variance=decimal(f"{float(means.variance[place]):.3g}")),
    ]  # fmt: skip
    if not sample.equal:
        rules.append(tr("The queries were drawn with unequal probabilities and are weighted by their inverse."))
    title = tr("Why is corrected {measure} of {run} {value}?", measure=f"{sign}{usual_name(scores.measure)}", run=shown,
               value=score_text(value))  # fmt: skip
    formula = r"\frac{1}{N} \sum_{q=1}^{N} m_q + \sum_{q \in S} w_q (h_q - m_q)"
    return number_ledger(title, columns, worked, formula, rules, queries=openable(queries, known),
                   measure=scores.measure.text)  # fmt: skip
