"""Text of retrieval in stages: aligned tables, Markdown, LaTeX, CSV, TSV, JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from irviewer.analysis.stages.stages import FATES, FunnelStep, Stages
from irviewer.model.number_text import p_text, percent
from irviewer.reports import tables
from irviewer.reports.tables import Cell, Grid
from irviewer.tables.json_text import json_text
from irviewer.translation import tr, trn

CAUSE_TITLES = {
    "depth": tr("not within the first stage's depth"),
    "seen": tr("beyond what the last stage saw"),
    "order": tr("below the last stage's top"),
    "": "–",
}
FATE_TITLES = {
    "kept": tr("kept"),
    "promoted": tr("promoted"),
    "demoted": tr("demoted"),
    "below": tr("stays below"),
    "unseen": tr("beyond what the last stage saw"),
    "missed": tr("not within the first stage's depth"),
    "added": tr("not from the first stage"),
}


@dataclass(frozen=True, eq=False)
class StageReport:
    """The stages, with a row for each query if ``by_query``, and the documents of one query."""

    stages: Stages
    by_query: bool = False
    query: str | None = None


def stage_grids(report: StageReport) -> list[Grid]:
    """Return tables of the funnel and the ceilings, and the optional tables."""
    grids = [_funnel(report.stages), _ceilings(report.stages)]
    if report.by_query:
        grids.append(_queries(report.stages))
    if report.query is not None:
        grids.append(_documents(report.stages, report.query))
    return grids


def step_title(step: FunnelStep, top: int) -> str:
    """Return the title of a bar of the funnel."""
    if step.kind == "qrels":
        return tr("in the qrels")
    if step.kind == "stored":
        return tr("within the depth of {run}", run=step.run)
    if step.kind == "seen":
        return tr("seen by {run}", run=step.run)
    return tr("in the top {top} of {run}", top=top, run=step.run)


def _funnel(stages: Stages) -> Grid:
    header = (
        tr("stage"), tr("relevant"), *(tr("grade {grade:g}", grade=grade) for grade in stages.grades), tr("lost"),
        tr("no room"), tr("documents"), tr("unjudged"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for step in stages.steps:
        first = step.kind == "qrels"
        share = None if not step.documents else f"{step.unjudged:,} ({percent(step.unjudged / step.documents)})"
        lost, room = None if first else step.lost, step.no_room if step.kind == "top" else None
        title = step_title(step, stages.top)
        rows.append((title, step.relevant, *step.by_grade, lost, room, None if first else step.documents, share))
    last = stages.runs[-1]
    notes = [
        trn("{n} query, relevant from grade {level:g}.", "{n} queries, relevant from grade {level:g}.",
            len(stages.query_ids), level=stages.level),
        tr(
            "Of the relevant documents in the top {top} of {run}, {kept:,} were in that of {first}, {promoted:,} were "
            "promoted into it; {demoted:,} were demoted out of it.",
            top=stages.top, run=last, first=stages.runs[0], kept=stages.number("kept"),
            promoted=stages.number("promoted"), demoted=stages.number("demoted"),
        ),
        *stages.notes,
    ]  # fmt: skip
    return Grid(" → ".join(stages.runs), header, tuple(rows), tuple(notes))


def value_titles(stages: Stages) -> tuple[str, ...]:
    """Return the titles of the rows of ``Stages.means``."""
    return (
        *(tr("{run}, as it ranks", run=run) for run in stages.runs),
        tr("the documents of {run} in ideal order", run=stages.runs[-1]),
        tr("all judged documents in ideal order"),
    )


def _ceilings(stages: Stages) -> Grid:
    means: list[float] = stages.means.tolist()
    sign = 1 if stages.measure.higher_is_better else -1
    rows: list[tuple[Cell, ...]] = []
    for position, (title, mean) in enumerate(zip(value_titles(stages), means, strict=True)):
        lost = sign * (mean - means[position - 1]) if position >= len(stages.runs) else None
        rows.append((title, mean, lost))
    pair = stages.pair
    header = (tr("order"), tr("mean"), tr("lost"))
    note = tr(
        "{last} against {first}: Δ {change} {ends}, {p} ({tested}); better on {wins:,}, equal on {ties:,}, "
        "worse on {losses:,}.",
        last=pair.run_name, first=pair.other_name, change=pair.change.text, ends=pair.change.ends,
        p=p_text(pair.decision.p_corrected, at_most=pair.decision.at_most), tested=stages.tested,
        wins=pair.wins, ties=pair.ties, losses=pair.losses,
    )  # fmt: skip
    title = tr("Ceiling of {measure}", measure=stages.measure.text)
    return Grid(title, header, tuple(rows), (note,))


def _queries(stages: Stages) -> Grid:
    steps = [step_title(step, stages.top) for step in stages.steps[1:]]
    header = (
        tr("query"), tr("relevant"), *steps, tr("lost by order"), tr("cause"), *stages.runs, tr("ideal order"),
        tr("all judged"),
    )  # fmt: skip
    lost, causes = stages.lost, stages.causes
    rows: list[tuple[Cell, ...]] = []
    for position, query in enumerate(stages.query_ids):
        counts = [int(count) for count in stages.counts[:, position]]
        values = [float(value) for value in stages.values[:, position]]
        rows.append((query, *counts, int(lost[2, position]), CAUSE_TITLES[causes[position]], *values))
    return Grid(tr("By query"), header, tuple(rows))


def _documents(stages: Stages, query: str) -> Grid:
    header = (tr("document"), tr("grade"), *stages.runs, tr("change"), tr("what becomes of it"))
    rows = tuple(
        (
            document.doc_id,
            f"{document.grade:g}",
            *document.ranks,
            None if document.change is None else f"{document.change:+d}".replace("-", "−"),
            FATE_TITLES[document.fate],
        )
        for document in stages.documents(query)
    )
    return Grid(tr("Relevant documents of query {query}: rank by stage", query=query), header, rows)


def write_json(report: StageReport) -> str:
    """Return one object: the funnel, the ceilings, the queries, and the documents of a query (null if not
    requested)."""
    stages = report.stages
    pair = stages.pair
    return json_text(
        {
            "runs": list(stages.runs), "measure": stages.measure.text, "top": stages.top, "level": stages.level,
            "queries": len(stages.query_ids), "grades": list(stages.grades),
            "within": stages.within, "notes": list(stages.notes),
            "funnel": [_json_step(step) for step in stages.steps],
            "fates": {fate: stages.number(fate) for fate in FATES},
            "means": {
                "stages": [{"run": name, "mean": float(stages.means[at])} for at, name in enumerate(stages.runs)],
                "ideal_order": float(stages.means[-2]), "all_judged": float(stages.means[-1]),
            },
            "difference": {
                "run": pair.run_name, "other": pair.other_name, "difference": pair.difference,
                "low": pair.interval.low, "high": pair.interval.high, "p": pair.decision.p,
                "p_corrected": pair.decision.p_corrected, "test": pair.declared,
                "comparisons": pair.decision.comparisons, "in_family": stages.in_family,
                "wins": pair.wins, "ties": pair.ties, "losses": pair.losses,
            },
            "by_query": _json_queries(stages) if report.by_query else None,
            "documents": None if report.query is None else _json_documents(stages, report.query),
        },
        2,
    )  # fmt: skip


def _json_step(step: FunnelStep) -> dict[str, Any]:
    return {
        "stage": step.kind, "run": step.run or None, "relevant": step.relevant, "by_grade": list(step.by_grade),
        "lost": step.lost, "no_room": step.no_room, "possible": step.possible, "documents": step.documents,
        "unjudged": step.unjudged,
    }  # fmt: skip


def _json_queries(stages: Stages) -> list[dict[str, Any]]:
    lost, causes, ordered, reach = stages.lost, stages.causes, stages.ordered, stages.out_of_reach
    return [
        {
            "query": query, "relevant": stages.counts[:, position], "room": int(stages.room[position]),
            "lost": {"depth": int(lost[0, position]), "seen": int(lost[1, position]), "order": int(lost[2, position])},
            "cause": causes[position] or None, "values": stages.values[:, position],
            "lost_by_order": float(ordered[position]), "out_of_reach": float(reach[position]),
        }
        for position, query in enumerate(stages.query_ids)
    ]  # fmt: skip


def _json_documents(stages: Stages, query: str) -> dict[str, Any]:
    return {
        "query": query,
        "documents": [
            {
                "document": document.doc_id,
                "grade": document.grade,
                "ranks": list(document.ranks),
                "change": document.change,
                "fate": document.fate,
            }
            for document in stages.documents(query)
        ],
    }


def _written(writer: Callable[..., str]) -> Callable[[StageReport], str]:
    return lambda report: writer(stage_grids(report))


WRITERS: dict[str, Callable[[StageReport], str]] = {
    "table": _written(tables.write_table),
    "csv": _written(tables.write_csv),
    "tsv": _written(tables.write_tsv),
    "json": write_json,
    "latex": _written(tables.write_latex),
    "markdown": _written(tables.write_markdown),
}
