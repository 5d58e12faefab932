"""Measures from texts: the notations of ir_measures, trec_eval and ranx, and expressions."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from irviewer.errors import MeasureError, printable
from irviewer.measures import expressions, plugins, tool_names
from irviewer.measures.base import NAMES, REGISTERED, Family, Measure, make
from irviewer.measures.parameters import Cutoff, Parameter, checked
from irviewer.measures.registry import families, family_named
from irviewer.translation import tr

_WRITTEN = re.compile(
    r"^\s*(?P<name>[^\s(@]+)\s*(?:\((?P<arguments>.*)\))?\s*(?:@\s*(?P<cutoff>[^@()\s]+))?\s*$", re.DOTALL
)


def parse_measure(text: str, names: str = "trec_eval") -> Measure:
    """Return the measure of a text in any of the three notations (of ir_measures, trec_eval, ranx).

    Raises MeasureError if the text names no measure, or several (``P.5,10``, a group)."""
    measures = parse_measures([text], names)
    if len(measures) != 1:
        raise MeasureError(
            tr(
                "{text!r} stands for {count} measures ({first}, …, {last}); name one of them",
                text=text,
                count=len(measures),
                first=measures[0],
                last=measures[-1],
            )
        )
    return measures[0]


def parse_measures(texts: list[str] | tuple[str, ...], names: str = "trec_eval") -> tuple[Measure, ...]:
    """Return the measures of texts, each a measure, a trec_eval name of several measures, or a group (``official``),
    in order and without duplicates.

    names   the tool whose meaning counts for names that two tools have (:attr:`Dialect.names`)"""
    if not isinstance(texts, Iterable):
        raise MeasureError(tr("measures are a list of texts, not {value}", value=printable(repr(texts))))
    measures: dict[str, Measure] = {}
    for text in texts:
        for measure in expand(text, names):
            measures.setdefault(measure.text, measure)
    return tuple(measures.values())


def parse_canonical(text: str) -> Measure | None:
    """Return the measure of a text in ir_measures' notation; None if its name is not a family's. Raises MeasureError
    for a wrong parameter or cutoff."""
    match = _WRITTEN.match(text)
    if match is None:
        return None
    family = family_named(match["name"])
    if family is None:
        return None
    arguments, cutoff = _arguments(text, match["arguments"], family), _cutoff_number(text, match["cutoff"])
    word = "recall" if family.cutoff is Cutoff.RECALL else "cutoff"  # ir_measures also writes P(cutoff=5)
    if cutoff is None and family.cutoff is not Cutoff.NONE and word in arguments and family.parameter(word) is None:
        cutoff = checked(family.name, Parameter(word, "number", 0, tr("the number after @")), arguments.pop(word))
    return make(family, arguments, cutoff)


def suggestions(text: str, most: int = 3) -> tuple[str, ...]:
    """Return the known names most similar to an unknown one."""
    unknown = re.split(r"[(@.]", text.strip())[0]
    families()
    names = {name.lower(): name for name in (*tool_names.names(), *NAMES, *REGISTERED)}  # families win
    lowered = unknown.lower()
    close = [names[lowered]] if lowered in names else []
    close += [full for low, full in names.items() if lowered and low.startswith(lowered) and full not in close]
    close += [names[name] for name in difflib.get_close_matches(lowered, names, n=most, cutoff=0.5)]
    return tuple(dict.fromkeys(close))[:most]


def _value(node: ast.expr, parameter: Parameter | None) -> Any:
    """Return the value of a parameter; one of its choices may stand without quotes."""
    if isinstance(node, ast.Name) and parameter is not None and parameter.kind == "choice":
        return node.id
    return ast.literal_eval(node)


def _arguments(text: str, arguments: str | None, family: Family) -> dict[str, Any]:
    if not arguments or not arguments.strip():
        return {}
    try:
        call = ast.parse(f"f({arguments})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or any(keyword.arg is None for keyword in call.keywords):
            raise MeasureError(tr("{measure}: write parameters as name=value", measure=text))
        names = [str(keyword.arg) for keyword in call.keywords]
        if len(set(names)) < len(names):
            raise MeasureError(tr("{measure}: a parameter is given twice; remove one", measure=text))
        return {name: _value(keyword.value, family.parameter(name))
                for name, keyword in zip(names, call.keywords, strict=True)}  # fmt: skip
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError) as error:  # the last two: deep nesting
        raise MeasureError(
            tr(
                "{measure}: cannot read the parameters ({parameters}); write name=value, …, and texts in quotes, as in "
                "field='price'",
                measure=text,
                parameters=arguments,
            )
        ) from error


def _cutoff_number(text: str, cutoff: str | None) -> float | None:
    if cutoff is None:
        return None
    try:
        return int(cutoff) if re.fullmatch(r"\d+", cutoff) else float(cutoff)
    except ValueError as error:
        raise MeasureError(
            tr("{measure}: the cutoff {cutoff!r} is not a number", measure=text, cutoff=cutoff)
        ) from error


def expand(text: str, names: str = "trec_eval") -> tuple[Measure, ...]:
    """Return the measures that a text names: one, or several for trec_eval's names with cutoffs and for groups.

    The name determines the notation: a family's own, then trec_eval's, then ranx's. With ``names`` "ranx", the only
    name with another meaning there, recall, is ranx's. Raises MeasureError with suggestions."""
    if not isinstance(text, str):
        raise MeasureError(tr("a measure is a text such as nDCG@10, not {value}", value=printable(repr(text))))
    text = text.strip()
    if text == "recall" and names == "ranx":
        return tuple(replace(measure, asked=text) for measure in tool_names.ranx_measures(text))
    if text in tool_names.GROUPS:
        return tool_names.group_measures(text)
    printed = tool_names.printed_measures(text)
    if printed:
        return printed
    expression = expressions.parse(text, _single_measure)
    if expression is not None:
        return (expression,)
    if text == tool_names.RUNID:
        raise MeasureError(
            tr("{name} is the name of the run, not a measure; --format trec prints it with the values", name=text)
        )
    measures = tool_names.trec_measures(text) or _canonical(text) or tool_names.ranx_measures(text)
    measures = measures or _of_nuggetizer(text)
    if not measures:
        fault = plugins.fault(re.split(r"[(@]", text)[0].strip())
        if fault is not None:
            raise MeasureError(
                tr("the measure {measure!r} could not be loaded from {fault}", measure=text, fault=fault)
            )
        raise MeasureError(tr("unknown measure {measure!r}", measure=text), suggestions(text))
    return measures


