"""irviewer, the debugger for rankings: relevance judgments and retrieval runs, with trec_eval's numbers, offline.

    import irviewer
    result = irviewer.evaluate("qrels.txt", ["bm25.run", "dense.run"], ["nDCG@10", "AP"])
    result.mean("nDCG@10", "bm25")

The map of the house, from the top down; imports go down only (import-linter holds it):

``__main__``   the one place that knows both the window and the command line
``gui``        the window, the only importer of PySide6; ``gui.plots`` the only importer of pyqtgraph
``cli``        evaluate, curves, measures, check, view: the same numbers as text
``session``    the application's state and what can be done to it, Qt-free; ``session.pages`` is what each place shows
``api``        the public calls that take files or values
``figures``    results -> Figure: arrays and roles, no colours, no toolkit
``formats``    bytes <-> model: one reader or writer a file, detection by content, reports with line numbers
``model``      evaluation on numpy and Arrow arrays: frozen values in, frozen values out
``errors``     one family of errors; ``paths`` finds the program's own files

Data goes one way: file -> reader -> Qrels, Run -> ``model.judged`` (the one join) -> arrays -> ResultTable or Figure ->
page -> Qt model or canvas -> pixel. The only way back: widget -> command -> a method of Session -> new frozen state ->
one announcement -> views pull what they show. Adding a measure, a format or a figure is one new file.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_PUBLIC = {
    "read_qrels": "irviewer.api",
    "read_run": "irviewer.api",
    "evaluate": "irviewer.api",
    "Qrels": "irviewer.model.qrels",
    "Run": "irviewer.model.run",
    "ResultTable": "irviewer.model.results",
    "Measure": "irviewer.model.measure",
    "parse_measure": "irviewer.model.measure",
    "parse_measures": "irviewer.model.measure",
    "EvaluationOptions": "irviewer.model.options",
    "IrviewerError": "irviewer.errors",
    "ParseError": "irviewer.errors",
    "MeasureError": "irviewer.errors",
}

__all__ = [
    "EvaluationOptions",
    "IrviewerError",
    "Measure",
    "MeasureError",
    "ParseError",
    "Qrels",
    "ResultTable",
    "Run",
    "evaluate",
    "parse_measure",
    "parse_measures",
    "read_qrels",
    "read_run",
]

if TYPE_CHECKING:
    from irviewer.api import evaluate, read_qrels, read_run
    from irviewer.errors import IrviewerError, MeasureError, ParseError
    from irviewer.model.measure import Measure, parse_measure, parse_measures
    from irviewer.model.options import EvaluationOptions
    from irviewer.model.qrels import Qrels
    from irviewer.model.results import ResultTable
    from irviewer.model.run import Run


def __getattr__(name: str) -> Any:
    """Public names load when used: ``import irviewer`` itself stays light."""
    module = _PUBLIC.get(name)
    if module is None:
        raise AttributeError(f"module 'irviewer' has no attribute {name!r}")
    return getattr(importlib.import_module(module), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
