"""The agreement of judges as tables: on grades, with one of them and all pairs, and on the order of systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.analysis.agreement.judge_agreement import Estimate, JudgeAgreement
from irviewer.analysis.agreement.report import AgreementReport
from irviewer.analysis.agreement.systems_by_judge import SystemsByJudge, SystemsUnderJudge
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.number_text import level_text, limit
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Mark, Remark, Table
from irviewer.translation import decimal, tr, trn
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult

USES = ("rules", "scope", "interval", "confidence", "samples", "seed")
"""What a comparison of judges depends on; that of runs under each also on alpha."""
PINS = {"interval": ("percentile", tr("agreement of judges"))}
FAMILY_SIGN = "◆"
"""Stands at a run that uses a model of a judge's family."""
STATISTIC = 3
"""Decimals of a coefficient of the order of systems: its interval is wider than a further one."""
AT_LENGTH = ("pairs", "all", "systems")
"""Tables that people are not shown where they name none: the others say the same in less room."""
ENDS = ("", "_rank", "_change", "_grade", "_grade_interval", "_grade_interval_low", "_grade_interval_high")
"""What the keys of a judge's columns end with."""
FAMILY_COEFFICIENTS = ("same_grade", "kappa_quadratic", "kappa_level", "alpha_ordinal", "ac1")


def tables(report: AgreementReport, bound: BoundProtocol | None, matrix: str = "") -> ViewResult:
    """Return the tables ``judges`` (each with the reference), ``pairs``, ``matrix`` of a coefficient ("": that which
    orders the judges), ``grades``, ``all`` (the coefficients of all judges together), ``families`` where there are
    some, and with runs ``orders``, ``systems`` (a row for each judge and run), ``by_judge`` (the same with columns of
    judges) and ``opposite``."""
    grades, systems = report.grades, report.systems
    all_tables = [
        _with_reference(grades), every_pair(grades), _matrix(grades, matrix or grades.main), _shares(grades),
        _all(grades),
    ]  # fmt: skip
    if grades.families:
        all_tables.append(_families(grades))
    if systems is not None:
        all_tables += [_orders(systems), _systems(systems), _by_judge(systems), _opposite(systems)]
    options = grades.options
    parameters = {
        "reference": grades.names[grades.reference], "steps": options.steps, "matrix": matrix or grades.main,
        "scale": grades.panel.scale.tolist(), "judged_by_all": grades.judged_by_all,
    }  # fmt: skip
    if systems is not None:
        parameters |= {"measure": systems.measure.text, "depth": systems.depth, "top": systems.top}
    return ViewResult(report, tuple(all_tables)).with_provenance(provenance("agreement", bound, parameters))


def estimates(
    name: str, title: str, values: Sequence[Estimate | None], *, detail: bool, level: float, interval: bool = False
) -> tuple[Column, Column]:
    """Return a statistic with its interval, which people are shown where ``interval``."""
    number = column.number(name, title, [None if each is None else each.value for each in values], detail=detail)
    ends = [[None if each is None else getattr(each, end) for each in values] for end in ("low", "high")]
    of = column.interval(f"{name}_interval", tr("{level} interval", level=level_text(level)), *ends, of=name,
                         detail=detail or not interval)  # fmt: skip
    return number, of


def _coefficients(
    result: JudgeAgreement, pairs: Sequence[tuple[int, int]], shown: dict[str, str]
) -> tuple[Column, ...]:  # fmt: skip
    """Return every coefficient of pairs of judges, those in ``shown`` (name -> title) first; the first that orders
    judges has its interval beside it."""
    first = "kappa_level" if next(iter(shown)) == "kappa_level" else "kappa_quadratic"
    columns: list[Column] = []
    for name in [*shown, *(name for name in COEFFICIENTS if name not in shown)]:
        columns += estimates(
            name, shown.get(name, COEFFICIENTS[name].title), [result.estimate(name, *pair) for pair in pairs],
            detail=name not in shown, level=result.options.confidence, interval=name == first,
        )  # fmt: skip
    return tuple(columns)


