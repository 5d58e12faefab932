"""``irviewer agreement``: how far judges agree on grades and on systems, and what follows from it.

``reports.agreement`` writes what is found."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.analysis.agreement.confusion import confusion
from irviewer.analysis.agreement.corrected import corrected_scores
from irviewer.analysis.agreement.judge_agreement import AgreementOptions, agreement
from irviewer.analysis.agreement.leverage import leverage
from irviewer.analysis.agreement.merge import RULES, TIES, merge
from irviewer.analysis.agreement.sampling import draw_pairs, draw_queries
from irviewer.analysis.agreement.systems_by_judge import systems_by_judge
from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.resampling import SAMPLES, SEED
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.api import sources
from irviewer.api.judges import families_of
from irviewer.cli.options import add_dialect, add_duplicates, number, put
from irviewer.cli.run_options import read_runs
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.formats.judging_task import read_task, task_text
from irviewer.formats.query_sets import read_query_sets
from irviewer.formats.registry import format_named
from irviewer.model.judgments.judging_task import UNITS
from irviewer.model.judgments.judgment_set import ORIGINS, JudgmentSet, Origin, judge_named
from irviewer.model.judgments.panel import Panel, panel_of
from irviewer.model.number_text import percent
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import free_name
from irviewer.reports.agreement import (
    FORMS,
    MATRIX,
    Page,
    agreement_page,
    by_query_page,
    confusion_page,
    corrected_page,
    write,
)
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.agreement.merge import Merged
    from irviewer.model.run import Run


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = tr(
        "Print how far judges agree on the pairs of query and document that both judged: share of equal grades, kappa, "
        "Krippendorff's alpha, specific agreement and Gwet's AC1, with intervals by bootstrap over queries. With "
        "--runs the systems under each judge: values, ranks, Kendall's tau and tau-AP of their orders."
    )
    parser.add_argument("qrels", nargs="+", metavar="QRELS", help=tr("judgments, one file a judge"))
    parser.add_argument("--runs", nargs="+", default=[], metavar="RUN", help=tr("retrieval runs"))
    parser.add_argument("-m", "--measure", default="nDCG@10", metavar="MEASURE", help=tr("of the runs (nDCG@10)"))
    parser.add_argument(
        "-l", "--level", type=number, default=1, metavar="N", help=tr("least relevant grade (default 1)")
    )
    parser.add_argument("--reference", metavar="JUDGE", help=tr("the judge to compare with (without: the first)"))
    for name, label in (("origin", "ORIGIN"), ("family", "FAMILY")):
        parser.add_argument(
            f"--{name}", action="append", default=[], metavar=f"JUDGE={label}",
            help=tr("where a judge's grades come from: {origins}; repeatable", origins=", ".join(ORIGINS))
            if name == "origin" else tr("the model or group that a judge belongs to; repeatable"),
        )  # fmt: skip
    parser.add_argument(
        "--run-family", action="append", default=[], metavar="RUN=FAMILY",
        help=tr("a run uses a model of that family; repeatable (without: the run's attribute family)"),
    )  # fmt: skip
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--confusion", metavar="JUDGE",
        help=tr("print the reference by this judge grade by grade, and the documents on which they disagree"),
    )  # fmt: skip
    modes.add_argument("--by-query", action="store_true", help=tr("print each query by itself"))
    modes.add_argument(
        "--correct", metavar="JUDGE",
        help=tr("print this model's scores of the runs, corrected by the queries that the reference judged as well"),
    )  # fmt: skip
    modes.add_argument("--merge", choices=tuple(RULES), help=tr("write one judgment set made of all (TREC qrels)"))
    modes.add_argument(
        "--draw", type=int, metavar="N",
        help=tr("write a task for another judge: N queries or pairs of the first file, N of each stratum"),
    )  # fmt: skip
    parser.add_argument("--ties", choices=tuple(TIES), default="lower", help=tr("with --merge majority (lower)"))
    parser.add_argument("--unit", choices=UNITS, default="query", help=tr("with --draw: what is drawn (query)"))
    parser.add_argument(
        "--strata", metavar="FILE", help=tr("with --draw: the stratum of each query; pairs are drawn by grade")
    )
    parser.add_argument(
        "--task", metavar="FILE", help=tr("the sample that the reference judged, with its inclusion probabilities")
    )
    parser.add_argument("--baseline", metavar="RUN", help=tr("with --correct: differences with this run"))
    parser.add_argument(
        "--matrix", choices=tuple(COEFFICIENTS), default=MATRIX, metavar="STATISTIC",
        help=tr("what the matrix of all judges shows: {names} ({preset})", names=", ".join(COEFFICIENTS),
                preset=MATRIX),
    )  # fmt: skip
    parser.add_argument(
        "--steps", choices=("position", "grade"), default="position",
        help=tr("weighted kappa: neighbouring grades are one step apart, or as far as their difference (position)"),
    )  # fmt: skip
    parser.add_argument("--most", type=int, default=20, metavar="N", help=tr("with --confusion: documents shown (20)"))
    parser.add_argument("--alpha", type=float, default=ALPHA, metavar="P", help=tr("significance of pairs (.05)"))
    parser.add_argument("--confidence", type=float, default=LEVEL, metavar="C", help=tr("level of intervals (.95)"))
    parser.add_argument(
        "--samples", type=int, default=SAMPLES, metavar="N",
        help=tr("bootstrap samples ({n}); 0: no intervals", n=SAMPLES),
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=tr("of what is drawn ({n})", n=SEED))
    parser.add_argument("--format", choices=FORMS, default="table", help=tr("default: table"))
    parser.add_argument("-o", "--output", metavar="FILE", help=tr("write there instead of printing"))
    add_dialect(parser)
    add_duplicates(parser, "refuse")


def run(options: argparse.Namespace) -> int:
    """``irviewer agreement``."""
    judges = _judges(options)
    if options.draw is not None:
        put(_task(options, judges[0]), options.output)
        return 0
    panel = panel_of(judges)
    reference = 0 if options.reference is None else judge_named(judges, options.reference)
    runs = read_runs(options, judges[reference].qrels) if options.runs else []
    if options.merge is not None:
        merged = merge(panel, options.merge, ties=options.ties)
        put(_merged_text(merged), options.output)
        note(_merged_note(merged, runs))
        return 0
    put(write(_page(options, panel, reference, runs), options.format), options.output)
    return 0


def _page(options: argparse.Namespace, panel: Panel, reference: int, runs: Sequence[Run]) -> Page:
    choices = AgreementOptions(options.level, options.steps, options.samples, options.seed, options.confidence)
    rules = EvaluationOptions(level=options.level, dialect=options.dialect)
    task = None if options.task is None else read_task(options.task)
    if options.correct is not None:
        model = panel.place(options.correct)
        found = corrected_scores(
            panel.sets[reference], panel.sets[model], runs, options.measure, task=task, baseline=options.baseline,
            level=options.confidence, alpha=options.alpha, evaluation=rules,
        )  # fmt: skip
        return corrected_page(found)
    if options.by_query:
        others = [place for place in range(len(panel.sets)) if place != reference]
        return by_query_page([confusion(panel, reference, other, options.level) for other in others])
    weights = None if task is None else task.weights(panel)
    if options.confusion is not None:
        other = panel.place(options.confusion)
        if other == reference:
            raise OptionError(tr("--confusion {judge}: this is the reference. Name another judge.",
                                 judge=options.confusion))  # fmt: skip
        both = panel_of([panel.sets[reference], panel.sets[other]])
        table = confusion(both, 0, 1, options.level)
        documents = table.documents()
        gains = leverage(documents, panel.sets[reference].qrels, runs, options.measure, rules) if runs else None
        return confusion_page(table, agreement(both, choices), documents, gains, options.most)
    grades = agreement(panel, choices, reference=reference, weights=weights)
    systems = None
    if runs:
        systems = systems_by_judge(
            panel, runs, options.measure, choices, reference=reference, evaluation=rules, alpha=options.alpha,
            families=families_of(runs, _named(options.run_family, "--run-family")),
        )  # fmt: skip
    return agreement_page(grades, systems, options.matrix)


def _judges(options: argparse.Namespace) -> list[JudgmentSet]:
    """The judges of the command line, each with a name of its own."""
    found: list[JudgmentSet] = []
    for path in options.qrels:
        qrels = sources.read_qrels(path, duplicates=options.duplicates, format=options.qrels_from)
        name = free_name(qrels.name, [judge.name for judge in found])
        found.append(JudgmentSet(qrels.renamed(name), name))
    for field in ("origin", "family"):
        for name, value in _named(getattr(options, field), f"--{field}").items():
            place = judge_named(found, name)
            own = found[place]
            found[place] = replace(own, family=value) if field == "family" else replace(own, origin=_origin(value))
    return found


def _origin(value: str) -> Origin:
    found = next((origin for origin in ORIGINS if origin == value), None)
    if found is None:
        raise OptionError(tr("--origin {value}: use one of {origins}.", value=value, origins=", ".join(ORIGINS)))
    return found


def _named(texts: Sequence[str], option: str) -> dict[str, str]:
    found = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        if not sign or not name or not value:
            raise OptionError(tr("{option} {text}: write NAME=VALUE.", option=option, text=text))
        found[name] = value
    return found


def _task(options: argparse.Namespace, judge: JudgmentSet) -> str:
    strata = None
    if options.strata is not None:
        if options.unit == "pair":
            raise OptionError(tr("--strata is of queries; pairs are drawn by grade. Leave one of the two out."))
        sets = read_query_sets(options.strata)
        strata = {query: one.name for one in sets for query in one.query_ids}
    if options.unit == "query":
        task = draw_queries(judge.qrels, options.draw, strata=strata, seed=options.seed)
    else:
        task = draw_pairs(judge.qrels, options.draw, seed=options.seed)
    return task_text(task, lines=str(options.output or "").endswith(".jsonl"))


def _merged_text(merged: Merged) -> str:
    return format_named("trec").encoded(merged.judgments.qrels).decode("utf-8", "surrogateescape")


def _merged_note(merged: Merged, runs: Sequence[Run]) -> str:
    counts = tr("{n} judgments, {ties} decided by the tie rule.", n=f"{len(merged.judgments.qrels):,}",
                ties=f"{merged.ties:,}")  # fmt: skip
    lines = [merged.sentence, counts]
    if runs:
        shares = merged.shares_of_top(runs)
        names = [*merged.panel.names, tr("several"), tr("none")]
        for run, row in zip(runs, shares.tolist(), strict=True):
            parts = ", ".join(f"{name} {percent(share)}" for name, share in zip(names, row, strict=True) if share > 0)
            lines.append(tr("{run}: its first 10 documents are judged by {parts}.", run=run.name, parts=parts or "–"))
    return " ".join(lines)
