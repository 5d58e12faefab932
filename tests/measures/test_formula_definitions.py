"""What is shown of a measure is made from its parameters: where two values give two numbers, the formula is another."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from every import CUTOFFS, computed, ours, values_of, variants
from formula_values import World, formula_of
from random_collections import KINDS, random_collection

from irviewer.evaluation.evaluate import Joined
from irviewer.measures.base import Family, Measure, make
from irviewer.model.document_lengths import Lengths
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions

FAMILIES = {name: family for name, family in ours().items() if family.strings is None}


@cache
def joins() -> tuple[Judged, ...]:
    """Random collections of every kind, each joined with a run."""
    options = EvaluationOptions(lengths=Lengths({f"d{number}": float(number % 5 + 1) for number in range(200)}))
    joined_runs = []
    for kind in KINDS:
        example = random_collection(5, kind, queries=12)
        joined_runs.append(Joined(example.runs[0], example.qrels, options).under(options.rules.join_options))
    return tuple(joined_runs)


def numbers(measure: Measure) -> list[np.ndarray | None]:
    """The values of each collection's queries and their mean; None where the measure refuses the collection."""
    values_so_far: list[np.ndarray | None] = []
    for judged in joins():
        values = computed(measure, judged)
        values_so_far.append(None if values is None else np.append(values, measure.mean(values)))
    return values_so_far


def differ(measure: Measure, other: Measure) -> bool:
    """Whether the two give different numbers anywhere."""
    return any(
        a is not None and b is not None and not np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True)
        for a, b in zip(numbers(measure), numbers(other), strict=True)
    )


def shown_formula(measure: Measure) -> tuple[str, str]:
    """What is shown of how the number is made: the formula, and how queries are put together."""
    return measure.formula, measure.aggregate


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_another_number_has_another_formula(family: Family) -> None:
    cutoffs = CUTOFFS[family.cutoff]
    choices = {parameter.name: values_of(parameter) for parameter in family.parameters}
    groups = [[make(family, {}, cutoff) for cutoff in cutoffs]]
    for name, values in choices.items():
        groups.append(
            [
                make(family, {name: parameter_value} if parameter_value is not None else {}, cutoffs[-1])
                for parameter_value in values
            ]
        )
    if "base" in choices:
        groups.append([make(family, {"dcg": "jk", "base": base}, cutoffs[-1]) for base in choices["base"]])
    if "weight" in choices and "beta" in choices:
        groups.append([make(family, {"beta": 0.5, "weight": weight}) for weight in choices["weight"]])
    silent = [
        f"{first} and {other} differ, and both show {first.formula}"
        for group in groups
        for first, other in itertools.combinations(group, 2)
        if shown_formula(first) == shown_formula(other) and differ(first, other)
    ]
    assert not silent, "\n".join(silent)


@cache
def worlds(kind: str, seed: int, queries: int) -> tuple[Judged, tuple[World, ...]]:
    """A random collection: its first run joined with its qrels, and each evaluated query in plain values."""
    example = random_collection(seed, kind, queries=queries, judged=9, deep=9)
    lengths = {f"d{number}": float(number % 5 + 1) for number in range(200)}
    options = EvaluationOptions(lengths=Lengths(lengths))
    run = example.runs[0]
    judged = Joined(run, example.qrels, options).under(options.rules.join_options)
    highest = max(row[3] for row in example.rows)
    worlds_so_far = []
    for query in judged.query_ids:
        assessed: dict[str, dict[str, float]] = {}
        for _, group, doc, grade in (row for row in example.rows if row[0] == query):
            assessed.setdefault(group, {})[doc] = grade
        grades: dict[str, float] = {}
        for said in assessed.values():
            for doc, grade in said.items():
                grades[doc] = max(grade, grades.get(doc, grade))
        worlds_so_far.append(World(run.ranking(query), grades, assessed, highest, lambda doc: lengths.get(doc, 0.0)))
    for world in worlds_so_far:
        world.everything = worlds_so_far
    return judged, tuple(worlds_so_far)


def disagreements(measures: list[Measure], kinds: tuple[str, ...], seeds: range, queries: int) -> Iterator[str]:
    """Where a measure's value is not what its formula gives, in words."""
    for kind, seed in itertools.product(kinds, seeds):
        judged, queries_ = worlds(kind, seed, queries)
        for measure in measures:
            values = computed(measure, judged)
            if values is None:
                continue
            formula = formula_of(measure.formula)
            if "|Q|" in measure.formula:
                values, told_of = np.array([measure.mean(values)]), queries_[:1]
            else:
                told_of = queries_
            for value, world in zip(values.tolist(), told_of, strict=True):
                shown = formula.value(world)
                if not (
                    math.isclose(value, shown, rel_tol=1e-9, abs_tol=1e-9) or (math.isnan(value) and math.isnan(shown))
                ):
                    yield f"{measure} ({kind}, seed {seed}): {value}, but {measure.formula} is {shown}"


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_the_formula_gives_the_number(family: Family) -> None:
    deep = family.parameter("depth") is not None  # a thousand ranks a query
    kinds = ("fractions",) if deep else kinds_of(family)
    faults = list(itertools.islice(disagreements(all_of(family, 10 if deep else 24), kinds, range(1), 2), 8))
    assert not faults, "\n".join(faults)


@pytest.mark.fuzz
@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_the_formula_gives_the_number_in_bulk(family: Family) -> None:
    deep = family.parameter("depth") is not None
    measures = all_of(family, 20 if deep else 60)
    faults = list(itertools.islice(disagreements(measures, kinds_of(family), range(1, 2 if deep else 4), 4), 8))
    assert not faults, "\n".join(faults)


def kinds_of(family: Family) -> tuple[str, ...]:
    """All kinds of collections; preferences counted to R are described for levels from 0 on."""
    return tuple(kind for kind in KINDS if family.name != "prefs_avgjg_Rnonrel" or kind != "negative")


def all_of(family: Family, most: int) -> list[Measure]:
    """Measures with every value of every parameter, and some that are rare."""
    measures = variants(family, most)
    names = {parameter.name for parameter in family.parameters}
    cutoff = CUTOFFS[family.cutoff][-1]
    if "base" in names:
        measures += [make(family, {"dcg": dcg, "base": base}, cutoff) for dcg in ("jk", "exp-jk") for base in (3, 1.5)]
        measures += [make(family, {"dcg": "exp-jk", "gains": {1: 2, 3: 7}, "rel": 2}, cutoff)]
    if "weight" in names and "beta" in names:
        measures += [make(family, {"beta": beta, "weight": "plain"}) for beta in (0, 0.5, 2)]
    if "min_rel" in names:
        measures += [make(family, {"min_rel": -1}, cutoff), make(family, {"min_rel": 0.5, "max_rel": 2}, cutoff)]
    if "gain" in names:
        measures += [make(family, {"gain": "grade", "rel": level}, cutoff) for level in (None, 2) if level]
    if "points" in names:
        measures += [make(family, {"points": points}) for points in ((0.5,), (0, 0.5, 1), (0.1, 0.7))]
    return measures
