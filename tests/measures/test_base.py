"""The text of a measure: every spelling is read, the canonical one reads back to itself, faults say what was meant."""

from __future__ import annotations

import re

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import IrviewerError, MeasureError
from irviewer.measures.base import Family, Measure, make
from irviewer.measures.parameters import Cutoff, Parameter
from irviewer.measures.parser import parse_measure, parse_measures
from irviewer.measures.registry import families

FAMILIES = sorted(families())


def a_cutoff(family: Family) -> st.SearchStrategy[float | None]:
    return {
        Cutoff.NONE: st.none(),
        Cutoff.OPTIONAL: st.one_of(st.none(), st.integers(1, 2**31 - 1)),
        Cutoff.REQUIRED: st.integers(1, 2**31 - 1),
        Cutoff.RECALL: st.one_of(st.floats(0, 1), st.sampled_from((0, 1, 0.1, 0.25, 1e-05, 5e-324))),
        Cutoff.FACTOR: st.one_of(st.floats(0, 2**30, exclude_min=True), st.sampled_from((1e-05, 1e-7, 1.5e9))),
    }[family.cutoff]


def a_value(parameter: Parameter) -> st.SearchStrategy[object]:
    low = -1e299 if parameter.low is None else parameter.low
    high = 1e299 if parameter.high is None else parameter.high
    number = st.one_of(
        st.floats(low, high, exclude_min=parameter.open_low),
        st.floats(max(low, -2), min(high, 3), exclude_min=parameter.open_low),
        st.integers(int(max(low, -50)) + 1, int(min(high, 50))),
    )
    return {
        "flag": st.booleans(),
        "choice": st.sampled_from(parameter.choices) if parameter.choices else st.nothing(),
        "gains": st.dictionaries(
            st.one_of(st.integers(-2, 5), st.floats(-2, 5)),
            st.one_of(st.integers(0, 9), st.floats(0, 9), st.floats(-1e299, 1e299)),
            min_size=1,
            max_size=4,
        ),
        "levels": st.lists(st.one_of(st.floats(0, 1), st.sampled_from((0, 1, 0.5))), min_size=1, max_size=5),
        "integer": st.integers(int(max(low, -(10**6))) + 1, int(min(high, 10**18))),
        "number": number,
        "text": st.sampled_from(("price", "10", "ü 'x' \"y\"", "a\\b")),
        "condition": st.sampled_from(("price>3", "\"in stock\" = 'a b' and (x is missing or y > -1.5)")),
    }[parameter.kind]


@st.composite
def measures(draw: st.DrawFn) -> Measure:
    """A measure of any family, its parameters drawn within their bounds."""
    family = families()[draw(st.sampled_from(FAMILIES))]
    said = {parameter.name: draw(a_value(parameter)) for parameter in family.parameters if draw(st.booleans())}
    return make(family, said, draw(a_cutoff(family)))


