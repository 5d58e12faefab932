"""Other tools' names for measures: trec_eval's (with its order, its groups, its defaults) and ranx's.

The one home of every alias that is more than another spelling of a family's name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from irviewer.errors import MeasureError
from irviewer.measures.base import Cutoff, Family, Measure, make
from irviewer.measures.registry import families, family_named

RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(step / 10 for step in range(11))
FIFTHS = tuple(step / 5 for step in range(1, 11))


@dataclass(frozen=True)
class TrecName:
    """One name of trec_eval: the family it is, fixed parameters, default cutoffs; ``named`` is the parameter that
    stands after a dot (``set_F.0.5``); ``summary_only`` is printed in the summary and not by query."""

    name: str
    family: str
    parameters: dict[str, Any] = field(default_factory=dict)
    cutoffs: Sequence[float] = ()
    named: str = ""
    summary_only: bool = False


PREFERENCES = (
    TrecName("prefs_num_prefs_poss", "prefs_num_prefs_poss"),
    TrecName("prefs_num_prefs_ful", "prefs_num_prefs_ful"),
    TrecName("prefs_num_prefs_ful_ret", "prefs_num_prefs_ful", {"pairs": "ret"}),
    TrecName("prefs_simp", "prefs_simp"),
    TrecName("prefs_pair", "prefs_pair"),
    TrecName("prefs_avgjg", "prefs_avgjg"),
    TrecName("prefs_avgjg_Rnonrel", "prefs_avgjg_Rnonrel"),
    TrecName("prefs_simp_ret", "prefs_simp", {"pairs": "ret"}),
    TrecName("prefs_pair_ret", "prefs_pair", {"pairs": "ret"}),
    TrecName("prefs_avgjg_ret", "prefs_avgjg", {"pairs": "ret"}),
    TrecName("prefs_avgjg_Rnonrel_ret", "prefs_avgjg_Rnonrel", {"pairs": "ret"}),
    TrecName("prefs_simp_imp", "prefs_simp", {"pairs": "imp"}),
    TrecName("prefs_pair_imp", "prefs_pair", {"pairs": "imp"}),
    TrecName("prefs_avgjg_imp", "prefs_avgjg", {"pairs": "imp"}),
)

TREC_NAMES: tuple[TrecName, ...] = (
    TrecName("num_q", "NumQ", summary_only=True),
    TrecName("num_ret", "NumRet"),
    TrecName("num_rel", "NumRel"),
    TrecName("num_rel_ret", "NumRelRet"),
    TrecName("map", "AP"),
    TrecName("gm_map", "gm_map", summary_only=True),
    TrecName("Rprec", "Rprec"),
    TrecName("bpref", "Bpref"),
    TrecName("recip_rank", "RR"),
    TrecName("iprec_at_recall", "IPrec", cutoffs=TENTHS),
    TrecName("P", "P", cutoffs=RANKS),
    TrecName("relstring", "relstring", named="length"),
    TrecName("recall", "R", cutoffs=RANKS),
    TrecName("infAP", "infAP"),
    TrecName("gm_bpref", "gm_bpref", summary_only=True),
    TrecName("Rprec_mult", "Rprec_mult", cutoffs=FIFTHS),
    TrecName("utility", "utility", named="coefficients"),
    TrecName("11pt_avg", "11pt_avg", named="points"),
    TrecName("binG", "binG"),
    TrecName("G", "G", named="gains"),
    TrecName("ndcg", "nDCG", named="gains"),
    TrecName("ndcg_rel", "ndcg_rel", named="gains"),
    TrecName("Rndcg", "Rndcg", named="gains"),
    TrecName("ndcg_cut", "nDCG", cutoffs=RANKS),
    TrecName("map_cut", "AP", cutoffs=RANKS),
    TrecName("relative_P", "relative_P", cutoffs=RANKS),
    TrecName("success", "Success", cutoffs=(1, 5, 10)),
    TrecName("set_P", "SetP"),
    TrecName("set_relative_P", "SetRelP"),
    TrecName("set_recall", "SetR"),
    TrecName("set_map", "SetAP"),
    TrecName("set_F", "set_F", named="x"),
    TrecName("num_nonrel_judged_ret", "num_nonrel_judged_ret"),
    *PREFERENCES,
    TrecName("map_avgjg", "map_avgjg"),
    TrecName("P_avgjg", "P_avgjg", cutoffs=RANKS),
    TrecName("Rprec_mult_avgjg", "Rprec_mult_avgjg", cutoffs=FIFTHS),
    TrecName("rbp", "RBP", {"p": 0.9}, named="p"),
    TrecName("rbp_resid", "rbp_resid", named="p"),
    TrecName("unj", "unj", cutoffs=(5, 10, 20)),
    TrecName("yaap", "yaap"),
    TrecName("dcg", "DCG", named="gains"),
    TrecName("ideal_dcg", "IdealDCG", named="gains"),
)
"""In trec_eval's order of output."""

