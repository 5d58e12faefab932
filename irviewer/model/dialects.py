"""Dialects: what each tool does otherwise, one frozen record a tool, and what that makes of a measure.

The rules are data. How ties are broken is the run's business (``Run.reordered``), how a measure is computed its own:
a dialect only says which. Every value was found by running the tool named."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

from irviewer.errors import OptionError
from irviewer.model.dialect_rules import BITS, RULES, TIES, Rule
from irviewer.model.run import ScoreBits, TieRule

DEFAULT = "trec_eval"


@dataclass(frozen=True)
class ExternalProvider:
    """Measures for which a tool asks another program, which ranks ties in its own way (``by`` names it).

    ``cutoff`` narrows to measures with (True) or without (False) a cutoff, ``given`` to parameters of these values."""

    families: tuple[str, ...]
    ties: TieRule
    bits: ScoreBits
    by: str
    cutoff: bool | None = None
    given: tuple[tuple[str, Any], ...] = ()


Ranks = TypeVar("Ranks", ExternalProvider, "Dialect")


@dataclass(frozen=True)
class JoinOptions:
    """How run and qrels are read before a measure sees them: what one join depends on."""

    ties: TieRule = "descending"
    bits: ScoreBits = 64
    negatives_judged: bool = False


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
    apart: tuple[ExternalProvider, ...] = ()
    remains: tuple[str, ...] = ()

    @cached_property
    def join_options(self) -> JoinOptions:
        """How run and qrels are read for measures that are not computed apart."""
        return JoinOptions(self.ties, self.bits, self.negatives_judged)

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
                ExternalProvider(("RR",), "ascending", 64, _MARCO, cutoff=True),
                ExternalProvider(("Judged",), "ascending", 64, _JUDGED),
                ExternalProvider(("Compat",), "ascending", 64, _COMPAT),
                ExternalProvider(_CWL, "arrival", 64, "cwl_eval"),
                ExternalProvider(("Accuracy",), "arrival", 64, "ir_measures' accuracy provider"),
                ExternalProvider(_DIVERSITY, "ascending", 64, "pyndeval"),
                ExternalProvider(("ERR",), "descending", 64, "gdeval"),
                ExternalProvider(("nDCG",), "descending", 64, "gdeval", cutoff=True, given=(("dcg", "exp-log2"),)),
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
