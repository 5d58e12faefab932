"""Texts of numbers: statistics without a leading zero, p-values, counts with their nouns.

Values of measures in tables and formulas are written as in trec_eval, ``0.3790``; means and differences in sentences,
statistics, p-values and limits as here, ``.3790``."""

from __future__ import annotations

import math

from irviewer.translation import decimal, tr, trn

MINUS = "−"


def percent_change(share: float) -> str:
    """Return a relative change (0.1 is ten per cent more) in signed per cent, with one decimal, or two significant
    digits if that would be zero; ``0 %`` for no change."""
    percent = 100 * share
    size = abs(percent)
    if not size:
        return "0 %"
    if size >= 0.05:
        text = f"{percent:+.1f}"
    elif size >= 0.00005:
        text = f"{percent:+.{1 - math.floor(math.log10(size))}f}"
    else:
        text = f"{percent:+.1e}".replace("e-0", "e-")
    return decimal(text.replace("-", MINUS)) + " %"


def quantity(value: float) -> str:
    """Return a mean, difference or statistic: four decimals below ten, fewer above, none for whole numbers, no zero
    before the point, a minus sign; ``0`` for zero, ``–`` for NaN."""
    if math.isnan(value):
        return "–"
    size = abs(value)
    if math.isinf(value):
        text = "∞"
    elif not size:
        return "0"
    elif 0 < size < 0.00005:
        text = f"{size:.1e}".replace("e-0", "e-").replace("e-", f"e{MINUS}")
    elif size >= 1 and size == round(size):
        text = f"{size:,.0f}"
    else:
        text = f"{size:,.{4 if size < 10 else 2 if size < 1000 else 1}f}"
        text = text.removeprefix("0") if text.startswith("0.") else text
    return decimal((MINUS if value < 0 else "") + text)


def signed_quantity(value: float) -> str:
    """Return a quantity with a plus sign if it is above 0."""
    return f"+{quantity(value)}" if value > 0 else quantity(value)


def times(ratio: float) -> str:
    """Return a ratio: ``×1.084``, ``×0.923``, ``×12.35``, ``×30,000``; ``–`` for NaN."""
    if math.isnan(ratio):
        return "–"
    if math.isinf(ratio):
        return "×∞"
    if 0 < ratio < 0.1:
        return decimal(f"×{ratio:.3g}".replace("e-0", "e-").replace("e-", f"e{MINUS}"))
    return decimal(f"×{ratio:,.{3 if ratio < 10 else 2 if ratio < 100 else 1 if ratio < 1000 else 0}f}")


def limit(value: float) -> str:
    """Return a threshold or parameter in full, without the zero before the point: ``.05``, ``2``, ``−.1``."""
    text = f"{abs(value):g}"
    return decimal((MINUS if value < 0 else "") + (text.removeprefix("0") if text.startswith("0.") else text))


def ranked(value: float) -> str:
    """Return a statistic of ranks or counts, whole or a half: ``0``, ``1,234``, ``12.5``; ``–`` for NaN."""
    if math.isnan(value):
        return "–"
    return decimal(f"{value:,.0f}" if value == round(value) else f"{value:,.1f}")


def range_text(low: float, high: float) -> str:
    """Return ``between .2 and .5``; if both ends have the same text, ``.2 in every case``."""
    ends = quantity(low), quantity(high)
    if ends[0] == ends[1]:
        return tr("{value} in every case", value=ends[0])
    return tr("between {low} and {high}", low=ends[0], high=ends[1])


def p_value(p: float, *, at_most: bool = False) -> str:
    """Return ``.055``, ``< .001``, or ``≤ .055`` for a bound."""
    if math.isnan(p):
        return "–"
    if p < 0.001:
        return decimal("< .001")
    text = f"{p:.3f}"
    if text == "1.000":
        return "1"
    return decimal(("≤ " if at_most else "") + text.removeprefix("0"))


def p_text(p: float, *, at_most: bool = False) -> str:
    """Return ``p = .055``, ``p < .001`` or ``p ≤ .055``."""
    text = p_value(p, at_most=at_most)
    return f"p {text}" if text.startswith(("<", "≤")) else f"p = {text}"


def percent(share: float) -> str:
    """Return ``5.5 %``; whole per cent from ten up; a minus sign."""
    size = abs(share) * 100
    text = f"{size:.1f}" if size < 9.95 else f"{size:,.0f}"
    return f"{MINUS if share < 0 else ''}{decimal(text)} %"


def share_of_all(share: float) -> str:
    """Return a share of at most all in whole per cent, ``62 %``, and ``0 %`` and ``100 %`` only for none and all: near
    these it is ``0.4 %`` or ``99.5 %``, and nearer ``< 0.1 %`` or ``> 99.9 %``."""
    whole = round(100 * share)
    if 0 < share < 0.0005 or 0.9995 <= share < 1:
        return decimal("< 0.1 %" if whole == 0 else "> 99.9 %")
    beside = 0 < share < 1 and whole in (0, 100)
    return decimal(f"{100 * share:.1f} %" if beside else f"{whole} %")


def level_text(level: float) -> str:
    """Return a level of confidence, ``95 %`` or ``99.48 %``: with four digits, or as many as tell it from 100 %."""
    size = 100 * level
    digits = next((digits for digits in range(4, 17) if float(f"{size:.{digits}g}") < 100), 17)
    return f"{decimal(f'{size:.{digits}g}')} %"


def alpha_text(alpha: float) -> str:
    """Return a level of p, ``.05``, ``.0125``; one that was computed, as that of a look, with two digits: ``.0052``."""
    return limit(alpha if f"{alpha:.3g}" == f"{alpha:g}" else float(f"{alpha:.2g}"))


def in_samples(p: float) -> str:
    """Return how often a result occurs: ``in 5.5 % of such samples``."""
    if p < 0.001:
        return tr("in fewer than 1 of 1,000 such samples")
    return tr("every time") if p >= 0.9995 else tr("in {share} of such samples", share=percent(p))


def count_text(number: int) -> str:
    """Return ``1,234``."""
    return decimal(f"{number:,}")


def score_text(value: float) -> str:
    """Return the value of a measure or a statistic: ``0.1234``, ``−0.0312``, ``–`` for NaN."""
    return "–" if math.isnan(value) else decimal(f"{value:.4f}".replace("-", MINUS))


def counted(number: int, singular: str, plural: str) -> str:
    """Return ``1 query``, ``1,234 queries``."""
    return f"{count_text(number)} {singular if number == 1 else plural}"


def queries_text(n: int) -> str:
    """Return ``1 query``, ``1,234 queries``."""
    return trn("{n:,} query", "{n:,} queries", n)


def units_text(n: int, unit: str, units: int) -> str:
    """Return ``239 queries in 41 units (conversation)``; without a unit ``239 queries``."""
    text = queries_text(n)
    if not unit:
        return text
    return trn("{queries} in {n:,} unit ({unit})", "{queries} in {n:,} units ({unit})", units, queries=text, unit=unit)


def runs_text(n: int) -> str:
    """Return ``1 run``, ``12 runs``."""
    return trn("{n:,} run", "{n:,} runs", n)


def documents_text(n: int) -> str:
    """Return ``1 document``, ``1,234 documents``."""
    return trn("{n:,} document", "{n:,} documents", n)


def pairs_text(n: int) -> str:
    """Return ``1 pair``, ``1,234 pairs``."""
    return trn("{n:,} pair", "{n:,} pairs", n)
