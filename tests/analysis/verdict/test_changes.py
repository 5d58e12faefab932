"""What could turn a verdict round, against plain loops; and on TREC DL 2021 against values computed by other code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.verdict.changes import (
    Question,
    Tried,
    by_slices,
    few_queries,
    more_judgments,
    other_tests,
    other_values,
    status_of,
)
from irviewer.analysis.verdict.deciding import deciding_queries
from irviewer.analysis.verdict.headline import Form, headline
from irviewer.analysis.verdict.loss import loss_of, no_parts
from irviewer.errors import PluginError
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.trec.qrels import read_qrels
from irviewer.formats.trec.run import read_run
from irviewer.measures.parser import parse_measure
from irviewer.model.attributes.queries import QueryAttribute, slices_of
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.qrels import Qrels
from irviewer.model.query_units import QueryUnits
from irviewer.model.run import Run
from irviewer.model.workspace import Regime
from irviewer.views.inputs import inputs_of
from irviewer.views.pair_tests import tests_of as every_statistic
from irviewer.views.verdict import VIEW

OPTIONS = ComparisonOptions(samples=500)
IDS = tuple(f"q{place:03}" for place in range(60))


def values_of(rows: np.ndarray) -> RunValues:
    names = ("base", "run", "other")[: len(rows)]
    return RunValues(names, IDS[: rows.shape[1]], rows, np.zeros(rows.shape, np.bool_), "nDCG@10")


def question_of(rows: np.ndarray, margin: float | None = None) -> Question:
    values = values_of(rows)
    return Question(values, OPTIONS, 0, headline(values, OPTIONS, baseline=0, run=1, margin=margin))


def rows_with(differences: np.ndarray, seed: int = 1) -> np.ndarray:
    base = np.random.default_rng(seed).uniform(0.3, 0.6, len(differences))
    return np.array([base, base + differences])


def test_a_verdict_holds_where_every_change_shows_it_and_turns_where_one_opposes() -> None:
    better, neither, worse = Tried("", 0.1, 1), Tried("", 0.1, 0), Tried("", -0.1, -1)
    assert status_of(1, [better, better]) == "holds"
    assert status_of(1, [better, neither]) == "open"
    assert status_of(1, [better, worse]) == status_of(-1, [better]) == "turns"
    assert status_of(0, [better, worse]) == status_of(1, []) == "open"


def test_the_few_queries_are_counted_as_a_loop_counts_them() -> None:
    for seed in range(6):
        differences = np.random.default_rng(seed).gamma(1.5, 0.1, 40) - 0.05
        question = question_of(rows_with(differences))
        assert question.answer.form is Form.BETTER
        left, count = sorted(differences, reverse=True), 0
        while len(left) - count > 10 and stats.ttest_1samp(left[count:], 0).pvalue < 0.05 and np.mean(left[count:]) > 0:
            count += 1
        change = few_queries(question)
        assert change is not None and change.status == "holds"
        assert f"without its {count - 1} best quer" in change.found and f"not without {count}" in change.found
        # Mirrored, the same queries carry the loss.
        mirrored = few_queries(question_of(rows_with(-differences)))
        assert mirrored is not None and mirrored.found == change.found


def test_the_count_of_few_queries_is_the_first_without_which_it_is_not_shown() -> None:
    """In a family what is shown may come and go as queries leave, since the p of the other runs change too."""
    comes_and_goes = 0
    for seed in range(40):
        generator = np.random.default_rng(seed)
        base = generator.uniform(0.3, 0.6, 30)
        first = generator.gamma(1.5, 0.1, 30) - 0.07
        second = np.where(np.argsort(np.argsort(-first)) < 6, -0.3, 0.05) + generator.normal(0, 0.05, 30)
        question = question_of(np.array([base, base + first, base + second]))
        change = few_queries(question)
        if change is None:
            continue
        assert question.answer.pair.run_name == "run" or question.answer.chosen_among
        place = question.run
        gains = (first if place == 1 else second) * question.answer.form.side
        order, shown = np.argsort(-gains, kind="stable"), []
        for count in range(30 - 10 + 1):
            kept = order[count:]
            p = [stats.ttest_1samp(row[kept], 0).pvalue for row in (first, second)]
            corrected = min(1.0, 2 * min(p)) if p[place - 1] == min(p) else max(2 * min(p), *p)
            shown.append(corrected < 0.05 and np.mean(gains[kept]) > 0)
        count = next((number for number, each in enumerate(shown) if not each), len(shown))
        comes_and_goes += any(shown[count:])
        assert f"not without {count}" in change.found, (seed, change.found, shown)
    assert comes_and_goes


def test_other_tests_and_values_are_held_against_the_whole_family() -> None:
    differences = np.random.default_rng(4).normal(0.03, 0.07, 40)
    rows = np.concatenate([rows_with(differences), rows_with(np.full(40, 0.0))[:1]])
    question = question_of(rows)
    change = other_tests(question)
    for tried, p in zip(change.tried, (
        stats.wilcoxon(differences, method="approx", correction=False).pvalue,
        stats.binomtest(int((differences > 0).sum()), 40).pvalue,
    ), strict=False):  # fmt: skip
        third = rows[2] - rows[0]
        assert np.allclose(third, 0)  # p = 1: Holm doubles the smaller of two
        assert (tried.side == 1) == (2 * p < 0.05), (tried, p)
    opposite = values_of(np.concatenate([rows_with(-np.abs(differences) - 0.1), rows[2:]]))
    judged = other_values("judge", question, [("same", question.runs), ("model", opposite)])
    assert judged is not None and [each.side for each in judged.tried] == [question.answer.form.side, -1]
    assert judged.status == ("turns" if question.answer.form.side == 1 else "open")
    assert other_values("judge", question, []) is None


def test_slices_turn_it_only_with_an_interaction() -> None:
    kind = np.array(["a"] * 40 + ["b"] * 20)
    attribute = QueryAttribute("kind", "category", dict(zip(IDS, kind.tolist(), strict=True)))
    noise = np.random.default_rng(2).normal(0, 0.02, 60)
    slicing = slices_of(attribute, IDS)

    def change(differences: np.ndarray) -> tuple[str, str]:
        result = by_slices(question_of(rows_with(differences)), [slicing])
        assert result is not None
        return result.status, result.found

    assert change(0.1 + noise)[0] == "holds"
    assert change(np.where(kind == "a", 0.2, -0.1) + noise)[0] == "turns"
    status, text = change(np.where(kind == "a", 0.2, 0.05) + noise)
    assert status == "open" and "varies with kind" in text
    small = slices_of(QueryAttribute("kind", "category", dict(zip(IDS, ["a"] * 55 + ["b"] * 5, strict=True))), IDS)
    result = by_slices(question_of(rows_with(0.1 + noise)), [small])
    assert result is not None and result.status == "holds" and "1 slice is too small to tell" in result.found
    assert by_slices(question_of(rows_with(0.1 + noise)), []) is None


QRELS = Qrels.from_dict({"1": {"a": 2, "b": 1, "c": 1, "x": 0}, "2": {"a": 1}, "3": {"z": 1}})
RUN = Run.from_dict({"1": {"x": 4, "b": 3, "a": 2, "u": 1}, "2": {"x": 2, "u": 1}, "3": {"z": 1}}, name="run")


def test_the_parts_of_a_loss_are_those_of_lists_put_in_order() -> None:
    measure = parse_measure("nDCG@2")
    values = evaluate(QRELS, [RUN], [measure]).values[0, 0]
    loss = loss_of(QRELS, RUN, measure, values, ("1", "2", "3"), EvaluationOptions())
    assert loss is not None
    ideal = 2 + 1 / np.log2(3)
    own = 2 + 1 / np.log2(3)  # a, b: its own documents reach the ideal
    top = 1 + 0 / np.log2(3)  # b, x
    value = 0 + 1 / np.log2(3)  # x, b
    assert loss.not_retrieved == pytest.approx([(ideal - own) / ideal, 1, 0])
    assert loss.too_low == pytest.approx([(own - top) / ideal, 0, 0])
    assert loss.order == pytest.approx([(top - value) / ideal, 0, 0])
    assert loss.total == pytest.approx(1 - values)
    assert sum(loss.means) == pytest.approx((1 - values).mean())
    whole = parse_measure("AP")
    of_ap = loss_of(
        QRELS, RUN, whole, evaluate(QRELS, [RUN], [whole]).values[0, 0], ("1", "2", "3"), EvaluationOptions()
    )
    assert of_ap is not None and (of_ap.too_low == 0).all()
    for none in ("NumRel", "gm_map"):
        other = parse_measure(none)
        assert loss_of(QRELS, RUN, other, values, ("1", "2", "3"), EvaluationOptions()) is None


def test_deciding_queries_say_what_differs_in_the_lists() -> None:
    other = Run.from_dict({"1": {"a": 3, "b": 2, "c": 1}, "2": {"a": 1}, "3": {"z": 1}}, name="other")
    table = evaluate(QRELS, [RUN, other], ["nDCG@2"])
    result = deciding_queries(
        RunValues.of(table, "nDCG@2"), 1, 0, QRELS, (other, RUN), table.measures[0], EvaluationOptions()
    )
    assert [row.query for row in result.for_it] == ["2", "1"] and not result.against_it
    assert [(row.found, row.first) for row in result.for_it] == [((1, 0), (1, 0)), ((2, 1), (1, 2))]
    assert "1 against 0" in result.for_it[0].cause
    assert (result.better, result.worse, result.half) == (2, 0, 1)


def test_further_queries_are_the_next_largest_ones() -> None:
    generator = np.random.default_rng(11)
    ids = tuple(str(n) for n in range(90))
    scores = [{query: {"a": 1.0, "b": float(generator.normal())} for query in ids} for _ in range(2)]
    # Relevant: a on half of the queries, b on the others, so that both runs win and lose, with many ties.
    qrels = Qrels.from_dict({query: {"ab"[int(query) % 2]: 1} for query in ids})
    runs = [Run.from_dict(each, name=name) for each, name in zip(scores, ("one", "other"), strict=True)]
    table = evaluate(qrels, runs, ["RR"])
    result = deciding_queries(
        RunValues.of(table, "RR"), 0, 1, qrels, (runs[0], runs[1]), table.measures[0], EvaluationOptions(), further=2
    )
    gains = {
        query: float(gain) for query, gain in zip(table.query_ids, table.values[0, 0] - table.values[0, 1], strict=True)
    }
    for sign, first, further in (
        (1, result.for_it, result.further_for_it), (-1, result.against_it, result.further_against_it)
    ):  # fmt: skip
        wanted = sorted(
            (query for query in ids if sign * gains[query] > 0), key=lambda query: (-sign * gains[query], query)
        )
        assert len(wanted) > 5
        assert [each.query for each in (*first, *further)] == wanted[:5]
        assert len(first) == 3


def test_on_real_runs_the_values_are_those_computed_by_other_code(data: Path) -> None:
    folder = data / "trec-dl-2021"
    protocol = EvaluationProtocol().but(
        measures=("nDCG@10", "AP", "RR", "P@10", "R@100"), level=2, unjudged="pooled", baseline="p_bm25", smallest=0.05
    )
    runs = [read_run(path) for path in sorted((folder / "runs").iterdir())]
    inputs = inputs_of(protocol, read_qrels(folder / "qrels.nist.txt.gz"), runs, uses=VIEW.uses)
    answer = VIEW.value(inputs, VIEW.chosen({"run": "p_unicoil0"}))
    result = answer.verdict
    assert result.answer.form is Form.BETTER and result.answer.margins is not None
    assert result.answer.margins.more.p_corrected == pytest.approx(0.0304, abs=5e-5)
    pair = result.answer.pair
    assert (pair.wins, pair.ties, pair.losses) == (38, 0, 15)
    by_kind = {change.kind: change for change in result.changes}
    low, high = (each.difference for each in by_kind["judgments"].tried)
    assert (low, high) == (pytest.approx(0.1117, abs=5e-5), pytest.approx(0.1434, abs=5e-5))
    assert "without its 8 best queries, not without 9" in by_kind["queries"].found
    assert [each.side for each in by_kind["measure"].tried] == [1, 0, 1, 1]
    run, base = result.losses
    assert run.means == pytest.approx((0.108, 0.249, 0.064), abs=6e-4)
    assert base.means == pytest.approx((0.165, 0.315, 0.074), abs=6e-4)
    assert sum(base.means) - sum(run.means) == pytest.approx(pair.difference, abs=1e-9)
    assert (result.deciding.better, result.deciding.worse, result.deciding.half) == (38, 15, 10)
    queries = [row.query for row in (*result.deciding.for_it, *result.deciding.against_it)]
    assert queries == ["596569", "647362", "935964", "190623", "508292", "818583"]


def power_of(n: int, margin: float, deviation: float, alpha: float) -> float:
    """The power of a two-sided paired t-test, from SciPy's noncentral t."""
    critical, shift = stats.t.ppf(1 - alpha / 2, n - 1), margin / deviation * np.sqrt(n)
    return float(stats.nct.sf(critical, n - 1, shift) + stats.nct.cdf(-critical, n - 1, shift))


