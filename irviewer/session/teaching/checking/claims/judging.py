"""Whether a clause is so: its tokens, in any order, are taken for a claim where all of them are used, and it is
compared with what the program computes, in each way in which the clause can be meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from irviewer.session.teaching.checking.claims.comparisons import change, comparison, highest_at, of_queries
from irviewer.session.teaching.checking.claims.phrases import Token
from irviewer.session.teaching.checking.claims.scenes import NOT_UNDERSTOOD, Bag, Scene, Verdict
from irviewer.session.teaching.checking.claims.statements import of_documents, rank_of, relevance, value


def judge(tokens: Sequence[Token], scene: Scene) -> Verdict | None:
    """Return whether a clause is so; None where it makes no claim that is understood as a whole."""
    bag = Bag(tokens)
    if (
        bag.has(NOT_UNDERSTOOD)
        or len(bag.of.get("r", ())) > 1
        or len(bag.of.get("Q", ())) > 1
        or len(bag.of.get("B", ())) > 1
    ):
        return None
    kinds = "".join(token.kind for token in tokens)
    if re.search("(?<=.)it*B", kinds) and bag.has("N") and not bag.has("MH"):
        return None  # "two relevant documents are in both lists": how many they share
    if "after" in bag.of.get("w", ()) and not (scene.is_step and len(scene.states) > 1):
        return None
    tokens = [each for each in tokens if not _is_said_twice(each, bag)]
    bag = Bag(tokens)
    for kind in _KINDS:
        verdict = kind(bag, scene)
        if verdict is not None:
            return verdict
    return None


def _is_said_twice(token: Token, bag: Bag) -> bool:
    """Return whether a token adds nothing: "relevant" of what is missed, "no" beside "ningún"."""
    if token.kind == "R":
        return token.value == "relevant" and "missed" in bag.of["R"]
    if token.kind == "n" and "neither" in bag.of.get("B", ()):
        return True  # "no ... ninguna"
    return token.kind == "n" and any(each.is_count and not each.value for each in bag.of.get("N", ()))


_KINDS = (relevance, rank_of, of_documents, value, comparison, of_queries, highest_at, change)