def _with_reference(result: JudgeAgreement) -> Table:
    reference, at = result.reference, f"≥{limit(result.options.level)}"
    names = {
        "same_grade": tr("same grade"), "kappa_quadratic": tr("quadratic κ"), "kappa_level": f"κ {at}",
        "alpha_ordinal": tr("ordinal α"), "ac1": f"AC1 {at}", "relevant": tr("relevant {at}", at=at),
        "nonrelevant": tr("non-relevant"), "difference": tr("Δ grade"),
    }  # fmt: skip
    if result.apart[reference].any():
        kept = {"kappa_level": names["kappa_level"], "kappa_level_max": tr("largest κ {at}", at=at)}
        names = kept | {key: name for key, name in names.items() if key not in kept}
    others = result.order.tolist()[1:]
    title = trn("Agreement of {n} judge with {reference}", "Agreement of {n} judges with {reference}", len(others),
                reference=result.names[reference])  # fmt: skip
    return Table("judges", title, (
        column.text("judge", tr("judge"), [result.names[place] for place in others]),
        column.count("pairs", tr("pairs"), result.pairs[reference, others]),
        column.count("queries", tr("queries"), result.queries[reference, others]),
        *_coefficients(result, [(reference, place) for place in others], names),
    ), keys=[result.names[place] for place in others],
        notes=(*interval_notes(result), *_remarks("grades", result.notes), *_clones(result)))  # fmt: skip


def _remarks(code: str, texts: Iterable[str]) -> tuple[Remark, ...]:
    return tuple(Remark(code, text) for text in texts)


def interval_notes(result: JudgeAgreement) -> list[Remark]:
    """Return how the intervals were made."""
    options = result.options
    alpha = result.alphas["alpha_ordinal"]
    text = tr("Relevant from grade {level}; undefined is –.", level=limit(options.level))
    notes = [Remark("level", text, {"level": options.level}, warns=False)]
    if options.samples:
        text = tr("{level} intervals: bootstrap over queries, percentile, {samples} samples, seed {seed}.",
                  level=level_text(options.confidence),
                  samples=decimal(f"{options.samples:,}"), seed=options.seed)  # fmt: skip
        notes.append(Remark("intervals", text, {"samples": options.samples, "seed": options.seed}, warns=False))
    if alpha.value is not None:
        text = tr("Krippendorff's ordinal alpha of all {n} judges: {alpha}.", n=len(result.names),
                  alpha=_short(alpha.value))  # fmt: skip
        notes.append(Remark("alpha", text, {"alpha_ordinal": alpha.value}, warns=False))
    return notes


def _clones(result: JudgeAgreement) -> list[Remark]:
    notes = []
    for row in range(len(result.names)):
        for other in range(row + 1, len(result.names)):
            if result.near_clones[row, other]:
                share = float(result.values["same_grade"][row, other])
                text = tr("{first} and {second} give nearly the same grades: {share:.1f} % are equal.",
                          first=result.names[row], second=result.names[other], share=100 * share)  # fmt: skip
                notes.append(Remark("near_clones", text, {"judges": [result.names[row], result.names[other]]}))
    return notes


def pairs_table(result: JudgeAgreement, pairs: Sequence[tuple[int, int]]) -> Table:
    """Return every coefficient of some pairs of judges."""
    first, second = ([result.names[pair[side]] for pair in pairs] for side in (0, 1))
    places = tuple(zip(*pairs, strict=True)) or ((), ())
    rows = [list(side) for side in places]
    return Table("pairs", tr("Agreement of all pairs of judges"), (
        column.text("first", tr("judge"), first),
        column.text("second", tr("other"), second),
        column.count("pairs", tr("pairs"), result.pairs[rows[0], rows[1]]),
        column.count("queries", tr("queries"), result.queries[rows[0], rows[1]]),
        *_coefficients(result, pairs, {name: COEFFICIENTS[name].title for name in FAMILY_COEFFICIENTS}),
        column.flag("near_clones", tr("nearly the same"), result.near_clones[rows[0], rows[1]], detail=True),
        column.flag("different_scales", tr("different scales"), result.apart[rows[0], rows[1]], detail=True),
    ), keys=list(zip(first, second, strict=True)))  # fmt: skip


def every_pair(result: JudgeAgreement) -> Table:
    """Return :func:`pairs_table` of all pairs, each once."""
    n = len(result.names)
    return pairs_table(result, [(row, other) for row in range(n) for other in range(row + 1, n)])


