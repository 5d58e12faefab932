"""The registry of commands: every action with title, menu, shortcut and help. Menus, palette and help follow from it.

A row either does its work on the session, or (``run`` None) asks the window, which owns dialogs. Shortcuts are spelled
as Qt spells them ("Ctrl+K") and live here only. Knows the session by its methods, no widget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.model.dialects import DIALECTS, Dialect
from irviewer.model.workspace import Regime

if TYPE_CHECKING:
    from irviewer.session.session import Session

Test = Callable[["Session"], bool]
Action = Callable[["Session"], object]
CATEGORIES = ("File", "Go", "Query", "Runs", "Measure", "View", "Help")


def _always(session: Session) -> bool:
    return True


def has_collection(session: Session) -> bool:
    """Something is open."""
    return session.collection is not None


def has_runs(session: Session) -> bool:
    """There are runs to do something with."""
    return session.collection is not None and bool(session.collection.runs)


def has_judgments(session: Session) -> bool:
    """There are judgments, so that there are numbers."""
    return session.judgments is not None


def has_queries(session: Session) -> bool:
    """There is a query to stand on."""
    return bool(session.query_id)


def has_figure(session: Session) -> bool:
    """A plot is in view."""
    return has_runs(session) and has_judgments(session) and session.place != "start"


def has_table(session: Session) -> bool:
    """A table is in view."""
    return has_collection(session) and session.place != "start"


@dataclass(frozen=True)
class Command:
    """One action. ``run`` None means that the window is asked (``Session.asked`` carries the id). ``checked`` tells
    whether a command that switches something is on; None for one that does not."""

    id: str
    title: str
    category: str
    help: str
    run: Action | None = None
    shortcuts: tuple[str, ...] = ()
    enabled: Test = _always
    checked: Test | None = None

    @property
    def asks(self) -> bool:
        """True where the window does it."""
        return self.run is None


def _place(name: str) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.set_place(name)

    def checked(session: Session) -> bool:
        return session.place == name

    return run, checked


def _theme(name: str) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.set_theme(name)

    def checked(session: Session) -> bool:
        return session.theme == name

    return run, checked


def _mode(name: str) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.set_lists_mode(name)

    def checked(session: Session) -> bool:
        return session.lists_mode == name

    return run, checked


def _regime(regime: Regime) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.set_regime(regime)

    def checked(session: Session) -> bool:
        return session.judgments is not None and session.judgments.regime is regime

    return run, checked


def _switch_mode(session: Session) -> None:
    session.set_lists_mode("strips" if session.lists_mode == "lists" else "lists")


def _next_judgments(session: Session) -> None:
    assert session.collection is not None
    session.set_judgments((session.state.chosen.judgments + 1) % len(session.collection.judgments))


def _has_several_judgments(session: Session) -> bool:
    return session.collection is not None and len(session.collection.judgments) > 1


def _has_levels(session: Session) -> bool:
    return len(session.levels) > 1


def _has_document(session: Session) -> bool:
    return session.document_id is not None


def _has_documents(session: Session) -> bool:
    return session.collection is not None and session.collection.documents is not None


def _has_files(session: Session) -> bool:
    from irviewer.session.placing import origins

    return bool(origins(session.collection))


def _has_reports(session: Session) -> bool:
    return session.has_refused or _has_files(session)


def _has_several_collections(session: Session) -> bool:
    return len(session.workspace.collections) > 1


def _next_collection(session: Session) -> None:
    session.set_collection((session.state.current + 1) % len(session.workspace.collections))


def _show_all(session: Session) -> None:
    session.show_runs([label.key for label in session.labels()])


def _show_best(session: Session) -> None:
    session.show_best()


def _rows() -> tuple[Command, ...]:
    systems, on_systems = _place("systems")
    queries, on_queries = _place("queries")
    query, on_query = _place("query")
    light, is_light = _theme("light")
    dark, is_dark = _theme("dark")
    system, is_system = _theme("system")
    _, in_strips = _mode("strips")
    return (
        Command("open_files", "Open…", "File", "Qrels, runs, queries, documents in any mixture", None, ("Ctrl+O",)),
        Command("open_sample", "Open a sample…", "File", "Open a collection that comes with the program"),
        Command("open_recent", "Open recent…", "File", "Open again what was opened before", None, ("Ctrl+Shift+O",),
                lambda session: bool(session.recent)),
        Command("reload", "Read the files again", "File", "Read changed files again; names, colours and order stay",
                lambda session: session.reload(), ("F5",), _has_files),
        Command("close_collection", "Close the collection", "File", "Close the collection in view",
                lambda session: session.close_collection(), ("Ctrl+W",), has_collection),
        Command("save_plot", "Save a plot…", "File", "Save a plot in view as PNG, SVG or PDF", None, ("Ctrl+S",),
                has_figure),
        Command("save_table", "Save a table as CSV…", "File", "Save a table in view as CSV or TSV", None,
                ("Ctrl+Shift+S",), has_table),
        Command("quit", "Quit", "File", "Close the window", None, ("Ctrl+Q",)),
        Command("go_systems", "Systems", "Go", "Runs by measures, and their averaged curves", systems,
                ("1", "Ctrl+1"), has_collection, on_systems),
        Command("go_queries", "Queries", "Go", "Queries by runs, differences and the relevance map", queries,
                ("2", "Ctrl+2"), has_collection, on_queries),
        Command("go_query", "Query", "Go", "One query's rankings side by side", query,
                ("3", "Ctrl+3"), has_collection, on_query),
        Command("open_menu", "Menu", "Go", "All actions by kind", None, ("F10",)),
        Command("find_action", "Find an action…", "Go", "Every action by name", None, ("Ctrl+K", "Ctrl+Shift+P")),
        Command("next_collection", "Next collection", "Go", "Bring the next open collection into view",
                _next_collection, ("Ctrl+Tab",), _has_several_collections),
        Command("next_query", "Next query", "Query", "The next query in the table's order",
                lambda session: session.step_query(1), ("J",), has_queries),
        Command("previous_query", "Previous query", "Query", "The query before, in the table's order",
                lambda session: session.step_query(-1), ("K",), has_queries),
        Command("go_to_query", "Go to query…", "Query", "A query by its id or a part of its text", None, ("Ctrl+G",),
                has_queries),
        Command("filter_queries", "Filter queries…", "Query", "Words, id:3, Δ > 0.1, relevant < 5", None,
                ("/", "Ctrl+F"), has_queries),
        Command("widest_query", "Query of the widest difference", "Query",
                "The query in which focus and baseline differ most", lambda session: session.go_to_widest(), ("W",),
                has_queries),
        Command("clear_document", "Select no document", "Query", "Take the selection of a document back",
                lambda session: session.set_document(None), (), _has_document),
        Command("choose_baseline", "Choose the baseline…", "Runs", "What every difference is against", None, ("B",),
                has_runs),
        Command("choose_runs", "Show or hide runs…", "Runs", "Which runs have a column and a curve", None, ("R",),
                has_runs),
        Command("show_all_runs", "Show all runs", "Runs", "A column and a curve for every run", _show_all, (),
                has_runs),
        Command("show_best_runs", "Show the best three and the baseline", "Runs", "By the chosen measure", _show_best,
                (), has_runs),
        Command("rename_run", "Rename a run…", "Runs", "Another name in every list, table and plot", None, ("F2",),
                has_runs),
        Command("recolour_run", "Change a run's colour…", "Runs", "Another colour everywhere", None, (), has_runs),
        Command("move_run", "Move a run…", "Runs", "Another place in the order of columns and legends", None, (),
                has_runs),
        Command("remove_run", "Remove a run…", "Runs", "Take a run out of the collection; its file stays", None, (),
                has_runs),
        Command("choose_measure", "Choose the measure…", "Measure", "The measure of every table, plot and sort", None,
                ("Ctrl+M",), has_judgments),
        Command("about_measure", "About the measure…", "Measure",
                "Its formula, what it rewards and ignores, its parameters, source and names in other tools", None, (),
                has_judgments),
        Command("cutoff_down", "Cutoff up the ranking", "Measure", "One rank less above the cutoff line",
                lambda session: session.set_cutoff(session.cutoff - 1), ("[",),
                lambda session: has_collection(session) and session.cutoff > 1),
        Command("cutoff_up", "Cutoff down the ranking", "Measure", "One rank more above the cutoff line",
                lambda session: session.set_cutoff(session.cutoff + 1), ("]",), has_collection),
        Command("choose_level", "Relevance level…", "Measure", "From which grade on documents are relevant", None, (),
                _has_levels),
        Command("judged_only", "Judged documents only", "Measure",
                "Leave what nobody judged out of lists and numbers, as trec_eval -J does",
                lambda session: session.set_judged_only(not session.judged_only), (), has_judgments,
                lambda session: session.judged_only),
        Command("choose_dialect", "Rules of another tool…", "Measure",
                "Ties, gains and missing queries as trec_eval, ir_measures, ranx or gdeval have them", None, (),
                has_judgments),
        Command("compare_dialects", "What other tools' rules would change…", "Measure",
                "Which numbers in view, from what to what, and which rule does it", None, (),
                lambda session: has_runs(session) and has_judgments(session)),
        *(Command(f"regime_{regime.value}", f"Judgments are {regime.value}", "Measure", regime.meaning.capitalize(),
                  _regime(regime)[0], (), has_judgments, _regime(regime)[1]) for regime in Regime),
        Command("next_judgments", "Judge by the next judgment set", "Measure", "Another of the collection's qrels",
                _next_judgments, (), _has_several_judgments),
        Command("strips", "Rankings as strips", "View", "A row a run and a cell a rank, for many runs", _switch_mode,
                ("V",), has_runs, in_strips),
        Command("card_fields", "Fields of a document…", "View", "Which columns the document card shows, in what order",
                None, (), _has_documents),
        Command("theme_light", "Light theme", "View", "Light colours", light, (), _always, is_light),
        Command("theme_dark", "Dark theme", "View", "Dark colours", dark, (), _always, is_dark),
        Command("theme_system", "Theme of the system", "View", "Light or dark as the system is", system, (), _always,
                is_system),
        Command("context_menu", "What can be done here…", "View", "The menu of the right button, where the keys are",
                None, ("Shift+F10",), has_collection),
        Command("copy", "Copy", "View", "Copy the selected cells as tab-separated text", None, ("Ctrl+C",), has_table),
        Command("show_reports", "File doctor…", "Help", "What the open files hold, what is odd, and what can be done",
                None, (), _has_reports),
        Command("keyboard", "Keyboard…", "Help", "Every action with its shortcut", None, ("F1", "?")),
        Command("about", "About irviewer…", "Help", "Version, licence, and whose work it stands on"),
    )  # fmt: skip


COMMANDS = _rows()
"""Every fixed command, in the order of menus."""


IN_VIEWS = (
    ("Walk in a list, a table, a plot", ("Up", "Down", "Left", "Right")),
    ("Open the query, read the document", ("Return",)),
    ("Show or hide the run stood on", ("Space",)),
    ("Take the selection back, clear a filter, close", ("Esc",)),
    ("To the next part of the window, and back", ("Tab", "Shift+Tab")),
)
"""What keys do in the views themselves, for the keyboard help; the views hear them, so they are no commands."""


def keys(name: str) -> str:
    """The first shortcut of a fixed command, as Qt spells it; "" where it has none."""
    return next((one.shortcuts[0] for one in COMMANDS if one.id == name and one.shortcuts), "")


def dynamic(session: Session) -> tuple[Command, ...]:
    """Commands that follow from what is open: a run's, a measure's, a collection's, a sample's, a recent opening's."""
    found = [_sample(sample.id, sample.name, sample.summary) for sample in session.samples]
    found += [_recent(number, one.title, one.folder) for number, one in enumerate(session.recent)]
    if _has_several_collections(session):
        found += [_collection(number, one.name) for number, one in enumerate(session.workspace.collections)]
    if has_judgments(session):
        found += [_measure(text) for text in session.common_measures]
        found += [_dialect(one) for one in DIALECTS.values()]
    if _has_levels(session):
        found += [_level(session, level) for level in session.levels]
    for label in session.labels():
        found += [_show(label.key, label.name, label.shown), _baseline(label.key, label.name)]
    return tuple(found)


