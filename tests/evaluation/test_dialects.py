"""Dialects: the table on which the tools disagree, what each rule does, and that the default changes nothing."""

from __future__ import annotations

import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import MeasureError, OptionError
from irviewer.evaluation.bound_measure import treat
from irviewer.evaluation.dialect_changes import ALL, changes, rules_of, shown_pair
from irviewer.evaluation.evaluate import Joined, evaluate, value_of
from irviewer.measures.parser import parse_measure
from irviewer.model.dialect_rules import RULES
from irviewer.model.dialects import DEFAULT, DIALECTS, Dialect, JoinOptions, dialect_of
from irviewer.model.judgments.judged import judge
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

QRELS = Qrels.from_dict({"1": {"a": 3, "b": 0, "c": 1, "d": -2, "n": 1}})
RUN = Run.from_dict({"1": {"d": 9, "u": 8, "c": 7, "a": 7, "b": 6}}, name="r")


def value(text: str, dialect: str, **said: object) -> float:
    options = EvaluationOptions(dialect=dialect, **said)  # type: ignore[arg-type]
    return round(evaluate(QRELS, RUN, [text], options).mean(text), 4)


@pytest.mark.parametrize(
    ("text", "trec_eval", "ir_measures", "ranx"),
    [
        ("map", 0.2778, 0.2778, 0.2778),
        ("ndcg", 0.4338, 0.4338, 0.4338),
        ("nDCG@3", 0.1210, 0.1210, 0.1210),
        ("nDCG(dcg='exp-log2')@3", 0.0615, 0.0615, 0.0615),
        ("bpref", 0.6667, 0.6667, 0.3333),
        ("RBP(p=0.9)", 0.0999, 0.0999, 0.2997),
        ("RBP(p=0.9,rel=1)", 0.1539, 0.1539, 0.2997),
        ("AP(judged_only=True)", 0.6667, 0.6667, None),
        ("ERR@5", 0.1234, 0.1234, None),
        ("unj@5", 0.4, None, None),
        ("Judged@5", 0.8, 0.8, None),
        ("Judged@10", 0.8, 0.8, None),
    ],
)
def test_the_fixture_of_the_tools_disagreements(
    text: str, trec_eval: float, ir_measures: float | None, ranx: float | None
) -> None:
    """What the tools printed on one query with a tie and a negative grade."""
    assert value(text, "trec_eval") == value(text, "trec_eval-9") == trec_eval
    for dialect, wanted in (("ir_measures", ir_measures), ("ranx", ranx)):
        if wanted is not None:
            assert value(text, dialect) == wanted


def test_the_relevance_level_and_gains() -> None:
    """trec_eval's -l leaves nDCG alone; ranx's -l2 drops the lower grades."""
    assert [value("ndcg", dialect, level=2) for dialect in ("trec_eval", "ranx")] == [0.4338, 0.4307]
    assert value("ndcg-l2", "trec_eval") == value("ndcg-l2", "ranx") == 0.4307
    assert value("rbp.90-l2", "ranx") == value("rbp.90", "ranx", level=2) == 0.2187
    assert [value(text, "trec_eval", judged_only=True) for text in ("map", "ndcg", "recip_rank")] == [0.6667, 0.7003, 1]


def test_ties() -> None:
    """One relevant document among three of equal score."""
    qrels = Qrels.from_dict({"1": {"b": 1}})
    run = Run.from_dict({"1": {"b": 1.0, "c": 1.0, "a": 1.0}})

    def rank(text: str, dialect: str) -> int:
        return round(1 / evaluate(qrels, run, [text], EvaluationOptions(dialect=dialect)).mean(text))

    assert {name: rank("RR", name) for name in DIALECTS} == {
        "trec_eval": 2, "trec_eval-9": 2, "ir_measures": 2, "ranx": 1, "gdeval": 2, "textbook": 1,
    }  # fmt: skip
    run = Run.from_dict({"1": {"c": 1.0, "b": 1.0, "a": 1.0, "0": 1.0}})
    assert [rank(text, "ir_measures") for text in ("RR", "RR@10")] == [2, 3]


def test_missing_queries_and_queries_without_relevant_documents() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 0}})
    run = Run.from_dict({"1": {"a": 1.0}, "3": {"a": 1.0}})
    values = {name: evaluate(qrels, run, ["P@1"], EvaluationOptions(dialect=name)).mean("P@1") for name in DIALECTS}
    third, half = pytest.approx(1 / 3), pytest.approx(1 / 2)
    assert values == {
        "trec_eval": third, "trec_eval-9": half, "ir_measures": third, "ranx": third, "gdeval": 1, "textbook": third,
    }  # fmt: skip
    said = EvaluationOptions(dialect="trec_eval-9", missing="zero")
    assert evaluate(qrels, run, ["P@1"], said).mean("P@1") == third


