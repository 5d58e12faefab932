"""Tabs that have nothing to show in the collection in view, and what they lack: what a tab's own title says."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from irviewer.evaluation.answer_cautions import why_nuggets_alone
from irviewer.model.workspace import Collection
from irviewer.session.runs.joined_nuggets import set_count
from irviewer.translation import tr, trc


def _two_runs(collection: Collection) -> str:
    return "" if len(collection.runs) > 1 else tr("Nothing to show: a comparison needs two runs.")


def _runs(collection: Collection) -> str:
    return "" if collection.runs else tr("Nothing to show: no run is open.")


def _two_judges(view: str) -> Callable[[Collection], str]:
    """Return what says what a view (by its title) of two judges lacks."""
    lack = tr("{view} needs two judgment sets: open another qrels file as another judge.", view=view)
    return lambda collection: "" if set_count(collection.judgments) > 1 else lack


def _judges_of_runs(view: str) -> Callable[[Collection], str]:
    judges = _two_judges(view)
    return lambda collection: judges(collection) or _runs(collection)


def _sampled(collection: Collection) -> str:
    """A human's sample corrects the scores of another judge, who judged more queries."""
    counts = {len(judgments.qrels.query_ids) for judgments in collection.judgments}
    return _judges_of_runs(tr("Corrected"))(collection) or (
        "" if len(counts) > 1 else tr("Nothing to show: no judge judged fewer queries than another one.")
    )


def _judged_runs(collection: Collection) -> str:
    return _runs(collection) if collection.judgments else tr("Nothing to show: there are no judgments.")


def _judged_lists(view: str) -> Callable[[Collection], str]:
    """Return what says what a view (by its title) lacks that has nothing to show of nuggets alone."""

    def lacks(collection: Collection) -> str:
        reasons = [why_nuggets_alone(view, judgments.qrels) for judgments in collection.judgments]
        return _judged_runs(collection) or (reasons[0] if all(reasons) else "")

    return lacks


def _sets(collection: Collection) -> str:
    return "" if collection.query_sets else tr("Nothing to show yet: there are no query sets.")


def _answers(collection: Collection) -> str:
    if any(entry.run.answered is not None for entry in collection.runs):
        return ""
    return tr("Nothing to show: no run has answers.")


def _two_answers(collection: Collection) -> str:
    systems = {entry.run.answered.system or entry.name for entry in collection.runs if entry.run.answered is not None}
    return _answers(collection) or (
        "" if len(systems) > 1 else tr("Nothing to show: it needs the answers of two systems.")
    )


_LACKS: Mapping[tuple[str, str], Callable[[Collection], str]] = {
    ("compare", "pair"): _two_runs,
    ("compare", "slices"): _two_runs,
    ("compare", "matrices"): _two_runs,
    ("compare", "pool"): _judged_lists(tr("Pool")),
    ("compare", "sets"): _sets,
    ("compare", "judge"): _judges_of_runs(trc("who judges", "Judge")),
    ("compare", "agreement"): _two_judges(tr("Agreement")),
    ("compare", "confusion"): _two_judges(tr("Confusion")),
    ("compare", "judges"): _judges_of_runs(tr("Systems by judge")),
    ("compare", "corrected"): _sampled,
    ("compare", "nuggets"): _two_answers,
    ("compare", "lost"): _answers,
    ("compare", "sentences"): _answers,
    ("compare", "versions"): _two_answers,
    ("queries", "failures"): _judged_lists(tr("Failures")),
    ("queries", "hubs"): _judged_lists(tr("Misleading documents")),
    ("queries", "relevant"): _judged_lists(tr("Relevant documents")),
    ("queries", "vector"): _judged_lists(tr("Ranking vector")),
    ("queries", "recall"): _judged_lists(tr("Reading effort")),
    ("queries", "worklist"): _judged_runs,  # judging would give a measure of grades its value
}


def nothing_in(collection: Collection | None, place: str, tab: str) -> str:
    """Return in a sentence why a tab of a place has nothing to show, "" where it has."""
    lacks = _LACKS.get((place, tab))
    return "" if lacks is None or collection is None else lacks(collection)