@examples(300)
@given(measures())
def test_canonical_text_reads_back_to_itself(measure: Measure) -> None:
    again = parse_measure(measure.text)
    assert again == measure
    assert again.text == measure.text == str(measure)
    assert again.cutoff == measure.cutoff
    assert again.name == measure.name
    for parameter in measure.family.parameters:
        assert again.parameter(parameter.name) == measure.parameter(parameter.name)
    assert hash(again) == hash(measure)
    loose = measure.text.replace(",", " , ").replace("(", "( ").replace("=", " = ")
    assert parse_measure(f"  {loose} ") == measure


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_fully_described(name: str) -> None:
    family = families()[name]
    assert family.name == name
    cutoff = {Cutoff.REQUIRED: "@10", Cutoff.RECALL: "@0.5", Cutoff.FACTOR: "@0.5"}.get(family.cutoff, "")
    plain = parse_measure(f"{name}{cutoff}")
    for text in (family.title, plain.rewards, plain.ignores, plain.formula, plain.source):
        assert text.strip() == text != ""
    for parameter in family.parameters:
        assert parameter.meaning
    for alias in (name, *family.aliases):
        assert parse_measure(f"{alias}{cutoff}").name == name


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("map", "AP"), ("MAP", "AP"), ("AP@100", "AP@100"), ("map_cut.10", "AP@10"), ("map_cut_10", "AP@10"),
        ("ndcg", "nDCG"), ("ndcg_cut_10", "nDCG@10"), ("ndcg_cut.10", "nDCG@10"), ("ndcg@10", "nDCG@10"),
        ("NDCG@10", "nDCG@10"), ("nDCG(dcg='log2')@10", "nDCG@10"), ("ndcg_burges@5", "nDCG(dcg='exp-log2')@5"),
        ("recip_rank", "RR"), ("mrr@10", "RR@10"), ("MRR", "RR"), ("P_5", "P@5"), ("P.5", "P@5"),
        ("precision@5", "P@5"),
        ("precision@5-l2", "P(rel=2)@5"), ("Precision@5", "P@5"), ("precision", "SetP"), ("recall_100", "R@100"),
        ("recall@100", "R@100"), ("recall.100", "R@100"), ("f1@3", "F@3"), ("f1", "SetF"), ("hits@3", "NumRelRet@3"),
        ("hit_rate@1", "Success@1"), ("success.1", "Success@1"), ("r-precision", "Rprec"), ("Rprec", "Rprec"),
        ("bpref", "Bpref"), ("rbp", "RBP(p=0.9)"), ("RBP", "RBP(p=0.8)"), ("rbp.0.8", "RBP(p=0.8)"),
        ("iprec_at_recall.0.25", "IPrec@0.25"), ("iprec_at_recall_0.10", "IPrec@0.1"), ("IPrec@0", "IPrec@0"),
        ("iprec_at_recall_1.00", "IPrec@1"), ("Rprec_mult.0.5", "Rprec_mult@0.5"), ("unj.5", "unj@5"),
        ("set_F.0.5", "set_F(x=0.5)"), ("set_F", "set_F"), ("set_P", "SetP"), ("num_rel_ret", "NumRelRet"),
        ("ndcg.1=3,2=9,4=4.5", "nDCG(gains={1:3,2:9,4:4.5})"), ("utility.2,-1,0,0", "utility(a=2)"),
        ("AP(rel=1)", "AP"), ("AP(rel=2.0)", "AP(rel=2)"),
        ("AP( judged_only = True , rel=2 )@ 5", "AP(rel=2,judged_only=True)@5"),
        ("AP@ 5", "AP@5"), ("nDCG @10", "nDCG@10"), ("P_5 + R @ 10", "P@5 + R@10"),
        ("ndcg_rel.1=3.5,3=9", "ndcg_rel(gains={1:3.5,3:9})"), ("Rndcg.1=3.5,3=9", "Rndcg(gains={1:3.5,3:9})"),
        ("G.1=3.5,3=9", "G(gains={1:3.5,3:9})"), ("rbp.p=0.5", "RBP(p=0.5)"), ("rbp.p=.5 / 2", "RBP(p=0.5) / 2"),
        ("rbp_resid.p=0.5", "rbp_resid(p=0.5)"), ("rbp_p=0.5", "RBP(p=0.5)"), ("utility_2,-1,0,0", "utility(a=2)"),
        ("set_F_0.5", "set_F(x=0.5)"), ("11pt_avg_.25,.5,.75", "11pt_avg(points=[0.25,0.5,0.75])"),
        ("ndcg_1=3,2=9", "nDCG(gains={1:3,2:9})"), ("G_1=3.5,3=9", "G(gains={1:3.5,3:9})"), ("runid", None),
        ("map_5", None), ("P_5-3", "P@5 - 3"),
        ("AP(judged_only=True,rel=2)@5", "AP(rel=2,judged_only=True)@5"), ("SetF(beta=.5)", "SetF(beta=0.5)"),
        ("nDCG(gains={2: 1, 1: 0.5})", "nDCG(gains={1:0.5,2:1})"), ("P@05", "P@5"), ("P@5.0", "P@5"),
        ("11pt_avg", "11pt_avg"), ("ERR(max_rel=4)@20", "ERR(max_rel=4)@20"),
    ],
)  # fmt: skip
def test_spellings(text: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(MeasureError):
            parse_measure(text)
        return
    assert parse_measure(text).text == canonical
    assert parse_measure(f"  {text}\t").text == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDGC@10", "nDCG"), ("ndgc", "ndcg"), ("Map@10", "MAP"), ("precison@5", "recision"), ("recal", "recall"),
        ("", "unknown measure"), ("@10", "unknown"), ("AP()", None), ("P(rel=2)", "P needs a cutoff, for example P@10"),
        ("AP@0", "whole number, 1 or more"), ("AP@-1", "whole number"), ("AP@2.5", "whole number"),
        ("AP@ten", "not a number"),
        ("P@inf", "too large"), ("P@nan", "too large"), ("P@1e99", "too large"),
        ("Rprec_mult@inf", "too large"), ("Rprec_mult.inf", "too large"),
        ("P." + "9" * 30, "too large"),
        ("IPrec@1.5", "between 0 and 1"), ("IPrec@nan", "too large"), ("SetP@5", "SetP takes no cutoff"),
        ("AP(rel=0)", "above 0"), ("AP(rel=-1)", "above 0"), ("AP(rel='two')", "rel must be a number"),
        ("AP(rel=True)", "rel must be a number"), ("AP(rel=1e999)", "rel must be a number"),
        ("AP(rel=" + "9" * 400 + ")", "number"),
        ("AP(2)", "name=value"), ("AP(rel=2", "unknown|cannot read"), ("AP(rel==2)", "name=value"),
        ("AP(rel=2,rel=3)", "given twice"), ("AP(rel=__import__('os'))", "cannot read"),
        ("FieldMean(field=price,better='lower')", "texts in quotes"),
        ("AP(**{'rel':2})", "name=value"),
        ("AP(level=2)", "no parameter 'level'; its parameters: rel, judged_only"),
        ("AP(judged_only=1)", "True or False"),
        ("nDCG(dcg='log3')", "one of: 'log2', 'exp-log2', 'jk', 'exp-jk'"), ("nDCG(dcg=['jk'])", "one of"),
        ("nDCG(gains=[1,2])", "grade: gain"), ("nDCG(gains={1:1e999})", "grade: gain"), ("nDCG(gains={'a':1})", "gain"),
        ("RBP(p=1.5)", "between 0 and 1"), ("DCG(dcg='jk',base=1)", "above 1"), ("P.0,5", "whole number"),
        ("P.a", "cannot read 'a' after 'P.'"),
        ("ndcg.1=a", "after 'ndcg.'"), ("utility.1,2", "after 'utility.'"), ("map.5", "no parameter after a dot"),
        ("P.5,10", "stands for 2 measures"), ("P", "stands for 9 measures"), ("official", "stands for"),
        ("AP(rel=" + "(" * 300, "AP"),
        ("AP(rel=" + "[" * 5000 + "]" * 5000 + ")", "cannot read"),
    ],
)  # fmt: skip
def test_faults_are_reported(text: str, message: str | None) -> None:
    if message is None:
        assert parse_measure(text).text == "AP"
        return
    with pytest.raises(MeasureError, match=message):
        parse_measure(text)