def _matrix(result: JudgeAgreement, name: str) -> Table:
    order = result.order.tolist()
    names = [result.names[place] for place in order]
    numbered = [f"{number} {judge}" for number, judge in enumerate(names, start=1)]
    judges = column.text("judge", tr("judge"), names, texts=numbered)
    columns = []
    for number, (place, key) in enumerate(zip(order, data_keys(names, [judges]), strict=True), start=1):
        values = [None if row == place else result.estimate(name, row, place).value for row in order]
        columns.append(column.number(key, str(number), values, names="judge", heat=True))
    text = tr("Ordered by similarity: the reference first, then at each branch the side closer to it.")
    notes = [Remark("order", text, warns=False)]
    for group in result.groups:
        members = [result.names[at] for at in group]
        text = tr("Similar judges ({kappa} {least} or more on average): {names}.", names=", ".join(members),
                  kappa=COEFFICIENTS[result.main].title, least=decimal(".80"))  # fmt: skip
        notes.append(Remark("similar", text, {"judges": members}, warns=False))
    title = tr("{coefficient} of all judges", coefficient=COEFFICIENTS[name].title)
    return Table("matrix", title, (judges, *columns), keys=names, notes=tuple(notes))


def _shares(result: JudgeAgreement) -> Table:
    order = result.order.tolist()
    sets = [result.panel.sets[place] for place in order]
    return Table("grades", tr("Share of each grade"), (
        column.text("judge", tr("judge"), [result.names[place] for place in order]),
        column.text("origin", tr("origin"), [judge.origin for judge in sets], detail=True),
        column.text("family", tr("family"), [judge.family or None for judge in sets], detail=True),
        column.text("note", tr("note"), [judge.note or None for judge in sets], detail=True),
        column.count("judgments", tr("judgments"), result.judged[order]),
        column.count("negative_left_out", tr("negative, left out"), [int(result.panel.negative[place])
                                                                     for place in order], detail=True),
        *(column.number(f"{grade:g}", f"{grade:g}", result.shares[order, place], names="grade")
          for place, grade in enumerate(result.panel.scale.tolist())),
    ), keys=[result.names[place] for place in order])  # fmt: skip


def _all(result: JudgeAgreement) -> Table:
    names = list(result.alphas)
    return Table("all", tr("Agreement of all judges"), (
        column.text("statistic", tr("statistic"), names, texts=[COEFFICIENTS[name].title for name in names]),
        *estimates("value", tr("value"), list(result.alphas.values()), detail=False, level=result.options.confidence,
                   interval=True),
    ), keys=names)  # fmt: skip


def _families(result: JudgeAgreement) -> Table:
    columns: list[Column] = []
    for name in [*FAMILY_COEFFICIENTS, *(name for name in COEFFICIENTS if name not in FAMILY_COEFFICIENTS)]:
        columns += estimates(
            name, COEFFICIENTS[name].title, [family.estimates[name] for family in result.families],
            detail=name not in FAMILY_COEFFICIENTS, level=result.options.confidence,
        )  # fmt: skip
    text = tr(
        "Means over the pairs within the family. No judge can be expected to agree more with a family "
        "than its members agree with each other."
    )
    return Table("families", tr("Agreement within families, the ceiling"), (
        column.text("family", tr("family"), [family.family for family in result.families]),
        column.count("judges", tr("judges"), [len(family.judges) for family in result.families]),
        column.tags("members", tr("members"), [family.judges for family in result.families], detail=True),
        *columns,
    ), notes=(Remark("families", text, warns=False),))  # fmt: skip


def tables_of_systems(result: SystemsByJudge, bound: BoundProtocol | None) -> ViewResult:
    """Return the tables ``orders``, a row for each judge, and ``by_judge``, the systems with columns of judges."""
    parameters = {
        "reference": result.judges[result.reference].judge, "measure": result.measure.text, "depth": result.depth,
        "top": result.top,
    }  # fmt: skip
    tables = (_orders(result), _by_judge(result))
    return ViewResult(result, tables).with_provenance(provenance("agreement", bound, parameters))


