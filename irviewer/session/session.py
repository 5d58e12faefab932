"""The session: everything a person can do to what is open and chosen. Qt-free, used from one thread.

Each action makes a new frozen state and announces once what has changed; views pull their pages (``view.py``). Nothing
that hears an announcement may change the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError, MeasureError
from irviewer.model.dialects import dialect_of
from irviewer.model.measure import parse_measure
from irviewer.model.workspace import Regime, Workspace
from irviewer.session import commands, transitions
from irviewer.session.core import SessionCore
from irviewer.session.dialect_table import DialectTable, Wanted, dialect_table
from irviewer.session.doctor import as_chosen
from irviewer.session.loading import Request, requests_of, requests_of_sample
from irviewer.session.measure_lists import cutoff_of, measure_at, query_measures, systems_measures
from irviewer.session.messages import error, warning
from irviewer.session.opening import Opened, open_requests
from irviewer.session.placing import origins, place_reading
from irviewer.session.samples import find_sample
from irviewer.session.scene import first_shown
from irviewer.session.state import LISTS_MODES, PLACES, THEMES, State
from irviewer.session.tasks import Progress
from irviewer.session.transitions import Opening

if TYPE_CHECKING:
    from irviewer.formats.doctor import Treatment


class Session(SessionCore):
    """See the module; how it is made and what it announces is said at :class:`SessionCore`."""

    # --- where one is ---

    def set_place(self, place: str) -> None:
        """Go to a place; where nothing is open there is only the start."""
        if place not in PLACES:
            raise IrviewerError(f"there is no place {place!r}; there are {', '.join(PLACES)}")
        if self.collection is not None or place == "start":
            self._apply(replace(self._state, place=place))

    def set_collection(self, number: int) -> None:
        """Bring another open collection into view."""
        if 0 <= number < len(self.workspace.collections):
            place = "query" if self.place == "start" else self._state.place
            state = self._state if number == self._state.current else transitions.without_hints(self._state)
            self._apply(replace(state, current=number, place=place))

    def set_query(self, query_id: str) -> bool:
        """Select a query; False (and a message) where the collection has none of that id."""
        scene = self.scene
        if scene is None or query_id == self.query_id:
            return scene is not None
        if query_id not in scene.query_index:
            why = "is not in the qrels" if scene.judgments is not None else "is in none of the runs"
            self.say(warning(f"query {query_id} {why}"))
            return False
        self.hover("")  # what stood under the pointer was another query's
        chosen = replace(self._state.chosen, query_id=query_id, document_id=None)
        self._apply(transitions.without_hints(self._state.with_chosen(chosen)))
        return True

    def step_query(self, step: int) -> None:
        """Walk the queries in the table's order; the ends hold."""
        scene = self.scene
        if scene is None:
            return
        order = self._order(scene)
        if not len(order.rows):
            return
        row = order.row_of(scene.query_index.get(self.query_id, -1))
        wanted = row + step if row >= 0 else (0 if step > 0 else len(order.rows) - 1)
        self.set_query(scene.query_ids[int(order.rows[max(0, min(len(order.rows) - 1, wanted))])])

    def go_to_widest(self) -> None:
        """Select the query in which focus and baseline differ most."""
        scene = self.scene
        place = None if scene is None else transitions.widest(scene)
        if scene is not None and place is not None:
            self.set_query(scene.query_ids[place])

    def set_document(self, doc_id: str | None) -> None:
        """Select a document, or none."""
        self._choose(document_id=doc_id)

    def hover(self, doc_id: str) -> None:
        """The pointer stands over a document ("" none): announced apart, no page changes."""
        if doc_id != self._hovered:
            self._hovered = doc_id
            self.hovered.emit(doc_id)

    # --- measure and cutoff ---

    def set_measure(self, text: str) -> bool:
        """Choose a measure by its text; False (and a message) where it cannot be understood."""
        try:
            measure = parse_measure(text)
            if measure.is_text:
                raise MeasureError(f"{measure} is text and no number")
        except MeasureError as failure:
            self.say(error(str(failure)))
            return False
        self.settings["measure"] = str(measure)
        self._apply_when_ready(lambda state: replace(state, measure=measure, cutoff=cutoff_of(measure) or state.cutoff))
        return True

    def set_cutoff(self, cutoff: int) -> None:
        """Move the cutoff line; a measure that is cut at a rank follows."""
        cutoff = max(1, cutoff)
        self._apply_when_ready(lambda state: replace(state, cutoff=cutoff, measure=measure_at(state.measure, cutoff)))

    # --- how numbers are made ---

    def set_level(self, level: float) -> None:
        """Count documents of this grade and higher as relevant, in binary measures and wherever documents are
        counted."""
        self._apply_when_ready(lambda state: replace(state, options=replace(state.options, level=level)))

    def set_judged_only(self, judged_only: bool) -> None:
        """Leave documents that nobody judged out of lists and numbers, or take them in again."""
        self._apply_when_ready(lambda state: replace(state, options=replace(state.options, judged_only=judged_only)))

    def set_dialect(self, name: str) -> None:
        """Make numbers by another tool's rules where tools disagree. Raises OptionError for an unknown name."""
        rules = dialect_of(name)
        self._apply_when_ready(lambda state: replace(state, options=replace(state.options, dialect=rules.name)))

    def find_dialect_changes(self, deliver: Callable[[DialectTable], object]) -> None:
        """Find in the background what other dialects would change of the numbers in view, and ``deliver`` it."""
        scene, state = self.scene, self._state
        if state.collection is None or scene is None or scene.judgments is None:
            return
        runs = tuple(entry.run for entry in state.collection.runs if entry.key in scene.shown)
        measures = systems_measures(scene.depth, state.measure, self.settings["table_measures"])
        query = self.query_id if self.place == "query" else ""
        wanted = Wanted(
            scene.judgments.qrels, runs, state.options, measures, query, query_measures(scene.depth, state.measure)
        )

        def work(progress: Progress, cancelled: Callable[[], bool]) -> DialectTable:
            return dialect_table(wanted, progress, cancelled)

        def done(table: DialectTable) -> None:
            deliver(table)

        self._tasks.submit("dialects", work, done, self._on_failure, title="Comparing the rules of tools")

    # --- runs ---

    def set_baseline(self, key: int) -> None:
        """Compare with this run."""
        if self.collection is not None and self.collection.run(key) is not None:
            self._choose(baseline=key)

    def set_focus(self, key: int | None) -> None:
        """Let deltas speak of this run, which is shown if it was not; None: the best shown one."""
        if self.collection is None or (key is not None and self.collection.run(key) is None):
            return
        shown = self._state.chosen.shown
        self._choose(focus=key, shown=shown if key is None else shown | {key})

    def show_run(self, key: int, shown: bool) -> None:
        """Show or hide a run."""
        if self.collection is not None and self.collection.run(key) is not None:
            self._apply(transitions.with_shown(self._state, key, shown))

    def show_runs(self, keys: Sequence[int]) -> None:
        """Show these runs and no others."""
        known = {entry.key for entry in self.collection.runs} if self.collection is not None else set()
        self._choose(shown=frozenset(keys) & known)

    def show_best(self) -> None:
        """Show what a collection of many runs shows at first: the best three and the baseline."""
        scene = self.scene
        if scene is not None:
            self._choose(shown=first_shown(scene))

    def rename_run(self, key: int, name: str) -> None:
        """Give a run another name; one that is taken gets a number."""
        self._try(lambda state: transitions.with_entry(state, key, lambda c, e: transitions.renamed(c, e, name)))

    def recolour_run(self, key: int, colour: str | None) -> None:
        """Give a run another colour, None its own."""
        self._try(lambda state: transitions.with_entry(state, key, lambda _, e: transitions.recoloured(e, colour)))

    def move_run(self, key: int, place: int) -> None:
        """Put a run at another place of the person's order, 0 first."""
        self._apply(transitions.with_moved(self._state, key, place))

    def remove_run(self, key: int) -> None:
        """Take a run out of the collection."""
        self._apply(transitions.without_run(self._state, key))

    def _try(self, change: Callable[[State], State]) -> None:
        try:
            self._apply(change(self._state))
        except IrviewerError as failure:
            self.say(error(str(failure)))

    # --- judgments ---

    def set_regime(self, regime: Regime) -> None:
        """Read the judgments in force as complete, pooled or sparse."""
        self._apply(transitions.with_regime(self._state, regime))

    def set_judgments(self, number: int) -> None:
        """Judge by another of the collection's judgment sets."""
        if self.collection is None or not 0 <= number < len(self.collection.judgments):
            return

        def change(state: State) -> State:
            return transitions.with_judgments(state, number, self._scene_of)

        self._apply_when_ready(change)

    # --- order and look ---

    def sort_queries(self, column: str, descending: bool) -> None:
        """Sort the Queries table: "query", "text", "relevant", "delta", "spread" or a run's key as text."""
        self._choose(queries_sort=(column, descending))

    def filter_queries(self, text: str) -> None:
        """Filter the Queries table; see :mod:`irviewer.session.query_filter`."""
        self._choose(queries_filter=text)

    def sort_systems(self, column: str, descending: bool) -> None:
        """Sort the Systems table: a measure, "run", "delta", or "" for the person's own order."""
        self._choose(systems_sort=(column, descending))

    def set_lists_mode(self, mode: str) -> None:
        """Show rankings as "lists" or "strips"."""
        if mode not in LISTS_MODES:
            raise IrviewerError(f"there is no mode {mode!r}; there are {', '.join(LISTS_MODES)}")
        self.settings["lists_mode"] = mode
        self._apply(replace(self._state, lists_mode=mode))

    def set_card_fields(self, line: str) -> None:
        """Which columns a document card shows; see :mod:`irviewer.session.card_template`. Raises SettingError."""
        self.settings["card_fields"] = line
        self.changed.emit(frozenset({"document"}))

    def set_theme(self, theme: str) -> None:
        """Choose "system", "light" or "dark"."""
        if theme not in THEMES:
            raise IrviewerError(f"there is no theme {theme!r}; there are {', '.join(THEMES)}")
        self.settings["theme"] = theme
        self._apply(replace(self._state, theme=theme))

    def set_system_dark(self, dark: bool) -> None:
        """What the system's own colours are."""
        self._apply(replace(self._state, system_dark=dark))

    # --- opening and closing ---

    def open_files(self, paths: Sequence[str]) -> None:
        """Read files or folders of any kind in the background and put them where they belong."""
        requests = requests_of(paths)
        if not requests:
            self.say(warning("there is no file in " + ", ".join(paths)))
            return
        folder = Path(requests[0].path).resolve().parent
        self.settings["last_folder"] = str(folder)
        remember = [one if one.startswith("irds:") else str(Path(one).resolve()) for one in paths if one != "-"]
        self._open(requests, Opening(), remember)

    def open_sample(self, name: str) -> None:
        """Open a sample by its id or name; one that is open already comes into view."""
        try:
            sample = find_sample(name)
        except IrviewerError as failure:
            self.say(error(str(failure)))
            return
        if sample is None:
            self.say(error(f"there is no sample {name!r}"))
            return
        for number, collection in enumerate(self.workspace.collections):
            if collection.notes.get("sample") == sample.id:
                self.set_collection(number)
                return
        self._open(requests_of_sample(sample), Opening(sample.id, sample.name, sample.baseline), [])

    def open_recent(self, number: int) -> None:
        """Open again what was opened before; 0 is the last time."""
        recent = self.settings["recent"]
        if 0 <= number < len(recent):
            self.open_files(recent[number])

    def reload(self) -> None:
        """Read the files of the collection in view again; names, colours and order of runs stay."""
        paths = origins(self.collection)
        if paths:
            self._open(requests_of(paths), Opening(), [])

    def treat(self, path: str, treatment: Treatment) -> None:
        """Read a file again under a choice of the file doctor's; the choice stays with its collection."""
        qrels = None if self.judgments is None else self.judgments.qrels
        self._open((Request(path, treatment=treatment, qrels=qrels),), Opening(), [])

    def _open(self, requests: Sequence[Request], opening: Opening, remember: list[str]) -> None:
        # A sample is a collection of its own, whatever else is open.
        workspace, current = (Workspace(), -1) if opening.sample else (self.workspace, self._state.current)
        judged = None if self.judgments is None else self.judgments.qrels
        requests = requests if opening.sample else as_chosen(requests, workspace, judged)
        work = open_requests(requests, workspace, current, self._state, self._evaluation)

        def done(opened: Opened) -> None:
            self._on_opened(opened, opening, remember)

        self._openings += 1
        title = Path(requests[0].path).name if len(requests) == 1 else f"{len(requests)} files"
        self._tasks.submit(f"open {self._openings}", work, done, self._on_failure, title=f"Reading {title}")

    def _on_opened(self, opened: Opened, opening: Opening, remember: list[str]) -> None:
        placed = opened.placed
        if opening.sample:
            placed = placed.appended_to(self.workspace)
        elif opened.workspace is not self.workspace:  # something was opened or changed meanwhile
            placed = place_reading(self.workspace, self._state.current, opened.reading)
        self._reports.update((one.request.path, one.loaded.report) for one in opened.reading.files)
        for file in opened.reading.files:
            self._refused.pop(file.request.path, None)
        self._refused.update((one.path, one) for one in opened.reading.troubles if one.duplicates)
        if remember and opened.reading.files:
            self.settings.add_recent(remember)
        self._apply(transitions.with_placed(self._state, placed, opening, self._scene_of, self.settings["hints"]))
        self.settings.save()

    def close_collection(self, number: int | None = None) -> None:
        """Close a collection, without a number the one in view."""
        number = self._state.current if number is None else number
        if 0 <= number < len(self.workspace.collections):
            self._apply(transitions.without_collection(self._state, number))

    # --- messages and commands ---

    def dismiss_message(self, number: int) -> None:
        """Take a message away."""
        messages = tuple(one for place, one in enumerate(self.messages) if place != number)
        self._apply(replace(self._state, messages=messages))

    def run_command(self, name: str) -> bool:
        """Do what a command of the registry does, or ask the window for it; False where it cannot be done now.

        Raises IrviewerError where there is no such command."""
        command = commands.find(self, name)
        if not command.enabled(self):
            return False
        if command.run is None:
            self.asked.emit(command.id)
        else:
            command.run(self)
        return True
