"""A strict little reader of the LaTeX that we write: it knows the commands we use and nothing else, and takes a table
apart into what would be printed. It stands in for a TeX, which a test machine need not have."""

from __future__ import annotations

import re
from dataclasses import dataclass

PRINTED = {
    r"\textbackslash": "\\", r"\{": "{", r"\}": "}", r"\$": "$", r"\&": "&", r"\#": "#", r"\_": "_", r"\%": "%",
    r"\textasciitilde": "~", r"\textasciicircum": "^", r"\textless": "<", r"\textgreater": ">", r"\textbar": "|",
    r"\`": "`", r"\ldots": "…",
}  # fmt: skip
MATHS = {r"\dagger": "†", r"\ddagger": "‡", r"\pm": "±", r"\Delta": "Δ", r"\infty": "∞", r"\cdot": "·", "-": "−"}
MATHS |= {r"\geq": "≥", r"\leq": "≤", r"\times": "×", r"\alpha": "α", r"\beta": "β", r"\tau": "τ"}
MATHS |= {r"\div": "÷", r"\Sigma": "Σ", r"\varepsilon": "ε", r"\rightarrow": "→", r"\star": "★"}
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}$&#_%~^]|--|,,|.", re.S)


class LatexError(AssertionError):
    """What a TeX would refuse or print otherwise."""


@dataclass(frozen=True)
class Tabular:
    """A table as it would be printed, ``bold`` (row, column) of its rows, ``below`` what stands under it as it is."""

    caption: str
    header: list[str]
    rows: list[list[str]]
    bold: set[tuple[int, int]]
    below: str = ""


def read_tables(text: str) -> list[Tabular]:
    """Every table of a file. Raises LatexError."""
    lines = [line for line in text.split("\n") if line and not line.startswith("%")]
    body = "\n".join(lines)
    pattern = (
        r"\\begin\{table\}\n\\centering\n\\caption\{(.*)\}\n\\label\{[a-z:0-9-]+\}\n"
        r"\\begin\{tabular\}\{([lr]+)\}\n\\toprule\n([\s\S]*?)\n\\bottomrule\n\\end\{tabular\}\n"
        r"(?:(?!\\)(.+)\n|(\\\[.+\\\])\n)?\\end\{table\}"
    )
    rest = re.sub(pattern, "", body)
    if rest.strip():
        raise LatexError(f"outside of tables: {rest[:200]!r}")
    return [
        _tabular(caption, spec, inside, printed(line) if line else formula)
        for caption, spec, inside, line, formula in re.findall(pattern, body)
    ]


def _tabular(caption: str, spec: str, inside: str, below: str) -> Tabular:
    lines = inside.split("\n")
    if lines[1] != r"\midrule" or any(not line.endswith(r" \\") for line in [lines[0], *lines[2:]]):
        raise LatexError("a table is a header, a rule and rows that end in a row break")
    rows, bold = [], set()
    for number, line in enumerate([lines[0], *lines[2:]]):
        if line.startswith(("[", "*")):
            raise LatexError(f"TeX takes the row's beginning for an option of the row break before it: {line}")
        cells = _cells(line.removesuffix(r" \\"))
        if len(cells) != len(spec):
            raise LatexError(f"{len(cells)} cells where {len(spec)} columns are: {line}")
        bold |= {(number - 1, place) for place, cell in enumerate(cells) if r"\textbf{" in cell}
        rows.append([printed(cell) for cell in cells])
    return Tabular(printed(caption), rows[0], rows[1:], bold, below)


def _cells(line: str) -> list[str]:
    cells, now = [], ""
    for token in TOKEN.findall(line):
        if token == "&":
            cells.append(now.strip())
            now = ""
        else:
            now += token
    return [*cells, now.strip()]


def printed(text: str) -> str:
    """What a piece of LaTeX prints. Raises LatexError for a special letter that is not escaped, a command that is not
    known, a group that does not close."""
    tokens = TOKEN.findall(text)
    shown: list[str] = []
    depth, maths, place = 0, False, 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
        elif token == "$":
            maths = not maths
        elif maths:
            if token not in MATHS and token not in (r"\mathrm", "^") and not re.fullmatch(r"[\w<>=. ]", token):
                raise LatexError(f"{token!r} in maths: {text}")
            shown.append("" if token in (r"\mathrm", "^") else MATHS.get(token, token))
        elif token == r"\symbol":
            if tokens[place : place + 4] != ["{", "3", "4", "}"]:
                raise LatexError(f"which symbol? {text}")
            shown.append('"')
            place += 4
        elif token in (r"\textbf", r"\rlap"):
            if tokens[place : place + 1] != ["{"]:
                raise LatexError(f"bold what? {text}")
        elif token in PRINTED:
            # A command of letters swallows the blank behind it, were there no group.
            if token[1:].isalpha() or token == r"\`":
                if tokens[place : place + 2] != ["{", "}"]:
                    raise LatexError(f"{token} without an empty group: {text}")
                place += 2
            shown.append(PRINTED[token])
        elif token.startswith("\\") or token in "&#_%^":
            raise LatexError(f"{token!r} as it stands: {text}")
        else:
            shown.append({"~": "\u00a0", "--": "–", ",,": "„"}.get(token, token))
        if depth < 0:
            raise LatexError(f"a group closes that never opened: {text}")
    if depth or maths:
        raise LatexError(f"a group or maths stays open: {text}")
    return "".join(shown)
