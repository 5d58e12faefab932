"""A comparison of systems as one HTML file: no scripts, no network; for light and dark themes and for print.

Formats what ``api.reports`` gathers. Every text from files is escaped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.figures.figure import IDEAL, Curve, Figure, Role
from irviewer.rendering.palette import DARK, LIGHT, Palette, grade_colour, ink_on, run_dash
from irviewer.tables.table import Table
from irviewer.tables.writers.html import escape, in_page
from irviewer.translation import language_tag, tr

_GRADES = 5


@dataclass(frozen=True)
class ListedDocument:
    """A document in a ranked list; ``grade`` is NaN if it is unjudged, ``relevant`` by the relevance level."""

    rank: int
    document: str
    grade: float
    relevant: bool
    title: str = ""
    text: str = ""


@dataclass(frozen=True)
class ReportCase:
    """A query on which a run gains or loses much, with the first documents of both lists."""

    query: str
    text: str
    base: str
    value: str
    change: str
    better: bool
    lists: tuple[tuple[str, tuple[ListedDocument, ...]], ...]


@dataclass(frozen=True)
class CaseGroup:
    """Cases of one run, gains first."""

    title: str
    cases: tuple[ReportCase, ...]


@dataclass(frozen=True)
class ReportSection:
    """The tables of a view, as every door has them, below its sentences. ``name`` is the class of the section,
    ``folded`` whether it is opened by a click."""

    title: str
    tables: tuple[Table, ...]
    sentences: tuple[str, ...] = ()
    name: str = "view"
    folded: bool = False
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True)
class ReportPage:
    """All that a report shows, in order.

    conclusion      the sentence at the top
    line            of the protocol, before the other ``facts``; "" where it is among the methods
    main            the sections before the curves and cases, ``sections`` those behind them
    runs            the runs by their swatches
    methods, files  how it was computed, and from what
    """

    title: str
    conclusion: str
    line: str
    facts: tuple[str, ...]
    warnings: tuple[str, ...]
    main: tuple[ReportSection, ...]
    figures: tuple[Figure, ...]
    cases: tuple[CaseGroup, ...]
    sections: tuple[ReportSection, ...]
    methods: tuple[str, ...]
    files: Table
    runs: tuple[str, ...]
    max_grade: float = 1.0
    level: float = 1.0


def html_report(page: ReportPage) -> str:
    """Return the file."""
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="{escape(language_tag())}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        # Texts from files can load nothing and run nothing.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{escape(page.title)}</title><style>{_style()}</style></head><body><main>",
        f"<header><h1>{escape(page.title)}</h1><p class=conclusion>{escape(page.conclusion)}</p>",
        f"<p class=facts>{' · '.join(map(escape, filter(None, (page.line, *page.facts))))}</p></header>",
        _list(page.warnings, "warnings"),
        *(_of_view(section, page) for section in page.main),
    ]
    if page.figures:
        parts.append(_section("curves", tr("Curves"), _figures(page.figures)))
    parts += [
        _section("cases", group.title, "".join(_case(case, page.max_grade) for case in group.cases))
        for group in page.cases
    ]
    parts += [_of_view(section, page) for section in page.sections]
    files = in_page(page.files) if page.files.n_rows else ""
    parts.append(_section("methods", tr("How it was computed"), _list(page.methods, "methods") + files))
    parts.append("</main></body></html>\n")
    return "\n".join(part for part in parts if part)


def _of_view(section: ReportSection, page: ReportPage) -> str:
    """Return a section of tables; a table of the section's title has no heading of its own."""
    runs = {name: place % len(LIGHT.runs) for place, name in enumerate(page.runs)}
    tables = [
        in_page(replace(part, title="") if part.title == section.title else part, page.line, runs)
        for table in section.tables
        for part in table.groups()
        if part.n_rows
    ]
    body = _list(section.sentences, "sentences") + _figures(section.figures) + "".join(tables)
    if not section.folded or not body:
        return _section(section.name, section.title, body)
    return f"<section><details><summary>{escape(section.title)}</summary>{body}</details></section>"


