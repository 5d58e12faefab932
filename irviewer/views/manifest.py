"""The views that there are. Their names and titles are known without importing them; a module is imported when its view
is used.

Other packages add views by entry points of the group ``irviewer.views``: the name has the first word of the package's
name before it (``acme-latency`` of ``acme-ir``), and the object is a :class:`irviewer.views.view.ResultView` of that
name. One that fails to load is left out, and told."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from irviewer.errors import OptionError, name_some
from irviewer.installed.entry_points import Additions
from irviewer.model.run_names import similar_names
from irviewer.translation import tr, trc

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from irviewer.views.view import ResultView


@dataclass(frozen=True, slots=True)
class ListedView:
    """A view of ours: its name, its title, and the module that has it as ``VIEW``."""

    name: str
    title: str
    module: str

    def load(self) -> ResultView:
        """Import the module and return its view."""
        view: ResultView = import_module(self.module).VIEW
        return view


VIEWS: tuple[ListedView, ...] = (
    ListedView("trade-offs", tr("Trade-offs"), "irviewer.views.trade_offs"),
    ListedView("verdict", tr("Verdict"), "irviewer.views.verdict"),
    ListedView("gate", tr("Gate"), "irviewer.views.gate"),
    ListedView("answer-scores", tr("Answers"), "irviewer.views.answer_scores"),
    ListedView("answer-nuggets", tr("Nuggets by system"), "irviewer.views.answer_nuggets"),
    ListedView("answer-pairs", tr("Two systems by nugget"), "irviewer.views.answer_pairs"),
    ListedView("answer-lost", tr("Where was it lost?"), "irviewer.views.answer_lost"),
    ListedView("answer-sentences", tr("Sentences"), "irviewer.views.answer_sentences"),
    ListedView("answer-versions", tr("Versions of answers"), "irviewer.views.answer_versions"),
    ListedView("answer-agreement", tr("Agreement of assigners"), "irviewer.views.answer_agreement"),
    ListedView("answer-merge", tr("Merged labels"), "irviewer.views.answer_merge"),
    ListedView("answer-checks", tr("Checks of answers"), "irviewer.views.answer_checks"),
    ListedView("answer-worklist", tr("Answers to label next"), "irviewer.views.answer_worklist"),
    ListedView("systems", tr("Systems"), "irviewer.views.systems"),
    ListedView("queries", tr("Queries"), "irviewer.views.queries"),
    ListedView("query", tr("Measures of a query"), "irviewer.views.query"),
    ListedView("evaluation", tr("Evaluation"), "irviewer.views.evaluation"),
    ListedView("comparison", tr("Comparison"), "irviewer.views.comparison"),
    ListedView("plan", tr("Plan"), "irviewer.views.plan"),
    ListedView("replicates", tr("Replicates"), "irviewer.views.replicates"),
    ListedView("medians", tr("Medians"), "irviewer.views.medians"),
    ListedView("stability", tr("Stability of the order"), "irviewer.views.stability"),
    ListedView("measure-agreement", tr("Agreement of measures"), "irviewer.views.measure_agreement"),
    ListedView("slices", tr("Slices"), "irviewer.views.slices"),
    ListedView("stages", tr("Stages"), "irviewer.views.stages"),
    ListedView("failures", tr("Failures"), "irviewer.views.failures"),
    ListedView("pool", tr("Pool"), "irviewer.views.pool"),
    ListedView("reuse", tr("Reuse"), "irviewer.views.reuse"),
    ListedView("reproduction", tr("Reproduction"), "irviewer.views.reproduction"),
    ListedView("judge", trc("who judges", "Judge"), "irviewer.views.judge"),
    ListedView("similarity", tr("Similarity"), "irviewer.views.similarity"),
    ListedView("fusion-sweep", tr("Fusion sweep"), "irviewer.views.fusion_sweep"),
    ListedView("curves", tr("Curves"), "irviewer.views.curves"),
    ListedView("dialects", tr("Dialects"), "irviewer.views.dialects"),
)
BY_NAME = {listed.name: listed for listed in VIEWS}
_added: dict[str, ResultView] = {}


def _register(point: EntryPoint) -> None:
    """Add the view of an entry point. Raises OptionError for one that is not valid."""
    view = point.load()
    if not isinstance(view, import_module("irviewer.views.view").ResultView):
        raise OptionError(tr("{name} is not an irviewer.views.view.ResultView", name=point.name))
    prefix = "" if point.dist is None else point.dist.name.replace("_", "-").lower().partition("-")[0]
    if view.name != point.name:
        raise OptionError(tr("its name is {name!r}: it must be the entry point's name", name=view.name))
    if point.name in BY_NAME or "-" not in point.name or (prefix and point.name.partition("-")[0] != prefix):
        raise OptionError(
            tr("the name of a view begins with that of its package: {name}", name=f"{prefix or 'ours'}-{point.name}")
        )
    _added[view.name] = view


_additions = Additions("irviewer.views", _register)
fault = _additions.fault
faults = _additions.faults


def added_views() -> tuple[ResultView, ...]:
    """Return the views of other packages, in the order of discovery; the first call loads them."""
    _additions.load()
    return tuple(_added.values())


def every_name() -> tuple[str, ...]:
    """Return the names of all views; loads those of other packages."""
    return (*BY_NAME, *(view.name for view in added_views()))


def view_named(name: str) -> ResultView:
    """Return a view. Raises OptionError with the reason if its package could not be loaded, else with similar names."""
    if name in BY_NAME:
        return BY_NAME[name].load()
    for view in added_views():
        if view.name == name:
            return view
    if reason := fault(name):
        raise OptionError(tr("the view {name} could not be loaded: {reason}", name=name, reason=reason))
    names = similar_names(name, every_name()) or every_name()
    known = name_some(names) if names else tr("(none)")
    raise OptionError(tr("there is no view {name}; the views are {names}", name=name, names=known))
