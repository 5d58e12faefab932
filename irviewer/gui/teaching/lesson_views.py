"""The switch between the views of a lesson: names, titles and tips."""

from __future__ import annotations

from irviewer.translation import tr

VIEWS = (
    ("table", tr("Table"), tr("The lecture table: precision, recall, gain and their sums, rank by rank")),
    ("steps", tr("Ranks"), tr("The measure rank by rank, with the next value hidden")),
    ("sets", tr("Sets"), tr("Retrieved and relevant documents as circles")),
    ("f", "F", tr("F by precision and recall")),
    ("pool", tr("Pool"), tr("The pool that the shown runs build for this query, down to the cutoff")),
    ("curves", tr("Curves"), tr("Precision by recall: at every rank, interpolated, or the mean of all queries")),
)
