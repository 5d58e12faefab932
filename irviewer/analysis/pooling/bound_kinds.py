"""By which way the bounds of a measure are found, and why some have none.

An unjudged document may have any grade from 0 to the highest. Four ways are exact:

``ends``      the value never falls (or never rises) where a grade rises: none relevant, and all of the highest grade
``chains``    one level matters, and for equally many relevant documents the best has them first, the worst last
``ratio``     nDCG: a linear gain by a convex ideal (``gain_ratio``)
``stopping``  what a user who stops early sees: rank by rank from the end of the list (``stopping``)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from irviewer.measures.base import Cutoff, Measure
from irviewer.measures.expressions import Expression, Node
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import Regime

Way = Literal["ends", "chains", "ratio", "stopping", ""]

RISING = frozenset(
    {
        "P", "Success", "RR", "RBP", "DCG", "ERR", "SDCG", "INSQ", "NumRelRet", "NumRel", "NumRet", "NumQ", "IdealDCG",
        "SetP", "SetAP", "num_nonrel_judged_ret", "SearchLength", "utility",
    }
)  # fmt: skip
"""A document's grade moves the value one way, wherever the document stands."""

RISING_WITHIN = frozenset({"R", "F", "relative_P", "SetR", "SetF", "set_F", "SetRelP", "AllFound"})
"""The same for what stands above the cutoff: below it a relevant document is one more that was not found."""

FALLING = frozenset({"SearchLength", "num_nonrel_judged_ret"})

CHAINED = frozenset(
    {
        "AP", "gm_map", "yaap", "Rprec", "Rprec_mult", "Bpref", "gm_bpref", "IPrec", "11pt_avg", "binG", "infAP",
        "Accuracy", "NAURC", "TNR", "WSS", "RankAtRecall", "Effort", "LastRel", "BudgetRecall", "AllInBudget", "Compat",
    }
)  # fmt: skip

STOPPING = frozenset({"NERR8", "NERR9", "NERR10", "NERR11", "INST", "BPM"})

SCALED = frozenset({"RBP", "ERR", "SDCG", "INSQ", *STOPPING})
"""Families whose gain is a share of the highest grade."""

NOT_BOUNDABLE = (
    "not boundable: under sparse judgments nearly everything is unjudged, and the interval would be the whole axis"
)
NEVER_REACHED = "what is never reached has no value unless the size of the collection is given (N=…)"
GRADED_COMPAT = "where there are several grades its ideal list is another one for each way to judge"
FRACTIONS = "it adds gains up to T, in whole grades only, and the qrels hold fractions"
APART = "its measures rank ties in different ways under this dialect"
MIXED = "its parts do not all rise, or all fall, where a document turns out to be relevant"
GAINS = "grades have gains of their own"

WHY = {
    **dict.fromkeys(("Judged", "unj", "rbp_resid"), "it tells how much is judged, which is what judging changes"),
    **dict.fromkeys(
        ("ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall"),
        "an unjudged document could be relevant to any of the subtopics",
    ),
    **dict.fromkeys(
        ("map_avgjg", "P_avgjg", "Rprec_mult_avgjg"), "each of those who judge could give a document another grade"
    ),
    **dict.fromkeys(
        (
            "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_simp", "prefs_pair", "prefs_avgjg",
            "prefs_avgjg_Rnonrel",
        ),
        "an unjudged document could be preferred to any other, or any other to it",
    ),
    **dict.fromkeys(
        ("G", "ndcg_rel", "Rndcg"), "it is normed at ranks that move with each grade: no way to its bounds is known"
    ),
    "relstring": "its values are texts",
}  # fmt: skip
"""Families without bounds, and why."""


@dataclass(frozen=True)
class Scale:
    """What grades there are: the highest that an unjudged document may have, the qrels' highest, all grades above 0 of
    the qrels in ascending order, and whether the first was asked for."""

    grade: float
    highest: float
    known: tuple[float, ...] = ()
    said: bool = False

    @classmethod
    def of(cls, qrels: Qrels, grade: float | None = None) -> Scale:
        """Up to ``grade``; None: the qrels' highest, 1 where they hold nothing relevant."""
        known = tuple(np.unique(qrels.grades[qrels.grades > 0]).tolist())
        highest = qrels.max_grade
        if grade is None:
            return cls(highest if highest > 0 else 1.0, highest, known)
        return cls(grade, highest, known, said=True)

    @property
    def whole(self) -> bool:
        """True where no grade is a fraction."""
        return all(float(one).is_integer() for one in (self.grade, *self.known))

    @property
    def binary(self) -> bool:
        """True where a document is either relevant or not: there is one grade above 0."""
        return self.grade == 1 and set(self.known) <= {1.0}

    def within(self, measure: Measure) -> Scale:
        """The same for one measure: at a relevance level above all grades of the qrels an unjudged document may reach
        it, unless another grade was asked for; a share of the highest grade is never more than 1."""
        if self.said:
            scaled = (
                measure.name in SCALED and measure.parameter("gain") != "grade" and measure.parameter("rel") is None
            )
            return replace(self, grade=min(self.grade, self.highest)) if scaled and self.highest > 0 else self
        parts = measure.parts if isinstance(measure, Expression) else (measure,)
        levels = [one.parameter("rel") or 0 for one in parts if one.family.parameter("rel") is not None]
        return replace(self, grade=max([self.grade, *levels]))


