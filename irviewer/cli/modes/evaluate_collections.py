"""``irviewer evaluate --collections``: evaluate the same systems on several collections."""

from __future__ import annotations

import argparse

from irviewer.analysis.collections.collection_table import forest, over_collections
from irviewer.api.collections import evaluate_collections
from irviewer.cli.options.tables import put_tables
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.formats.system_maps import read_system_map
from irviewer.measures.parser import split_measures
from irviewer.translation import tr, trn
from irviewer.views.collections import tables

MOST_SKIPPED = 20
"""The number of skipped files that are named on standard error."""


def run_collections(options: argparse.Namespace) -> int:
    """Evaluate the systems on the collections and print the tables. Raises OptionError, ParseError."""
    measures = split_measures(options.measure or ["nDCG@10"])
    if not measures:
        raise OptionError(tr("-m has no measure; irviewer measures lists them"))
    asked = options.asked
    if measures != ["nDCG@10"] or asked.measures:
        asked = asked.but(measures=tuple(dict.fromkeys(measures)))
    result = evaluate_collections(
        options.collections, None, protocol=asked, baseline=options.baseline,
        systems=None if options.systems is None else read_system_map(options.systems),
        only=None if options.only is None else [name.strip() for name in options.only.split(",") if name.strip()],
    )  # fmt: skip
    for reason in result.skipped[:MOST_SKIPPED]:
        note(tr("skipped {reason}", reason=reason))
    more = len(result.skipped) - MOST_SKIPPED
    if more > 0:
        note(trn("skipped {n} more file or run", "skipped {n} more files and runs", more))
    forests = []
    if options.forest:
        for table in result.by_measure:
            others = [system for place, system in enumerate(table.systems) if place != table.baseline]
            forests += [forest(table, system, estimator=options.estimator) for system in others]
    tests = [over_collections(table) for table in result.by_measure] if options.tests else []
    shown = tables(result.by_measure, result.protocol, forests=forests, tests=tests, matched=result.matched)
    people = [table.name for table in shown.tables if table.name != "means"]
    put_tables(shown, options, people=people)
    return 0
