"""Agreement of many judges: LLMJudge against other libraries' values, intervals, order, families, odd data."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from judges import judge, judges_of, random_grades

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.analysis.agreement.confusion import confusion
from irviewer.analysis.agreement.judge_agreement import (
    AgreementOptions,
    JudgeAgreement,
    agreement,
    likeness_order,
    with_intervals,
)
from irviewer.analysis.agreement.scales import scales_differ
from irviewer.analysis.statistics.significance.resampling import counts
from irviewer.api.sources import read_qrels
from irviewer.errors import OptionError
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.judgments.panel import panel_of

COLUMNS = {
    "agreement": "same_grade", "kappa": "kappa", "kappa_linear": "kappa_linear", "kappa_quadratic": "kappa_quadratic",
    "alpha_nominal": "alpha_nominal", "alpha_ordinal": "alpha_ordinal", "alpha_interval": "alpha_interval",
    "kappa_grade_2": "kappa_level", "bias": "difference",
}  # fmt: skip
ORDER = [
    "human", "h2oloo-fewself", "Olz-gpt4o", "Olz-exp", "willia-umbrela1", "h2oloo-zeroshot1", "willia-umbrela2",
    "prophet-setting1", "RMITIR-llama70B", "Olz-multiprompt", "Olz-somebin", "TREMA-CoT", "RMITIR-llama38b",
    "TREMA-naiveBdecompose", "NISTRetrieval-reason0", "NISTRetrieval-reason1", "NISTRetrieval-instruct0",
    "NISTRetrieval-instruct1", "prophet-setting2", "TREMA-all", "TREMA-questions", "TREMA-rubric0", "TREMA-nuggets",
]  # fmt: skip
"""As drawn in the design, by scipy's average linkage."""

SOME = AgreementOptions(samples=100)


@pytest.fixture(scope="module")
def llmjudge(data: Path) -> JudgeAgreement:
    folder = data / "llmjudge"
    sets = [JudgmentSet(read_qrels(folder / "human.qrels.gz"), "human")]
    for path in sorted((folder / "labels").iterdir()):
        name = path.name.partition(".")[0]
        sets.append(JudgmentSet(read_qrels(path), name, "model", name.partition("-")[0]))
    return agreement(sets, AgreementOptions(level=2, samples=1000))


def test_every_judge_has_the_recorded_values(llmjudge: JudgeAgreement, data: Path) -> None:
    rows = list(csv.DictReader((data / "llmjudge" / "agreement.tsv").read_text("utf-8").splitlines(), delimiter="\t"))
    for row in rows[:-1]:
        pair = llmjudge.pair("human", row["judge"])
        assert pair.pairs == int(row["in_common"])
        for column, name in COLUMNS.items():
            assert pair[name].value == pytest.approx(float(row[column]), abs=1e-6), (row["judge"], column)
    for name in ("alpha_nominal", "alpha_ordinal", "alpha_interval"):
        assert llmjudge.alphas[name].value == pytest.approx(float(rows[-1][name]), abs=1e-6)


def test_like_judges_are_neighbours(llmjudge: JudgeAgreement) -> None:
    assert [llmjudge.names[place] for place in llmjudge.order] == ORDER
    groups = {frozenset(llmjudge.names[place] for place in group) for group in llmjudge.groups}
    assert groups == {frozenset(ORDER[1:7]), frozenset(ORDER[8:10]), frozenset(ORDER[14:18])}
    clones = {
        (llmjudge.names[first], llmjudge.names[other])
        for first, other in np.argwhere(llmjudge.near_clones).tolist() if first < other
    }  # fmt: skip
    assert clones == {(f"NISTRetrieval-{kind}0", f"NISTRetrieval-{kind}1") for kind in ("instruct", "reason")}


def test_families_have_a_ceiling(llmjudge: JudgeAgreement) -> None:
    family = next(wanted_family for wanted_family in llmjudge.families if wanted_family.family == "willia")
    pair = llmjudge.pair("willia-umbrela1", "willia-umbrela2")
    assert family.judges == ("willia-umbrela1", "willia-umbrela2")
    assert family.estimates["kappa"].value == pair["kappa"].value


