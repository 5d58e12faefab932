"""The value of a protocol: what is valid, what is declared, and how it is changed."""

from __future__ import annotations

import pickle
from dataclasses import fields
from datetime import date
from typing import get_args

import numpy as np
import protocols as some
import pytest
from hypothesis import given

from irviewer.model.protocol import (
    CHECKS,
    DEFAULTS,
    PLACES,
    PRESET,
    CorrectionName,
    EvaluationProtocol,
    FieldError,
    Inference,
    InferenceFields,
    ProtocolFields,
    QuerySelection,
    Rules,
    RulesFields,
    Scope,
    ScopeFields,
    WeightSelection,
)
from irviewer.model.protocol import test_fields as fields_of_test
from irviewer.model.protocol_line import (
    CORRECTIONS,
    SECTIONS,
    TESTS,
    UNJUDGED,
    LineFacts,
    line_parts,
    line_text,
    record_text,
)

FACTS = LineFacts(queries=53, all_queries=53, graded=True, baseline="p_bm25", comparisons=13)


def test_every_list_of_fields_is_the_same() -> None:
    for kind, keywords in ((Rules, RulesFields), (Scope, ScopeFields), (Inference, InferenceFields)):
        own = [each.name for each in fields(kind) if each.name != "epsilon"]  # of one page only, no comparison takes it
        assert own == list(keywords.__annotations__)
    assert set(ProtocolFields.__annotations__) == set(PLACES) == set(DEFAULTS) == set(some.VALUES)
    assert {"measures", *CHECKS} == set(PLACES)


@given(values=some.fields)
def test_what_is_changed_is_declared(values: ProtocolFields) -> None:
    protocol = PRESET.but(**values)
    assert protocol.declared == {PLACES[name] for name in values}
    for name, value in values.items():
        assert protocol[name] == (tuple(value) if isinstance(value, list) else value)
    assert all(protocol[name] == DEFAULTS[name] for name in PLACES if name not in values)
    assert set(protocol.changed(PRESET)) <= set(values)


@given(first=some.fields, second=some.fields)
def test_changes_one_after_the_other_are_one_change(first: ProtocolFields, second: ProtocolFields) -> None:
    together = PRESET.but(**{**first, **second})  # type: ignore[typeddict-item]
    stepwise = PRESET.but(**first).but(**second)
    assert stepwise == together
    assert hash(stepwise) == hash(together)
    assert pickle.loads(pickle.dumps(stepwise)) == together


def test_declared_takes_part_in_equality() -> None:
    assert PRESET.but(level=1) != PRESET
    assert PRESET.but(level=1).changed(PRESET) == ()
    assert EvaluationProtocol(rules=Rules(level=2)) == PRESET.but(level=2)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"level": "2"}, "level is '2'; it must be a number"),
        ({"level": True}, "level is true; it must be a number"),
        ({"level": float("nan")}, "finite"),
        ({"level": 10**400}, "finite"),
        ({"depth": 0}, "depth is 0; it must be 1 or more, and less than 2,147,483,648"),
        ({"depth": 2.0}, "whole number"),
        ({"missing": "drop"}, "missing is 'drop'; it must be one of zero, intersection"),
        ({"judged_only": 1}, "true or false"),
        ({"unjudged": None}, "unjudged is None; it must be one of unknown, complete, pooled, sparse"),
        ({"dialect": "trek"}, "unknown dialect 'trek'"),
        ({"alpha": 0}, "alpha is 0; it must be between 0 and 1"),
        ({"confidence": 95}, "confidence is 95; it must be between 0 and 1"),
        ({"samples": 10_000_001}, "less than 10,000,001"),
        ({"seed": -1}, "seed is -1; it must be 0 or more"),
        ({"smallest": -0.1}, "smallest is -0.1; it must be 0 or more"),
        ({"epsilon": 1}, "epsilon is 1; it must be 0 or more, and less than 1"),
        ({"epsilon": -0.1}, "epsilon is -0.1; it must be 0 or more, and less than 1"),
        ({"correction": "Holm"}, "one of holm, bonferroni, bh, none"),
        ({"queries": []}, "the list is empty"),
        ({"queries": 3}, "it must be a list of texts"),
        ({"runs": "bm25"}, "it must be a list of texts"),
        ({"runs": ["a", ""]}, "a text of the list is empty"),
        ({"measures": ["AP", "AP"]}, "measures has AP twice"),
        ({"look": 2}, "a protocol has no field look"),
        ({"looks": 2}, "looks is 2; write “1 of .5 1”"),
        ({"looks": "1 of .5 .9"}, "2 to 20 that rise to 1"),
        ({"looks": "3 of .5 1"}, "looks: at is 3; it must be a look from 1 to 2"),
        ({"looks": "1 of .5 1 haybittle"}, "bounds is 'haybittle'"),
        ({"looks": "1 of .5"}, "looks is '1 of .5'; write “1 of .5 1”"),  # was (0.5,), how Python builds it
        ({"looks": "1 of nan 1"}, "looks is '1 of nan 1'; write"),
        ({"looks": [0.5, np.float64(1)]}, r"looks is \[0.5, 1.0\]; write"),
        ({"test": date(2026, 1, 2)}, "test is 2026-01-02; it must be one of t"),
        ({"zscores": ("a", {"b": True})}, r"zscores is \['a', {b = true}\]; it must be a text"),
        ({"runs": {"a": 1}}, "runs is {a = 1}; it must be a list of texts"),
        ({"measures": {"AP": 1}}, "measures is {AP = 1}; it must be a list of texts"),  # was read as its keys
    ],
)
def test_what_is_not_valid_is_not_constructed(values: dict[str, object], message: str) -> None:
    with pytest.raises(FieldError, match=message.replace("(", r"\(")) as caught:
        PRESET.but(**values)  # type: ignore[typeddict-item]
    assert caught.value.field == next(iter(values))
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_name_of_a_declared_field_must_be_known() -> None:
    with pytest.raises(FieldError, match=r"no field rules\.levle"):
        EvaluationProtocol(declared=frozenset({"rules.levle"}))


