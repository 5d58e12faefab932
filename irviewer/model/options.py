"""Evaluation options: what a person may choose about how a number is made, with trec_eval's defaults."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from irviewer.errors import OptionError
from irviewer.model.dialects import DEFAULT, DIALECTS, Dialect, dialect_of
from irviewer.model.document_lengths import Lengths

MissingPolicy = Literal["zero", "intersection"]


@dataclass(frozen=True)
class EvaluationOptions:
    """The choices behind every number.

    level          least grade that counts as relevant for binary measures (trec_eval -l)
    judged_only    remove unjudged documents from the run before anything is counted (trec_eval -J)
    depth          keep that many documents a query, cut after sorting (trec_eval -M); None keeps all
    missing        queries of the qrels that a run lacks: "zero" counts them as 0, "intersection" leaves them out; None
                   does what the dialect does
    lengths        how long documents are, for measures that count what is read; None: not known
    dialect        whose rules hold where tools disagree: a name of DIALECTS, or rules of one's own
    """

    level: float = 1
    judged_only: bool = False
    depth: int | None = None
    missing: MissingPolicy | None = None
    dialect: str | Dialect = DEFAULT
    lengths: Lengths | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and not 1 <= self.depth < 2**31:
            raise OptionError(f"the depth is {self.depth}; it must be 1 or more, and no list is as long as 2^31")
        if self.missing not in (None, "zero", "intersection"):
            raise OptionError(f"missing queries: {self.missing!r} is neither 'zero' nor 'intersection'")
        if not isinstance(self.dialect, Dialect) and self.dialect not in DIALECTS:
            dialect_of(self.dialect)  # says which there are

    @cached_property
    def rules(self) -> Dialect:
        """The dialect's rules."""
        return dialect_of(self.dialect)

    @property
    def missing_policy(self) -> MissingPolicy:
        """What happens to queries that a run lacks: as said, or as the dialect does. A dialect that refuses such a run
        counts them as 0 where there is no program to end."""
        if self.missing is not None:
            return self.missing
        return "intersection" if self.rules.missing == "intersection" else "zero"
