"""irviewer, the debugger for rankings: relevance judgments and retrieval runs, with trec_eval's numbers, offline.

    import irviewer
    result = irviewer.evaluate("qrels.txt", ["bm25.run", "dense.run"], ["nDCG@10", "AP"])
    result.mean("nDCG@10", "bm25")

The map of the packages, from the top down; imports go down only (import-linter holds it):

``__main__``   the one place that knows both the window and the command line
``gui``        the window, the only importer of PySide6: one package per place (``gui.query``, ``gui.systems`` …),
               the dialogs, the widgets they share; ``gui.plots`` is the only importer of pyqtgraph
``cli``        evaluate, compare, explain, curves, measures, view …: the same numbers as text, a module per command
``commands``   the registry of everything the window can do: title, menu, shortcut, condition
``session``    the application's state and what can be done to it, Qt-free: one package per feature
               (``session.judging``, ``session.files`` …); ``session.view_models`` is what each view shows,
               ``session.projects`` what is kept
``api``        the public calls that take files or values
``rendering``  figures, formulas and tables as files; palettes and styles
``tables``     results -> Table: exact values in columns, and one writer for each format
``engines``    partitions of a run, evaluated by processes of this machine, Dask, Ray or Spark
``figures``    results -> Figure: arrays and roles, no colours, no toolkit
``formats``    bytes <-> model: a package per family, detection by content, reports with line numbers
``reports``    results as text: tables, comparisons, LaTeX, JSON
``analysis``   what numbers mean: ``analysis.explain``, ``.statistics``, ``.pooling``, ``.failures``, ``.similarity``,
               ``.agreement``, ``.slices``, ``.collections``, ``.stages``, ``.tuning`` …
``evaluation`` qrels and runs to numbers, in bulk and after an edit; dialects, curves, sweeps
``measures``   measures as described values, their parameters, every tool's names; ``measures.families`` computes them
``model``      qrels, runs, texts, judgments as frozen numpy and Arrow arrays; no files, no Qt
``installed``  what other packages add, and whether window and figures are installed
``errors``     one family of errors; ``translation`` gives texts in the user's language; ``paths`` finds the program's
               own files; ``version`` says which program it is

Data go one way: file -> reader -> Qrels, Run -> ``model.judgments.judged`` (the one join) -> arrays -> ResultTable or
Figure -> view model -> Qt model or canvas -> pixel. The only way back: widget -> command -> a method of a part of the
session -> new frozen state -> one announcement -> views pull what they show. docs/architecture.md draws both roads,
CONTRIBUTING.md shows how to add a measure, a format, a plot, a command, an action.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from irviewer.version import VERSION

__version__ = VERSION

_PUBLIC = {
    "read_qrels": "irviewer.api.sources",
    "read_run": "irviewer.api.sources",
    "evaluate": "irviewer.api.evaluation",
    "evaluate_blocks": "irviewer.api.blocks",
    "evaluate_partition": "irviewer.api.blocks",
    "merge_partitions": "irviewer.api.blocks",
    "save_values": "irviewer.api.blocks",
    "explain": "irviewer.api.explanation",
    "compare": "irviewer.api.comparison",
    "compare_slices": "irviewer.api.slices",
    "evaluate_collections": "irviewer.api.collections",
    "similarity": "irviewer.api.runs",
    "agreement": "irviewer.api.judges",
    "corrected_scores": "irviewer.api.judges",
    "merge_judgments": "irviewer.api.judges",
    "merge_labels": "irviewer.api.answers",
    "draw_task": "irviewer.api.judges",
    "fuse": "irviewer.api.runs",
    "pool_effects": "irviewer.api.runs",
    "stages": "irviewer.api.stages",
    "find_stages": "irviewer.api.stages",
    "sweep_fusion": "irviewer.api.tuning",
    "cost_effectiveness": "irviewer.api.tuning",
    "ranking_stability": "irviewer.api.systems",
    "measure_agreement": "irviewer.api.systems",
    "set_means": "irviewer.api.systems",
    "paper_table": "irviewer.api.paper",
    "curves": "irviewer.api.curves",
    "failures": "irviewer.api.judging",
    "worklist": "irviewer.api.judging",
    "dialects": "irviewer.api.judging",
    "check": "irviewer.api.files",
    "register_protocol": "irviewer.api.registrations",
    "registration_kept": "irviewer.api.registrations",
    "read_registration": "irviewer.formats.registration",
    "judge": "irviewer.api.judge",
    "reuse": "irviewer.api.reuse",
    "reproduction": "irviewer.api.reproduction",
    "report": "irviewer.api.reports",
    "show": "irviewer.api.show",
    "verdict": "irviewer.api.verdict",
    "plan": "irviewer.api.plan",
    "queries_for": "irviewer.api.plan",
    "answers": "irviewer.api.answers",
    "gate": "irviewer.api.gates",
    "Gate": "irviewer.analysis.statistics.gate",
    "convert": "irviewer.api.files",
    "view": "irviewer.api.viewer",
    "Viewer": "irviewer.api.viewer",
    "write_run": "irviewer.api.files",
    "write_qrels": "irviewer.api.files",
    "Qrels": "irviewer.model.qrels",
    "Run": "irviewer.model.run",
    "Ledger": "irviewer.analysis.explain.ledger_types",
    "MeanLedger": "irviewer.analysis.explain.ledger_types",
    "ResultTable": "irviewer.evaluation.results",
    "JudgmentSet": "irviewer.model.judgments.judgment_set",
    "ComparisonTable": "irviewer.analysis.statistics.result_comparison",
    "Measure": "irviewer.measures.base",
    "parse_measure": "irviewer.measures.parser",
    "parse_measures": "irviewer.measures.parser",
    "EvaluationOptions": "irviewer.model.options",
    "EvaluationProtocol": "irviewer.model.protocol",
    "read_protocol": "irviewer.formats.protocol_file",
    "IrviewerError": "irviewer.errors",
    "IrviewerWarning": "irviewer.errors",
    "ParseError": "irviewer.errors",
    "MeasureError": "irviewer.errors",
    "Moments": "irviewer.analysis.statistics.moments",
}

__all__ = [
    "ComparisonTable",
    "EvaluationOptions",
    "EvaluationProtocol",
    "Gate",
    "IrviewerError",
    "IrviewerWarning",
    "JudgmentSet",
    "Ledger",
    "MeanLedger",
    "Measure",
    "MeasureError",
    "Moments",
    "ParseError",
    "Qrels",
    "ResultTable",
    "Run",
    "Viewer",
    "agreement",
    "answers",
    "check",
    "compare",
    "compare_slices",
    "convert",
    "corrected_scores",
    "cost_effectiveness",
    "curves",
    "dialects",
    "draw_task",
    "evaluate",
    "evaluate_blocks",
    "evaluate_collections",
    "evaluate_partition",
    "explain",
    "failures",
    "find_stages",
    "fuse",
    "gate",
    "judge",
    "measure_agreement",
    "merge_judgments",
    "merge_labels",
    "merge_partitions",
    "paper_table",
    "parse_measure",
    "parse_measures",
    "plan",
    "pool_effects",
    "queries_for",
    "ranking_stability",
    "read_protocol",
    "read_qrels",
    "read_registration",
    "read_run",
    "register_protocol",
    "registration_kept",
    "report",
    "reproduction",
    "reuse",
    "save_values",
    "set_means",
    "show",
    "similarity",
    "stages",
    "sweep_fusion",
    "verdict",
    "view",
    "worklist",
    "write_qrels",
    "write_run",
]

if TYPE_CHECKING:
    from irviewer.analysis.explain.ledger_types import Ledger, MeanLedger
    from irviewer.analysis.statistics.gate import Gate
    from irviewer.analysis.statistics.moments import Moments
    from irviewer.analysis.statistics.result_comparison import ComparisonTable
    from irviewer.api.answers import answers, merge_labels
    from irviewer.api.blocks import evaluate_blocks, evaluate_partition, merge_partitions, save_values
    from irviewer.api.collections import evaluate_collections
    from irviewer.api.comparison import compare
    from irviewer.api.curves import curves
    from irviewer.api.evaluation import evaluate
    from irviewer.api.explanation import explain
    from irviewer.api.files import check, convert, write_qrels, write_run
    from irviewer.api.gates import gate
    from irviewer.api.judge import judge
    from irviewer.api.judges import agreement, corrected_scores, draw_task, merge_judgments
    from irviewer.api.judging import dialects, failures, worklist
    from irviewer.api.paper import paper_table
    from irviewer.api.plan import plan, queries_for
    from irviewer.api.registrations import register_protocol, registration_kept
    from irviewer.api.reports import report
    from irviewer.api.reproduction import reproduction
    from irviewer.api.reuse import reuse
    from irviewer.api.runs import fuse, pool_effects, similarity
    from irviewer.api.show import show
    from irviewer.api.slices import compare_slices
    from irviewer.api.sources import read_qrels, read_run
    from irviewer.api.stages import find_stages, stages
    from irviewer.api.systems import measure_agreement, ranking_stability, set_means
    from irviewer.api.tuning import cost_effectiveness, sweep_fusion
    from irviewer.api.verdict import verdict
    from irviewer.api.viewer import Viewer, view
    from irviewer.errors import IrviewerError, IrviewerWarning, MeasureError, ParseError
    from irviewer.evaluation.results import ResultTable
    from irviewer.formats.protocol_file import read_protocol
    from irviewer.formats.registration import read_registration
    from irviewer.measures.base import Measure
    from irviewer.measures.parser import parse_measure, parse_measures
    from irviewer.model.judgments.judgment_set import JudgmentSet
    from irviewer.model.options import EvaluationOptions
    from irviewer.model.protocol import EvaluationProtocol
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run


def __getattr__(name: str) -> Any:
    """Public names load when used: ``import irviewer`` itself stays light."""
    module = _PUBLIC.get(name)
    if module is None:
        raise AttributeError(f"module 'irviewer' has no attribute {name!r}")
    return getattr(importlib.import_module(module), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
