"""The dialogs that commands can open, by subject: protocols that the window implements.

A method opens a dialog and returns at once; the dialog acts on the answer."""

from __future__ import annotations

from typing import Protocol


class WindowQuestions(Protocol):
    """Actions of the window itself."""

    def copy(self) -> None:
        """Copy the selection of the focused widget."""
        ...

    def menu(self) -> None:
        """Open the menu with all actions."""
        ...

    def context_menu(self) -> None:
        """Open the context menu of the focused widget."""
        ...

    def preferences(self) -> None:
        """Open the preferences."""
        ...

    def larger_type(self) -> None:
        """Make the type one step larger."""
        ...

    def smaller_type(self) -> None:
        """Make the type one step smaller."""
        ...

    def system_type(self) -> None:
        """Use the type size of the system."""
        ...

    def quit(self) -> None:
        """Close the window."""
        ...


class NavigationQuestions(Protocol):
    """Dialogs that go to an action, a query or a step of the history."""

    def find_action(self) -> None:
        """Open the command palette."""
        ...

    def go_to_query(self) -> None:
        """Ask for a query by its id or text, and select it."""
        ...

    def filter_queries(self) -> None:
        """Move the keyboard focus to the filter of the queries."""
        ...

    def choose_step(self) -> None:
        """Ask for a step of the history, and go there."""
        ...


class FileQuestions(Protocol):
    """Dialogs that open files."""

    def open(self) -> None:
        """Ask for files to open."""
        ...

    def open_as(self) -> None:
        """Ask for a file, its format and kind."""
        ...

    def open_sample(self) -> None:
        """Ask for a sample to open."""
        ...

    def open_recent(self) -> None:
        """Ask for a recent opening."""
        ...

    def name_columns(self) -> None:
        """Ask which columns of a table with unknown names hold what."""
        ...

    def examine(self) -> None:
        """Open the file doctor: contents and problems of the open files, with repairs."""
        ...


class SavingQuestions(Protocol):
    """Dialogs that save plots and tables."""

    def save_figure(self) -> None:
        """Ask for a plot and a file to save it in."""
        ...

    def save_table(self) -> None:
        """Ask for a table and a file to save it in."""
        ...

    def export_report(self) -> None:
        """Ask for the file of a report."""
        ...

    def export_paper(self) -> None:
        """Open the dialog that exports a table for a paper."""
        ...


class ProjectQuestions(Protocol):
    """Dialogs for projects and unsaved work."""

    def save(self) -> None:
        """Save the project; ask for a file if it has none."""
        ...

    def save_as(self) -> None:
        """Ask for another file for the project."""
        ...

    def open(self) -> None:
        """Ask for a project to open."""
        ...

    def find_files(self) -> None:
        """Ask where the missing files of the project are."""
        ...

    def join(self) -> None:
        """Ask whether the files just opened join the project."""
        ...

    def settle(self) -> None:
        """Ask which of two conflicting changes to keep."""
        ...

    def restore(self) -> None:
        """Ask for unsaved work to restore."""
        ...

    def discard(self) -> None:
        """Ask for unsaved work to delete."""
        ...


class RunQuestions(Protocol):
    """Dialogs that choose a run and change its name, colour, position or file."""

    def baseline(self) -> None:
        """Ask for the baseline."""
        ...

    def choose(self) -> None:
        """Ask for the runs to show."""
        ...

    def rename(self) -> None:
        """Ask for a run and its new name."""
        ...

    def recolour(self) -> None:
        """Ask for a run and its new colour."""
        ...

    def colour_by(self) -> None:
        """Ask for the attribute that runs are coloured and grouped by."""
        ...

    def family(self) -> None:
        """Ask for a run and the family of its model."""
        ...

    def move(self) -> None:
        """Ask for a run and its new position."""
        ...

    def remove(self) -> None:
        """Ask for a run to remove."""
        ...

    def match(self) -> None:
        """Ask which run of each collection is which system."""
        ...

    def fuse(self) -> None:
        """Ask for runs to fuse, and the method."""
        ...

    def save(self) -> None:
        """Ask for a run and a file to save it in."""
        ...

    def versions(self) -> None:
        """Show the versions of the runs whose files changed."""
        ...


