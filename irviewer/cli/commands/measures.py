"""``irviewer measures``: list the measures, or explain some."""

from __future__ import annotations

import argparse

from irviewer.cli.streams import note
from irviewer.measures.base import Cutoff, Family, Measure
from irviewer.measures.formula_text import formula_text
from irviewer.measures.formulas import letters
from irviewer.measures.parser import parse_measures, split_measures
from irviewer.measures.plugins import faults
from irviewer.measures.registry import families
from irviewer.measures.tool_names import GROUPS, alias_names
from irviewer.session.explaining.measure_card import MEANS
from irviewer.translation import tr

_ENDS = {
    Cutoff.NONE: "",
    Cutoff.OPTIONAL: "@k?",
    Cutoff.REQUIRED: "@k",
    Cutoff.RECALL: "@recall",
    Cutoff.FACTOR: "@m",
}
"""The kind of a cutoff -> how it is written in a list."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = tr("List the measures, or explain some: their formula, parameters and source.")
    parser.add_argument("names", nargs="*", metavar="MEASURE", help=tr("measures to explain (default: list all)"))


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer measures``."""
    if not options.names:
        rows = [(signature(family), family.title, ", ".join(alias_names(family))) for family in families().values()]
        width = max(len(row[0]) for row in rows)
        for name, title, aliases in rows:
            print(f"{name.ljust(width)}  {title}" + (f"  [{aliases}]" if aliases else ""))
        print("\n" + tr("groups: {groups}; irviewer measures NAME explains a measure", groups=", ".join(GROUPS)))
        for name, reason in faults().items():
            note(tr("the measure {name} could not be loaded from {source}", name=name, source=reason))
        return 0
    for measure in parse_measures(split_measures(options.names)):
        print(explanation(measure), end="")
    return 0


def signature(family: Family) -> str:
    """Return how a measure is written, with its parameters and the kind of its cutoff: ``AP(rel=1)@k?``."""
    parameters = ", ".join(f"{parameter.name}={parameter.default!r}" for parameter in family.parameters)
    return family.name + (f"({parameters})" if parameters else "") + _ENDS[family.cutoff]


def example(family: Family) -> str:
    """Return a name of a measure of the family, with a cutoff if it needs one."""
    if family.cutoff in (Cutoff.NONE, Cutoff.OPTIONAL):
        return family.name
    return f"{family.name}@{'0.5' if family.cutoff is Cutoff.RECALL else '10'}"


def explanation(measure: Measure) -> str:
    """Return the card of a measure as lines: what it rewards and ignores, its formula, source, names and parameters."""
    family = measure.family
    rows = [
        (tr("rewards"), measure.rewards),
        (tr("ignores"), measure.ignores),
        (tr("formula"), formula_text(measure.formula)),
        (tr("symbols"), letters(measure.formula)),
        (tr("mean"), MEANS[measure.aggregate]),
        (tr("source"), measure.source),
        (tr("in tools"), "; ".join(f"{tool}: {name}" for tool, name in family.tools.items())),
    ]
    width = max(len(label) for label, _ in rows)
    lines = [f"{measure.text}: {family.title}"]
    lines += [f"  {label.ljust(width)} {text}" for label, text in rows if text]
    for parameter in family.parameters:
        choices = f" ({', '.join(map(repr, parameter.choices))})" if parameter.choices else ""
        lines.append(f"  {parameter.name}={measure.parameter(parameter.name)!r}  {parameter.meaning}{choices}")
    return "".join(f"{line}\n" for line in lines)
