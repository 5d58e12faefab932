"""Names of measures in other tools: trec_eval's, with its order, groups and defaults, and ranx's.

Aliases that are only another spelling are in the families."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from irviewer.errors import MeasureError
from irviewer.measures.base import Cutoff, Family, Measure, make
from irviewer.measures.registry import families, family_named
from irviewer.translation import say_as, tr

RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(step / 10 for step in range(11))
FIFTHS = tuple(step / 5 for step in range(1, 11))


@dataclass(frozen=True)
class TrecName:
    """A measure name of trec_eval.

    family        the family, with fixed ``parameters`` and default ``cutoffs``
    named         the parameter written after a dot (``set_F.0.5``)
    summary_only  printed in the summary and not by query"""

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
    "all_prefs": ("num_q", *(name.name for name in PREFERENCES)),
    "prefs": ("num_q", *(name.name for name in PREFERENCES[:6])),
    "qrels_jg": ("num_q", *_OF_GROUPS),
    "all_trec": tuple(
        name.name
        for name in TREC_NAMES
        if name not in PREFERENCES and name.name not in ("yaap", "dcg", "ideal_dcg", *_OF_GROUPS)
    ),
}  # fmt: skip
"""trec_eval's groups, without ``runid``, which is not a number; the output format prints it."""
RUNID = "runid"

_TREC = {name.name: name for name in TREC_NAMES}
_POSITION = {name.name: position for position, name in enumerate(TREC_NAMES)}

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
_NUGGETIZER: dict[str, tuple[str, dict[str, Any]]] = {
    f"{short}{suffix}": ("NuggetR", {"weight": weight, **({"strict": True} if suffix else {})})
    for weight, short in (("vital", "V"), ("weighted", "W"), ("all", "A"))
    for suffix in ("", "_strict")
} | {
    f"{prefix}{weight}_score": ("NuggetR", {"weight": weight, **({"strict": True} if prefix else {})})
    for weight in ("vital", "weighted", "all")
    for prefix in ("", "strict_")
}
"""The names of TREC RAG's papers and of the nuggetizer's files."""
_WHOLE_LIST = {"P": "SetP", "R": "SetR", "F": "SetF"}


def names() -> tuple[str, ...]:
    """Return all names that this module adds to those of the families."""
    return tuple(
        dict.fromkeys((*GROUPS, *(name for name in _TREC if _TREC[name].family in families()), *_RANX, *_NUGGETIZER))
    )


def group_measures(group: str) -> tuple[Measure, ...]:
    """Return the measures of one of GROUPS, in trec_eval's order."""
    members = (_TREC[name] for name in GROUPS[group])
    return tuple(measure for name in members if family_named(name.family) for measure in _all_of(name))


def _family(name: str) -> Family:
    family = family_named(name)
    assert family is not None
    return family


def _all_of(name: TrecName) -> tuple[Measure, ...]:
    family = _family(name.family)
    return tuple(make(family, name.parameters, cutoff) for cutoff in (name.cutoffs or (None,)))


def trec_measures(text: str) -> tuple[Measure, ...]:
    """Return the measures of a text in trec_eval's notation: ``P``, ``P_5``, ``P.5,10``, ``set_F.0.5``,
    ``ndcg.1=3,2=9``, ``rbp.p=0.5``; none for another text."""
    head, dot, tail = text.partition(".")
    if head in _TREC and family_named(_TREC[head].family) and "(" not in text and "@" not in text:
        name = _TREC[head]
        if not dot:
            # P and R are also families, but these need a cutoff.
            return _all_of(name)
        if name.name == "rbp" and re.fullmatch(r"\d+(-l\d+)?", tail):
            return ()  # rbp.95 and rbp.95-l2 are ranx's; trec_eval writes rbp.0.95
        return _with_tail(text, name, tail)
    return ()


_NUMBER = r"(?:\d+=|p=)?[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?"
_PRINTED = rf"(?P<name>\w+?)_(?P<tail>{_NUMBER}(?:,{_NUMBER})*)"


def printed_measures(text: str) -> tuple[Measure, ...]:
    """Return the measures of a name as trec_eval prints it: ``P_5``, ``utility_2,-1,0,0``, ``ndcg_1=3,2=9``,
    ``rbp_p=0.5``; none for another text."""
    match = re.fullmatch(_PRINTED, text, re.ASCII)
    name = _TREC.get(match["name"]) if match else None
    if match and name and (name.cutoffs or name.named) and family_named(name.family):
        return _with_tail(text, name, match["tail"])
    return ()


def _with_tail(text: str, name: TrecName, tail: str) -> tuple[Measure, ...]:
    family = _family(name.family)
    try:
        if name.cutoffs:
            ranks = family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
            cutoffs = sorted({int(number) if ranks else float(number) for number in tail.split(",")})
            return tuple(make(family, name.parameters, cutoff) for cutoff in cutoffs)
        if name.named == "gains":
            pairs = (pair.split("=") for pair in tail.split(","))
            return (make(family, {"gains": {int(grade): float(gain) for grade, gain in pairs}}),)
        if name.named == "points":
            return (make(family, {"points": [float(number) for number in tail.split(",")]}),)
        if name.named == "coefficients":
            coefficients = dict(zip(("a", "b", "c", "d"), (float(number) for number in tail.split(",")), strict=True))
            return (make(family, coefficients),)
        if name.named:
            value = tail.removeprefix("p=") if name.named == "p" else tail  # only rbp is written with the name
            return (make(family, {**name.parameters, name.named: float(value)}),)
    except ValueError as error:
        start = text.removesuffix(tail)
        raise MeasureError(
            tr("{measure}: cannot read {text!r} after {start!r}", measure=text, text=tail, start=start)
        ) from error
    raise MeasureError(tr("{measure}: {name} takes no parameter after a dot", measure=text, name=name.name))


