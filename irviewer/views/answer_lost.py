"""Where vital nuggets were lost: the first stage that fails, by system, topic and nugget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from irviewer.analysis.answers.backing import BACKINGS
from irviewer.analysis.answers.context_ranks import bounds_text
from irviewer.analysis.answers.lost import STAGES, Lost, lost_nuggets
from irviewer.errors import name_some
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.answers.systems import LISTS
from irviewer.model.number_text import percent
from irviewer.tables import column
from irviewer.tables.table import Remark, Status, Table
from irviewer.translation import tr, trn
from irviewer.views.answer_nuggets import chosen_topics
from irviewer.views.answer_systems import (
    FoundList,
    assigners_note,
    pair_of,
    systems_of,
    with_other_judgments,
    with_their_list,
)
from irviewer.views.inputs import Inputs
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_query, a_run, option

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


BACKED = {"uncited": tr("said, without a citation"), "unsupported": tr("said and cited, without support")}


@dataclass(frozen=True, eq=False)
class AnswerLost:
    """Where nuggets were lost; ``listed`` is the run that is the list of the answers;
    ``pair`` the places of the baseline and of the system beside it, ``assigners`` says that several labelled them, and
    ``of_all`` is the name of the list that all answers were made from, "" where these are several or not open."""

    lost: Lost
    listed: FoundList
    pair: tuple[int, int] | None
    assigners: str = ""
    of_all: str = ""

    @property
    def run(self) -> str:
        """The name of the system beside the baseline; "" without one."""
        return "" if self.pair is None else self.lost.matrix.runs[self.pair[1]]


LINK_WORDS: dict[str, str] = {
    "auto": tr("by segments if there are any"), "segments": tr("by segments"), "grades": tr("every relevant document"),
}  # fmt: skip
"""How people read what the documents of a nugget are."""


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    topic: Annotated[str, a_query(tr("only this topic"), title=tr("topic"))] = "",
    links: Annotated[
        Literal["auto", "segments", "grades"],
        option(tr("how the documents of a nugget are known: by segment assignments, or as every relevant document of "
                  "its topic; auto: by segments if there are any"), title=tr("links"), words=LINK_WORDS),
    ] = "auto",
    context_size: Annotated[
        int,
        option(
            tr("the number of documents that the answers were made from; 0: the whole list"), low=0, zero=tr("all"),
            title=tr("context size"),
        ),
    ] = 0,
    run: Annotated[str, a_run(tr("the system beside the baseline in the table of differences; without it the first "
                                 "other one"), title=tr("run"))] = "",
    progress: Callable[[float], None] | None = None,
) -> AnswerLost:  # fmt: skip
    """Where was it lost: the first stage that fails for each vital nugget that an answer does not say."""
    part = inputs.one
    runs, listed = with_their_list(part, systems_of(part, protocol))
    lost = lost_nuggets(
        with_other_judgments(part), runs, chosen_topics(part, topic), rule=links, level=part.options.level,
        context=context_size, progress=progress,
    )  # fmt: skip
    pair = pair_of(part, protocol, lost.matrix.runs, run) if run or len(lost.matrix.runs) > 1 else None
    names = set(lost.matrix.runs)
    own = [run for run in runs if run.name in names]
    lists = {"" if run.answered is None or run.answered.context is None else run.answered.context.name for run in own}
    return AnswerLost(lost, listed, pair, assigners_note(own), lists.pop() if len(lists) == 1 else "")


def tables(shown: AnswerLost, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``systems`` (counts by stage), ``difference`` (of two systems), ``topics``, ``nuggets`` and
    ``said`` (vital nuggets that are said and not backed)."""
    lost = shown.lost
    matrix = lost.matrix
    counts = lost.counts
    backed = lost.backing.counts(len(matrix.runs))
    total = counts.sum(axis=1)
    systems = Table("systems", tr("Lost vital nuggets by system"), (
        column.run("run", tr("run"), matrix.runs),
        column.count("vital", tr("vital"), lost.vital),
        column.count("said", tr("said"), lost.vital - total, better_up=True),
        *(column.count(stage, SHORT[stage], counts[:, place], better_up=_better_up(stage), tip=TITLES[stage])
          for place, stage in enumerate(STAGES)),
        column.count("said_uncited", BACKED["uncited"], backed[:, BACKINGS.index("uncited")], better_up=False,
                     tip=tr("of those said: every sentence that is like the nugget cites nothing")),
        column.count("said_unsupported", BACKED["unsupported"], backed[:, BACKINGS.index("unsupported")],
                     better_up=False, tip=tr("of those said: every judged citation of them is without support")),
    ), keys=matrix.runs, opens="run", notes=_notes(shown))  # fmt: skip
    topics = np.array(matrix.topics, dtype=object)
    of_each = topics[lost.nugget] if len(lost.nugget) else np.array([], dtype=object)
    keys = sorted({(str(topic), run) for topic, run in zip(of_each, lost.run.tolist(), strict=True)})
    place_of = {key: number for number, key in enumerate(keys)}
    by_topic = np.zeros((len(keys), len(STAGES)), dtype=np.int64)
    rows = [place_of[(str(topic), run)] for topic, run in zip(of_each, lost.run.tolist(), strict=True)]
    np.add.at(by_topic, (np.array(rows, dtype=np.int64), lost.stage), 1)
    stage_codes = [STAGES[stage] for stage in lost.stage.tolist()]
    nuggets = matrix.nuggets
    places = matrix.rows[lost.nugget] - nuggets.offsets[nuggets.topic_of_each[matrix.rows[lost.nugget]]]
    return ViewResult(shown, (
        systems, *(() if shown.pair is None else (_difference(shown, *shown.pair),)),
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
            column.rank("rank", tr("rank"), [rank or None for rank in lost.rank.tolist()],
                        texts=[bounds_text(*each) for each in zip(lost.low.tolist(), lost.high.tolist(), strict=True)]),
            column.identifier("document", tr("document"), list(lost.document)),
            column.rank("rank_low", tr("least rank"), [low or None for low in lost.low.tolist()], detail=True),
            column.rank("rank_high", tr("greatest rank"), [high or None for high in lost.high.tolist()], detail=True),
            column.count("place", tr("place"), places + 1, detail=True),
        ), keys=[(str(topic), matrix.runs[run], place) for topic, run, place in
                 zip(of_each, lost.run.tolist(), places.tolist(), strict=True)], opens="answer"),
        _said(lost),
    ))  # fmt: skip


