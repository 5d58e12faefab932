"""Why a statistic of two judges has its value: the cells of their table, what each adds, and the formula with numbers.

Kappa and alpha are 1 minus the disagreement observed divided by that expected by chance (Cohen 1968; Krippendorff
2004); the values equal those of ``coefficients``, which computes them for many tables in one step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.agreement.coefficients import COEFFICIENTS, Grades, coefficients, running
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats
from irviewer.model.number_text import score_text
from irviewer.translation import decimal, tr

BEYOND_CHANCE = r"1 - \frac{\sum_{ij} w_{ij} n_{ij}}{\sum_{ij} w_{ij} e_{ij}}"


@dataclass(frozen=True, eq=False)
class StatisticLedger:
    """The calculation of one statistic of two judges.

    value     NaN if it is undefined
    worked    the formula with the numbers put in, as text
    formula   the formula as LaTeX
    columns   (title, meaning) of each column of ``rows``
    rows      a row for each part: texts and numbers, in the order of the columns
    notes     what the symbols mean
    """

    name: str
    value: float
    worked: str
    formula: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str | float, ...], ...]
    notes: tuple[str, ...]


def statistic_ledger(table: Floats, grades: Grades, name: str) -> StatisticLedger:
    """Return the calculation of a statistic, a name of COEFFICIENTS, of one table float64[K, K], first judge by second.
    Raises OptionError for an unknown name or an empty table."""
    if name not in COEFFICIENTS:
        raise OptionError(tr("There is no statistic {name!r} of judges.", name=name))
    if not table.sum():
        raise OptionError(tr("No document was judged by both judges."))
    value = float(coefficients(table[:, :, None], grades)[name][0])
    labels = [f"{grade:g}" for grade in grades.values.tolist()]
    apart = np.abs(np.subtract.outer(grades.steps, grades.steps))
    if name in ("kappa", "kappa_linear", "kappa_quadratic"):
        weights = (apart > 0).astype(np.float64) if name == "kappa" else apart ** (1 if name == "kappa_linear" else 2)
        return _beyond_chance(name, value, table, labels, weights, tr("w = 0 for equal grades; e = row × column ÷ n"))
    if name.startswith("alpha"):
        both, margin = table + table.T, table.sum(axis=0) + table.sum(axis=1)
        weights = (apart > 0).astype(np.float64)
        if name == "alpha_ordinal":
            ranks = running(margin[:, None])[:, 0] - margin / 2
            weights = np.subtract.outer(ranks, ranks) ** 2
        elif name == "alpha_interval":
            weights = np.subtract.outer(grades.values, grades.values) ** 2
        note = tr("n counts each pair in both orders; e = margin × margin ÷ (N − 1), of N grades")
        expected = np.outer(margin, margin) / (margin.sum() - 1)
        return _beyond_chance(name, value, both, labels, weights, note, expected)
    if name in ("difference", "tau_b", "same_grade"):
        return _of_grades(name, value, table, grades, labels)
    relevant = grades.relevant
    two = np.array([[table[np.ix_(relevant == row, relevant == column)].sum() for column in (False, True)]
                    for row in (False, True)])  # fmt: skip
    sides = [tr("non-relevant"), tr("relevant")]
    if name == "kappa_level":
        weights = 1.0 - np.eye(2)
        return _beyond_chance(name, value, two, sides, weights, tr("e = row × column ÷ n"))
    (d, c), (b, a) = two.tolist()
    n = a + b + c + d
    rows = tuple((sides[row], sides[column], float(two[row, column])) for row in (0, 1) for column in (0, 1))
    worked, formula = {
        "kappa_level_max": _largest_kappa(a, b, c, d),
        "same_side": (f"({_n(a)} + {_n(d)}) ÷ {_n(n)}", r"\frac{a + d}{n}"),
        "relevant": (f"2 × {_n(a)} ÷ (2 × {_n(a)} + {_n(b)} + {_n(c)})", r"\frac{2a}{2a + b + c}"),
        "nonrelevant": (f"2 × {_n(d)} ÷ (2 × {_n(d)} + {_n(b)} + {_n(c)})", r"\frac{2d}{2d + b + c}"),
        "ac1": _ac1(a, b, c, d),
    }[name]
    note = tr("a: both relevant, d: both non-relevant, b and c: one of them; n: all pairs")
    return StatisticLedger(name, value, f"{worked} = {score_text(value)}", formula, _CELLS[:3], rows, (note,))


_CELLS = (
    (tr("first judge"), tr("Grade, or side of the relevance level, of the first judge")),
    (tr("second judge"), tr("Grade, or side of the relevance level, of the second judge")),
    (tr("pairs n"), tr("Pairs of query and document with these grades")),
    (tr("by chance e"), tr("Pairs that independent judges with the same margins would have here")),
    (tr("weight w"), tr("How much a disagreement of these grades weighs")),
    (tr("w × n"), tr("Contribution to the disagreement observed")),
    (tr("w × e"), tr("Contribution to the disagreement by chance")),
)


def _beyond_chance(
    name: str,
    value: float,
    table: Floats,
    labels: list[str],
    weights: Floats,
    note: str,
    expected: Floats | None = None,
) -> StatisticLedger:
    if expected is None:
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    places = [(row, column) for row in range(len(labels)) for column in range(len(labels))]
    rows = tuple(
        (labels[row], labels[column], float(table[row, column]), float(expected[row, column]),
         float(weights[row, column]), float(weights[row, column] * table[row, column]),
         float(weights[row, column] * expected[row, column]))
        for row, column in places
    )  # fmt: skip
    observed, chance = float((weights * table).sum()), float((weights * expected).sum())
    worked = f"1 − {_n(observed)} ÷ {_n(chance)} = {score_text(value)}"
    notes = [note]
    if np.isnan(value):
        notes.append(tr("No disagreement is expected by chance, so the statistic is undefined."))
    return StatisticLedger(name, value, worked, BEYOND_CHANCE, _CELLS, rows, tuple(notes))


def _of_grades(name: str, value: float, table: Floats, grades: Grades, labels: list[str]) -> StatisticLedger:
    first, second, n = table.sum(axis=1), table.sum(axis=0), float(table.sum())
    if name == "same_grade":
        same = float(np.trace(table))
        worked = f"{_n(same)} ÷ {_n(n)} = {score_text(value)}"
        rows = tuple((label, label, float(table[position, position])) for position, label in enumerate(labels))
        return StatisticLedger(name, value, worked, r"\frac{\sum_i n_{ii}}{n}", _CELLS[:3], rows, ())
    if name == "difference":
        columns = (
            (tr("grade"), tr("The grades that either judge gives")),
            (tr("first judge"), tr("Pairs to which the first judge gives the grade")),
            (tr("second judge"), tr("Pairs to which the second judge gives the grade")),
            (tr("adds"), tr("Grade × (second − first) ÷ n")),
        )
        parts = grades.values * (second - first) / n
        rows_ = tuple(
            (label, float(first[position]), float(second[position]), float(parts[position]))
            for position, label in enumerate(labels)
        )
        means = float(grades.values @ second / n), float(grades.values @ first / n)
        worked = f"{score_text(means[0])} − {score_text(means[1])} = {score_text(value)}"
        formula = r"\frac{1}{n} \sum_i g_i \, (n_{\cdot i} - n_{i \cdot})"
        return StatisticLedger(name, value, worked, formula, columns, rows_, ())
    concordant = discordant = 0.0
    for row in range(len(labels)):
        for column in range(len(labels)):
            concordant += float(table[row, column] * table[row + 1 :, column + 1 :].sum())
            discordant += float(table[row, column] * table[row + 1 :, :column].sum())
    untied = [float(n * n - (margin**2).sum()) / 2 for margin in (first, second)]
    kinds = (
        (tr("pairs of documents"), tr("Pairs of judged documents, by how the two judges order them")),
        (tr("number"), tr("Their number")),
    )
    counted = (
        (tr("in the same order"), concordant), (tr("in opposite orders"), discordant),
        (tr("not tied by the first judge"), untied[0]), (tr("not tied by the second judge"), untied[1]),
    )  # fmt: skip
    worked = f"({_n(concordant)} − {_n(discordant)}) ÷ √({_n(untied[0])} × {_n(untied[1])}) = {score_text(value)}"
    return StatisticLedger(name, value, worked, r"\frac{C - D}{\sqrt{U_1 \, U_2}}", kinds, counted, ())


def _ac1(a: float, b: float, c: float, d: float) -> tuple[str, str]:
    n = a + b + c + d
    share = (2 * a + b + c) / (2 * n)
    chance = 2 * share * (1 - share)
    worked = f"({score_text((a + d) / n)} − {score_text(chance)}) ÷ (1 − {score_text(chance)})"
    return worked, r"\frac{p_o - p_e}{1 - p_e}, \quad p_e = 2 q (1 - q), \quad q = \frac{2a + b + c}{2n}"


def _largest_kappa(a: float, b: float, c: float, d: float) -> tuple[str, str]:
    """The table of the same margins with the fewest disagreements has |b - c| of them."""
    n = a + b + c + d
    chance = ((a + b) * (b + d) + (a + c) * (c + d)) / n
    worked = f"1 − ({_n(max(b, c))} − {_n(min(b, c))}) ÷ {_n(chance)}"
    formula = r"1 - \frac{|b - c|}{e}, \quad e = \frac{(a + b)(b + d) + (a + c)(c + d)}{n}"
    return worked, formula


def _n(number: float) -> str:
    """Return a count: whole, or with two decimals where pairs are weighted."""
    return decimal(f"{number:,.0f}" if float(number).is_integer() else f"{number:,.2f}")
