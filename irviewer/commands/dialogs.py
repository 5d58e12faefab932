"""What rows may ask of the user, by subject: protocols that the dialogs of the window satisfy. Each method asks,
and what is answered is done then; it does not wait for the answer."""

from __future__ import annotations

from typing import Protocol


class WindowQuestions(Protocol):
    """What a row does to the window itself."""

    def copy(self) -> None:
        """Copy what the widget with the focus has to copy."""
        ...

    def menu(self) -> None:
        """All menus."""
        ...

    def edit_menu(self) -> None:
        """The menu Edit alone."""
        ...

    def context_menu(self) -> None:
        """The menu of the widget with the focus."""
        ...

    def quit(self) -> None:
        """Close the window."""
        ...


class NavigationQuestions(Protocol):
    """To an action, a query, a step."""

    def find_action(self) -> None:
        """The command palette."""
        ...

    def go_to_query(self) -> None:
        """A query by its id or text."""
        ...

    def filter_queries(self) -> None:
        """The keys into the filter of the queries."""
        ...

    def choose_step(self) -> None:
        """To which step of the history."""
        ...


class FileQuestions(Protocol):
    """Which files, as what."""

    def open(self) -> None:
        """Which files to open."""
        ...

    def open_as(self) -> None:
        """Which file, and as what."""
        ...

    def open_sample(self) -> None:
        """Which sample."""
        ...

    def open_recent(self) -> None:
        """Which of what was opened before."""
        ...

    def examine(self) -> None:
        """What the open files hold, what is odd in them, and what can be done."""
        ...


class SavingQuestions(Protocol):
    """Which part of what is in view, and where it goes."""

    def save_figure(self) -> None:
        """Which plot, and where it goes."""
        ...

    def save_table(self) -> None:
        """Which table, and where it goes."""
        ...


class ProjectQuestions(Protocol):
    """Projects and the work that was left."""

    def save(self) -> None:
        """Where the project goes, if it has no file yet."""
        ...

    def save_as(self) -> None:
        """Another file for the project."""
        ...

    def open(self) -> None:
        """Which project."""
        ...

    def find_files(self) -> None:
        """Where the project's missing files are."""
        ...

    def join(self) -> None:
        """Whether files that were given join the project."""
        ...

    def settle(self) -> None:
        """Whose changes hold where two windows changed the same."""
        ...

    def restore(self) -> None:
        """Which of the work that was left."""
        ...

    def discard(self) -> None:
        """Which of the work that was left is thrown away."""
        ...

    def save_notes(self) -> None:
        """Where notes and tags go."""
        ...


class RunQuestions(Protocol):
    """Which run, and then its name, colour, place, file."""

    def baseline(self) -> None:
        """What every difference is against."""
        ...

    def choose(self) -> None:
        """Which runs are shown."""
        ...

    def rename(self) -> None:
        """Another name for a run."""
        ...

    def recolour(self) -> None:
        """Another colour for a run."""
        ...

    def move(self) -> None:
        """Another place for a run."""
        ...

    def remove(self) -> None:
        """Which run is taken out."""
        ...

    def fuse(self) -> None:
        """Which runs become one, and how."""
        ...

    def save(self) -> None:
        """Which run is saved, and where."""
        ...


class EditingQuestions(Protocol):
    """The edited copy of a run."""

    def swap(self) -> None:
        """With which rank the selected document changes places."""
        ...

    def cheapest(self) -> None:
        """What a value would take."""
        ...

    def save(self) -> None:
        """Where the edited run goes."""
        ...


class SetQuestions(Protocol):
    """Query sets and weights."""

    def choose(self) -> None:
        """Which queries numbers are of."""
        ...

    def by_column(self) -> None:
        """By which column the queries are parted."""
        ...

    def keep_filtered(self) -> None:
        """Under what name the filtered queries are kept."""
        ...

    def keep_brushed(self) -> None:
        """Under what name the brushed queries are kept."""
        ...

    def open(self) -> None:
        """Which files hold sets."""
        ...

    def save(self) -> None:
        """Where the sets go."""
        ...

    def remove(self) -> None:
        """Which set is to go."""
        ...

    def weight(self) -> None:
        """By what queries are weighted."""
        ...


