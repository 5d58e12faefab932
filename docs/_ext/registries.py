"""Directives that write the reference from the registries of the program: ``measure-list`` and ``measures`` of a page
of PAGES, ``formats``, ``columns``, ``commands``, ``keys``, ``dialects``, and ``python``, the public names by
autodoc."""

from __future__ import annotations

import argparse
import html
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path as FilePath
from unittest.mock import patch

from docutils import nodes
from matplotlib.path import Path
from matplotlib.transforms import Affine2D
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import irviewer
from irviewer.cli.commands import BY_NAME, VIEW
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
from irviewer.model.column_names import KNOWN
from irviewer.model.dialects import DIALECTS
from irviewer.rendering.formula import outline
from irviewer.session.explaining.measure_card import MEANS

WIDTH = "96"
"""The columns of the help of a command."""

FORMULA = 12.0
"""The type size of formulas in points."""

PIXELS = 4 / 3
"""Pixels of a page in a point."""

ROOM = 430.0
"""The width in points beyond which a formula is broken into lines."""

UNITS = 20
"""Units of a drawn formula in a point."""

SEGMENTS = {Path.MOVETO: "m", Path.LINETO: "l", Path.CURVE3: "q", Path.CURVE4: "c"}
"""Steps of an outline -> how SVG writes them."""

PAGES = {
    "binary": (
        "average_precision", "precision", "r_precision", "reciprocal_rank", "success", "accuracy", "interpolated",
        "bpref",
    ),
    "graded": ("dcg", "expected_reciprocal_rank", "rbp", "gain_levels", "graded_recall", "compatibility"),
    "users": ("browsing_models",),
    "sets": ("sets", "counts", "utility", "relstring"),
    "judgments": ("judged_share", "inferred", "sampled", "judgment_groups", "preferences"),
    "tasks": ("diversity", "evidence", "high_recall", "document_fields"),
    "answers": ("nuggets", "support", "citations"),
}  # fmt: skip
"""Pages of measures -> the modules of irviewer.measures.families that they have."""

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


def _path(path: Path) -> str:
    """The steps of an outline as SVG writes them, in whole units relative to the point before, which is short."""
    written, here, begin = [], (0, 0), (0, 0)
    for corners, code in path.iter_segments(simplify=False, curves=True):
        if code == Path.CLOSEPOLY:
            written.append("z")
            here = begin
            continue
        units = [round(number) for number in corners]
        points = list(zip(units[::2], units[1::2], strict=True))
        numbers = [str(end - start) for point in points for end, start in zip(point, here, strict=True)]
        written.append(SEGMENTS[code] + " ".join(numbers).replace(" -", "-"))
        here = points[-1]
        begin = here if code == Path.MOVETO else begin
    return "".join(written)


class _Generated(SphinxDirective):
    def section(self, title: str, *content: nodes.Node) -> nodes.section:
        """A part of the page with its title, to which links can go."""
        section = nodes.section("", nodes.title(title, title), *content)
        section["names"].append(nodes.fully_normalize_name(title))
        self.state.document.note_implicit_target(section, section)
        return section


def _families(page: str) -> list[Family]:
    """The measures of a page, in the order of its modules."""
    modules = PAGES[page]
    those = [family for family in families().values() if _module(family) in modules]
    return sorted(those, key=lambda family: modules.index(_module(family)))


def _module(family: Family) -> str:
    return family.compute.__module__.rpartition(".")[2]


def _title(family: Family) -> str:
    return f"{family.title} ({family.name})"


