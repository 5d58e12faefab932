"""Measures from their texts, in any of the three notations: ir_measures', trec_eval's, ranx's, and expressions.

Knows the registry and every notation; the measures themselves know no text but their own."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from irviewer.errors import MeasureError
from irviewer.measures import expressions, plugins, tool_names
from irviewer.measures.base import NAMES, REGISTERED, Measure, make
from irviewer.measures.parameters import Cutoff, Parameter, checked
from irviewer.measures.registry import families, family_named

_WRITTEN = re.compile(
    r"^\s*(?P<name>[^\s(@]+)\s*(?:\((?P<arguments>.*)\))?\s*(?:@\s*(?P<cutoff>[^@()\s]+))?\s*$", re.DOTALL
)


def parse_measure(text: str, names: str = "trec_eval") -> Measure:
    """One measure from its text in any of the three notations (ir_measures', trec_eval's, ranx's).

    Raises MeasureError where the text names none, or several (``P.5,10``, a group)."""
    found = parse_measures([text], names)
    if len(found) != 1:
        raise MeasureError(f"{text!r} names {len(found)} measures ({found[0]}, …, {found[-1]}); one is wanted here")
    return found[0]


def parse_measures(texts: list[str] | tuple[str, ...], names: str = "trec_eval") -> tuple[Measure, ...]:
    """Measures from texts, each a measure, a trec_eval name that stands for several, or a group (``official``). Order
    is kept, doubles are dropped. ``names`` is whose a name is that two tools have (:attr:`Dialect.names`)."""
    found: dict[str, Measure] = {}
    for text in texts:
        for one in expand(text, names):
            found.setdefault(one.text, one)
    return tuple(found.values())


def parse_canonical(text: str) -> Measure | None:
    """A measure in ir_measures' notation; None where its name is not a family's. Raises MeasureError on a bad
    parameter or cutoff."""
    match = _WRITTEN.match(text)
    if match is None:
        return None
    family = family_named(match["name"])
    if family is None:
        return None
    arguments, cutoff = _arguments(text, match["arguments"]), _cutoff_number(text, match["cutoff"])
    word = "recall" if family.cutoff is Cutoff.RECALL else "cutoff"  # ir_measures also writes P(cutoff=5)
    if cutoff is None and family.cutoff is not Cutoff.NONE and word in arguments and family.parameter(word) is None:
        cutoff = checked(family.name, Parameter(word, "number", 0, "what stands after @"), arguments.pop(word))
    return make(family, arguments, cutoff)


def suggestions(text: str, most: int = 3) -> tuple[str, ...]:
    """The nearest known names to a text that is none."""
    name = re.split(r"[(@.]", text.strip())[0]
    families()
    names = {one.lower(): one for one in (*tool_names.names(), *NAMES, *REGISTERED)}  # families win
    lowered = name.lower()
    close = [names[lowered]] if lowered in names else []
    close += [full for low, full in names.items() if lowered and low.startswith(lowered) and full not in close]
    close += [names[one] for one in difflib.get_close_matches(lowered, names, n=most, cutoff=0.5)]
    return tuple(dict.fromkeys(close))[:most]


def _arguments(text: str, arguments: str | None) -> dict[str, Any]:
    if not arguments or not arguments.strip():
        return {}
    try:
        call = ast.parse(f"f({arguments})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or any(keyword.arg is None for keyword in call.keywords):
            raise MeasureError(f"{text}: parameters are written name=value")
        names = [str(keyword.arg) for keyword in call.keywords]
        if len(set(names)) < len(names):
            raise MeasureError(f"{text}: a parameter is said twice")
        return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError) as error:  # nesting without end
        raise MeasureError(f"{text}: cannot read the parameters ({arguments}); write name=value, …") from error


def _cutoff_number(text: str, cutoff: str | None) -> float | None:
    if cutoff is None:
        return None
    try:
        return int(cutoff) if re.fullmatch(r"\d+", cutoff) else float(cutoff)
    except ValueError as error:
        raise MeasureError(f"{text}: the cutoff {cutoff!r} is not a number") from error


def expand(text: str, names: str = "trec_eval") -> tuple[Measure, ...]:
    """The measures that a text names: one, or several for trec_eval's names with cutoffs and for groups. The name
    decides the notation: a family's own, then trec_eval's, then ranx's; under ranx's ``names`` the one word that both
    have and mean otherwise, recall, is ranx's. Raises MeasureError with suggestions."""
    text = text.strip()
    if text == "recall" and names == "ranx":
        return tuple(replace(one, asked=text) for one in tool_names.ranx_measures(text))
    if text in tool_names.GROUPS:
        return tool_names.group_measures(text)
    printed = tool_names.printed_measures(text)
    if printed:
        return printed
    own = expressions.parse(text, _one_measure)
    if own is not None:
        return (own,)
    if text == tool_names.RUNID:
        raise MeasureError("runid is the run's name and no measure; --format trec prints it beside the numbers")
    found = tool_names.trec_measures(text) or _canonical(text) or tool_names.ranx_measures(text)
    if not found:
        fault = plugins.fault(re.split(r"[(@]", text)[0].strip())
        if fault is not None:
            raise MeasureError(f"the measure {text!r} could not be loaded from {fault}")
        raise MeasureError(f"unknown measure {text!r}", suggestions(text))
    return found


def _canonical(text: str) -> tuple[Measure, ...]:
    found = parse_canonical(text)
    return () if found is None else (found,)


def _one_measure(text: str) -> Measure:
    found = parse_measures([text])
    if len(found) != 1:
        raise MeasureError(f"{text} names {len(found)} measures; an expression is made of single ones")
    if found[0].aggregate not in ("mean", "sum"):
        raise MeasureError(f"{text} is not made query by query; it cannot stand in an expression")
    return found[0]


def split_measures(texts: Sequence[str]) -> list[str]:
    """The measures of texts such as a command's -m options: several may stand in one, parted by white space (not within
    brackets, and not within an expression such as ``(P@5 + R@20) / 2``)."""
    found: list[str] = []
    for text in texts:
        words: list[str] = []
        depth, word = 0, ""
        for sign in text + " ":
            depth += (sign in "({") - (sign in ")}")
            if sign.isspace() and depth <= 0:
                words += [word] if word else []
                word = ""
            else:
                word += sign
        found += expressions.join_words([*words, word] if word else words)
    return found
