"""What a ledger says in words: the rules that applied to one list, and the formula with its numbers put in.

Knows the parameters by which measures are alike (rel, cutoff), and no measure."""

from __future__ import annotations

import re

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery
from irviewer.analysis.explain.ledger_types import Quantity, Rule, shorten
from irviewer.analysis.explain.tie_wording import tie_rules
from irviewer.evaluation.bound_measure import BoundMeasure, describe
from irviewer.measures.base import Cutoff, Measure
from irviewer.measures.parameters import number_text
from irviewer.model.dialect_rules import RULES
from irviewer.model.dialects import DEFAULT, DIALECTS
from irviewer.model.number_text import counted

MOST_TERMS = 6
NEGLIGIBLE = 1e-4
"""A term is so where it is a smaller share of the sum."""
OF_GAIN = ("DCG", "nDCG", "IdealDCG")
OF_RULE = {
    "recall_cut": ("IPrec", "11pt_avg"),
    "err_top": ("ERR",),
    "dcg": OF_GAIN,
    "level_drops_gain": (*OF_GAIN, "RBP"),
    "rbp_gain": ("RBP",),
    "hits": ("NumRelRet",),
}


def rules_of(ranked_query: RankedQuery, bound_measure: BoundMeasure, told: Contributions) -> tuple[Rule, ...]:
    """The rules that applied, the family's own last."""
    measure, options = bound_measure.measure, ranked_query.query.options
    own = {one.key for one in told.rules}
    found: list[Rule] = []
    shown = min(len(told.contributions), ranked_query.n)
    if told.of_list:
        found += _list_rules(ranked_query, told, shown)
    if measure.family.parameter("rel") is not None and measure.parameter("rel") is not None and "gain" not in own:
        found.append(Rule("level", f"Relevant is a grade of {number_text(measure.parameter('rel'))} or more."))
    if measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED) and "cutoff" not in own:
        if measure.cutoff is not None:
            found.append(
                Rule(
                    "cutoff",
                    f"The first {int(measure.cutoff):,} ranks are looked at; what stands below does not count.",
                )
            )
        elif told.of_list and ranked_query.n:
            looked = "the one document" if ranked_query.n == 1 else f"all {ranked_query.n:,} documents"
            verb = "is" if ranked_query.n == 1 else "are"
            found.append(Rule("cutoff", f"There is no cutoff: {looked} of the list {verb} looked at."))
    if options.depth is not None:
        found.append(Rule("depth", f"Lists are cut to their first {options.depth:,} documents."))
    if ranked_query.judged.listed_rank is not None:
        found.append(Rule("judged_only", "Unjudged documents were removed from the list before ranks were counted."))
    if told.of_list:
        found += _unjudged_rules(ranked_query, told, shown)
        found += tie_rules(ranked_query.run, bound_measure.join_options, _deepest(ranked_query, shown))
    if not ranked_query.ideal_grades.max(initial=0) > 0:
        found.append(Rule("nothing relevant", "The qrels hold no relevant document for this query."))
    found += told.rules
    found += _dialect_rules(ranked_query, bound_measure)
    return tuple(found)


def _deepest(ranked_query: RankedQuery, shown: int) -> int:
    """How deep in the run's own list the rows shown reach."""
    return int(ranked_query.places[shown - 1]) + 1 if shown else 0


def _list_rules(ranked_query: RankedQuery, told: Contributions, shown: int) -> list[Rule]:
    query = ranked_query.query
    if not query.part.query_ids:
        return [Rule("missing", "The run lacks this query: it counts as a list without documents.")]
    cutoff = ranked_query.measure.cutoff
    whole = ranked_query.measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    if whole and cutoff is not None and ranked_query.n < cutoff:
        documents = counted(ranked_query.n, "document", "documents")
        said = f"The list has {documents}, fewer than {int(cutoff):,}: what is not there adds 0."
        return [Rule("short", said)]
    return []


def _unjudged_rules(ranked_query: RankedQuery, told: Contributions, shown: int) -> list[Rule]:
    if not shown:
        return []
    grades = ranked_query.grades[:shown]
    unlisted, negative = np.isnan(grades), grades < 0
    found = []
    if told.unjudged and unlisted.any():
        ranks = np.flatnonzero(unlisted)[:MOST_TERMS] + 1
        more = int(unlisted.sum()) - len(ranks)
        names = ", ".join(ranked_query.documents(ranks)) + (f" and {more:,} more" if more else "")
        found.append(
            Rule(
                "unjudged", f"{int(unlisted.sum()):,} of {shown:,} documents are unjudged and {told.unjudged}: {names}."
            )
        )
    elif told.unjudged:
        every = "The one document is judged." if shown == 1 else f"All {shown:,} documents are judged."
        found.append(Rule("unjudged", every))
    if negative.any():
        names = shorten(ranked_query.documents(np.flatnonzero(negative) + 1))
        found.append(Rule("negative", f"A negative grade means pooled but not judged: {names}."))
    return found


def _dialect_rules(ranked_query: RankedQuery, bound_measure: BoundMeasure) -> list[Rule]:
    dialect, default = ranked_query.query.options.rules, DIALECTS[DEFAULT]
    if dialect == default:
        return []
    tied, negatives = bool(ranked_query.query.part.tied.any()), bool(np.any(ranked_query.query.asked.grades < 0))
    told = []
    for rule in RULES:
        families = OF_RULE.get(rule.name)
        if rule.in_apart:
            if getattr(bound_measure.join_options, rule.name) != getattr(default, rule.name) and (
                tied or rule.name == "bits"
            ):
                told.append(describe(rule, dialect, bound_measure))
        elif getattr(dialect, rule.name) == getattr(default, rule.name):
            continue
        elif (
            (families is not None and bound_measure.measure.name in families)
            or (rule.name == "negatives_judged" and negatives)
            or (rule.name == "missing" and not ranked_query.query.part.query_ids)
        ):
            told.append(describe(rule, dialect, bound_measure))
    if not told:
        return [Rule("dialect", f"{dialect.title}'s rules hold; none of them touches this value.")]
    return [Rule("dialect", f"{dialect.title}'s rules hold: {'; '.join(told)}.")]


