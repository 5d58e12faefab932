"""Whose rules hold, and what others would change of what is shown: a part of the session, Qt-free."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

from irviewer.model.dialects import dialect_of
from irviewer.session.core import SessionCore
from irviewer.session.dialect_note import DialectNote, Differing, find_differing, is_large
from irviewer.session.dialect_table import DialectTable, Wanted, dialect_table
from irviewer.session.measure_lists import query_measures, systems_measures
from irviewer.session.reading_lengths import lengths_of, needs_lengths
from irviewer.session.settings import Settings
from irviewer.session.tasks import PAUSE, Post, Progress

_MOVE = frozenset({"workspace", "collection", "runs", "measure", "query", "place"})


class DialectActions(SessionCore):
    """The session's methods for dialects."""

    def __init__(self, settings: Settings | None = None, *, post: Post | None = None) -> None:
        self._dialect_answers: tuple[tuple[Hashable, ...], Wanted, Differing] | None = None
        self._counting: tuple[Hashable, ...] | None = None
        super().__init__(settings, post=post)
        self.changed.connect(self._on_shown_changed)

    def set_dialect(self, name: str) -> None:
        """Make numbers by another tool's rules where tools disagree. Raises OptionError for an unknown name."""
        rules = dialect_of(name)
        self._apply_when_ready(lambda state: replace(state, options=replace(state.options, dialect=rules.name)))

    def find_dialect_changes(self, deliver: Callable[[DialectTable], object]) -> None:
        """Find in the background what other dialects would change of the numbers in view, and ``deliver`` it."""
        wanted = self._numbers_in_view()
        if wanted is None:
            return

        def work(progress: Progress, cancelled: Callable[[], bool]) -> DialectTable:
            return dialect_table(wanted, progress, cancelled)

        def done(table: DialectTable) -> None:
            deliver(table)

        self._tasks.submit("dialects", work, done, self._on_failure, title="Comparing the rules of tools")

    @property
    def dialect_note(self) -> DialectNote | None:
        """How many of the values in view other tools' rules would change; None where they change none, and until that
        is counted, which is announced as "dialects"."""
        wanted = self._numbers_in_view()
        if wanted is None:
            return None
        kept = self._dialect_answers
        if (kept is None or not self._answers(kept, wanted)) and not self._tasks.threaded:
            kept = self._dialect_answers = (self._key(wanted), wanted, find_differing(wanted, self.measure))
        if kept is None or not self._answers(kept, wanted):
            return None
        return kept[2].note(self.place, self.query_id)

    def _answers(self, kept: tuple[tuple[Hashable, ...], Wanted, Differing], wanted: Wanted) -> bool:
        """Whether what was counted is about what is in view: all of it, or the one query that was looked at."""
        return kept[0] == self._key(wanted) and (not kept[2].large or kept[2].query == wanted.query)

    def _key(self, wanted: Wanted) -> tuple[Hashable, ...]:
        """What a count depends on; whoever keeps it by this key keeps ``wanted`` too, so that the ids stay theirs."""
        measures = (self.measure, *wanted.measures, *wanted.query_measures)
        runs = tuple(id(run.scores) for run in wanted.runs)
        return (id(wanted.qrels.grades), runs, wanted.options, tuple(one.text for one in measures))

    def _numbers_in_view(self) -> Wanted | None:
        scene, state = self.scene, self._state
        if state.collection is None or scene is None or scene.judgments is None:
            return None
        runs = tuple(entry.run for entry in state.collection.runs if entry.key in scene.shown)
        measures = systems_measures(scene.depth, state.measure, self.settings["table_measures"])
        query = self.query_id if self.place == "query" else ""
        shown = query_measures(scene.depth, state.measure)
        options = state.options
        if any(map(needs_lengths, (*measures, *shown))):
            options = replace(options, lengths=lengths_of(state.collection))
        if options.lengths is None:
            measures, shown = (tuple(one for one in some if not needs_lengths(one)) for some in (measures, shown))
        return Wanted(scene.judgments.qrels, runs, options, measures, query, shown)

    def _on_shown_changed(self, aspects: frozenset[str]) -> None:
        """Count anew, in the background and unseen, where other values came into view."""
        if not self._tasks.threaded or not aspects & _MOVE or self.place == "start":
            return
        wanted = self._numbers_in_view()
        if wanted is None or (self._dialect_answers is not None and self._answers(self._dialect_answers, wanted)):
            return
        key = self._key(wanted)
        if self._tasks.under_way("dialect note") and self._counting in ((*key, wanted.query), key):
            return
        self._counting = (*key, wanted.query) if is_large(wanted) else key
        measure = self.measure

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Differing:
            return find_differing(wanted, measure, progress)

        def done(found: Differing) -> None:
            self._dialect_answers = (key, wanted, found)
            self.changed.emit(frozenset({"dialects"}))

        self._tasks.submit("dialect note", work, done, self._on_failure, quiet=True, after=PAUSE)