class EditingQuestions(Protocol):
    """Dialogs for edited runs."""

    def swap(self) -> None:
        """Ask for the rank to swap the selected document with."""
        ...

    def cheapest(self) -> None:
        """Ask for a value, and find the fewest swaps that reach it."""
        ...

    def save(self) -> None:
        """Ask for a file to save the edited run in."""
        ...


class SetQuestions(Protocol):
    """Dialogs for query sets and weights."""

    def choose(self) -> None:
        """Ask for the query set to compute over."""
        ...

    def by_column(self) -> None:
        """Ask for the attribute that divides the queries into sets."""
        ...

    def keep_filtered(self) -> None:
        """Ask for the name of a set of the filtered queries."""
        ...

    def keep_brushed(self) -> None:
        """Ask for the name of a set of the brushed queries."""
        ...

    def open(self) -> None:
        """Ask for files of query sets."""
        ...

    def save(self) -> None:
        """Ask for a file to save the query sets in."""
        ...

    def remove(self) -> None:
        """Ask for a query set to remove."""
        ...

    def open_attributes(self) -> None:
        """Ask for a file of attributes of queries or runs."""
        ...

    def slice_attributes(self) -> None:
        """Ask for the attributes whose slices are shown."""
        ...

    def save_slices(self) -> None:
        """Ask for a file to save the slices in."""
        ...

    def remove_attributes(self) -> None:
        """Ask which table of attributes to remove."""
        ...

    def weight(self) -> None:
        """Ask for an attribute or a file with the weights of queries."""
        ...


class DocumentQuestions(Protocol):
    """Dialogs for the selected document."""

    def documents_above(self) -> None:
        """Show the documents ranked above it."""
        ...

    def card_fields(self) -> None:
        """Ask for the columns that its card shows."""
        ...


class NoteQuestions(Protocol):
    """Dialogs for notes and tags."""

    def query(self) -> None:
        """Edit the note and tags of the selected query."""
        ...

    def document(self) -> None:
        """Edit the note and tags of the selected document."""
        ...

    def save(self) -> None:
        """Ask for a file to save notes and tags in."""
        ...


class JudgeQuestions(Protocol):
    """Dialogs about the judges of a collection."""

    def choose(self) -> None:
        """Ask for the judge in force."""
        ...

    def describe(self) -> None:
        """Ask for name, kind, family and note of the judge in force."""
        ...

    def remove(self) -> None:
        """Ask for a judge to remove."""
        ...

    def merge(self) -> None:
        """Ask which judges to merge, and how."""
        ...

    def draw_task(self) -> None:
        """Ask for the size and the file of a sample to judge."""
        ...

    def role(self) -> None:
        """Ask what judgments are that were opened for judged queries."""
        ...


class JudgingQuestions(Protocol):
    """Dialogs for judgments: notes, judges, import and export."""

    def note(self) -> None:
        """Edit the note of the judgment of the selected document."""
        ...

    def widen_scale(self) -> None:
        """Ask for the highest grade that can be given."""
        ...

    def assessor(self) -> None:
        """Ask for the name of the judge."""
        ...

    def all_made(self) -> None:
        """List the judgments made here."""
        ...

    def import_judgments(self) -> None:
        """Ask for a file of judgments to import."""
        ...

    def resolve_conflicts(self) -> None:
        """Ask how to resolve conflicts between imported judgments and those made here."""
        ...

    def export_patch(self) -> None:
        """Ask for a file to save the judgments made here in, as a patch."""
        ...

    def save_set(self) -> None:
        """Ask for a file to save the current qrels in, and evaluate with that file from then on."""
        ...

    def export_merged(self) -> None:
        """Ask for a file to save the current qrels in."""
        ...