def _orders(result: SystemsByJudge) -> Table:
    judges, level = result.judges, result.options.confidence
    pairs = {
        "same_both": (tr("same, both"), tr("Pairs of runs in the same direction, significant under both judges")),
        "same_one": (tr("same, one"), tr("Pairs of runs in the same direction, significant under one judge")),
        "same_neither": (tr("same, neither"), tr("Pairs of runs in the same direction, significant under no judge")),
        "opposite_both": (tr("opposite, both"),
                          tr("Pairs of runs in opposite directions, significant under both judges")),
        "opposite_one": (tr("opposite, one"), tr("Pairs of runs in opposite directions, significant under one judge")),
        "opposite_neither": (tr("opposite, neither"),
                             tr("Pairs of runs in opposite directions, significant under no judge")),
        "tied": (tr("tied"), ""), "pairs": (tr("pairs"), ""),
        "significant_by_reference": (tr("significant by the reference"), ""),
    }  # fmt: skip
    of_best = {
        "same": (tr("same"), tr("Pairs of the best runs of the reference in the same direction")),
        "opposite": (tr("opposite"), tr("Pairs of the best runs of the reference in opposite directions")),
        **pairs,
    }
    gains = [judge.family_gain for judge in judges]
    title = trn("{n} system by {measure} under each judge", "{n} systems by {measure} under each judge",
                len(result.runs), measure=result.measure.text)  # fmt: skip
    return Table("orders", title, (
        column.text("judge", tr("judge"), [judge.judge for judge in judges], tips=lambda row: judges[row].reason),
        column.count("judgments", tr("judgments"), [judge.judgments for judge in judges]),
        column.count("queries", tr("queries"), [len(judge.queries) for judge in judges]),
        *_order_columns(result),
        *(column.count(name, text, [None if judge.counts is None else getattr(judge.counts, name) for judge in judges],
                       detail=not name.startswith(("same", "opposite")), tip=tip,
                       better_up=False if name == "opposite_both" else None)
          for name, (text, tip) in pairs.items()),
        *(column.count(f"top_{name}", tr("best: {what}", what=text),
                       [None if judge.top_counts is None else getattr(judge.top_counts, name) for judge in judges],
                       detail=name not in ("same", "opposite"), tip=tip)
          for name, (text, tip) in of_best.items()),
        column.count("significant", tr("significant pairs"), [judge.significant for judge in judges],
                     tip=tr("Pairs of runs that the judge finds significant")),
        column.number("grade_difference", tr("Δ grade"),
                      [None if judge.grades is None else judge.grades.mean for judge in judges], detail=True),
        *estimates("family_gain", tr("gain of its family"), [None if gain is None else gain.gain for gain in gains],
                   detail=True, level=level),
        column.number("family_rank_gain", tr("gain in rank"),
                      [None if gain is None else gain.rank_gain for gain in gains], detail=True),
        column.tags("family_runs", tr("runs of its family"), [gain.runs if gain else () for gain in gains],
                    detail=True),
    ), keys=[judge.judge for judge in judges], notes=_order_remarks(result))  # fmt: skip


def _order_columns(result: SystemsByJudge) -> list[Column]:
    """Return how far the order of the systems agrees with that under the reference, and the judge with itself."""
    judges, level = result.judges, result.options.confidence
    tip = tr(
        "Kendall's tau-b and tau-AP of the orders of runs; tau-AP gives the top more weight. "
        "Split-half tau compares the judge with itself on random halves of the queries; it is a "
        "guide, not a bound."
    )
    reference = [tr("reference") if place == result.reference else None for place in range(len(judges))]
    columns: list[Column] = []
    orders = [judge.order for judge in judges]
    value, interval = estimates("tau", tr("Kendall's τ"), [None if each is None else each.tau for each in orders],
                                detail=False, level=level, interval=True)  # fmt: skip
    said = tr("Interval of Kendall's τ over all such queries: the pairs of runs that both judges show to be ordered "
              "alike or otherwise are known, the rest is open; empty where none is")  # fmt: skip
    of_top = column.number("tau_ap", tr("τ-AP"), [None if each is None else each.tau_ap.value for each in orders])
    value, of_top = (
        replace(each.told(decimals=STATISTIC), tip=tip, tips=lambda row: judges[row].reason) for each in (value, of_top)
    )
    columns += [value.told(texts=reference), replace(interval.told(decimals=STATISTIC), tip=said), of_top]
    if any(judge.tau_apart is not None for judge in judges):
        columns.append(column.number(
            "tau_other_queries", tr("τ, other queries"), [judge.tau_apart for judge in judges], decimals=STATISTIC,
            tip=tr("Tau-b of the orders where judges have no query in common, each on its own; queries part them too"),
        ))  # fmt: skip
    half = column.number("split_half_tau", tr("split-half τ"), [judge.split_half for judge in judges], tip=tip,
                         decimals=STATISTIC)  # fmt: skip
    return [*columns, half]


