"""A view: an analysis as two pure functions, which every door shows.

    compute(inputs, protocol, *, parameters…, progress) -> value    slow; on a worker in the window
    tables(value, protocol) -> ViewResult                           quick; only describes the value

The parameters are read from the signature of ``compute``: from the type of each come its option on the command line,
its control in the window and its check. Knows no door."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from irviewer.errors import IrviewerError, OptionError, as_written, name_some
from irviewer.evaluation.answer_cautions import refuse_nuggets_alone
from irviewer.evaluation.bind import BoundProtocol
from irviewer.formats.data_files import data_files, in_order
from irviewer.installed.guard import guarded, told
from irviewer.model.data_file import ROLES
from irviewer.model.protocol import CHECKS, PLACES
from irviewer.model.protocol_line import ANSWERS, SECTIONS
from irviewer.tables.table import Provenance
from irviewer.translation import decimal, tr
from irviewer.views.cautions import OF_LISTS, cautioned
from irviewer.views.inputs import Inputs
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""How the name of a view is written."""
Need = Literal["judgments", "grades", "lists", "two runs"]
Chooser = Literal["", "run", "run_attribute", "query_attribute", "measure", "query"]
TAKEN = frozenset({
    "qrels", "runs", "run_attributes", "query_attributes", "texts", "documents", "columns", "protocol",
    "protocol_file", "progress", "view", "table", "sort", "descending", "where", "explain", "format", "output",
    "measure", "help", "query_set", "set", "looked", "pairs", "regime", "spreadsheet", "duplicates", "ids",
    "query_ids", "rollup", "judges", "qrels_from", "no_cache", "versions", *PLACES,
})  # fmt: skip
"""Names that no parameter may have: the doors use them."""

INFERS = frozenset({"inference", "alpha", "confidence", "samples"})
"""Parts of the protocol that an answer depends on which says something of other queries than those seen."""

Step = Callable[[float], None]


def _ignore(_: float) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Option:
    """What a parameter is, beside its type and default: ``Annotated[float, Option("the most that a query may cost")]``.

    help     what it does, in words that follow "--budget"
    title    its name in words, above or beside its control in the window; "": its English name
    chooser  what its text names, so that the window can offer it: a run, an attribute, a measure, a query
    metavar  the word for its value in help
    low, high   the limits of a number
    zero     what 0 stands for where it is no number: "all"; the control of the window shows it in place of 0
    words    value of a choice -> how people read it in the window, where the value is a code
    """

    help: str
    chooser: Chooser = ""
    metavar: str = ""
    low: float = -math.inf
    high: float = math.inf
    title: str = ""
    zero: str = ""
    words: tuple[tuple[str, str], ...] = ()


def option(
    text: str, *, metavar: str = "", low: float = -math.inf, high: float = math.inf, title: str = "", zero: str = "",
    words: Mapping[str, str] | None = None,
) -> Option:  # fmt: skip
    """Return what a plain parameter is: a flag, a number, a text, one of several words."""
    return Option(
        text, metavar=metavar, low=low, high=high, title=title, zero=zero, words=tuple((words or {}).items())
    )  # fmt: skip


def a_run(text: str, *, title: str = "") -> Option:
    """Return what a parameter is whose text is the name of a run."""
    return Option(text, "run", "RUN", title=title)


def run_attribute(text: str, *, title: str = "") -> Option:
    """Return what a parameter is whose text is the name of an attribute of runs."""
    return Option(text, "run_attribute", "ATTRIBUTE", title=title)


def query_attribute(text: str, *, title: str = "") -> Option:
    """Return what a parameter is whose text is the name of an attribute of queries."""
    return Option(text, "query_attribute", "ATTRIBUTE", title=title)


def a_measure(text: str, *, title: str = "") -> Option:
    """Return what a parameter is whose text is a measure."""
    return Option(text, "measure", "MEASURE", title=title)


def a_query(text: str, *, title: str = "") -> Option:
    """Return what a parameter is whose text is the id of a query."""
    return Option(text, "query", "QUERY", title=title)


ParameterKind = Literal["flag", "whole", "number", "text", "choice"]
_KINDS: Mapping[Any, ParameterKind] = {bool: "flag", int: "whole", float: "number", str: "text"}


