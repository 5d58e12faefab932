"""Relevance levels above every grade: nothing is relevant then, and values do not tell runs apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irviewer.errors import name_some
from irviewer.measures.answered import parts_of
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.qrels import Qrels
from irviewer.translation import tr


def level_cautions(measures: Sequence[Measure], qrels: Qrels) -> list[str]:
    """Return a sentence for each relevance level of measures, which are bound, that no grade of the qrels reaches."""
    of_level: dict[float, dict[str, None]] = {}
    for measure in measures:
        levels = [level for part in parts_of(measure) if (level := part.parameter("rel")) is not None]
        for level in levels:
            if is_above_all(level, qrels):
                of_level.setdefault(level, {})[usual_name(measure)] = None
    return [
        tr(
            "no document has grade {level:g} or higher: nothing counts as relevant to {measures}, and the values say "
            "nothing of the runs", level=level, measures=name_some(list(names), 3),
        )
        for level, names in of_level.items()
    ]  # fmt: skip


def list_cautions(level: float, qrels: Qrels) -> list[str]:
    """Return the same of lists whose documents are relevant from a level."""
    if not is_above_all(level, qrels):
        return []
    return [tr("no document has grade {level:g} or higher: nothing counts as relevant", level=level)]


def is_above_all(level: float, qrels: Qrels) -> bool:
    """Return whether no grade reaches a level though documents are judged. Where all are non-relevant, level 1 is not
    what is off."""
    highest = qrels.max_grade if qrels.max_grade > 0 else 1
    return (len(qrels.doc_ids) > 0 or qrels.unread is not None) and level > highest


def unsaid(cautions: Iterable[str], notes: Sequence[str]) -> list[str]:
    """Return those of the cautions that no text says, of whichever measures: what is before the colon is the same for
    all measures."""
    return [caution for caution in cautions if not any(caution.partition(": ")[0] in text for text in notes)]