def _order_remarks(result: SystemsByJudge) -> tuple[Remark, ...]:
    sentences = [
        tr("τ is Kendall's tau-b. τ-AP takes the judge's order as the list and that of {reference} as the truth; it is "
           "the mean over all orders of runs with equal means.", reference=result.judges[result.reference].judge),
        tr("Significant: paired t, Holm over all pairs, p < {alpha}. Best: pairs of the {top} best runs of the "
           "reference.", alpha=limit(result.alpha), top=result.top),
        tr("Split-half τ compares the judge with itself on random halves of the queries; halves are "
           "noisier than the whole."),
    ]  # fmt: skip
    gains = []
    for judge in result.judges:
        gain = judge.family_gain
        if gain is not None and gain.warns:
            text = tr("Warning: runs that use a model of {judge}'s family gain more under {judge} than the others, by "
                      "{gain} ({runs}).", judge=judge.judge, gain=_short(gain.gain.value),
                      runs=", ".join(gain.runs))  # fmt: skip
            gains.append(Remark("family_gain", text, {"judge": judge.judge, "runs": list(gain.runs)}))
    explained = tuple(Remark("statistics", text, warns=False) for text in sentences)
    return (*explained, *_remarks("systems", result.notes), *gains)


def _systems(result: SystemsByJudge) -> Table:
    rows = [(judge, run) for judge in result.judges for run in range(len(result.runs))]
    better = result.measure.higher_is_better
    grades = [None if judge.grades is None else (judge.grades, run) for judge, run in rows]
    level = level_text(result.options.confidence)
    return Table("systems", tr("{measure} under each judge", measure=result.measure.text), (
        column.text("judge", tr("judge"), [judge.judge for judge, _ in rows]),
        column.run("run", tr("run"), [result.runs[run] for _, run in rows]),
        column.number("value", result.measure.text, [judge.values[run] for judge, run in rows], better_up=better),
        column.interval("interval", tr("{level} interval", level=level), [judge.low[run] for judge, run in rows],
                        [judge.high[run] for judge, run in rows], of="value"),
        column.number("reference_value", tr("by the reference"),
                      [judge.reference_values[run] for judge, run in rows], better_up=better),
        column.rank("rank", tr("rank"), [judge.ranks[run] for judge, run in rows]),
        column.difference("rank_change", tr("Δ rank"), [_change(judge, run) for judge, run in rows], decimals=0,
                          better_up=True),
        column.share("judged", tr("judged"), [judge.judged[run] for judge, run in rows]),
        column.flag("uses_family", tr("uses a model of its family"), [bool(judge.marked[run]) for judge, run in rows]),
        column.number("grade_difference", tr("Δ grade"), [each and each[0].values[each[1]] for each in grades]),
        column.interval("grade_difference_interval", tr("{level} interval", level=level),
                        [each and each[0].low[each[1]] for each in grades],
                        [each and each[0].high[each[1]] for each in grades], of="grade_difference"),
    ), group="judge", opens="run")  # fmt: skip


def _change(judge: SystemsUnderJudge, run: int) -> int | None:
    return None if judge.reason else int(judge.rank_change[run])


