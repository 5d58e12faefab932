"""Dialects against the tools themselves, run here: random collections with ties, near ties, negative grades, missing
queries and queries without relevant documents. The golden of trec_eval 9 is elsewhere."""

from __future__ import annotations

import importlib.util
import random
import shutil
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from examples import count

from irviewer.evaluation.evaluate import evaluate
from irviewer.model.dialects import DIALECTS
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its own imports are not ours to mend
    import ir_measures

Judgments = dict[str, dict[str, int]]
Rankings = dict[str, dict[str, float]]
Record = Callable[[str, object], None]

SCORES = (1.0, 1.00000001, 1.00000002, 2.0, 2.0000000001, 3.0, 0.5, -1.0)
"""Few, so that many tie; some only where a score has 32 bits."""

needs_ranx = pytest.mark.skipif(
    importlib.util.find_spec("ranx") is None, reason="ranx (and its numba) is not installed"
)
compiles = pytest.mark.slow
"""numba compiles ranx in each process anew, for ten seconds."""
needs_perl = pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script, and there is no perl")


def collection(
    seed: int, *, queries: int = 400, longest: int = 15, least: int = -2, most: int = 4
) -> tuple[Judgments, Rankings]:
    """Qrels and a run: 1 to 12 judgments a query; a tenth of the queries is not in the run, one only there."""
    rng = random.Random(seed)
    documents = [f"d{number}" for number in range(25)]
    judgments: Judgments = {}
    rankings: Rankings = {"999999": {"d1": 1.0}}
    for number in range(queries):
        judged = rng.sample(documents, rng.randint(1, 12))
        judgments[str(number)] = {document: rng.randint(least, most) for document in judged}
        if rng.random() > 0.1:
            retrieved = rng.sample(documents, rng.randint(1, longest))
            rankings[str(number)] = {document: rng.choice(SCORES) for document in retrieved}
    return judgments, rankings


def ours(judgments: Judgments, rankings: Rankings, texts: list[str], dialect: str, **said: Any) -> Any:
    options = EvaluationOptions(dialect=dialect, **said)
    return evaluate(Qrels.from_dict(judgments), Run.from_dict(rankings), texts, options)


PYTREC = (
    "map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "11pt_avg", "P", "recall", "infAP", "ndcg",
    "ndcg_cut", "map_cut", "success", "set_P", "set_recall", "set_F", "set_map", "set_relative_P", "relative_P",
    "G", "binG", "ndcg_rel", "Rndcg", "utility", "Rprec_mult", "num_ret", "num_rel", "num_rel_ret",
)  # fmt: skip


@pytest.mark.parametrize("level", [1, 2])
def test_trec_eval_9_of_near_ties(level: int, record_property: Record) -> None:
    """pytrec_eval is trec_eval 9: scores that differ in the ninth digit tie, recall is cut at int(rR + .9)."""
    judgments, rankings = collection(9, least=0, longest=25)
    theirs = pytrec_eval.RelevanceEvaluator(judgments, set(PYTREC), relevance_level=level).evaluate(rankings)
    texts = sorted({name for values in theirs.values() for name in values})
    result = ours(judgments, rankings, texts, "trec_eval-9", level=level)
    assert set(result.query_ids) == set(theirs)
    compared = 0
    for text in texts:
        our_values = result.by_query(text)
        for query, values in theirs.items():
            assert our_values[query] == pytest.approx(values[text], abs=1e-9), (text, query)
            compared += 1
    record_property("values equal to pytrec_eval under trec_eval-9", compared)


IR_MEASURES = (
    "AP", "AP(rel=2)", "AP@3", "RR", "RR(rel=2)", "P@1", "P(rel=2)@3", "R@3", "Rprec", "Success@2", "nDCG",
    "nDCG@3", "Bpref", "SetP", "SetR", "SetF", "SetRelP", "SetAP", "infAP", "IPrec@0.1", "IPrec@0.3",
    "SetF(beta=2.0)", "SetF(beta=0.5)", "SetF(beta=3.0,rel=2)", "IPrec@0.6", "AP(judged_only=True)",
    "nDCG(judged_only=True)@3",
)  # fmt: skip
APART = ("RR@3", "RR(rel=2)@5", "Judged@2", "Judged", "RBP(p=0.8,rel=1)", "RBP(p=0.5,rel=2)")
"""Computed by other programs than pytrec_eval, which break ties in two other ways and can read negative grades."""
GDEVAL = ("ERR@5", "ERR@20", "nDCG(dcg='exp-log2')@3", "nDCG(dcg='exp-log2')@10")


