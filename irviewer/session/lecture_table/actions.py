"""The lecture's table in the session: its rankings and columns, and what is uncovered and guessed."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import replace

from irviewer.errors import IrviewerError
from irviewer.model.workspace import RunEntry
from irviewer.session.lecture_table.columns import COLUMNS, column_named
from irviewer.session.lecture_table.guess import is_right, read_guess, rounded_on_the_way
from irviewer.session.lecture_table.progress import Cell, LectureTable, TableProgress, WrongGuess, table_of
from irviewer.session.lecture_table.wrong_guesses import Reason, reason_for
from irviewer.session.store import Store
from irviewer.session.teaching.actions import TeachingService
from irviewer.session.teaching.answers import number_in
from irviewer.session.teaching.figures import brief_text, printed_in_foot
from irviewer.session.view import View
from irviewer.session.view_models.lecture_table import FootPart, LectureTableViewModel, build_lecture_table
from irviewer.translation import tr

NO_SECOND = (-1, "")
"""No ranking beside the first."""


class LectureTableService:
    """The table of the query in view. A cell that a question of the lesson asks for is answered there too."""

    def __init__(self, store: Store, view: View, teaching: TeachingService) -> None:
        self._store = store
        self._view = view
        self._teaching = teaching

    # --- what is shown ---

    @property
    def table(self) -> LectureTable:
        """What is chosen and uncovered; all but the formulas new for another collection, and covered again for another
        query."""
        kept, of, query = self._store.state.lecture_table, self._of(), self._view.query_id
        if kept.of != of:
            return LectureTable(of, query, formulas=kept.formulas)
        if kept.query_id != query:
            return LectureTable(of, query, kept.columns, kept.asked, formulas=kept.formulas)
        cell = self._question_cell()
        if cell is None or self._teaching.is_asking or cell in kept.progress.shown:
            return kept
        return replace(kept, progress=kept.progress.with_shown(cell))  # the question was answered

    def _question_cell(self) -> Cell | None:
        """Return the cell that the question in view asks for; None for any other question, and without one."""
        asked = None if self._teaching.question is None else self._teaching.question.asked
        column = None if asked is None or not asked.column else column_named(asked.column)
        progress = self._store.state.lecture_table.progress
        if asked is None or column is None:
            return None
        at = progress.at
        half = at.half if at is not None and (at.rank, at.column) == (asked.rank, column.id) else 0
        return Cell(half, asked.rank, column.id)

    def _of(self) -> Hashable:
        collection = self._view.collection
        return table_of(self._store.state.current, "" if collection is None else collection.name)

    def view_model(self) -> LectureTableViewModel | None:
        """Return the table; None without a judged ranking."""
        context, entry, query = self._view.context, self._first(), self._view.query_id
        if context is None or entry is None or not query:
            return None
        table = self.table
        rankings = ((entry, query), *self._second(entry))
        return self._store.cache.get(
            "lecture_table",
            (context, rankings, table),
            lambda: build_lecture_table(context, rankings, table),
        )

    def _first(self) -> RunEntry | None:
        """Return the run of the first ranking: the baseline, or the first run that is shown; that of the lesson where
        a cell is asked."""
        context = self._view.context
        if context is None or not context.shown_runs:
            return None
        if self._question_cell() is not None and context.collection.runs:
            return context.collection.runs[0]
        return next((entry for entry in context.shown_runs if entry.key == context.baseline), context.shown_runs[0])

    def _second(self, first: RunEntry) -> tuple[tuple[RunEntry, str], ...]:
        """Return the ranking beside the first, if there is one."""
        choices = self.second_choices()
        wanted, asked = self.table.second, None if self._teaching.question is None else self._teaching.question.asked
        if wanted is None and asked is not None and asked.column:
            named = next((choice for choice in choices if choice[0].name == asked.run), None)
            if named is not None:
                return (named,)
        if wanted is None:
            beside = [choice for choice in choices if choice[0].key != first.key]
            taught = self._teaching.lesson_run
            of_lesson = (choice for choice in beside if taught is not None and choice[0].key == taught.key)
            return tuple(of_lesson) or tuple(beside[:1])
        return tuple(choice for choice in choices if (choice[0].key, choice[1]) == wanted)[:1]

    @property
    def asks(self) -> bool:
        """True while the table is in view and the question of the lesson asks for one of its cells: the field is
        there."""
        cell = self._question_cell()
        if cell is None or self._teaching.lesson.view != "table":
            return False
        view_model = self.view_model()
        return view_model is not None and view_model.has(cell)

    @property
    def hides_result(self) -> bool:
        """True while the table is in view and the sums that its measure is made of are not all uncovered: the measure
        must not be on screen then."""
        view_model = self.view_model()
        if view_model is None or not self._teaching.is_on or self._teaching.lesson.view != "table":
            return False
        return any(part.role == "blank" for half in range(len(view_model.halves)) for part in view_model.foot(half))

    def second_choices(self) -> tuple[tuple[RunEntry, str], ...]:
        """Return the rankings that can stand beside the first: the other shown runs, then other queries of its run."""
        context, first = self._view.context, self._first()
        if context is None or first is None:
            return ()
        query_id = self._view.query_id
        others = [(entry, query_id) for entry in context.shown_runs if entry.key != first.key]
        return (*others, *((first, query) for query in context.query_ids if query != query_id))

    def foot(self, half: int) -> tuple[FootPart, ...]:
        """Return the line below a ranking of the table, with the author's figure beside ours where the lesson has it in
        print."""
        view_model, lesson = self.view_model(), self._teaching.printed_lesson()
        if view_model is None or half >= len(view_model.halves):
            return ()
        line, value, shown = view_model.foot(half), view_model.foot_value(half), view_model.halves[half]
        if value is None or lesson is None:
            return line
        figure = printed_in_foot(
            lesson.figures, view_model.foot_column(half), value, shown.run.name, shown.query_id, shown.rows
        )
        return line if figure is None else (*line, FootPart(brief_text(figure), "label"))

    # --- choices ---

    def set_columns(self, half: int, columns: Collection[str]) -> None:
        """Show these columns of a ranking, by id or name; none for those of the measure. Raises IrviewerError for an
        unknown name."""
        wanted = {self._column(name) for name in columns}
        chosen = list(self.table.columns)
        chosen[half] = tuple(column.id for column in COLUMNS if column.id in wanted)
        self._keep(replace(self.table, columns=(chosen[0], chosen[1])))

    def toggle_column(self, half: int, column: str) -> None:
        """Show or hide a column; the last one stays."""
        view_model = self.view_model()
        if view_model is not None and half < len(view_model.halves):
            columns = set(view_model.halves[half].column_ids) ^ {column}
            if columns:
                self.set_columns(half, columns)

    def set_asked(self, columns: Collection[str] | None) -> None:
        """Ask the values of these columns row by row, of none, or with None those of the measure's column. Raises
        IrviewerError for an unknown name."""
        asked = None if columns is None else frozenset(self._column(name) for name in columns)
        self._keep(replace(self.table, asked=asked))

    def toggle_asked(self, column: str) -> None:
        """Ask the values of a column, or no longer."""
        view_model = self.view_model()
        if view_model is not None:
            self.set_asked(view_model.asked ^ {column})

    def toggle_formulas(self) -> None:
        """Show the formulas above the rows, or no longer."""
        self._keep(replace(self.table, formulas=not self.table.formulas))

    def set_second(self, ranking: tuple[int, str] | None) -> None:
        """Choose the ranking beside the first: (key of its run, query), NO_SECOND, or None for the next shown run."""
        self._keep(replace(self.table, second=ranking))

    def _column(self, name: str) -> str:
        column = column_named(name)
        if column is None:
            names = ", ".join(column.id for column in COLUMNS)
            raise IrviewerError(tr("Unknown column {name!r}; choose among {names}.", name=name, names=names))
        return column.id

    # --- row by row ---

    def next(self) -> bool:
        """Uncover what is asked in the current row; if nothing is, go on to the next row. False at the end."""
        view_model = self.view_model()
        if view_model is None:
            return False
        progress, pending = self.table.progress, view_model.pending
        if pending:
            if self._question_cell() in pending and self._teaching.is_asking:
                self._teaching.show_answer()
            return self._move(replace(progress.with_shown(*pending), asked=progress.asked | set(pending)))
        if view_model.row >= view_model.rows:
            return False
        return self._move(replace(progress, row=view_model.row + 1, at=None, wrong=None))

    def back(self) -> bool:
        """Cover the asked cells of the current row again; if they are covered, go back to the row before. False at the
        beginning."""
        view_model = self.view_model()
        if view_model is None:
            return False
        progress, row = self.table.progress, view_model.row
        in_row = {cell for cell in progress.shown if cell.rank == row}
        if in_row:
            return self._move(replace(progress, shown=progress.shown - in_row, at=None, wrong=None))
        if row <= 1:
            return False
        later = {cell for cell in progress.shown | progress.covered if cell.rank >= row}
        return self._move(
            replace(
                progress, row=row - 1, at=None, wrong=None, shown=progress.shown - later,
                covered=progress.covered - later,
            )
        )  # fmt: skip

    def go_to_row(self, row: int) -> bool:
        """Make a row the current one: those above it open, those below covered."""
        view_model = self.view_model()
        if view_model is None:
            return False
        row = max(1, min(view_model.rows, row))
        above = frozenset(
            Cell(half, rank, column) for half, column in view_model.cells for rank in range(1, row)
            if column in view_model.asked
        )  # fmt: skip
        return self._move(TableProgress(row, shown=above, asked=self.table.progress.asked,
                                        right=self.table.progress.right))  # fmt: skip

    # --- a cell ---

    def select(self, cell: Cell) -> bool:
        """Select a cell; False if there is none."""
        view_model = self.view_model()
        if view_model is None or not view_model.has(cell):
            return False
        return self._move(replace(self.table.progress, at=cell))

    def step(self, columns: int, rows: int) -> bool:
        """Select the cell so many columns to the right and rows below; False at the edge."""
        view_model = self.view_model()
        at = None if view_model is None else view_model.at
        if view_model is None or at is None:
            return False
        places = view_model.cells
        place = places.index((at.half, at.column)) + columns
        if not 0 <= place < len(places):
            return False
        half, column = places[place]
        rank = min(at.rank + rows, view_model.halves[half].rows) if not rows else at.rank + rows
        return self.select(Cell(half, rank, column))

    def toggle(self) -> bool:
        """Uncover the selected cell, or cover it again."""
        view_model = self.view_model()
        at = None if view_model is None else view_model.at
        if view_model is None or at is None:
            return False
        progress = replace(self.table.progress, at=at)
        if view_model.is_open(at):
            return self._move(progress.with_covered(at))
        asked = {at} if at.column in view_model.asked else set()
        if at == self._question_cell() and self._teaching.is_asking:
            self._teaching.show_answer()
        return self._move(replace(progress.with_shown(at), asked=progress.asked | asked))

    def guess(self, text: str) -> bool:
        """Guess the selected cell, if it is covered: uncover it, or say why the guess is wrong. True if it is right."""
        view_model = self.view_model()
        at = None if view_model is None else view_model.at
        if view_model is None or at is None or view_model.is_open(at):
            return False
        ranking = view_model.halves[at.half].ranking
        value, typed = ranking.at(at.column, at.rank), " ".join(text.split())
        progress = replace(self.table.progress, at=at)
        number = read_guess(typed)
        if number is None:
            remedy = tr("Type a number, a fraction such as 3/4, or a sum such as 1 + 2/3.")
            what = tr("{text!r} is not a number.", text=typed)
            self._move(replace(progress, wrong=WrongGuess(at, typed, what, remedy, value)))
            return False
        asked = progress.asked | {at}
        given = None
        if at == self._question_cell():
            self._teaching.answer(typed if read_guess(typed) == number_in(typed) else f"{number:.6f}")
            given = self._teaching.given
        if is_right(number, value, *rounded_on_the_way(ranking, at.column, at.rank)):
            first = at not in progress.asked
            right = progress.right | {at} if first else progress.right
            self._move(
                replace(progress.with_shown(at), asked=asked, right=right, at=None if at.rank == view_model.row else at)
            )
            return True
        reason = reason_for(ranking, at.column, at.rank, number, typed)
        if given is not None and given.reason:
            reason = Reason("lesson", tr("{guess} is not right.", guess=typed), given.reason)
        wrong = WrongGuess(at, typed, reason.what, reason.remedy, value)
        self._move(replace(progress, asked=asked, wrong=wrong))
        return False

    def try_again(self) -> bool:
        """Take the wrong guess away; False if there is none."""
        if self.table.progress.wrong is None:
            return False
        return self._move(replace(self.table.progress, wrong=None))

    def _move(self, progress: TableProgress) -> bool:
        if progress == self.table.progress:
            return False
        self._keep(replace(self.table, progress=progress))
        return True

    def _keep(self, table: LectureTable) -> None:
        self._store.apply(replace(self._store.state, lecture_table=table))
