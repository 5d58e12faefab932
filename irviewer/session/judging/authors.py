"""Texts that name the judges of judgments: "yours" for the user's own, else the judge's name. Knows judgments, no
session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from irviewer.model.judgments.overlay import Judgment
from irviewer.translation import listed, tr, trn

YOURS = tr("yours")
UNKNOWN = tr("by an unknown judge")


def whose(judgment: Judgment, assessor: str) -> str:
    """Return :data:`YOURS` if the judge is ``assessor``, ``Ada's`` for another judge, else :data:`UNKNOWN`."""
    return _of_judge(judgment.who, assessor)


def _of_judge(judge: str, assessor: str) -> str:
    if judge == assessor:
        return YOURS
    return tr("{judge}'s", judge=judge) if judge else UNKNOWN


def by_judge(judgments: Iterable[Judgment], assessor: str) -> str:
    """Return ``yours``, ``Ada's``, or ``2 yours, 1 Ada's``, the most frequent judge first; "" of no judgments."""
    counts = Counter(judgment.who for judgment in judgments)
    judges = [(_of_judge(judge, assessor), count) for judge, count in counts.most_common()]
    if len(judges) < 2:
        return judges[0][0] if judges else ""
    return listed(tr("{count:,} {judge}", count=count, judge=judge) for judge, count in judges)


def differing_text(judgments: Iterable[Judgment], assessor: str) -> str:
    """Return ``1 judgment of yours differs from the file`` or ``3 judgments differ from the file: 2 yours, 1 Ada's``;
    "" of no judgments."""
    differing = list(judgments)
    judges = by_judge(differing, assessor)
    if not differing:
        return ""
    if judges == YOURS:
        return trn(
            "{n:,} judgment of yours differs from the file",
            "{n:,} judgments of yours differ from the file",
            len(differing),
        )
    return trn(
        "{n:,} judgment differs from the file: {judges}",
        "{n:,} judgments differ from the file: {judges}",
        len(differing), judges=judges,
    )  # fmt: skip