@pytest.mark.random
@pytest.mark.parametrize(("texts", "least"), [(IR_MEASURES, 0), (APART, -2)], ids=["pytrec_eval", "apart"])
def test_ir_measures(texts: tuple[str, ...], least: int, record_property: Record) -> None:
    """Means and every query; pytrec_eval now and then crashes on negative grades (the goldens have them)."""
    judgments, rankings = collection(4, queries=count(400), least=least, longest=25)
    compare_ir_measures(judgments, rankings, texts, 1e-9)
    record_property("values equal to ir_measures under its dialect", len(texts) * (len(judgments) + 1))


def test_compat_of_one_relevant_document_a_query(record_property: Record) -> None:
    """Of more, equal scores and grades stand in the ideal ranking as the qrels have them there, by rank here."""
    judgments, rankings = collection(7, longest=25)
    single = {query: {next(iter(grades)): 1} for query, grades in judgments.items()}
    compare_ir_measures(single, rankings, ("Compat(p=0.95)",), 1e-9)
    record_property("values equal to ir_measures under its dialect", len(single) + 1)


def test_compat_where_scores_are_negative_is_known_to_differ() -> None:
    """ir_measures puts what was not returned at score 0 in its ideal ranking, above returned documents of one grade."""
    judgments = {"1": {"a": 1, "b": 1}}
    for score, same in ((1.0, True), (-1.0, False)):
        rankings = {"1": {"b": score}}
        (theirs,) = ir_measures.iter_calc([ir_measures.Compat(p=0.9)], judgments, rankings)
        mine = ours(judgments, rankings, ["Compat(p=0.9)"], "ir_measures").mean("Compat(p=0.9)")
        assert (theirs.value == pytest.approx(mine, abs=1e-12)) == same
    assert any("with negative scores" in line for line in DIALECTS["ir_measures"].remains)


@needs_perl
def test_ir_measures_with_gdeval(record_property: Record) -> None:
    judgments, rankings = collection(5, least=-2, longest=25)
    compare_ir_measures(judgments, rankings, GDEVAL, 6e-6)  # five decimals
    record_property("values equal to ir_measures under its dialect", len(GDEVAL) * (len(judgments) + 1))


def compare_ir_measures(judgments: Judgments, rankings: Rankings, texts: tuple[str, ...], tolerance: float) -> None:
    wanted = {ir_measures.parse_measure(text): text for text in texts}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = ir_measures.calc(list(wanted), judgments, rankings)
    result = ours(judgments, rankings, list(texts), "ir_measures")
    for measure, value in theirs[0].items():
        assert result.mean(wanted[measure]) == pytest.approx(value, abs=tolerance), wanted[measure]
    for their_value in theirs[1]:
        if their_value.query_id in judgments:
            our_values = result.by_query(wanted[their_value.measure])[their_value.query_id]
            assert our_values == pytest.approx(their_value.value, abs=tolerance), (
                wanted[their_value.measure],
                their_value.query_id,
            )