class FailureQuestions(Protocol):
    """Dialogs of failure analysis."""

    def save_worklist(self) -> None:
        """Ask for a file to save the worklist in."""
        ...


class MeasureQuestions(Protocol):
    """Dialogs for the measure and the dialect."""

    def choose(self) -> None:
        """Ask for a measure."""
        ...

    def about(self) -> None:
        """Show the measure card."""
        ...

    def level(self) -> None:
        """Ask for the relevance level."""
        ...

    def dialect(self) -> None:
        """Ask for a dialect."""
        ...

    def compare_dialects(self) -> None:
        """Show the values that other dialects change."""
        ...

    def explain_number(self) -> None:
        """Show how a number of the view is calculated."""
        ...

    def ties(self) -> None:
        """Show the values that other orders of tied documents give."""
        ...


class StatisticsQuestions(Protocol):
    """Dialogs for statistical options and table columns."""

    def correction(self) -> None:
        """Ask for the correction for multiple comparisons."""
        ...

    def family(self) -> None:
        """Ask for the comparisons that are corrected for together."""
        ...

    def interval(self) -> None:
        """Ask for the method of confidence intervals."""
        ...

    def test(self) -> None:
        """Ask for the deciding test."""
        ...

    def zeros(self) -> None:
        """Ask how Wilcoxon's test treats queries without a difference."""
        ...

    def tukey(self) -> None:
        """Ask for the kind of Tukey's test."""
        ...

    def columns(self) -> None:
        """Ask for the columns of the Systems table."""
        ...

    def query_columns(self) -> None:
        """Ask for the columns of the Queries table."""
        ...

    def save_comparison(self) -> None:
        """Ask for a file to save the comparison with the baseline in."""
        ...

    def save_all_pairs(self) -> None:
        """Ask for a file to save the comparison of all pairs in."""
        ...

    def number(self, name: str) -> None:
        """Ask for the value of a statistical option, one of NUMBERS, by its name."""
        ...


class TeachingQuestions(Protocol):
    """Dialogs for lessons and inline rankings, and large type."""

    def example(self) -> None:
        """Ask for a lesson."""
        ...

    def lesson_file(self) -> None:
        """Ask for the file of a lesson."""
        ...

    def course(self) -> None:
        """Ask for the folder of a course."""
        ...

    def recent_lesson(self) -> None:
        """Ask for a lesson or course that was opened from files before."""
        ...

    def print_sheet(self, answers: bool) -> None:
        """Ask for the file of the sheet of the lesson in view, with blanks or with ``answers``."""
        ...

    def typed(self) -> None:
        """Ask for an inline ranking."""
        ...

    def large_type(self) -> None:
        """Switch large type on or off."""
        ...


class HelpQuestions(Protocol):
    """Help dialogs."""

    def keyboard(self) -> None:
        """List every shortcut."""
        ...

    def symbols(self) -> None:
        """List the signs of tables and lists."""
        ...

    def about(self) -> None:
        """Show version, licence and credits."""
        ...


class ProtocolQuestions(Protocol):
    """Dialogs about the protocol."""

    def show(self) -> None:
        """Show every field of the protocol, and the runs that take part."""
        ...

    def open(self) -> None:
        """Ask for a file of a protocol, and declare it."""
        ...

    def save(self) -> None:
        """Ask for a file to save the protocol in."""
        ...

    def copy_line(self) -> None:
        """Copy the line of the protocol."""
        ...


class Dialogs(Protocol):
    """All dialogs, by subject."""

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
    def judges(self) -> JudgeQuestions: ...
    @property
    def judging(self) -> JudgingQuestions: ...
    @property
    def failures(self) -> FailureQuestions: ...
    @property
    def measures(self) -> MeasureQuestions: ...
    @property
    def statistics(self) -> StatisticsQuestions: ...
    @property
    def protocol(self) -> ProtocolQuestions: ...
    @property
    def teaching(self) -> TeachingQuestions: ...
    @property
    def help(self) -> HelpQuestions: ...
