"""C/W/L measures: INST, INSQ, BPM, scaled DCG and four relatives of ERR, computed as in cwl_eval and ir_measures.

Each models when a user stops reading; the value is the expected gain per document read."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irviewer.installed.scipy_parts import special
from irviewer.measures.base import Cutoff, Measure, Parameter, measure
from irviewer.measures.cwl import product_above, scaled_gains, weighed, weighed_until_satisfied
from irviewer.measures.formulas import filled
from irviewer.measures.parameters import number_text
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

NERR = "Azzopardi, Mackenzie and Moffat, ERR is not C/W/L, ICTIR 2021"
IGNORES = tr("the number of relevant documents: the value is not divided by the gain of an ideal ranking")
AFTER_RELEVANT = tr("most of what follows a highly relevant document")


def _default_maximum(max_grade: float) -> float:
    """Return the highest grade of the qrels, 1 without relevant documents."""
    return max(1.0, max_grade)


MINIMUM = Parameter("min_rel", "number", 0, tr("the grade of gain 0; lower grades gain 0 too"))
MAXIMUM = Parameter(
    "max_rel", "number", None, tr("the grade of gain 1; by default the highest of the qrels"), low=0, open_low=True,
    always=True, from_grades=_default_maximum,
)  # fmt: skip
WANTED = Parameter("T", "number", 1, tr("the total gain that the user wants"), low=0, open_low=True)
DEPTH = Parameter("depth", "integer", 1000, tr("the last rank read; 1000 in cwl_eval"), low=1)


def _squares(T: float, depth: int) -> Floats:  # noqa: N803 - T is the parameter's name in every tool and paper
    """Return INSQ's probability of reaching each rank: the product of ((i + 2T - 1) / (i + 2T))², float64[depth]."""
    return np.asarray((2 * T / (2 * T + np.arange(depth))) ** 2, dtype=np.float64)


def _gain(measure: Measure) -> tuple[str, str]:
    """Return the definitions of the gain and of the grade of gain 1."""
    low, top = measure.parameter("min_rel"), measure.parameter("max_rel")
    grade = "grade(i)" if top is None else r"\min(grade(i), m)"
    if low == 0:
        gain = rf"\frac{{{grade}}}{{m}}"
    else:
        less = f"- {number_text(low)}" if low > 0 else f"+ {number_text(-low)}"
        over = rf"\max(0, {grade} {less})" if low > 0 else f"{grade} {less}"
        gain = ("" if low > 0 else r"listed(i)\,") + rf"\frac{{{over}}}{{m {less}}}"
    return f"g(i) = {gain}", r"m = \max(1, g_{max})" if top is None else f"m = {number_text(top)}"


def _weighing(end: str, *going_on: str) -> Callable[[Measure], str]:
    """Return the formula of a measure that weights each gain by the probability of reading its rank.

    end        the last rank
    going_on   the definition of C(i), the probability of reading on"""
    main = rf"\frac{{\sum_{{i=1}}^{{{end}}} V(i)\,g(i)}}{{\sum_{{i=1}}^{{{end}}} V(i)}}"
    return lambda measure: filled(measure, main, r"V(i) = \prod_{j<i} C(j)", *going_on, *_gain(measure))