def test_selections() -> None:
    assert QuerySelection(ids=("b", "a", "b")).ids == ("a", "b")
    assert not QuerySelection()
    for wrong in ({"file": "a", "ids": ("1",)}, {"looked": True}, {"name": 3}):
        with pytest.raises(FieldError):
            QuerySelection(**wrong)  # type: ignore[arg-type]
    with pytest.raises(FieldError):
        WeightSelection("a", "b")


def test_numbers_of_numpy_are_plain() -> None:
    protocol = PRESET.but(level=np.float32(2), depth=np.int64(7), alpha=np.float64(0.01))  # type: ignore[typeddict-item]
    assert [type(protocol[name]) for name in ("level", "depth", "alpha")] == [int, int, float]


@pytest.mark.parametrize("name", list(TESTS))
def test_the_deciding_test_and_its_fields(name: str) -> None:
    assert PRESET.but(**fields_of_test(name)).inference.decides == name


def test_an_unknown_test_names_the_known_ones() -> None:
    for name in ("t-pratt", "z"):
        with pytest.raises(FieldError, match="wilcoxon"):
            PRESET.but(**fields_of_test(name))


# --- the line ---


def test_the_line() -> None:
    protocol = PRESET.but(level=2, unjudged="pooled")
    assert line_text(line_parts(protocol, FACTS)) == (
        "53 queries · graded, level ≥ 2 · unjudged: pooled · Holm over 13 against p_bm25 · paired t"
    )
    origins = {part.place: part.origin for part in line_parts(protocol, FACTS)}
    assert origins["rules.level"] == "declared"
    assert origins["inference.test"] == "default"


def test_the_line_of_what_does_not_test() -> None:
    assert line_text(line_parts(PRESET, FACTS, uses=("rules",))) == (
        "53 queries · graded, level ≥ 1 · unjudged: unknown"
    )
    alone = LineFacts(queries=1, comparisons=0)
    assert line_text(line_parts(PRESET, alone)) == "1 query · level ≥ 1 · unjudged: unknown"


@given(protocol=some.protocols)
def test_the_line_names_every_field_that_has_not_its_default(protocol: EvaluationProtocol) -> None:
    shown = {part.place for part in line_parts(protocol, FACTS, uses=(*SECTIONS, "looks", "epsilon"))}
    hidden = {
        "zeros": protocol.inference.test != "wilcoxon",
        "tukey": protocol.inference.test != "tukey",
        "correction": protocol.inference.test == "tukey",
        "family": True,  # all pairs are named where the baseline is otherwise
        "interval": True, "confidence": True,  # in one part
        "baseline": protocol.inference.family == "pairs",
    }  # fmt: skip
    combined = {"zeros": "inference.test", "tukey": "inference.test"}
    for name in protocol.changed(PRESET):
        if not hidden.get(name, False):
            assert combined.get(name, PLACES[name]) in shown, name
    one_line = line_text(line_parts(protocol, FACTS))
    assert one_line and "  " not in line_text(line_parts(PRESET, FACTS))


@given(first=some.protocols, second=some.protocols)
def test_the_record_tells_protocols_apart(first: EvaluationProtocol, second: EvaluationProtocol) -> None:
    differing = [name for name in first.changed(second) if name != "dialect"]
    sources = {"queries", "weights"}  # a name and a file of the same text
    if set(differing) - sources:
        assert record_text(first) != record_text(second)
    assert all(f"{name}=" in record_text(first) for name in PLACES)


def test_titles_of_all_choices() -> None:
    assert set(CORRECTIONS) == set(get_args(CorrectionName))
    assert set(UNJUDGED) == set(get_args(RulesFields.__annotations__["unjudged"]) or UNJUDGED)
