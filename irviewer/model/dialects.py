"""Dialects: the rules by which tools differ, one frozen record per tool.

The rules are data: ``Run.reordered`` breaks ties, measures compute values. Every value was determined by running the
tool."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

from irviewer.errors import OptionError
from irviewer.model.dialect_rules import BITS, RULES, TIES, Rule
from irviewer.model.run import ScoreBits, TieRule
from irviewer.translation import tr

DEFAULT = "trec_eval"


@dataclass(frozen=True)
class ExternalProvider:
    """Measures for which a tool uses another program with its own rule for ties.

    by       the program's name
    cutoff   only measures with (True) or without (False) a cutoff; None: both
    given    only measures with these values of parameters"""

    families: tuple[str, ...]
    ties: TieRule
    bits: ScoreBits
    by: str
    cutoff: bool | None = None
    given: tuple[tuple[str, Any], ...] = ()


Ranks = TypeVar("Ranks", ExternalProvider, "Dialect")


@dataclass(frozen=True)
class JoinOptions:
    """The rules on which the join of a run with qrels depends."""

    ties: TieRule = "descending"
    bits: ScoreBits = 64
    negatives_judged: bool = False


@dataclass(frozen=True)
class Dialect:
    """The rules of one tool.

    ties, bits          the order of documents of equal score, and the bits of a score
    missing             queries of the qrels that a run lacks: refused, counted as 0, or left out
    unanswerable        queries without relevant documents: 0, or left out
    negatives_judged    negative grades are judged non-relevant, not unjudged
    recall_cut          the number of relevant documents needed for recall r: "nearest" lround(rR), "up" int(rR + .9),
                        "exact" the smallest n with n / R ≥ r
    err_top             ERR's highest grade: a number, "qrels" the highest of the qrels, None that or 4 if it is lower
    dcg                 the default gain and discount of DCG and nDCG
    level_drops_gain    grades below the relevance level have no gain in DCG, nDCG and RBP
    rbp_gain            RBP's gain without a relevance level: the "share" of the highest grade, or the "grade"
    f_weight            beta in the F of a set: "squared" or "plain"
    hits                how counts of relevant documents are combined: "sum" or "mean"
    names               the tool whose meaning the name "recall" has
    apart               measures that another program computes
    remains             differences of the tool that are not reproduced, with the reasons
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
        """The rules of the join, for measures that no other program computes."""
        return JoinOptions(self.ties, self.bits, self.negatives_judged)

    def with_rule(self, rule: Rule, other: Dialect) -> Dialect:
        """Return this dialect with one rule of another."""
        changes: dict[str, Any] = {rule.name: getattr(other, rule.name)}
        if rule.name in ("ties", "bits"):
            untouched = "bits" if rule.name == "ties" else "ties"
            unchanged = {untouched: getattr(self, untouched)}
            changes["apart"] = tuple(_rankable(replace(provider, **unchanged)) for provider in other.apart)
        return _rankable(replace(self, name=f"{self.name} + {rule.name} of {other.name}", **changes))

    def account(self) -> list[str]:
        """Return descriptions of the rules that differ from the default dialect and of other programs' measures."""
        default = DIALECTS[DEFAULT]
        own = [rule for rule in RULES if getattr(self, rule.name) != getattr(default, rule.name)]
        lines = [rule.say(getattr(self, rule.name)) for rule in own]
        for provider in self.apart:
            measures = ", ".join(provider.families) + ("@k" if provider.cutoff else "")
            if provider.given:
                parameters = ", ".join(f"{name}={value!r}" for name, value in provider.given)
                measures = tr("{measures} with {parameters}", measures=measures, parameters=parameters)
            lines.append(f"{measures}: {TIES.say(provider.ties)}, {BITS.say(provider.bits)} ({provider.by})")
        return lines

    def differing(self, other: Dialect) -> tuple[Rule, ...]:
        """Return the rules by which two dialects differ, in the order of RULES."""
        differing = []
        for rule in RULES:
            own, others = (
                (
                    getattr(dialect, rule.name),
                    *({getattr(provider, rule.name) for provider in dialect.apart} if rule.in_apart else ()),
                )
                for dialect in (self, other)
            )
            if set(own) != set(others):
                differing.append(rule)
        return tuple(differing)


def _rankable(rules: Ranks) -> Ranks:
    """Return rules by which a run can be ranked: the order of the file is known for equal 64-bit scores only."""
    return replace(rules, bits=64) if (rules.ties, rules.bits) == ("arrival", 32) else rules


_MARCO, _JUDGED, _COMPAT = "MS MARCO's script", "ir_measures' judged provider", "ir_measures' compat provider"
_DIVERSITY = ("ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall")
_CWL = ("RBP", "BPM", "SDCG", "NERR8", "NERR9", "NERR10", "NERR11", "INST", "INSQ")

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            DEFAULT,
            "trec_eval 10",
            remains=(
                tr("rbp of graded qrels: trec_eval rescales it with variables never set; irviewer uses the definition"),
            ),
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
                tr("NumQ and NumRel: ir_measures counts only the queries of the run; irviewer those of the qrels"),
                tr(
                    "ERR@k and nDCG(dcg='exp-log2')@k: ir_measures uses gdeval, which rounds values of queries to five "
                    "decimals"
                ),
                tr(
                    "Accuracy: the mean of ir_measures leaves out queries without relevant documents returned; "
                    "irviewer counts them as 0"
                ),
                tr("cwl_eval reads 1,000 documents per query"),
                tr(
                    "ERR_IA@1 and alpha_DCG@1: ndeval does not divide the first rank by the number of subtopics; "
                    "irviewer does"
                ),
                tr(
                    "Compat: documents of equal grade and score are in the order of the qrels in the ideal ranking; "
                    "irviewer orders them by rank"
                ),
                tr(
                    "Compat: in the ideal ranking, documents that were not returned have score 0, above returned ones "
                    "of the same grade with negative scores; irviewer puts them last"
                ),
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
                tr("ties of queries with more than 15 documents: ranx sorts with a quicksort that changes their order"),
                tr("bpref without judged non-relevant documents: ranx has nan (0 / 0)"),
                tr("bpref without relevant documents: ranx fails, and later queries of the same thread are 0"),
                tr("runs with missing or additional queries: ranx refuses them without make_comparable"),
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
            remains=(
                tr("values: gdeval has five decimals"),
                tr("query ids and grades: gdeval needs numbers as ids and stops at a grade above 4"),
            ),
        ),
        Dialect(
            "textbook",
            tr("textbooks"),
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
    """Return the dialect of this name, or the dialect itself. Raises OptionError with the known names."""
    if isinstance(dialect, Dialect):
        return dialect
    named = DIALECTS.get(dialect)
    if named is not None:
        return named
    known = ", ".join(DIALECTS)
    near = difflib.get_close_matches(dialect.lower(), DIALECTS, n=1, cutoff=0.4)
    if near:
        raise OptionError(
            tr(
                "unknown dialect {name!r} (known: {known}); did you mean {suggestion}?",
                name=dialect,
                known=known,
                suggestion=near[0],
            )
        )
    raise OptionError(tr("unknown dialect {name!r}; use one of: {known}", name=dialect, known=known))
