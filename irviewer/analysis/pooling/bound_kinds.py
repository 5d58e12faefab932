"""The method by which the bounds of a measure are computed, and the reasons why some measures have none.

An unjudged document may have any grade from 0 to the highest. Four methods are exact:

``ends``      the value never falls (or never rises) where a grade rises: none relevant, and all of the highest grade
``chains``    one level matters, and among assignments with equally many relevant documents the best has them first,
              the worst last
``ratio``     nDCG: a linear gain divided by a convex ideal (``gain_ratio``)
``stopping``  models of users who stop early: rank by rank from the end of the list (``bounds_early_stopping``)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from irviewer.measures.base import Cutoff, Measure
from irviewer.measures.expressions import Expression, Node
from irviewer.model.arrays import distinct
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import Regime
from irviewer.translation import tr

Way = Literal["ends", "chains", "ratio", "stopping", ""]

OF_FIELDS = frozenset(
    {"FieldMean", "FieldMin", "FieldMax", "FieldShare", "FieldCount", "FieldDistinct", "FieldRank"}
)  # fmt: skip
"""Families that read the fields of documents, and no judgments."""

RISING = frozenset(
    {
        "P", "Success", "RR", "RBP", "CG", "DCG", "ERR", "SDCG", "INSQ", "NumRelRet", "NumRel", "NumRet", "NumQ",
        "IdealDCG", "SetP", "SetAP", "num_nonrel_judged_ret", "SearchLength", "utility", *OF_FIELDS,
    }
)  # fmt: skip
"""Families in which a higher grade moves the value in one direction, whatever the document's rank."""

RISING_WITHIN = frozenset({"R", "F", "relative_P", "SetR", "SetF", "set_F", "SetRelP", "AllFound"})
"""The same for documents above the cutoff: below it a relevant document is one more that was missed."""

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

SPARSE = tr("with sparse judgments nearly everything is unjudged, and the bounds would be 0 and 1")
NOT_BOUNDABLE = tr("not boundable: {reason}", reason=SPARSE)
NEVER_REACHED = tr("a rank that is never reached has no value unless the size of the collection is given (N=…)")
GRADED_COMPAT = tr("with several grades its ideal ranking is a different one for each way to judge")
FRACTIONS = tr("it adds gains up to T in whole grades only, and the qrels contain fractions")
APART = tr("its measures break ties in different ways under this dialect")
MIXED = tr("its parts do not all rise, or all fall, when a document becomes relevant")
GAINS = tr("its gains by grade are set by a parameter")

WHY = {
    **dict.fromkeys(
        ("Judged", "unj", "rbp_resid"), tr("it measures how much is judged, which is just what new judgments change")
    ),
    **dict.fromkeys(
        ("ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall"),
        tr("an unjudged document could be relevant to any of the subtopics"),
    ),
    **dict.fromkeys(
        ("map_avgjg", "P_avgjg", "Rprec_mult_avgjg"), tr("each judge could give a document a different grade")
    ),
    **dict.fromkeys(
        (
            "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_simp", "prefs_pair", "prefs_avgjg",
            "prefs_avgjg_Rnonrel",
        ),
        tr("an unjudged document could be preferred to any other, or any other to it"),
    ),
    **dict.fromkeys(
        ("G", "ndcg_rel", "Rndcg"), tr("it is normalised at ranks that move with each grade, and no method is known")
    ),
    **dict.fromkeys(("Q", "nCG", "nERR"), tr("its ideal gains move with each way to judge, and no method is known")),
    **dict.fromkeys(
        ("xinfAP", "infNDCG"), tr("it estimates for the documents of the sample’s strata that were not judged")
    ),
    "relstring": tr("its values are texts"),
    "CitedRel": tr("it reads the grades of cited documents, which the ranked list may lack"),
    **dict.fromkeys(
        ("NuggetR", "WeightedScore", "NuggetF", "NuggetPyramid", "ContextR"),
        tr("it counts nuggets in answers; the grades of documents do not change it")
    ),
    **dict.fromkeys(
        ("SupportP", "SupportR", "CitationP", "CitationR"),
        tr("it reads judgments of citations; the grades of documents do not change it")
    ),
    **dict.fromkeys(
        ("Uncited", "CitationsPerSentence", "Used"), tr("it counts citations; the grades of documents do not change it")
    ),
    **dict.fromkeys(
        ("Length", "OverBudget"), tr("it measures the length of answers; the grades of documents do not change it")
    ),
    "Abstain": tr("it reads answers; the grades of documents do not change it"),
}  # fmt: skip
"""Families without bounds, with the reason."""


