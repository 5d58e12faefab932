"""The columns of the table: names, what a cell says, the formula, and the formula with the numbers of one row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from irviewer.model.half_up import HalfUp
from irviewer.session.lecture_table.values import TableRanking
from irviewer.translation import decimal, tr

UNKNOWN = "?"
"""In place of a number that is covered."""


@dataclass(frozen=True)
class TableColumn:
    """A column: its id, its title, what it is in words, and the columns that a reader could compute from it and the
    others of its row (``leads_to``), which are covered while it is asked."""

    id: str
    title: str
    tip: str
    leads_to: tuple[str, ...] = ()


COLUMNS: tuple[TableColumn, ...] = (
    TableColumn("P", "P@K", tr("Precision: relevant documents down to rank K, divided by K"), ("F", "AP", "AP@K")),
    TableColumn("R", "R@K", tr("Recall: relevant documents down to rank K, divided by R"), ("F",)),
    TableColumn("F", "F@K", tr("The harmonic mean of precision and recall")),
    TableColumn("AP", tr("AP sum"), tr("Precision at the relevant ranks, added up; divided by R it is AP"), ("AP@K",)),
    TableColumn("AP@K", "AP@K", tr("Average precision of the list down to rank K: the AP sum divided by R")),
    TableColumn("RR", "RR", tr("Reciprocal rank: 1 divided by the rank of the first relevant document")),
    TableColumn("gain", tr("gain"), tr("What the grade is worth"), ("discounted", "CG", "DCG", "nDCG")),
    TableColumn("discount", tr("discount"), tr("The factor of the rank"), ("discounted", "DCG", "nDCG")),
    TableColumn("discounted", tr("gain × discount"), tr("What the document adds to DCG"), ("DCG", "nDCG")),
    TableColumn("CG", "CG", tr("The gains added up, without a discount")),
    TableColumn("DCG", "DCG", tr("The discounted gains added up"), ("nDCG",)),
    TableColumn("ideal", tr("ideal DCG"), tr("DCG of the documents in the best order"), ("nDCG",)),
    TableColumn("nDCG", "nDCG", tr("DCG divided by the ideal DCG")),
)
"""In the order of the table."""

COLUMN_OF = {column.id: column for column in COLUMNS}
BINARY = ("P", "R", "AP")
GRADED = ("gain", "discount", "DCG", "ideal")
"""The columns shown at first, for a binary measure and for one with gains."""

_OTHER_NAMES = {
    "p@k": "P", "precision": "P", "r@k": "R", "recall": "R", "f@k": "F", "f1": "F", "ap sum": "AP", "rr@k": "RR",
    "gain × discount": "discounted", "discounted gain": "discounted", "ideal dcg": "ideal", "idealdcg": "ideal",
}  # fmt: skip


def column_named(name: str) -> TableColumn | None:
    """Return the column of a name as people write it ("P@K", "AP sum", "ideal DCG"), in any case; None if unknown."""
    wanted = " ".join(name.lower().split())
    wanted = _OTHER_NAMES.get(wanted, wanted)
    return next((column for column in COLUMNS if wanted.lower() in (column.id.lower(), column.title.lower())), None)


# --- numbers as text ---


def short(value: float) -> str:
    """Return a number as lectures write it: ``.63``, ``9.52``, and ``4`` for a whole one."""
    return f"{value:.0f}" if _is_whole(value) else two_decimals(value)


def two_decimals(value: float) -> str:
    """Return a number with two decimals, without a zero before the point: ``.50``, ``1.00``; 5/8 is ``.63``."""
    return _bare(f"{HalfUp(value):.2f}")


def four_decimals(value: float) -> str:
    """Return a number with four decimals, without a zero before the point; ``4`` for a whole one."""
    return f"{value:.0f}" if _is_whole(value) else _bare(f"{HalfUp(value):.4f}")


def up_to_four(value: float) -> str:
    """Return a number with two to four decimals, as few as it has: ``1.00``, ``.875``, ``.9541``."""
    text = f"{HalfUp(value):.4f}"
    while text.endswith("0") and len(text.partition(".")[2]) > 2:
        text = text[:-1]
    return _bare(text)


def _is_whole(value: float) -> bool:
    return abs(value - round(value)) < 1e-9


def _bare(text: str) -> str:
    return decimal(text.removeprefix("0") if text.startswith("0.") else text)


def cell_text(ranking: TableRanking, column: str, rank: int) -> tuple[str, str]:
    """Return (fraction, value) of a cell: ``("3/4", ".75")``; the fraction is "" where there is none."""
    value = ranking.at(column, rank)
    if column == "P":
        return f"{ranking.hits[rank - 1]}/{rank}", short(value)
    if column == "R":
        return f"{ranking.hits[rank - 1]}/{ranking.relevant}" if ranking.relevant else "", two_decimals(value)
    if column == "RR":
        return (f"1/{ranking.first_relevant}", short(value)) if value else ("", "0")
    if column in ("nDCG", "AP@K"):
        return "", up_to_four(value)
    return "", two_decimals(value) if column in ("AP", "F") else short(value)


# --- formulas ---


def logarithm(ranking: TableRanking, rank: str = "i") -> str:
    """Return the divisor of a gain as LaTeX."""
    rule = ranking.rule
    if rule.dcg.endswith("jk"):
        return rf"\log_{{{rule.base:g}}} \max({rank}, {rule.base:g})"
    return rf"\log_2({rank}+1)"


def formula(ranking: TableRanking, column: str) -> str:
    """Return the formula of a column under the ranking's setting: LaTeX without dollar signs."""
    divisor = logarithm(ranking)
    gain = r"2^{grade} - 1" if ranking.rule.dcg.startswith("exp") and not ranking.rule.gains else "grade"
    formulas = {
        "P": r"P@K = \frac{1}{K} \sum_{i=1}^{K} rel(i)",
        "R": r"R@K = \frac{1}{R} \sum_{i=1}^{K} rel(i)",
        "F": r"F@K = \frac{2 \cdot P@K \cdot R@K}{P@K + R@K}",
        "AP": r"AP = \frac{1}{R} \sum_{K=1}^{n} P@K \cdot rel(K)",
        "AP@K": r"AP@K = \frac{1}{R} \sum_{i=1}^{K} P@i \cdot rel(i)",
        "RR": r"RR = \frac{1}{rank\ of\ the\ first\ relevant}",
        "gain": rf"gain = {gain}",
        "discount": rf"discount_i = \frac{{1}}{{{divisor}}}",
        "discounted": rf"\frac{{gain_i}}{{{divisor}}}",
        "CG": r"CG@K = \sum_{i=1}^{K} gain_i",
        "DCG": rf"DCG@K = \sum_{{i=1}}^{{K}} \frac{{gain_i}}{{{divisor}}}",
        "ideal": rf"ideal\ DCG@K = \sum_{{i=1}}^{{K}} \frac{{gain^{{*}}_i}}{{{divisor}}}",
        "nDCG": r"nDCG@K = \frac{DCG@K}{ideal\ DCG@K}",
    }
    return formulas[column]


