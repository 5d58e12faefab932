"""The texts of a ledger: the rules that applied to a list, and the formula with its numbers."""

from __future__ import annotations

import re

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery
from irviewer.analysis.explain.ledger_types import Quantity, Rule, shorten
from irviewer.analysis.explain.tie_wording import tie_rules
from irviewer.errors import short_name
from irviewer.evaluation.bound_measure import BoundMeasure, describe
from irviewer.evaluation.level_cautions import is_above_all
from irviewer.measures.base import Cutoff, Measure
from irviewer.measures.parameters import number_text
from irviewer.measures.tool_names import usual_name
from irviewer.model.dialect_rules import RULES
from irviewer.model.dialects import DEFAULT, DIALECTS
from irviewer.translation import decimal, tr, trn

MOST_TERMS = 6
NEGLIGIBLE = 1e-4
"""A term is negligible if it is a smaller share of the sum."""
OF_GAIN = ("DCG", "nDCG", "IdealDCG")
OF_RULE = {
    "recall_cut": ("IPrec", "11pt_avg"),
    "err_top": ("ERR",),
    "dcg": OF_GAIN,
    "level_drops_gain": (*OF_GAIN, "RBP"),
    "rbp_gain": ("RBP",),
    "hits": ("NumRelRet",),
}


def rules_of(ranked_query: RankedQuery, bound_measure: BoundMeasure, account: Contributions) -> tuple[Rule, ...]:
    """Return the rules that applied, those of the family last."""
    measure, options = bound_measure.measure, ranked_query.query.options
    own_keys = {rule.key for rule in account.rules}
    rules: list[Rule] = []
    shown = min(len(account.contributions), ranked_query.n)
    if account.of_list:
        rules += _list_rules(ranked_query, account, shown)
    if measure.family.parameter("rel") is not None and measure.parameter("rel") is not None and "gain" not in own_keys:
        level = number_text(measure.parameter("rel"))
        text = tr("Relevance level: grades of {level} or more are relevant.", level=level)
        if is_above_all(measure.parameter("rel"), ranked_query.query.qrels):
            text = tr(
                "Relevance level: grades of {level} or more are relevant, and no document has grade {level} or higher.",
                level=level,
            )
        rules.append(Rule("level", text))
    if measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED) and "cutoff" not in own_keys:
        if measure.cutoff is not None:
            rules.append(
                Rule(
                    "cutoff",
                    trn(
                        "Only the first rank counts.",
                        "Only the first {n:,} ranks count.",
                        int(measure.cutoff),
                    ),
                )
            )
        elif account.of_list and ranked_query.n:
            text = trn(
                "There is no cutoff: the one document of the list counts.",
                "There is no cutoff: all {n:,} documents of the list count.",
                ranked_query.n,
            )
            rules.append(Rule("cutoff", text))
    if options.depth is not None:
        rules.append(
            Rule(
                "depth",
                trn(
                    "Lists are cut to their first document.",
                    "Lists are cut to their first {n:,} documents.",
                    options.depth,
                ),
            )
        )
    if ranked_query.judged.listed_rank is not None:
        rules.append(
            Rule("judged_only", tr("Unjudged documents were removed from the list before ranks were counted."))
        )
    if account.of_list:
        rules += _unjudged_rules(ranked_query, account, shown)
        rules += tie_rules(ranked_query.run, bound_measure.join_options, _deepest(ranked_query, shown))
    of_answers = ranked_query.judged.answered is not None and account.labels is not None
    if not of_answers and not ranked_query.ideal_grades.max(initial=0) > 0:
        rules.append(Rule("nothing relevant", tr("The qrels have no relevant documents for this query.")))
    rules += account.rules
    rules += _dialect_rules(ranked_query, bound_measure)
    return tuple(rules)


def _deepest(ranked_query: RankedQuery, shown: int) -> int:
    """The last rank of the run's own list that the rows reach."""
    return int(ranked_query.positions[shown - 1]) + 1 if shown else 0


def _list_rules(ranked_query: RankedQuery, account: Contributions, shown: int) -> list[Rule]:
    query = ranked_query.query
    if not query.part.query_ids:
        return [Rule("missing", tr("The run lacks this query: it counts as an empty list."))]
    cutoff = ranked_query.measure.cutoff
    whole = ranked_query.measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    if whole and cutoff is not None and ranked_query.n < cutoff:
        text = trn(
            "The list has {n:,} document, fewer than {cutoff:,}; missing ranks add 0.",
            "The list has {n:,} documents, fewer than {cutoff:,}; missing ranks add 0.",
            ranked_query.n,
            cutoff=int(cutoff),
        )
        return [Rule("short", text)]
    return []