def every(session: Session) -> tuple[Command, ...]:
    """All commands, fixed and dynamic, whether they can be done now or not."""
    return (*COMMANDS, *dynamic(session))


def find(session: Session, name: str) -> Command:
    """The command of that id. Raises IrviewerError where there is none."""
    found = next((one for one in COMMANDS if one.id == name), None)
    if found is None:
        found = next((one for one in dynamic(session) if one.id == name), None)
    if found is None:
        raise IrviewerError(f"there is no command {name!r}")
    return found


def _sample(name: str, title: str, summary: str) -> Command:
    return Command(f"sample {name}", f"Open sample {title}", "File", summary, lambda session: session.open_sample(name))


def _recent(number: int, title: str, folder: str) -> Command:
    return Command(
        f"recent {number}", f"Open again {title}", "File", folder, lambda session: session.open_recent(number)
    )


def _collection(number: int, name: str) -> Command:
    return Command(
        f"collection {number}",
        f"Collection {name}",
        "Go",
        "Bring this collection into view",
        lambda session: session.set_collection(number),
        checked=lambda session: session.state.current == number,
    )


def _measure(text: str) -> Command:
    return Command(
        f"measure {text}",
        f"Measure {text}",
        "Measure",
        "The measure of every table, plot and sort",
        lambda session: session.set_measure(text),
        checked=lambda session: str(session.measure) == text,
    )


