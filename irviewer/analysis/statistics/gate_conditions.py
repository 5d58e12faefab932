"""The conditions of a gate, which read as what they test.

``nDCG@10 >= 0.5`` compares the mean of the run, untested, and ``shown nDCG@10 >= 0.5`` the one-sided limit of that
mean. ``Δ nDCG@10 > -0.01``, or a number with its sign, ``nDCG@10 > -0.01``, tests the limit of the mean difference from
the baseline: non-inferiority below 0, superiority from 0 on; ``Δ nDCG@10 > -2 %`` has a margin in per cent of the
baseline's mean. ``P@1 worse, p < .05`` fails where a test shows the run worse."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from irviewer.errors import OptionError
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.translation import tr

Compared = Literal["difference", "mean"]
_NUMBER = re.compile(
    r"\s*(?:(?P<shown>shown)\s+)?(?P<delta>Δ|delta\s)?\s*(?P<measure>.+?)\s*(?P<sign>[<>])(?P<equal>=?)\s*"
    r"(?P<number>[+\-−]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e-?[0-9]+)?)\s*(?P<percent>%)?\s*",
    re.IGNORECASE,
)
_WORSE = re.compile(r"\s*(?P<measure>.+?)\s+worse\s*(?:,\s*p\s*<\s*(?P<alpha>[0-9]*\.?[0-9]+)\s*)?", re.IGNORECASE)
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")


@dataclass(frozen=True)
class Condition:
    """One condition. ``text`` is as the user wrote it.

    margin     what a difference of means or a mean is compared with; None for "fail if worse", which has ``alpha``
    of         what is compared: the difference from the baseline, or the mean of the run
    tested     the one-sided limit is compared, not the number itself
    relative   the margin is a share of the baseline's mean
    strict     a number that is equal to the margin does not do
    """

    text: str
    measure: Measure
    margin: float | None = None
    alpha: float = 0.05
    of: Compared = "difference"
    tested: bool = True
    relative: bool = False
    strict: bool = True

    @property
    def is_worse(self) -> bool:
        """True for "fail if worse"."""
        return self.margin is None

    @property
    def is_mean(self) -> bool:
        """True for a bound of the mean."""
        return self.of == "mean"

    @property
    def is_margin(self) -> bool:
        """True for non-inferiority and superiority."""
        return self.margin is not None and self.of == "difference"

    @property
    def kind(self) -> str:
        """Stable: "fail-if-worse", "mean", "mean-shown", "superior" or "non-inferior"."""
        if self.margin is None:
            return "fail-if-worse"
        if self.of == "mean":
            return "mean-shown" if self.tested else "mean"
        better = self.margin if self.measure.higher_is_better else -self.margin
        return "superior" if better >= 0 else "non-inferior"


def parse_condition(text: str, smallest: float | None = None, alpha: float = 0.05) -> Condition:
    """Return the condition of a text in any of the forms. ``smallest`` is the margin of a measure alone, ``alpha`` the
    level of "worse" without p. Raises OptionError, MeasureError."""
    if _WORSE.fullmatch(text):
        return parse_worse(text, alpha)
    match = _NUMBER.fullmatch(text)
    if match is None:
        if _is_alone(text):
            return parse_margin(text, smallest)
        raise OptionError(
            tr(
                '{text!r} is not a condition. Write one such as "nDCG@10 >= 0.5", "shown nDCG@10 >= 0.5", '
                '"Δ nDCG@10 > -0.01" or "P@1 worse, p < .05".',
                text=text,
            )
        )
    signed = match["number"][0] in "+-−"
    if match["delta"] or signed:
        if match["shown"]:
            raise OptionError(
                tr('{text!r}: the limit of a difference is always tested; leave out "shown"', text=text)
            )  # fmt: skip
        return parse_margin(text, smallest)
    if match["percent"]:
        raise OptionError(
            tr('{text!r}: per cent are of the baseline\'s mean; write "Δ {measure}" for the difference', text=text,
               measure=match["measure"])
        )  # fmt: skip
    measure = _right_way(match, text)
    return Condition(
        text.strip(), measure, float(match["number"]), of="mean", tested=bool(match["shown"]),
        strict=not match["equal"],
    )  # fmt: skip


def parse_margin(text: str, smallest: float | None = None) -> Condition:
    """``nDCG@10 > -0.01`` or ``Δ nDCG@10 > -2 %``; of a measure where less is better ``<`` and a margin above 0. A
    measure alone has the margin ``smallest``, the smallest difference that matters. A number without sign and Δ, which
    reads as a mean, is refused. Raises OptionError, MeasureError."""
    match = _NUMBER.fullmatch(text)
    if match is None and _is_alone(text):
        measure = parse_measure(text.strip())
        if smallest is None:
            raise OptionError(
                tr('{text!r} has no margin: write one such as "{text} > -0.01", or set smallest in the protocol',
                   text=text.strip())
            )  # fmt: skip
        margin = (-smallest if measure.higher_is_better else smallest) or 0.0
        sign = ">" if measure.higher_is_better else "<"
        return Condition(f"{text.strip()} {sign} {margin:+g}", measure, margin)
    if match is None:
        raise OptionError(
            tr('{text!r} is not a non-inferiority condition. Write one such as "nDCG@10 > -0.01".', text=text)
        )
    measure = _right_way(match, text)
    if match["shown"] or not (match["delta"] or match["number"][0] in "+-−"):
        raise OptionError(
            tr(
                '{text!r} reads as a mean, and here a difference is tested: write "Δ {measure} {sign} {number}", or '
                "put the mean into --require",
                text=text, measure=match["measure"], sign=match["sign"] + match["equal"], number=match["number"],
            )
        )  # fmt: skip
    number = float(match["number"].replace("−", "-"))
    relative = bool(match["percent"])
    return Condition(
        text.strip(), measure, number / 100 if relative else number, relative=relative, strict=not match["equal"]
    )


def _is_alone(text: str) -> bool:
    """Return whether a text may be a measure alone: it compares nothing outside of quotation marks."""
    return bool(text.strip()) and not set(_QUOTED.sub("", text)) & set("<>")


def parse_worse(text: str, alpha: float = 0.05) -> Condition:
    """``P@1 worse, p < .05``; without p: ``alpha``. Raises OptionError, MeasureError."""
    match = _WORSE.fullmatch(text)
    if match is None:
        raise OptionError(tr('{text!r} is not a failure condition. Write one such as "P@1 worse, p < .05".', text=text))
    alpha = float(match["alpha"] or alpha)
    if not 0 < alpha < 1:
        raise OptionError(tr("{text!r}: p lies between 0 and 1.", text=text))
    return Condition(text.strip(), parse_measure(match["measure"]), None, alpha)


def _right_way(match: re.Match[str], text: str) -> Measure:
    """Return the measure, whose better side is that of the sign. Raises OptionError, MeasureError."""
    measure = parse_measure(match["measure"])
    if (match["sign"] == ">") != measure.higher_is_better:
        right = ">" if measure.higher_is_better else "<"
        better = tr("higher is better") if measure.higher_is_better else tr("lower is better")
        raise OptionError(
            tr("{text!r}: for {measure}, {better}. Write {sign}.", text=text, measure=measure, better=better,
               sign=right)
        )  # fmt: skip
    return measure
