"""What a measure means, in a sentence for readers who have no terms of the field."""

from __future__ import annotations

from irviewer.measures.base import Measure
from irviewer.measures.parameters import Cutoff, number_text
from irviewer.measures.tool_names import usual_name
from irviewer.translation import tr

ALIKE = frozenset({"rel", "dcg", "base", "gains"})
"""Parameters that do not change what a sentence says."""


def in_plain_words(measure: Measure) -> str:
    """Return what a measure means, in a sentence; of measures without words of their own, what improves it."""
    text = _known(measure)
    if text:
        return text
    better = tr("higher is better") if measure.higher_is_better else tr("lower is better")
    return tr("{measure} is the {title} ({better}). What improves it: {rewards}.",
              measure=usual_name(measure),
              title=_lower(measure.family.title), better=better, rewards=measure.rewards)  # fmt: skip


def _known(measure: Measure) -> str:
    if any(name not in ALIKE for name, _ in measure.given) or measure.aggregate != "mean":
        return ""
    ranks = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    k = number_text(measure.cutoff) if ranks and measure.cutoff is not None else ""
    match measure.name, bool(k):
        case "nDCG", True:
            if k == "1":
                return tr("{measure} says how close the first result comes to the best possible one, which has 1.",
                          measure=measure)  # fmt: skip
            return tr("{measure} says how close the first {k} results come to the best possible order, which has 1; "
                      "results near the top count most.", measure=measure, k=k)  # fmt: skip
        case "nDCG", False:
            return tr("{measure} says how close the results come to the best possible order, which has 1; results near "
                      "the top count most.", measure=measure)  # fmt: skip
        case "AP", False:
            return tr("{measure} says how many of the relevant documents are found and how near the top; it is 1 where "
                      "all of them come first.", measure=measure)  # fmt: skip
        case "P" | "Success", True if k == "1":
            return tr("{measure} is the share of queries whose first result is relevant.", measure=measure)
        case "P", True:
            return tr("{measure} is the share of relevant documents among the first {k} results.", measure=measure,
                      k=k)  # fmt: skip
        case "R", True if k == "1":
            return tr("{measure} is the share of all known relevant documents that come first.", measure=measure)
        case "R", True:
            return tr("{measure} is the share of all known relevant documents that the first {k} results contain.",
                      measure=measure, k=k)  # fmt: skip
        case "RR", False:
            return tr("{measure} says how soon the first relevant result comes: 1 at the first place, 1/2 at the "
                      "second, 1/3 at the third.", measure=measure)  # fmt: skip
        case "RR", True if k == "1":
            return tr("{measure} is 1 where the first result is relevant, else 0.", measure=measure)
        case "RR", True:
            return tr("{measure} says how soon the first relevant result comes: 1 at the first place, 1/2 at the "
                      "second, and 0 where none is among the first {k}.", measure=measure, k=k)  # fmt: skip
        case "Success", True:
            return tr("{measure} is the share of queries with a relevant document among the first {k} results.",
                      measure=measure, k=k)  # fmt: skip
    return ""


def _lower(title: str) -> str:
    """Return a title within a sentence: abbreviations keep their capitals."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]
