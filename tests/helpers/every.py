"""Every registered measure with every value of its parameters: what tests of all measures drive."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

from irviewer.errors import MeasureError
from irviewer.measures.answered import NEEDED
from irviewer.measures.base import Cutoff, Family, Measure, make
from irviewer.measures.parameters import Parameter
from irviewer.measures.registry import families

NEEDS_LENGTHS = ("BudgetRecall", "AllInBudget")
OF_FIELDS = ("FieldMean", "FieldMin", "FieldMax", "FieldShare", "FieldCount", "FieldDistinct", "FieldRank")
"""Measures of documents' fields, whose loops and ledgers are tested in measures/families/test_document_fields.py."""
NEEDS_ANSWERS = tuple(sorted(NEEDED))
NEEDS_MORE = (*NEEDS_LENGTHS, *OF_FIELDS, *NEEDS_ANSWERS)
"""Measures that need more than lists and judgments, and say so."""
CUTOFFS: dict[Cutoff, tuple[float | None, ...]] = {
    Cutoff.NONE: (None,),
    Cutoff.OPTIONAL: (None, 1, 3, 10),
    Cutoff.REQUIRED: (1, 3, 10),
    Cutoff.RECALL: (0, 0.3, 0.75, 1),
    Cutoff.FACTOR: (0.5, 1, 1.6),
}
NUMBERS: dict[str, tuple[Any, ...]] = {
    "rel": (1, 2, 0.5),
    "p": (0.8, 0.5, 0.95, 0, 1),
    "alpha": (0.5, 0, 1),
    "beta": (1, 0.5, 0, 2),
    "x": (1, 0, 0.5, 2),
    "T": (1, 0.5, 2.5),
    "min_rel": (0, 1),
    "max_rel": (None, 4, 9),
    "depth": (1000, 1, 4),
    "base": (2, 3, 1.5),
    "N": (None, 60),
    "empty": (None, 0.5),
    "budget": (4096, 3, 7.5),
    "limit": (400, 3),
    "partial": (0.5, 0, 1),
    "length": (10, 2),
    "a": (1, 2),
    "b": (-1, 0.5),
    "c": (0, -1),
    "d": (0, 3),
}
GAINS = (None, {0: 0, 1: 3, 2: 0.5}, {1: 2, 3: 7})
LEVELS = (None, (0, 0.25, 1))


def ours() -> dict[str, Family]:
    """The families of this package by name."""
    return {name: family for name, family in families().items() if family.compute.__module__.startswith("irviewer.")}


def values_of(parameter: Parameter) -> tuple[Any, ...]:
    """Values of a parameter: of choices and flags all, of numbers several, the default first."""
    values = {
        "flag": (False, True), "choice": parameter.choices, "gains": GAINS, "levels": LEVELS, "text": (None, "price"),
        "condition": (None, "in_stock = false"),
    }.get(parameter.kind)  # fmt: skip
    if values is None:
        within = (number for number in NUMBERS[parameter.name] if number is None or _allowed(parameter, number))
        values = (*within, 1) if parameter.name == "rel" and parameter.default is None else tuple(within)
    return tuple(sorted(values, key=lambda value: value != parameter.default))


def _allowed(parameter: Parameter, value: float) -> bool:
    low, high = parameter.low, parameter.high
    return (low is None or value > low or (value == low and not parameter.open_low)) and (high is None or value <= high)


def variants(family: Family, most: int = 40) -> list[Measure]:
    """Measures of a family: each value of each parameter and each cutoff while the others are at their defaults, and of
    all combinations so many as fill ``most`` up, the same ones each time."""
    names = [parameter.name for parameter in family.parameters]
    choices = [values_of(parameter) for parameter in family.parameters]
    if family.parameter("rel") is not None and family.parameter("rel").default is None:  # type: ignore[union-attr]
        choices[names.index("rel")] = (None, 1, 2)
    cutoffs = CUTOFFS[family.cutoff]
    plain = [options[0] for options in choices]
    settings = [(tuple(plain), cutoff) for cutoff in cutoffs]
    for place, values in enumerate(choices):
        settings += [((*plain[:place], value, *plain[place + 1 :]), cutoffs[-1]) for value in values[1:]]
    total = math.prod(len(options) for options in choices) * len(cutoffs)
    if total <= most:
        settings += [(setting, cutoff) for setting in itertools.product(*choices) for cutoff in cutoffs]
    else:
        dice = random.Random(family.name)
        settings += [
            (tuple(dice.choice(options) for options in choices), dice.choice(cutoffs))
            for _ in range(most - len(settings))
        ]
    by_text: dict[str, Measure] = {}
    for values, cutoff in settings:
        given = {name: value for name, value in zip(names, values, strict=True) if value is not None}
        measure = make(family, given, cutoff)
        by_text.setdefault(measure.text, measure)
    return list(by_text.values())


def every_measure(most: int = 40) -> list[Measure]:
    """The variants of every family whose values are numbers."""
    return [measure for family in ours().values() if family.strings is None for measure in variants(family, most)]


def computed(measure: Measure, judged: Any) -> Any:
    """The measure's values; None where it refuses the grades or the options, and where it has none for lists alone."""
    if measure.name in NEEDS_ANSWERS and judged.answered is None:
        return None
    try:
        return measure.compute(judged)
    except MeasureError:
        return None