def test_rare_grades_beyond_the_scale_are_named(llmjudge: JudgeAgreement) -> None:
    note, other = llmjudge.notes
    assert "RMITIR-llama70B: 2 of its grades" in note
    assert "they are taken to have one scale" in other
    by_grade = agreement(replace(llmjudge.panel), AgreementOptions(steps="grade", samples=0), reference="human").pair(
        "human", "RMITIR-llama70B"
    )
    assert by_grade["kappa_quadratic"].value == pytest.approx(0.4867, abs=5e-5)


def test_shares_and_counts(llmjudge: JudgeAgreement) -> None:
    assert llmjudge.judged.tolist() == [4423] * 23
    assert llmjudge.judged_by_all == 4423
    assert llmjudge.shares.sum(axis=1) == pytest.approx(np.ones(23))
    assert llmjudge.shares[0].tolist() == pytest.approx(
        [np.mean(llmjudge.panel.grades[:, 0] == grade) for grade in (0, 1, 2, 3, 5)]
    )


def test_intervals_draw_queries() -> None:
    """The same draws in a plain loop: the documents of the queries drawn put together, and asked again."""
    queries, samples = 8, 60
    rows = random_grades(4, 2, 80)
    ours = agreement(judges_of(rows, queries), AgreementOptions(samples=samples, confidence=0.9)).pair(0, 1)
    values: dict[str, list[float]] = {name: [] for name in COEFFICIENTS}
    for drawn in np.concatenate(list(counts(queries, samples, AgreementOptions().seed))).astype(int).tolist():
        chosen = [query for query, times in enumerate(drawn) for _ in range(times)]
        again = [[row[query + queries * step] for query in chosen for step in range(10)] for row in rows]
        for name, estimate in agreement(judges_of(again, 1), AgreementOptions(samples=0)).pair(0, 1).estimates.items():
            values[name].append(np.nan if estimate.value is None else estimate.value)
    for name, drawn_values in values.items():
        low, high = np.nanquantile(drawn_values, [0.05, 0.95])
        assert (ours[name].low, ours[name].high) == (pytest.approx(low), pytest.approx(high)), name


@pytest.mark.slow
def test_intervals_cover() -> None:
    """Queries of different difficulty: 95 % intervals hold the value of all queries in 93 to 97 % of samples."""
    random = np.random.default_rng(3)

    def draw(queries: int) -> list[JudgmentSet]:
        grades: list[dict[str, dict[str, float]]] = [{}, {}]
        for query in range(queries):
            accuracy = random.beta(4, 3)
            truth = random.choice(4, 20, p=[0.45, 0.25, 0.2, 0.1])
            for own in grades:
                kept = random.random(20) < accuracy
                values = np.where(kept, truth, random.integers(0, 4, 20))
                own[f"q{query}"] = {f"d{place}": float(value) for place, value in enumerate(values.tolist())}
        return [judge(f"judge{number}", own) for number, own in enumerate(grades)]

    names = ("same_grade", "kappa_quadratic", "alpha_ordinal", "ac1")
    whole = agreement(draw(20_000), AgreementOptions(samples=0)).pair(0, 1)
    held = dict.fromkeys(names, 0)
    for _ in range(1000):
        pair = agreement(draw(80), AgreementOptions(samples=1000)).pair(0, 1)
        for name in names:
            held[name] += pair[name].low <= whole[name].value <= pair[name].high  # type: ignore[operator]
    assert all(0.93 <= count / 1000 <= 0.97 for count in held.values()), held


def test_one_query_has_values_and_no_interval() -> None:
    pair = agreement(judges_of(random_grades(1, 2, 20), 1)).pair(0, 1)
    assert pair["kappa"].value is not None
    assert pair["kappa"].low is None


