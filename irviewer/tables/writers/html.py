"""Tables as HTML without scripts and external styles, every text escaped; cells hold their exact value as
``data-value``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from irviewer.hidden_characters import escape_hidden
from irviewer.tables.emphasis import best, role
from irviewer.tables.exact import plain_columns
from irviewer.tables.grid import grid_of
from irviewer.tables.table import Table
from irviewer.translation import language_tag, trn

CELL = "padding:.2em .7em;border-bottom:1px solid rgba(128,128,128,.25);white-space:nowrap"


def fragment(table: Table, most: int | None = None) -> str:
    """Return a table as a part of a page: caption, the protocol's line, rows, remarks; with ``most`` the middle of a
    long table is left out. Differences have the class of their role (``better``, ``weakly_worse``). A table with a
    caption is as a journal prints it."""
    if table.caption:
        return _printed(table)
    grid = grid_of(table, most)
    exact = plain_columns(table)
    tops = [best(table, column) if column.kind == "number" else None for column in grid.columns]
    caption = f'<caption style="text-align:left;font-weight:600;padding:.3em .7em">{escape(table.title)}'
    if table.provenance is not None and table.provenance.line:
        caption += f'<div style="font-weight:400;font-size:.9em;opacity:.8">{escape(table.provenance.line)}</div>'
    lines = [f'<table style="border-collapse:collapse">{caption}</caption>']
    heads = [
        f'<th scope="col" style="{CELL};text-align:{"right" if right else "left"}">{escape(name)}</th>'
        for name, right in zip(grid.header, grid.right, strict=True)
    ]
    lines.append(f"<thead><tr>{''.join(heads)}</tr></thead><tbody>")
    for position, (number, row) in enumerate(zip(grid.numbers, grid.rows, strict=True)):
        if grid.omitted and position == grid.gap:
            more = escape(trn("… {n} more row", "… {n:,} more rows", grid.omitted))
            lines.append(f'<tr><td style="{CELL}" colspan="{len(grid.header)}">{more}</td></tr>')
        cells = []
        for column, text, top, right in zip(grid.columns, row, tops, grid.right, strict=True):
            style = f"{CELL};text-align:{'right;font-variant-numeric:tabular-nums' if right else 'left'}"
            style += ";font-weight:600" if top is not None and top[number] else ""
            value = "" if len(column.parts) > 1 else _value(exact[column.key][number].as_py())
            kind = f' class="{role(table, column, number)}"' if column.kind == "difference" else ""
            cells.append(f'<td{kind} style="{style}"{value}>{escape(text)}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody></table>")
    if remarks := _remarks(table):
        listed = "".join(f"<li>{escape(remark)}</li>" for remark in remarks)
        lines.append(f'<ul style="font-size:.9em;opacity:.8">{listed}</ul>')
    return "".join(lines)


def _remarks(table: Table) -> list[str]:
    """Return what marks say, each once, and the remarks."""
    said = dict.fromkeys(f"{mark.sign} {mark.text}" for mark in table.marks.values() if mark.text)
    return [*said, *(note.text for note in table.notes)]


def in_page(table: Table, line: str = "", runs: Mapping[str, int] = MappingProxyType({})) -> str:
    """Return a table as a part of a page that has styles: numbers have the class ``n``, differences that of their role,
    and swatches of ``runs`` (name -> place) the class ``r`` with the place, before their names. The protocol's line is
    left out where it is ``line``, which the page has already."""
    grid, exact = grid_of(table), plain_columns(table)
    tops = [best(table, column) if column.kind == "number" else None for column in grid.columns]
    said = "" if table.provenance is None else table.provenance.line
    lines = [f"<h3>{escape(table.title)}</h3>"] if table.title else []
    lines += [f"<p class=note>{escape(said)}</p>"] if said not in ("", line) else []
    heads = "".join(
        f'<th scope="col"{" class=n" if right else ""}>{escape(name)}</th>'
        for name, right in zip(grid.header, grid.right, strict=True)
    )
    lines.append(f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>')
    for place, row in zip(grid.numbers, grid.rows, strict=True):
        cells = []
        for column, text, top, right in zip(grid.columns, row, tops, grid.right, strict=True):
            kinds = ["n"] if right else []
            kinds += [kind] if column.kind == "difference" and (kind := role(table, column, place)) else []
            shown = f"<b>{escape(text)}</b>" if top is not None and top[place] else escape(text)
            if column.kind == "run" and column.values[place] in runs:
                shown = f'<i class="s r{runs[column.values[place]]}"></i>{shown}'
            own = None if len(column.parts) > 1 else exact[column.key][place].as_py()
            value = "" if own == text else _value(own)  # a text is its value
            name = f' class="{" ".join(kinds)}"' if len(kinds) > 1 else f" class={kinds[0]}" if kinds else ""
            cells.append(f"<td{name}{value}>{shown}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody></table></div>")
    lines += [f"<p class=note>{escape(remark)}</p>" for remark in _remarks(table)]
    return "".join(lines)


THICK, THIN = "1.5pt", ".75pt"
TYPE = "font-family:Times New Roman,serif;font-size:10pt"


def _printed(table: Table) -> str:
    """Return a table with its caption above, and the protocol's line below, with the styles at each cell, as word
    processors need them."""
    grid, exact = grid_of(table, arrows=False), plain_columns(table)
    tops = [best(table, column) if column.kind == "number" else None for column in grid.columns]
    lines = [
        f'<p style="{TYPE};margin:0 0 6pt 0">{escape(table.caption)}</p>',
        f'<table cellspacing="0" cellpadding="0" style="border-collapse:collapse;border:none;{TYPE}">',
    ]
    rule = _rule("top", THICK) + _rule("bottom", THIN)
    titles = zip(grid.header, grid.right, strict=True)
    lines.append(f"<tr>{''.join(_cell('th', escape(title), right, rule) for title, right in titles)}</tr>")
    for place, row, signs in zip(grid.numbers, grid.rows, grid.signs, strict=True):
        rule = _rule("bottom", THICK) if place == table.n_rows - 1 else ""
        cells = []
        for column, text, sign, top, right in zip(grid.columns, row, signs, tops, grid.right, strict=True):
            shown = f"<b>{escape(text)}</b>" if top is not None and top[place] else escape(text)
            shown += f"<sup>{escape(sign)}</sup>" if sign else ""
            value = "" if len(column.parts) > 1 else _value(exact[column.key][place].as_py())
            cells.append(_cell("td", shown, right, rule, value))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</table>")
    if table.provenance is not None and table.provenance.line:
        lines.append(f'<p style="{TYPE};margin:6pt 0 0 0">{escape(table.provenance.line)}</p>')
    return "\n".join(lines) + "\n"


def _rule(side: str, width: str) -> str:
    return f"border-{side}-style:solid;border-{side}-width:{width};"


def _cell(tag: str, content: str, right: bool, rule: str, value: str = "") -> str:
    side = "right" if right else "left"
    style = (
        f"text-align:{side};font-weight:normal;padding:1pt 6pt;white-space:nowrap;border-left:none;border-right:none"
    )
    return f'<{tag} align="{side}" style="{style}{";" if rule else ""}{rule}"{value}>{content}</{tag}>'


def page(tables: Sequence[Table]) -> str:
    """Return a whole page of tables, below what is said in words."""
    title = escape(tables[0].title) if tables else ""
    head = f'<!DOCTYPE html><html lang="{escape(language_tag())}"><meta charset="utf-8"><title>{title}</title>'
    style = '<body style="font-family:sans-serif;color-scheme:light dark">'
    said = "".join(f"<p>{escape(each)}</p>" for table in tables for each in table.said)
    return f"{head}{style}{said}{''.join(fragment(table) for table in tables)}</body></html>\n"


def _value(value: object) -> str:
    if value is None or isinstance(value, list):
        return ""
    return f' data-value="{escape(repr(value) if isinstance(value, float) else str(value))}"'


def escape(text: str) -> str:
    """Return a text escaped for HTML; hidden characters are shown as escapes."""
    shown = escape_hidden(text)
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        shown = shown.replace(sign, name)
    return shown
