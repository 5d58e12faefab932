"""Bands around averaged curves, as ``irviewer curves`` takes them. Knows no Qt."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from irviewer.errors import OptionError

if TYPE_CHECKING:
    from irviewer.figures.curve_bands import BandOptions

INTERVALS = ("bca", "percentile", "t")
SAMPLES, SEED, CONFIDENCE = 10_000, 42, 0.95
"""The words and numbers of the intervals, here again so that other commands need not wait for them to be imported; a
test holds them together."""


def add_bands(parser: argparse.ArgumentParser) -> None:
    """Register the options."""
    parser.add_argument(
        "--bands", nargs="?", const="percentile", choices=INTERVALS, metavar="INTERVAL",
        help="the interval of the mean around every point of averaged curves, each by itself: bca, percentile "
        "(bootstrap, the default) or t",
    )  # fmt: skip
    parser.add_argument(
        "--confidence", type=float, metavar="C", help=f"with --bands: their level (default {CONFIDENCE})"
    )
    parser.add_argument("--samples", type=int, metavar="N", help=f"with --bands: drawn samples (default {SAMPLES})")
    parser.add_argument("--seed", type=int, metavar="N", help=f"with --bands: of what is drawn (default {SEED})")


def bands_of(options: argparse.Namespace) -> BandOptions | None:
    """What was asked for; None for no bands. Raises OptionError."""
    if options.bands is None:
        if any(one is not None for one in (options.confidence, options.samples, options.seed)):
            raise OptionError("--confidence, --samples and --seed speak of --bands")
        return None
    from irviewer.figures.curve_bands import BandOptions

    level = CONFIDENCE if options.confidence is None else options.confidence
    samples = SAMPLES if options.samples is None else options.samples
    seed = SEED if options.seed is None else options.seed
    if not 0 < level < 1 or samples < 100 or seed < 0:
        raise OptionError("--confidence lies between 0 and 1, --samples is 100 or more, --seed 0 or more")
    return BandOptions(options.bands, level, samples, seed)
