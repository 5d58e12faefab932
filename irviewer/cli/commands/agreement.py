"""``irviewer agreement``: print the agreement of judges on grades and on systems; merge judgment sets; draw samples."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.analysis.agreement.confusion import confusion
from irviewer.analysis.agreement.judge_agreement import agreement, agreement_options
from irviewer.analysis.agreement.leverage import leverage
from irviewer.analysis.agreement.merge import RULES, TIES, merge
from irviewer.analysis.agreement.sampling import draw_pairs, draw_queries, refuse_document_sample
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.significance.resampling import SAMPLES
from irviewer.api.judges import agreement_by, bound_judges, corrected_by
from irviewer.cli.options.common import (
    add_dialect,
    add_duplicates,
    add_judged_only,
    add_level,
    add_measure,
    only_measure,
    put,
)
from irviewer.cli.options.protocol import SELECTED, Followed, add_protocol, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import read_runs
from irviewer.cli.options.statistics import add_confidence, add_seed
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.cli.streams import note, put_notes
from irviewer.errors import OptionError
from irviewer.evaluation.bind import refuse_fields
from irviewer.formats.judging_task import read_task, task_text
from irviewer.formats.load import load
from irviewer.formats.query_sets import read_query_sets
from irviewer.formats.registry import format_named
from irviewer.model.judgments.judging_task import UNITS
from irviewer.model.judgments.judgment_set import ORIGINS, JudgmentSet, Origin, judge_named
from irviewer.model.judgments.panel import Panel, panel_of
from irviewer.model.number_text import percent
from irviewer.model.options import evaluation_options
from irviewer.model.qrels import Qrels
from irviewer.model.run_names import free_name
from irviewer.tables.writers.registry import writer_named
from irviewer.translation import tr, trn
from irviewer.views import corrected
from irviewer.views.agreement import AT_LENGTH, tables
from irviewer.views.confusion import by_query_tables
from irviewer.views.confusion import tables as confusion_tables
from irviewer.views.result import ViewResult

if TYPE_CHECKING:
    from irviewer.analysis.agreement.merge import Merged
    from irviewer.model.run import Run

FOLLOWED = Followed(
    "agreement",
    {"level": "level", "dialect": "dialect", "judged_only": "judged_only", "measure": "measures",
     "confidence": "confidence", "samples": "samples", "seed": "seed", "alpha": "alpha", "baseline": "baseline",
     **dict.fromkeys(SELECTED, "queries")},
    also=("depth", "missing", "runs"),
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = tr(
        "Print the agreement of judges on the pairs of query and document that both judged: share of equal grades, "
        "kappa, "
        "Krippendorff's alpha, specific agreement and Gwet's AC1, with intervals by bootstrap over queries. With "
        "--runs, "
        "also print values and ranks of the runs under each judge, with Kendall's tau and tau-AP of the orders."
    )
    parser.add_argument(
        "qrels", nargs="+", metavar="QRELS", help=tr("judgments, one file per judge or a table with a judge column")
    )
    parser.add_argument("--runs", nargs="+", default=[], metavar="RUN", help=tr("retrieval runs"))
    add_measure(parser, of_nuggets=True)
    add_level(parser)
    add_judged_only(parser)
    parser.add_argument("--reference", metavar="JUDGE", help=tr("judge to compare with (default: the first)"))
    for name, label in (("origin", "ORIGIN"), ("family", "FAMILY")):
        parser.add_argument(
            f"--{name}", action="append", default=[], metavar=f"JUDGE={label}",
            help=tr("origin of the grades of a judge, repeatable: {origins}", origins=", ".join(ORIGINS))
            if name == "origin" else tr("model or group of a judge, repeatable"),
        )  # fmt: skip
    parser.add_argument(
        "--run-family", action="append", default=[], metavar="RUN=FAMILY",
        help=tr("family of the model that a run uses, repeatable (default: the attribute family of the run)"),
    )  # fmt: skip
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--confusion", metavar="JUDGE",
        help=tr("print the confusion matrix of the reference and this judge, and the documents on which they disagree"),
    )  # fmt: skip
    modes.add_argument("--by-query", action="store_true", help=tr("print the agreement of each query"))
    modes.add_argument(
        "--correct", metavar="JUDGE",
        help=tr("print the values of the runs under this judge, corrected by the queries that the reference also "
                "judged"),
    )  # fmt: skip
    modes.add_argument(
        "--merge", choices=tuple(RULES), help=tr("merge all judges into one judgment set and write it (TREC qrels)")
    )
    modes.add_argument(
        "--draw", type=int, metavar="N",
        help=tr("write a task for another judge: N queries or pairs of the first file; with strata, N of each"),
    )  # fmt: skip
    parser.add_argument(
        "--ties",
        choices=tuple(TIES),
        default="lower",
        help=tr("with --merge majority: how ties are decided (default: lower)"),
    )
    parser.add_argument(
        "--unit", choices=UNITS, default="query", help=tr("with --draw: draw queries or pairs (default: query)")
    )
    parser.add_argument(
        "--strata",
        metavar="FILE",
        help=tr("with --draw: file with the stratum of each query; pairs are drawn by grade"),
    )
    parser.add_argument(
        "--task",
        metavar="FILE",
        help=tr("file of the sample that the reference judged, with its inclusion probabilities"),
    )
    parser.add_argument("--baseline", metavar="RUN", help=tr("with --correct: print differences to this run"))
    parser.add_argument(
        "--matrix", choices=tuple(COEFFICIENTS), default="", metavar="STATISTIC",
        help=tr("statistic in the matrix of all judges: {names} (default: kappa_quadratic, or kappa_level where judges "
                "have different scales)", names=", ".join(COEFFICIENTS)),
    )  # fmt: skip
    parser.add_argument(
        "--steps", choices=("position", "grade"), default="position",
        help=tr("weighted kappa: distance of grades by position or by difference (default: position)"),
    )  # fmt: skip
    parser.add_argument(
        "--most",
        type=int,
        default=20,
        metavar="N",
        help=tr("with --confusion: number of documents printed (default: 20)"),
    )
    parser.add_argument(
        "--alpha", type=float, default=ALPHA, metavar="P", help=tr("significance level of pairs of runs (default: .05)")
    )
    add_confidence(parser)
    parser.add_argument(
        "--samples", type=int, default=SAMPLES, metavar="N",
        help=tr("number of bootstrap samples (default: {samples}); 0: no intervals", samples=SAMPLES),
    )  # fmt: skip
    add_seed(parser)
    add_tables(parser, others=("merge", "draw"))
    add_dialect(parser)
    add_query_set(parser)
    add_duplicates(parser, "refuse")
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer agreement``."""
    judges = _judges(options)
    if options.draw is not None:
        put(_task(options, judges[0]), options.output)
        return 0
    panel = panel_of(judges)
    reference = 0 if options.reference is None else judge_named(judges, options.reference)
    runs = taking_part(options, read_runs(options, judges[reference].qrels)) if options.runs else []
    if options.merge is not None:
        merged = merge(panel, options.merge, ties=options.ties)
        put(_merged_text(merged), options.output)
        note(_merged_note(merged, runs))
        return 0
    result = _result(options, panel, reference, runs)
    put_tables(result, options, [table.name for table in result.tables if table.n_rows and table.name not in AT_LENGTH])
    return 0