def test_what_the_user_chose_stays_as_chosen() -> None:
    assert value("nDCG(dcg='log2')@3", "gdeval") == value("nDCG@3", "trec_eval")
    assert value("nDCG@3", "gdeval") == value("nDCG(dcg='exp-log2')@3", "trec_eval")
    measures = evaluate(QRELS, RUN, ["nDCG@3", "ERR@3", "DCG@3"], EvaluationOptions(dialect="textbook")).measures
    assert [measure.text for measure in measures] == ["nDCG(dcg='jk')@3", "ERR(max_rel=3)@3", "DCG(dcg='jk')@3"]
    assert [measure.asked for measure in measures] == ["nDCG@3", "ERR@3", "DCG@3"]


def test_two_names_of_one_measure_under_a_dialect() -> None:
    result = evaluate(QRELS, RUN, ["nDCG(dcg='exp-log2')@3", "nDCG@3"], EvaluationOptions(dialect="gdeval"))
    assert len(result.measures) == 1
    assert result.mean("nDCG@3") == result.mean("nDCG(dcg='exp-log2')@3")


def test_a_grade_above_the_dialects_highest_is_refused() -> None:
    qrels, run = Qrels.from_dict({"1": {"a": 5}}), Run.from_dict({"1": {"a": 1.0}}, name="r")
    with pytest.raises(MeasureError, match="grade of 5"):
        evaluate(qrels, run, ["ERR@5"], EvaluationOptions(dialect="gdeval"))
    (change,) = changes(qrels, [run], ["ERR@5"], "gdeval")
    assert "grade of 5" in change.refused
    assert shown_pair(change.before, change.after) == ("0.9688", "–")


def test_an_unknown_dialect_is_answered_with_a_list() -> None:
    with pytest.raises(OptionError, match=r"known: trec_eval, .*did you mean trec_eval-9\?"):
        EvaluationOptions(dialect="trec_eval9")
    assert dialect_of(DIALECTS["ranx"]) is DIALECTS["ranx"]


def test_the_records_are_whole() -> None:
    """A rule is a field, a field that is no rule is a word for people, and each dialect has rules of its own."""
    fields = set(Dialect.__dataclass_fields__) - {"name", "title", "apart", "remains"}
    assert {rule.name for rule in RULES} == fields
    assert next(iter(DIALECTS)) == DEFAULT
    assert rules_of(DEFAULT) == ()
    for name in DIALECTS:
        assert rules_of(name) or name == DEFAULT


some_qrels, some_runs = some.qrels(some.whole_grades), some.runs()


@given(some_qrels, some_runs)
def test_the_default_is_one_plain_join(qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]]) -> None:
    judgments, ranking = Qrels.from_dict(qrels), Run.from_dict(run)
    joined = Joined(ranking, judgments, EvaluationOptions())
    assert joined.under(JoinOptions()) is joined.under(JoinOptions())
    for text in ("AP", "Bpref", "nDCG@3", "RR@2", "RBP(p=0.8)"):
        bound_measure = treat(DIALECTS[DEFAULT], parse_measure(text), max_grade=judgments.max_grade)
        assert bound_measure.measure.text == text
        assert bound_measure.join_options == JoinOptions()
        plain = bound_measure.measure.compute(judge(ranking, judgments))
        assert value_of(bound_measure, joined).tolist() == plain.tolist()


TEXTS = ("AP", "AP@2", "Bpref", "nDCG@3", "RR@2", "Judged@2", "ERR@5", "IPrec@0.3", "RBP(p=0.8)", "NumRelRet", "unj@2")


@given(some_qrels, some_runs, st.sampled_from([name for name in DIALECTS if name != DEFAULT]), st.sampled_from((1, 2)))
def test_changes_are_the_differences_of_two_evaluations(
    qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], dialect: str, level: int
) -> None:
    """No value that differs is left out, none that is the same is told, and each has a rule and words for it."""
    judgments, ranking = Qrels.from_dict(qrels), Run.from_dict(run, name="r")
    changes_found = changes(judgments, [ranking], TEXTS, dialect, EvaluationOptions(level), by_query=True)
    base, other = (
        evaluate(judgments, ranking, TEXTS, EvaluationOptions(level, dialect=name)) for name in (DEFAULT, dialect)
    )
    by_measure_and_query = {
        (change.measure.asked or change.measure.text, change.query): change for change in changes_found
    }
    assert len(by_measure_and_query) == len(changes_found)
    for text in TEXTS:
        before, after = base.by_query(text), other.by_query(text)
        for query in judgments.query_ids:
            change_here = by_measure_and_query.get((text, query))
            if before.get(query) == pytest.approx(after.get(query, float("nan")), rel=1e-12, abs=1e-12):
                assert change_here is None, (text, query)
            else:
                assert change_here is not None, (text, query)
                assert change_here.before == before[query]
                assert change_here.after == pytest.approx(after.get(query, float("nan")), nan_ok=True)
                assert len(change_here.rules) == len(change_here.reasons) > 0
        assert ((text, "all") in by_measure_and_query) == (
            base.mean(text) != pytest.approx(other.mean(text), rel=1e-12, abs=1e-12)
        )


