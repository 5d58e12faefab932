"""What the documents' table does not say of the documents that measures of fields read: documents that it lacks, and
fields without a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.errors import name_some
from irviewer.measures.answered import parts_of
from irviewer.measures.base import Measure
from irviewer.measures.field_values import fields_read, reads_fields, top_documents
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

MOST = 3
"""Runs that a sentence names."""


@dataclass(frozen=True)
class FieldGap:
    """Of ``total`` documents of a run down to a rank (None: all), how many the table lacks (``field`` "") or how many,
    these among them, have no value of a field where more than these have none."""

    run: str
    cutoff: int | None
    field: str
    n: int
    total: int


def field_gaps(run: str, judged: Judged, measures: Iterable[Measure]) -> list[FieldGap]:
    """Return what is not known of the documents of a run that measures of fields read. Raises MeasureError for fields
    that the documents lack."""
    named: dict[int | None, dict[str, None]] = {}
    for measure in measures:
        for part in parts_of(measure) if reads_fields(measure) else ():
            if reads_fields(part):
                cutoff = None if part.cutoff is None else int(part.cutoff)
                named.setdefault(cutoff, {}).update(dict.fromkeys(fields_read(part)))
    gaps = []
    for cutoff, fields in named.items():
        top = top_documents(judged, cutoff)
        total, lacking = len(top.row), int((top.row < 0).sum())
        gaps.append(FieldGap(run, cutoff, "", lacking, total))
        known = [FieldGap(run, cutoff, name, int(np.isnan(top.values(name)).sum()), total) for name in fields]
        gaps += [gap for gap in known if gap.n > lacking]
    return [gap for gap in gaps if gap.n]


def gap_sentences(gaps: Sequence[FieldGap]) -> list[str]:
    """Return a sentence for each field and rank, with the shares of the runs."""
    grouped: dict[tuple[int | None, str], list[FieldGap]] = {}
    for gap in gaps:
        grouped.setdefault((gap.cutoff, gap.field), []).append(gap)
    sentences = []
    for (cutoff, field), those in grouped.items():
        shares = name_some([
            tr("{percent} % ({n:,} of {total:,}) of run {run}", percent=_percent(gap.n, gap.total), n=gap.n,
               total=gap.total, run=gap.run)
            for gap in those
        ], MOST)  # fmt: skip
        sentences.append(_sentence(cutoff, field, shares))
    return sentences


def _sentence(cutoff: int | None, field: str, shares: str) -> str:
    if not field and cutoff is None:
        return tr("documents returned that the table of documents lacks: {shares}", shares=shares)
    if not field:
        return tr("documents in the top {cutoff} that the table of documents lacks: {shares}", cutoff=cutoff,
                  shares=shares)  # fmt: skip
    if cutoff is None:
        return tr("documents returned without a value of {field!r}: {shares}", field=field, shares=shares)
    return tr("documents in the top {cutoff} without a value of {field!r}: {shares}", cutoff=cutoff, field=field,
              shares=shares)  # fmt: skip


def _percent(n: int, total: int) -> str:
    """Return a share in per cent; neither 0 nor 100 where it is neither."""
    percent = 100 * n / total
    return "< 1" if percent < 1 else "> 99" if 99 < percent < 100 else f"{percent:.0f}"
