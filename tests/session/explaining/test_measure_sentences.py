"""What is told of a measure is told of its parameters, those that a dialect gives it among them, in every place."""

from __future__ import annotations

import pytest

from irviewer.analysis.explain import explain_query
from irviewer.cli import main
from irviewer.evaluation.bound_measure import treat
from irviewer.measures.formula_text import formula_text
from irviewer.measures.formulas import letters
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.session.explaining.measure_card import card
from irviewer.session.view_models.query import measure_tooltip

QRELS = Qrels.from_dict({"1": {"a": 1, "b": 0, "c": 2, "d": 3}})
RUN = Run.from_dict({"1": {"b": 4.0, "c": 3.0, "x": 2.0, "a": 1.0}})


@pytest.mark.parametrize(
    ("measure", "dialect", "shown"),
    [
        ("nDCG@10", "trec_eval", "g(i) = grade(i)"),
        ("nDCG@10", "gdeval", "2^{grade(i)} - 1"),
        ("ERR@10", "gdeval", "m = 4"),
        ("IPrec@0.3", "trec_eval", r"\lfloor r R + .5 \rfloor"),
        ("IPrec@0.3", "trec_eval-9", r"\lfloor r R + .9 \rfloor"),
        ("IPrec@0.3", "textbook", r"R(i) \geq r"),
        ("RBP", "ranx", "g(i) = grade(i)"),
        ("SetF(beta=2)", "ir_measures", r"\beta\,P(n) + R(n)"),
        ("SetF(beta=2)", "trec_eval", r"\beta^{2}\,P(n) + R(n)"),
    ],
)
def test_the_formula_is_the_dialects_everywhere(measure: str, dialect: str, shown: str) -> None:
    options = EvaluationOptions(dialect=dialect)
    asked = parse_measure(measure)
    treated = treat(DIALECTS[dialect], asked, max_grade=QRELS.max_grade).measure
    assert shown in treated.formula
    assert card(asked, treated).formula == treated.formula
    assert explain_query(RUN, QRELS, asked, "1", options).formula == treated.formula


def test_the_level_is_in_the_formula() -> None:
    ledger = explain_query(RUN, QRELS, "AP", "1", EvaluationOptions(level=2))
    assert ledger.formula.endswith(r", \quad rel(i) = [grade(i) \geq 2]")


@pytest.mark.parametrize(
    ("measure", "says", "says_not"),
    [
        ("nDCG@10", "1 is the best order of the judged documents", "retrieved"),
        ("nDCG(ideal='retrieved')@10", "1 is the best order of the documents retrieved", "qrels"),
        ("nDCG(dcg='jk',base=5)", "the order of the first 5 documents", "below rank"),
        ("nDCG(dcg='log2')", "the number of relevant documents", "the order of the first"),
        ("DCG(rel=2)@5", "documents of a grade below 2; documents below rank 5", "retrieved"),
        ("AP(judged_only=True)", "unjudged documents, which are removed first", "below rank"),
        ("RBP(p=0.5,rel=1)", "grades above the relevance level", "ideal ranking"),
        ("RBP(p=0.5)", "not divided by the gain of an ideal ranking", "above the relevance level"),
        ("RankAtRecall@0.5", "has no value unless N is given", "N ="),
        ("RankAtRecall(N=60)@0.5", "has the value N = 60, the size of the collection", "no value"),
        ("Effort(N=60)@0.5", "has the value 1, all N = 60 documents of the collection", "no value"),
        ("NumRet(rel=1)", "rank", "relevance"),
        ("11pt_avg(points=[0.2,0.4])", "recall 0.2, 0.4", "eleven"),
        ("SetP(relative=True)", "the largest number possible among as many documents", "returning only"),
        ("utility(b=1)", "documents weighted by the values", "only relevant"),
        ("IPrec(cut='up')@0.3", "int(r·R + .9)", "lround"),
        ("IPrec(cut='exact')@0.3", "van Rijsbergen", "trec_eval"),
    ],
)
def test_sentences_follow_the_parameters(
    measure: str, says: str, says_not: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parsed = parse_measure(measure)
    description = "\n".join((parsed.rewards, parsed.ignores, parsed.source))
    assert says in description
    assert says_not not in description
    rows = dict(card(parsed).rows)
    assert (rows["Rewards"], rows["Ignores"], rows["Source"]) == (parsed.rewards, parsed.ignores, parsed.source)
    assert measure_tooltip(parsed, parsed, False, 1).endswith(f"rewards {parsed.rewards}; ignores {parsed.ignores}")
    assert main.main(["measures", measure]) == 0
    printed = capsys.readouterr().out
    for text in (parsed.rewards, parsed.ignores, parsed.source, formula_text(parsed.formula)):
        assert text in printed


@pytest.mark.parametrize(
    ("measure", "named"),
    [
        ("P@5", ["rel(i)"]),
        ("P(rel=2)@5", ["grade(i)", "[ ]"]),
        ("AP", ["R", "P(i)", "rel(i)", "n"]),
        ("nDCG@10", ["grade(i)"]),
        ("IPrec(cut='exact')@0.3", ["R(i)", "P(i)"]),
        ("alpha_DCG@5", ["S", "rel(i,s)"]),
        ("P_avgjg@5", ["rel(i,g)"]),
        ("RBP", ["n", "grade(i)", "g_max"]),
        ("NumQ", []),
        ("NuggetF", []),  # its R is the recall of vital nuggets
    ],
)
def test_letters_that_a_formula_does_not_define_are_reported(measure: str, named: list[str]) -> None:
    known = letters(parse_measure(measure).formula)
    assert {definition.split(":")[0] for definition in known.split("; ") if definition} == set(named)
    assert dict(card(parse_measure(measure)).rows).get("Letters", "") == known