def test_rules_that_work_only_together() -> None:
    qrels = Qrels.from_dict({"1": {"b": 1, "a": 0}})
    run = Run.from_dict({"1": {"b": 1.00000001, "a": 1.0}}, name="r")
    own = Dialect("own", "our own", ties="ascending", bits=32)
    (change,) = changes(qrels, [run], ["RR"], own)
    assert change.together
    assert [rule.name for rule in change.rules] == ["ties", "bits"]
    assert (change.before, change.after) == (1.0, 0.5)


def test_an_expression_is_made_of_measures_each_read_in_its_own_way() -> None:
    """ir_measures' RR@10 breaks ties ascending, its RR descending; gdeval's nDCG has another gain."""
    qrels = Qrels.from_dict({"1": {"b": 2}})
    run = Run.from_dict({"1": {"c": 1.0, "b": 1.0, "a": 1.0, "0": 1.0}}, name="r")
    result = evaluate(qrels, run, ["RR@10 + RR", "RR@10", "RR"], EvaluationOptions(dialect="ir_measures"))
    assert result.means[:, 0].tolist() == [1 / 3 + 1 / 2, 1 / 3, 1 / 2]
    (change,) = changes(qrels, [run], ["RR@10 + RR"], "ir_measures")
    assert [rule.name for rule in change.rules] == ["ties"]
    assert "MS MARCO" in change.reasons[0]
    result = evaluate(qrels, run, ["nDCG@3 / 2", "nDCG@3"], EvaluationOptions(dialect="gdeval"))
    assert [measure.asked for measure in result.measures] == ["nDCG@3 / 2", "nDCG@3"]
    assert result.mean("nDCG@3 / 2") == result.mean("nDCG@3") / 2


def test_two_values_are_distinguished() -> None:
    assert shown_pair(0.25, 0.5) == ("0.2500", "0.5000")
    assert shown_pair(0.123456, 0.123457) == ("0.123456", "0.123457")
    assert shown_pair(0.5, float("nan")) == ("0.5000", "–")


@pytest.mark.parametrize("other", DIALECTS)
@pytest.mark.parametrize("base", DIALECTS)
def test_any_two_dialects_can_be_compared(base: str, other: str) -> None:
    """Rules taken one at a time make no ranking that is not known: the order of the file under scores of 32 bits."""
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0, "c": 2, "d": -1}, "2": {"a": 0}, "3": {"b": 1}})
    run = Run.from_dict({"1": {"b": 1.0, "a": 1.0, "c": 1.0 + 1e-9, "d": 0.5, "e": 0.5}, "3": {"b": 2.0, "a": 2.0}})
    options = EvaluationOptions(dialect=base)
    texts = ("AP", "RBP", "nDCG(dcg='exp-log2')@2", "RR@5", "ERR@3", "IPrec@0.6")
    changes_found = changes(qrels, [run], texts, other, options, by_query=True)
    assert all(change.rules for change in changes_found)
    assert bool(changes_found) == (base != other)
    for change in changes_found:
        mine, theirs = (evaluate(qrels, run, [change.measure.asked or change.measure.text], each) for each in (
            options, EvaluationOptions(dialect=other)))  # fmt: skip
        if change.query == ALL:
            assert change.before == pytest.approx(float(mine.means[0, 0]), nan_ok=True)
            assert change.after == pytest.approx(float(theirs.means[0, 0]), nan_ok=True)


def test_beta_of_ir_measures_is_not_squared() -> None:
    """ir_measures hands beta to trec_eval's set_F.x: .375 where van Rijsbergen's F is 5/14."""
    qrels, run = Qrels.from_dict({"1": {"a": 1, "b": 1, "c": 1, "d": 0}}), Run.from_dict({"1": {"a": 2.0, "d": 1.0}})
    (change,) = changes(qrels, [run], ["SetF", "SetF(beta=2)"], "ir_measures")
    assert (change.before, change.after) == (pytest.approx(5 / 14), 0.375)
    assert [rule.name for rule in change.rules] == ["f_weight"]
    assert "not squared" in change.reasons[0]


def test_hits_and_recall_of_ranx() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 1, "c": 1}, "2": {"x": 1}})
    run = Run.from_dict({"1": {"a": 2.0, "b": 1.0}, "2": {"x": 1.0}})
    result = evaluate(qrels, run, ["hits@5", "recall"], EvaluationOptions(dialect="ranx"))
    assert result.mean("hits@5") == 1.5
    assert result.by_query("hits@5") == {"1": 2, "2": 1}
    assert not result.measures[0].counts  # a mean of counts is written with its decimals
    assert result.mean("recall") == pytest.approx((2 / 3 + 1) / 2)
    assert [measure.text for measure in result.measures] == ["NumRelRet(over='mean')@5", "SetR"]
    (change,) = changes(qrels, [run], ["hits@5", "recall"], "ranx")
    assert (change.before, change.after, [rule.name for rule in change.rules]) == (3, 1.5, ["hits"])
    assert {"hits", "names"} <= {rule.name for rule in rules_of("ranx")}
