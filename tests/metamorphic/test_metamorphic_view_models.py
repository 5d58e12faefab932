"""Metamorphic tests of every view model: files in another order, other ids, another judge in view, another theme or
language, a run hidden, a copy edited. No number moves that should not, every difference lies inside its interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from irviewer.session.session import Session
from irviewer.session.state import THEMES
from irviewer.translation import choose_language, current_language
from tests.metamorphic import sessions
from tests.metamorphic.readings import Numbers, difference_of, of_view_model, outside
from tests.metamorphic.sessions import key_of, opened, providers, runs_of, view_models, written
from tests.metamorphic.worlds import RENAMINGS, World, kept_order, same, world

FUZZ = [pytest.param(seed, marks=pytest.mark.fuzz) for seed in range(3, 6)]
SEEDS = [2, *FUZZ]

OF_SHOWN_RUNS = {
    "documents.why_not_view_model": "ranks in the shown runs",
    "judging.judging_view_model": "unjudged documents of the shown runs",
    "failures.failures_view_model": "failures of the shown runs",
    "failures.hubs_view_model": "hubs in the shown runs",
    "failures.recall_view_model": "effort of reading the shown runs",
    "failures.vector_view_model": "the shown runs",
    "failures.worklist_view_model": "values of the shown runs",
    "list_judging.hubs_view_model": "hubs in the shown runs",
    "list_judging.worklist_view_model": "values of the shown runs",
    "view_models.queries_view_model": "values of the shown runs",
    "view_models.query_list_view_model": "values of the shown runs",
    "view_models.query_view_model": "lists of the shown runs",
    "query_sets.sets_view_model": "means of the shown runs",
    "lecture_table.view_model": "the lists of the shown runs",
}
"""View models that a hidden run is left out of. All others must not move."""
CURVES = frozenset({"precision_recall", "by_cutoff"})
"""Plots beside tables of all runs, which are of the shown ones."""
LISTS_COPIES = {
    "comparison.systems_view_model": "the copy has a row",
    "view_models.systems_view_model": "the copy has a row",
    "view_models.query_view_model": "the ranks of a document in every list",
    "collections.collections_view_model": "",
}
"""View models that show a hidden copy beside the runs; what they show of the runs must not move."""
DRAWN = frozenset(
    {
        "comparison.systems_view_model",
        "view_models.systems_view_model",
        "comparison.pair_view_model",
        "judge_comparison.agreement_view_model",
        "judge_comparison.systems_view_model",
        "judge_comparison.confusion_view_model",
        "judge_comparison.corrected_view_model",
        "slices.slices_view_model",
    }
)
"""Those with numbers from samples of the queries in the order of their ids."""
OF_ALL_JUDGES = "judge_comparison."


class Cases:
    """The sessions of one made world, each opened once."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.world = world(seed, lacking=True)
        self.second = world(seed + 100, name="second")
        self.folder = folder / str(seed)
        self._numbers: dict[str, dict[str, Numbers]] = {}

    def session(self, new: Callable[[str], str] = same, *, turned: bool = False) -> Session:
        """The two collections, opened anew."""
        folder = self.folder / new.__name__
        return opened(*(written(each.renamed(new), folder) for each in (self.world, self.second)), turned=turned)

    def ids(self, new: Callable[[str], str] = same) -> World:
        """The first world as it was opened."""
        return self.world.renamed(new)

    @property
    def before(self) -> dict[str, Numbers]:
        """The numbers of all view models."""
        if "before" not in self._numbers:
            self._numbers["before"] = sessions.numbers(self.session(), self.world)
        return self._numbers["before"]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[int], Cases]]:
    known: dict[int, Cases] = {}

    def of(seed: int) -> Cases:
        if seed not in known:
            known[seed] = Cases(seed, tmp_path_factory.mktemp("worlds"))
        return known[seed]

    yield of


def moved(before: dict[str, Numbers], after: dict[str, Numbers]) -> dict[str, str]:
    """What moved, by view model."""
    faults = {name: difference_of(before[name], after.get(name, Numbers())) for name in before}
    return {name: fault for name, fault in faults.items() if fault}


