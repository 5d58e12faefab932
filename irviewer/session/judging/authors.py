"""Whose a judgment is, in words: another judge's is never called the user's own. Knows judgments, no session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from irviewer.model.judgments.overlay import Judgment

UNKNOWN = "by an unknown judge"


def whose(judgment: Judgment, assessor: str) -> str:
    """ "yours" where it bears the name of who judges now, ``Ada's`` where another's, or that the judge is unknown."""
    if judgment.who == assessor:
        return "yours"
    return f"{judgment.who}'s" if judgment.who else UNKNOWN


def by_judge(judgments: Iterable[Judgment], assessor: str) -> str:
    """``yours``, ``Ada's``, or ``2 yours, 1 Ada's``, the most first; "" of none."""
    counts = Counter(whose(one, assessor) for one in judgments)
    if len(counts) < 2:
        return next(iter(counts), "")
    return ", ".join(f"{count:,} {one}" for one, count in counts.most_common())


def differing_told(judgments: Iterable[Judgment], assessor: str) -> str:
    """``1 judgment of yours differs from the file``, ``3 judgments differ from the file: 2 yours, 1 Ada's``."""
    found = list(judgments)
    number = len(found)
    words = by_judge(found, assessor)
    if not number:
        return ""
    if words == "yours":
        return (
            f"{number:,} judgment{'s' if number > 1 else ''} of yours differ{'' if number > 1 else 's'} from the file"
        )
    return f"{number:,} judgment{'s differ' if number > 1 else ' differs'} from the file: {words}"