def test_the_queries_needed_follow_from_the_smallest_difference_and_the_spread(data: Path) -> None:
    folder = data / "trec-dl-2021"
    protocol = EvaluationProtocol().but(measures=("nDCG@10",), level=2, baseline="p_bm25", smallest=0.05)
    runs = [read_run(path) for path in sorted((folder / "runs").iterdir())]
    inputs = inputs_of(protocol, read_qrels(folder / "qrels.nist.txt.gz"), runs, uses=VIEW.uses)

    def sentences(run: str) -> dict[str, str]:
        chosen = VIEW.chosen({"run": run})
        shown = VIEW.described(VIEW.value(inputs, chosen), inputs, chosen)
        return {remark.code: remark.text for remark in shown.sentences}

    said = sentences("p_tct0")
    deviation = VIEW.value(inputs, VIEW.chosen({"run": "p_tct0"})).verdict.answer.pair.deviation
    needed = next(n for n in range(54, 2000) if power_of(n, 0.05, deviation, 0.05 / 13) >= 0.8)
    assert said["needed"].startswith(f"{needed} queries would show a true difference of .05")
    assert "needed" not in sentences("p_unicoil0")


def test_where_less_is_better_every_difference_is_above_0_for_the_better_run() -> None:
    differences = -np.abs(np.random.default_rng(4).normal(0.1, 0.05, 40))
    values = replace(values_of(rows_with(differences)), higher_is_better=False)
    question = Question(values, OPTIONS, 0, headline(values, OPTIONS, baseline=0, run=1))
    assert question.answer.form is Form.BETTER
    judged = other_values("judge", question, [("same", values)])
    assert judged is not None
    for each in (*other_tests(question).tried, *judged.tried):
        assert each.difference == pytest.approx(-differences.mean()) and each.side == 1