def test_every_view_model_shows_numbers(cases: Callable[[int], Cases]) -> None:
    """A view model that is None everywhere would be tried in vain."""
    silent = providers(Session()).keys() - cases(2).before.keys()
    # The worlds have no lesson and no answers; those have tests of their own.
    assert silent <= {"teaching.lesson_view_model", "answers.view_model"}, (
        "show these view models in tests/metamorphic/sessions.py"
    )
    assert [name for name, shown in cases(2).before.items() if not shown] == []
    assert providers(Session()).keys() >= OF_SHOWN_RUNS.keys() | DRAWN


@pytest.mark.parametrize("seed", SEEDS)
def test_every_difference_is_inside_its_interval(seed: int, cases: Callable[[int], Cases]) -> None:
    case = cases(seed)
    faults = [
        fault for name, forms in view_models(case.session()).items() for form in forms for fault in outside(form, name)
    ]
    assert faults == []


@pytest.mark.parametrize("seed", SEEDS)
def test_files_in_another_order(seed: int, cases: Callable[[int], Cases]) -> None:
    case = cases(seed)
    assert moved(case.before, sessions.numbers(case.session(turned=True), case.world)) == {}


@pytest.mark.parametrize("seed", [*FUZZ[:3], pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("order", RENAMINGS)
def test_other_ids(order: str, seed: int, cases: Callable[[int], Cases]) -> None:
    case, new = cases(seed), RENAMINGS[order]
    faults = moved(case.before, sessions.numbers(case.session(new), case.ids(new)))
    if new is not kept_order:
        faults = {name: fault for name, fault in faults.items() if name not in DRAWN}
    assert faults == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_another_judge_in_view(seed: int, cases: Callable[[int], Cases]) -> None:
    """What compares judges does not depend on the judge in view, nor anything on who was in view before."""
    case = cases(seed)
    session = case.session()
    for only in (False, True):
        session.protocol.set(judged_only=only)
        by_judge = []
        for judge in ("human", "modelb", "human"):
            sessions.look_by(session, judge)
            session.navigation.set_query(case.world.queries[5])
            session.navigation.set_document(case.world.runs[sessions.FOCUS][case.world.queries[5]][2])
            by_judge.append(sessions.numbers(session, case.world))
        of_judges = [{name: each[name] for name in each if name.startswith(OF_ALL_JUDGES)} for each in by_judge]
        assert len(of_judges[0]) > 3
        assert moved(of_judges[0], of_judges[1]) == {}, f"judged only: {only}"
        assert moved(by_judge[0], by_judge[2]) == {}, f"judged only: {only}"


@pytest.mark.parametrize("seed", [*FUZZ[:2], pytest.param(2, marks=pytest.mark.slow)])
def test_another_theme(seed: int, cases: Callable[[int], Cases]) -> None:
    case = cases(seed)
    session = case.session()
    for theme in THEMES[1:]:
        session.appearance.set_theme(theme)
        assert moved(case.before, sessions.numbers(session, case.world)) == {}


@pytest.mark.parametrize("seed", [*FUZZ[:2], pytest.param(2, marks=pytest.mark.slow)])
def test_another_language(seed: int, cases: Callable[[int], Cases]) -> None:
    case, former = cases(seed), current_language()
    before = sessions.numbers(case.session(), case.world, texts=False)
    choose_language("es")
    try:
        after = sessions.numbers(case.session(), case.world, texts=False)
    finally:
        choose_language(former)
    assert moved(before, after) == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_hidden(seed: int, cases: Callable[[int], Cases]) -> None:
    """What is of all runs stays, and all is as before when the run is shown again."""
    case = cases(seed)
    session = case.session()
    before = sessions.numbers(session, case.world, without=CURVES)
    session.runs.show_run(key_of(session, "gamma"), False)
    after = sessions.numbers(session, case.world, without=CURVES)
    assert {name: fault for name, fault in moved(before, after).items() if name not in OF_SHOWN_RUNS} == {}
    session.runs.show_run(key_of(session, "gamma"), True)
    assert moved(before, sessions.numbers(session, case.world, without=CURVES)) == {}


HAVE_A_ROW = {
    "comparison.systems_view_model": "the table lists every run, those left out without a test",
    "view_models.systems_view_model": "the table lists every run, those left out without a test",
    "view_models.query_view_model": "the ranks of a document in every list",
}
"""View models that show a run which the protocol leaves out beside the others."""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_that_the_protocol_leaves_out(seed: int, cases: Callable[[int], Cases]) -> None:
    """Whatever its lists are, hidden or not: families, spreads, pools, and what other runs found are of those named."""
    case, out = cases(seed), "epsilon"
    turned = {query: listed[::-1][:-3] for query, listed in case.world.runs[out].items()}
    worlds = {"one": case.world, "two": replace(case.world, runs={**case.world.runs, out: turned})}
    shown, rows = [], []
    for name, of in worlds.items():
        folder = case.folder / f"left-out-{name}"
        session = opened(written(of, folder), written(case.second, folder))
        session.protocol.set_taking_part(key_of(session, out), False)
        session.runs.show_run(key_of(session, out), False)
        shown.append(sessions.numbers(session, of, without=CURVES))
        session.navigation.set_place("systems")
        session.compute_now()
        view_model = session.comparison.systems_view_model()
        assert view_model is not None
        assert view_model.statistics is not None
        of_runs = {
            label.name: [values[row].tolist() for values in (
                view_model.means, view_model.delta, view_model.statistics.p, view_model.statistics.low,
                view_model.statistics.high, view_model.statistics.first,
            )]
            for row, label in enumerate(view_model.runs) if label.name != out
        }  # fmt: skip
        rows.append(repr((sorted(of_runs.items()), view_model.statistics.notes)))
    assert {name: fault for name, fault in moved(*shown).items() if name not in HAVE_A_ROW} == {}
    assert rows[0] == rows[1]
    assert moved(*shown).keys() >= {"view_models.query_view_model"}, "the lists of the run are others"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_copy_edited(seed: int, cases: Callable[[int], Cases]) -> None:
    """An edited copy moves no number of a run. It is hidden here, as views of shown runs show it."""
    case = cases(seed)
    session = case.session()
    before = sessions.numbers(session, case.world, without=CURVES)
    shown = [entry.key for entry in runs_of(session)]
    copy = session.run_editing.edit_copy(key_of(session, "gamma"))
    assert copy is not None
    for query in case.world.queries[:6]:
        session.navigation.set_query(query)
        session.run_editing.move_document(copy, case.world.runs["gamma"][query][-1], 1)
        session.run_editing.remove_document(copy, case.world.runs["gamma"][query][0])
    assert session.view.baseline == key_of(session, sessions.BASELINE)
    session.runs.show_runs(shown)
    session.runs.set_focus(key_of(session, sessions.FOCUS))
    session.navigation.set_query(case.world.queries[5])
    session.navigation.set_document(case.world.runs[sessions.FOCUS][case.world.queries[5]][2])
    after = sessions.numbers(session, case.world, without=CURVES)
    faults = {}
    for name, shown_before in before.items():
        if name in LISTS_COPIES:
            gone = shown_before - after[name]
            fault = difference_of(gone, Numbers())
        else:
            fault = difference_of(shown_before, after.get(name, Numbers()))
        if fault:
            faults[name] = fault
    assert faults == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_qrels_of_other_queries_in_another_order(seed: int, cases: Callable[[int], Cases]) -> None:
    """Two judges of one track judged other queries, and every run answers all: each collection has every run and the
    same numbers, whichever file was opened first."""
    case = cases(seed)
    whole = case.world.judges["modela"]
    queries = list(whole)
    halves = {"front": queries[:5], "back": queries[5:]}
    split = replace(case.world, judges={name: {q: whole[q] for q in half} for name, half in halves.items()})
    files = split.write(case.folder / "halves")
    front, back, runs = [files.qrels("front")], [files.qrels("back")], files.every_run
    shown = []
    for steps in ([front + back + runs], [runs, back, front], [back, runs[:2], front, runs[2:]]):
        session = Session()
        for step in steps:
            session.files.open_files(step)
        of_each = {}
        for place, collection in enumerate(session.state.workspace.collections):
            session.files.set_collection(place)
            session.evaluation.set_measure(sessions.MEASURE)
            session.protocol.set(interval="t")
            session.runs.set_baseline(key_of(session, sessions.BASELINE))
            session.navigation.set_place("systems")
            session.compute_now()
            name = Path(collection.judgments[0].read.origin).stem
            view_model = session.comparison.systems_view_model()
            of_each[name] = of_view_model(view_model, without=CURVES | {"delta_label", "open_to_judging"})
        assert of_each.keys() == halves.keys()
        assert len({collection.name for collection in session.state.workspace.collections}) == 2
        shown.append(of_each)
    assert moved(shown[0], shown[1]) == {}
    assert moved(shown[0], shown[2]) == {}
