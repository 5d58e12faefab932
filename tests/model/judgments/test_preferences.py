"""Preferences and judgment groups: against plain loops on random judgments, and cases small enough to count by hand."""

from __future__ import annotations

from collections.abc import Sequence

import brute_preferences as brute
import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measures
from irviewer.model.arrays import strings
from irviewer.model.judgments import preferences
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Row = tuple[str, str, str, str, float]
"""query, group, subgroup, document, level"""

ids = st.sampled_from(some.DOCUMENTS[:8])
people = st.sampled_from(("me", "you", "they"))
levels = st.integers(0, 3).map(float)
complete = st.lists(
    st.tuples(some.queries, people, st.just("0"), ids, levels), min_size=1, max_size=50, unique_by=lambda row: row[:4]
)
partial = st.lists(
    st.tuples(some.queries, people, st.sampled_from(("s", "t")), ids, levels),
    min_size=1, max_size=24, unique_by=lambda row: row[:4],
)  # fmt: skip


@st.composite
def rankings(draw: st.DrawFn) -> dict[str, list[str]]:
    return {query: draw(st.lists(ids, unique=True)) for query in draw(st.sets(some.queries))}


def run_of(orders: dict[str, list[str]]) -> Run:
    return Run.from_dict(
        {query: {document: -float(place) for place, document in enumerate(order)} for query, order in orders.items()}
    )


def qrels_of(assessed: Sequence[Row]) -> Qrels:
    queries = list(dict.fromkeys(row[0] for row in assessed))
    codes = np.array([queries.index(row[0]) for row in assessed], dtype=np.int64)
    return Qrels.from_columns(
        tuple(queries), codes, strings([row[3] for row in assessed]), np.array([row[4] for row in assessed]),
        subtopics=strings([row[1] for row in assessed]), subgroups=strings([row[2] for row in assessed]),
    )  # fmt: skip


def nested(assessed: Sequence[Row]) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    result: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for query, group, subgroup, document, level in assessed:
        result.setdefault(query, {}).setdefault(group, {}).setdefault(subgroup, {})[document] = level
    return result


def check(assessed: Sequence[Row], ranked: dict[str, list[str]], whole: bool) -> None:
    texts = [measure.text for measure in parse_measures(["all_prefs"]) if whole or "Rnonrel" not in measure.text]
    result = evaluate(qrels_of(assessed), run_of(ranked), texts)
    for query, groups in nested(assessed).items():
        ranking = ranked.get(query, [])
        for pairs, written in (("all", ""), ("ret", "(pairs='ret')"), ("imp", "(pairs='imp')")):
            wanted = {
                f"prefs_simp{written}": brute.simple(groups, ranking, pairs),
                f"prefs_avgjg{written}": brute.by_group(groups, ranking, pairs),
                f"prefs_pair{written}": brute.by_pair(groups, ranking, pairs),
            }
            if pairs != "imp":
                every = [brute.counts(group, ranking, pairs) for group in groups.values()]
                wanted[f"prefs_num_prefs_ful{written}"] = sum(ful for ful, _ in every)
                if whole:
                    wanted[f"prefs_avgjg_Rnonrel{written}"] = brute.limited(groups, ranking, pairs)
            for text, value in wanted.items():
                assert result.by_query(text)[query] == pytest.approx(value, abs=1e-12), (text, query)
        possible = sum(brute.counts(group, ranking, "all")[1] for group in groups.values())
        assert result.by_query("prefs_num_prefs_poss")[query] == possible