@measure(
    "INST",
    title=tr("INST"),
    parameters=(WANTED, MINIMUM, MAXIMUM, DEPTH),
    rewards=tr("gain near the top, for a user who wants a total gain of T and reads on longer the more is missing"),
    ignores=IGNORES,
    formula=_weighing(
        "d", r"C(i) = \left(\frac{i + T + T_i - 1}{i + T + T_i}\right)^{2}", r"T_i = T - \sum_{j \leq i} g(j)"
    ),
    source="Bailey, Moffat, Scholer and Thomas, User variability and IR system evaluation, SIGIR 2015",
    tools={"ir_measures": "INST", "textbook": "INST"},
)
def inst(judged: Judged, T: float, min_rel: float, max_rel: float, depth: int) -> Floats:  # noqa: N803
    """Return the INST of each query, float64[E].

    Between two hits the gain still wanted is constant: the probability of reaching a rank falls with 1/rank², whose
    sums are differences of the Hurwitz zeta function."""
    zeta = special().zeta  # the import takes a tenth of a second and only INST needs it

    gains = scaled_gains(judged, min_rel, max_rel, depth)
    hits = gains.hits
    before = gains.total_above(gains.gain)
    after = before + gains.gain
    last = np.ones(len(hits.query), dtype=np.bool_)
    last[:-1] = hits.query[1:] != hits.query[:-1]
    until = np.where(last, depth, np.append(hits.rank[1:], depth))  # the rank of the next hit, or the depth
    # Below a hit at rank r with a total gain of G so far, the probability of reaching rank i is that of reaching r
    # times (start / (i - 1 + rest))².
    start = hits.rank + 2 * T - after - 1
    rest = 2 * T - after
    to_next = safe_divide(start, until - 1 + rest) ** 2
    first_rank = hits.first_by_query(hits.rank, depth)
    reach_first = (2 * T / (first_rank + 2 * T - 1)) ** 2
    reach = reach_first[hits.query] * product_above(hits, to_next)
    documents_read = (2 * T) ** 2 * (zeta(2, 2 * T) - zeta(2, first_rank + 2 * T))
    stretch = start**2 * (zeta(2, hits.rank + rest) - zeta(2, until + rest))
    documents_read = documents_read + hits.sum_by_query(reach * stretch)
    return safe_divide(hits.sum_by_query(reach * gains.gain), documents_read)


@measure(
    "INSQ",
    title=tr("INSQ"),
    parameters=(WANTED, MINIMUM, MAXIMUM, DEPTH),
    rewards=tr("gain near the top, for a user who wants a total gain of T and reads deeper the larger T is"),
    ignores=tr("{ignored}; the gain found so far", ignored=IGNORES),
    formula=_weighing("d", r"C(i) = \left(\frac{i + 2T - 1}{i + 2T}\right)^{2}"),
    source="Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012",
    tools={"ir_measures": "INSQ", "textbook": "INSQ"},
)
def insq(judged: Judged, T: float, min_rel: float, max_rel: float, depth: int) -> Floats:  # noqa: N803
    """Return the INSQ of each query, float64[E]."""
    return weighed(scaled_gains(judged, min_rel, max_rel, depth), _squares(T, depth))


@measure(
    "BPM",
    title=tr("Bejeweled player model"),
    parameters=(WANTED, MINIMUM, MAXIMUM),
    cutoff=Cutoff.REQUIRED,
    rewards=tr("gain per document read, for a user who stops at a total gain of T or at rank k"),
    ignores=tr("documents below the rank where the user stops; the order above it"),
    formula=lambda measure: filled(
        measure,
        r"\frac{1}{s} \sum_{i=1}^{s} g(i)",
        r"s = \min\left(k, \min\{i : \sum_{j \leq i} g(j) \geq T\}\right)",
        *_gain(measure),
    ),
    source="Zhang, Liu, Li, Zhang, Xu and Ma, Evaluating web search with a bejeweled player model, SIGIR 2017",
    tools={"ir_measures": "BPM", "textbook": "BPM"},
)
def bejeweled_player(judged: Judged, T: float, min_rel: float, max_rel: float, cutoff: int) -> Floats:  # noqa: N803
    """Return the BPM (static) of each query, float64[E]."""
    gains = scaled_gains(judged, min_rel, max_rel, cutoff)
    hits = gains.hits
    # Gains are added as grades, not as shares of the highest, so that three thirds are exactly one.
    units = gains.gain * (max_rel - min_rel)
    units = np.where(np.abs(units - np.rint(units)) < 1e-9, np.rint(units), units)
    enough = gains.total_above(units) + units >= T * (max_rel - min_rel) - 1e-9
    reached = hits.where(enough)
    stop = reached.first_by_query(reached.rank, cutoff)
    return hits.sum_by_query(np.where(hits.rank <= stop[hits.query], gains.gain, 0.0)) / stop


