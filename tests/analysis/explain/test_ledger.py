"""Every ledger adds up to the value that evaluation gives, for every measure, on random runs and qrels."""

from __future__ import annotations

import importlib
import math
import re
from dataclasses import replace

import brute
import brute_browsing
import brute_recall
import numpy as np
import pytest
import strategies as some
from every import NEEDS_ANSWERS, OF_FIELDS
from examples import a_part, examples
from hypothesis import assume, given
from hypothesis import strategies as st

from irviewer.analysis.explain import explain_query
from irviewer.analysis.explain.explainer import explainers
from irviewer.analysis.explain.ledger_types import Ledger
from irviewer.evaluation.evaluate import Joined, evaluate
from irviewer.measures.base import make
from irviewer.measures.parser import parse_measure
from irviewer.measures.registry import families
from irviewer.model.arrays import Floats, strings
from irviewer.model.document_lengths import Lengths
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

LENGTHS = Lengths({document: float(place + 1) for place, document in enumerate(some.DOCUMENTS[:-3])})
KNOWN = set(some.DOCUMENTS[:-3])
MORE = (
    "DCG(rel=2)@4", "IdealDCG", "IdealDCG(gains={0:1,1:5,2:0.5})@3",
    "nDCG(gains={1:-1,2:3,-1:2})", "RBP(p=0.8,gain='grade')",
    "RBP(p=1)", "rbp_resid(p=1)", "rbp_resid(p=0.5)", "Judged", "Success", "AP(judged_only=True)",
    "nDCG(judged_only=True)@3",
    "P(rel=2)@9", "xinfAP", "xinfAP@3", "infNDCG", "infNDCG@3", "F(beta=0)@3", "SetF(beta=0)", "relative_P@20",
)  # fmt: skip
MEASURES = (*brute.MEASURES, *brute_browsing.MEASURES, *brute_recall.MEASURES, *MORE)

OPTIONS = st.builds(
    EvaluationOptions,
    level=st.sampled_from((1, 2, 0.5)),
    judged_only=st.booleans(),
    depth=st.sampled_from((None, 1, 3, 5)),
    dialect=st.sampled_from(("trec_eval", "trec_eval-9", "ir_measures", "ranx", "gdeval", "textbook")),
)


def test_every_family_has_an_explainer() -> None:
    importlib.import_module("irviewer.analysis.explain.families")
    ours = {name for name, family in families().items() if family.compute.__module__.startswith("irviewer.")}
    assert ours <= set(explainers())


def check(ledger: Ledger, wanted: float) -> None:
    """The value is evaluation's, the rows make it, and the worked formula shows no number that is none."""
    assert not re.search(r"\b(nan|inf)\b", ledger.worked + ledger.worked_latex)
    assert ledger.value == pytest.approx(wanted, rel=1e-12, abs=1e-14, nan_ok=True)
    if ledger.operation not in ("text", "opaque"):
        assert ledger.recomputed == pytest.approx(wanted, rel=1e-12, abs=1e-13, nan_ok=True), ledger.measure
    else:
        assert ledger.operation == "text", ledger.measure
    assert {len(cells) for cells in ledger.cells} <= {ledger.n_rows}
    assert len(ledger.credits) == ledger.n_rows
    if ledger.n_rows and "running" in [column.key for column in ledger.columns]:
        running = ledger.column("running")
        assert not isinstance(running, tuple)
        assert running[-1] == pytest.approx(math.fsum(ledger.contributions), rel=1e-12, abs=1e-13)


def check_all(qrels: Qrels, run: Run, texts: tuple[str, ...], options: EvaluationOptions) -> None:
    """The ledger of every query that has a value."""
    for text in texts:
        table = evaluate(qrels, run, [text], options)
        for query, wanted in zip(table.query_ids, table.values[0, 0].tolist(), strict=True):
            check(explain_query(run, qrels, text, query, options), wanted)


