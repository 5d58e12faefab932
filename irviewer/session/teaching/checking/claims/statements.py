"""Clauses about rankings each by itself: numbers, relevance at ranks, ranks of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from irviewer.session.lecture_table.values import TableRanking
from irviewer.session.teaching.checking.claims.phrases import Number
from irviewer.session.teaching.checking.claims.quantities import (
    DOWN_THE_LIST,
    Quantity,
    quantity_of,
    rank_of_relevant,
    ranks_of,
)
from irviewer.session.teaching.checking.claims.scenes import Bag, Scene, Verdict, decide
from irviewer.session.teaching.checking.claims.states import State, counts, is_such, nth_rank, relevance_at
from irviewer.translation import listed, tr


def value(bag: Bag, scene: Scene) -> Verdict | None:
    """A number of a quantity: "P@3 of north is 2/3", "two of the first three are relevant"."""
    numbers: list[Number] = bag.of.get("N", [])
    if numbers and bag.has("n") and bag.first("R") == "relevant" and not bag.has("M") and numbers[0].value:
        other = "missed" if bag.has("P") and not bag.has("E") else "other"
        bag = Bag([replace(each, value=other) if each.kind == "R" else each for each in bag.tokens if each.kind != "n"])
    ranks: Sequence[int] = bag.first("A") or ()
    if numbers and numbers[0].value > 1 and len(ranks) == 1 and ranks[0] > 0 and bag.finds and not bag.has("MEHhd"):
        # "at rank 8 it has found four of them"
        bag = Bag([replace(each, kind="E", value=(1, ranks[0])) if each.kind == "A" else each for each in bag.tokens])
    if bag.has("X") and isinstance(bag.first("X"), tuple):
        return None  # "more than half"
    if not numbers and bag.has("X") and not bag.has("sC") and float(bag.first("X")) < 1:
        numbers, other = [_share(bag.first("X"))], "X"
    elif not numbers and bag.has("e") and bag.has("R") and bag.has("D") and bag.has("E"):
        numbers, other = [Number(0.0, more=1, is_count=True)], ""
    else:
        other = "N" * len(numbers)
    if not numbers or bag.has("CSc"):
        return None
    if bag.first("M") in ("P", "R", "F") and not bag.has("rBAE") and numbers[0].value in (0, 1):
        return None  # that may be said of any ranking
    quantity, runs = quantity_of(bag, scene), bag.first("r") or ()
    if quantity is None or bag.claim != "".join(sorted(quantity.used + other + "U" * len(bag.of.get("U", ())))):
        return None
    is_number_of = not quantity.is_measure and not quantity.is_rank
    if (bag.has("U") and not is_number_of) or (is_number_of and not _is_counted(numbers, bag)):
        return None
    if len(numbers) > 1 and len(numbers) != len(runs):
        return None
    wanted: dict[str, Number] = dict(zip(runs, numbers, strict=True)) if len(numbers) > 1 else {}

    def holds(state: State, run: str, query: str) -> bool | None:
        return _is_so(quantity, wanted.get(run, numbers[0]), bag, state, run, query)

    verdict = decide(bag, scene, holds, quantity.stated)
    is_open = quantity.is_measure and quantity.used == "M" and bag.first("M") in DOWN_THE_LIST
    return verdict if verdict is None or not is_open else replace(verdict, is_sure=False)


def _share(said: Any) -> Number:
    """Return the number of "half", or of "more than half"."""
    if isinstance(said, tuple):
        return Number(float(said[0]), is_share=True, more=1 if said[1] == "up" else -1)
    return Number(float(said), is_share=True)


def _is_counted(numbers: Sequence[Number], bag: Bag) -> bool:
    """Return whether numbers can be those of documents: whole ones, or shares of some."""
    return all(each.is_count or bag.has("EU") for each in numbers)


def _is_so(quantity: Quantity, number: Number, bag: Bag, state: State, run: str, query: str) -> bool | None:
    values = quantity.values(state, run, query)
    if quantity.is_measure or quantity.is_rank:
        wanted = number
        if number.is_count and quantity.is_measure and not number.more:
            wanted = Number(number.value, 0.005 if number.value < 2 else 0.5)
        return any(wanted.is_equal(each) for each in values) if values else None
    lists = state.lists(run, query)
    if not values or lists is None:
        return None
    results = [_is_count(number, own, size, fits=fits) for own, size, fits in _of_how_many(bag, lists, values)]
    known = [each for each in results if each is not None]
    return any(known) if known else None


def _is_count(number: Number, values: Sequence[float], size: float | None, *, fits: bool) -> bool | None:
    """Return whether a number is that of some documents, or their share of ``size``; not if ``size`` does not fit."""
    if number.is_share or not number.is_count:
        return fits and any(number.is_equal(each / size) for each in values) if size else None
    return fits and any(number.is_equal(each) for each in values)


def _of_how_many(
    bag: Bag, lists: Sequence[TableRanking], values: Sequence[float]
) -> Iterator[tuple[Sequence[float], float | None, bool]]:
    """Yield (counts, of how many they are, whether there are so many), in each way in which "two of five" is meant."""
    total, span = bag.first("U"), bag.first("E")
    relevant, length = float(sum(each.relevant for each in lists)), float(sum(each.n for each in lists))
    if total is None:
        yield values, float(span[1] - span[0] + 1) if span and span[1] else None, True
        return
    n, what = total
    if what == "relevant" or not bag.has("R") or bag.first("R") == "missed":
        yield values, relevant, n in (0, relevant)
    if what == "document" and span is None and not bag.has("rBP") and n > max(each.n for each in lists):
        return  # of all documents that some lists have together
    if what != "relevant":
        yield values, float(n), n == length or (span is not None and span[1] == n)
        if span is None and len(lists) == 1 and n <= lists[0].n:
            yield counts(lists[0], bag.first("R") or "relevant", (1, n)), float(n), True


def relevance(bag: Bag, scene: Scene) -> Verdict | None:
    """Relevance at ranks: "rank 2 of north is relevant", "both have a relevant document at rank 1"."""
    what, ranks, numbers = bag.first("R"), bag.first("A"), bag.of.get("N", [])
    if bag.claim not in ("AR", "ANR") or what == "missed":
        return None
    none = bool(numbers) and numbers[0].is_count and numbers[0].value == 0
    if numbers and not none and (not numbers[0].is_count or numbers[0].value != len(ranks)):
        return None
    kinds = "".join(token.kind for token in bag.tokens)
    is_exact = what == "relevant" and len(ranks) > 1 and not numbers and ("tRD" in kinds or "tDR" in kinds)

    def holds(state: State, run: str, query: str) -> bool | None:
        lists = state.lists(run, query) or ()
        results = [relevance_at(lists[0], rank, what) for rank in ranks] if len(lists) == 1 else [None]
        if None in results:
            return None
        if is_exact:
            return [nth + 1 for nth in range(lists[0].n) if lists[0].is_relevant[nth]] == sorted(ranks)
        return not any(results) if none else all(results)

    def stated(state: State, runs: Sequence[str], query: str) -> str:
        return "; ".join(_relevant_ranks(state, run, query) for run in runs)

    return decide(bag, scene, holds, stated)


def _relevant_ranks(state: State, run: str, query: str) -> str:
    lists = state.lists(run, query) or ()
    if len(lists) != 1:
        return run
    ranks = [str(place + 1) for place, each in enumerate(is_such(lists[0], "relevant")) if each]
    whose = f"{run} ({tr('query {query}', query=query)})" if query and len(state.queries) > 1 else run
    return tr("{run} has relevant documents at {ranks}", run=whose, ranks=listed(ranks) if ranks else "–")


def rank_of(bag: Bag, scene: Scene) -> Verdict | None:
    """The rank of a relevant document, or of documents by name; which document is at a rank; the first n of them."""
    ranks, documents = bag.first("A"), bag.of.get("d", [])
    if bag.claim == "AH" and len(ranks) == 1:
        nth = bag.first("H")
        own = rank_of_relevant(nth)
        return decide(bag, scene, lambda state, run, query: _at_rank(state, run, query, ranks[0], nth), own.stated)
    if bag.claim == "Ah":
        first = bag.first("h")

        def first_ones(state: State, run: str, query: str) -> bool | None:
            lists = state.lists(run, query) or ()
            own = [nth_rank(lists[0], nth) for nth in range(1, first + 1)] if len(lists) == 1 else [None]
            return None if None in own or len(ranks) != first else own == sorted(ranks)

        return decide(
            bag,
            scene,
            first_ones,
            lambda state, runs, query: "; ".join(_relevant_ranks(state, run, query) for run in runs),
        )
    if (
        documents
        and ranks
        and len(ranks) == len(documents)
        and bag.claim in ("A" + "d" * len(documents), "AR" + "d" * len(documents))
    ):
        return decide(
            bag,
            scene,
            lambda state, run, query: _are_at(state, run, query, documents, ranks, bag.first("R")),
            lambda state, runs, query: "; ".join(
                filter(None, (_ranks_of_documents(state, run, query, documents) for run in runs))
            ),
        )
    if len(documents) == 1 and bag.claim == "Hd":
        nth = bag.first("H")

        def is_it(state: State, run: str, query: str) -> bool | None:
            lists = state.lists(run, query) or ()
            rank = nth_rank(lists[0], nth) if len(lists) == 1 else None
            return None if rank is None else lists[0].documents[rank - 1] == documents[0]

        return decide(
            bag, scene, is_it, lambda state, runs, query: "; ".join(_relevant_ranks(state, run, query) for run in runs)
        )
    return None


def _at_rank(state: State, run: str, query: str, rank: int, nth: int) -> bool | None:
    values = ranks_of(state, run, query, nth)
    return None if not values else values[0] == rank


def _are_at(
    state: State, run: str, query: str, documents: Sequence[str], ranks: Sequence[int], what: Any
) -> bool | None:
    lists = state.lists(run, query) or ()
    if len(lists) != 1 or any(rank < 1 for rank in ranks) or not {*documents} <= {*lists[0].documents}:
        return None
    own = lists[0]
    return all(
        own.documents[rank - 1 : rank] == (document,) and (what is None or bool(relevance_at(own, rank, what)))
        for document, rank in zip(documents, ranks, strict=True)
    )


def _ranks_of_documents(state: State, run: str, query: str, documents: Sequence[str]) -> str:
    lists = state.lists(run, query) or ()
    if len(lists) != 1:
        return ""
    known = (each for each in documents if each in lists[0].documents)
    ranks = (f"{each}: {lists[0].documents.index(each) + 1}" for each in known)
    return f"{run}: {tr('ranks')} {', '.join(ranks)}"


def of_documents(bag: Bag, scene: Scene) -> Verdict | None:
    """The relevance of documents by name: "A and C are relevant"."""
    documents, what = bag.of.get("d", []), bag.first("R")
    if not documents or bag.claim != "R" + "d" * len(documents) or what == "missed":
        return None

    def holds(state: State, run: str, query: str) -> bool | None:
        lists = state.lists(run, query) or ()
        if len(lists) != 1 or not {*documents} <= {*lists[0].documents}:
            return None
        such = is_such(lists[0], what)
        return all(bool(such[lists[0].documents.index(each)]) for each in documents)

    return decide(
        bag, scene, holds, lambda state, runs, query: "; ".join(_relevant_ranks(state, run, query) for run in runs)
    )
