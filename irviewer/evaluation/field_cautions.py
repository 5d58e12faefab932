"""What the documents' table does not say of the documents that measures of fields read: documents that it lacks, and
fields without a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

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
    return told(field_counts(run, judged, measures))


def field_counts(run: str, judged: Judged, measures: Iterable[Measure]) -> list[FieldGap]:
    """Return the same of a run, or of some of its queries, with what is not worth telling; counts of parts of a run
    are added. Raises MeasureError."""
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
        gaps += [FieldGap(run, cutoff, name, int(np.isnan(top.values(name)).sum()), total) for name in fields]
    return gaps


def summed(run: str, parts: Iterable[Sequence[FieldGap]]) -> tuple[FieldGap, ...]:
    """Return the counts of the parts of a run as those of the run."""
    sums: dict[tuple[int | None, str], FieldGap] = {}
    for gap in (gap for part in parts for gap in part):
        known = sums.get((gap.cutoff, gap.field), FieldGap(run, gap.cutoff, gap.field, 0, 0))
        sums[gap.cutoff, gap.field] = replace(known, n=known.n + gap.n, total=known.total + gap.total)
    return tuple(sums.values())


def told(counts: Iterable[FieldGap]) -> list[FieldGap]:
    """Return the counts of runs that are worth a sentence."""
    counts = list(counts)
    lacking = {(gap.run, gap.cutoff): gap.n for gap in counts if not gap.field}
    return [gap for gap in counts if gap.n > (lacking[gap.run, gap.cutoff] if gap.field else 0)]


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
