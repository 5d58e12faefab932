"""What scores of answers assume, for the line of a protocol: the nuggets, who assigned and judged, how a label
counts that no rule knows, and the list that answers were made from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from irviewer.errors import name_some
from irviewer.evaluation.answer_cautions import OF_NUGGETS, OF_SUPPORT
from irviewer.measures.answered import parts_of
from irviewer.measures.base import Measure
from irviewer.model.answers.assigner_names import Kind, assigner_names
from irviewer.model.answers.labels import ODD
from irviewer.model.answers.systems import list_of
from irviewer.model.protocol_line import Origin
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

MOST_NAMED = 3
"""Assigners that the line names."""


class AnswerSources:
    """The answers and labels of runs, and their nuggets; what the line says of them is found when it is asked for.

    runs   with ``names`` as they are shown
    qrels  those in force first
    """

    def __init__(self, qrels: Sequence[Qrels], runs: Sequence[Run], names: Sequence[str] | None = None) -> None:
        self._qrels = qrels
        self._runs = tuple(runs)
        self._names = tuple(run.name for run in runs) if names is None else tuple(names)

    @cached_property
    def has_answers(self) -> bool:
        """Whether a run has answers or labels of them."""
        return any(run.answered is not None for run in self._runs)

    def parts(self, measures: Sequence[Measure], *, of_view: bool) -> tuple[tuple[str, Origin], ...]:
        """Return the parts of the line, each a text and where its value comes from: those that the measures depend on,
        of a view of answers all that there are."""
        if not self.has_answers:
            return ()
        names = {part.name for measure in measures for part in parts_of(measure)}
        said: list[tuple[str, Origin]] = []
        if of_view or names & OF_NUGGETS:
            said += self._of_nuggets
        if of_view or names & OF_SUPPORT:
            judges = self._labelled_by("support")
            if judges:
                said.append((tr("support judged by {names}", names=judges), "declared"))
        if of_view:
            said += self._list
        return tuple(said)

    @cached_property
    def _of_nuggets(self) -> list[tuple[str, Origin]]:
        assigners = self._labelled_by("nuggets")
        nuggets = next((each.nuggets for each in self._qrels if each.nuggets is not None), None)
        said: list[tuple[str, Origin]] = []
        if nuggets is not None:
            said.append((tr("nuggets: {name}", name=nuggets.name), "declared"))
        elif assigners:
            said.append((tr("nuggets: as the assigner returned them"), "default"))
        if assigners:
            said.append((tr("assigned by {names}", names=assigners), "declared"))
            if self._any_odd:
                said.append((tr("unknown labels: not said"), "default"))
        return said

    def _labelled_by(self, kind: Kind) -> str:
        names = sorted({name for name in assigner_names(self._runs, kind) if name})
        return name_some(names, MOST_NAMED) if names else ""

    @property
    def _any_odd(self) -> bool:
        every = [run.answered.assignments for run in self._runs if run.answered is not None]
        return any(each is not None and bool(np.any(each.labels == ODD)) for each in every)

    @cached_property
    def _list(self) -> list[tuple[str, Origin]]:
        answering = [run for run in self._runs if run.answered is not None and run.answered.answers is not None]
        if not answering:
            return []
        without = [run for run in answering if run.answered is not None and not run.answered.with_list]
        if not without:
            return [(tr("list: as given"), "declared")]
        listed = list_of(without, self._runs)
        if listed is None:
            return [(tr("list: the references"), "default")]
        name = self._names[next(place for place, run in enumerate(self._runs) if run is listed)]
        return [(tr("list: {run}, by its references", run=name), "default")]
