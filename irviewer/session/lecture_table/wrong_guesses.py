"""The reason for a wrong guess: the known mistakes of every column, each as the number it leads to.

A mistake is recognised by its number to two decimals. No text names the right answer, since the user may try again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from irviewer.measures.gains import MOST_EXPONENT
from irviewer.session.lecture_table.columns import cell_text, short, two_decimals, worked
from irviewer.session.lecture_table.guess import CLOSE
from irviewer.session.lecture_table.values import TableRanking
from irviewer.translation import tr


@dataclass(frozen=True)
class Mistake:
    """A mistake: its name, the value that it leads to, what was done, and how it is done right."""

    name: str
    value: float
    what: str
    remedy: str


@dataclass(frozen=True)
class Reason:
    """The answer to a wrong guess: ``mistake`` is the name of the mistake, "" for none that is known; then ``remedy``
    is the formula of the row."""

    mistake: str
    what: str
    remedy: str


def reason_for(ranking: TableRanking, column: str, rank: int, guess: float, typed: str) -> Reason:
    """Return why a guess of a column at a rank is wrong. ``typed`` is the guess as the user wrote it."""
    value = ranking.at(column, rank)
    for mistake in mistakes(ranking, column, rank):
        near = abs(guess - mistake.value) <= CLOSE + 1e-9
        if near and abs(value - mistake.value) > CLOSE + 1e-9:
            return Reason(mistake.name, f"{typed}: {mistake.what}", mistake.remedy)
    return Reason(
        "",
        tr("{guess} is not right.", guess=typed),
        tr("The row’s numbers: {formula}", formula=worked(ranking, column, rank, _all_but(column, rank))),
    )


def mistakes(ranking: TableRanking, column: str, rank: int) -> Iterator[Mistake]:
    """Return the known mistakes of a column at a rank, the most particular first; some have the value of the answer."""
    return _MISTAKES[column](ranking, rank)


def _all_but(column: str, rank: int) -> Callable[[str, int], bool]:
    def known(other: str, at: int) -> bool:
        return (other, at) != (column, rank)

    return known


# --- precision and recall ---


def _precision(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    hits, total = int(ranking.hits[rank - 1]), ranking.relevant
    remedy = tr("Count the relevant documents down to rank {rank} and divide by {rank}.", rank=rank)
    yield from _by_level(ranking, rank, rank, remedy)
    yield Mistake("count", hits, tr("the number of relevant documents, not yet their share."), remedy)
    if total:
        yield Mistake("divides-by-R", hits / total, tr("divides by R = {total}; that is recall.", total=total), remedy)
    yield Mistake("non-relevant", (rank - hits) / rank, tr("counts the documents that are not relevant."), remedy)
    if rank > 1:
        before = int(ranking.hits[rank - 2])
        yield Mistake(
            "row-before", before / (rank - 1), tr("this is P@{rank}, of the row before.", rank=rank - 1), remedy
        )
        yield Mistake(
            "old-count", before / rank,
            tr("leaves out {document}, which is relevant too.", document=ranking.documents[rank - 1]), remedy,
        )  # fmt: skip
        yield Mistake("old-K", hits / (rank - 1), tr("divides by {wrong}.", wrong=rank - 1), remedy)
    if not ranking.is_relevant[rank - 1]:
        yield Mistake(
            "counts-this-one", (hits + 1) / rank,
            tr("counts {document}, which is not relevant.", document=ranking.documents[rank - 1]), remedy,
        )  # fmt: skip
    yield Mistake("next-K", hits / (rank + 1), tr("divides by {wrong}.", wrong=rank + 1), remedy)
    yield Mistake(
        "whole-list", hits / ranking.n, tr("divides by {wrong}, the length of the list.", wrong=ranking.n), remedy
    )


def _recall(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    hits, total, retrieved = int(ranking.hits[rank - 1]), ranking.relevant, int(ranking.hits[-1])
    remedy = tr(
        "Count the relevant documents down to rank {rank} and divide by R = {total}, the relevant documents of the "
        "query, retrieved or not.", rank=rank, total=total,
    )  # fmt: skip
    yield from _by_level(ranking, rank, total, remedy)
    yield Mistake("count", hits, tr("the number of relevant documents, not yet their share."), remedy)
    yield Mistake("divides-by-K", hits / rank, tr("divides by K = {rank}; that is precision.", rank=rank), remedy)
    if retrieved and retrieved != total:
        yield Mistake(
            "retrieved-only", hits / retrieved,
            tr("divides by {wrong}, the relevant documents that are in the list.", wrong=retrieved), remedy,
        )  # fmt: skip
    if not total:
        return
    if rank > 1:
        yield Mistake(
            "row-before", int(ranking.hits[rank - 2]) / total,
            tr("this is R@{rank}; {document} is relevant too.", rank=rank - 1, document=ranking.documents[rank - 1]),
            remedy,
        )  # fmt: skip
    if not ranking.is_relevant[rank - 1]:
        yield Mistake(
            "counts-this-one", (hits + 1) / total,
            tr("counts {document}, which is not relevant.", document=ranking.documents[rank - 1]), remedy,
        )  # fmt: skip
    yield Mistake("what-is-missing", 1 - hits / total, tr("the share that is still missing."), remedy)
    yield Mistake(
        "divides-by-the-list", hits / ranking.n, tr("divides by {wrong}, the length of the list.", wrong=ranking.n),
        remedy,
    )  # fmt: skip


def _by_level(ranking: TableRanking, rank: int, below: int, remedy: str) -> Iterator[Mistake]:
    """Return the mistake of counting every grade above 0 where the level is higher."""
    if below and (ranking.grades > 0).sum() != ranking.hits[-1]:
        graded = int((ranking.grades[:rank] > 0).sum())
        what = tr("counts every grade above 0; relevant here: grade {level:g} or higher.", level=ranking.level)
        yield Mistake("level", graded / below, what, remedy)


def _f(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    precision, recall = float(ranking.precision[rank - 1]), float(ranking.recall[rank - 1])
    remedy = tr("Twice the product of precision and recall, divided by their sum.")
    yield Mistake(
        "arithmetic-mean", (precision + recall) / 2,
        tr("the arithmetic mean; F is the harmonic one, which is near the smaller of both."), remedy,
    )  # fmt: skip
    if precision + recall:
        yield Mistake("no-factor-2", precision * recall / (precision + recall), tr("leaves out the factor 2."), remedy)
    yield Mistake("product", precision * recall, tr("the product alone."), remedy)
    yield Mistake("twice-the-product", 2 * precision * recall, tr("does not divide by the sum of both."), remedy)
    yield Mistake("geometric-mean", math.sqrt(precision * recall), tr("the geometric mean."), remedy)
    yield Mistake("precision", precision, tr("this is P@{rank}.", rank=rank), remedy)
    yield Mistake("recall", recall, tr("this is R@{rank}.", rank=rank), remedy)


# --- average precision and reciprocal rank ---


def _precision_sum(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    total = float(ranking.precision_sum[rank - 1])
    before = float(ranking.precision_sum[rank - 2]) if rank > 1 else 0.0
    document, is_relevant = ranking.documents[rank - 1], bool(ranking.is_relevant[rank - 1])
    at_rank = float(ranking.precision[rank - 1])
    if is_relevant:
        remedy = tr("Start from {before} and add P@{rank} of this row.", before=two_decimals(before), rank=rank)
    else:
        remedy = tr("{document}, at rank {rank}, is not relevant: its row adds nothing.", document=document, rank=rank)
        yield Mistake("non-relevant-rank", before + at_rank, tr("adds P@{rank} here too.", rank=rank), remedy)
    for other in range(rank - 1, 0, -1):
        if not ranking.is_relevant[other - 1]:
            why = tr(
                "{document}, at rank {rank}, is not relevant: AP adds precision only where a relevant document is. "
                "{remedy}", document=ranking.documents[other - 1], rank=other, remedy=remedy,
            )  # fmt: skip
            value = float(ranking.precision[other - 1])
            what = tr("also adds P@{rank} = {value}.", rank=other, value=cell_text(ranking, "P", other)[1])
            yield Mistake("non-relevant-rank", total + value, what, why)
    yield Mistake(
        "every-rank", float(ranking.precision[:rank].sum()), tr("adds P@K at every rank."),
        tr("AP adds precision only where a relevant document is. {remedy}", remedy=remedy),
    )  # fmt: skip
    yield Mistake("count", int(ranking.hits[rank - 1]), tr("the number of relevant documents, not the sum."), remedy)
    yield Mistake("only-this-row", at_rank, tr("this is P@{rank} alone, not the sum so far.", rank=rank), remedy)
    if is_relevant:
        yield Mistake(
            "adds-nothing", before,
            tr("this is the sum of the row before; {document} is relevant.", document=document), remedy,
        )  # fmt: skip
        yield Mistake("adds-1", before + 1, tr("adds 1 for the relevant document, not its precision."), remedy)
        yield Mistake("adds-recall", before + float(ranking.recall[rank - 1]), tr("adds R@{rank}.", rank=rank), remedy)
        yield Mistake("adds-1/K", before + 1 / rank, tr("adds 1/{rank}.", rank=rank), remedy)
        if rank > 1:
            old = float(ranking.precision[rank - 2])
            yield Mistake(
                "precision-before", before + old, tr("adds P@{rank}, of the row before.", rank=rank - 1), remedy
            )
    later = tr("The division comes at the end; this column is the sum alone. {remedy}", remedy=remedy)
    if ranking.relevant:
        yield Mistake(
            "divided-by-R", total / ranking.relevant, tr("divides by R = {total}.", total=ranking.relevant), later
        )
    yield Mistake("divided-by-K", total / rank, tr("divides by K = {rank}.", rank=rank), later)
    if ranking.hits[rank - 1]:
        yield Mistake(
            "divided-by-the-count", total / int(ranking.hits[rank - 1]),
            tr("divides by {wrong}, the relevant documents so far.", wrong=int(ranking.hits[rank - 1])), later,
        )  # fmt: skip


def _average_precision(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    total = float(ranking.precision_sum[rank - 1])
    remedy = tr(
        "Divide the AP sum by R = {total}, all relevant documents of the query, retrieved or not.",
        total=ranking.relevant,
    )
    yield Mistake("sum", total, tr("the sum, not yet divided."), remedy)
    yield Mistake("divided-by-K", total / rank, tr("divides by K = {rank}.", rank=rank), remedy)
    if ranking.hits[rank - 1]:
        so_far = int(ranking.hits[rank - 1])
        what = tr("divides by {wrong}, the relevant documents so far.", wrong=so_far)
        yield Mistake("divided-by-the-count", total / so_far, what, remedy)
    mean = float(ranking.precision[:rank].mean())
    yield Mistake("every-rank", mean, tr("the mean of P@K over all ranks, relevant or not."), remedy)
    yield Mistake("precision", float(ranking.precision[rank - 1]), tr("this is P@{rank}.", rank=rank), remedy)


def _reciprocal_rank(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    remedy = tr("Find the first relevant document down to rank {rank}, and divide 1 by its rank.", rank=rank)
    first, hits = ranking.first_relevant, int(ranking.hits[rank - 1])
    if not 0 < first <= rank:
        remedy = tr("There is no relevant document down to rank {rank}.", rank=rank)
        yield Mistake("this-rank", 1 / rank, tr("1/{rank}, but no document so far is relevant.", rank=rank), remedy)
        return
    yield Mistake("the-rank", first, tr("the rank itself."), remedy)
    relevant = [int(place) + 1 for place in ranking.is_relevant[:rank].nonzero()[0]]
    for other in reversed(relevant[1:]):
        what = tr("1/{rank}: an earlier document is relevant too, and only the first one counts.", rank=other)
        yield Mistake("a-later-one", 1 / other, what, remedy)
    yield Mistake("this-rank", 1 / rank, tr("1 divided by the rank of this row."), remedy)
    yield Mistake("precision", hits / rank, tr("this is P@{rank}.", rank=rank), remedy)


# --- gain and discount ---


def _gain(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    grade, rule = _grade(ranking, rank), ranking.rule
    exponential = rule.dcg.startswith("exp") and not rule.gains
    remedy = tr("Here the gain is 2^grade − 1.") if exponential else tr("Here the gain is the grade.")
    if rule.gains:
        remedy = tr("Here some grades have a gain of their own.")
    if rule.rel is not None and grade < rule.rel:
        remedy = tr("Here grades below {level:g} have no gain.", level=rule.rel)
    if exponential:
        yield Mistake("grade", grade, tr("the grade itself."), remedy)
        yield Mistake("no-minus-1", _power(grade), tr("2^grade, without the − 1."), remedy)
    else:
        yield Mistake("2^g-1", _power(grade) - 1, tr("2^grade − 1, another rule for the gain."), remedy)
        yield Mistake("grade", grade, tr("the grade itself."), remedy)
    yield Mistake("binary", float(grade > 0), tr("1 for a relevant document; here grades count."), remedy)
    yield Mistake("discounted", float(ranking.discounted[rank - 1]), tr("is discounted already."), remedy)


def _divisors(ranking: TableRanking, rank: int) -> Iterator[tuple[str, float, str]]:
    """Return wrong divisors of a rank: name, value, and what was done."""
    capped = ranking.rule.dcg.endswith("jk")
    base = ranking.rule.base if capped else 2.0
    at = max(rank, base) if capped else rank + 1.0
    if capped:
        yield "rank-plus-1", math.log2(rank + 1), tr("discounts by log₂({wrong}), the rank plus 1.", wrong=rank + 1)
    else:
        yield "rank", math.log2(max(rank, 2)), tr("discounts by log₂({wrong}), the rank itself.", wrong=rank)
    if rank > 1 or not capped:
        yield (
            "natural-logarithm",
            math.log(at),
            tr("uses the natural logarithm; it should have base {base:g}.", base=base),
        )
        yield (
            "decimal-logarithm",
            math.log10(at),
            tr("uses the decimal logarithm; it should have base {base:g}.", base=base),
        )
    yield "rank-itself", float(rank), tr("divides by the rank, not by its logarithm.")


def _discount(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    remedy = tr("The factor is 1 divided by the logarithm in the formula.")
    divisor = 1 / float(ranking.discount[rank - 1])
    yield Mistake("the-divisor", divisor, tr("the logarithm itself; the factor is 1 divided by it."), remedy)
    for name, wrong, what in _divisors(ranking, rank):
        if wrong:
            yield Mistake(name, 1 / wrong, what, remedy)
            yield Mistake(name, wrong, what, remedy)
    if ranking.rule.dcg.endswith("jk"):
        yield Mistake("no-discount", 1.0, tr("no discount; only the first ranks have none."), remedy)
    else:
        yield Mistake("no-discount", 1.0, tr("no discount; only rank 1 has none."), remedy)


def _discounted(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    gain, factor = float(ranking.gain[rank - 1]), float(ranking.discount[rank - 1])
    remedy = tr("The gain of this row times its discount.")
    if not gain:
        remedy = tr("{document} has no gain.", document=ranking.documents[rank - 1])
    yield Mistake("no-discount", gain, tr("the gain without its discount."), remedy)
    for name, wrong, what in _divisors(ranking, rank):
        if wrong:
            yield Mistake(name, gain / wrong, what, remedy)
    yield Mistake("multiplies", gain / factor, tr("multiplies by the logarithm instead of dividing."), remedy)
    yield Mistake("the-factor", factor, tr("the discount alone."), remedy)
    yield from (Mistake(name, wrong * factor, what, remedy) for name, wrong, what in _wrong_gains(ranking, rank))


def _grade(ranking: TableRanking, rank: int) -> float:
    """Return the grade at a rank, 0 where it is unjudged or negative."""
    grade = ranking.grade(rank)
    return 0.0 if math.isnan(grade) else max(0.0, grade)


def _power(grade: float) -> float:
    """Return 2^grade, infinite where a float has no such number."""
    return 2.0**grade if grade < MOST_EXPONENT else math.inf


def _wrong_gains(ranking: TableRanking, rank: int) -> Iterator[tuple[str, float, str]]:
    """Return wrong gains of a rank: name, value, and what was done."""
    grade = _grade(ranking, rank)
    if ranking.rule.dcg.startswith("exp") and not ranking.rule.gains:
        yield "grade", grade, tr("takes the grade as gain; here it is 2^grade − 1.")
    else:
        yield "2^g-1", _power(grade) - 1, tr("takes 2^grade − 1 as gain, another rule.")
    yield "binary", float(grade > 0), tr("takes 1 as gain of every relevant document.")


def _cumulated(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    before = float(ranking.cumulated[rank - 2]) if rank > 1 else 0.0
    gain = float(ranking.gain[rank - 1])
    remedy = (
        tr("Start from {before} and add the gain of this row.", before=short(before)) if gain
        else tr("{document} has no gain: its row adds nothing.", document=ranking.documents[rank - 1])
    )  # fmt: skip
    yield Mistake("row-before", before, tr("this is the sum of the row before."), remedy)
    yield Mistake("only-this-row", gain, tr("the gain of this row alone, not the sum so far."), remedy)
    yield Mistake("count", int((ranking.gain[:rank] > 0).sum()), tr("the number of documents with a gain."), remedy)
    yield Mistake("discounted", float(ranking.dcg[rank - 1]), tr("this is DCG; CG has no discount."), remedy)
    yield from _sums(ranking, rank, remedy, lambda at, gain: gain)


def _dcg(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    before = float(ranking.dcg[rank - 2]) if rank > 1 else 0.0
    gain, factor = float(ranking.gain[rank - 1]), float(ranking.discount[rank - 1])
    remedy = (
        tr("Start from {before} and add gain ÷ logarithm of this row.", before=short(before)) if gain
        else tr("{document} has no gain: its row adds nothing.", document=ranking.documents[rank - 1])
    )  # fmt: skip
    yield Mistake("row-before", before, tr("this is the sum of the row before."), remedy)
    yield Mistake("no-discount", before + gain, tr("adds the gain of this row without its discount."), remedy)
    yield Mistake("CG", float(ranking.cumulated[rank - 1]), tr("this is CG: no gain is discounted."), remedy)
    yield Mistake("only-this-row", gain * factor, tr("what this row adds, not the sum so far."), remedy)
    yield Mistake("multiplies", before + gain / factor, tr("multiplies by the logarithm instead of dividing."), remedy)
    if not gain:
        yield Mistake("adds-the-factor", before + factor, tr("adds the discount alone."), remedy)
    for name, wrong, what in _divisors(ranking, rank):
        if wrong:
            yield Mistake(name, before + gain / wrong, what, remedy)
        whole = _sum_with_divisor(ranking, rank, name)
        if whole is not None:
            yield Mistake(name, whole, what, remedy)
    yield from _sums(ranking, rank, remedy, lambda at, gain: gain * float(ranking.discount[at - 1]))
    yield Mistake("count", int(ranking.hits[rank - 1]), tr("the number of relevant documents, not the sum."), remedy)
    yield Mistake("ideal", float(ranking.ideal[rank - 1]), tr("this is the ideal DCG."), remedy)
    yield Mistake("divided", float(ranking.normalised[rank - 1]), tr("is divided by the ideal DCG already."), remedy)


def _sum_with_divisor(ranking: TableRanking, rank: int, name: str) -> float | None:
    """Return DCG with the wrong divisor of that name at every rank; None where one of them is 0. Ranks without that
    mistake have their right divisor."""
    total = 0.0
    for at in range(1, rank + 1):
        wrong = next((value for other, value, _ in _divisors(ranking, at) if other == name), None)
        divisor = 1 / float(ranking.discount[at - 1]) if wrong is None else wrong
        if not divisor:
            return None
        total += float(ranking.gain[at - 1]) / divisor
    return total


def _sums(ranking: TableRanking, rank: int, remedy: str, adds: Callable[[int, float], float]) -> Iterator[Mistake]:
    """Return the mistakes of a sum with wrong gains: at this row alone, and at every row."""
    before = sum(adds(at, float(ranking.gain[at - 1])) for at in range(1, rank))
    for number, (name, value, what) in enumerate(_wrong_gains(ranking, rank)):
        yield Mistake(name, before + adds(rank, value), what, remedy)
        whole = sum(adds(at, list(_wrong_gains(ranking, at))[number][1]) for at in range(1, rank + 1))
        yield Mistake(name, whole, what, remedy)


def _ideal(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    judged = ranking.rule.ideal == "judged"
    before = float(ranking.ideal[rank - 2]) if rank > 1 else 0.0
    gain = float(ranking.ideal_gain[rank - 1])
    remedy = (
        tr("Put the documents of the query in the order of their grades, retrieved or not.") if judged
        else tr("Put the retrieved documents in the order of their grades.")
    )  # fmt: skip
    remedy = tr("{order} Then discount and add as for DCG.", order=remedy)
    yield Mistake("DCG", float(ranking.dcg[rank - 1]), tr("this is DCG of the ranking as it is."), remedy)
    other = ranking.ideal_gain_of("retrieved" if judged else "judged")
    what = (
        tr("orders the retrieved documents only; here all judged ones count.") if judged
        else tr("orders all judged documents; here only those retrieved count.")
    )  # fmt: skip
    yield Mistake("other-ideal", float((other * ranking.discount)[:rank].sum()), what, remedy)
    yield Mistake("row-before", before, tr("this is the sum of the row before."), remedy)
    yield Mistake("no-discount", float(ranking.ideal_gain[:rank].sum()), tr("discounts no gain."), remedy)
    yield Mistake("no-discount", before + gain, tr("adds the gain of this row without its discount."), remedy)
    yield Mistake(
        "only-this-row", gain * float(ranking.discount[rank - 1]), tr("what this row adds, not the sum so far."), remedy
    )
    for name, wrong, what in _divisors(ranking, rank):
        if wrong:
            yield Mistake(name, before + gain / wrong, what, remedy)
    yield Mistake("whole-list", float(ranking.ideal[-1]), tr("goes on to the end of the list."), remedy)


def _normalised(ranking: TableRanking, rank: int) -> Iterator[Mistake]:
    remedy = tr("DCG of this row, divided by the ideal DCG of this row.")
    value, ideal = float(ranking.dcg[rank - 1]), float(ranking.ideal[rank - 1])
    if value:
        yield Mistake("upside-down", ideal / value, tr("divides the ideal DCG by DCG."), remedy)
    if ranking.ideal[-1]:
        yield Mistake(
            "whole-ideal", value / float(ranking.ideal[-1]), tr("divides by the ideal DCG of the last rank."), remedy
        )
    judged = ranking.rule.ideal == "judged"
    other = float((ranking.ideal_gain_of("retrieved" if judged else "judged") * ranking.discount)[:rank].sum())
    if other:
        what = (
            tr("divides by the ideal DCG of the retrieved documents; here all judged ones count.") if judged
            else tr("divides by the ideal DCG of all judged documents; here only those retrieved count.")
        )  # fmt: skip
        yield Mistake("other-ideal", value / other, what, remedy)
    yield Mistake("DCG", value, tr("this is DCG, not yet divided."), remedy)
    yield Mistake("difference", ideal - value, tr("the difference; nDCG is a quotient."), remedy)
    if rank > 1:
        yield Mistake(
            "row-before", float(ranking.normalised[rank - 2]), tr("this is the value of the row before."), remedy
        )
    cumulated, best = float(ranking.cumulated[rank - 1]), float(ranking.ideal_gain[:rank].sum())
    if best:
        yield Mistake("no-discount", cumulated / best, tr("discounts no gain."), remedy)


_MISTAKES: dict[str, Callable[[TableRanking, int], Iterator[Mistake]]] = {
    "P": _precision,
    "R": _recall,
    "F": _f,
    "AP": _precision_sum,
    "AP@K": _average_precision,
    "RR": _reciprocal_rank,
    "gain": _gain,
    "discount": _discount,
    "discounted": _discounted,
    "CG": _cumulated,
    "DCG": _dcg,
    "ideal": _ideal,
    "nDCG": _normalised,
}