_OF_GROUPS = ("map_avgjg", "P_avgjg", "Rprec_mult_avgjg")
GROUPS: dict[str, tuple[str, ...]] = {
    "official": (
        "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
        "iprec_at_recall", "P",
    ),
    "set": ("num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_relative_P", "set_recall", "set_map",
            "set_F"),
    "all_prefs": ("num_q", *(one.name for one in PREFERENCES)),
    "prefs": ("num_q", *(one.name for one in PREFERENCES[:6])),
    "qrels_jg": ("num_q", *_OF_GROUPS),
    "all_trec": tuple(
        one.name
        for one in TREC_NAMES
        if one not in PREFERENCES and one.name not in ("yaap", "dcg", "ideal_dcg", *_OF_GROUPS)
    ),
}  # fmt: skip
"""trec_eval's groups; ``runid``, which is no number, is the output format's."""
RUNID = "runid"

_TREC = {one.name: one for one in TREC_NAMES}
_PLACE = {one.name: place for place, one in enumerate(TREC_NAMES)}

_RANX: dict[str, tuple[str, dict[str, Any]]] = {
    "hits": ("NumRelRet", {}),
    "hit_rate": ("Success", {}),
    "precision": ("P", {}),
    "recall": ("R", {}),
    "f1": ("F", {}),
    "r-precision": ("Rprec", {}),
    "bpref": ("Bpref", {}),
    "rbp": ("RBP", {}),
    "mrr": ("RR", {}),
    "map": ("AP", {}),
    "dcg": ("DCG", {}),
    "dcg_burges": ("DCG", {"dcg": "exp-log2"}),
    "ndcg": ("nDCG", {}),
    "ndcg_burges": ("nDCG", {"dcg": "exp-log2"}),
}
_WHOLE_LIST = {"P": "SetP", "R": "SetR", "F": "SetF"}


def names() -> tuple[str, ...]:
    """Every name that this module adds to the families' own."""
    return tuple(dict.fromkeys((*GROUPS, *(one for one in _TREC if _TREC[one].family in families()), *_RANX)))


def group_measures(group: str) -> tuple[Measure, ...]:
    """The measures of one of GROUPS, in trec_eval's order."""
    names_of = (_TREC[name] for name in GROUPS[group])
    return tuple(one for name in names_of if family_named(name.family) for one in _all_of(name))


def _family(name: str) -> Family:
    found = family_named(name)
    assert found is not None
    return found


def _all_of(name: TrecName) -> tuple[Measure, ...]:
    family = _family(name.family)
    return tuple(make(family, name.parameters, cutoff) for cutoff in (name.cutoffs or (None,)))


def trec_measures(text: str) -> tuple[Measure, ...]:
    """trec_eval's notation: ``P``, ``P_5``, ``P.5,10``, ``set_F.0.5``, ``ndcg.1=3,2=9``, ``rbp.p=0.5``."""
    head, dot, tail = text.partition(".")
    if head in _TREC and family_named(_TREC[head].family) and "(" not in text and "@" not in text:
        name = _TREC[head]
        if not dot:
            # P and R are also families that need a cutoff: without one the text is trec_eval's.
            return _all_of(name)
        if name.name == "rbp" and re.fullmatch(r"\d+(-l\d+)?", tail):
            return ()  # rbp.95 and rbp.95-l2 are ranx's .95; trec_eval's is written rbp.0.95
        return _with_tail(text, name, tail)
    return ()


_SAID = r"(?:\d+=|p=)?[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?"
_PRINTED = re.compile(rf"(?P<name>\w+?)_(?P<tail>{_SAID}(?:,{_SAID})*)", re.ASCII)


def printed_measures(text: str) -> tuple[Measure, ...]:
    """A name as trec_eval prints it: ``P_5``, ``utility_2,-1,0,0``, ``ndcg_1=3,2=9``, ``rbp_p=0.5``."""
    match = _PRINTED.fullmatch(text)
    found = _TREC.get(match["name"]) if match else None
    if match and found and (found.cutoffs or found.named) and family_named(found.family):
        return _with_tail(text, found, match["tail"])
    return ()