def _section(name: str, title: str, body: str) -> str:
    return f'<section class="{name}"><h2>{escape(title)}</h2>{body}</section>' if body else ""


def _list(lines: Sequence[str], name: str) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="{name}">{items}</ul>' if items else ""


def _case(case: ReportCase, max_grade: float) -> str:
    side = "better" if case.better else "worse"
    lists = []
    for run, documents in case.lists:
        items = "".join(_document(document, max_grade) for document in documents)
        lists.append(f"<div><h4>{escape(run)}</h4><ol>{items}</ol></div>")
    text = f"<p class=query>{escape(case.text)}</p>" if case.text else ""
    query = tr("query {query}", query=case.query)
    head = (
        f'<h3><span class="{side}">{escape(case.change)}</span> {escape(query)} '
        f"<small>{escape(case.base)} → {escape(case.value)}</small></h3>"
    )
    return f'<article class="case">{head}{text}<div class="lists">{"".join(lists)}</div></article>'


def _document(document: ListedDocument, max_grade: float) -> str:
    if math.isnan(document.grade):
        kind, mark = "u", "?"
    elif document.relevant:
        kind, mark = f"g{_shade(document.grade, max_grade)}", f"{document.grade:g}"
    else:
        kind, mark = "x", f"{document.grade:g}"
    shown = f" <span class=t>{escape(document.title)}</span>" if document.title else ""
    more = f"<span class=d>{escape(document.text)}</span>" if document.text else ""
    alone = "" if document.title else " class=w"  # an id without a title has the width of both
    name = f"<code{alone}>{escape(document.document)}</code>"
    return f'<li><b class="{kind}">{mark}</b><span class=k>{document.rank}</span>{name}{shown}{more}</li>'


def _shade(grade: float, max_grade: float) -> int:
    colour = grade_colour(LIGHT, grade, max_grade)
    return LIGHT.grades.index(colour)


WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 520, 320, 54, 12, 12, 44
KEY = 36
"""The length of a line in the legend, which shows each dash twice or more."""


def _figures(figures: Sequence[Figure]) -> str:
    """Return figures side by side; "" for none."""
    return f'<div class="figures">{"".join(map(_figure, figures))}</div>' if figures else ""


def _style_class(role: Role) -> str:
    return f"r{role.run % len(LIGHT.runs)}" if role.kind == "run" else role.kind


def _line_style(role: Role) -> str:
    """Return the attributes of a curve: its colour is a class, and its dash tells it from others without colour."""
    dash = run_dash(max(role.run, 0))
    dashed = f' stroke-dasharray="{" ".join(f"{dash_length:g}" for dash_length in dash)}"' if dash else ""
    return f'class="c {_style_class(role)}"{dashed}'


