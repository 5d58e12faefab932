"""Which measures the tables show where the person chose none. Knows the measures by name only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from irviewer.errors import MeasureError
from irviewer.measures.base import Cutoff, Measure, make
from irviewer.measures.parser import parse_measure, parse_measures
from irviewer.model.qrels import Qrels

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
"""Offered where qrels grade documents by subtopic or by person."""

PREFERENCES = ("prefs_simp", "prefs_pair", "prefs_avgjg", "prefs_num_prefs_ful")
"""Offered where qrels are preferences."""


def further_measures(qrels: Qrels) -> tuple[str, ...]:
    """What qrels offer beyond the common measures."""
    said = qrels.assessments
    if said is None:
        return ()
    return BY_ASPECT if said.sub_codes is None else PREFERENCES


def recall_depth(depth: int) -> int:
    """The cutoff that recall is told at: 1000 for runs of that depth, else 100 or 50, and less for shorter ones."""
    if depth >= 1000:
        return 1000
    for cutoff, least in ((100, 200), (50, 50), (20, 20), (10, 10)):
        if depth >= least:
            return cutoff
    return 5


def systems_measures(depth: int, chosen: Measure, wanted: Sequence[str] = ()) -> tuple[Measure, ...]:
    """Columns of the Systems table: those wanted, else the usual ones; the chosen measure is always among them."""
    recall = f"R@{recall_depth(depth)}"
    measures = _known(wanted) or _usual(("AP", "nDCG@10", "P@10", "RR", "Rprec", recall))
    return measures if chosen in measures else (*measures, chosen)


def query_measures(depth: int, chosen: Measure) -> tuple[Measure, ...]:
    """Rows of a query's metric table, the chosen measure among them."""
    recall = f"R@{recall_depth(depth)}"
    measures = _usual(("nDCG@10", "nDCG", "AP", "P@10", recall, "RR", "Rprec"))
    return measures if chosen in measures else (chosen, *measures)


@lru_cache(maxsize=64)
def _usual(texts: tuple[str, ...]) -> tuple[Measure, ...]:
    """The measures of built-in families; asked for several times a refresh."""
    return parse_measures(texts)


def measure_at(measure: Measure, cutoff: int) -> Measure:
    """The measure at another rank; the same one where it takes no rank or was given none."""
    takes = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    if not takes or measure.cutoff is None:
        return measure
    return make(measure.family, dict(measure.given), cutoff)


def cutoff_of(measure: Measure) -> int | None:
    """The rank that a measure is cut at; None where it is not cut at a rank."""
    takes = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    return int(measure.cutoff) if takes and measure.cutoff is not None else None


def _known(texts: Sequence[str]) -> tuple[Measure, ...]:
    """The measures that can be read; a setting with a name of a later version loses that name only."""
    measures = []
    for text in texts:
        try:
            measures.append(parse_measure(text))
        except MeasureError:
            continue
    return tuple(dict.fromkeys(measures))
