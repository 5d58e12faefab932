"""``irviewer measures``: list the measures, or explain some."""

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
from irviewer.translation import tr


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("names", nargs="*", metavar="MEASURE", help=tr("measures to explain (default: list all)"))


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer measures``."""
    if not options.names:
        rows = []
        for family in families().values():
            parameters = ", ".join(f"{p.name}={p.default!r}" for p in family.parameters)
            shown = family.name + (f"({parameters})" if parameters else "")
            cutoff = {"none": "", "optional rank": "@k?", "rank": "@k", "recall level": "@recall"}
            shown += cutoff.get(family.cutoff.value, "@m")
            rows.append((shown, family.title, ", ".join(alias_names(family))))
        width = max(len(row[0]) for row in rows)
        for name, title, aliases in rows:
            print(f"{name.ljust(width)}  {title}" + (f"  [{aliases}]" if aliases else ""))
        print("\n" + tr("groups: {groups}; irviewer measures NAME explains a measure", groups=", ".join(GROUPS)))
        for name, reason in faults().items():
            note(tr("the measure {name} could not be loaded from {source}", name=name, source=reason))
        return 0
    for measure in parse_measures(split_measures(options.names)):
        _explain(measure)
    return 0


def _explain(measure: Any) -> None:
    family = measure.family
    rows = [
        (tr("rewards"), measure.rewards),
        (tr("ignores"), measure.ignores),
        (tr("formula"), measure.formula),
        (tr("symbols"), letters(measure.formula)),
        (tr("mean"), MEANS[measure.aggregate]),
        (tr("source"), measure.source),
        (tr("in tools"), "; ".join(f"{tool}: {name}" for tool, name in family.tools.items())),
    ]
    width = max(len(label) for label, _ in rows)
    print(f"{measure.text}: {family.title}")
    for label, text in rows:
        if text:
            print(f"  {label.ljust(width)} {text}")
    for parameter in family.parameters:
        choices = f" ({', '.join(map(repr, parameter.choices))})" if parameter.choices else ""
        print(f"  {parameter.name}={measure.parameter(parameter.name)!r}  {parameter.meaning}{choices}")
