"""The options of comparisons of runs. Frozen values, and a table of the numeric ones with their texts."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.errors import OptionError
from irviewer.translation import tr

IntervalName = Literal["bca", "percentile", "t"]
ZerosName = Literal["wilcox", "pratt"]
DecidingName = Literal["t", "wilcoxon", "sign", "randomisation", "tukey"]
TukeyName = Literal["parametric", "randomised"]

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
TUKEYS: dict[str, str] = {"parametric": tr("from the studentized range"), "randomised": tr("by randomisation")}
MOST = 10_000_000
"""The largest number of samples, ranks and seeds: a larger one is a typing error."""


@dataclass(frozen=True)
class StatisticsOptions:
    """The options of comparisons. By default the paired t-test, Holm's correction and a bootstrap percentile interval,
    which rarely contradicts the test.

    test             which test decides, a name of DECIDING: marks, letters and sentences are of it
    correction       "holm", "bonferroni", "bh" or "none"
    interval         "bca", "percentile" or "t"
    samples, seed    of all that is drawn at random; the same seed gives the same numbers
    alpha            the corrected p-value below which a difference counts as shown
    level            of intervals
    rope             half the region of practical equivalence, in the measure's unit
    zeros            what Wilcoxon's test does with queries without a difference: "wilcox" or "pratt"
    tukey            Tukey's test of all pairs: "parametric" or "randomised"
    rbo_p, rbo_depth persistence of rank-biased overlap, and what lists are cut at for it
    """

    test: DecidingName = "t"
    correction: str = "holm"
    interval: IntervalName = "percentile"
    samples: int = 10_000
    seed: int = 42
    alpha: float = 0.05
    level: float = 0.95
    rope: float = 0.01
    zeros: ZerosName = "wilcox"
    tukey: TukeyName = "parametric"
    rbo_p: float = 0.9
    rbo_depth: int = 100

    @property
    def declared(self) -> str:
        """The name of the chosen test."""
        if self.test == "tukey":
            return self.tukeys
        if self.test == "wilcoxon":
            return self.wilcoxon
        return self.test if self.test in DECIDING else "t"  # a project of a later version may name another

    @property
    def wilcoxon(self) -> str:
        """The name of Wilcoxon's test with the chosen treatment of zeros."""
        return "wilcoxon-pratt" if self.zeros == "pratt" else "wilcoxon"

    @property
    def tukeys(self) -> str:
        """The name of Tukey's test in the chosen form."""
        return "tukey-randomised" if self.tukey == "randomised" else "tukey"

    @property
    def of_tests(self) -> StatisticsOptions:
        """The options without those that only the similarity of lists depends on."""
        return replace(self, rbo_p=PRESET.rbo_p, rbo_depth=PRESET.rbo_depth)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Texts of the options that differ from the defaults and are not shown elsewhere."""
        changed = {field.name for field in fields(self) if getattr(self, field.name) != getattr(PRESET, field.name)}
        texts = {
            "test": tr("test: {test}", test=DECIDING.get(self.test, DECIDING["t"]).split(",")[0]),
            "alpha": tr("significant below p = {alpha}", alpha=written(self.alpha)),
            "level": tr("{percent:g} % intervals", percent=100 * self.level),
            "rope": tr("equivalent within ±{width}", width=written(self.rope)),
            "seed": tr("seed {seed}", seed=self.seed),
            "samples": tr("{count:,} samples", count=self.samples),
        }
        return tuple(text for name, text in texts.items() if name in changed)


PRESET = StatisticsOptions()


@dataclass(frozen=True)
class NumberOption:
    """A number of StatisticsOptions that the user can set: its bounds (``open``: exclusive), True in ``whole`` for
    integers, the question of its dialog, and the title of its command."""

    name: str
    title: str
    question: str
    meaning: str
    low: float
    high: float
    whole: bool = False
    open: bool = False


NUMBERS: dict[str, NumberOption] = {
    option.name: option
    for option in (
        NumberOption("alpha", tr("Significance level"),
                     tr("A difference is significant if the corrected p-value is below:"),
                     tr("A difference is significant if the corrected p-value is below this level"), 0, 1, open=True),
        NumberOption("level", tr("Confidence level"), tr("Confidence level of all intervals, such as .95 or 95 %:"),
                     tr("For means, differences and bands around curves"), 0, 1, open=True),
        NumberOption("rope", tr("Region of practical equivalence"),
                     tr("Largest difference without practical importance:"),
                     tr("Half the width of the region, in the measure's unit, for the posterior of the difference"),
                     0, MOST),
        NumberOption("seed", tr("Seed"), tr("Seed of the random numbers:"),
                     tr("For bootstrap and randomisation: the same seed gives the same results"), 0, MOST, whole=True),
        NumberOption("samples", tr("Samples"), tr("Number of samples (bootstrap, randomisation):"),
                     tr("The number of samples for bootstrap and randomisation"), 100, 1_000_000, whole=True),
        NumberOption("rbo_p", tr("Persistence of RBO"),
                     tr("p of rank-biased overlap (.9: the first ten ranks weigh 86 %):"),
                     tr("p of rank-biased overlap: a larger p gives lower ranks more weight"), 0, 1, open=True),
        NumberOption("rbo_depth", tr("Depth of RBO"), tr("Depth of rank-biased overlap, in ranks:"),
                     tr("The rank at which lists are cut for rank-biased overlap"), 1, MOST, whole=True),
    )
}  # fmt: skip
"""The numbers that the user can set, by field."""


def number_of(name: str, text: str) -> float | int:
    """Return the value of a number of NUMBERS from text: ".05", "0,05", "5 %". Raises OptionError, which names the
    valid values."""
    about = NUMBERS.get(name)
    if about is None:
        raise OptionError(tr("Unknown option {name!r}; choose one of {names}.", name=name, names=", ".join(NUMBERS)))
    plain = text.strip().replace("−", "-").replace(",", "" if about.whole else ".")
    share = plain.endswith("%") and about.high == 1
    try:
        value = float(plain.rstrip("% ") if share else plain) / (100 if share else 1)
    except ValueError:
        raise OptionError(tr("“{text}” is not a number.", text=text)) from None
    inside = about.low < value < about.high if about.open else about.low <= value <= about.high
    if not math.isfinite(value) or not inside:
        raise OptionError(_range_text(about, text.strip()))
    if about.whole and value != int(value):
        raise OptionError(tr("{option}: enter a whole number, not {text}.", option=about.title, text=text.strip()))
    return int(value) if about.whole else value


def is_statistics(value: object) -> bool:
    """Return whether ``value`` has names and valid values of StatisticsOptions."""
    try:
        statistics_of(value)
    except OptionError:
        return False
    return True


def statistics_of(values: object) -> StatisticsOptions:
    """Return the options with the values of a dict by name, and the defaults of the others. Raises OptionError."""
    if not isinstance(values, dict):
        raise OptionError(tr("Statistical options are names with values, not {values!r}.", values=values))
    choices: dict[str, Collection[object]] = {
        "test": DECIDING, "correction": CORRECTIONS, "interval": get_args(IntervalName), "zeros": ZEROS,
        "tukey": TUKEYS,
    }  # fmt: skip
    read: dict[str, Any] = {}
    for name, value in values.items():
        if name in choices:
            if not isinstance(value, str) or value not in choices[name]:
                names = ", ".join(map(str, choices[name]))
                raise OptionError(tr("Unknown {option} {value!r}; choose one of {names}.",
                                     option=name, value=value, names=names))  # fmt: skip
            read[name] = value
        else:
            read[name] = number_of(name, repr(value))
    return replace(PRESET, **read)


def written(value: float) -> str:
    """Return a number as users write it, without a zero before the point."""
    text = f"{value:g}"
    return text[1:] if text.startswith("0.") else text


def _range_text(about: NumberOption, text: str) -> str:
    if about.open:
        return tr("{option}: enter a number between {low:g} and {high:g}, not {text}.",
                  option=about.title, low=about.low, high=about.high, text=text)  # fmt: skip
    if about.high == MOST:
        return tr("{option}: enter a number of at least {low:g}, not {text}.",
                  option=about.title, low=about.low, text=text)  # fmt: skip
    return tr("{option}: enter a number from {low:g} to {high:,.0f}, not {text}.",
              option=about.title, low=about.low, high=about.high, text=text)  # fmt: skip
