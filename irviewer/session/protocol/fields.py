"""The fields of a protocol as the user chooses them: titles of their values, and numbers that are typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from irviewer.errors import OptionError
from irviewer.model.protocol import CHECKS, EvaluationProtocol, Looks
from irviewer.model.protocol_line import line_parts
from irviewer.translation import decimal, tr, typed_number

_EXAMPLE = re.compile(r"(?<![\w.])\.\d+")

ZEROS: dict[str, str] = {
    "wilcox": tr("queries without a difference are left out (Wilcoxon)"),
    "pratt": tr("queries without a difference are ranked, then left out (Pratt)"),
}
DECIDING: dict[str, str] = {
    "t": tr("the paired t-test"),
    "wilcoxon": tr("Wilcoxon's signed-rank test"),
    "sign": tr("the sign test"),
    "randomisation": tr("Fisher's randomisation test"),
    "tukey": tr("Tukey's test of all pairs, which assumes equal variances of all runs"),
}
"""The tests that can be chosen for marks, letters and conclusions."""
FAMILIES: dict[str, str] = {"baseline": tr("each run with the baseline"), "pairs": tr("all pairs of runs")}
"""The comparisons that are corrected for together."""
TUKEYS: dict[str, str] = {"parametric": tr("from the studentized range"), "randomised": tr("by randomisation")}


@dataclass(frozen=True)
class NumberField:
    """A number that the user can type.

    title     of its command; ``question`` of its dialog
    check     returns the valid value, or raises OptionError with what is valid
    whole     whether it is an integer: commas divide thousands
    share     whether "5 %" is .05
    optional  whether an empty text means that there is none
    """

    name: str
    title: str
    question: str
    meaning: str
    check: Callable[[str, Any], Any]
    whole: bool = False
    share: bool = False
    optional: bool = False

    @property
    def asked(self) -> str:
        """The question, whose examples have the decimal sign of the window, as the value in the field has."""
        return _EXAMPLE.sub(lambda number: decimal(number[0]), self.question)

    def read(self, text: str) -> float | int | None:
        """Return the value of a text: ".05", "0,05", "5 %". Raises OptionError, which says what is valid."""
        plain = text.strip().replace("−", "-").replace(",", "" if self.whole else ".")
        if not plain and self.optional:
            return None
        percent = self.share and plain.endswith("%")
        try:
            value = float(plain.rstrip("% ")) / 100 if percent else float(plain)
        except ValueError:
            raise OptionError(tr("“{text}” is not a number.", text=text)) from None
        if self.whole and value.is_integer():
            value = int(value)
        checked: float | int | None = self.check(self.name, value)
        return checked


def _some(name: str, value: Any) -> Any:
    """Return a number of samples that is not 0. Raises OptionError."""
    if CHECKS[name](name, value) < 1:
        raise OptionError(tr("samples is 0; a comparison needs 1 or more"))
    return value


NUMBERS: dict[str, NumberField] = {
    field.name: field
    for field in (
        NumberField("alpha", tr("Significance level"),
                    tr("A difference is significant if the corrected p-value is below:"),
                    tr("A difference is significant if the corrected p-value is below this level"), CHECKS["alpha"],
                    share=True),
        NumberField("confidence", tr("Confidence level"), tr("Confidence level of all intervals, such as .95 or 95 %:"),
                    tr("For means, differences and bands around curves"), CHECKS["confidence"], share=True),
        NumberField("smallest", tr("Smallest difference that matters"),
                    tr("Smallest difference that matters, in the measure's unit; empty: none is declared"),
                    tr("Smaller differences are equivalent in practice: half the region of the posterior"),
                    CHECKS["smallest"], optional=True),
        NumberField("epsilon", tr("ε, the price of a human judge"),
                    tr("By how much may a judge agree less than one of several people (such as .2 for experts, .15 for "
                       "skilled people, .1 for a crowd); empty: not declared"),
                    tr("ε of the alternative annotator test, chosen before looking: it decides on the page of a judge"),
                    CHECKS["epsilon"], optional=True),
        NumberField("seed", tr("Seed"), tr("Seed of the random numbers:"),
                    tr("For bootstrap and randomisation: the same seed gives the same results"), CHECKS["seed"],
                    whole=True),
        NumberField("samples", tr("Random samples"), tr("Number of samples (bootstrap, randomisation):"),
                    tr("The number of samples for bootstrap and randomisation"), _some, whole=True),
    )
}  # fmt: skip
"""The numbers of the inference that the user can type, by field."""


@dataclass(frozen=True)
class LooksField(NumberField):
    """The looks of a pair, which the user types as "1 of .5 1 pocock"."""

    def read(self, text: str) -> Any:
        """Return the looks of a text, None for an empty one. Raises OptionError, which says what is valid."""
        return Looks.parse(typed_number(text)) if text.strip() else None


LOOKS = LooksField(
    "looks", tr("Looks of a pair"),
    tr("Which look is now, then the share of the planned queries at each, such as “1 of .5 1” or “2 of .5 1 pocock”; "
       "empty: the pair is tested once"),
    tr("One pair that is tested again with more queries decides at group sequential bounds"), CHECKS["looks"],
    optional=True,
)  # fmt: skip
"""The looks of the protocol."""


def written(value: float | Looks | None) -> str:
    """Return a number as users write it, without a zero before a point, and looks as they are read; "" for none."""
    if value is None:
        return ""
    if isinstance(value, Looks):
        return str(value)
    text = str(value) if isinstance(value, int) else f"{value:g}"
    return decimal(text[1:] if text.startswith("0.") else text)


def part_text(protocol: EvaluationProtocol, name: str) -> str:
    """Return a field as a line says it: "level ≥ 2"; its name where a line does not say it."""
    parts = [part for part in line_parts(protocol, full=True) if part.place.endswith(name)]
    return parts[0].text if parts else name