def test_negative_grades_are_unjudged() -> None:
    first = judge("one", {"1": {"a": 1, "b": -1, "c": 0}})
    other = judge("other", {"1": {"a": 1, "b": 1, "c": -2}})
    judge_agreement = agreement([first, other], AgreementOptions(samples=0))
    assert judge_agreement.pair("one", "other").pairs == 1
    assert [note for note in judge_agreement.notes if "negative" in note] == [
        "one: 1 negative grades mean unjudged and are left out.",
        "other: 1 negative grades mean unjudged and are left out.",
    ]


def test_what_cannot_be_compared_is_refused() -> None:
    first = judge("one", {"1": {"a": 1}})
    with pytest.raises(OptionError, match="Agreement needs two judgment sets"):
        agreement([first])
    with pytest.raises(OptionError, match="Several judgment sets are named one"):
        agreement([first, first])
    with pytest.raises(OptionError, match=r"no judge three\. The judges are one, two"):
        agreement([first, judge("two", {"1": {"a": 1}})], reference="three")
    fine = judge("fine", {"1": {f"d{place}": place / 7 for place in range(60)}})
    with pytest.raises(OptionError, match=r"60 different grades \(fine alone 60\)"):
        agreement([first, fine])


def test_nothing_in_common_is_said() -> None:
    judge_agreement = agreement([judge("one", {"1": {"a": 1}}), judge("two", {"2": {"a": 1}}), judge("none", {})])
    assert "two and one have judged no pair in common." in judge_agreement.notes
    assert "none has judged nothing." in judge_agreement.notes
    assert sorted(judge_agreement.order.tolist()) == [0, 1, 2]
    assert judge_agreement.order[0] == 0


def test_weights_count_as_copies() -> None:
    """A pair of weight 3 counts as three pairs; one of weight 0 not at all."""
    rows = random_grades(2, 2, 40, missing=0)
    panel = panel_of(judges_of(rows, 1))
    weights = np.array([place % 4 for place in range(40)], dtype=np.float64)
    ours = agreement(panel, AgreementOptions(samples=0), weights=weights).pair(0, 1)
    docs = [int(doc.removeprefix("d")) for doc in panel.doc_ids.to_pylist()]
    repeated = [
        [row[doc] for doc, weight in zip(docs, weights, strict=True) for _ in range(int(weight))] for row in rows
    ]
    wanted = agreement(judges_of(repeated, 1), AgreementOptions(samples=0)).pair(0, 1)
    for name in ("same_grade", "kappa", "kappa_quadratic", "tau_b", "relevant", "ac1", "difference"):
        assert ours[name].value == pytest.approx(wanted[name].value), name


def test_order_puts_the_nearer_side_first() -> None:
    similarity = np.array(
        [[1, 0.2, 0.9, 0.3, 0.8], [0.2, 1, 0.1, 0.9, 0.1], [0.9, 0.1, 1, 0.1, 0.7], [0.3, 0.9, 0.1, 1, 0.1],
         [0.8, 0.1, 0.7, 0.1, 1]]
    )  # fmt: skip
    assert likeness_order(similarity, 0).tolist() == [0, 2, 4, 3, 1]
    assert likeness_order(similarity[:1, :1], 0).tolist() == [0]
    assert likeness_order(np.full((3, 3), np.nan), 1).tolist() == [1, 0, 2]


def test_judges_without_a_judgment() -> None:
    judge_agreement = agreement([judge("one", {}), judge("two", {})])
    assert judge_agreement.alphas["alpha_ordinal"].value is None
    assert judge_agreement.pair("one", "two").pairs == 0
    assert judge_agreement.shares.shape == (2, 0)


def test_a_third_judge_changes_no_statistic_of_two() -> None:
    """Whatever grades it gives: between theirs, above them, and few or many."""
    rows = random_grades(4, 2, 60, (0, 1, 3, 4))
    third = random_grades(5, 1, 60, (0, 2, 3, 7))[0]
    two, three = agreement(judges_of(rows), SOME), agreement(judges_of([*rows, third]), SOME)
    assert two.pair(0, 1) == three.pair(0, 1)
    again = with_intervals(three, [(0, 1)], SOME)
    assert again.pair(0, 1) == two.pair(0, 1)
    panel = three.panel
    own, other = confusion(two.panel, 0, 1).by_query, confusion(panel, 0, 1).by_query
    for name in COEFFICIENTS:
        np.testing.assert_array_equal(own.values[name], other.values[name])


