"""``irviewer measures``: the measures there are, or one explained."""

from __future__ import annotations

import argparse
from typing import Any

from irviewer.cli.streams import note
from irviewer.measures.formulas import letters
from irviewer.measures.parser import parse_measures, split_measures
from irviewer.measures.plugins import faults
from irviewer.measures.registry import families
from irviewer.measures.tool_names import GROUPS, alias_names
from irviewer.session.explaining.measure_card import MEANS


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.add_argument("names", nargs="*", metavar="MEASURE", help="explain these; without: list all")


def run(options: argparse.Namespace) -> int:
    """``irviewer measures``."""
    if not options.names:
        rows = []
        for family in families().values():
            parameters = ", ".join(f"{p.name}={p.default!r}" for p in family.parameters)
            shown = family.name + (f"({parameters})" if parameters else "")
            cutoff = {"none": "", "optional rank": "@k?", "rank": "@k", "recall level": "@recall"}
            shown += cutoff.get(family.cutoff.value, "@m")
            rows.append((shown, family.title, ", ".join(alias_names(family))))
        width = max(len(row[0]) for row in rows)
        for name, title, others in rows:
            print(f"{name.ljust(width)}  {title}" + (f"  [{others}]" if others else ""))
        print(f"\ngroups: {', '.join(GROUPS)}; irviewer measures NAME explains one")
        for name, reason in faults().items():
            note(f"the measure {name} was not loaded from {reason}")
        return 0
    for one in parse_measures(split_measures(options.names)):
        _explain(one)
    return 0


def _explain(measure: Any) -> None:
    family = measure.family
    print(f"{measure.text}: {family.title}")
    print(f"  rewards  {measure.rewards}")
    print(f"  ignores  {measure.ignores}")
    print(f"  formula  {measure.formula}")
    if known := letters(measure.formula):
        print(f"  letters  {known}")
    print(f"  mean     {MEANS[measure.aggregate]}")
    print(f"  source   {measure.source}")
    if family.tools:
        print("  in tools " + "; ".join(f"{tool}: {name}" for tool, name in family.tools.items()))
    for one in family.parameters:
        choices = f" ({', '.join(map(repr, one.choices))})" if one.choices else ""
        print(f"  {one.name}={measure.parameter(one.name)!r}  {one.meaning}{choices}")
