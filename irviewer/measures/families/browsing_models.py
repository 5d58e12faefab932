"""Measures of C/W/L: INST, INSQ, BPM, scaled DCG and four near relatives of ERR, as cwl_eval and ir_measures have them.

Each says how a person reads on; the value is the gain a document that such a person sees."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irviewer.measures.base import Cutoff, Measure, Parameter, measure
from irviewer.measures.cwl import product_above, scaled_gains, weighed, weighed_until_satisfied
from irviewer.measures.formulas import filled
from irviewer.measures.parameters import number_text
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged

NERR = "Azzopardi, Mackenzie and Moffat, ERR is not C/W/L, ICTIR 2021"
IGNORES = "how much there was to find: it is not divided by what an ideal list would gain"


def _default_maximum(max_grade: float) -> float:
    """The highest grade of the qrels gains 1; 1 where nothing is relevant."""
    return max(1.0, max_grade)


MINIMUM = Parameter("min_rel", "number", 0, "the grade that gains nothing; lower ones count as it")
MAXIMUM = Parameter(
    "max_rel", "number", None, "the grade that gains 1; by default the highest of the qrels", low=0, open_low=True,
    always=True, from_grades=_default_maximum,
)  # fmt: skip
WANTED = Parameter("T", "number", 1, "how much gain the person looks for", low=0, open_low=True)
DEPTH = Parameter("depth", "integer", 1000, "the last rank that can be reached; cwl_eval's is 1000", low=1)


def _squares(T: float, depth: int) -> Floats:  # noqa: N803 - T is the parameter's name in every tool and paper
    """INSQ's chance of reaching each rank: the product of ((i + 2T - 1) / (i + 2T))², float64[depth]."""
    return np.asarray((2 * T / (2 * T + np.arange(depth))) ** 2, dtype=np.float64)


def _gain(measure: Measure) -> tuple[str, str]:
    """What gain a document has, and the grade that gains 1."""
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
    """The formula of a measure that weighs gains by the chance of coming down to them, the last rank being ``end``."""
    main = rf"\frac{{\sum_{{i=1}}^{{{end}}} V(i)\,g(i)}}{{\sum_{{i=1}}^{{{end}}} V(i)}}"
    return lambda measure: filled(measure, main, r"V(i) = \prod_{j<i} C(j)", *going_on, *_gain(measure))


@measure(
    "INST",
    title="INST",
    parameters=(WANTED, MINIMUM, MAXIMUM, DEPTH),
    rewards="gain near the top, for a person who looks for T in all and reads on the longer, the more is still missing",
    ignores=IGNORES,
    formula=_weighing(
        "d", r"C(i) = \left(\frac{i + T + T_i - 1}{i + T + T_i}\right)^{2}", r"T_i = T - \sum_{j \leq i} g(j)"
    ),
    source="Bailey, Moffat, Scholer and Thomas, User variability and IR system evaluation, SIGIR 2015",
    tools={"ir_measures": "INST", "textbook": "INST"},
)
def inst(judged: Judged, T: float, min_rel: float, max_rel: float, depth: int) -> Floats:  # noqa: N803
    """INST of each query, float64[E].

    Below a hit, until the next, the person's aim does not change: the chance of coming on falls with 1/rank², whose
    sums are differences of the Hurwitz zeta function."""
    from scipy.special import zeta  # a tenth of a second: only who asks for INST waits for it

    gains = scaled_gains(judged, min_rel, max_rel, depth)
    hits = gains.hits
    before = gains.total_above(gains.gain)
    after = before + gains.gain
    last = np.ones(len(hits.query), dtype=np.bool_)
    last[:-1] = hits.query[1:] != hits.query[:-1]
    until = np.where(last, depth, np.append(hits.rank[1:], depth))  # the rank that the stretch below each hit ends at
    # Below a hit at rank r, G gained so far: the chance of coming to i is that of r times (start / (i - 1 + rest))².
    start = hits.rank + 2 * T - after - 1
    rest = 2 * T - after
    to_next = safe_divide(start, until - 1 + rest) ** 2
    first_rank = hits.first_by_query(hits.rank, depth)
    reach_first = (2 * T / (first_rank + 2 * T - 1)) ** 2
    coming = reach_first[hits.query] * product_above(hits, to_next)
    seen = (2 * T) ** 2 * (zeta(2, 2 * T) - zeta(2, first_rank + 2 * T))
    stretch = start**2 * (zeta(2, hits.rank + rest) - zeta(2, until + rest))
    seen = seen + hits.sum_by_query(coming * stretch)
    return safe_divide(hits.sum_by_query(coming * gains.gain), seen)


@measure(
    "INSQ",
    title="INSQ",
    parameters=(WANTED, MINIMUM, MAXIMUM, DEPTH),
    rewards="gain near the top, for a person who looks for T in all and reads on the more patiently, the larger T",
    ignores=IGNORES + "; what the person has found so far",
    formula=_weighing("d", r"C(i) = \left(\frac{i + 2T - 1}{i + 2T}\right)^{2}"),
    source="Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012",
    tools={"ir_measures": "INSQ", "textbook": "INSQ"},
)
def insq(judged: Judged, T: float, min_rel: float, max_rel: float, depth: int) -> Floats:  # noqa: N803
    """INSQ of each query, float64[E]."""
    return weighed(scaled_gains(judged, min_rel, max_rel, depth), _squares(T, depth))