@dataclass(frozen=True)
class Scale:
    """The grades: ``grade`` the highest that an unjudged document may have, ``highest`` that of the qrels, ``positive``
    all grades above 0 in the qrels, ascending; ``requested`` where ``grade`` was chosen by the user."""

    grade: float
    highest: float
    positive: tuple[float, ...] = ()
    requested: bool = False

    @classmethod
    def of(cls, qrels: Qrels, grade: float | None = None) -> Scale:
        """Return the scale up to ``grade``; None: the qrels' highest, 1 where nothing in them is relevant."""
        positive = tuple(distinct(qrels.grades[qrels.grades > 0]).tolist())
        highest = qrels.max_grade
        if grade is None:
            return cls(highest if highest > 0 else 1.0, highest, positive)
        return cls(grade, highest, positive, requested=True)

    @property
    def whole(self) -> bool:
        """True if all grades are whole numbers."""
        return all(float(grade).is_integer() for grade in (self.grade, *self.positive))

    @property
    def binary(self) -> bool:
        """True if 1 is the only grade above 0."""
        return self.grade == 1 and set(self.positive) <= {1.0}

    def within(self, measure: Measure) -> Scale:
        """Return the scale for one measure. Where its relevance level is above all grades of the qrels, an unjudged
        document may reach it, unless the user chose a grade; a share of the highest grade is never more than 1."""
        if self.requested:
            scaled = (
                measure.name in SCALED and measure.parameter("gain") != "grade" and measure.parameter("rel") is None
            )
            return replace(self, grade=min(self.grade, self.highest)) if scaled and self.highest > 0 else self
        parts = measure.parts if isinstance(measure, Expression) else (measure,)
        levels = [part.parameter("rel") or 0 for part in parts if part.family.parameter("rel") is not None]
        return replace(self, grade=max([self.grade, *levels]))


def way_of(measure: Measure, regime: Regime, scale: Scale) -> tuple[Way, str]:
    """Return the method for the bounds of a measure and "", or "" and the reason why it has none."""
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
    return "", WHY.get(name) or tr("no method is known")


def reads_down_to(measure: Measure) -> int | None:
    """Return the last rank that a measure (of an expression, its deepest part) reads; None: the whole list."""
    if isinstance(measure, Expression):
        each = [reads_down_to(part) for part in measure.parts if part.name not in ("NumQ", "NumRel")]
        limits = [part for part in each if part is not None]
        return max(limits) if limits and len(limits) == len(each) else None
    ranked = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    return int(measure.cutoff) if ranked and measure.cutoff is not None else None


# --- expressions ---


def direction(measure: Expression) -> int | None:
    """Return 1 where an expression never falls when a grade rises, -1 where it never rises, 0 where it does not change;
    None if none of these is known."""
    limit = reads_down_to(measure)
    return direction_of(measure.tree, lambda part: _of_measure(part, limit))


def direction_of(node: Node, of_measure: Callable[[Measure], int | None]) -> int | None:
    """Return the direction of a node of an expression from those of its measures: 1, -1, 0, or None."""
    if node.measure is not None:
        return of_measure(node.measure)
    directions = [direction_of(child, of_measure) for child in node.nodes]
    if node.sign == "number":
        return 0
    if node.sign == "negative":
        return None if directions[0] is None else -directions[0]
    if node.sign in ("+", "min", "max"):
        return _joint(directions)
    if node.sign == "-":
        return _joint([directions[0], None if directions[1] is None else -directions[1]])
    if node.sign in ("sqrt", "log"):
        return directions[0]
    if node.sign == "abs":
        return directions[0] if _at_least_0(node.nodes[0]) else None
    number = next(
        (index for index, child in enumerate(node.nodes) if child.sign == "number" and child.measure is None), None
    )
    if number is not None and (node.sign == "*" or number == 1):
        value, direction = node.nodes[number].value, directions[1 - number]
        return 0 if not value else None if direction is None else direction if value > 0 else -direction
    if node.sign == "*" and all(_at_least_0(child) for child in node.nodes):
        return _joint(directions)
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
    nonzero = {direction for direction in directions if direction}
    return 0 if not nonzero else nonzero.pop() if len(nonzero) == 1 else None


def _at_least_0(node: Node) -> bool:
    if node.measure is not None:
        return node.measure.span[0] >= 0
    if node.sign == "number":
        return node.value >= 0
    if node.sign in ("+", "*", "/", "min", "max"):
        return all(_at_least_0(child) for child in node.nodes)
    return node.sign in ("sqrt", "abs")
