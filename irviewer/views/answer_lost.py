"""Where vital nuggets were lost: the first stage that fails, by system, topic and nugget."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from irviewer.analysis.answers.lost import STAGES, Lost, lost_nuggets
from irviewer.evaluation.bind import BoundProtocol
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr
from irviewer.views.answer_nuggets import chosen_topics
from irviewer.views.answer_systems import systems_of
from irviewer.views.inputs import Inputs
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_query, option

TITLES = {
    "no_document": tr("no document known to hold it"),
    "not_retrieved": tr("its documents not retrieved"),
    "below": tr("ranked below the context"),
    "not_cited": tr("in the context, not cited"),
    "cited": tr("cited, not said"),
    "partly": tr("said in part"),
    "unknown": tr("cannot be known"),
}
SHORT = {
    "no_document": tr("no document"),
    "not_retrieved": tr("not retrieved"),
    "below": tr("below the context"),
    "not_cited": tr("not cited"),
    "cited": tr("cited, not said"),
    "partly": tr("in part"),
    "unknown": tr("cannot be known"),
}
"""The same for the titles of columns."""


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    topic: Annotated[str, a_query(tr("only this topic"))] = "",
    links: Annotated[
        Literal["auto", "segments", "grades"],
        option(tr("how the documents of a nugget are known: by segment assignments, or as every relevant document of "
                  "its topic; auto: by segments if there are any")),
    ] = "auto",
    context_size: Annotated[
        int, option(tr("the number of documents that the answers were made from; 0: the whole list"), low=0)
    ] = 0,
) -> Lost:  # fmt: skip
    """Where was it lost: the first stage that fails for each vital nugget that an answer does not say."""
    part = inputs.one
    runs = systems_of(part, protocol)
    return lost_nuggets(
        part.qrels, runs, chosen_topics(part, topic), rule=links, level=part.options.level, context=context_size
    )  # fmt: skip


def tables(lost: Lost, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``systems`` (counts by stage), ``topics`` and ``nuggets``."""
    matrix = lost.matrix
    counts = lost.counts
    total = counts.sum(axis=1)
    systems = Table("systems", tr("Lost vital nuggets by system"), (
        column.run("run", tr("run"), matrix.runs),
        column.count("vital", tr("vital"), lost.vital),
        column.count("said", tr("said"), lost.vital - total, better_up=True),
        *(column.count(stage, SHORT[stage], counts[:, place], better_up=_better_up(stage), tip=TITLES[stage])
          for place, stage in enumerate(STAGES)),
    ), keys=matrix.runs, opens="run", notes=_notes(lost))  # fmt: skip
    topics = np.array(matrix.topics, dtype=object)
    of_each = topics[lost.nugget] if len(lost.nugget) else np.array([], dtype=object)
    keys = sorted({(str(topic), run) for topic, run in zip(of_each, lost.run.tolist(), strict=True)})
    place_of = {key: number for number, key in enumerate(keys)}
    by_topic = np.zeros((len(keys), len(STAGES)), dtype=np.int64)
    rows = [place_of[(str(topic), run)] for topic, run in zip(of_each, lost.run.tolist(), strict=True)]
    np.add.at(by_topic, (np.array(rows, dtype=np.int64), lost.stage), 1)
    stage_codes = [STAGES[stage] for stage in lost.stage.tolist()]
    nuggets = matrix.nuggets
    return ViewResult(lost, (
        systems,
        Table("topics", tr("Lost vital nuggets by topic and system"), (
            column.identifier("topic", tr("topic"), [topic for topic, _ in keys]),
            column.run("run", tr("run"), [matrix.runs[run] for _, run in keys]),
            *(column.count(stage, SHORT[stage], by_topic[:, place], better_up=_better_up(stage), tip=TITLES[stage])
              for place, stage in enumerate(STAGES)),
        ), opens="query"),
        Table("nuggets", tr("Lost vital nuggets"), (
            column.identifier("topic", tr("topic"), [str(topic) for topic in of_each]),
            column.text("nugget", tr("nugget"), nuggets.texts.take(matrix.rows[lost.nugget]).to_pylist()),
            column.run("run", tr("run"), [matrix.runs[run] for run in lost.run.tolist()]),
            column.text("stage", tr("lost"), stage_codes, texts=[TITLES[code] for code in stage_codes]),
            column.rank("rank", tr("rank"), [rank or None for rank in lost.rank.tolist()]),
            column.identifier("document", tr("document"), list(lost.document)),
        ), opens="query"),
    ))  # fmt: skip


def _better_up(stage: str) -> bool | None:
    """Return False for a loss, None for what cannot be known."""
    return None if stage == "unknown" else False


def _notes(lost: Lost) -> tuple[Remark, ...]:
    said = {
        "segments": tr("The documents of a nugget are those that segment assignments name."),
        "grades": tr("≈ The documents of a nugget are taken to be all of grade {level:g} or more of its topic: a "
                     "weaker rule than assignments to segments.", level=lost.level),
        "": tr("No documents are known to hold nuggets: give assignments to segments, or qrels of documents. Without "
               "them it cannot be known where a nugget was lost."),
    }[lost.rule]  # fmt: skip
    size = (
        tr("The context is the whole list of each run.") if not lost.context
        else tr("The context is the first {n} documents.", n=lost.context)
    )  # fmt: skip
    warn = lost.rule != "segments"
    return (
        Remark("documents", said, {"rule": lost.rule}, warns=warn),
        Remark("context", size, {"context": lost.context}, warns=False),
    )


VIEW = ResultView("answer-lost", compute, tables, title=tr("Where was it lost?"), uses=("rules", "scope"))