@given(complete, rankings(), st.sampled_from((preferences.FEW_LEVELS, 1)))
def test_complete_orders(assessed: list[Row], ranked: dict[str, list[str]], few: int) -> None:
    """Levels compared in pairs, and (where there are too many) documents."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preferences, "FEW_LEVELS", few)
        check(assessed, ranked, whole=True)


@given(partial, rankings())
def test_partial_orders(assessed: list[Row], ranked: dict[str, list[str]]) -> None:
    """Several subgroups are one order: what follows counts, and what contradicts it is refused by name."""
    if any(brute.contradicts(group) for groups in nested(assessed).values() for group in groups.values()):
        with pytest.raises(MeasureError, match=r"the preferences of group (me|you|they) contradict each other"):
            evaluate(qrels_of(assessed), run_of(ranked), ["prefs_simp"])
    else:
        check(assessed, ranked, whole=False)


def test_what_follows_from_two_preferences() -> None:
    """trec_eval's own example: 1>2, 1>3, 2>3 in one subgroup, 2>4 in another; 1>4 follows, 3 and 4 are not compared."""
    rows = [("q", "u", "s1", "1", 3), ("q", "u", "s1", "2", 2), ("q", "u", "s1", "3", 1), ("q", "u", "s2", "2", 5),
            ("q", "u", "s2", "4", 4)]  # fmt: skip
    qrels = qrels_of([(*row[:4], float(row[4])) for row in rows])
    result = evaluate(qrels, run_of({"q": ["1", "4", "2"]}), ["all_prefs"])
    assert result.mean("prefs_num_prefs_poss") == 5
    assert result.mean("prefs_num_prefs_ful") == 4  # 1>2, 1>4 and, 3 not being returned, 1>3, 2>3
    assert result.mean("prefs_num_prefs_ful_ret") == 2
    assert result.mean("prefs_simp_ret") == pytest.approx(2 / 3)


def test_ordinary_qrels_are_preferences_of_one_judge() -> None:
    result = evaluate(
        Qrels.from_dict({"1": {"a": 2, "b": 1, "c": 0, "d": 0}}),
        run_of({"1": ["b", "a", "c"]}),
        ["prefs_simp", "map_avgjg", "AP"],
    )
    assert result.mean("prefs_simp") == pytest.approx(4 / 5)
    assert result.mean("map_avgjg") == result.mean("AP")


def test_ties_as_trec_eval_ranks_them_there() -> None:
    """Its preference code alone takes documents of equal score by id ascending."""
    qrels, run = Qrels.from_dict({"1": {"a": 1, "b": 0}}), Run.from_dict({"1": {"a": 1.0, "b": 1.0}})
    assert evaluate(qrels, run, ["prefs_simp", "RR"]).means[:, 0].tolist() == [1, 0.5]


@given(complete, rankings(), st.sampled_from((1, 2)), st.booleans())
def test_judgment_groups(assessed: list[Row], ranked: dict[str, list[str]], level: int, judged_only: bool) -> None:
    """AP, P and R-precision by each group's judgments, averaged; unjudged documents leave by each group's judgments."""
    texts = ["map_avgjg", "P_avgjg@2", "P_avgjg@5", "Rprec_mult_avgjg@0.6", "Rprec_mult_avgjg@2"]
    words = [("AP", 0.0), ("P", 2.0), ("P", 5.0), ("Rprec", 0.6), ("Rprec", 2.0)]
    result = evaluate(qrels_of(assessed), run_of(ranked), texts, EvaluationOptions(level, judged_only))
    for query, groups in nested(assessed).items():
        lists = [group["0"] for group in groups.values()]
        for text, (word, cutoff) in zip(texts, words, strict=True):
            total = 0.0
            for grades in lists:
                ranking = [document for document in ranked.get(query, []) if not judged_only or document in grades]
                total += brute.per_group(word, grades, ranking, level, cutoff)
            (bound,) = (measure for measure in result.measures if text in (measure.text, measure.asked))
            assert result.by_query(bound)[query] == pytest.approx(total / len(lists), abs=1e-12), (text, query)


def test_groups_of_measures() -> None:
    assert len(parse_measures(["all_prefs"])) == 15
    assert [str(measure) for measure in parse_measures(["prefs"])] == [
        "NumQ", "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful(pairs='ret')", "prefs_simp",
        "prefs_pair", "prefs_avgjg",
    ]  # fmt: skip
    assert len(parse_measures(["qrels_jg"])) == 1 + 1 + 9 + 10
    assert not any("prefs" in measure.text or "avgjg" in measure.text for measure in parse_measures(["all_trec"]))