@needs_perl
@pytest.mark.parametrize("k", [1, 5, 20])
def test_gdeval(k: int, tmp_path: Path, record_property: Record) -> None:
    """The script itself: which queries it has values for, its ties (descending), five decimals."""
    judgments, rankings = collection(6, least=-2, longest=25)
    folder = importlib.util.find_spec("ir_measures").submodule_search_locations[0]  # type: ignore[union-attr, index]
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, grades in judgments.items() for d, g in grades.items()))
    run.write_text("".join(f"{q} Q0 {d} 1 {s!r} x\n" for q, scores in rankings.items() for d, s in scores.items()))
    done = subprocess.run(
        ["perl", str(Path(folder, "bin", "gdeval.pl")), str(qrels), str(run), str(k)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = [line.split(",") for line in done.stdout.splitlines()[1:]]
    result = ours(judgments, rankings, [f"nDCG@{k}", f"ERR@{k}"], "gdeval")
    assert set(result.query_ids) == {line[1] for line in lines}
    for _, query, ndcg, err in lines:
        assert f"{result.by_query(f'nDCG@{k}')[query]:.5f}" == ndcg
        assert f"{result.by_query(f'ERR@{k}')[query]:.5f}" == err
    record_property("values equal to gdeval under its dialect", 2 * len(lines))


RANX = (
    "map", "map@3", "ndcg", "ndcg@3", "ndcg_burges", "ndcg_burges@3", "dcg", "dcg@3", "dcg_burges",
    "dcg_burges@3", "rbp.90", "rbp.50", "mrr", "mrr@2", "precision", "precision@3", "recall", "recall@3", "f1",
    "f1@3", "hits", "hits@3", "hit_rate@3", "r-precision",
)  # fmt: skip


@compiles
@needs_ranx
@pytest.mark.parametrize("suffix", ["", "-l2"])
def test_ranx(suffix: str, record_property: Record) -> None:
    """Every value of every query; lists of 15 documents at most, since more are not sorted stably there."""
    judgments, rankings = collection(8)
    compared = compare_ranx(judgments, rankings, [text + suffix for text in RANX])
    assert compared == len(RANX) * len(judgments)
    # bpref divides 0 by 0 without judged non-relevant documents, and fails without relevant ones.
    level = 2 if suffix else 1
    sound = {
        query: grades
        for query, grades in judgments.items()
        if 0 < sum(grade >= level for grade in grades.values()) < len(grades)
    }
    compared += compare_ranx(sound, rankings, [f"bpref{suffix}"])
    record_property("values equal to ranx under its dialect", compared)


def compare_ranx(judgments: Judgments, rankings: Rankings, texts: list[str]) -> int:
    """How many values of queries were compared."""
    compared = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numba on casts within ranx
        import ranx

        run = ranx.Run(rankings)
        ranx.evaluate(ranx.Qrels(judgments), run, texts, make_comparable=True)
    result = ours(judgments, rankings, texts, "ranx")
    assert len(result.query_ids) == len(judgments)
    for text in texts:
        our_values = result.by_query(text)
        assert result.mean(text) == pytest.approx(float(run.mean_scores[text]), abs=1e-9), text
        for query, value in run.scores[text].items():
            assert our_values[query] == pytest.approx(float(value), abs=1e-9), (text, query)
            compared += 1
    return compared


@compiles
@needs_ranx
def test_why_long_lists_are_not_compared_with_ranx() -> None:
    """Beyond 15 documents its ties stand neither as they came nor by their names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ranx

        names = [f"d{number:02}" for number in range(40)]
        short, long = (list(ranx.Run({"1": dict.fromkeys(names[:n], 1.0)}).run["1"]) for n in (15, 40))
    assert short == names[:15]
    assert long not in (names, names[::-1])


def test_ranx_at_a_relevance_level() -> None:
    """A level said as an option is -lN of every measure."""
    judgments, rankings = collection(8, queries=50)
    by_option = ours(judgments, rankings, list(RANX), "ranx", level=2)
    by_name = ours(judgments, rankings, [f"{text}-l2" for text in RANX], "ranx")
    assert by_option.values.tolist() == by_name.values.tolist()


@compiles
@needs_ranx
def test_ranx_interpolated_precision(record_property: Record) -> None:
    judgments, rankings = collection(10, queries=200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ranx
        from ranx.metrics import interpolated_precision_at_recall

        run, qrels = ranx.Run(rankings), ranx.Qrels(judgments)
        theirs = interpolated_precision_at_recall(qrels.to_typed_list(), run.make_comparable(qrels).to_typed_list())
    texts = [f"IPrec@{step / 10}" for step in range(11)]
    result = ours(judgments, rankings, texts, "ranx")
    for place, query in enumerate(qrels.keys()):
        values = [result.by_query(text)[query] for text in texts]
        assert values == pytest.approx(theirs[place].tolist(), abs=1e-12), query
    record_property("values equal to ranx under its dialect", theirs.size)