def _unjudged_rules(ranked_query: RankedQuery, account: Contributions, shown: int) -> list[Rule]:
    if not shown:
        return []
    grades = ranked_query.grades[:shown]
    unlisted, negative = np.isnan(grades), grades < 0
    rules = []
    if account.unjudged and unlisted.any():
        ranks = np.flatnonzero(unlisted)[:MOST_TERMS] + 1
        further = int(unlisted.sum()) - len(ranks)
        names = ", ".join(map(short_name, ranked_query.documents(ranks)))
        if further:
            names = tr("{documents} and {n:,} more", documents=names, n=further)
        rules.append(
            Rule(
                "unjudged",
                trn(
                    "{n:,} of {shown:,} documents is not in the qrels: {documents}. {rule}",
                    "{n:,} of {shown:,} documents are not in the qrels: {documents}. {rule}",
                    int(unlisted.sum()),
                    shown=shown,
                    documents=names,
                    rule=account.unjudged,
                ),
            )
        )
    elif account.unjudged and not negative.any():
        every = trn("The one document is judged.", "All {n:,} documents are judged.", shown)
        rules.append(Rule("unjudged", every))
    if negative.any():
        names = shorten(ranked_query.documents(np.flatnonzero(negative) + 1))
        rules.append(
            Rule("negative", tr("A negative grade means pooled but not judged: {documents}.", documents=names))
        )
    return rules


def _dialect_rules(ranked_query: RankedQuery, bound_measure: BoundMeasure) -> list[Rule]:
    dialect, default = ranked_query.query.options.rules, DIALECTS[DEFAULT]
    if dialect == default:
        return []
    tied, negatives = bool(ranked_query.query.part.tied.any()), bool(np.any(ranked_query.query.asked.grades < 0))
    texts = []
    for rule in RULES:
        families = OF_RULE.get(rule.name)
        if rule.in_apart:
            if getattr(bound_measure.join_options, rule.name) != getattr(default, rule.name) and (
                tied or rule.name == "bits"
            ):
                texts.append(describe(rule, dialect, bound_measure))
        elif getattr(dialect, rule.name) == getattr(default, rule.name):
            continue
        elif (
            (families is not None and bound_measure.measure.name in families)
            or (rule.name == "negatives_judged" and negatives)
            or (rule.name == "missing" and not ranked_query.query.part.query_ids)
        ):
            texts.append(describe(rule, dialect, bound_measure))
    if not texts:
        return [Rule("dialect", tr("Dialect {dialect}: its rules do not affect this value.", dialect=dialect.title))]
    return [Rule("dialect", tr("Dialect {dialect}: {rules}.", dialect=dialect.title, rules="; ".join(texts)))]


def number(value: float, whole: bool = False) -> str:
    """Return a number for a formula: whole numbers as such, small ones not as 0; ``–`` for NaN."""
    if np.isnan(value):
        return "–"
    if (whole or float(value).is_integer()) and abs(value) < 1e15:
        return decimal(f"{value:.0f}" if float(value).is_integer() else f"{value:g}")
    if value and abs(value) < 0.00005:
        return decimal(f"{value:.2e}")
    return decimal(f"{value:.4f}")


def value_text(measure: Measure, value: float) -> str:
    """Return a value as it is shown everywhere."""
    if np.isnan(value):
        return "–"
    if 0 < abs(value) < 0.00005 and not measure.counts:
        return number(value)
    return decimal(f"{value:.0f}" if measure.counts else f"{value:.4f}")


