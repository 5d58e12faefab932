"""What to do after a comparison, as far as the declared test and the smallest difference that matters support it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from irviewer.analysis.verdict.headline import FEWEST, Form, Headline
from irviewer.model.number_text import limit, queries_text
from irviewer.translation import tr


class Action(Enum):
    """What a comparison supports."""

    KEEP = "keep"
    EITHER = "either"
    OPEN = "no difference shown"
    MORE = "more queries"


@dataclass(frozen=True)
class Recommendation:
    """``action``, the run to ``keep`` ("" where neither is shown to be better), and the ``sentence``."""

    action: Action
    keep: str
    sentence: str


def recommendation(answer: Headline) -> Recommendation:
    """Return what an answer supports. A run is kept only where the declared test shows it better, or with a smallest
    difference that matters where the other is shown not to be better by as much; that no difference was shown is never
    said to be equality."""
    pair = answer.pair
    run, other = pair.run_name, pair.other_name
    m = "" if answer.margin is None else limit(answer.margin)
    few = answer.form is Form.EQUAL and pair.n < FEWEST
    match Form.FEW if few else answer.form:
        case Form.EQUAL if pair.chosen:
            return Recommendation(
                Action.OPEN, "", tr("No difference between {run} and {other} was shown.", run=run, other=other)
            )
        case Form.FEW:
            return Recommendation(Action.MORE, "", tr(
                "More queries are needed: a conclusion about {run} and {other} needs {least}, and there are {n}.",
                n=queries_text(pair.n), least=FEWEST, run=run, other=other,
            ))  # fmt: skip
        case Form.EQUAL:
            return Recommendation(Action.EITHER, "", tr(
                "Keep either: {run} and {other} have the same value on every query.", run=run, other=other,
            ))  # fmt: skip
        case Form.BETTER_BY_MORE:
            return Recommendation(Action.KEEP, run, tr(
                "Keep {run}: it is better than {other}, by more than {m}, the smallest difference that matters.",
                m=m, run=run, other=other))  # fmt: skip
        case Form.BETTER_BY_LESS:
            return Recommendation(Action.EITHER, "", tr(
                "Keep either: {run} is better than {other}, but by less than {m}, the smallest difference that "
                "matters.", m=m, run=run, other=other))  # fmt: skip
        case Form.BETTER if m:
            return Recommendation(Action.KEEP, run, tr(
                "Keep {run}: it is better than {other}. Whether by more than {m}, the smallest difference that "
                "matters, was not shown.", m=m, run=run, other=other))  # fmt: skip
        case Form.BETTER:
            return Recommendation(Action.KEEP, run, tr("Keep {run}: it is better than {other}.", run=run, other=other))
        case Form.EQUIVALENT:
            return Recommendation(Action.EITHER, "", tr(
                "Keep either: {run} and {other} differ by less than {m}, the smallest difference that matters.",
                m=m, run=run, other=other))  # fmt: skip
        case Form.NOT_WORSE:
            return Recommendation(Action.MORE, "", tr(
                "More queries are needed: {run} is not worse than {other} by {m}, the smallest difference that "
                "matters, but was not shown to be better.", m=m, run=run, other=other))  # fmt: skip
        case Form.UNKNOWN if pair.chosen or pair.undecided:
            return Recommendation(
                Action.OPEN, "", tr("No difference between {run} and {other} was shown.", run=run, other=other)
            )
        case Form.UNKNOWN if m:
            return Recommendation(Action.MORE, "", tr(
                "More queries are needed: no difference between {run} and {other} was shown, and one of {m}, the "
                "smallest that matters, remains possible.", m=m, run=run, other=other))  # fmt: skip
        case Form.UNKNOWN:
            return Recommendation(Action.OPEN, "", tr(
                "No difference between {run} and {other} was shown. That does not show that they are equal.",
                run=run, other=other))  # fmt: skip
        case Form.NOT_BETTER:
            return Recommendation(Action.KEEP, other, tr(
                "Keep {other}: {run} is not better by {m}, the smallest difference that matters. That it is worse was "
                "not shown.", m=m, run=run, other=other))  # fmt: skip
        case Form.WORSE_BY_LESS:
            return Recommendation(Action.EITHER, "", tr(
                "Keep either: {run} is worse than {other}, but by less than {m}, the smallest difference that "
                "matters.", m=m, run=run, other=other))  # fmt: skip
        case Form.WORSE_BY_MORE:
            return Recommendation(Action.KEEP, other, tr(
                "Keep {other}: {run} is worse, by more than {m}, the smallest difference that matters.",
                m=m, run=run, other=other))  # fmt: skip
        case Form.WORSE:
            return Recommendation(Action.KEEP, other, tr("Keep {other}: {run} is worse.", run=run, other=other))
