r"""Formulas of texts, ``$P = \frac{1}{3}$``: the LaTeX that lessons may use, as a tree. Knows no file and no drawing.

It is a part of LaTeX that is drawn, written as MathML and read as text alike; what is not in it is refused."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from irviewer.translation import tr

IN_TEXT = re.compile(r"\$(?![\s$])((?:\\[^\n]|[^\\$\n])*?)(?<!\s)\$(?!\d)")
"""A formula in a line of text, between dollar signs without spaces inside; group 1 is its LaTeX. ``$5 and $6`` has
none."""
MOST_LETTERS, MOST_DEPTH = 2000, 30
_TICKS = re.compile("`+")

LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "theta": "θ", "kappa": "κ", "lambda": "λ",
    "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "omega": "ω", "Delta": "Δ",
    "Sigma": "Σ", "Omega": "Ω", "infty": "∞", "emptyset": "∅",
}  # fmt: skip
"""Commands of letters, without their backslash -> the letter."""
SIGNS = {
    "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "approx": "≈", "equiv": "≡", "in": "∈",
    "notin": "∉", "subset": "⊂", "subseteq": "⊆", "cap": "∩", "cup": "∪", "setminus": "∖", "times": "×", "cdot": "·",
    "div": "÷", "pm": "±", "succ": "≻", "to": "→", "rightarrow": "→", "mid": "|", "ldots": "…", "cdots": "⋯",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "{": "{", "}": "}", "%": "%", "$": "$", "_": "_",
    "|": "‖",
}  # fmt: skip
"""Commands of signs -> the sign."""
OVER = {"sum": "∑", "prod": "∏", "bigcup": "⋃", "bigcap": "⋂", "max": "max", "min": "min", "lim": "lim"}
"""Commands of what runs over an index that stands below it -> what is written."""
FUNCTIONS = ("log", "ln", "exp")
SPACES = {",": 0.17, ";": 0.28, " ": 0.25, "quad": 1.0, "qquad": 2.0}
"""Commands of spaces -> their widths in em."""
KNOWN = ("frac", "sqrt", "mathrm", "text", "left", "right", *FUNCTIONS, *LETTERS, *SIGNS, *OVER, *SPACES)
"""All commands, without their backslash."""

_TYPED = {"-": "−", "*": "∗", "'": "′"}
"""Signs as they are typed -> as they are shown."""
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|\d+(?:\.\d+)?|\.\d+|.", re.S)


class FormulaError(ValueError):
    """A formula that cannot be read: ``reason``, ``hint`` what to do, and ``at`` the character, from 0."""

    def __init__(self, reason: str, at: int, hint: str = "") -> None:
        super().__init__(reason)
        self.reason, self.at, self.hint = reason, at, hint


@dataclass(frozen=True)
class Number:
    """A number as it is written, with a decimal point."""

    text: str


@dataclass(frozen=True)
class Name:
    """A letter, or with ``upright`` a word: a function, a name."""

    text: str
    upright: bool = False


@dataclass(frozen=True)
class Sign:
    """An operator, a bracket, a comma. ``over`` runs over an index; ``grows`` is as high as what is beside it."""

    text: str
    over: bool = False
    grows: bool = False


@dataclass(frozen=True)
class Space:
    """A space of so many em."""

    width: float


@dataclass(frozen=True)
class Fraction:
    """One part over another."""

    above: Node
    below: Node


@dataclass(frozen=True)
class Root:
    """A square root."""

    of: Node


@dataclass(frozen=True)
class Scripts:
    """A part with what is lowered and raised beside it; None for nothing."""

    base: Node
    lowered: Node | None
    raised: Node | None


@dataclass(frozen=True)
class Row:
    """Parts beside each other."""

    parts: tuple[Node, ...]


Node = Number | Name | Sign | Space | Fraction | Root | Scripts | Row


def without_code(line: str) -> str:
    """Return a line of Markdown with spaces in place of its code."""
    covered, at, runs = list(line), 0, list(_TICKS.finditer(line))
    later: dict[int, list[re.Match[str]]] = {}
    for run in reversed(runs):
        later.setdefault(len(run[0]), []).append(run)
    for run in runs:
        same = later[len(run[0])]
        same.pop()  # this one
        if run.start() >= at and same:
            at = same[-1].end()
            covered[run.start() : at] = " " * (at - run.start())
    return "".join(covered)


def formulas_in(line: str) -> Iterator[tuple[str, int]]:
    """Yield the formulas of a line of Markdown, and where each begins, from 0; none of those in code."""
    covered = without_code(line) if "$" in line else ""
    at = 0
    while at < len(covered):
        match = IN_TEXT.match(covered, at)
        if match is not None:
            yield match[1], match.start(1)
        at = match.end() if match is not None else at + (2 if covered[at] == "\\" else 1)


def parse_formula(formula: str) -> Row:
    """Return a formula (LaTeX without dollar signs) as a tree. Raises FormulaError."""
    if len(formula) > MOST_LETTERS:
        raise FormulaError(tr("the formula is too long"), 0, tr("write it as several formulas"))
    return _Reader(formula).whole()


def plain_latex(node: Node) -> str:
    r"""Return LaTeX of a tree in one way of writing, which mathtext and the text of formulas know: groups in braces,
    spaces around signs between two parts."""
    match node:
        case Number(text):
            return text
        case Name(text, upright):
            if text in FUNCTIONS:
                return rf"\{text} "
            return rf"\mathrm{{{_spaced(text)}}}" if upright else _COMMANDS.get(text, text)
        case Sign(text):
            command = _COMMANDS.get(text, _AS_TYPED.get(text, text))
            return f"{command} " if command[-1:].isalpha() and command.startswith("\\") else command
        case Space(width):
            return r"\quad " if width >= 1 else r"\ "
        case Fraction(above, below):
            return rf"\frac{{{plain_latex(above)}}}{{{plain_latex(below)}}}"
        case Root(of):
            return rf"\sqrt{{{plain_latex(of)}}}"
        case Scripts(base, lowered, raised):
            parts = [
                f"{sign}{{{plain_latex(part)}}}" for sign, part in (("_", lowered), ("^", raised)) if part is not None
            ]
            return _base(base) + "".join(parts) + (" " if _stands_before(base) else "")
        case Row(parts):
            return _row(parts)


def _base(node: Node) -> str:
    """Return LaTeX of what scripts stand beside: in braces where they would else be read beside its last part."""
    while isinstance(node, Row) and len(node.parts) == 1:
        [node] = node.parts
    if isinstance(node, Space):
        return f"{plain_latex(node)}{{}}"
    text = plain_latex(node).rstrip()
    in_brackets = isinstance(node, Row) and any(isinstance(part, Sign) and part.grows for part in node.parts[:1])
    braces = isinstance(node, Fraction | Root | Scripts | Row) and not in_brackets
    return f"{{{text}}}" if braces else text


def _row(parts: tuple[Node, ...]) -> str:
    texts: list[str] = []
    for place, part in enumerate(parts):
        text = plain_latex(part)
        if isinstance(part, Sign) and part.grows:
            text = rf"\right{text}" if _is_open(parts[:place]) else rf"\left{text}"
        elif isinstance(part, Sign) and part.text in _BETWEEN and place:
            text = f" {text.strip()} "
        elif (place and _stands_before(part.base if isinstance(part, Scripts) else part)) or (
            texts and texts[-1][-1:].isalpha() and texts[-1].startswith("\\") and text[:1].isalpha()
        ):
            text = f" {text}"
        texts.append(text)
    return "".join(texts)


def _is_open(before: tuple[Node, ...]) -> bool:
    return bool(sum(isinstance(part, Sign) and part.grows for part in before) % 2)


def _stands_before(node: Node) -> bool:
    """Return whether a node is a sum, a function or the like, of what comes after it."""
    return (isinstance(node, Sign) and node.over) or (isinstance(node, Name) and node.text in FUNCTIONS)


def _spaced(text: str) -> str:
    return text.strip().replace(" ", r"\ ") + (r"\ " if text.endswith(" ") else "")


_COMMANDS = {sign: f"\\{name}" for name, sign in reversed({**LETTERS, **SIGNS, **OVER}.items()) if sign != "|"}
"""Letters and signs -> the first command that writes them."""
_AS_TYPED = {shown: typed for typed, shown in _TYPED.items()}
_BETWEEN = frozenset("=<>+−·×÷±≤≥≠≈≡∈∉⊂⊆∩∪∖≻→")
"""Signs that stand between two parts, with a space on either side."""


class _Reader:
    def __init__(self, formula: str) -> None:
        self.tokens = [(match[0], match.start()) for match in _TOKEN.finditer(formula) if not match[0].isspace()]
        self.source = formula
        self.place = 0
        self.depth = 0

    @property
    def token(self) -> str:
        """The token that is read next; "" at the end."""
        return self.tokens[self.place][0] if self.place < len(self.tokens) else ""

    @property
    def at(self) -> int:
        """Where it begins."""
        return self.tokens[self.place][1] if self.place < len(self.tokens) else len(self.source)

    def whole(self) -> Row:
        row = self.row(())
        if self.token:
            raise FormulaError(tr("there is nothing that {sign} closes", sign=self.token), self.at)
        if not row.parts:
            raise FormulaError(tr("the formula is empty"), 0)
        return row

    def row(self, ends: tuple[str, ...]) -> Row:
        parts: list[Node] = []
        while self.token and self.token not in ("}", r"\right", *ends):
            parts.append(self.with_scripts(parts))
        return Row(tuple(parts))

    def with_scripts(self, before: list[Node]) -> Node:
        base: Node = Row(()) if self.token in "_^" else self.part()
        scripts: dict[str, Node] = {}
        while self.token in ("_", "^"):
            kind, at = self.token, self.at
            if kind in scripts:
                raise FormulaError(tr("{sign} comes twice", sign=kind), at, tr("put braces around one of the two"))
            self.place += 1
            scripts[kind] = self.argument(kind)
        return Scripts(base, scripts.get("_"), scripts.get("^")) if scripts else base

    def argument(self, of: str) -> Node:
        """Return what follows a command: a group in braces, or one part; of a longer number its first digit."""
        if not self.token or self.token in ("}", "_", "^", r"\right"):
            hint = tr("write it in braces, such as: {example}", example=f"{of}{{…}}")
            raise FormulaError(tr("there is nothing after {sign}", sign=of), self.at, hint)
        text, at = self.tokens[self.place]
        if len(text) > 1 and not text.startswith("\\"):
            self.tokens[self.place : self.place + 1] = [(text[0], at), (text[1:], at + 1)]
        return self.part()

    def check_braces(self, command: str) -> None:
        """Raise FormulaError where no group in braces begins after a command."""
        if self.token != "{":
            hint = tr("write it in braces, such as: {example}", example=f"{command}{{…}}")
            raise FormulaError(tr("there is no group in braces after {sign}", sign=command), self.at, hint)

    def group(self, command: str) -> Node:
        """Return the group in braces after a command."""
        self.check_braces(command)
        return self.part()

    def part(self) -> Node:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise FormulaError(tr("the formula is nested too deeply"), self.at, tr("write it as several formulas"))
        try:
            return self._part()
        finally:
            self.depth -= 1

    def _part(self) -> Node:
        text, at = self.token, self.at
        self.place += 1
        if text == "{":
            return self.closed("}", at, text)
        if text.startswith("\\"):
            return self.command(text, at)
        if text[0].isdecimal() or len(text) > 1:
            return Number(text)
        if text.isalpha():
            return Name(text)
        if text in "&#%~\\":
            raise FormulaError(tr("{sign} is not known in formulas", sign=text), at)
        return Sign(_TYPED.get(text, text))

    def closed(self, end: str, at: int, opened: str) -> Row:
        row = self.row(())
        if self.token != end:
            raise FormulaError(tr("{sign} has no end", sign=opened), at, tr("write {sign} after it", sign=end))
        self.place += 1
        return row

    def command(self, text: str, at: int) -> Node:
        name = text[1:]
        if name == "frac":
            return Fraction(self.group(text), self.group(text))
        if name == "sqrt":
            return Root(self.group(text))
        if name in ("mathrm", "text"):
            return self.word(text)
        if name == "left":
            opened = self.bracket(text)
            row = self.closed(r"\right", at, text)
            return Row((opened, *row.parts, self.bracket(r"\right")))
        if name in LETTERS:
            return Name(LETTERS[name])
        if name in SIGNS:
            return Sign(SIGNS[name])
        if name in OVER:
            return Sign(OVER[name], over=True)
        if name in FUNCTIONS:
            return Name(name, upright=True)
        if name in SPACES:
            return Space(SPACES[name])
        near = difflib.get_close_matches(name, KNOWN, n=1)
        hint = tr("did you mean {suggestion}?", suggestion=f"\\{near[0]}") if near else ""
        raise FormulaError(tr("{name} is not known in formulas", name=text), at, hint)

    def word(self, command: str) -> Node:
        r"""Return the text in braces after ``\text``, with its spaces."""
        self.check_braces(command)
        start = self.at + 1
        end = self.source.find("}", start)
        inside = self.source[start:end] if end > 0 else ""
        if end < 0 or not inside.strip() or set(inside) & set("\\{$^_%#&~"):
            reason = tr("{sign} has no plain text in braces", sign=command)
            raise FormulaError(
                reason, start - 1, tr("write letters and spaces, such as: {example}", example=r"\text{recall}")
            )
        while self.place < len(self.tokens) and self.at <= end:
            self.place += 1
        return Name(inside, upright=True)

    def bracket(self, command: str) -> Sign:
        signs = {"(": "(", ")": ")", "[": "[", "]": "]", "|": "|", r"\{": "{", r"\}": "}", r"\lfloor": "⌊",
                 r"\rfloor": "⌋", r"\lceil": "⌈", r"\rceil": "⌉"}  # fmt: skip
        text, at = self.token, self.at
        if text not in signs:
            raise FormulaError(tr("there is no bracket after {sign}", sign=command), at)
        self.place += 1
        return Sign(signs[text], grows=True)