def _difference(shown: AnswerLost, baseline: int, system: int) -> Table:
    """Return how many nuggets two systems lost at each stage."""
    lost, codes = shown.lost, [*STAGES]
    first, second = lost.matrix.runs[baseline], lost.matrix.runs[system]
    counts = lost.counts
    lines = [*(counts[:, place] for place in range(len(codes))), counts.sum(axis=1)]
    change = [int(line[system] - line[baseline]) for line in lines]
    unknown = [None if code == "unknown" else False for code in (*codes, "all")]
    return Table("difference", tr("{run} against {baseline}", run=second, baseline=first), (
        column.text("stage", tr("lost"), [*codes, "all"], texts=[*(TITLES[code] for code in codes), tr("all")]),
        column.count("baseline", first, [int(line[baseline]) for line in lines]),
        column.count("run", second, [int(line[system]) for line in lines]),
        column.difference("difference", tr("difference"), np.array(change, dtype=np.float64), decimals=0,
                          better_up=unknown),
    ), keys=[*codes, "all"], status=Status.of(*[Status.PLAIN] * len(codes), Status.TOTAL))  # fmt: skip


def _said(lost: Lost) -> Table:
    """Return the vital nuggets that are said, and not backed as far as sentences tell."""
    matrix, backing = lost.matrix, lost.backing
    rows = np.flatnonzero(np.isin(backing.kind, [BACKINGS.index(kind) for kind in ("uncited", "unsupported")]))
    rows = rows[np.lexsort((backing.nugget[rows], backing.run[rows], backing.kind[rows]))]
    nuggets, topics = matrix.nuggets, matrix.topics
    own = matrix.rows[backing.nugget[rows]]
    places = own - nuggets.offsets[nuggets.topic_of_each[own]]
    codes = [BACKINGS[kind] for kind in backing.kind[rows].tolist()]
    of_each = [topics[place] for place in backing.nugget[rows].tolist()]
    runs = [matrix.runs[run] for run in backing.run[rows].tolist()]
    hint = Remark("hint", tr(
        "≈ Which sentence says a nugget is taken from the words that they share (at least half of the nugget's): a "
        "hint. Vital nuggets that are said: {n:,}; no sentence is like {unknown:,}; of {open:,} no citation is judged.",
        n=len(backing.kind), unknown=int(np.count_nonzero(backing.kind == BACKINGS.index("unknown"))),
        open=int(np.count_nonzero(backing.kind == BACKINGS.index("not_judged"))),
    ), {"said": len(backing.kind)}, warns=False)  # fmt: skip
    return Table("said", tr("Said, and not backed"), (
        column.identifier("topic", tr("topic"), of_each),
        column.text("nugget", tr("nugget"), nuggets.texts.take(own).to_pylist()),
        column.run("run", tr("run"), runs),
        column.text("fault", tr("fault"), codes, texts=[BACKED[code] for code in codes]),
        column.text("sentences", tr("≈ sentences"),
                    [", ".join(map(str, backing.sentences[row])) for row in rows.tolist()]),
        column.count("place", tr("place"), places + 1, detail=True),
    ), keys=list(zip(of_each, runs, places.tolist(), strict=True)), opens="answer", notes=(hint,))  # fmt: skip