@pytest.mark.parametrize("text", a_part(MEASURES, 3))
@examples(20)
@given(qrels=some.qrels(), run=some.runs(some.any_scores), options=OPTIONS)
def test_ledgers_add_up(
    text: str, qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], options: EvaluationOptions
) -> None:
    returned = {document for ranking in run.values() for document in ranking}
    assume(not returned or returned & KNOWN)  # else measures of lengths are refused
    check_all(Qrels.from_dict(qrels), Run.from_dict(run), (text,), replace(options, lengths=LENGTHS))


TOPICS = (
    "ERR_IA@3", "ERR_IA", "nERR_IA@2", "nERR_IA", "alpha_DCG@3", "alpha_DCG(alpha=1)", "alpha_nDCG@3", "alpha_nDCG",
    "alpha_nDCG(alpha=0,judged_only=True)", "NRBP", "NRBP(alpha=0.2,beta=0.9)", "nNRBP", "AP_IA", "AP_IA@2", "P_IA@4",
    "P_IA", "StRecall@2", "StRecall",
)  # fmt: skip
GROUPS = ("map_avgjg", "map_avgjg(judged_only=True)", "P_avgjg@3", "Rprec_mult_avgjg@1.4")
PREFERENCES = (
    "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful(pairs='ret')",
    *(f"{name}{pairs}" for name in ("prefs_simp", "prefs_pair", "prefs_avgjg")
      for pairs in ("", "(pairs='imp')", "(pairs='ret')")),
    "prefs_avgjg_Rnonrel", "prefs_avgjg_Rnonrel(pairs='ret')",
)  # fmt: skip

rows = st.lists(
    st.tuples(some.queries, st.sampled_from(("0", "1", "b")), some.documents, st.integers(-1, 3).map(float)),
    min_size=1, max_size=40, unique_by=lambda row: row[:3],
)  # fmt: skip


def qrels_of(judged_rows: list[tuple[str, str, str, float]]) -> Qrels:
    """Qrels with a second column, as a reader makes them."""
    queries = list(dict.fromkeys(row[0] for row in judged_rows))
    codes = np.array([queries.index(row[0]) for row in judged_rows], dtype=np.int64)
    grades = np.array([row[3] for row in judged_rows])
    return Qrels.from_columns(
        tuple(queries),
        codes,
        strings([row[2] for row in judged_rows]),
        grades,
        subtopics=strings([row[1] for row in judged_rows]),
    )


@examples(15)
@pytest.mark.parametrize("text", a_part([*TOPICS, *GROUPS, *PREFERENCES], 3))
@given(judged_rows=rows, run=some.runs(some.any_scores), options=OPTIONS)
def test_ledgers_of_subtopics_groups_and_preferences_add_up(
    text: str,
    judged_rows: list[tuple[str, str, str, float]],
    run: dict[str, dict[str, float]],
    options: EvaluationOptions,
) -> None:
    check_all(qrels_of(judged_rows), Run.from_dict(run), (text,), options)


@examples(10)
@given(qrels=some.qrels(), run=some.runs(some.any_scores), options=OPTIONS)
def test_the_same_of_qrels_without_a_second_column(
    qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], options: EvaluationOptions
) -> None:
    check_all(Qrels.from_dict(qrels), Run.from_dict(run), (*TOPICS, *GROUPS, *PREFERENCES), options)


@examples(15)
@given(qrels=some.qrels(), run=some.runs(some.any_scores), options=OPTIONS)
def test_ledgers_of_expressions_add_up(
    qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], options: EvaluationOptions
) -> None:
    texts = ("(P@5 + R@20) / 2", "AP - 0.5 * RR", "max(P@1, P@3, R@5)", "-nDCG@3 / (RBP(p=0.5) * 2)", "sqrt(AP)")
    check_all(Qrels.from_dict(qrels), Run.from_dict(run), texts, options)