def _result(options: argparse.Namespace, panel: Panel, reference: int, runs: Sequence[Run]) -> ViewResult:
    asked, qrels = options.asked, panel.sets[reference].qrels
    choices = agreement_options(options.asked.rules, options.asked.inference, options.steps)
    rules = evaluation_options(options.asked.rules)
    measure = only_measure(options, qrels)
    task = None if options.task is None else read_task(options.task)
    if options.correct is not None:
        refuse_fields(asked, ("queries",), "irviewer agreement --correct")
        model = panel.place(options.correct)
        scores = corrected_by(asked, panel.sets[reference], panel.sets[model], runs, measure, task)
        return corrected.tables(scores, scores.protocol)
    bound = bound_judges(asked, qrels, runs, judges=panel.sets, task=task)
    panel = panel if bound.selected is None else panel.of_queries(bound.query_ids)
    if options.by_query:
        others = [index for index in range(len(panel.sets)) if index != reference]
        return by_query_tables([confusion(panel, reference, other, options.level) for other in others], bound)
    if options.confusion is not None:
        other = panel.place(options.confusion)
        if other == reference:
            raise OptionError(tr("--confusion {judge}: this is the reference; name another judge",
                                 judge=options.confusion))  # fmt: skip
        both = panel_of([panel.sets[reference], panel.sets[other]]).of_queries(panel.query_ids)
        table = confusion(both, 0, 1, options.level)
        documents = table.documents()
        if runs:
            refuse_document_sample(panel.sets[reference], task)
        gains = leverage(documents, panel.sets[reference].qrels, runs, measure, rules) if runs else None
        most = None if writer_named(options.format).exact else options.most
        return confusion_tables(table, bound, agreement=agreement(both, choices), leverage=gains, most=most)
    report = agreement_by(
        asked, panel, runs or None, measure, reference=reference, steps=options.steps, task=task,
        families=_named(options.run_family, "--run-family"),
    )  # fmt: skip
    return tables(report, report.protocol, options.matrix)