@dataclass(frozen=True)
class ViewParameter:
    """A parameter of a view; ``several``: its value is a tuple of such values."""

    name: str
    kind: ParameterKind
    default: Any
    option: Option
    choices: tuple[str, ...] = ()
    several: bool = False

    def word(self, value: str) -> str:
        """Return how people read a choice in the window."""
        return dict(self.option.words).get(value, value)

    @property
    def called(self) -> str:
        """Its name in words: the title of its control in the window."""
        return self.option.title or self.name.replace("_", " ")

    def said(self, value: Any) -> str:
        """Return a value as a message names it: a text, a word or a number; "" for what is no word of its own."""
        if self.several or self.kind == "flag":
            return ""
        if self.kind in ("whole", "number"):
            return self.option.zero if not value and self.option.zero else decimal(f"{value:,}")
        return self.word(value)

    @property
    def flag(self) -> str:
        """Its option on the command line."""
        return f"--{self.name.replace('_', '-')}"

    def value(self, given: Any) -> Any:
        """Return a value as the view takes it. Raises OptionError."""
        if not self.several:
            return self._single(given)
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise OptionError(tr("{name} is {value!r}; it must be a list", name=self.name, value=as_written(given)))
        return tuple(self._single(each) for each in given)

    def read(self, text: str) -> Any:
        """Return the value that a text stands for, of a list one item. Raises OptionError."""
        if self.kind in ("whole", "number"):
            try:
                number = float(text.replace("−", "-"))
            except ValueError:
                raise self._wrong(text) from None
            return self._single(int(number) if number.is_integer() and self.kind == "whole" else number)
        if self.kind == "flag":
            words = {"true": True, "false": False}
            if text not in words:
                raise self._wrong(text)
            return words[text]
        return self._single(text)

    def _single(self, value: Any) -> Any:
        if self.kind == "flag":
            right = isinstance(value, bool)
        elif self.kind in ("whole", "number"):
            right = isinstance(value, int if self.kind == "whole" else int | float) and not isinstance(value, bool)
            right = right and math.isfinite(value) and self.option.low <= value <= self.option.high
        else:
            right = isinstance(value, str) and (self.kind == "text" or value in self.choices)
        if not right:
            raise self._wrong(value)
        return float(value) if self.kind == "number" else value

    def _wrong(self, value: Any) -> OptionError:
        low, high = self.option.low, self.option.high
        expected = {
            "flag": tr("true or false"),
            "whole": tr("a whole number"),
            "number": tr("a number such as 1 or 0.5"),
            "text": tr("a text"),
            "choice": tr("one of {names}", names=", ".join(self.choices)),
        }[self.kind]
        if math.isfinite(low):
            expected += tr(" from {low:g}", low=low)
        if math.isfinite(high):
            expected += tr(" to {high:g}", high=high)
        return OptionError(
            tr("{name} is {value!r}; it must be {expected}", name=self.name, value=as_written(value), expected=expected)
        )