def put_in(ranked_query: RankedQuery, account: Contributions, total: float, value: float) -> tuple[str, str]:
    """Return the formula with its numbers, plain and as LaTeX: ``nDCG@10 = 10.1656 ÷ 11.5090 = 0.8833``."""
    name, result = usual_name(ranked_query.measure), value_text(ranked_query.measure, value)
    if np.isnan(value):  # no numbers: a rule says why
        return f"{name} = {result}", f"{latex_name(name)} = {latex_number(result)}"
    below = "" if account.normaliser is None else _written(account.normaliser)
    if account.operation == "log odds":
        s = number(total)
        plain = f"{name} = log((1 + {s}) ÷ (1 + {below} − {s})) = {result}"
        return plain, rf"{latex_name(name)} = \log \frac{{1 + {s}}}{{1 + {below} - {s}}} = {latex_number(result)}"
    terms = _terms(account)
    above = " + ".join(terms) if terms else number(total)
    front = "" if account.offset is None else f"{_written(account.offset)}"
    by_zero = account.normaliser is not None and not account.normaliser.value
    brackets = len(terms) > 1
    if below:
        middle = f"({above}) ÷ {below}" if brackets else f"{above} ÷ {below}"
        latex = rf"\frac{{{' + '.join(_fraction(term) for term in terms) or latex_number(above)}}}{{{below}}}"
        if terms and account.normaliser is not None and not account.normaliser.whole:  # two sums: also show the first
            middle = f"{middle} = {number(total)} ÷ {below}"
            latex = rf"{latex} = \frac{{{latex_number(number(total))}}}{{{below}}}"
    else:
        middle, latex = above, " + ".join(_fraction(term) for term in terms) or latex_number(above)
    if front and (total or below):
        sign = " − " if middle.startswith(("-", "−")) else " + "
        remainder = middle.lstrip("-−") if sign == " − " else middle
        latex_rest = latex if sign == " + " else latex.replace("{-", "{", 1) if below else latex.lstrip("-")
        middle, latex = (
            f"{front}{sign}{remainder}",
            f"{latex_number(front)} {'-' if sign == ' − ' else '+'} {latex_rest}",
        )
    elif front:
        middle, latex = front, latex_number(front)
    if by_zero:
        middle, latex = tr("{formula}, where division by 0 gives 0", formula=middle), latex + r",\ x / 0 := 0"
    if _is(middle, value):
        return f"{name} = {result}", f"{latex_name(name)} = {latex_number(result)}"
    return f"{name} = {middle} = {result}", f"{latex_name(name)} = {latex} = {latex_number(result)}"


def _is(middle: str, value: float) -> bool:
    try:
        return float(middle) == value
    except ValueError:
        return False


def _written(quantity: Quantity) -> str:
    return number(quantity.value, quantity.whole)


def _terms(account: Contributions) -> list[str]:
    """The contributions as the formula writes them, without the middle where there are many and without negligible ones
    at the end; none where the sum is clearer: whole numbers, or shares of another sum."""
    rows = np.flatnonzero(account.contributions).tolist()
    if not rows or (account.term is None and (account.normaliser is not None or account.adds.kind == "int")):
        return []

    def write(row: int) -> str:
        return account.term(row) if account.term is not None else term_number(float(account.contributions[row]))

    if len(rows) <= MOST_TERMS:
        return [write(row) for row in rows]
    sizes = np.abs(account.contributions[rows])
    last = int(np.flatnonzero(sizes >= NEGLIGIBLE * sizes.sum())[-1])
    shown = rows[: last + 1]
    ellipsis = ["…"] if last + 1 < len(rows) else []
    if len(shown) <= MOST_TERMS:
        return [*(write(row) for row in shown), *ellipsis]
    return [*(write(row) for row in shown[: MOST_TERMS - 2]), "…", write(shown[-1]), *ellipsis]


def term_number(value: float) -> str:
    """Return a term of a sum; small numbers have enough figures to tell them apart."""
    return number(value) if float(value).is_integer() or abs(value) >= 0.01 else decimal(f"{value:.3g}")


def factor(value: float) -> str:
    """Return a gain, discount or weight for a term, with at most four figures."""
    return decimal(f"{value:.4g}")


def _fraction(term: str) -> str:
    if " × " in term:
        return r" \times ".join(latex_number(factor_text) for factor_text in term.split(" × "))
    top, _, bottom = term.partition("/")
    if bottom:
        return rf"\frac{{{top}}}{{{bottom}}}"
    return r"\ldots" if term == "…" else latex_number(term)


def latex_number(text: str) -> str:
    """Return a shown number as LaTeX."""
    match = re.fullmatch(r"([-−]?[\d.,]+)e([-+]\d+)", text)
    if match:
        return rf"{match[1]} \cdot 10^{{{int(match[2])}}}"
    return text.replace("−", "-").replace("–", r"\mathrm{none}")


def latex_name(text: str) -> str:
    """Return the text of a measure in upright LaTeX."""
    safe = re.sub(r"[_#%&{} $]", _escaped, text).replace("'", "’")
    return rf"\mathrm{{{safe}}}"


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match[0]
