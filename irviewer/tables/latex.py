"""LaTeX text: escaped names, tables in the style of booktabs.

The result compiles with pdfLaTeX, XeLaTeX and LuaLaTeX if booktabs is loaded; a comment at the top names letters that
pdfLaTeX has no font for."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from irviewer.hidden_characters import escape_hidden

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\symbol{34}", "`": r"\`{}",
    "−": "$-$", "±": r"$\pm$", "Δ": r"$\Delta$", "∞": r"$\infty$", "≥": r"$\geq$", "≤": r"$\leq$", "×": r"$\times$",
    "÷": r"$\div$", "Σ": r"$\Sigma$", "ε": r"$\varepsilon$",
    "†": r"$\dagger$", "‡": r"$\ddagger$",
    "→": r"$\rightarrow$", "★": r"$\star$",
    "α": r"$\alpha$", "β": r"$\beta$", "τ": r"$\tau$", "–": "--", "—": "---", "…": r"\ldots{}", "·": r"$\cdot$",
    "’": "'", "‘": "`", "“": "``", "”": "''", "\u00a0": "~",
}  # fmt: skip
"""Characters that are special in LaTeX or missing in its fonts, and their LaTeX code."""


def escape(text: str) -> str:
    """Return a text with special letters escaped, ligatures separated, hidden characters shown as escapes, and those
    that no font has replaced by ``?``."""
    pieces = []
    text = escape_hidden(" ".join(text.splitlines()).replace("\t", " "))
    for position, letter in enumerate(text):
        if letter in "-'," and text[position + 1 : position + 2] == letter:
            pieces.append(letter + "{}")
        elif letter in SPECIAL:
            pieces.append(SPECIAL[letter])
        elif letter.isspace():
            pieces.append(" ")
        else:
            pieces.append("?" if unicodedata.category(letter) == "Cn" else letter)
    return "".join(pieces)


def needs_unicode(text: str) -> bool:
    """Return whether a text has letters that pdfLaTeX cannot print without further packages."""
    return any(ord(letter) > 0x17F and letter not in SPECIAL for letter in text)


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], columns: str, caption: str, label: str, below: str = ""
) -> str:
    """Return a floating table of cells in LaTeX; ``columns`` as in tabular (``lrr``). ``below`` is printed below the
    table, for example a formula; without rows it is printed alone."""
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
    """Return the comments above the tables: the packages that ``text`` needs."""
    remarks = "% Load booktabs: \\usepackage{booktabs}\n"
    if needs_unicode(text):
        remarks += "% Names in other scripts need XeLaTeX or LuaLaTeX and a font that has them\n"
    return remarks


def _row(cells: Sequence[str]) -> str:
    # A row that begins with a bracket would be taken for the length of the row break before it.
    text = " & ".join(cells)
    return ("{}" if text.startswith(("[", "*")) else "") + text + r" \\"