def _figure(figure: Figure) -> str:
    """Return curves as SVG; their colours are classes, so that they follow the theme."""
    x, y = figure.x, figure.y

    def across(value: float) -> float:
        return LEFT + (value - x.low) / ((x.high - x.low) or 1) * (WIDTH - LEFT - RIGHT)

    def down(value: float) -> float:
        return HEIGHT - BOTTOM - (value - y.low) / ((y.high - y.low) or 1) * (HEIGHT - TOP - BOTTOM)

    parts = []
    for value, label in y.ticks or ():
        if y.low <= value <= y.high:
            at = down(value)
            parts.append(f'<path class="grid" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>')
            parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{escape(label)}</text>')
    for value, label in x.ticks or ():
        if x.low <= value <= x.high:
            at = across(value)
            parts.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 17}" text-anchor="middle">{escape(label)}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x.label)}</text>'
    )
    upward = escape(y.label.partition(", mean")[0])
    turned = f'transform="rotate(-90 14 {middle})"'
    parts.append(f'<text x="14" y="{middle}" text-anchor="middle" {turned}>{upward}</text>')
    for band in figure.bands:
        upper, lower = (Curve(band.role, band.label, band.x, ends) for ends in (band.high, band.low[::-1]))
        back = _points(replace(lower, x=band.x[::-1]), across, down)
        shape = f"{_points(upper, across, down)}L{back[1:]}Z"
        parts.append(f'<path class="band {_style_class(band.role)}" d="{shape}"/>')
    for guide in figure.guides:
        line = _points(Curve(IDEAL, guide.label, guide.x, guide.y), across, down)
        parts.append(f'<path class="guide" d="{line}"/>')
        place, height = across(float(guide.x[-1])), down(float(guide.y[-1]))
        label = escape(guide.label)
        parts.append(f'<text x="{place - 4:.1f}" y="{height - 5:.1f}" text-anchor="end">{label}</text>')
    for curve in figure.curves:
        line = f'{_line_style(curve.role)} d="{_points(curve, across, down)}"'
        parts.append(f"<path {line}><title>{escape(curve.label)}</title></path>")
    runs = any(curve.role.kind == "run" for curve in figure.curves)
    legend = "".join(
        f'<li><svg class="key" viewBox="0 0 {KEY} 8"><path {_line_style(curve.role)} d="M0 4H{KEY}"/></svg>'
        f"{escape(curve.label)}</li>"
        for curve in figure.curves
        if curve.role.kind == "run" or not runs
    )
    caption = escape(" · ".join(part for part in (figure.title, figure.note) if part))
    svg = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(figure.title)}">{"".join(parts)}</svg>'
    return f'<figure><figcaption>{caption}</figcaption>{svg}<ul class="legend">{legend}</ul></figure>'


def _points(curve: Curve, across: object, down: object) -> str:
    """Return the path of a curve, with a gap for missing values."""
    commands, pen = [], "M"
    for x, y in zip(np.asarray(curve.x).tolist(), np.asarray(curve.y).tolist(), strict=True):
        if math.isnan(x) or math.isnan(y):
            pen = "M"
            continue
        commands.append(f"{pen}{across(x):.1f} {down(y):.1f}")  # type: ignore[operator]
        pen = "L"
    return "".join(commands)


def _style() -> str:
    """Return the style sheet with the colours of both themes as variables; print uses the light ones."""
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{_variables(DARK)}color-scheme:dark}}}}"
    runs = "".join(
        f".s.r{position}{{background:var(--r{position})}}.c.r{position}{{stroke:var(--r{position})}}"
        f".band.r{position}{{fill:var(--r{position})}}"
        for position in range(len(LIGHT.runs))
    )
    grades = "".join(
        f".g{position}{{background:var(--g{position});color:var(--i{position})}}" for position in range(_GRADES)
    )
    return f":root{{{_variables(LIGHT)}color-scheme:light}}{dark}{_RULES}{runs}{grades}"


def _variables(palette: Palette) -> str:
    names = {
        "w": palette.window, "p": palette.panel, "b": palette.panel_border, "l": palette.line, "t": palette.text,
        "k": palette.ink, "m": palette.muted, "x": palette.nonrelevant, "xi": palette.nonrelevant_ink,
        "u": palette.unjudged_ink, "up": palette.better, "down": palette.worse, "warn": palette.warning,
    }  # fmt: skip
    names |= {f"r{position}": colour for position, colour in enumerate(palette.runs)}
    names |= {f"g{position}": colour for position, colour in enumerate(palette.grades)}
    names |= {f"i{position}": ink_on(colour) for position, colour in enumerate(palette.grades)}
    return "".join(f"--{name}:{colour};" for name, colour in names.items())