def worked(ranking: TableRanking, column: str, rank: int, known: Callable[[str, int], bool]) -> str:
    """Return the formula with the numbers of a row, as text; numbers of cells that are not ``known`` (column, rank)
    are UNKNOWN: ``5.68 + 8/11 × 1 = ?``."""
    return f"{_left(ranking, column, rank, known)} = {_value(ranking, column, rank, known)}"


def _value(ranking: TableRanking, column: str, rank: int, known: Callable[[str, int], bool]) -> str:
    return cell_text(ranking, column, rank)[1] if known(column, rank) else UNKNOWN


def _fraction(ranking: TableRanking, column: str, rank: int, known: Callable[[str, int], bool]) -> str:
    """Return the fraction of a cell; its value where it has none."""
    if not known(column, rank):
        return UNKNOWN
    fraction, value = cell_text(ranking, column, rank)
    return fraction or value


def _left(ranking: TableRanking, column: str, rank: int, known: Callable[[str, int], bool]) -> str:
    hits = str(ranking.hits[rank - 1]) if known(column, rank) else UNKNOWN
    divisor = short(1.0 / float(ranking.discount[rank - 1])) if known("discount", rank) else UNKNOWN
    match column:
        case "P":
            return f"{hits} ÷ {rank}"
        case "R":
            return f"{hits} ÷ {ranking.relevant}"
        case "F":
            precision, recall = _value(ranking, "P", rank, known), _value(ranking, "R", rank, known)
            return f"2 × {precision} × {recall} ÷ ({precision} + {recall})"
        case "AP":
            adds = f"{_fraction(ranking, 'P', rank, known)} × {ranking.is_relevant[rank - 1]:.0f}"
            return _and_before(ranking, column, rank, known, adds)
        case "AP@K":
            return f"{_value(ranking, 'AP', rank, known)} ÷ {ranking.relevant}"
        case "RR":
            return f"1 ÷ {ranking.first_relevant or '∞'}" if known(column, rank) else f"1 ÷ {UNKNOWN}"
        case "gain":
            grade = f"{max(0.0, _zero(ranking.grade(rank))):g}"
            plain = not ranking.rule.dcg.startswith("exp") or ranking.rule.gains
            return tr("grade {grade}", grade=grade) if plain else f"2^{grade} − 1"
        case "discount":
            return f"1 ÷ {_logarithm_text(ranking, rank)}"
        case "discounted":
            return f"{_value(ranking, 'gain', rank, known)} ÷ {divisor}"
        case "CG":
            return _and_before(ranking, column, rank, known, _value(ranking, "gain", rank, known))
        case "DCG":
            adds = f"{_value(ranking, 'gain', rank, known)} ÷ {divisor}"
            return _and_before(ranking, column, rank, known, adds)
        case "ideal":
            gain = short(float(ranking.ideal_gain[rank - 1]))
            return _and_before(ranking, column, rank, known, f"{gain} ÷ {divisor}")
        case _:
            return f"{_value(ranking, 'DCG', rank, known)} ÷ {_value(ranking, 'ideal', rank, known)}"


def _and_before(ranking: TableRanking, column: str, rank: int, known: Callable[[str, int], bool], adds: str) -> str:
    """Return the value of the row before, plus what this row adds."""
    return adds if rank == 1 else f"{_value(ranking, column, rank - 1, known)} + {adds}"


def _logarithm_text(ranking: TableRanking, rank: int) -> str:
    rule = ranking.rule
    if rule.dcg.endswith("jk"):
        return f"log{_lowered(rule.base)} {max(rank, rule.base):g}"
    return f"log₂ {rank + 1}"


def _lowered(base: float) -> str:
    return f"{base:g}".translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def _zero(grade: float) -> float:
    return 0.0 if grade != grade else grade  # NaN: unjudged