def way_of(measure: Measure, regime: Regime, scale: Scale) -> tuple[Way, str]:
    """How the bounds of a measure are found; or "" and why it has none."""
    if regime is Regime.SPARSE:
        return "", NOT_BOUNDABLE
    if isinstance(measure, Expression):
        return ("ends", "") if direction(measure) is not None else ("", MIXED)
    name, scale = measure.name, scale.within(measure)
    if measure.parameter("gains"):
        return "", GAINS
    if name in RISING | RISING_WITHIN:
        return "ends", ""
    if name in ("RankAtRecall", "Effort", "LastRel") and measure.parameter("N") is None:
        return "", NEVER_REACHED
    if name == "Compat" and not scale.binary:
        return "", GRADED_COMPAT
    if name in ("INST", "BPM") and not (scale.whole and float(measure.parameter("min_rel")).is_integer()):
        return "", FRACTIONS
    if name in CHAINED:
        return "chains", ""
    if name in STOPPING:
        return "stopping", ""
    if name == "nDCG":
        return "ratio", ""
    return "", WHY.get(name, f"no bounds are known for {name}")


def reads_down_to(measure: Measure) -> int | None:
    """The rank below which a measure reads nothing, of an expression its deepest part's; None: the whole list."""
    if isinstance(measure, Expression):
        each = [reads_down_to(one) for one in measure.parts if one.name not in ("NumQ", "NumRel")]
        known = [one for one in each if one is not None]
        return max(known) if known and len(known) == len(each) else None
    ranked = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    return int(measure.cutoff) if ranked and measure.cutoff is not None else None


# --- expressions ---


def direction(measure: Expression) -> int | None:
    """1 where an expression never falls when a document turns out to be better, -1 where it never rises, 0 where it
    stays; None where neither is known."""
    return _direction(measure.tree, reads_down_to(measure))


def _direction(node: Node, limit: int | None) -> int | None:
    if node.measure is not None:
        return _of_measure(node.measure, limit)
    found = [_direction(one, limit) for one in node.nodes]
    if node.sign == "number":
        return 0
    if node.sign == "negative":
        return None if found[0] is None else -found[0]
    if node.sign in ("+", "min", "max"):
        return _joint(found)
    if node.sign == "-":
        return _joint([found[0], None if found[1] is None else -found[1]])
    if node.sign in ("sqrt", "log"):
        return found[0]
    if node.sign == "abs":
        return found[0] if _at_least_0(node.nodes[0]) else None
    number = next((place for place, one in enumerate(node.nodes) if one.sign == "number" and one.measure is None), None)
    if number is not None and (node.sign == "*" or number == 1):
        value, other = node.nodes[number].value, found[1 - number]
        return 0 if not value else None if other is None else other if value > 0 else -other
    if node.sign == "*" and all(_at_least_0(one) for one in node.nodes):
        return _joint(found)
    return None


def _of_measure(measure: Measure, limit: int | None) -> int | None:
    if measure.parameter("gains"):
        return None
    if measure.name == "NumQ" or (measure.name == "NumRet" and measure.parameter("rel") is None):
        return 0
    if measure.name in RISING_WITHIN:
        return 1 if reads_down_to(measure) == limit else None
    if measure.name == "utility" or measure.name not in RISING:
        return None
    return -1 if measure.name in FALLING else 1


def _joint(directions: list[int | None]) -> int | None:
    if None in directions:
        return None
    said = {one for one in directions if one}
    return 0 if not said else said.pop() if len(said) == 1 else None


def _at_least_0(node: Node) -> bool:
    if node.measure is not None:
        return node.measure.span[0] >= 0
    if node.sign == "number":
        return node.value >= 0
    if node.sign in ("+", "*", "/", "min", "max"):
        return all(_at_least_0(one) for one in node.nodes)
    return node.sign in ("sqrt", "abs")