@examples(10)
@given(qrels=some.qrels(), run=some.runs(some.any_scores), options=OPTIONS)
def test_text_is_reported_sign_by_sign(
    qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], options: EvaluationOptions
) -> None:
    judgments, ranking = Qrels.from_dict(qrels), Run.from_dict(run)
    measure = parse_measure("relstring(length=4)")
    joined = Joined(ranking, judgments, options).under(options.rules.join_options)
    for query, wanted in zip(joined.query_ids, measure.strings(joined), strict=True):
        ledger = explain_query(ranking, judgments, measure, query, options)
        assert ledger.text == wanted == "".join(ledger.column("sign"))
        assert math.isnan(ledger.value)


def test_every_family_is_tested() -> None:
    every = (*MEASURES, *TOPICS, *GROUPS, *PREFERENCES, *NEEDS_ANSWERS, *OF_FIELDS, "relstring")
    ours = {name for name, family in families().items() if family.compute.__module__.startswith("irviewer.")}
    assert {parse_measure(text).name for text in every} == ours


def test_a_measure_of_another_package_shows_what_it_saw() -> None:
    def compute(judged: Judged, cutoff: int) -> Floats:
        return np.full(judged.n_queries, 0.25)

    family = replace(families()["P"], name="theirs", compute=compute, parameters=())
    qrels, run = Qrels.from_dict({"1": {"a": 1}}), Run.from_dict({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    ledger = explain_query(run, qrels, make(family, {}, 2), "1")
    assert (ledger.operation, ledger.value, ledger.worked) == ("opaque", 0.25, "theirs@2 = 0.2500")
    assert [ledger.shown(row) for row in range(ledger.n_rows)] == [["1", "a", "1"], ["2", "b", "?"]]
    assert "what each document adds is not known" in ledger.rule("own")


def test_words_count_what_exists() -> None:
    """No list, a list of one, a list of two."""
    qrels = Qrels.from_dict({"0": {"a": 1}, "1": {"a": 1}, "2": {"a": 1, "b": 0}})
    run = Run.from_dict({"1": {"a": 1.0}, "2": {"a": 2.0, "b": 1.0}})
    said = {query: [rule.text for rule in explain_query(run, qrels, "AP", query).rules] for query in "012"}
    assert "The run lacks this query: it counts as an empty list." in said["0"]
    assert not any("cutoff" in sentence or "judged" in sentence for sentence in said["0"])
    assert "There is no cutoff: the one document of the list counts." in said["1"]
    assert "The one document is judged." in said["1"]
    assert "There is no cutoff: all 2 documents of the list count." in said["2"]
    assert "All 2 documents are judged." in said["2"]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("P@2", False), ("RR", False), ("RR@2", False), ("Success@2", False), ("SearchLength", False), ("SetP", False),
        ("NumRelRet", False), ("P_avgjg@2", False), ("utility", False), ("AP", True), ("nDCG@2", True), ("R@2", True),
        ("Rprec", True), ("SetR", True), ("SetF", True), ("map_avgjg", True), ("utility(c=-1)", True),
    ],
)  # fmt: skip
def test_missed_documents_are_named_where_they_count(text: str, counts: bool) -> None:
    ranked = {name: 9.0 - place for place, name in enumerate(("x", "a", "b"))}
    runs = Run.from_dict({"1": ranked}, name="r")
    judged = {"a": 1, "x": 0, "m1": 1, "m2": 1}
    with_them, without = Qrels.from_dict({"1": judged}), Qrels.from_dict({"1": {"a": 1, "x": 0}})
    values = [
        float(evaluate(judgments_used, [runs], [text]).values[0, 0, 0]) for judgments_used in (with_them, without)
    ]
    assert (values[0] != values[1]) == counts  # what counting means
    ledger = explain_query(runs, with_them, text, "1")
    assert [document.document for document in ledger.missed] == (["m1", "m2"] if counts else [])