def _judges(options: argparse.Namespace) -> list[JudgmentSet]:
    """Return the judges of the command line, with unique names."""
    judges: list[JudgmentSet] = []
    for path in options.qrels:
        loaded = load(
            path, kind="qrels", duplicates=options.duplicates, format=options.qrels_from, columns=options.columns,
            judges=True,
        )  # fmt: skip
        put_notes(loaded.report.said_everywhere)
        assert isinstance(loaded.value, Qrels)
        for judge in loaded.judges or (JudgmentSet.of(loaded.value),):
            name = free_name(judge.name, [other.name for other in judges])
            judges.append(replace(judge, qrels=judge.qrels.renamed(name), name=name))
    for field in ("origin", "family"):
        for name, value in _named(getattr(options, field), f"--{field}").items():
            index = judge_named(judges, name)
            judge = judges[index]
            judges[index] = replace(judge, family=value) if field == "family" else replace(judge, origin=_origin(value))
    return judges


def _origin(value: str) -> Origin:
    origin = next((origin for origin in ORIGINS if origin == value), None)
    if origin is None:
        raise OptionError(tr("--origin {value}: use one of {origins}", value=value, origins=", ".join(ORIGINS)))
    return origin


def _named(texts: Sequence[str], option: str) -> dict[str, str]:
    values = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        if not sign or not name or not value:
            raise OptionError(tr("{option} {text}: write NAME=VALUE", option=option, text=text))
        values[name] = value
    return values


def _task(options: argparse.Namespace, judge: JudgmentSet) -> str:
    strata = None
    if options.strata is not None:
        if options.unit == "pair":
            raise OptionError(
                tr("--strata is for queries, and pairs are drawn by grade; remove --strata or --unit pair")
            )
        sets = read_query_sets(options.strata)
        strata = {query: query_set.name for query_set in sets for query in query_set.query_ids}
    if options.unit == "query":
        task = draw_queries(judge.qrels, options.draw, strata=strata, seed=options.seed)
    else:
        task = draw_pairs(judge.qrels, options.draw, seed=options.seed)
    return task_text(task, lines=str(options.output or "").endswith(".jsonl"))


def _merged_text(merged: Merged) -> str:
    return format_named("trec").encoded(merged.judgments.qrels).decode("utf-8", "surrogateescape")


def _merged_note(merged: Merged, runs: Sequence[Run]) -> str:
    counts = trn(
        "{n:,} judgment, {ties:,} decided by the tie rule.",
        "{n:,} judgments, {ties:,} decided by the tie rule.",
        len(merged.judgments.qrels),
        ties=merged.ties,
    )
    lines = [merged.sentence, counts]
    if runs:
        shares = merged.shares_of_top(runs)
        names = [*merged.panel.names, tr("several"), tr("none")]
        for run, row in zip(runs, shares.tolist(), strict=True):
            parts = ", ".join(f"{name} {percent(share)}" for name, share in zip(names, row, strict=True) if share > 0)
            lines.append(tr("{run}: its first 10 documents are judged by {parts}.", run=run.name, parts=parts or "–"))
    return " ".join(lines)
