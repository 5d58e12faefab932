"""What the tables of a view say of the judgments, answers and queries that its numbers come from, at every door."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from irviewer.evaluation.answer_cautions import answer_cautions
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.evaluate import bind_measures
from irviewer.evaluation.level_cautions import level_cautions, list_cautions, unsaid
from irviewer.evaluation.sampled_cautions import sampled_cautions, untold
from irviewer.evaluation.usual_measures import OF_DOCUMENTS
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.options import evaluation_options
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.tables.table import Remark
from irviewer.views.result import ViewResult
from irviewer.views.selection import chosen_remarks

Judged = tuple[Qrels, Sequence[Measure], Sequence[Run]]
"""Judgments, and the measures by which runs are judged by them."""


OF_LISTS = (parse_measure(OF_DOCUMENTS),)
"""A measure of lists, for what is said of lists where no measure is read."""


def cautioned(
    result: ViewResult, bound: BoundProtocol, judged: Iterable[Judged], *, of_answers: bool = True,
    of_samples: bool = True, infers: bool = False, counts_relevant: bool = False,
) -> ViewResult:  # fmt: skip
    """Return a result whose first table says, where none of its tables does, what a user should know of scores of
    answers and which runs lack what a measure reads (``of_answers``), that no grade reaches the relevance level, by
    which lists are counted, too (``counts_relevant``), that the judgments are a sample which its numbers do not know
    (``of_samples``), and that nothing is inferred from queries that were chosen after the results were seen
    (``infers``)."""
    if not result.tables:
        return result
    answers: dict[str, None] = {}
    levels: dict[str, None] = {}
    rules = evaluation_options(bound.protocol.rules)
    samples: dict[str, None] = {}
    for qrels, measures, runs in judged:
        answers |= dict.fromkeys(answer_cautions(measures, qrels, runs) if of_answers else ())
        by_level = [] if measures is OF_LISTS else level_cautions(bind_measures(measures, qrels, rules), qrels)
        if measures is OF_LISTS or (counts_relevant and not by_level):
            by_level = list_cautions(rules.level, qrels)
        levels |= dict.fromkeys(by_level)
        samples |= dict.fromkeys(sampled_cautions(measures, qrels) if of_samples else ())
    every = [note for table in (*result.tables, *result.further) for note in (*table.notes, *table.sentences)]
    notes = [note.text for note in every]
    first = result.tables[0]
    remarks = (
        *(Remark("caution", text) for text in answers if text not in notes),
        *(Remark("level", text) for text in unsaid(levels, notes)),
        *(Remark("sample", text) for text in untold(list(samples), notes)),
        *(note for note in (chosen_remarks(bound) if infers else ())
          if note.text not in notes and note.code not in {own.code for own in every}),
    )  # fmt: skip
    if not remarks:
        return result
    return replace(result, tables=(replace(first, notes=(*first.notes, *remarks)), *result.tables[1:]))