@measure(
    "BPM",
    title="Bejeweled player model",
    parameters=(WANTED, MINIMUM, MAXIMUM),
    cutoff=Cutoff.REQUIRED,
    rewards="gain a document read, for a person who stops when T is gained, or at rank k",
    ignores="all that follows the rank where the person stops; the order above it",
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
    """BPM (static) of each query, float64[E]."""
    gains = scaled_gains(judged, min_rel, max_rel, cutoff)
    hits = gains.hits
    # Gains add up to T in grades, not in shares of the highest: three thirds are then exactly one.
    units = gains.gain * (max_rel - min_rel)
    units = np.where(np.abs(units - np.rint(units)) < 1e-9, np.rint(units), units)
    enough = gains.total_above(units) + units >= T * (max_rel - min_rel) - 1e-9
    reached = hits.where(enough)
    stop = reached.first_by_query(reached.rank, cutoff)
    return hits.sum_by_query(np.where(hits.rank <= stop[hits.query], gains.gain, 0.0)) / stop


@measure(
    "SDCG",
    title="Scaled discounted cumulative gain",
    parameters=(
        Parameter("dcg", "choice", "log2", "discount; ir_measures knows this one", choices=("log2",)),
        MINIMUM,
        MAXIMUM,
    ),
    cutoff=Cutoff.REQUIRED,
    rewards="documents by how relevant they are, the more the nearer the top, as a share of k perfect documents",
    ignores="how much there was to find: with fewer than k perfect documents no list has 1",
    formula=lambda measure: filled(
        measure, r"\frac{\sum_{i=1}^{k} g(i) / \log_2(i+1)}{\sum_{i=1}^{k} 1 / \log_2(i+1)}", *_gain(measure)
    ),
    source="Azzopardi, Thomas and Moffat, cwl_eval, SIGIR 2019, after Järvelin and Kekäläinen, TOIS 2002",
    tools={"ir_measures": "SDCG"},
)
def scaled_gain(judged: Judged, dcg: str, min_rel: float, max_rel: float, cutoff: int) -> Floats:
    """SDCG@k of each query, float64[E]."""
    return weighed(scaled_gains(judged, min_rel, max_rel, cutoff), 1.0 / np.log2(np.arange(1, cutoff + 1) + 1.0))


@measure(
    "NERR8",
    title="Nearly expected reciprocal rank, equation 8",
    parameters=(MINIMUM, MAXIMUM),
    cutoff=Cutoff.REQUIRED,
    rewards="gain a document read down to rank k, for a person whom a gain of g stops with probability g",
    ignores="most of what follows a very relevant document",
    formula=_weighing("k", r"C(i) = 1 - g(i)"),
    source=NERR,
    tools={"ir_measures": "NERR8", "textbook": "NERR (8)"},
)
def nearly_err_8(judged: Judged, min_rel: float, max_rel: float, cutoff: int) -> Floats:
    """NERR8@k of each query, float64[E]."""
    return weighed_until_satisfied(scaled_gains(judged, min_rel, max_rel, cutoff), np.ones(cutoff))


@measure(
    "NERR9",
    title="Nearly expected reciprocal rank, equation 9",
    parameters=(MINIMUM, MAXIMUM),
    cutoff=Cutoff.REQUIRED,
    rewards="gain near the top, for a person who tires by rank and whom a gain of g stops with probability g",
    ignores="most of what follows a very relevant document",
    formula=_weighing("k", r"C(i) = \frac{i}{i+1}\,(1 - g(i))"),
    source=NERR,
    tools={"ir_measures": "NERR9", "textbook": "NERR (9)"},
)
def nearly_err_9(judged: Judged, min_rel: float, max_rel: float, cutoff: int) -> Floats:
    """NERR9@k of each query, float64[E]."""
    return weighed_until_satisfied(scaled_gains(judged, min_rel, max_rel, cutoff), 1.0 / np.arange(1, cutoff + 1))


@measure(
    "NERR10",
    title="Nearly expected reciprocal rank, equation 10",
    parameters=(
        Parameter("p", "number", 0.9, "probability of going on to the next document", low=0, high=1),
        MINIMUM,
        MAXIMUM,
        DEPTH,
    ),
    rewards="gain near the top, for a person who goes on with probability p and whom a gain of g stops with g",
    ignores="most of what follows a very relevant document",
    formula=_weighing("d", r"C(i) = p\,(1 - g(i))"),
    source=NERR,
    tools={"ir_measures": "NERR10", "textbook": "NERR (10)"},
)
def nearly_err_10(judged: Judged, p: float, min_rel: float, max_rel: float, depth: int) -> Floats:
    """NERR10 of each query, float64[E]."""
    return weighed_until_satisfied(scaled_gains(judged, min_rel, max_rel, depth), np.power(p, np.arange(float(depth))))


@measure(
    "NERR11",
    title="Nearly expected reciprocal rank, equation 11",
    parameters=(WANTED, MINIMUM, MAXIMUM, DEPTH),
    rewards="gain near the top, for a person who looks for T in all and whom a gain of g stops with probability g",
    ignores="most of what follows a very relevant document",
    formula=_weighing("d", r"C(i) = \left(\frac{i + 2T - 1}{i + 2T}\right)^{2} (1 - g(i))"),
    source=NERR,
    tools={"ir_measures": "NERR11", "textbook": "NERR (11)"},
)
def nearly_err_11(judged: Judged, T: float, min_rel: float, max_rel: float, depth: int) -> Floats:  # noqa: N803
    """NERR11 of each query, float64[E]."""
    return weighed_until_satisfied(scaled_gains(judged, min_rel, max_rel, depth), _squares(T, depth))
