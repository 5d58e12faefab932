"""The rules by which tools differ: fields of ``Dialect`` with descriptions of their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule: ``name`` is the field of Dialect, ``words`` describe its values."""

    name: str
    title: str
    words: Mapping[Any, str]

    @property
    def in_apart(self) -> bool:
        """Whether measures that another program computes may have another value."""
        return self.name in ("ties", "bits")

    def say(self, value: Any) -> str:
        """Return the description of a value."""
        return self.words.get(value, f"{self.title} {value}")


TIES = Rule(
    "ties",
    tr("ties"),
    {
        "descending": tr("ties by document id, descending"),
        "ascending": tr("ties by document id, ascending"),
        "arrival": tr("ties in the order of the file"),
    },
)
BITS = Rule(
    "bits", tr("bits of a score"), {64: tr("scores of 64 bits"), 32: tr("scores of 32 bits, so that close scores tie")}
)

RULES: tuple[Rule, ...] = (
    TIES,
    BITS,
    Rule(
        "missing",
        tr("missing queries"),
        {
            "refuse": tr("a run that lacks queries is refused"),
            "zero": tr("queries that the run lacks count as 0"),
            "intersection": tr("queries that the run lacks are left out"),
        },
    ),
    Rule(
        "unanswerable",
        tr("queries without relevant documents"),
        {
            "zero": tr("queries without a relevant document count as 0"),
            "drop": tr("queries without a relevant document are left out"),
        },
    ),
    Rule(
        "negatives_judged",
        tr("negative grades"),
        {False: tr("negative grades are unjudged"), True: tr("negative grades are judged non-relevant")},
    ),
    Rule(
        "recall_cut",
        tr("rounding of recall"),
        {
            "nearest": tr("recall r needs lround(rR) documents"),
            "up": tr("recall r needs int(rR + .9) documents"),
            "exact": tr("recall r needs the fewest documents with R(k) ≥ r"),
        },
    ),
    Rule(
        "err_top",
        tr("ERR's highest grade"),
        {
            None: tr("ERR's highest grade is that of the qrels, at least 4"),
            "qrels": tr("ERR's highest grade is that of the qrels"),
        },
    ),
    Rule(
        "dcg",
        tr("gain and discount"),
        {
            "log2": tr("gain is the grade, over log2(i + 1)"),
            "exp-log2": tr("gain is 2^grade − 1, over log2(i + 1)"),
            "jk": tr("gain is the grade, over log2(max(i, 2))"),
            "exp-jk": tr("gain is 2^grade − 1, over log2(max(i, 2))"),
        },
    ),
    Rule(
        "level_drops_gain",
        tr("relevance level of gains"),
        {
            False: tr("the relevance level does not change gains"),
            True: tr("grades below the relevance level have no gain"),
        },
    ),
    Rule(
        "rbp_gain",
        tr("gain of RBP"),
        {
            "share": tr("RBP's gain is grade / highest grade"),
            "grade": tr("RBP's gain is the grade"),
        },
    ),
    Rule(
        "f_weight",
        tr("weight of beta in the set's F"),
        {
            "squared": tr("F of the set weights recall by beta²"),
            "plain": tr("F of the set weights recall by beta, as trec_eval's set_F.x, which is not squared"),
        },
    ),
    Rule(
        "hits",
        tr("counts of relevant documents"),
        {
            "sum": tr("counts of relevant documents found are summed over the queries"),
            "mean": tr("counts of relevant documents found are averaged over the queries"),
        },
    ),
    Rule(
        "names",
        tr("names without a cutoff"),
        {
            "trec_eval": tr("recall without a cutoff is recall at trec_eval's nine cutoffs"),
            "ranx": tr("recall without a cutoff is recall of the whole ranking"),
        },
    ),
)
"""All rules by which dialects may differ."""


def gain_words(dcg: str) -> str:
    """Return the gain of a grade under a ``dcg``: ``gain = grade``."""
    return tr("gain = 2^grade − 1") if dcg.startswith("exp") else tr("gain = grade")


def gain_and_discount(dcg: str) -> str:
    """Return the gain of a grade and the discount at rank i: ``gain = grade, discount log2 max(i, 2)``."""
    discount = tr("discount log2 max(i, 2)") if dcg.endswith("jk") else tr("discount log2(i + 1)")
    return f"{gain_words(dcg)}, {discount}"


def discount_words(dcg: str, base: float) -> str:
    """Return the gain and the discount of a ``dcg`` in words, with the base of its logarithm."""
    words = next(rule for rule in RULES if rule.name == "dcg").say(dcg)
    return words.replace("max(i, 2)", f"max(i, {base:g})").replace("log2(max", f"log{base:g}(max")