def test_more_judgments_are_those_of_the_queries_that_count() -> None:
    """The first half of the queries has an unjudged document, the other half none: over that half nothing is open."""
    ids = [f"q{place:02}" for place in range(24)]
    qrels = Qrels.from_dict({query: {"a": 1, "x": 0} for query in ids})
    best = {query: {"a": 2.0, "x": 1.0} for query in ids}
    worst = {query: ({"u": 3.0} if place < 12 else {}) | {"x": 2.0, "a": 1.0} for place, query in enumerate(ids)}
    runs = [Run.from_dict(worst, name="base"), Run.from_dict(best, name="run")]
    table = evaluate(qrels, runs, ["P@1"])
    measure = table.measures[0]
    for queries, least, greatest in ((ids, 0.5, 1.0), (ids[12:], 1.0, 1.0), (ids[:12], 0.0, 1.0)):
        values = RunValues.of(table, measure, queries)
        question = Question(values, OPTIONS, 0, headline(values, OPTIONS, baseline=0, run=1))
        change = more_judgments(question, qrels, runs[1], runs[0], measure, EvaluationOptions(), Regime.POOLED)
        assert change is not None
        differences = [each.difference for each in change.tried]
        assert differences == pytest.approx([least, greatest] if least < greatest else []), queries[0]