def number(value: float, whole: bool = False) -> str:
    """A number within a formula: whole ones as such, small ones not as 0; ``–`` for none."""
    if np.isnan(value):
        return "–"
    if (whole or float(value).is_integer()) and abs(value) < 1e15:
        return f"{value:.0f}" if float(value).is_integer() else f"{value:g}"
    if value and abs(value) < 0.00005:
        return f"{value:.2e}"
    return f"{value:.4f}"


def value_text(measure: Measure, value: float) -> str:
    """The value as it is shown everywhere."""
    if np.isnan(value):
        return "–"
    return f"{value:.0f}" if measure.counts else number(value) if 0 < abs(value) < 0.00005 else f"{value:.4f}"


def put_in(ranked_query: RankedQuery, told: Contributions, total: float, value: float) -> tuple[str, str]:
    """The formula with its numbers, plain and LaTeX: ``nDCG@10 = 10.1656 ÷ 11.5090 = 0.8833``."""
    name, result = ranked_query.measure.text, value_text(ranked_query.measure, value)
    if np.isnan(value):  # there is nothing to put in: a rule says why
        return f"{name} = {result}", f"{latex_name(name)} = {latex_number(result)}"
    below = "" if told.normaliser is None else _written(told.normaliser)
    if told.operation == "log odds":
        s = number(total)
        plain = f"{name} = log((1 + {s}) ÷ (1 + {below} − {s})) = {result}"
        return plain, rf"{latex_name(name)} = \log \frac{{1 + {s}}}{{1 + {below} - {s}}} = {latex_number(result)}"
    terms = _terms(told)
    above = " + ".join(terms) if terms else number(total)
    front = "" if told.offset is None else f"{_written(told.offset)}"
    nothing = told.normaliser is not None and not told.normaliser.value
    brackets = len(terms) > 1
    if below:
        middle = f"({above}) ÷ {below}" if brackets else f"{above} ÷ {below}"
        latex = rf"\frac{{{' + '.join(_fraction(one) for one in terms) or latex_number(above)}}}{{{below}}}"
        if terms and told.normaliser is not None and not told.normaliser.whole:  # two sums: what is above comes to
            middle = f"{middle} = {number(total)} ÷ {below}"
            latex = rf"{latex} = \frac{{{latex_number(number(total))}}}{{{below}}}"
    else:
        middle, latex = above, " + ".join(_fraction(one) for one in terms) or latex_number(above)
    if front and (total or below):
        sign = " − " if middle.startswith(("-", "−")) else " + "
        rest = middle.lstrip("-−") if sign == " − " else middle
        latex_rest = latex if sign == " + " else latex.replace("{-", "{", 1) if below else latex.lstrip("-")
        middle, latex = f"{front}{sign}{rest}", f"{latex_number(front)} {'-' if sign == ' − ' else '+'} {latex_rest}"
    elif front:
        middle, latex = front, latex_number(front)
    if nothing:
        middle, latex = f"{middle}, and by 0 is 0", latex + r",\ \mathrm{by}\ 0 := 0"
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


def _terms(told: Contributions) -> list[str]:
    """The rows' contributions as the formula writes them, the middle left out where there are many, and what comes
    after the last that still counts; none where the sum says it better: whole numbers, or shares of another sum."""
    rows = np.flatnonzero(told.contributions).tolist()
    if not rows or (told.term is None and (told.normaliser is not None or told.adds.kind == "int")):
        return []

    def write(row: int) -> str:
        return told.term(row) if told.term is not None else term_number(float(told.contributions[row]))

    if len(rows) <= MOST_TERMS:
        return [write(row) for row in rows]
    sizes = np.abs(told.contributions[rows])
    last = int(np.flatnonzero(sizes >= NEGLIGIBLE * sizes.sum())[-1])
    shown = rows[: last + 1]
    rest = ["…"] if last + 1 < len(rows) else []
    if len(shown) <= MOST_TERMS:
        return [*(write(row) for row in shown), *rest]
    return [*(write(row) for row in shown[: MOST_TERMS - 2]), "…", write(shown[-1]), *rest]


def term_number(value: float) -> str:
    """A number that is one of many added up: small ones with figures enough to tell them apart."""
    return number(value) if float(value).is_integer() or abs(value) >= 0.01 else f"{value:.3g}"


def factor(value: float) -> str:
    """A gain, a discount or a weight within a term: at most four figures."""
    return f"{value:.4g}"


def _fraction(term: str) -> str:
    if " × " in term:
        return r" \times ".join(latex_number(one) for one in term.split(" × "))
    top, _, bottom = term.partition("/")
    if bottom:
        return rf"\frac{{{top}}}{{{bottom}}}"
    return r"\ldots" if term == "…" else latex_number(term)


def latex_number(text: str) -> str:
    """A shown number as LaTeX."""
    match = re.fullmatch(r"([-−]?[\d.]+)e([-+]\d+)", text)
    if match:
        return rf"{match[1]} \cdot 10^{{{int(match[2])}}}"
    return text.replace("−", "-").replace("–", r"\mathrm{none}")


def latex_name(text: str) -> str:
    """A measure's text, upright."""
    safe = re.sub(r"[_#%&{} $]", _escaped, text).replace("'", "’")
    return rf"\mathrm{{{safe}}}"


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match[0]