@measure(
    "SDCG",
    title=tr("Scaled discounted cumulative gain"),
    parameters=(
        Parameter("dcg", "choice", "log2", tr("the discount; ir_measures has log2 only"), choices=("log2",)),
        MINIMUM,
        MAXIMUM,
    ),
    cutoff=Cutoff.REQUIRED,
    rewards=tr(
        "documents of high grades, more so near the top, as a share of the gain of k documents of the highest grade"
    ),
    ignores=tr("the number of relevant documents: with fewer than k of the highest grade no ranking reaches 1"),
    formula=lambda measure: filled(
        measure, r"\frac{\sum_{i=1}^{k} g(i) / \log_2(i+1)}{\sum_{i=1}^{k} 1 / \log_2(i+1)}", *_gain(measure)
    ),
    source="Azzopardi, Thomas and Moffat, cwl_eval, SIGIR 2019, after Järvelin and Kekäläinen, TOIS 2002",
    tools={"ir_measures": "SDCG"},
)
def scaled_gain(judged: Judged, dcg: str, min_rel: float, max_rel: float, cutoff: int) -> Floats:
    """Return the SDCG@k of each query, float64[E]."""
    return weighed(scaled_gains(judged, min_rel, max_rel, cutoff), 1.0 / np.log2(np.arange(1, cutoff + 1) + 1.0))


@measure(
    "NERR8",
    title=tr("Nearly expected reciprocal rank, equation 8"),
    parameters=(MINIMUM, MAXIMUM),
    cutoff=Cutoff.REQUIRED,
    rewards=tr("gain per document read down to rank k, for a user who stops at a gain of g with probability g"),
    ignores=AFTER_RELEVANT,
    formula=_weighing("k", r"C(i) = 1 - g(i)"),
    source=NERR,
    tools={"ir_measures": "NERR8", "textbook": "NERR (8)"},
)
def nearly_err_8(judged: Judged, min_rel: float, max_rel: float, cutoff: int) -> Floats:
    """Return the NERR8@k of each query, float64[E]."""
    return weighed_until_satisfied(scaled_gains(judged, min_rel, max_rel, cutoff), np.ones(cutoff))


@measure(
    "NERR9",
    title=tr("Nearly expected reciprocal rank, equation 9"),
    parameters=(MINIMUM, MAXIMUM),
    cutoff=Cutoff.REQUIRED,
    rewards=tr(
        "gain near the top, for a user who reads rank i with probability 1/i at most and stops at a gain of g with "
        "probability g"
    ),
    ignores=AFTER_RELEVANT,
    formula=_weighing("k", r"C(i) = \frac{i}{i+1}\,(1 - g(i))"),
    source=NERR,
    tools={"ir_measures": "NERR9", "textbook": "NERR (9)"},
)
def nearly_err_9(judged: Judged, min_rel: float, max_rel: float, cutoff: int) -> Floats:
    """Return the NERR9@k of each query, float64[E]."""
    return weighed_until_satisfied(scaled_gains(judged, min_rel, max_rel, cutoff), 1.0 / np.arange(1, cutoff + 1))


@measure(
    "NERR10",
    title=tr("Nearly expected reciprocal rank, equation 10"),
    parameters=(
        Parameter("p", "number", 0.9, tr("probability of reading the next document"), low=0, high=1),
        MINIMUM,
        MAXIMUM,
        DEPTH,
    ),
    rewards=tr(
        "gain near the top, for a user who reads on with probability p and stops at a gain of g with probability g"
    ),
    ignores=AFTER_RELEVANT,
    formula=_weighing("d", r"C(i) = p\,(1 - g(i))"),
    source=NERR,
    tools={"ir_measures": "NERR10", "textbook": "NERR (10)"},
)
def nearly_err_10(judged: Judged, p: float, min_rel: float, max_rel: float, depth: int) -> Floats:
    """Return the NERR10 of each query, float64[E]."""
    return weighed_until_satisfied(scaled_gains(judged, min_rel, max_rel, depth), np.power(p, np.arange(float(depth))))


@measure(
    "NERR11",
    title=tr("Nearly expected reciprocal rank, equation 11"),
    parameters=(WANTED, MINIMUM, MAXIMUM, DEPTH),
    rewards=tr("gain near the top, for a user who wants a total gain of T and stops at a gain of g with probability g"),
    ignores=AFTER_RELEVANT,
    formula=_weighing("d", r"C(i) = \left(\frac{i + 2T - 1}{i + 2T}\right)^{2} (1 - g(i))"),
    source=NERR,
    tools={"ir_measures": "NERR11", "textbook": "NERR (11)"},
)
def nearly_err_11(judged: Judged, T: float, min_rel: float, max_rel: float, depth: int) -> Floats:  # noqa: N803
    """Return the NERR11 of each query, float64[E]."""
    return weighed_until_satisfied(scaled_gains(judged, min_rel, max_rel, depth), _squares(T, depth))