class DocumentQuestions(Protocol):
    """The selected document."""

    def documents_above(self) -> None:
        """What stands above it."""
        ...

    def card_fields(self) -> None:
        """Which columns its card shows."""
        ...


class NoteQuestions(Protocol):
    """Notes and tags."""

    def query(self) -> None:
        """The selected query's."""
        ...

    def document(self) -> None:
        """The selected document's."""
        ...


class JudgingQuestions(Protocol):
    """Judgments: why, by whom, to which file."""

    def note(self) -> None:
        """Why the selected document has its grade."""
        ...

    def assessor(self) -> None:
        """Who judges."""
        ...

    def all_made(self) -> None:
        """What was judged here."""
        ...

    def import_judgments(self) -> None:
        """Which file to lay over the judgments."""
        ...

    def lay_over(self) -> None:
        """What becomes of judgments that contradict those made here."""
        ...

    def export_patch(self) -> None:
        """Where what was judged here goes."""
        ...

    def save_set(self) -> None:
        """Where the qrels in force go, to be judged by from then on."""
        ...

    def export_merged(self) -> None:
        """Where the qrels in force go."""
        ...


class FailureQuestions(Protocol):
    """Failures."""

    def save_worklist(self) -> None:
        """Where the worklist goes."""
        ...


class MeasureQuestions(Protocol):
    """The measure, and by whose rules it is computed."""

    def choose(self) -> None:
        """Which measure."""
        ...

    def about(self) -> None:
        """What the chosen measure is."""
        ...

    def level(self) -> None:
        """From which grade on a document is relevant."""
        ...

    def dialect(self) -> None:
        """By which tool's rules numbers are made."""
        ...

    def compare_dialects(self) -> None:
        """What other tools' rules would change."""
        ...

    def ties(self) -> None:
        """What the order of tied documents could change."""
        ...


class StatisticsQuestions(Protocol):
    """Statistics, and columns of tables."""

    def correction(self) -> None:
        """How p-values are corrected for many comparisons."""
        ...

    def interval(self) -> None:
        """How intervals are made."""
        ...

    def test(self) -> None:
        """Which test decides."""
        ...

    def zeros(self) -> None:
        """What Wilcoxon's test does with queries without a difference."""
        ...

    def tukey(self) -> None:
        """How all pairs are tested at once."""
        ...

    def columns(self) -> None:
        """Which columns the Systems table shows."""
        ...

    def query_columns(self) -> None:
        """Which columns of all runs the Queries table shows."""
        ...

    def save_comparison(self) -> None:
        """Where the comparison with the baseline goes."""
        ...

    def save_all_pairs(self) -> None:
        """Where the comparison of all pairs goes."""
        ...

    def number(self, name: str) -> None:
        """The value of one of the NUMBERS of the statistics, by its name."""
        ...


class TeachingQuestions(Protocol):
    """Worked examples, typed rankings, large type."""

    def example(self) -> None:
        """Which worked example."""
        ...

    def typed(self) -> None:
        """Which ranking."""
        ...

    def large_type(self) -> None:
        """Larger type, or type as it was."""
        ...


class HelpQuestions(Protocol):
    """What there is to read."""

    def keyboard(self) -> None:
        """Every shortcut."""
        ...

    def about(self) -> None:
        """What the program is."""
        ...


class Dialogs(Protocol):
    """All of them."""

    @property
    def window(self) -> WindowQuestions: ...
    @property
    def navigation(self) -> NavigationQuestions: ...
    @property
    def files(self) -> FileQuestions: ...
    @property
    def saving(self) -> SavingQuestions: ...
    @property
    def projects(self) -> ProjectQuestions: ...
    @property
    def runs(self) -> RunQuestions: ...
    @property
    def editing(self) -> EditingQuestions: ...
    @property
    def sets(self) -> SetQuestions: ...
    @property
    def documents(self) -> DocumentQuestions: ...
    @property
    def notes(self) -> NoteQuestions: ...
    @property
    def judging(self) -> JudgingQuestions: ...
    @property
    def failures(self) -> FailureQuestions: ...
    @property
    def measures(self) -> MeasureQuestions: ...
    @property
    def statistics(self) -> StatisticsQuestions: ...
    @property
    def teaching(self) -> TeachingQuestions: ...
    @property
    def help(self) -> HelpQuestions: ...
