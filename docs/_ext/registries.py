"""Directives that write the reference from the registries of the program: ``measures``, ``formats``, ``commands``,
``keys``, ``dialects``, and ``python``, the public names by autodoc."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterable, Sequence
from unittest.mock import patch

from docutils import nodes
from matplotlib.path import Path
from matplotlib.transforms import Affine2D
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import irviewer
from irviewer.cli.commands import BY_NAME
from irviewer.cli.commands import COMMANDS as TEXT_COMMANDS
from irviewer.cli.commands.measures import example, signature
from irviewer.cli.view import build_view_parser
from irviewer.commands import CATEGORIES, COMMANDS, IN_VIEWS
from irviewer.formats.format import KINDS
from irviewer.formats.registry import formats
from irviewer.measures.base import Family
from irviewer.measures.formulas import letters
from irviewer.measures.parser import parse_measures
from irviewer.measures.registry import families
from irviewer.measures.tool_names import alias_names
from irviewer.model.dialects import DIALECTS
from irviewer.rendering.formula import outline
from irviewer.session.explaining.measure_card import MEANS

WIDTH = "96"
"""The columns of the help of a command."""

FORMULA = 12.0
"""The type size of formulas in points."""

ROOM = 430.0
"""The width in points beyond which a formula is broken into lines."""

SEGMENTS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}
"""Steps of an outline -> how SVG writes them."""

Cell = str | nodes.Node


def _code(text: str) -> nodes.literal:
    return nodes.literal(text, text)


def _paragraph(*parts: Cell) -> nodes.paragraph:
    return nodes.paragraph("", "", *(nodes.Text(part) if isinstance(part, str) else part for part in parts))


def _table(titles: Sequence[str], rows: Iterable[Sequence[Cell]]) -> nodes.table:
    """A table; without titles the first column names what the second has."""
    given = [list(row) for row in rows]
    columns = len(titles) or len(given[0])
    group = nodes.tgroup(cols=columns)
    group += [nodes.colspec(colwidth=1) for _ in range(columns)]
    if titles:
        group += nodes.thead("", _row(titles))
    group += nodes.tbody("", *(_row(row) for row in given))
    return nodes.table("", group, classes=["colwidths-auto"])


def _row(cells: Sequence[Cell]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", _paragraph(cell)) for cell in cells))


def _spread(codes: Iterable[str], joint: str = ", ") -> nodes.inline:
    """Several pieces of code in one cell."""
    cell = nodes.inline()
    for number, text in enumerate(codes):
        if number:
            cell += nodes.Text(joint)
        cell += _code(text)
    return cell


def _formula(formula: str) -> nodes.Node:
    """The formula as an outline in the colour of the text, which needs no script and no fonts; its source where
    mathtext cannot read it."""
    drawn = outline(formula, FORMULA, ROOM) if formula else None
    if drawn is None:
        return _code(formula)
    points = drawn.path.transformed(Affine2D().scale(1, -1).translate(0, drawn.height))
    shape = "".join(
        SEGMENTS[code] + ("" if code == Path.CLOSEPOLY else " ".join(f"{number:.2f}" for number in corners))
        for corners, code in points.iter_segments(simplify=False, curves=True)
    )
    size = (
        f'width="{drawn.width:.1f}pt" height="{drawn.height:.1f}pt" viewBox="0 0 {drawn.width:.2f} {drawn.height:.2f}"'
    )
    label = html.escape(formula, quote=True)
    text = f'<svg class="formula" role="img" aria-label="{label}" {size}><path fill="currentColor" d="{shape}"/></svg>'
    return nodes.raw("", text, format="html")


class _Generated(SphinxDirective):
    def section(self, title: str, *content: nodes.Node) -> nodes.section:
        """A part of the page with its title, to which links can go."""
        section = nodes.section("", nodes.title(title, title), *content)
        section["names"].append(nodes.fully_normalize_name(title))
        self.state.document.note_implicit_target(section, section)
        return section


class Measures(_Generated):
    """Every measure with its card."""

    def run(self) -> list[nodes.Node]:
        return [self.section(family.title + f" ({family.name})", *self._card(family)) for family in families().values()]

    def _card(self, family: Family) -> list[nodes.Node]:
        (measure,) = parse_measures([example(family)])
        rows: list[tuple[str, Cell]] = [
            ("written", _code(signature(family))),
            ("other names", _spread(alias_names(family))),
            ("rewards", measure.rewards),
            ("ignores", measure.ignores),
            ("formula", _formula(measure.formula)),
            ("symbols", letters(measure.formula)),
            ("mean", MEANS[measure.aggregate]),
            ("source", measure.source),
            ("in tools", "; ".join(f"{tool}: {name}" for tool, name in family.tools.items())),
        ]
        for parameter in family.parameters:
            choices = f" ({', '.join(map(repr, parameter.choices))})" if parameter.choices else ""
            rows.append((f"{parameter.name}={parameter.default!r}", parameter.meaning + choices))
        shown = [(title, cell) for title, cell in rows if (cell.astext() if isinstance(cell, nodes.Node) else cell)]
        return [_table((), shown)]


class Formats(_Generated):
    """Every file format, with what is read and written."""

    def run(self) -> list[nodes.Node]:
        rows = [
            (
                _code(form.name),
                form.title,
                ", ".join(kind for kind in KINDS if kind in form.kinds),
                ", ".join(kind for kind in KINDS if form.writes(kind)) or "–",
                _spread(form.suffixes) if form.suffixes else "–",
            )
            for form in formats()
        ]
        return [_table(("name", "what it is", "reads", "writes", "endings"), rows)]


class Commands(_Generated):
    """Every command of the command line with its help."""

    def run(self) -> list[nodes.Node]:
        parts = [self.section("irviewer view", nodes.literal_block(text := _help(""), text, language="text"))]
        for command in TEXT_COMMANDS:
            text = _help(command.name)
            parts.append(
                self.section(
                    f"irviewer {command.name}",
                    _paragraph(command.meaning[0].upper() + command.meaning[1:] + "."),
                    nodes.literal_block(text, text, language="text"),
                )
            )
        return list(parts)


def _help(name: str) -> str:
    """The help of a command, with lines of one width wherever it is made."""
    with patch.dict(os.environ, {"COLUMNS": WIDTH, "NO_COLOR": "1"}):
        return (BY_NAME[name].parser() if name else build_view_parser()).format_help()


class Keys(_Generated):
    """Every command of the window, with its keys, by menu."""

    def run(self) -> list[nodes.Node]:
        parts: list[nodes.Node] = []
        for category, title in CATEGORIES.items():
            rows = [
                (
                    command.title.rstrip("…"),
                    _spread(command.shortcuts, " or ") if command.shortcuts else "",
                    command.help,
                )
                for command in COMMANDS
                if command.category == category
            ]
            if rows:
                parts.append(self.section(title, _table(("command", "keys", "what it does"), rows)))
        rows = [(text, _spread(keys)) for text, keys in IN_VIEWS]
        return [*parts, self.section("In lists, tables and plots", _table(("what it does", "keys"), rows))]


class Dialects(_Generated):
    """Every dialect."""

    def run(self) -> list[nodes.Node]:
        return [_table(("name", "tool"), [(_code(dialect.name), dialect.title) for dialect in DIALECTS.values()])]


class Python(_Generated):
    """The public names of the package, each by autodoc."""

    def run(self) -> list[nodes.Node]:
        functions, classes = [], []
        for name in irviewer.__all__:
            (classes if isinstance(getattr(irviewer, name), type) else functions).append(name)
        return [
            self.section("Functions", *(self._documented(name, "autofunction") for name in functions)),
            self.section("Classes", *(self._documented(name, "autoclass") for name in classes)),
        ]

    def _documented(self, name: str, directive: str) -> nodes.section:
        return self.section(
            name, *self.parse_text_to_nodes(f"```{{eval-rst}}\n.. {directive}:: irviewer.{name}\n```\n")
        )


def as_restructured_text(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Make a docstring that is plain text reStructuredText: sentences and examples are kept, what is aligned in
    columns is shown as it is written."""
    paragraphs = re.split(r"\n\s*\n", "\n".join(lines).strip())
    written: list[str] = []
    for paragraph in paragraphs:
        rows = paragraph.split("\n")
        if paragraph.lstrip().startswith(">>>"):
            written += [*(row.strip() for row in rows), ""]
        elif any(re.match(r"\w[\w, ]*\S?  +\S|\s", row) for row in rows):
            written += ["::", "", *("    " + row for row in rows), ""]
        else:
            written += [*(re.sub(r"(?<!`)([*|_])(?=\W|$)|(?<!\S)([*|])", r"\\\1\2", row) for row in rows), ""]
    lines[:] = written


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directives."""
    directives = {
        "measures": Measures,
        "formats": Formats,
        "commands": Commands,
        "keys": Keys,
        "dialects": Dialects,
        "python": Python,
    }
    for name, directive in directives.items():
        app.add_directive(f"irviewer-{name}", directive)
    app.connect("autodoc-process-docstring", as_restructured_text)
    return {"parallel_read_safe": True}
