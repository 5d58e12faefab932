"""The clauses of a sentence, with what those that leave out words have from the one before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from irviewer.session.teaching.checking.claims.phrases import Token, kinds_of
from irviewer.session.teaching.checking.claims.scenes import NOT_UNDERSTOOD

_SPLITTING = ",&"
_ALL_SUCH = re.compile("Bo?t?(?:RD?|DR)")
"""What is behind a number of documents, and says what all of them are: "both relevant"."""


@dataclass(frozen=True)
class Clause:
    """A clause: its tokens; what it may have from the clause before it in its sentence; and whether it leaves out its
    verb."""

    tokens: tuple[Token, ...]
    is_elliptic: bool = False

    @property
    def kinds(self) -> str:
        """The kinds of its tokens."""
        return kinds_of(self.tokens)


def clauses_of(row: Sequence[Token]) -> Iterator[tuple[Clause, ...]]:
    """Yield the clauses of a sentence, in groups between which nothing is left out. A part without a verb belongs to
    the clause beside it, unless it has a number, and something else, of its own."""
    group: list[Token] = []
    groups: list[list[Token]] = []
    for token in (*row, Token(";")):
        if token.kind != ";":
            group.append(token)
            continue
        if group and row_is_numbers(group) and groups:
            groups[-1] += [Token(","), *group]
        elif group:
            groups.append(group)
        group = []
    for each in groups:
        yield tuple(_split(each))


def row_is_numbers(row: Sequence[Token]) -> bool:
    """Return whether a part is nothing but numbers, of "north wins: .60 against .40"."""
    return {*kinds_of(row)} <= {*"N,&"}


def _split(row: Sequence[Token]) -> list[Clause]:
    parts: list[list[Token]] = [[]]
    for token in row:
        if token.kind in _SPLITTING:
            parts.append([])
        else:
            parts[-1].append(token)
    clauses: list[Clause] = []
    waiting: list[Token] = []
    for part in (each for each in parts if each):
        kinds = kinds_of(part)
        if _has_verb(kinds):
            clauses.append(Clause((*waiting, *part)))
            waiting = []
        elif not waiting and (_is_elliptic(kinds) if clauses else _is_number_of_run(kinds)):
            clauses.append(Clause(tuple(part), is_elliptic=True))
        elif clauses and _ALL_SUCH.fullmatch(kinds) and part[0].value == "all" and "N" in clauses[-1].kinds:
            clauses[-1] = Clause((*clauses[-1].tokens, *part[1:]), clauses[-1].is_elliptic)  # "two, both relevant"
        elif clauses:
            clauses[-1] = Clause((*clauses[-1].tokens, *part), clauses[-1].is_elliptic)
        else:
            waiting += part
    if waiting:
        clauses.append(Clause(tuple(waiting), is_elliptic=True))
    return clauses


def _has_verb(kinds: str) -> bool:
    return "v" in kinds or "c" in kinds


def _is_elliptic(kinds: str) -> bool:
    """Return whether a part without a verb is a clause: "south two", "a lower P@3"."""
    own = set(kinds)
    is_said = bool(own & set("N12X")) and bool(own & set("rsQAMHdB"))
    is_compared = "C" in own and bool(own & set("MRrs"))
    return not own & set(NOT_UNDERSTOOD) and (is_said or is_compared or ("r" in own and bool(own & set("AR"))))


def _is_number_of_run(kinds: str) -> bool:
    """Return whether a part is a number and whose it is: "south .6", "80 % for south"."""
    return {*kinds} <= {*"rBNti"} and kinds.count("N") == 1 and bool({*kinds} & {*"rB"})


def framed(clause: Clause, frame: Sequence[Token]) -> Clause | None:
    """Return a clause with the ranks, query and time of which the one before it speaks; None if it has its own."""
    added = tuple(each for each in frame if each.kind not in clause.kinds)
    return Clause((*added, *clause.tokens)) if added and not set(clause.kinds) & set("EAm") else None


def filled(clause: Clause, former: Clause) -> Clause:
    """Return a clause with what it leaves out of the one before; its tokens take the place of those of their kind."""
    own = set(clause.kinds)
    replaced = set(own)
    if own & set("NAX"):
        replaced |= {"N", "X"}
    if "N" in own and not own & set("CX"):
        replaced |= {*"CSsp"}
    if "m" in own:
        replaced |= {*"EAQ"}
    if own & set("M12"):
        replaced |= {"p"}  # the amount is that of the measure before
    if own & set("rB"):
        replaced |= {"r", "B", "Y"}
    if any(each.kind == "R" and each.value != "relevant" for each in former.tokens):
        replaced |= set("RD")
    kept = [each for each in former.tokens if each.kind not in replaced and each.kind not in "?PtwnY,&"]
    return Clause((*kept, *clause.tokens), clause.is_elliptic)