def _better_up(stage: str) -> bool | None:
    """Return False for a loss, None for what cannot be known."""
    return None if stage == "unknown" else False


def _notes(shown: AnswerLost) -> tuple[Remark, ...]:
    lost = shown.lost
    said = {
        "segments": tr("The documents of a nugget are those that segment assignments name."),
        "grades": tr("≈ The documents of a nugget are taken to be all of grade {level:g} or more of its topic: a "
                     "weaker rule than assignments to segments.", level=lost.level),
        "": tr("No documents are known to hold nuggets: give assignments to segments, or qrels of documents. Without "
               "them it cannot be known where a nugget was lost."),
    }[lost.rule]  # fmt: skip
    every = len(lost.unlisted) == len(lost.matrix.runs)
    if lost.context:
        size = trn("The context is the first {n:,} document.", "The context is the first {n:,} documents.",
                   lost.context)  # fmt: skip
    elif every:
        size = tr("The list is not open: of the context only the references are known.")
    elif shown.of_all:
        size = tr("The context is the whole list {run}.", run=shown.of_all)
    else:
        size = tr("The context is the whole list of each run.")
    warn = lost.rule != "segments"
    notes = [
        Remark("documents", said, {"rule": lost.rule}, warns=warn),
        Remark("context", size, {"context": lost.context}, warns=False),
    ]
    if lost.unlisted and (lost.context or not every):
        text = tr("The list of these is not open, and of their context only the references are known: {runs}.",
                  runs=", ".join(lost.unlisted))  # fmt: skip
        notes.append(Remark("unlisted", text, {"runs": list(lost.unlisted)}))
    every_vital = int(np.count_nonzero(lost.matrix.vital))
    lacking = [
        f"{run} {every_vital - vital}"
        for run, vital in zip(lost.matrix.runs, lost.vital.tolist(), strict=True) if vital < every_vital
    ]  # fmt: skip
    if lacking:
        text = trn(
            "Of {n:,} vital nugget, one without a label of the system is in no count here: {runs}.",
            "Of {n:,} vital nuggets, those without a label of the system are in no count here: {runs}.",
            every_vital, runs=name_some(lacking, 3),
        )  # fmt: skip
        notes.append(Remark("unlabelled", text))
    if shown.assigners:
        notes.append(Remark("assigners", shown.assigners))
    listed = shown.listed
    if listed.name and listed.chosen:
        text = tr("The list of the answers is {run}, as chosen: it has {share} of their references.", run=listed.name,
                  share=percent(listed.share))  # fmt: skip
        notes.append(Remark("list", text, {"run": listed.name, "share": listed.share}, warns=listed.share < LISTS))
    elif listed.name:
        text = tr("The list of the answers is taken to be {run}: it has most of their references.", run=listed.name)
        notes.append(Remark("list", text, {"run": listed.name}, warns=False))
    if np.any(lost.low):
        text = tr("Ranks are bounds: references keep the order of the list, since no two systems have two of them in "
                  "another order.")  # fmt: skip
        notes.append(Remark("bounds", text))
    return tuple(notes)


VIEW = ResultView(
    "answer-lost", compute, tables, title=tr("Where was it lost?"), uses=("rules", "scope", "answers"), judges=True,
    settles=("run",),
)  # fmt: skip
