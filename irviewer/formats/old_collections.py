"""The rows of the table of formats for the classic collections and TREC topics, in the order of asking."""

from __future__ import annotations

from irviewer.formats import lisa, npl, smart_judgments, time_collection, topics

FORMATS = (
    smart_judgments.QUERIES,
    smart_judgments.FORMAT,
    *smart_judgments.CRANFIELD,
    time_collection.FORMAT,
    time_collection.JUDGMENTS,
    lisa.FORMAT,
    npl.FORMAT,
    topics.FORMAT,
    topics.CAR,
    topics.TRECTEXT,
)
