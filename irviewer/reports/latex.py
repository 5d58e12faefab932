"""Text that LaTeX takes as it is meant: names escaped, a table in booktabs' style. Knows no statistics.

What it makes compiles with pdfLaTeX, XeLaTeX and LuaLaTeX where booktabs is loaded; letters that pdfLaTeX has no font
for are said in a remark at its head."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\symbol{34}", "`": r"\`{}",
    "−": "$-$", "±": r"$\pm$", "Δ": r"$\Delta$", "∞": r"$\infty$", "≥": r"$\geq$", "≤": r"$\leq$", "×": r"$\times$",
    "÷": r"$\div$", "Σ": r"$\Sigma$", "ε": r"$\varepsilon$",
    "→": r"$\rightarrow$", "★": r"$\star$",
    "α": r"$\alpha$", "β": r"$\beta$", "τ": r"$\tau$", "–": "--", "—": "---", "…": r"\ldots{}", "·": r"$\cdot$",
    "’": "'", "‘": "`", "“": "``", "”": "''", "\u00a0": "~",
}  # fmt: skip
"""What LaTeX would take for something else, or has no letter for, and how it is written."""


def escape(text: str) -> str:
    """The text as LaTeX prints it: every special letter escaped, ligatures parted, letters that cannot be
    printed (control characters, lone surrogates) as the replacement ``?``."""
    pieces = []
    for place, letter in enumerate(text):
        if letter in "-'" and text[place + 1 : place + 2] == letter:
            pieces.append(letter + "{}")
        elif letter in SPECIAL:
            pieces.append(SPECIAL[letter])
        elif letter.isspace():
            pieces.append(" ")
        else:
            pieces.append("?" if unicodedata.category(letter) in ("Cc", "Cs", "Cn") else letter)
    return "".join(pieces)


def needs_unicode(text: str) -> bool:
    """Whether the text has letters beyond those with accents that pdfLaTeX makes of its own."""
    return any(ord(letter) > 0x17F and letter not in SPECIAL for letter in text)


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], columns: str, caption: str, label: str, below: str = ""
) -> str:
    """A floating table of cells that are LaTeX already; ``columns`` as tabular takes them (``lrr``). ``below`` stands
    under it: a formula, a line. Without rows there is but that."""
    inside = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(header),
        r"\midrule",
        *(_row(row) for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{caption}}}", rf"\label{{{label}}}"]
    lines += [*(inside if rows else []), *([below] if below else []), r"\end{table}"]
    return "\n".join(lines) + "\n"


def head(text: str) -> str:
    """The remarks over a document's tables: what has to be loaded for ``text``."""
    said = "% Load booktabs: \\usepackage{booktabs}\n"
    if needs_unicode(text):
        said += "% Names in other scripts want XeLaTeX or LuaLaTeX and a font that has them\n"
    return said


def _row(cells: Sequence[str]) -> str:
    # A row that begins with a bracket would be taken for the length of the row break before it.
    found = " & ".join(cells)
    return ("{}" if found.startswith(("[", "*")) else "") + found + r" \\"