def _level(session: Session, level: float) -> Command:
    judgments = session.judgments
    count = 0 if judgments is None else int(judgments.qrels.relevant_counts(level).sum())
    return Command(
        f"level {level:g}",
        f"Relevant from grade {level:g}",
        "Measure",
        f"{count:,} judged documents are relevant then",
        lambda session: session.set_level(level),
        checked=lambda session: session.level == level,
    )


def _dialect(dialect: Dialect) -> Command:
    return Command(
        f"dialect {dialect.name}",
        f"Rules of {dialect.title}",
        "Measure",
        "; ".join(dialect.account()) or "What the window starts with",
        lambda session: session.set_dialect(dialect.name),
        checked=lambda session: session.dialect == dialect.name,
    )


def _show(key: int, name: str, shown: bool) -> Command:
    return Command(
        f"show {key}",
        f"{'Hide' if shown else 'Show'} {name}",
        "Runs",
        "A column and a curve",
        lambda session: session.show_run(key, not shown),
        checked=lambda session: key in session.shown,
    )


def _baseline(key: int, name: str) -> Command:
    return Command(
        f"baseline {key}",
        f"Baseline {name}",
        "Runs",
        "What every difference is against",
        lambda session: session.set_baseline(key),
        checked=lambda session: session.baseline == key,
    )
