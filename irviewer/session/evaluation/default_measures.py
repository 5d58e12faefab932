"""The default measures of tables, for users who have chosen none. Knows the measures by name only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from irviewer.errors import MeasureError
from irviewer.evaluation.usual_measures import OF_NUGGETS
from irviewer.measures.answered import reads_answers
from irviewer.measures.base import Cutoff, Measure, make
from irviewer.measures.parser import parse_measure, parse_measures
from irviewer.model.qrels import Qrels
from irviewer.session.runs.colours import MANY_SYSTEMS

COMMON = (
    "nDCG@10",
    "nDCG",
    "AP",
    "P@5",
    "P@10",
    "RR",
    "RR@10",
    "Rprec",
    "R@50",
    "R@100",
    "R@1000",
    "Bpref",
    "Success@1",
)
"""What the measure menu offers at once; every other is a name away."""


BY_ASPECT = ("alpha_nDCG@10", "ERR_IA@10", "P_IA@10", "AP_IA", "StRecall@10", "map_avgjg", "P_avgjg@10")
"""Offered where qrels grade documents by subtopic or by judge."""

OF_SAMPLES = ("xinfAP", "infNDCG", "infNDCG@10")
"""Offered where qrels are a sample by strata."""

PREFERENCES = ("prefs_simp", "prefs_pair", "prefs_avgjg", "prefs_num_prefs_ful")
"""Offered where qrels are preferences."""


MAIN_OF_ANSWERS = OF_NUGGETS[0]
"""The main measure of answers whose nuggets are assigned, as in TREC RAG."""
OF_ANSWERS = (*OF_NUGGETS, "Uncited", "Length", "nDCG@10")
"""The measures beside one of answers: what is said, what is cited, how long, and the list."""


def further_measures(qrels: Qrels) -> tuple[str, ...]:
    """Return further measures that suit the qrels, such as diversity measures."""
    said = qrels.assessments
    if qrels.strata is not None:
        return OF_SAMPLES
    if said is None:
        return () if qrels.nuggets is None else OF_ANSWERS[:-1]
    return BY_ASPECT if said.sub_codes is None else PREFERENCES


def recall_depth(depth: int) -> int:
    """Return the cutoff of recall: 1000 for runs of that depth, else 100 or 50, and less for shorter runs."""
    if depth >= 1000:
        return 1000
    for cutoff, least in ((100, 200), (50, 50), (20, 20), (10, 10)):
        if depth >= least:
            return cutoff
    return 5


def systems_measures(
    depth: int, chosen: Measure, wanted: Sequence[str] = (), stored: Sequence[str] = (), *, graded: bool = True
) -> tuple[Measure, ...]:
    """Return the measures of the Systems table: those of the settings, else the defaults; and the chosen measure.
    ``stored``: the only measures of which values are known, as for stored values. ``graded``: False where the
    judgments are nuggets alone, of which measures of documents mean nothing."""
    recall = f"R@{recall_depth(depth)}"
    usual = _of_answers(chosen, graded) or ("AP", "nDCG@10", "P@10", "RR", "Rprec", recall)
    measures = _known(wanted) or _among(_usual(usual), stored)
    return measures if chosen in measures else (*measures, chosen)


def query_measures(
    depth: int, chosen: Measure, stored: Sequence[str] = (), *, graded: bool = True
) -> tuple[Measure, ...]:
    """Return the measures of a query's table, with the chosen measure; ``stored`` and ``graded`` as for the Systems
    table."""
    recall = f"R@{recall_depth(depth)}"
    usual = _of_answers(chosen, graded) or ("nDCG@10", "nDCG", "AP", "P@10", recall, "RR", "Rprec")
    measures = _among(_usual(usual), stored)
    return measures if chosen in measures else (chosen, *measures)


def _of_answers(chosen: Measure, graded: bool) -> tuple[str, ...]:
    """Return the usual measures of answers; none where documents are what is measured."""
    if not graded:
        return OF_ANSWERS[:-1]
    return OF_ANSWERS if reads_answers(chosen) else ()


COUNTED = parse_measure("NumQ")
"""A measure that has a value on every query that counts."""


def beside_systems(cutoff: int, n_systems: int) -> tuple[Measure, ...]:
    """Return what the Systems table needs beside its measures: which queries count, and of many systems the judged
    shares down to the cutoff."""
    return (COUNTED, judged_share_at(cutoff)) if n_systems > MANY_SYSTEMS else (COUNTED,)


def judged_share_at(cutoff: int) -> Measure:
    """Return the measure in the column of judged shares."""
    return parse_measure(f"Judged@{cutoff}")


MOST_STORED = 8
"""Columns of stored values that are shown where the user chose none."""


def _among(usual: tuple[Measure, ...], stored: Sequence[str]) -> tuple[Measure, ...]:
    """Return the usual measures, of stored values those that there are, and others of them."""
    if not stored:
        return usual
    known = _known(stored)
    first = tuple(measure for measure in usual if measure in known)
    return tuple(dict.fromkeys((*first, *known)))[: max(MOST_STORED, len(first))]


@lru_cache(maxsize=64)
def _usual(texts: tuple[str, ...]) -> tuple[Measure, ...]:
    """Return the default measures, parsed; cached, since every refresh needs them several times."""
    return parse_measures(texts)


def measure_at(measure: Measure, cutoff: int) -> Measure:
    """Return the measure at another rank; unchanged if it has no rank cutoff."""
    takes = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    if not takes or measure.cutoff is None:
        return measure
    return make(measure.family, dict(measure.given), cutoff)


def _known(texts: Sequence[str]) -> tuple[Measure, ...]:
    """Return the measures that can be parsed; unknown names, such as those of a later version, are left out."""
    measures = []
    for text in texts:
        try:
            measures.append(parse_measure(text))
        except MeasureError:
            continue
    return tuple(dict.fromkeys(measures))