def _by_judge(result: SystemsByJudge) -> Table:
    """Return the systems with columns of judges, the best by the reference first."""
    reference, order = result.reference, result.order.tolist()
    places = judges_in_order(result)
    runs = column.run("run", tr("run"), [result.runs[run] for run in order])
    columns: list[Column] = [runs]
    keys, up = by_judge_keys(result), result.measure.higher_is_better
    against = result.judges[reference].judge
    level = tr("Δ grade, {level} interval", level=level_text(result.options.confidence))
    for place in places:
        judge, key = result.judges[place], keys[place]
        columns.append(column.number(key, judge.judge, judge.values[order], names="judge", better_up=up,
                                     tip=tr("Mean under {judge}", judge=judge.judge)))  # fmt: skip
        columns.append(column.rank(f"{key}_rank", tr("rank"), judge.ranks[order], names="judge",
                                   tip=tr("Rank under {judge}, and ranks gained ▲ or lost ▼ against the reference",
                                          judge=judge.judge)))  # fmt: skip
        if place != reference:
            changes = [_change(judge, run) for run in order]
            columns.append(column.difference(f"{key}_change", tr("Δ rank"), changes, names="judge", decimals=0,
                                             better_up=True))  # fmt: skip
        grades = judge.grades
        if grades is not None:
            columns += [
                column.number(f"{key}_grade", tr("Δ grade"), grades.values[order], names="judge"),
                column.interval(
                    f"{key}_grade_interval", level, grades.low[order], grades.high[order], names="judge",
                    of=f"{key}_grade", detail=True,
                    tip=tr("Grade of {judge} minus that of {reference} on each run's first documents, compared with "
                           "the mean of all runs: a run whose interval does not contain the line is favoured or "
                           "disadvantaged", judge=judge.judge, reference=against),
                ),
            ]  # fmt: skip
    marks = {}
    for row, run in enumerate(order):
        favoured = [judge.judge for judge in result.judges if judge.marked[run]]
        if favoured:
            text = tr("uses a model of the family of {judges}", judges=", ".join(favoured))
            marks[row, "run"] = Mark("family", FAMILY_SIGN, text)
    meaning = tr(
        "Δ rank: ranks gained (+) or lost (−) against {reference}. Δ grade: mean of judge − reference over the "
        "run's first {depth} documents.",
        reference=against, depth=result.depth,
    )  # fmt: skip
    title = tr("{measure} under each judge", measure=result.measure.text)
    return Table("by_judge", title, tuple(columns), keys=[result.runs[run] for run in order], opens="run", marks=marks,
                 notes=(Remark("changes", meaning, {"depth": result.depth}, warns=False),))  # fmt: skip


def judges_in_order(result: SystemsByJudge) -> tuple[int, ...]:
    """Return the places of the judges as they stand beside each other: the reference first, then those who order the
    systems most like it, by τ; those without τ last."""

    def far(place: int) -> tuple[bool, float, str]:
        order = result.judges[place].order
        tau = math.nan if order is None or order.tau.value is None else order.tau.value
        return math.isnan(tau), 0.0 if math.isnan(tau) else -tau, result.judges[place].judge

    reference = result.reference
    return (reference, *sorted((place for place in range(len(result.judges)) if place != reference), key=far))


def by_judge_keys(result: SystemsByJudge) -> tuple[str, ...]:
    """Return what the keys of each judge's columns begin with in the table ``by_judge``, by the judge's place."""
    return tuple(_free_keys([judge.judge for judge in result.judges]))


def _free_keys(names: Sequence[str]) -> list[str]:
    """Return a key for each judge that with the ends of its columns is not that of another one."""
    keys: list[str] = []
    taken = {"run"}
    for name in names:
        key, number = name, 1
        while taken & {f"{key}{end}" for end in ENDS}:
            number += 1
            key = f"{name}_{number}"
        taken |= {f"{key}{end}" for end in ENDS}
        keys.append(key)
    return keys


def _opposite(result: SystemsByJudge) -> Table:
    rows = [(judge, pair) for judge in result.judges for pair in judge.opposite]
    reference = result.judges[result.reference].judge
    codes = {
        (True, True): ("both", tr("both")), (True, False): ("reference", tr("the reference")),
        (False, True): ("judge", tr("the judge")), (False, False): ("neither", tr("neither")),
    }  # fmt: skip
    under = [codes[pair.significant_by_reference, pair.significant_by_judge] for _, pair in rows]
    up = result.measure.higher_is_better
    return Table("opposite", tr("Pairs of runs that change order"), (
        column.text("judge", tr("judge"), [judge.judge for judge, _ in rows]),
        column.run("run", tr("run"), [result.runs[pair.first] for _, pair in rows]),
        column.run("other", tr("other"), [result.runs[pair.second] for _, pair in rows]),
        column.difference("by_reference", tr("Δ by {judge}", judge=reference), [pair.by_reference for _, pair in rows],
                          better_up=up),
        column.difference("by_judge", tr("Δ by the judge"), [pair.by_judge for _, pair in rows], better_up=up),
        column.text("significant", tr("significant under"), [code for code, _ in under],
                    texts=[text for _, text in under]),
    ))  # fmt: skip


def _short(value: float | None) -> str:
    return "–" if value is None else decimal(f"{value:.3f}".replace("0.", ".", 1).replace("-", "−"))