def test_a_measure_of_another_package_that_fails_has_no_parts_of_its_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its function may fail on the best order alone: the values of the run are there, and so is all that needs them."""

    def failing(*_: object) -> None:
        raise PluginError("of its author")

    qrels = Qrels.from_dict({"q": {"a": 1, "b": 0}})
    run = Run.from_dict({"q": {"b": 2.0, "a": 1.0}}, name="run")
    measure, values = parse_measure("nDCG"), np.array([0.5])
    options = EvaluationOptions()
    assert loss_of(qrels, run, measure, values, ["q"], options) is not None
    monkeypatch.setattr("irviewer.analysis.verdict.loss.best_values", failing)
    assert loss_of(qrels, run, measure, values, ["q"], options) is None
    assert no_parts(measure) == "nDCG has no best order: its loss has no parts."
    outside = replace(measure, family=replace(measure.family, compute=failing))
    monkeypatch.setattr(failing, "__module__", "another_package")
    assert "its package can compute" in no_parts(outside)


def test_tests_and_measures_of_few_queries_or_one_unit_say_the_same() -> None:
    """Of one query another measure had too few queries, and another test "no difference shown"."""
    for question in (question_of(rows_with(np.full(1, 0.1))), _of_one_unit()):
        change = other_values("measure", question, [("AP", question.runs)])
        assert change is not None
        assert [each.weak for each in (*change.tried, *other_tests(question).tried)].count(False) == 0
    enough = question_of(rows_with(np.random.default_rng(3).normal(0.05, 0.1, 30)))
    assert not any(each.weak for each in other_tests(enough).tried)


def _of_one_unit() -> Question:
    values = values_of(rows_with(np.random.default_rng(3).normal(0.05, 0.1, 30)))
    units = QueryUnits("user", values.query_ids, ("u",) * 30)
    options = replace(OPTIONS, units=units)
    return Question(values, options, 0, headline(values, options, baseline=0, run=1))


def test_one_unit_is_no_sample() -> None:
    """“30 queries cannot tell b from a” stood beside Cohen's d of them."""
    question = _of_one_unit()
    pair = question.answer.pair
    assert "30 queries of one user are one unit, which is no sample" in question.answer.sentence
    assert np.isnan([pair.effects.d, pair.effects.g]).all()
    (size,) = [row for row in every_statistic(pair) if row.name == "effect size"]
    assert size.sentence == "There is no effect size: all queries are of one user, and one unit is no sample."
    (alone,) = [row for row in every_statistic(question_of(rows_with(np.full(1, 0.1))).answer.pair)
                if row.name == "effect size"]  # fmt: skip
    assert alone.sentence == "There is no effect size: one query has no spread."
    two = QueryUnits("user", question.runs.query_ids, ("u",) * 15 + ("v",) * 15)
    again = headline(question.runs, replace(OPTIONS, units=two), baseline=0, run=1)
    assert np.isfinite(again.pair.effects.d)