def _with_tail(text: str, name: TrecName, tail: str) -> tuple[Measure, ...]:
    family = _family(name.family)
    try:
        if name.cutoffs:
            ranks = family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
            cutoffs = sorted({int(one) if ranks else float(one) for one in tail.split(",")})
            return tuple(make(family, name.parameters, cutoff) for cutoff in cutoffs)
        if name.named == "gains":
            pairs = (pair.split("=") for pair in tail.split(","))
            return (make(family, {"gains": {int(grade): float(gain) for grade, gain in pairs}}),)
        if name.named == "points":
            return (make(family, {"points": [float(one) for one in tail.split(",")]}),)
        if name.named == "coefficients":
            parts = dict(zip(("a", "b", "c", "d"), (float(one) for one in tail.split(",")), strict=True))
            return (make(family, parts),)
        if name.named:
            value = tail.removeprefix("p=") if name.named == "p" else tail  # rbp alone is told the parameter's name
            return (make(family, {**name.parameters, name.named: float(value)}),)
    except ValueError as error:
        where = "the dot" if text.startswith(f"{name.name}.") else f"{name.name}_"
        raise MeasureError(f"{text}: cannot read {tail!r} after {where}") from error
    raise MeasureError(f"{text}: {name.name} takes nothing after a dot")


def ranx_measures(text: str) -> tuple[Measure, ...]:
    """ranx's notation: ``ndcg@10``, ``precision@5-l2``, ``rbp.95``."""
    match = re.fullmatch(r"(?P<name>[a-z0-9_-]+?)(?:\.(?P<p>\d+))?(?:@(?P<cutoff>\d+))?(?:-l(?P<level>\d+))?", text)
    if match is None or match["name"] not in _RANX or (match["p"] and match["name"] != "rbp"):
        return ()
    name, parameters = _RANX[match["name"]]
    cutoff = int(match["cutoff"]) if match["cutoff"] else None
    if cutoff is None:
        name = _WHOLE_LIST.get(name, name)
    family = _family(name)
    if match["p"]:
        parameters = {**parameters, "p": float(f"0.{match['p']}")}
    if match["level"]:
        parameters = {**parameters, "rel": int(match["level"])}
    return (make(family, parameters, cutoff),)


def trec_name(measure: Measure, level: float = 1) -> tuple[str, int, bool] | None:
    """trec_eval's printed name of a measure, its place in the order of output, and whether it stands in the summary
    only; None for a measure that trec_eval lacks. The relevance level is an option there (-l, ``level``), not part of
    the name: a measure that has another level is not trec_eval's."""
    relevance = measure.family.parameter("rel")
    said = {
        key: value
        for key, value in measure.given
        # Versions 9 and 10 cut recall in two ways and call both the same.
        if key != "cut" and not (key == "rel" and value == level and relevance is not None and relevance.level)
    }
    for one in TREC_NAMES:
        if one.family != measure.name or bool(one.cutoffs) != (measure.cutoff is not None):
            continue
        rest = {key: value for key, value in said.items() if one.parameters.get(key) != value}
        if any(measure.parameter(key) != value for key, value in one.parameters.items() if key != one.named):
            continue
        suffix = ""
        if one.named == "gains" and set(rest) == {"gains"}:
            suffix = "_" + ",".join(f"{grade:g}={gain:g}" for grade, gain in rest["gains"].items())
        elif one.named == "points" and set(rest) == {"points"}:
            suffix = "_" + ",".join(f"{level:g}" for level in rest["points"])
        elif one.named == "coefficients" and rest:
            suffix = "_" + ",".join(f"{measure.parameter(key):g}" for key in ("a", "b", "c", "d"))
        elif one.named and set(rest) == {one.named}:
            suffix = f"_{'p=' if one.named == 'p' else ''}{rest[one.named]:g}"
        elif rest or any(measure.parameter(key) != value for key, value in one.parameters.items()):
            continue
        if measure.cutoff is not None:
            ranks = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
            suffix = f"_{int(measure.cutoff)}" if ranks else f"_{measure.cutoff:.2f}"
        return one.name + suffix, _PLACE[one.name], one.summary_only
    return None


def trec_sort_key(measure: Measure, level: float = 1) -> tuple[int, float]:
    """Where a measure stands in trec_eval's output; those that it lacks come last, in the order given."""
    found = trec_name(measure, level)
    if found is None:
        return len(TREC_NAMES), 0.0
    return found[1], measure.cutoff or 0.0


def alias_names(family: Family) -> tuple[str, ...]:
    """The other names of a family: its own aliases, trec_eval's and ranx's."""
    trec = (one.name for one in TREC_NAMES if one.family == family.name)
    ranx = (name for name, (wanted, parameters) in _RANX.items() if wanted == family.name and not parameters)
    return tuple(dict.fromkeys(one for one in (*family.aliases, *trec, *ranx) if one != family.name))