class MeasureList(_Generated):
    """A table of all measures of a page, with links to their cards."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        (page,) = self.arguments
        rows = [(self._link(page, family), family.title, _code(signature(family))) for family in _families(page)]
        return [_table(("name", "title", "written"), rows)]

    def _link(self, page: str, family: Family) -> nodes.Node:
        address = f"{page}.html#{nodes.make_id(_title(family))}"
        return nodes.reference("", family.name, refuri=address, internal=True)


class Measures(_Generated):
    """The card of each measure of a page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [self.section(_title(family), *self._card(family)) for family in _families(self.arguments[0])]

    def _card(self, family: Family) -> list[nodes.Node]:
        (measure,) = parse_measures([example(family)])
        rows: list[tuple[str, Cell]] = [
            ("written", _code(signature(family))),
            ("other names", _spread(alias_names(family))),
            ("rewards", measure.rewards),
            ("ignores", measure.ignores),
            ("formula", self._formula(family, measure.formula)),
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

    def _formula(self, family: Family, formula: str) -> nodes.Node:
        """The formula as a picture of its outline, which needs no script and no fonts; its source where mathtext cannot
        read it."""
        drawn = outline(formula, FORMULA, ROOM) if formula else None
        if drawn is None:
            return _code(formula)
        shape = _path(drawn.path.transformed(Affine2D().scale(UNITS, -UNITS).translate(0, drawn.height * UNITS)))
        box = f"0 0 {drawn.width * UNITS:.0f} {drawn.height * UNITS:.0f}"
        file = f"_static/formulas/{nodes.make_id(family.name)}.svg"
        target = FilePath(self.env.app.outdir) / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><path d="{shape}"/></svg>', "ascii")
        source = "../" * self.env.docname.count("/") + file
        size = f'width="{drawn.width * PIXELS:.0f}" height="{drawn.height * PIXELS:.0f}"'
        label = html.escape(formula, quote=True)
        picture = f'<img class="formula" src="{source}" alt="{label}" {size} loading="lazy"/>'
        return nodes.raw("", picture, format="html")


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


class Columns(_Generated):
    """The names of columns that are known, by role."""

    def run(self) -> list[nodes.Node]:
        return [_table(("role", "names"), [(role, _spread(names)) for role, names in KNOWN.items()])]


class Commands(_Generated):
    """Every command of the command line: its usage, and its options as a list in which each has an anchor, such as
    ``#compare-alpha``."""

    def run(self) -> list[nodes.Node]:
        rows = [(self._link(VIEW), "open the window with files")]
        rows += [(self._link(command.name), command.meaning) for command in TEXT_COMMANDS]
        with patch.dict(os.environ, {"COLUMNS": WIDTH, "NO_COLOR": "1"}):
            parts = [self._command(VIEW, "", build_view_parser())]
            for command in TEXT_COMMANDS:
                meaning = command.meaning[0].upper() + command.meaning[1:] + "."
                parts.append(self._command(command.name, meaning, BY_NAME[command.name].parser()))
        return [_table(("command", "what it does"), rows), *parts]

    def _link(self, name: str) -> nodes.Node:
        title = f"irviewer {name}"
        return nodes.reference("", "", _code(name), refid=nodes.make_id(title), internal=True)

    def _command(self, name: str, meaning: str, parser: argparse.ArgumentParser) -> nodes.section:
        content: list[nodes.Node] = [_paragraph(meaning)] if meaning else []
        # Not format_help: help of the window begins with an introduction.
        content.append(_verbatim(parser.format_usage()))
        content += [
            _verbatim(text) if re.search(r"\S {2,}\S", text) else _paragraph(" ".join(text.split()))
            for text in (parser.description or "").split("\n\n")
            if text.strip()
        ]
        for group in parser._action_groups:
            actions = [action for action in group._group_actions if not _is_hidden(action)]
            if actions:
                content.append(nodes.rubric("", (group.title or "").capitalize()))
                content += [_paragraph(group.description)] if group.description else []
                content.append(nodes.definition_list("", *(self._option(name, parser, action) for action in actions)))
        if parser.epilog and name != VIEW:  # the window's lists the commands, as the page does
            content.append(_verbatim(parser.epilog))
        section = self.section(f"irviewer {name}", *content)
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                section += [self._command(f"{name} {sub}", "", below) for sub, below in action.choices.items()]
        return section

    def _option(
        self, name: str, parser: argparse.ArgumentParser, action: argparse.Action
    ) -> nodes.definition_list_item:
        formatter = parser._get_formatter()
        term = nodes.term("", "", _code(formatter._format_action_invocation(action)))
        names = anchors(name, action)
        fresh = [anchor for anchor in names if anchor not in self.state.document.ids]
        for anchor in fresh:
            self.state.document.ids[anchor] = term
        term["ids"] += fresh
        if fresh:
            mark = f'<a class="headerlink" href="#{fresh[0]}" title="Link to this option">#</a>'
            term += nodes.raw("", mark, format="html")
        said = formatter._expand_help(action) if action.help else ""
        return nodes.definition_list_item("", term, nodes.definition("", _paragraph(" ".join(said.split()))))


def anchors(command: str, action: argparse.Action) -> list[str]:
    """The anchors of an option or an argument of a command: its name, and those of its other long forms."""
    long = [option for option in action.option_strings if option.startswith("--")] or action.option_strings
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest
    return [nodes.make_id(f"{command}-{word.strip('-')}") for word in long or [metavar]]


def _is_hidden(action: argparse.Action) -> bool:
    return action.help == argparse.SUPPRESS or isinstance(action, argparse._HelpAction | argparse._SubParsersAction)


def _verbatim(text: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language="none")


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
        elif listed := _columns(rows):
            written += [
                line
                for name, text in listed
                for line in (f"``{name.strip('`')}``", f"    {_escaped(re.sub('`+', '``', text))}", "")
            ]
        elif any(re.match(r"\w[\w, ]*\S?  +\S|\s", row) for row in rows):
            written += ["::", "", *("    " + row for row in rows), ""]
        else:
            written += [*map(_escaped, rows), ""]
    lines[:] = written


def _escaped(row: str) -> str:
    return re.sub(r"(?<!`)([*|_])(?=\W|$)|(?<!\S)([*|])", r"\\\1\2", row)


def _columns(rows: Sequence[str]) -> list[tuple[str, str]]:
    """The names and texts of rows in two columns, a text over several rows; none if these are no such rows."""
    starts = [len(row) - len(row.lstrip()) or found.end() for row in rows if (found := re.match(r"\s+|\S.*?  +", row))]
    if not starts or (begin := max(set(starts), key=starts.count)) < 4:
        return []
    found: list[tuple[str, str]] = []
    for row in rows:
        name, text = row[:begin].strip(), row[begin:].strip()
        if not text or row[begin - 1] != " ":  # a long name, with its text after two spaces
            name, _, text = (part.strip() for part in row.partition("  "))
        if not text or (not name and not found):
            return []
        if name:
            found.append((name, text))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {text}")
    return found


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directives."""
    directives = {
        "measures": Measures,
        "measure-list": MeasureList,
        "formats": Formats,
        "columns": Columns,
        "commands": Commands,
        "keys": Keys,
        "dialects": Dialects,
        "python": Python,
    }
    for name, directive in directives.items():
        app.add_directive(f"irviewer-{name}", directive)
    app.connect("autodoc-process-docstring", as_restructured_text)
    return {"parallel_read_safe": True}
