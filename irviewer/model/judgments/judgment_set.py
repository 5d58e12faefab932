"""Judgment sets: the judgments of one judge and their origin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from irviewer.errors import OptionError, name_some
from irviewer.model.judgments.explanations import Explanations
from irviewer.model.judgments.judging_task import JudgingTask
from irviewer.model.qrels import Qrels
from irviewer.translation import tr

Origin = Literal["human", "model", "crowd", "merged", "unstated"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)


ORIGIN_TITLES: dict[Origin, str] = {
    "human": tr("human"),
    "model": tr("model"),
    "crowd": tr("crowd"),
    "merged": tr("merged"),
    "unstated": tr("not stated"),
}
"""The origins as users read them."""


@dataclass(frozen=True)
class JudgeFacts:
    """What is known of a judge beside its name: the kind, the family, and what the user wrote about it."""

    origin: Origin = "unstated"
    family: str = ""
    note: str = ""

    @property
    def is_other(self) -> bool:
        """Whether the judge is known to be no single person, which is said wherever its values are shown."""
        return self.origin not in ("unstated", "human")


@dataclass(frozen=True, eq=False)
class JudgmentSet:
    """The judgments of one judge.

    name     the judge's name, unique among the sets of a collection
    origin   the kind of judge: human, a language model, a crowd, or several merged; "unstated" where neither its file
             nor the user says
    family   the sets of one family are passes or prompts of one model (or one group of people); "" for none
    note     what the user wrote about it
    explanations   what the judge wrote about single judgments, the model and the confidence, where the file has them
    task     what was drawn for this judge, with inclusion probabilities, where the file says so
    """

    qrels: Qrels
    name: str
    origin: Origin = "unstated"
    family: str = ""
    note: str = ""
    explanations: Explanations = field(default_factory=Explanations)
    task: JudgingTask | None = None

    def __post_init__(self) -> None:
        if self.origin not in ORIGINS:
            raise OptionError(
                tr(
                    "Judge {judge}: {origin!r} is not an origin. Use one of {origins}.",
                    judge=self.name, origin=self.origin, origins=", ".join(ORIGINS),
                )
            )  # fmt: skip

    @classmethod
    def of(cls, qrels: Qrels) -> JudgmentSet:
        """Return a set with the name of the qrels."""
        return cls(qrels, qrels.name)

    def __repr__(self) -> str:
        family = f", {self.family}" if self.family else ""
        return f"JudgmentSet({self.name!r}: {self.origin}{family}, {len(self.qrels):,} judgments)"


def check_names(sets: Sequence[JudgmentSet]) -> None:
    """Raise OptionError if two sets have the same name."""
    names = [judge.name for judge in sets]
    double = sorted({name for name in names if names.count(name) > 1})
    if double:
        raise OptionError(
            tr("Several judgment sets are named {names}. Give each set a different name.", names=name_some(double))
        )


def judge_named(sets: Sequence[JudgmentSet], name: str) -> int:
    """Return the index of the judge of a name. Raises OptionError with the existing names."""
    names = [judge.name for judge in sets]
    if name not in names:
        raise OptionError(
            tr("There is no judge {name}. The judges are {names}.", name=name, names=name_some(names, 30))
        )
    return names.index(name)
