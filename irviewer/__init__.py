"""irviewer, the debugger for rankings: relevance judgments and retrieval runs, with trec_eval's numbers, offline.

    import irviewer
    result = irviewer.evaluate("qrels.txt", ["bm25.run", "dense.run"], ["nDCG@10", "AP"])
    result.mean("nDCG@10", "bm25")

The map of the house, from the top down; imports go down only (import-linter holds it):

``__main__``   the one place that knows both the window and the command line
``gui``        the window, the only importer of PySide6; ``gui.plots`` the only importer of pyqtgraph
``cli``        evaluate, compare, explain, curves, measures, check, view …: the same numbers as text, a command a module
``session``    the application's state and what can be done to it, Qt-free: a class a kind of action, all of them put
               together in ``session.session``; ``session.pages`` is what each view shows, ``session.commands`` the
               registry of everything that can be done, ``session.projects`` what a project keeps
``api``        the public calls that take files or values; ``api_compare`` the one that compares runs,
               ``api_likeness`` those about several runs at once: likeness, fusion, what the pool does;
               ``api_systems`` those about all systems at once: how firm their order is, agreement of measures, query
               sets;
               ``api_explain`` the one that says how a number came about
``figures``    results -> Figure: arrays and roles, no colours, no toolkit
``formats``    bytes <-> model: one reader or writer a file, detection by content, reports with line numbers
``model``      evaluation on numpy and Arrow arrays: frozen values in, frozen values out; ``model.statistics`` compares,
               ``model.likeness``, ``model.pool`` and ``model.failures`` look at many runs, ``model.explain`` says why
``errors``     one family of errors; ``paths`` finds the program's own files; ``version`` says which program it is

Data goes one way: file -> reader -> Qrels, Run -> ``model.judged`` (the one join) -> arrays -> ResultTable or Figure ->
page -> Qt model or canvas -> pixel. The only way back: widget -> command -> a method of Session -> new frozen state ->
one announcement -> views pull what they show. Adding a measure, a format or a figure is one new file.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from irviewer.version import VERSION

__version__ = VERSION

_PUBLIC = {
    "read_qrels": "irviewer.api",
    "read_run": "irviewer.api",
    "evaluate": "irviewer.api",
    "explain": "irviewer.api_explain",
    "compare": "irviewer.api_compare",
    "similarity": "irviewer.api_likeness",
    "fuse": "irviewer.api_likeness",
    "pool_effects": "irviewer.api_likeness",
    "ranking_stability": "irviewer.api_systems",
    "measure_agreement": "irviewer.api_systems",
    "set_means": "irviewer.api_systems",
    "Qrels": "irviewer.model.qrels",
    "Run": "irviewer.model.run",
    "ResultTable": "irviewer.model.results",
    "ComparisonTable": "irviewer.model.statistics.of_results",
    "Measure": "irviewer.model.measure",
    "parse_measure": "irviewer.model.measure",
    "parse_measures": "irviewer.model.measure",
    "EvaluationOptions": "irviewer.model.options",
    "IrviewerError": "irviewer.errors",
    "ParseError": "irviewer.errors",
    "MeasureError": "irviewer.errors",
}

__all__ = [
    "ComparisonTable",
    "EvaluationOptions",
    "IrviewerError",
    "Measure",
    "MeasureError",
    "ParseError",
    "Qrels",
    "ResultTable",
    "Run",
    "compare",
    "evaluate",
    "explain",
    "fuse",
    "measure_agreement",
    "parse_measure",
    "parse_measures",
    "pool_effects",
    "ranking_stability",
    "read_qrels",
    "read_run",
    "set_means",
    "similarity",
]

if TYPE_CHECKING:
    from irviewer.api import evaluate, read_qrels, read_run
    from irviewer.api_compare import compare
    from irviewer.api_explain import explain
    from irviewer.api_likeness import fuse, pool_effects, similarity
    from irviewer.api_systems import measure_agreement, ranking_stability, set_means
    from irviewer.errors import IrviewerError, MeasureError, ParseError
    from irviewer.model.measure import Measure, parse_measure, parse_measures
    from irviewer.model.options import EvaluationOptions
    from irviewer.model.qrels import Qrels
    from irviewer.model.results import ResultTable
    from irviewer.model.run import Run
    from irviewer.model.statistics.of_results import ComparisonTable


def __getattr__(name: str) -> Any:
    """Public names load when used: ``import irviewer`` itself stays light."""
    module = _PUBLIC.get(name)
    if module is None:
        raise AttributeError(f"module 'irviewer' has no attribute {name!r}")
    return getattr(importlib.import_module(module), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