def test_a_choice_needs_no_quotes() -> None:
    """``NuggetR(odd=drop)`` was refused; what is no choice is refused still."""
    assert parse_measure("NuggetR(odd=drop, weight=all)").text == parse_measure("NuggetR(odd='drop',weight='all')").text
    with pytest.raises(MeasureError, match="odd must be one of"):
        parse_measure("NuggetR(odd=none)")
    with pytest.raises(MeasureError, match="texts in quotes"):
        parse_measure("AP(rel=two)")


@examples(400)
@given(st.one_of(st.text(max_size=20), st.text("AnDCGPR@(){}=.,'lerogain0123456789 -+*/", max_size=25)))
def test_any_text_is_a_measure_or_an_error(text: str) -> None:
    try:
        parsed = parse_measures([text])
    except IrviewerError as error:
        assert str(error)
    else:
        for measure in parsed:
            assert parse_measure(measure.text) == measure


def test_several_texts_keep_their_order_and_drop_doubles() -> None:
    parsed = parse_measures(["nDCG@10", "map", "P.5,10", "AP", "P@10", "ndcg_cut_10"])
    assert [measure.text for measure in parsed] == ["nDCG@10", "AP", "P@5", "P@10"]


def test_binding() -> None:
    """What depends on options and qrels becomes part of the text; what was said stays as said."""
    assert parse_measure("AP").bind(level=2).text == "AP(rel=2)"
    assert parse_measure("AP(rel=3)").bind(level=2).text == "AP(rel=3)"
    assert parse_measure("AP").bind().text == "AP"
    assert parse_measure("nDCG@10").bind(level=2).text == "nDCG@10"
    assert parse_measure("ERR@10").bind(max_grade=2).text == "ERR(max_rel=4)@10"
    assert parse_measure("ERR@10").bind(max_grade=6).text == "ERR(max_rel=6)@10"
    assert parse_measure("AP").bind(level=2).asked == "AP"


def test_labels() -> None:
    assert parse_measure("AP").label() == "AP"
    assert parse_measure("AP").label(graded=True) == "AP, grade ≥ 1"
    assert parse_measure("AP(rel=2)@10").label(graded=True) == "AP@10, grade ≥ 2"
    assert parse_measure("nDCG@10").label(graded=True) == "nDCG@10"


def test_means() -> None:
    import numpy as np

    values = np.array([0.5, 0.0, 1.0])
    assert parse_measure("AP").mean(values) == 0.5
    assert parse_measure("NumRet").mean(values) == 1.5
    assert parse_measure("NumQ").mean(values) == 3
    assert parse_measure("gm_map").mean(values) == pytest.approx((0.5 * 0.00001) ** (1 / 3))
    assert np.isnan(parse_measure("AP").mean(np.array([])))
    assert parse_measure("NumQ").mean(np.array([])) == parse_measure("NumRet").mean(np.array([])) == 0


def test_suggestions_are_names_that_parse() -> None:
    with pytest.raises(MeasureError) as caught:
        parse_measure("ngcd@10")
    assert caught.value.suggestions
    for suggestion in caught.value.suggestions:
        assert parse_measures([suggestion]) or re.fullmatch(r"\w+", suggestion)