def test_across_scales_only_statistics_at_the_level_are_shown() -> None:
    graded, binary = random_grades(4, 1, 60)[0], random_grades(6, 1, 60, (0, 1))[0]
    mixed = agreement(judges_of([graded, binary, random_grades(7, 1, 60)[0]]), SOME)
    names = mixed.names
    assert mixed.apart.tolist() == [[False, True, False], [True, False, True], [False, True, False]]
    assert mixed.main == "kappa_level"
    for name, coefficient in COEFFICIENTS.items():
        across, within = mixed.pair(0, 1)[name], mixed.pair(0, 2)[name]
        assert (across.value is not None) == coefficient.at_level, name
        assert within.value is not None and within.low is not None, name
    pairs = [(a >= 1, b >= 1) for a, b in zip(graded, binary, strict=True) if a is not None and b is not None]
    two = agreement(judges_of([[float(a) for a, _ in pairs], [float(b) for _, b in pairs]]), SOME).pair(0, 1)
    assert mixed.pair(0, 1)["kappa_level"].value == two["kappa"].value
    assert all(estimate.value is None for estimate in mixed.alphas.values())
    assert mixed.order.tolist() == likeness_order(mixed.values["kappa_level"], 0).tolist()
    assert any(f"The scale of {names[1]} differs" in note for note in mixed.notes)


def test_a_judge_of_one_grade_is_named_and_has_no_interval_of_kappa() -> None:
    graded = random_grades(4, 1, 60, (0, 1))[0]
    result = agreement(judges_of([graded, [1] * 60, random_grades(7, 1, 60, (0, 1))[0]]), SOME)
    kappa = result.pair(0, 1)["kappa_level"]
    assert (kappa.value, kappa.low, kappa.high) == (0.0, None, None)
    assert result.pair(0, 2)["kappa_level"].low is not None
    (note,) = [note for note in result.notes if "same grade" in note]
    assert note.startswith(result.names[1])


def test_scales_that_may_differ_are_said() -> None:
    """0 to 2 and 0 to 3 count as one scale, as nothing in the grades shows two; a reader must know."""
    three, four = random_grades(4, 1, 60, (0, 1, 2))[0], random_grades(6, 1, 60, (0, 1, 2, 3))[0]
    mixed = agreement(judges_of([three, four]), SOME)
    assert not mixed.apart.any()
    (note,) = [text for text in mixed.notes if "taken to have one scale" in text]
    assert note.startswith(f"{mixed.names[0]} gives no grade above 2, {mixed.names[1]} gives 3")
    same = agreement(judges_of([four, random_grades(7, 1, 60, (0, 1, 2, 3))[0]]), SOME)
    assert not any("taken to have one scale" in text for text in same.notes)


def test_no_kappa_at_a_level_that_a_scale_does_not_reach() -> None:
    graded, binary = random_grades(4, 1, 60)[0], random_grades(6, 1, 60, (0, 1))[0]
    mixed = agreement(judges_of([graded, binary]), AgreementOptions(level=2, samples=0))
    assert all(estimate.value is None for estimate in mixed.pair(0, 1).estimates.values())
    assert any("Choose a lower level" in note for note in mixed.notes)


def test_a_few_high_grades_are_a_scale_and_a_slip_is_none() -> None:
    graded = [float(place % 4) for place in range(5000)]
    seldom = [3.0 if place % 400 == 0 else float(place % 2) for place in range(5000)]
    slip = [3.0 if place == 0 else float(place % 2) for place in range(5000)]
    panel = panel_of(judges_of([graded, seldom, slip], 4))
    assert not scales_differ(panel, 0, 1)
    assert scales_differ(panel, 0, 2)