def _canonical(text: str) -> tuple[Measure, ...]:
    measure = parse_canonical(text)
    return () if measure is None else (measure,)


def _of_nuggetizer(text: str) -> tuple[Measure, ...]:
    """Return the measure of a name of TREC RAG's papers, which may have parameters: ``V_strict(missing=undefined)``."""
    match = re.fullmatch(r"(?P<name>\w+)\s*(?:\((?P<arguments>.*)\))?", text)
    family = None if match is None else tool_names.nuggetizer_family(match["name"])
    if match is None or family is None:
        return ()
    return tool_names.nuggetizer_measures(match["name"], _arguments(text, match["arguments"], family))


def _single_measure(text: str) -> Measure:
    measures = parse_measures([text])
    if len(measures) != 1:
        raise MeasureError(
            tr(
                "{text} stands for {count} measures; name one of them in the expression",
                text=text,
                count=len(measures),
            )
        )
    if measures[0].aggregate not in ("mean", "sum"):
        raise MeasureError(
            tr("{measure} has no values of single queries and cannot be used in an expression", measure=text)
        )
    return measures[0]


def split_measures(texts: Sequence[str]) -> list[str]:
    """Return the measures in texts such as a command's -m options: one text may hold several, separated by white space
    (but not within brackets, nor within an expression such as ``(P@5 + R@20) / 2``)."""
    measures: list[str] = []
    for text in texts:
        words: list[str] = []
        word = ""
        for place, depth in expressions.depths(text + " "):
            character = text[place : place + 1] or " "
            if character.isspace() and depth <= 0:
                words += [word] if word else []
                word = ""
            else:
                word += character
        measures += expressions.join_words([*words, word] if word else words)
    return measures
