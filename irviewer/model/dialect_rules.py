"""The rules in which tools differ, each with its words: a field of ``Dialect``, and what each value of it means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule. ``name`` is Dialect's field, ``title`` what a person reads, ``words`` tell the values."""

    name: str
    title: str
    words: Mapping[Any, str]

    @property
    def in_apart(self) -> bool:
        """Whether a measure that another program computes may have its own."""
        return self.name in ("ties", "bits")

    def say(self, value: Any) -> str:
        """A value of this rule in words."""
        return self.words.get(value, f"{self.title} {value}")


TIES = Rule(
    "ties",
    "ties",
    {
        "descending": "ties by document id, descending",
        "ascending": "ties by document id, ascending",
        "arrival": "ties in the order of the file",
    },
)
BITS = Rule("bits", "bits of a score", {64: "scores of 64 bits", 32: "scores of 32 bits: near ones tie"})

RULES: tuple[Rule, ...] = (
    TIES,
    BITS,
    Rule(
        "missing",
        "missing queries",
        {
            "refuse": "a run that lacks queries is refused",
            "zero": "queries that the run lacks count as 0",
            "intersection": "queries that the run lacks are left out",
        },
    ),
    Rule(
        "unanswerable",
        "queries without relevant documents",
        {
            "zero": "queries without a relevant document count as 0",
            "drop": "queries without a relevant document are left out",
        },
    ),
    Rule(
        "negatives_judged",
        "negative grades",
        {False: "negative grades are unjudged", True: "negative grades are judged non-relevant"},
    ),
    Rule(
        "recall_cut",
        "rounding of recall",
        {
            "nearest": "recall r takes lround(rR) documents",
            "up": "recall r takes int(rR + .9) documents",
            "exact": "recall r takes the fewest documents with R(k) ≥ r",
        },
    ),
    Rule(
        "err_top",
        "ERR's highest grade",
        {None: "ERR's highest grade is the larger of 4 and the qrels'", "qrels": "ERR's highest grade is the qrels'"},
    ),
    Rule(
        "dcg",
        "gain and discount",
        {
            "log2": "gain is the grade, over log2(i + 1)",
            "exp-log2": "gain is 2^grade − 1, over log2(i + 1)",
            "jk": "gain is the grade, over log2(max(i, 2))",
            "exp-jk": "gain is 2^grade − 1, over log2(max(i, 2))",
        },
    ),
    Rule(
        "level_drops_gain",
        "relevance level of gains",
        {
            False: "the relevance level does not touch gains",
            True: "grades below the relevance level gain nothing",
        },
    ),
    Rule(
        "rbp_gain",
        "gain of RBP",
        {
            "share": "RBP's gain is the grade's share of the highest",
            "grade": "RBP's gain is the grade itself, not its share of the highest",
        },
    ),
    Rule(
        "f_weight",
        "weight of beta in the set's F",
        {
            "squared": "F of the set weighs recall beta² times",
            "plain": "F of the set weighs recall beta times: beta is trec_eval's set_F.x, which is not squared",
        },
    ),
    Rule(
        "hits",
        "counts of relevant documents",
        {
            "sum": "counts of relevant documents found are added up over the queries",
            "mean": "counts of relevant documents found are averaged over the queries",
        },
    ),
    Rule(
        "names",
        "names without a cutoff",
        {
            "trec_eval": "recall without a cutoff is that at trec_eval's nine cutoffs",
            "ranx": "recall without a cutoff is that of the whole list",
        },
    ),
)
"""Every rule that a dialect may have of its own."""
