"""Answers of questions: what the title of a question says with a choice, or a typed number, in the place of what it
asks for: "which list has the higher AP?", "how many relevant documents does north find?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from irviewer.session.teaching.checking.claims.judging import judge
from irviewer.session.teaching.checking.claims.phrases import Token, kinds_of
from irviewer.session.teaching.checking.claims.scenes import Scene, Verdict

_ASKED = re.compile(r"[Lib]*W(?P<of>[kDKq]|RD|DR)?(?:o?B)?")
"""What asks, and for what: a ranking, documents, a rank, a query."""
_TWO = 2
_SAYS_NOTHING = "vteLoijz"
DENIED = re.compile(
    r"\b(?:not|n't|false|wrong|untrue|incorrect|mistakes?|except|no|nunca|falsa?s?|incorrect[oa]s?|errónea?s?|errores|error)\b",
    re.I,
)
"""Words of a question whose right choices are not so."""
WHAT_IS_TRUE = re.compile(
    r"^\W*(?:which|what|cuál|cuáles|qué)\b[^?]*\b(?:true|right|correct|holds?|ciertas?|correctas?|verdaderas?|verdad)\W*$",
    re.I,
)
"""A question of which each choice is a statement."""


def answered_with(title: Sequence[Token], answer: Sequence[Token], scene: Scene) -> Verdict | None:
    """Return whether an answer is right; None where the title, or the answer, is not understood as a whole."""
    kinds = kinds_of(title)
    asked = _ASKED.search(kinds)
    if asked is None or kinds.count("W") != 1:
        return None
    if "B" in kinds and "many" in [each.value for each in title if each.kind == "W"]:
        return None  # what both find can be what they share
    title = [replace(each, kind="C") if each.kind == "S" else each for each in title]
    kinds = kinds_of(title)
    before, after, word = [*title[: asked.start()]], [*title[asked.end() :]], title[kinds.index("W")]
    for filling in _fillings(asked["of"] or "", str(word.value), kinds, _beginning(answer)):
        kept = (
            []
            if asked["of"] not in ("RD", "DR")
            else [each for each in title[asked.start() : asked.end()] if each.kind in "RD"]
        )
        rest = [each for each in (*before, *kept, *after) if each.kind not in ",&;"]
        if any(each.kind == "B" and each.value == "all" for each in filling):
            if "C" in kinds and len(scene.states[0].runs) != _TWO:
                return None
            rest = [replace(each, value="same") if each.kind == "C" else each for each in rest]
        verdict = judge([*rest, *filling], scene)
        if verdict is not None:
            return verdict
    return None


def _beginning(answer: Sequence[Token]) -> list[Token]:
    """Return what an answer says first, of "North: it begins well"."""
    place = next((place for place, each in enumerate(answer) if each.kind in ",;"), len(answer))
    return [each for each in answer[:place] if each.kind not in _SAYS_NOTHING]


def _fillings(of: str, word: str, kinds: str, answer: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield what an answer can be in the place of what is asked: a ranking, a number, a rank, a document."""
    own = kinds_of(answer)
    is_run = of == "k" or (not of and word != "many" and bool({*"CR"} & {*kinds}))
    if word == "many" or (not of and not is_run):
        if own == "N" or (own in ("ND", "NRD", "NDR") and word == "many"):
            is_difference = bool({*"Cc"} & {*kinds}) and word == "many"
            yield [replace(answer[0], kind="p" if is_difference else "N")]
    elif is_run:
        if own in ("r", "rY"):
            yield list(answer)
        elif own == "B" and answer[0].value in ("all", "neither"):
            is_compared = "C" in kinds
            yield [replace(answer[0], value="all") if is_compared else answer[0]]
        elif own in ("C", "BC") and answer[-1].value == "same":
            yield [Token("B", "all")]
    elif of == "K" and own in ("N", "A"):
        number = answer[0].value
        if own == "A" or (number.is_count and number.value >= 1):
            yield [Token("A", number if own == "A" else (int(number.value),))]
    elif of == "D" and own == "d":
        yield list(answer)
