"""A session on a made world, and all its view models: every part's method or property that is named ``…view_model`` and
takes nothing, in every place and tab of the window. A new one is covered as soon as it is there."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from irviewer.session.navigation.places import PLACE_TEXTS
from irviewer.session.session import Session
from irviewer.session.state import TABS
from tests.metamorphic.readings import Numbers, of_view_model
from tests.metamorphic.worlds import Files, World

BASELINE, FOCUS, MEASURE = "alpha", "delta", "AP"


def providers(session: Session) -> dict[str, Callable[[], Any]]:
    """The view models of a session by the name of their part and of what makes them."""
    every: dict[str, Callable[[], Any]] = {}
    for part, service in vars(session).items():
        for name, member in inspect.getmembers(type(service)):
            if not name.endswith("view_model") or name.startswith("_"):
                continue
            if inspect.isfunction(member) and len(inspect.signature(member).parameters) == 1:
                every[f"{part}.{name}"] = getattr(service, name)
            elif isinstance(member, property):
                every[f"{part}.{name}"] = lambda service=service, name=name: getattr(service, name)
    return every


def opened(*worlds: Files, turned: bool = False) -> Session:
    """A session in which worlds are open, each as a collection, with the same choices by name. The first is in view."""
    session = Session()
    for files in worlds:
        listed = [*files.every_judge, *files.every_run, files.other("queries.tsv"), files.other("documents.tsv")]
        session.files.open_files(listed[::-1] if turned else listed)
        session.judges.answer("judge")
    for files in worlds[::-1]:
        bring_into_view(session, files)
        choose(session, files.world)
    world = worlds[0].world
    session.attributes.open_table(worlds[0].other("attributes.tsv"))
    for name, members in world.sets.items():
        session.query_sets.make_query_set(name, members, looked=False)
    session.query_sets.open_query_weights(worlds[0].other("weights.tsv"))
    if len(worlds) > 1:
        session.collections.set_pair(FOCUS, BASELINE)
    # Each of the two could be the first stage, as they have the same documents.
    session.stages.set_stage(0, key_of(session, "beta"))
    session.stages.set_stage(1, key_of(session, "gamma"))
    return session


def choose(session: Session, world: World, judge: str = "human") -> None:
    """The same choices by name, whatever was opened first."""
    session.protocol.set(dialect="trec_eval-9")
    session.evaluation.set_measure(MEASURE)
    session.protocol.set(interval="t")
    session.protocol.set_number("samples", "300")
    look_by(session, judge)
    sets = [judgments.name for judgments in session.judges.sets]
    session.judge_comparison.set_reference(sets.index("human"))
    session.judge_comparison.set_pair(sets.index("human"), sets.index("modela"))
    session.runs.set_baseline(key_of(session, BASELINE))
    session.runs.set_focus(key_of(session, FOCUS))
    session.runs.show_runs([entry.key for entry in runs_of(session)])
    session.navigation.sort_queries("query", False)
    session.navigation.set_query(world.queries[5])
    session.navigation.set_document(world.runs[FOCUS][world.queries[5]][2])
    for name in ("median", "mean", "agreement"):
        session.columns.set_query_column(name, True)


def look_by(session: Session, judge: str) -> None:
    """Another judge in view."""
    session.evaluation.set_judgments([judgments.name for judgments in session.judges.sets].index(judge))


def key_of(session: Session, name: str) -> int:
    """The key of a run."""
    return next(entry.key for entry in runs_of(session) if entry.name.split("-")[-1] == name)


def runs_of(session: Session) -> Any:
    """The runs of the collection in view."""
    assert session.view.collection is not None
    return session.view.collection.runs


def bring_into_view(session: Session, files: Files) -> None:
    """Bring the collection of a world into view."""
    folders = [Path(c.judgments[0].read.origin).parent for c in session.state.workspace.collections]
    session.files.set_collection(folders.index(files.folder))


def places(session: Session) -> Iterator[str]:
    """Every place of the window with every tab, in view one after another, with what is computed there."""
    for texts in PLACE_TEXTS:
        for tab in TABS.get(texts.name, ("",)):
            if tab:
                session.navigation.set_tab(texts.name, tab)
            session.navigation.set_place(texts.name)
            if session.view.place == texts.name:
                session.compute_now()
                yield f"{texts.name} {tab}".strip()


def view_models(session: Session) -> dict[str, list[Any]]:
    """Each view model as it is in every place; those that are None nowhere are left out."""
    every: dict[str, list[Any]] = {name: [] for name in providers(session)}
    session.explaining.explain(key_of(session, FOCUS))
    for _ in places(session):
        for name, make in providers(session).items():
            view_model = make()
            if view_model is not None and not any(view_model is known for known in every[name]):
                every[name].append(view_model)
    return {name: forms for name, forms in every.items() if forms}


def numbers(
    session: Session, world: World, *, texts: bool = True, without: frozenset[str] = frozenset()
) -> dict[str, Numbers]:
    """The numbers of each view model: of the richest form of it; ``without`` some fields."""
    shown: dict[str, Numbers] = {}
    for name, forms in view_models(session).items():
        each = [of_view_model(form, world.ids, texts=texts, without=without) for form in forms]
        shown[name] = max(each, key=lambda form: sum(form.values()) - form["nan"])
    return shown


def written(world: World, folder: Path) -> Files:
    """The files of a world in a folder with its name, which is that of its collection."""
    return world.write(folder / world.name)
