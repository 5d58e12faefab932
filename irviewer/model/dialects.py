"""Dialects: what each tool does otherwise, one frozen record a tool, and what that makes of a measure.

The rules are data. How ties are broken is the run's business (``Run.reordered``), how a measure is computed its own:
a dialect only says which. Every value was found by running the tool named."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from irviewer.errors import OptionError
from irviewer.model.dialect_rules import BITS, RULES, TIES, Rule
from irviewer.model.run import ScoreBits, TieRule

if TYPE_CHECKING:
    from irviewer.model.arrays import Floats
    from irviewer.model.measure import Measure

DEFAULT = "trec_eval"
PREFERENCES = "prefs_"
"""How the names of preference measures begin: trec_eval, which alone has them, ranks ties by document id ascending
there (form_prefs_counts.c), and descending everywhere else."""


@dataclass(frozen=True)
class Apart:
    """Measures for which a tool asks another program, which ranks ties in its own way (``by`` names it).

    ``cutoff`` narrows to measures with (True) or without (False) a cutoff, ``given`` to parameters of these values."""

    families: tuple[str, ...]
    ties: TieRule
    bits: ScoreBits
    by: str
    cutoff: bool | None = None
    given: tuple[tuple[str, Any], ...] = ()

    def holds(self, measure: Measure) -> bool:
        """Whether the measure is one of them."""
        return (
            measure.name in self.families
            and self.cutoff in (None, measure.cutoff is not None)
            and all(measure.parameter(name) == value for name, value in self.given)
        )


Ranks = TypeVar("Ranks", Apart, "Dialect")


@dataclass(frozen=True)
class Reading:
    """How run and qrels are read before a measure sees them: what one join depends on."""

    ties: TieRule = "descending"
    bits: ScoreBits = 64
    negatives_judged: bool = False


@dataclass(frozen=True)
class Treatment:
    """A measure as a dialect computes it: its parameters bound, and the reading it is computed on. An expression is put
    together from ``parts``, each of which may have a reading of its own."""

    measure: Measure
    reading: Reading
    parts: tuple[Treatment, ...] = ()

    def mean(self, values: Floats) -> float:
        """One number for the values of all queries that count, as the dialect sums the measure up. Whatever is shown as
        a measure's number over queries comes from here or, in a ResultTable, from a measure of it: a measure as it was
        asked for may be summed up otherwise (ranx has the mean where trec_eval has the sum)."""
        return self.measure.mean(values)


@dataclass(frozen=True)
class Dialect:
    """The rules of one tool.

    ties, bits          documents of equal score, and the bits a score has
    missing             queries of the qrels that a run lacks: refused, counted as 0, left out
    unanswerable        queries without a relevant document: 0, or left out
    negatives_judged    negative grades are judged non-relevant, not unjudged
    recall_cut          the number of documents that recall r takes: "nearest" lround(rR), "up" int(rR + .9), "exact"
                        the fewest n with n / R ≥ r
    err_top             ERR's highest grade: a number, "qrels" the highest there is, None the larger of 4 and that
    dcg                 gain and discount of DCG and nDCG where the person says none
    level_drops_gain    grades below the relevance level gain nothing in DCG, nDCG and RBP
    rbp_gain            RBP's gain where the person says no relevance: "share" of the highest grade, or the "grade"
    f_weight            beta in the F of a set: "squared", or "plain"
    hits                how counts of relevant documents found become one number: their "sum" or their "mean"
    names               whose the name "recall" is, which means two things
    apart               measures that another program computes
    remains             what the tool does that is not done here, and why
    """

    name: str
    title: str
    ties: TieRule = "descending"
    bits: ScoreBits = 64
    missing: Literal["refuse", "zero", "intersection"] = "refuse"
    unanswerable: Literal["zero", "drop"] = "zero"
    negatives_judged: bool = False
    recall_cut: Literal["nearest", "up", "exact"] = "nearest"
    err_top: float | Literal["qrels"] | None = None
    dcg: str = "log2"
    level_drops_gain: bool = False
    rbp_gain: Literal["share", "grade"] = "share"
    f_weight: Literal["squared", "plain"] = "squared"
    hits: Literal["sum", "mean"] = "sum"
    names: Literal["trec_eval", "ranx"] = "trec_eval"
    apart: tuple[Apart, ...] = ()
    remains: tuple[str, ...] = ()

    @property
    def reading(self) -> Reading:
        """How run and qrels are read for measures that are not computed apart."""
        return Reading(self.ties, self.bits, self.negatives_judged)

    def treat(self, measure: Measure, *, level: float = 1, max_grade: float = 0) -> Treatment:
        """A measure as this dialect computes it under a relevance level and the qrels' highest grade. What the person
        said stays as said; ``measure.asked`` is the text before."""
        from irviewer.model.expressions import Expression  # measures know options, and options know dialects
        from irviewer.model.measure import make

        if isinstance(measure, Expression):
            parts = {one.text: self.treat(one, level=level, max_grade=max_grade) for one in measure.parts}
            whole = measure.with_parts(lambda one: parts[one.text].measure)
            return Treatment(whole, self.reading, tuple(parts.values()))
        said = dict(measure.given)
        extra = {
            name: value
            for name, value in self._parameters(measure, level, max_grade).items()
            if name not in said and (known := measure.family.parameter(name)) is not None and known.default != value
        }
        bound = make(measure.family, {**said, **extra}, measure.cutoff) if extra else measure
        bound = bound.bind(level=level, max_grade=max_grade)
        if bound.text != measure.text:
            bound = replace(bound, asked=measure.asked or measure.text)
        apart = next((one for one in self.apart if one.holds(bound)), None)
        if apart is None:
            if bound.name.startswith(PREFERENCES) and self.ties == "descending":
                return Treatment(bound, replace(self.reading, ties="ascending"))
            return Treatment(bound, self.reading)
        return Treatment(bound, replace(self.reading, ties=apart.ties, bits=apart.bits))

    def _parameters(self, measure: Measure, level: float, max_grade: float) -> dict[str, Any]:
        """What this dialect binds where the person said nothing."""
        family = measure.name
        least = {"rel": level} if self.level_drops_gain and level != 1 else {}
        if family in ("DCG", "nDCG", "IdealDCG"):
            return {"dcg": self.dcg, **least}
        if family == "RBP":
            return {"gain": self.rbp_gain, **least}
        if family == "SetF":
            return {} if measure.parameter("beta") == 1 else {"weight": self.f_weight}
        if family == "NumRelRet":
            return {"over": self.hits}
        if family in ("IPrec", "11pt_avg"):
            return {"cut": self.recall_cut}
        if family == "ERR" and self.err_top is not None:
            return {"max_rel": max(max_grade, 1) if self.err_top == "qrels" else self.err_top}
        return {}

    def with_rule(self, rule: Rule, other: Dialect) -> Dialect:
        """This dialect with one rule taken from another."""
        taken: dict[str, Any] = {rule.name: getattr(other, rule.name)}
        if rule.name in ("ties", "bits"):
            rest = "bits" if rule.name == "ties" else "ties"
            kept = {rest: getattr(self, rest)}
            taken["apart"] = tuple(_rankable(replace(one, **kept)) for one in other.apart)
        return _rankable(replace(self, name=f"{self.name} + {rule.name} of {other.name}", **taken))

    def account(self) -> list[str]:
        """This dialect in words: the rules in which it is not the default, and the measures computed apart."""
        default = DIALECTS[DEFAULT]
        own = [rule for rule in RULES if getattr(self, rule.name) != getattr(default, rule.name)]
        lines = [rule.say(getattr(self, rule.name)) for rule in own]
        for one in self.apart:
            which = ", ".join(one.families) + ("@k" if one.cutoff else "")
            which += "".join(f" with {name}={value!r}" for name, value in one.given)
            lines.append(f"{which}: {TIES.say(one.ties)}, {BITS.say(one.bits)} ({one.by})")
        return lines

    def differing(self, other: Dialect) -> tuple[Rule, ...]:
        """The rules in which the two differ, in the order of RULES."""
        found = []
        for rule in RULES:
            mine, theirs = (
                (getattr(one, rule.name), *({getattr(a, rule.name) for a in one.apart} if rule.in_apart else ()))
                for one in (self, other)
            )
            if set(mine) != set(theirs):
                found.append(rule)
        return tuple(found)


def _rankable(rules: Ranks) -> Ranks:
    """Rules put together: the order of the file is kept of scores that are equal in 64 bits, and of no others."""
    return replace(rules, bits=64) if (rules.ties, rules.bits) == ("arrival", 32) else rules


_MARCO, _JUDGED, _COMPAT = "MS MARCO's script", "ir_measures' judged provider", "ir_measures' compat provider"
_DIVERSITY = ("ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall")
_CWL = ("RBP", "BPM", "SDCG", "NERR8", "NERR9", "NERR10", "NERR11", "INST", "INSQ")

DIALECTS: dict[str, Dialect] = {
    one.name: one
    for one in (
        Dialect(
            DEFAULT,
            "trec_eval 10",
            remains=("rbp of graded qrels is rescaled with variables that are never set; ours is the definition",),
        ),
        Dialect("trec_eval-9", "trec_eval 9", bits=32, missing="intersection", recall_cut="up"),
        Dialect(
            "ir_measures",
            "ir_measures 0.4",
            bits=32,  # pytrec_eval holds scores as C floats
            missing="zero",
            recall_cut="up",
            err_top=4,
            f_weight="plain",
            apart=(
                Apart(("RR",), "ascending", 64, _MARCO, cutoff=True),
                Apart(("Judged",), "ascending", 64, _JUDGED),
                Apart(("Compat",), "ascending", 64, _COMPAT),
                Apart(_CWL, "arrival", 64, "cwl_eval"),
                Apart(("Accuracy",), "arrival", 64, "ir_measures' accuracy provider"),
                Apart(_DIVERSITY, "ascending", 64, "pyndeval"),
                Apart(("ERR",), "descending", 64, "gdeval"),
                Apart(("nDCG",), "descending", 64, "gdeval", cutoff=True, given=(("dcg", "exp-log2"),)),
            ),
            remains=(
                "NumQ and NumRel count only the queries that the run has; ours those of the qrels",
                "ERR@k and nDCG(dcg='exp-log2')@k are gdeval's, each query's value rounded to five decimals",
                "Accuracy's mean leaves out queries where nothing relevant was returned; ours counts them as 0",
                "cwl_eval looks at 1,000 documents a query",
                "ERR_IA@1 and alpha_DCG@1 are ndeval's, which does not divide the first rank by the subtopics; ours do",
                "Compat's ideal list has documents of equal grade and score in the order of the qrels; ours by rank",
                "Compat's ideal list has documents that were not returned at score 0, above returned ones of their "
                "grade whose scores are negative; ours has them last",
            ),
        ),
        Dialect(
            "ranx",
            "ranx 0.3",
            ties="arrival",
            missing="zero",
            negatives_judged=True,
            recall_cut="up",
            level_drops_gain=True,
            rbp_gain="grade",
            hits="mean",
            names="ranx",
            remains=(
                "more than 15 documents a query are sorted by a quicksort that leaves ties in an order of its own",
                "bpref without judged non-relevant documents is nan (0 / 0)",
                "bpref without relevant documents fails, and queries after it in the same thread are 0",
                "without make_comparable a run that lacks a query, or has one more, is refused",
            ),
        ),
        Dialect(
            "gdeval",
            "gdeval",
            missing="intersection",
            unanswerable="drop",
            negatives_judged=True,
            err_top=4,
            dcg="exp-log2",
            remains=("values have five decimals", "queries are numbers, and a grade above 4 ends the program"),
        ),
        Dialect(
            "textbook",
            "textbooks",
            ties="arrival",
            missing="zero",
            negatives_judged=True,
            recall_cut="exact",
            err_top="qrels",
            dcg="jk",
        ),
    )
}  # fmt: skip
"""By name; the first is the default."""


def dialect_of(dialect: str | Dialect) -> Dialect:
    """The rules of that name, or the rules themselves. Raises OptionError with the names there are."""
    if isinstance(dialect, Dialect):
        return dialect
    found = DIALECTS.get(dialect)
    if found is None:
        near = difflib.get_close_matches(dialect.lower(), DIALECTS, n=1, cutoff=0.4)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise OptionError(f"unknown dialect {dialect!r} (there are {', '.join(DIALECTS)}){hint}")
    return found
