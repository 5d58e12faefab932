"""How runs are compared: what a person may choose beside the preset verdict. Frozen values, and the table of those that
are numbers with how they are typed."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Literal

from irviewer.errors import OptionError

IntervalName = Literal["bca", "percentile", "t"]
ZerosName = Literal["wilcox", "pratt"]
DecidingName = Literal["t", "wilcoxon", "sign", "randomisation", "tukey"]
TukeyName = Literal["parametric", "randomised"]

ZEROS: dict[str, str] = {
    "wilcox": "queries without a difference are left out (Wilcoxon)",
    "pratt": "queries without a difference are ranked, then left out (Pratt)",
}
DECIDING: dict[str, str] = {
    "t": "the paired t-test",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "sign": "the sign test",
    "randomisation": "Fisher's randomisation test",
    "tukey": "Tukey's test of all pairs, which supposes equal spread of all runs",
}
"""The tests that may decide: marks, letters and sentences are of the one that is chosen."""
TUKEYS: dict[str, str] = {"parametric": "from the studentized range", "randomised": "by randomisation"}
MOST = 10_000_000
"""Samples, ranks and seeds end here: what is more was mistyped."""


@dataclass(frozen=True)
class StatisticsOptions:
    """The preset is the paired t-test and a bootstrap interval by percentiles, which seldom contradicts it,
    corrected by Holm.

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
        """The test that decides, by the name that the statistics have for it."""
        if self.test == "tukey":
            return self.tukeys
        if self.test == "wilcoxon":
            return self.wilcoxon
        return self.test if self.test in DECIDING else "t"  # a project of a later version may name another

    @property
    def wilcoxon(self) -> str:
        """Wilcoxon's test as it treats zeros, by the statistics' name."""
        return "wilcoxon-pratt" if self.zeros == "pratt" else "wilcoxon"

    @property
    def tukeys(self) -> str:
        """Tukey's test as it is made, by the statistics' name."""
        return "tukey-randomised" if self.tukey == "randomised" else "tukey"

    @property
    def of_tests(self) -> StatisticsOptions:
        """The same without what only the likeness of lists depends on."""
        return replace(self, rbo_p=PRESET.rbo_p, rbo_depth=PRESET.rbo_depth)

    @property
    def told(self) -> tuple[str, ...]:
        """What is otherwise than preset and stands nowhere else, in words."""
        changed = {one.name for one in fields(self) if getattr(self, one.name) != getattr(PRESET, one.name)}
        said = {
            "test": f"{DECIDING.get(self.test, DECIDING['t']).split(',')[0]} decides",
            "alpha": f"shown below p = {written(self.alpha)}",
            "level": f"{100 * self.level:g} % intervals",
            "rope": f"equivalent within ±{written(self.rope)}",
            "seed": f"seed {self.seed}",
            "samples": f"{self.samples:,} samples",
        }
        return tuple(words for name, words in said.items() if name in changed)


PRESET = StatisticsOptions()


@dataclass(frozen=True)
class NumberOption:
    """A number of StatisticsOptions that a person types: its bounds (``open``: it is neither of them), whether it is
    whole, what the dialog asks, and what the command is called."""

    name: str
    title: str
    question: str
    meaning: str
    low: float
    high: float
    whole: bool = False
    open: bool = False


NUMBERS: dict[str, NumberOption] = {
    one.name: one
    for one in (
        NumberOption("alpha", "Level of significance", "A difference counts as shown where the corrected p is below:",
                     "The corrected p below which a difference counts as shown", 0, 1, open=True),
        NumberOption("level", "Confidence of intervals", "Confidence of all intervals, such as .95 or 95 %:",
                     "Of means, differences and bands around curves", 0, 1, open=True),
        NumberOption("rope", "Region of practical equivalence", "Differences up to this size make no difference:",
                     "Half its width, in the measure's unit: of the posterior of the difference", 0, MOST),
        NumberOption("seed", "Seed", "Seed of all that is drawn at random:",
                     "Of bootstrap and randomisation: the same seed gives the same numbers", 0, MOST, whole=True),
        NumberOption("samples", "Samples", "How many samples are drawn (bootstrap, randomisation):",
                     "How many are drawn for bootstrap and randomisation", 100, 1_000_000, whole=True),
        NumberOption("rbo_p", "Persistence of RBO", "p of rank-biased overlap (.9: the first ten ranks weigh 86 %):",
                     "p: how far down the lists rank-biased overlap looks", 0, 1, open=True),
        NumberOption("rbo_depth", "Depth of RBO", "Ranks that rank-biased overlap looks at:",
                     "What lists are cut at for rank-biased overlap", 1, MOST, whole=True),
    )
}  # fmt: skip
"""Every number that a person may type, by its field."""


def number_of(name: str, text: str) -> float | int:
    """A number of NUMBERS from what was typed: ".05", "0,05", "5 %". Raises OptionError with what would do."""
    about = NUMBERS.get(name)
    if about is None:
        raise OptionError(f"there is no number {name!r} to choose; there are {', '.join(NUMBERS)}")
    plain = text.strip().replace("−", "-").replace(",", "" if about.whole else ".")
    share = plain.endswith("%") and about.high == 1
    try:
        value = float(plain.rstrip("% ") if share else plain) / (100 if share else 1)
    except ValueError:
        raise OptionError(f"“{text}” is not a number") from None
    inside = about.low < value < about.high if about.open else about.low <= value <= about.high
    if not math.isfinite(value) or not inside:
        raise OptionError(f"{about.title}: {_wanted(about)} is wanted, not {text.strip()}")
    if about.whole and value != int(value):
        raise OptionError(f"{about.title}: a whole number is wanted, not {text.strip()}")
    return int(value) if about.whole else value


def written(value: float) -> str:
    """A number as a person types it: no zero before the point."""
    text = f"{value:g}"
    return text[1:] if text.startswith("0.") else text


def _wanted(about: NumberOption) -> str:
    if about.open:
        return f"a number between {about.low:g} and {about.high:g}"
    return f"a number from {about.low:g}" if about.high == MOST else f"a number from {about.low:g} to {about.high:,.0f}"