def ranx_measures(text: str) -> tuple[Measure, ...]:
    """Return the measure of a text in ranx's notation: ``ndcg@10``, ``precision@5-l2``, ``rbp.95``; none for another
    text."""
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


def nuggetizer_measures(text: str, arguments: Mapping[str, Any] | None = None) -> tuple[Measure, ...]:
    """Return the measure of a name of TREC RAG's papers or the nuggetizer's files, ``V_strict`` or
    ``strict_vital_score``, with further parameters; none for another text. Raises MeasureError for a parameter that the
    name says already."""
    if text not in _NUGGETIZER:
        return ()
    name, parameters = _NUGGETIZER[text]
    if twice := parameters.keys() & (arguments or {}).keys():
        raise MeasureError(
            tr("{measure}: the name says {parameter} already; write {family}", measure=text, parameter=min(twice),
               family=name)
        )  # fmt: skip
    return (make(_family(name), {**parameters, **(arguments or {})}),)


def nuggetizer_family(text: str) -> Family | None:
    """Return the family of such a name, None for another text."""
    return _family(_NUGGETIZER[text][0]) if text in _NUGGETIZER else None


def nuggetizer_name(measure: Measure) -> str:
    """Return the name of a measure in TREC RAG's papers, ``V_strict``; "" for one that they do not name."""
    return _nuggetizer_names().get(measure.text, "")


@cache
def _nuggetizer_names() -> Mapping[str, str]:
    """Return the names of TREC RAG's papers by the texts of their measures."""
    names: dict[str, str] = {}
    for name, (family, parameters) in _NUGGETIZER.items():
        names.setdefault(make(_family(family), parameters).text, name)
    return names


def usual_name(measure: Measure | str) -> str:
    """Return the name of a measure (or of its text) as people read it: that of TREC RAG's papers where they name it,
    with what the name does not say in brackets, else its text. The parts of an expression are named so, too."""
    text = str(measure)
    if "NuggetR(" not in text:
        return text
    return re.sub(r"NuggetR\(([^()]*)\)", lambda match: _usual_name(match[1]), text)


@cache
def _usual_name(arguments: str) -> str:
    """Return the usual name of the nugget recall with these arguments: ``V_strict(missing='undefined')``."""
    given = arguments.split(",")
    own = {text.removeprefix("NuggetR(")[:-1]: name for text, name in _nuggetizer_names().items()}
    known = [text for text in own if {*text.split(",")} <= {*given}]
    if not known:
        return f"NuggetR({arguments})"
    said = max(known, key=len)
    rest = ",".join(each for each in given if each not in said.split(","))
    return f"{own[said]}({rest})" if rest else own[said]


say_as("measure", usual_name)


def trec_name(measure: Measure, level: float = 1) -> tuple[str, int, bool] | None:
    """Return trec_eval's printed name of a measure, its position in the output, and whether it is in the summary only;
    None for a measure that trec_eval lacks.

    In trec_eval the relevance level is an option (-l, ``level``), not part of the name: measures of another level have
    no name."""
    relevance = measure.family.parameter("rel")
    given = {
        key: value
        for key, value in measure.given
        # Versions 9 and 10 round recall differently under the same name.
        if key != "cut" and not (key == "rel" and value == level and relevance is not None and relevance.level)
    }
    for name in TREC_NAMES:
        if name.family != measure.name or bool(name.cutoffs) != (measure.cutoff is not None):
            continue
        rest = {key: value for key, value in given.items() if name.parameters.get(key) != value}
        if any(measure.parameter(key) != value for key, value in name.parameters.items() if key != name.named):
            continue
        suffix = ""
        if name.named == "gains" and set(rest) == {"gains"}:
            suffix = "_" + ",".join(f"{grade:g}={gain:g}" for grade, gain in rest["gains"].items())
        elif name.named == "points" and set(rest) == {"points"}:
            suffix = "_" + ",".join(f"{level:g}" for level in rest["points"])
        elif name.named == "coefficients" and rest:
            suffix = "_" + ",".join(f"{measure.parameter(key):g}" for key in ("a", "b", "c", "d"))
        elif name.named and set(rest) == {name.named}:
            suffix = f"_{'p=' if name.named == 'p' else ''}{rest[name.named]:g}"
        elif rest or any(measure.parameter(key) != value for key, value in name.parameters.items()):
            continue
        if measure.cutoff is not None:
            ranks = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
            suffix = f"_{int(measure.cutoff)}" if ranks else f"_{measure.cutoff:.2f}"
        return name.name + suffix, _POSITION[name.name], name.summary_only
    return None


def trec_sort_key(measure: Measure, level: float = 1) -> tuple[int, float]:
    """Return the sort key of a measure in trec_eval's output; measures that it lacks come last, in the order given."""
    name = trec_name(measure, level)
    if name is None:
        return len(TREC_NAMES), 0.0
    return name[1], measure.cutoff or 0.0


def alias_names(family: Family) -> tuple[str, ...]:
    """Return the other names of a family: its own aliases, trec_eval's and ranx's."""
    names = (*family.aliases, *_tools_names().get(family.name, ()))
    return tuple(dict.fromkeys(name for name in names if name != family.name))


@cache
def _tools_names() -> Mapping[str, Sequence[str]]:
    """Return each family's names of trec_eval and of ranx, by its own name."""
    names: dict[str, list[str]] = {}
    for name in TREC_NAMES:
        names.setdefault(name.family, []).append(name.name)
    for ranx_name, (family_name, parameters) in _RANX.items():
        if not parameters:
            names.setdefault(family_name, []).append(ranx_name)
    return names
