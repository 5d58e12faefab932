"""Random qrels and runs for property tests: ties, negative grades, missing queries, empty lists, ids of every kind."""

from __future__ import annotations

from hypothesis import strategies as st

DOCUMENTS = (
    "d1",
    "d10",
    "d2",
    "D1",
    "a#b",
    "#x",
    'q"uo,te',
    "ü",
    "Ω-7",
    "<dbpedia:Björn_Borg>",
    "文書",
    "z",
    "0",
    "00",
    "é",
    "x.y",
)
QUERIES = ("1", "10", "2", "q:ü", "文", "301", "Q")

documents = st.sampled_from(DOCUMENTS)
queries = st.sampled_from(QUERIES)
whole_grades = st.integers(-2, 4).map(float)
any_grades = st.one_of(whole_grades, st.sampled_from((0.5, 1.5, 2.25, -0.5)))
scores = st.one_of(st.integers(-3, 3).map(float), st.floats(-5, 5, width=32))
any_scores = st.one_of(scores, st.sampled_from((float("inf"), float("-inf"), float("nan"), -0.0)))


def qrels(grades: st.SearchStrategy[float] = any_grades) -> st.SearchStrategy[dict[str, dict[str, float]]]:
    """{query: {document: grade}}; at least one query, each with at least one judgment."""
    return st.dictionaries(queries, st.dictionaries(documents, grades, min_size=1), min_size=1)


def runs(values: st.SearchStrategy[float] = scores, least: int = 0) -> st.SearchStrategy[dict[str, dict[str, float]]]:
    """{query: {document: score}}; queries may be missing, lists may be empty unless ``least`` is more."""
    return st.dictionaries(queries, st.dictionaries(documents, values, min_size=least))