@dataclass(frozen=True, eq=False)
class ResultView:
    """A view. A wrong one is not constructed: OptionError says what to change.

    name     as it is written at every door; of another package with its prefix: ``acme-latency``
    compute  ``compute(inputs, protocol, *, parameters…, progress)``: the value; parameters are keyword-only, each with
             a default, a type (``bool``, ``int``, ``float``, ``str``, ``Literal`` of texts, or a ``tuple`` of one of
             them) and :func:`option`, :func:`run_attribute` … in ``Annotated``. ``progress`` may be left out; it takes
             shares from 0 to 1 and raises if the user cancelled
    tables   ``tables(value, protocol)``: the ViewResult
    title    the title of the tab; "": the name
    explain  ``explain(value, protocol, row, column)``: how one number comes about, as a ViewResult; by the key of its
             row and that of its column
    uses     the parts of the protocol that the answer depends on: "rules", "scope", "inference", "answers", or
             single fields of them such as "seed"
    needs    "judgments", "grades" (of documents, not nuggets alone), "lists" (the rankings, not only values), "two
             runs"
    pins     fields of the protocol that it needs another value of: name -> (value, reason)
    follows  ``follows(value, protocol)``: the protocol as the answer follows it, where its line says more than what is
             known before
    settles  parameters that are found while computing where they are left out: the value has what was found under the
             same name, and every file says it
    by_measure  whether the answer depends on a measure of the protocol, and not on the lists alone
    judges   whether the answer also depends on the further judgments of the collection, by other judges
    knows_samples  whether it accounts for documents that a sample of judgments left out; else its first table says that
             the numbers do not
    counts_relevant  whether it counts relevant documents of lists, whatever the measure
    version  of what it computes; another one for other numbers
    """

    name: str
    compute: Callable[..., Any]
    tables: Callable[[Any, BoundProtocol], ViewResult]
    title: str = ""
    explain: Callable[[Any, BoundProtocol, Any, str], ViewResult] | None = None
    uses: tuple[str, ...] = SECTIONS
    needs: tuple[Need, ...] = ("judgments",)
    pins: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    follows: Callable[[Any, BoundProtocol], BoundProtocol] | None = None
    settles: tuple[str, ...] = ()
    by_measure: bool = True
    judges: bool = False
    knows_samples: bool = False
    counts_relevant: bool = False
    version: int = 1
    parameters: tuple[ViewParameter, ...] = field(init=False)
    takes_progress: bool = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise OptionError(tr("the name of a view is lower-case words joined by -, not {name!r}", name=self.name))
        _check_words(self.name, "uses", self.uses, (*SECTIONS, *PLACES, ANSWERS))
        _check_words(self.name, "needs", self.needs, get_args(Need))
        for name, pin in self.pins.items():
            if name not in CHECKS or len(pin) != 2 or not pin[1]:
                text = tr("view {view}: pins has {name}; it must be a field of a protocol with (value, reason)",
                          view=self.name, name=name)  # fmt: skip
                raise OptionError(text)
        _check_positional(self.name, "tables", self.tables, 2)
        if self.explain is not None:
            _check_positional(self.name, "explain", self.explain, 4)
        if self.follows is not None:
            _check_positional(self.name, "follows", self.follows, 2)
        parameters, takes_progress = _parameters(self.name, self.compute)
        _check_words(self.name, "settles", self.settles, tuple(parameter.name for parameter in parameters))
        object.__setattr__(self, "parameters", parameters)
        object.__setattr__(self, "takes_progress", takes_progress)
        object.__setattr__(self, "title", self.title or self.name)

    @property
    def summary(self) -> str:
        """The first sentence of the documentation of ``compute``, as help."""
        return (inspect.getdoc(self.compute) or self.title).strip().splitlines()[0].rstrip(".")

    def chosen(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value of every parameter: what is given, else its default. Raises OptionError for a name that is
        no parameter, and for a value that is not valid."""
        known = {parameter.name: parameter for parameter in self.parameters}
        unknown = [name for name in given if name not in known]
        if unknown:
            names = name_some(list(known)) if known else tr("(none)")
            raise OptionError(
                tr("view {view} has no parameter {name}; it has {names}", view=self.name, name=unknown[0], names=names)
            )
        return {
            name: parameter.value(given[name]) if name in given else parameter.default
            for name, parameter in known.items()
        }

    def record(self, given: Mapping[str, Any], value: Any = None, **more: Any) -> dict[str, Any]:
        """Return the parameters as every file and every door names them: all of the view, as they were given, as they
        were found while computing the ``value`` (lists always, since a view may sort what it was given into them), else
        with their defaults; and what a command was asked beside (``more``), where it was."""
        plain = {parameter.name: given.get(parameter.name, parameter.default) for parameter in self.parameters}
        plain |= {name: getattr(value, name) for name in self.settles
                  if value is not None and (not plain[name] or isinstance(plain[name], tuple | list))}  # fmt: skip
        plain |= {name: each for name, each in more.items() if each is not None}
        return {name: list(each) if isinstance(each, tuple) else each for name, each in plain.items()}

    def valid(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of the given parameters that the view has and that are valid."""
        known = {parameter.name: parameter for parameter in self.parameters}
        kept = {}
        for name, value in given.items():
            with suppress(OptionError, KeyError):
                kept[name] = known[name].value(value)
        return kept

    def check(self, inputs: Inputs) -> None:
        """Raise OptionError with what the inputs lack."""
        for part in inputs.parts:
            if "judgments" in self.needs and part.judgments is None:
                raise OptionError(tr("{view} needs judgments; open a qrels file", view=self.title))
            if "grades" in self.needs and part.judgments is not None:
                refuse_nuggets_alone(self.title, part.judgments.qrels)
            if "two runs" in self.needs and len(part.protocol.runs) < 2:
                raise OptionError(tr("{view} needs two runs; open another run file", view=self.title))
            if "lists" in self.needs and not part.protocol.runs:
                raise OptionError(tr("{view} needs the lists of a run", view=self.title))
            if "lists" in self.needs:
                part.check_listed(part.protocol.runs)

    def value(self, inputs: Inputs, parameters: Mapping[str, Any], progress: Step = _ignore) -> Any:
        """Compute the value; ``parameters`` are those of :meth:`chosen`. Raises IrviewerError; what else the code of a
        view raises is an OptionError that names it."""
        self.check(inputs)
        watched = _Watched(progress)
        more = {"progress": watched} if self.takes_progress else {}
        with self._errors(watched):
            return self.compute(inputs, inputs.protocol, **self._named(inputs, parameters), **more)

    def _named(self, inputs: Inputs, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters with whole names of runs. Raises OptionError for a name of several."""
        named = dict(parameters)
        if len(inputs.parts) > 1:  # each has its own runs
            return named
        for parameter in self.parameters:
            given = named.get(parameter.name)
            if parameter.option.chooser == "run" and given:
                whole = inputs.one.whole_name
                named[parameter.name] = tuple(map(whole, given)) if parameter.several else whole(given)
        return named

    def followed(self, value: Any, bound: BoundProtocol) -> BoundProtocol:
        """Return the protocol as the answer follows it. Raises as :meth:`value`."""
        if self.follows is None:
            return bound
        with self._errors(_Watched(_ignore)):
            return self.follows(value, bound)

    def described(self, value: Any, inputs: Inputs, parameters: Mapping[str, Any]) -> ViewResult:
        """Return what is shown of a value, with what it was made from. Raises as :meth:`value`."""
        with self._errors(_Watched(_ignore)):
            result = self._checked(self.tables(value, inputs.protocol))
        source = self.provenance(value, inputs, parameters)
        for table in (*result.tables[:1], *result.further[:1]):  # what its own tables say beside, as other doors
            own = {} if table.provenance is None else table.provenance.parameters
            source = replace(source, parameters={**own, **source.parameters})
        return self._with_cautions(result, inputs).with_provenance(source)

    def _with_cautions(self, result: ViewResult, inputs: Inputs) -> ViewResult:
        """Return a result whose first table says what :func:`cautioned` tells."""
        if "judgments" not in self.needs or "rules" not in self.uses:
            return result
        judged = [
            (part.judgments.qrels, part.protocol.measures or (part.measure,) if self.by_measure else OF_LISTS,
             part.named_runs)
            for part in inputs.parts if part.judgments is not None
        ]  # fmt: skip
        return cautioned(
            result, inputs.protocol, judged, of_answers=ANSWERS not in self.uses,
            of_samples=not self.knows_samples, infers=not INFERS.isdisjoint(self.uses),
            counts_relevant=self.counts_relevant,
        )  # fmt: skip

    def explained(
        self, value: Any, inputs: Inputs, parameters: Mapping[str, Any], row: Any, column: str
    ) -> ViewResult:  # fmt: skip
        """Return how a number of the row with this key comes about. Raises as :meth:`value`."""
        if self.explain is None:
            raise OptionError(tr("{view} explains no numbers", view=self.title))
        with self._errors(_Watched(_ignore)):
            result = self.explain(value, inputs.protocol, row, column)
        return self._checked(result).with_provenance(self.provenance(value, inputs, parameters))

    def provenance(self, value: Any, inputs: Inputs, parameters: Mapping[str, Any]) -> Provenance:
        """Return what the tables were made from."""
        plain = self.record(parameters, value)
        bound = self.followed(value, inputs.protocol)
        named = data_files((name, given) for name, given in plain.items() if name in ROLES)
        chosen = [parameters[each.name] for each in self.parameters if each.option.chooser == "measure"]
        measures = [text for given in chosen for text in ((given,) if isinstance(given, str) else given) if text]
        return provenance(self.name, replace(bound, files=in_order([*bound.files, *named])), plain, measures)

    def _checked(self, result: Any) -> ViewResult:
        if not isinstance(result, ViewResult):
            raise OptionError(
                tr("view {view} returned {value}, not a ViewResult", view=self.name, value=type(result).__name__)
            )
        return result

    @contextmanager
    def _errors(self, watched: _Watched) -> Iterator[None]:
        """Run the code of a view; a fault of another package's view is an error that names the view."""
        if self.compute.__module__.startswith("irviewer."):
            yield
            return
        try:
            with guarded():
                yield
        except (IrviewerError, MemoryError):
            raise
        except Exception as error:
            if error is watched.stopped:  # the user cancelled
                raise
            raise OptionError(tr("view {view} failed: {error!r}", view=self.name, error=told(error))) from error


class _Watched:
    """Progress that keeps what it was stopped with."""

    def __init__(self, progress: Step) -> None:
        self._progress = progress
        self.stopped: BaseException | None = None

    def __call__(self, share: float) -> None:
        try:
            self._progress(share)
        except BaseException as stopped:
            self.stopped = stopped
            raise


def _check_words(view: str, what: str, given: Sequence[str], known: Sequence[str]) -> None:
    unknown = [word for word in given if word not in known] if not isinstance(given, str) else [given]
    if unknown:
        text = tr("view {view}: {what} has {word!r}; it must be a tuple of {known}",
                  view=view, what=what, word=unknown[0], known=", ".join(known))  # fmt: skip
        raise OptionError(text)


def _check_positional(view: str, what: str, function: Callable[..., Any], count: int) -> None:
    try:
        inspect.signature(function).bind(*range(count))
    except (TypeError, ValueError):
        text = tr("view {view}: {what} must be a function of {n} positional arguments", view=view, what=what, n=count)
        raise OptionError(text) from None


def _parameters(view: str, compute: Callable[..., Any]) -> tuple[tuple[ViewParameter, ...], bool]:
    """Return the parameters in the signature of ``compute``, and whether it takes progress. Raises OptionError."""
    try:
        signature = inspect.signature(compute)
        hints = get_type_hints(compute, include_extras=True)
    except (TypeError, ValueError, NameError) as error:
        raise OptionError(
            tr("view {view}: the signature of compute cannot be read: {error}", view=view, error=error)
        ) from None
    keyword = [each for each in signature.parameters.values() if each.kind is each.KEYWORD_ONLY]
    others = [each for each in signature.parameters.values() if each.kind is not each.KEYWORD_ONLY]
    if len(others) != 2 or any(each.kind not in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in others):
        text = tr("view {view}: compute must be compute(inputs, protocol, *, …): parameters come after *", view=view)
        raise OptionError(text)
    parameters = [_parameter(view, each, hints.get(each.name)) for each in keyword if each.name != "progress"]
    return tuple(parameters), any(each.name == "progress" for each in keyword)


def _parameter(view: str, given: inspect.Parameter, hint: Any) -> ViewParameter:
    name = given.name

    def wrong(reason: str) -> OptionError:
        return OptionError(tr("view {view}: parameter {name}: {reason}", view=view, name=name, reason=reason))

    if name in TAKEN:
        raise wrong(tr("the name is taken; choose another one"))
    if given.default is given.empty:
        raise wrong(tr("it has no default"))
    told_by = [each for each in get_args(hint)[1:] if isinstance(each, Option)] if get_origin(hint) is Annotated else []
    if len(told_by) != 1 or not told_by[0].help:
        raise wrong(tr("it has no help; write {example}", example=f'{name}: Annotated[float, option("…")]'))
    kind, choices, several = _type_of(get_args(hint)[0])
    if kind is None:
        raise wrong(tr("its type must be bool, int, float, str, Literal of texts, or a tuple of one of them"))
    if told_by[0].chooser and kind != "text":
        raise wrong(tr("what is chosen by name is a str"))
    parameter = ViewParameter(name, kind, given.default, told_by[0], choices, several)
    try:
        return replace(parameter, default=parameter.value(given.default))
    except OptionError as error:
        raise wrong(tr("the default: {error}", error=error)) from None


def _type_of(hint: Any) -> tuple[ParameterKind | None, tuple[str, ...], bool]:
    """Return the kind of a type, its choices, and whether it is a tuple of such values; None for another type."""
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        if len(inner) != 2 or inner[1] is not Ellipsis or inner[0] is bool:
            return None, (), False
        kind, choices, nested = _type_of(inner[0])
        return (None if nested else kind), choices, True
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        return ("choice" if all(isinstance(each, str) for each in choices) else None), choices, False
    return _KINDS.get(hint), (), False
