r"""Formulas as MathML, which browsers show and screen readers read: ``$\frac{1}{3}$`` as ``<mfrac>``."""

from __future__ import annotations

from html import escape

from irviewer.model.formula import (
    FormulaError,
    Fraction,
    Name,
    Node,
    Number,
    Root,
    Scripts,
    Sign,
    Space,
    parse_formula,
)
from irviewer.translation import decimal


def mathml(formula: str) -> str:
    """Return a formula (LaTeX without dollar signs) as a ``math`` element, its numbers with the decimal sign of the
    window; as code where it cannot be read."""
    try:
        row = parse_formula(formula)
    except FormulaError:
        return f"<code>{escape(formula)}</code>"
    return f"<math>{''.join(_node(part) for part in row.parts)}</math>"


def _node(node: Node) -> str:
    match node:
        case Number(text):
            return f"<mn>{escape(decimal(text))}</mn>"
        case Name(text, upright):
            if not upright:
                return f"<mi>{escape(text)}</mi>"
            return f"<mtext>{escape(text)}</mtext>" if " " in text else f'<mi mathvariant="normal">{escape(text)}</mi>'
        case Sign(text, _, grows):
            stretchy = "true" if grows else "false"
            return f'<mo stretchy="{stretchy}">{escape(text)}</mo>'
        case Space(width):
            return f'<mspace width="{width:g}em"/>'
        case Fraction(above, below):
            return f"<mfrac>{_one(above)}{_one(below)}</mfrac>"
        case Root(of):
            return f"<msqrt>{_one(of)}</msqrt>"
        case Scripts(base, lowered, raised):
            return _scripts(base, lowered, raised)
        case row:
            return _one(row)


def _one(node: Node) -> str:
    """Return a node as one element."""
    parts = node.parts if hasattr(node, "parts") else (node,)
    return _node(parts[0]) if len(parts) == 1 else f"<mrow>{''.join(_node(part) for part in parts)}</mrow>"


def _scripts(base: Node, lowered: Node | None, raised: Node | None) -> str:
    under, over = ("munder", "mover") if isinstance(base, Sign) and base.over else ("msub", "msup")
    both = "munderover" if under == "munder" else "msubsup"
    name = both if lowered is not None and raised is not None else under if lowered is not None else over
    parts = "".join(_one(part) for part in (base, lowered, raised) if part is not None)
    return f"<{name}>{parts}</{name}>"
