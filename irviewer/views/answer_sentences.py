"""Sentences at fault by system: without a citation, citing what is not there, cited without support."""

from __future__ import annotations

from typing import Annotated

from irviewer.analysis.answers.sentences import FAULTS, SentenceFaults, sentence_faults
from irviewer.evaluation.answer_cautions import unmarked_text
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.arrays import safe_divide
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr
from irviewer.views.answer_nuggets import chosen_topics
from irviewer.views.answer_systems import systems_with_topics
from irviewer.views.inputs import Inputs
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_query

TITLES = {
    "uncited": tr("without a citation"),
    "nowhere": tr("cites what is not there"),
    "not_supported": tr("cited without support"),
}


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    topic: Annotated[str, a_query(tr("only this topic"), title=tr("topic"))] = "",
) -> SentenceFaults:
    """Sentences without a citation, and sentences cited without support, by system."""
    part = inputs.one
    return sentence_faults(systems_with_topics(part, protocol, part.qrels), chosen_topics(part, topic))


def tables(faults: SentenceFaults, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``systems`` and ``sentences``."""
    counts = {fault: faults.count(fault) for fault in FAULTS}
    codes = [FAULTS[fault] for fault in faults.fault.tolist()]
    of_judged = tr("A sentence counts as cited without support where all of its judged citations have the label none.")
    return ViewResult(faults, (
        Table("systems", tr("Sentences by system"), (
            column.run("run", tr("run"), faults.runs),
            column.count("sentences", tr("sentences"), faults.sentences),
            column.count("uncited", TITLES["uncited"], counts["uncited"], better_up=False),
            column.share("uncited_share", tr("share without a citation"),
                         safe_divide(counts["uncited"], faults.sentences), better_up=False),
            column.count("nowhere", TITLES["nowhere"], counts["nowhere"], better_up=False),
            column.count("judged", tr("with judged citations"), faults.judged),
            column.count("not_supported", TITLES["not_supported"], counts["not_supported"], better_up=False),
        ), keys=faults.runs, opens="run", notes=(
            *(Remark("unmarked", unmarked_text(run, count))
              for run, count in zip(faults.runs, faults.unmarked, strict=True) if count),
            Remark("support", of_judged, warns=False),
        )),
        Table("sentences", tr("Sentences at fault"), (
            column.identifier("topic", tr("topic"), list(faults.topic)),
            column.run("run", tr("run"), [faults.runs[run] for run in faults.run.tolist()]),
            column.count("number", tr("sentence number"), faults.number, titles=("#",)),
            column.text("fault", tr("fault"), codes, texts=[TITLES[code] for code in codes]),
            column.text("sentence", tr("sentence"), list(faults.text)),
            column.text("cites", tr("cites"), list(faults.cites)),
        ), keys=[(topic, faults.runs[run], -number) for topic, run, number in
                 zip(faults.topic, faults.run.tolist(), faults.number.tolist(), strict=True)], opens="answer"),
    ))  # fmt: skip


VIEW = ResultView("answer-sentences", compute, tables, title=tr("Sentences"), uses=("rules", "scope", "answers"))
