"""Evaluation options: what a person may choose about how a number is made, with trec_eval's defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from irviewer.errors import OptionError

MissingPolicy = Literal["zero", "intersection"]


@dataclass(frozen=True)
class EvaluationOptions:
    """The choices behind every number.

    level          least grade that counts as relevant for binary measures (trec_eval -l)
    judged_only    remove unjudged documents from the run before anything is counted (trec_eval -J)
    depth          keep that many documents a query, cut after sorting (trec_eval -M); None keeps all
    missing        queries of the qrels that a run lacks: "zero" counts them as 0, "intersection" leaves them out
    """

    level: float = 1
    judged_only: bool = False
    depth: int | None = None
    missing: MissingPolicy = "zero"

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise OptionError(f"the depth is {self.depth}; it must be 1 or more")
        if self.missing not in ("zero", "intersection"):
            raise OptionError(f"missing queries: {self.missing!r} is neither 'zero' nor 'intersection'")
