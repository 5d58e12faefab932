"""The protocol of a command: ``--protocol FILE``, the options that change its fields, and the line above the output.

A file replaces every default; an option changes one field of it, and the line says so. What a command takes from a
protocol is declared by :class:`Followed`; it refuses other fields that its numbers would depend on."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irviewer.api.attributes import given_attributes
from irviewer.cli.options.common import put_result
from irviewer.cli.options.files import files_of
from irviewer.cli.options.queries import split_query_set
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.evaluation.answer_sources import AnswerSources
from irviewer.evaluation.bind import BoundProtocol, bind, refuse_fields
from irviewer.evaluation.caveats import some_queries
from irviewer.evaluation.evaluate import missing_by_run
from irviewer.formats.protocol_file import read_protocol
from irviewer.formats.query_sets import read_query_sets
from irviewer.measures.parser import split_measures
from irviewer.model.protocol import (
    DEFAULTS,
    PLACES,
    PRESET,
    EvaluationProtocol,
    FieldError,
    QuerySelection,
    WeightSelection,
    test_fields,
)
from irviewer.model.run_names import run_place
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.measures.base import Measure
    from irviewer.model.qrels import Qrels
    from irviewer.model.query_sets import QuerySet
    from irviewer.model.run import Run

RULES = {name: name for name in ("level", "judged_only", "depth", "missing", "dialect", "unjudged")}
"""The options of an evaluation -> their fields."""
DRAWN = {name: name for name in ("samples", "seed")}
ESTIMATED = {name: name for name in ("interval", "confidence")} | DRAWN
SELECTED = ("queries", "set", "looked")
"""The options that together select queries."""
EVALUATED = {**RULES, **dict.fromkeys(SELECTED, "queries"), "measure": "measures"}
"""The options of an evaluation of chosen queries by measures -> their fields."""
COMPARED = {
    **EVALUATED, **ESTIMATED,
    **{name: name for name in ("baseline", "test", "correction", "alpha", "unit")},
}  # fmt: skip
"""These, and those of comparisons of runs -> their fields."""
TEXTS = ("table", "text")
"""Formats that begin with the line."""
_SHORT = {"measure": "-m", "level": "--level", "zscores": "-Z"}


@dataclass(frozen=True)
class Followed:
    """What a command takes from a protocol.

    command  its name
    flags    the names that its options have in the namespace -> the fields that they change
    also     fields that it follows, though it has no option for them
    uses     the parts of a protocol that its numbers depend on
    views    field -> (value, reason) that it needs where nobody declares another one
    """

    command: str
    flags: Mapping[str, str]
    also: tuple[str, ...] = ()
    uses: tuple[str, ...] = ("rules", "scope")
    views: Mapping[str, tuple[Any, str]] = field(default_factory=dict)

    @property
    def refused(self) -> Collection[str]:
        """The fields that its numbers depend on, but that it cannot follow."""
        tested = {"test", "correction", "alpha", "interval", "confidence", "family", "smallest"}
        relevant = {name for name, place in PLACES.items() if place.startswith("rules.")} | {
            "queries",
            "weights",
            "runs",
        }
        relevant |= tested if "inference" in self.uses else set()
        return relevant - {*self.flags.values(), *self.also, "unjudged"}


def add_protocol(parser: argparse.ArgumentParser, followed: Followed) -> None:
    """Add ``--protocol`` to a parser that has all its other options."""
    parser.add_argument(
        "--protocol", metavar="FILE", dest="protocol_file",
        help=tr("protocol (TOML) that holds level, dialect, tests …; the other options change single fields of it"),
    )  # fmt: skip
    follow(parser, followed)


def follow(parser: argparse.ArgumentParser, followed: Followed) -> None:
    """Let an option of a field that is not given have the value of the protocol, which ``protocol_file`` names."""
    presets: dict[str, Any] = {}
    for action in parser._actions:
        if action.dest in followed.flags:
            presets[action.dest] = action.default
            action.default = argparse.SUPPRESS
    parser.set_defaults(followed=followed, presets=presets, settle=settle)


def settle(options: argparse.Namespace) -> None:
    """Set ``options.asked``, the protocol of the file with the fields that options change, and every option that was
    not given to its value. Raises OptionError, ParseError."""
    followed: Followed = options.followed
    base = getattr(options, "held_protocol", None) or PRESET
    if options.protocol_file is not None:
        base = read_protocol(options.protocol_file)
    split_query_set(options)
    given = {name: getattr(options, name) for name in followed.flags if name in options}
    protocol = base
    for name, value in given.items():
        if name not in SELECTED:
            protocol = _changed(protocol, followed.flags[name], name, value)
    if any(given.get(name) for name in SELECTED):
        protocol = protocol.but(queries=_selection(given, base.scope.queries))
    views = {
        name: value for name, (value, _) in followed.views.items() if PLACES[name] not in protocol.declared
    }  # fmt: skip
    refuse_fields(protocol, followed.refused, f"irviewer {followed.command}")
    options.asked = protocol
    options.changed = tuple(dict.fromkeys(followed.flags[name] for name in given))
    for name, preset in options.presets.items():
        if name not in options:
            setattr(options, name, _value(protocol.but(**views), followed.flags[name], name, preset))


def bound_to_result(
    options: argparse.Namespace,
    result: ResultTable,
    qrels: Qrels,
    *,
    undecided: Collection[int] = (),
    uses: tuple[str, ...] | None = None,
    primary: str = "",
) -> BoundProtocol:
    """Return the protocol of the command line bound to the runs and queries that were evaluated; ``uses`` are the parts
    of it that the answer depends on, where these are not those of the command, the others as for ``bind``. Raises
    OptionError."""
    return _bound(
        options, result.runs, result.query_ids, qrels, undecided=undecided, uses=uses, primary=primary,
        answers=result.answers, measured=result.measures, missing=result.missing,
    )  # fmt: skip


def bound_to_runs(
    options: argparse.Namespace,
    qrels: Qrels,
    runs: Sequence[Run],
    *,
    uses: tuple[str, ...] | None = None,
    measured: Sequence[Measure] = (),
) -> BoundProtocol:
    """Return the protocol bound to the queries of the qrels and runs that are not evaluated as they are read, as
    :func:`bound_to_result` does; ``measured`` are the measures that will be. Raises OptionError."""
    names = [run.name for run in runs]
    return _bound(
        options, names, qrels.query_ids, qrels, uses=uses, answers=AnswerSources((qrels,), runs), measured=measured,
        missing=missing_by_run(runs, names, qrels),
    )  # fmt: skip


def _bound(
    options: argparse.Namespace,
    names: Sequence[str],
    query_ids: Sequence[str],
    qrels: Qrels,
    *,
    uses: tuple[str, ...] | None,
    **facts: Any,
) -> BoundProtocol:
    followed: Followed = options.followed
    protocol = options.asked
    bound = bind(
        protocol, names, query_ids, sets=query_sets(protocol), graded=qrels.max_grade > 1,
        pins={name: pin for name, pin in followed.views.items() if PLACES[name] not in protocol.declared},
        uses=followed.uses if uses is None else uses, files=files_of(options),
        attributes=given_attributes(getattr(options, "query_attributes", None)), **facts,
    )  # fmt: skip
    if bound.left_out:
        source = protocol.scope.queries.file or tr("the protocol")
        note(
            tr("{file} contains {queries} without results: left out", file=source, queries=some_queries(bound.left_out))
        )
    return bound


def taking_part(options: argparse.Namespace, runs: Sequence[Run]) -> list[Run]:
    """Return the runs that the protocol names; all if it names none. Raises OptionError."""
    return [runs[place] for place in places_taking_part(options, [run.name for run in runs])]


def places_taking_part(options: argparse.Namespace, names: Sequence[str]) -> list[int]:
    """Return the places of the runs that the protocol names among those of these names, in their order. Raises
    OptionError."""
    named = {run_place(name, names) for name in options.asked.scope.runs}
    return [place for place in range(len(names)) if not named or place in named]


def query_sets(protocol: EvaluationProtocol) -> Sequence[QuerySet]:
    """Return the query sets of the file that a protocol names; () without one. Raises ParseError."""
    if not protocol.scope.queries.file:
        return ()
    return read_query_sets(protocol.scope.queries.file)


def put_answer(text: str, options: argparse.Namespace, bound: BoundProtocol) -> None:
    """Print an answer, or write it to the file of ``-o``: below the line of its protocol, or in JSON beside it."""
    put_result(options, with_protocol(text, options.format or "table", bound, source_of(options)))


def with_protocol(text: str, format: str, bound: BoundProtocol | None, source: str = "") -> str:  # noqa: A002
    """Return a text in a format with the protocol: the line above text, a comment of LaTeX, the key ``protocol`` of a
    JSON object. Formats of plain data stay as they are."""
    if format == "json":
        return _in_json(text, bound)
    line = "" if bound is None else bound.line() + source
    if not line:
        return text
    if format == "latex":  # below the comment that names the packages
        first, _, rest = text.partition("\n")
        return f"{first}\n% {line}\n{rest}" if first.startswith("%") else f"% {line}\n{text}"
    return f"{line}\n\n{text}" if format in (*TEXTS, "markdown") else text


def source_of(options: argparse.Namespace) -> str:
    """Return what the line says about its file and the options that change it; "" without a file."""
    if options.protocol_file is None:
        return ""
    file = Path(options.protocol_file).name
    if not options.changed:
        return " " + tr("({file})", file=file)
    return " " + tr("({file}, with {options} changed)", file=file, options=", ".join(options.changed))


def _in_json(text: str, bound: BoundProtocol | None) -> str:
    """Return a JSON object with the key ``protocol`` in front; other documents stay as they are."""
    if not text.startswith("{"):
        return text
    content, rest = None if bound is None else bound.as_json(), text[1:]
    spaces = len(rest) - len(rest.lstrip("\n ")) - 1 if rest.startswith("\n") else 0
    indent = " " * max(spaces, 1)
    document = json.dumps(content, indent=len(indent), ensure_ascii=False, allow_nan=False).replace("\n", f"\n{indent}")
    return f'{{\n{indent}"protocol": {document}' + ("\n}\n" if rest.strip() == "}" else f",{rest}")


def _changed(protocol: EvaluationProtocol, name: str, option: str, value: Any) -> EvaluationProtocol:
    """Return the protocol with the field that an option changes. Raises OptionError, which names the option."""
    try:
        if name == "test":
            return protocol.but(**test_fields(value))
        if name == "family":
            return protocol.but(family="pairs" if value else "baseline")
        if name == "measures":
            texts = split_measures([value] if isinstance(value, str) else value)
            return protocol.but(measures=tuple(dict.fromkeys(texts)))
        if name == "weights":
            return protocol.but(weights=WeightSelection(file=value))
        if name == "unjudged" and value is None:
            return protocol
        return protocol.but(**{name: value})
    except FieldError as error:
        flag = _SHORT.get(option, f"--{option.replace('_', '-')}")
        text = str(error)
        raise OptionError(flag + text.removeprefix(name) if text.startswith(name) else f"{flag}: {text}") from None


def _selection(given: Mapping[str, Any], base: QuerySelection) -> QuerySelection:
    """Return the queries that options select, or those of the file with a mark or another set of it."""
    file, name, looked = given.get("queries"), given.get("set"), bool(given.get("looked"))
    if file is None and not base.file and (name or not base):
        raise OptionError(tr("--set and --looked need --query-set FILE"))
    if file is None:
        return QuerySelection(name or base.name, base.file, base.ids, looked or base.looked)
    return QuerySelection(name or "", file, looked=looked)


def _value(protocol: EvaluationProtocol, name: str, option: str, preset: Any) -> Any:
    """Return the value that an option has by the protocol; its preset where the protocol has no other one."""
    scope = protocol.scope
    if PLACES[name] not in protocol.declared or option == "set":
        return preset
    if option == "looked":
        return scope.queries.looked
    if name == "queries":
        return scope.queries.file or None
    if name == "weights":
        return scope.weights.file or None
    if name == "test":
        return protocol.inference.decides
    if name == "family":
        return protocol.inference.family == "pairs"
    if name == "measures":
        return list(protocol.measures) if protocol.measures else preset
    value = protocol[name]
    return preset if value == DEFAULTS[name] and value in (None, "") else value
