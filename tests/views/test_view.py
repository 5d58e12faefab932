"""Views: what a signature becomes, and every wrong one is refused with what to change."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest

from irviewer.cli.commands import BY_NAME
from irviewer.errors import OptionError
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.tables.column import number
from irviewer.tables.table import Table
from irviewer.views import manifest
from irviewer.views.inputs import inputs_of, key_of
from irviewer.views.manifest import VIEWS
from irviewer.views.result import ViewResult
from irviewer.views.view import TAKEN, ResultView, option, run_attribute

QRELS = Qrels.from_dict({"1": {"a": 1}, "2": {"b": 1}})
RUNS = [Run.from_dict({"1": {"a": 1.0}, "2": {"c": 1.0}}, name="one"), Run.from_dict({"1": {"b": 1.0}}, name="two")]


def tables(value: Any, protocol: Any) -> ViewResult:
    return ViewResult(value, (Table("means", "Means", (number("mean", "mean", value),)),))


def whole(
    inputs: Any,
    protocol: Any,
    *,
    flag: Annotated[bool, option("a flag")] = False,
    top: Annotated[int, option("the last rank", low=1)] = 10,
    share: Annotated[float, option("a share", low=0, high=1)] = 1,
    kind: Annotated[Literal["min", "max"], option("which")] = "max",
    by: Annotated[tuple[str, ...], run_attribute("what runs are grouped by")] = (),
    progress: Callable[[float], None],
) -> Any:
    """Say what was given. More."""
    progress(0.5)
    return inputs.one.means()


def test_parameters_are_read_from_the_signature() -> None:
    view = ResultView("all-kinds", whole, tables)
    assert [(each.name, each.kind, each.default, each.several) for each in view.parameters] == [
        ("flag", "flag", False, False), ("top", "whole", 10, False), ("share", "number", 1.0, False),
        ("kind", "choice", "max", False), ("by", "text", (), True),
    ]  # fmt: skip
    assert view.takes_progress and view.summary == "Say what was given. More" and view.title == "all-kinds"
    assert view.chosen({"top": 3, "by": ["a"]}) == {"flag": False, "top": 3, "share": 1.0, "kind": "max", "by": ("a",)}
    assert view.parameters[1].read("7") == 7 and view.parameters[2].read(".5") == 0.5


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"top": 0}, "top is 0; it must be a whole number from 1"),
        ({"top": True}, "top is true"),
        ({"top": 1.5}, "top is 1.5"),
        ({"share": float("nan")}, "share is nan; it must be a number such as 1 or 0.5 from 0 to 1"),
        ({"kind": "mean"}, "kind is 'mean'; it must be one of min, max"),
        ({"by": "a"}, "by is 'a'; it must be a list"),
        ({"flag": 1}, "flag is 1; it must be true or false"),
        ({"bottom": 1}, "view all-kinds has no parameter bottom; it has flag, top, share, kind"),
    ],
)
def test_values_that_are_not_valid_are_refused(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(OptionError) as refused:
        ResultView("all-kinds", whole, tables).chosen(given)
    assert reason in str(refused.value)


def no_star(inputs: Any, protocol: Any, top: int = 3) -> None: ...
def no_help(inputs: Any, protocol: Any, *, top: int = 3) -> None: ...
def no_default(inputs: Any, protocol: Any, *, top: Annotated[int, option("the last")]) -> None: ...
def wrong_type(inputs: Any, protocol: Any, *, top: Annotated[dict[str, int], option("the last")] = {}) -> None: ...  # noqa: B006
def wrong_default(inputs: Any, protocol: Any, *, top: Annotated[int, option("the last", low=1)] = 0) -> None: ...
def taken(inputs: Any, protocol: Any, *, level: Annotated[int, option("the last")] = 0) -> None: ...
def chooses(inputs: Any, protocol: Any, *, cost: Annotated[int, run_attribute("the cost")] = 0) -> None: ...
def unknown_name(inputs: Any, protocol: Any, *, cost: Annotated[Nowhere, option("the cost")] = 0) -> None: ...  # type: ignore[name-defined]  # noqa: F821
def plain(inputs: Any, protocol: Any) -> Any:
    raise ZeroDivisionError("nothing to divide")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: ResultView("No Name", plain, tables), "the name of a view is lower-case words joined by -"),
        (lambda: ResultView("x", no_star, tables), "compute must be compute(inputs, protocol, *, …)"),
        (lambda: ResultView("x", no_help, tables), 'parameter top: it has no help; write top: Annotated[float, option'),
        (lambda: ResultView("x", no_default, tables), "parameter top: it has no default"),
        (lambda: ResultView("x", wrong_type, tables), "parameter top: its type must be bool, int, float, str"),
        (lambda: ResultView("x", wrong_default, tables), "parameter top: the default: top is 0; it must be"),
        (lambda: ResultView("x", taken, tables), "parameter level: the name is taken"),
        (lambda: ResultView("x", chooses, tables), "parameter cost: what is chosen by name is a str"),
        (lambda: ResultView("x", unknown_name, tables), "the signature of compute cannot be read: name 'Nowhere'"),
        (lambda: ResultView("x", plain, plain, uses=("rules", "scopes")), "uses has 'scopes'"),
        (lambda: ResultView("x", plain, plain, needs=("qrels",)), "needs has 'qrels'"),  # type: ignore[arg-type]
        (lambda: ResultView("x", plain, len), "tables must be a function of 2 positional"),  # type: ignore[arg-type]
        (lambda: ResultView("x", plain, tables, pins={"interval": ("t", "")}), "pins has interval"),
        (lambda: ResultView("x", plain, tables, pins={"nothing": ("t", "why")}), "pins has nothing"),
    ],
)  # fmt: skip
def test_wrong_views_are_refused(make: Callable[[], ResultView], reason: str) -> None:
    with pytest.raises(OptionError) as refused:
        make()
    assert reason in str(refused.value)


def test_what_a_view_lacks_is_said_before_it_computes() -> None:
    alone = inputs_of(EvaluationProtocol(), QRELS, RUNS[:1])
    with pytest.raises(OptionError, match="x needs two runs; open another run file"):
        ResultView("x", plain, tables, needs=("two runs",)).value(alone, {})
    with pytest.raises(OptionError, match="x needs judgments"):
        ResultView("x", plain, tables).value(inputs_of(EvaluationProtocol(), None, RUNS), {})


def test_a_fault_of_a_view_is_an_error_that_names_it_and_cancelling_is_none() -> None:
    inputs = inputs_of(EvaluationProtocol(), QRELS, RUNS)
    with pytest.raises(OptionError, match=r"view x failed: ZeroDivisionError\('nothing to divide'\)"):
        ResultView("x", plain, tables).value(inputs, {})
    with pytest.raises(OptionError, match="view x returned list, not a ViewResult"):
        ResultView("x", plain, lambda value, protocol: [value]).described(1, inputs, {})  # type: ignore[arg-type,return-value]

    class StopError(Exception):
        pass

    def stop(share: float) -> None:
        raise StopError

    view = ResultView("all-kinds", whole, tables)
    with pytest.raises(StopError):
        view.value(inputs, view.chosen({}), stop)


def test_the_provenance_says_what_was_computed() -> None:
    view = ResultView("all-kinds", whole, tables, uses=("rules", "scope"))
    inputs = inputs_of(EvaluationProtocol().but(level=2), QRELS, RUNS, uses=view.uses)
    chosen = view.chosen({"by": ("a",)})
    source = view.described(view.value(inputs, chosen), inputs, chosen).tables[0].provenance
    assert source is not None
    assert source.line == "2 queries · binary, level ≥ 2 · unjudged: unknown"
    assert source.view == "all-kinds" and source.parameters["by"] == ["a"] and source.protocol["level"] == 2


def test_a_key_holds_plain_values_alone() -> None:
    inputs = inputs_of(EvaluationProtocol(), QRELS, RUNS)
    other = inputs_of(EvaluationProtocol(), QRELS, RUNS)
    assert key_of("x", 1, inputs, {"a": 1}) == key_of("x", 1, inputs, {"a": 1}) != key_of("x", 1, inputs, {"a": 2})
    assert key_of("x", 1, inputs, {}) != key_of("x", 1, other, {}), "other data"
    with pytest.raises(TypeError, match="a is a ndarray"):
        key_of("x", 1, inputs, {"a": inputs.one.means()})


def test_no_option_of_the_command_is_a_name_for_a_parameter() -> None:
    flags = {flag for action in BY_NAME["show"].parser()._actions for flag in action.option_strings}
    names = {flag.removeprefix("--").replace("-", "_") for flag in flags if flag.startswith("--")}
    assert names <= TAKEN, names - TAKEN


def test_every_parameter_of_a_view_of_the_program_has_a_title_for_people() -> None:
    """In the language of the window; a view of another package has the name of the parameter."""
    parameters = [parameter for listed in VIEWS for parameter in listed.load().parameters]
    assert len(parameters) > 40
    assert [parameter.name for parameter in parameters if not parameter.option.title] == []


@pytest.mark.parametrize("name", manifest.BY_NAME)
def test_choices_and_zeros_are_words_where_people_choose(name: str) -> None:
    """No code such as pr-raw, and no 0 that stands for something else, is what the window shows."""
    for parameter in manifest.view_named(name).parameters:
        if parameter.kind == "choice":
            words = [parameter.word(choice) for choice in parameter.choices]
            assert dict(parameter.option.words).keys() == {*parameter.choices}, parameter.name
            assert len(set(words)) == len(words), parameter.name
            assert all(words) and not any("_" in word for word in words), parameter.name
        if parameter.kind in ("whole", "number") and re.search(r"\b0[:)]|\(0", parameter.option.help):
            assert parameter.option.zero, parameter.name