_RULES = """
*{box-sizing:border-box}
body{margin:0;background:var(--w);color:var(--t);font:15px/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{max-width:1080px;margin:0 auto;padding:2.2rem 1.4rem 4rem}
h1{font-size:1.55rem;line-height:1.25;margin:0 0 .5rem;color:var(--k);overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:0 0 .8rem;color:var(--k)}
h3{font-size:1rem;margin:0 0 .3rem;overflow-wrap:anywhere}h3 small{font-weight:400;color:var(--m)}
h4{font-size:.82rem;font-weight:600;margin:0 0 .3rem;color:var(--m);overflow-wrap:anywhere}
.conclusion{font-size:1.15rem;line-height:1.45;margin:0 0 .4rem;color:var(--k);overflow-wrap:anywhere}
.facts,.note,.methods{color:var(--m);font-size:.88rem}.facts{margin:0}.note{margin:.5rem 0 0}
section{background:var(--p);border:1px solid var(--b);border-radius:8px;padding:1.1rem 1.3rem;margin:1.1rem 0}
ul{margin:0;padding-left:1.2rem;overflow-wrap:anywhere}li{margin:.25rem 0}
.warnings{margin:1.1rem 0 0;padding:.7rem 1rem .7rem 2.1rem;border:1px solid var(--warn);border-radius:8px}
.scroll{overflow-x:auto}.scroll~h3,.sentences+h3{margin-top:1.1rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.92rem}
th{text-align:left;font-weight:600;color:var(--m);font-size:.82rem;vertical-align:bottom}
th,td{padding:.38rem .7rem .38rem 0;border-bottom:1px solid var(--l)}
td:first-child{overflow-wrap:anywhere;min-width:9rem;max-width:26rem}
.n{text-align:right;white-space:nowrap}tbody tr:last-child td{border-bottom:0}
.s{display:inline-block;width:.7em;height:.7em;border-radius:2px;margin-right:.5em}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:1.2rem}
figure{margin:0}figcaption{font-size:.9rem;color:var(--m);margin-bottom:.3rem}
svg{width:100%;height:auto;display:block}svg text{font-size:12px;fill:var(--m)}
.grid{stroke:var(--l);fill:none}.c{fill:none;stroke-width:2;stroke-linejoin:round}
.ideal{stroke:var(--m);stroke-dasharray:6 5}.c.ink{stroke:var(--k)}.guide{stroke:var(--m);fill:none;opacity:.6}
.band{opacity:.16;stroke:none}.band.ink{fill:var(--k)}
.key{display:inline-block;width:2.6em;margin-right:.5em;vertical-align:middle}
.legend{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.1rem 1rem;font-size:.85rem}
.case{border-top:1px solid var(--l);padding:.9rem 0}.case:first-of-type{border-top:0;padding-top:0}
.query{margin:0 0 .5rem;overflow-wrap:anywhere}.better{color:var(--up)}.worse{color:var(--down)}
.lists{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));gap:.4rem 1.6rem}
.lists>div{min-width:0}ol{list-style:none;margin:0;padding:0;font-size:.86rem}
ol li{display:grid;grid-template-columns:1.7rem 1.5rem auto 1fr;gap:0 .45rem;align-items:baseline;margin:.16rem 0}
ol b{font-weight:600;text-align:center;border-radius:4px;font-size:.8rem;padding:.05rem 0}
.x{background:var(--x);color:var(--xi)}.u{color:var(--u);border:1px solid var(--b)}
.k{color:var(--m);text-align:right}code{font:inherit;overflow-wrap:anywhere;max-width:11rem}
.w{grid-column:3/-1;max-width:none}
.t{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.d{grid-column:3/-1;color:var(--m);font-size:.8rem;overflow-wrap:anywhere}
summary{cursor:pointer;font-weight:600;color:var(--k)}details[open] summary{margin-bottom:.8rem}
@media print{html{font-size:13px}body{background:#fff;font-size:10.5pt}main{max-width:none;padding:0}
section{border:0;padding:0;margin:0 0 1rem}.sentences+h3{margin-top:.4rem}.figures{grid-template-columns:1fr 1fr}
.figures svg{max-height:15rem}
.case,figure,tr{break-inside:avoid}h2,h3{break-after:avoid}.scroll{overflow:visible}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
"""


def legend_of(max_grade: float, level: float) -> str:
    """Return a sentence that explains the colours of the ranked lists."""
    return tr(
        "The number before a document is its grade, darker for a higher one up to {most}; grades below {level} are "
        "not relevant, and ? is unjudged.",
        most=f"{max_grade:g}", level=f"{level:g}",
    )  # fmt: skip
