"""Commands for worked examples, inline rankings, textbook mode, parameter sliders and large type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Test, has_collection, has_judgments, has_runs, shows_values
from irviewer.model.lessons.lesson import Lesson
from irviewer.rendering.lesson_text import first_paragraph
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _can_teach(session: Session) -> bool:
    return has_runs(session) and has_judgments(session)


def _has_steps(session: Session) -> bool:
    return session.teaching.is_on and session.view.place == "query"


def _has_lesson(session: Session) -> bool:
    return session.lessons.lesson is not None


def _view(name: str) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.teaching.set_lesson_view(name)

    def checked(session: Session) -> bool:
        return session.teaching.lesson.view == name

    return run, checked


def _has_table(session: Session) -> bool:
    return session.teaching.is_on and session.view.place == "query" and session.teaching.lesson.view == "table"


def _reveal(step: int) -> Action:
    def run(session: Session) -> object:
        if not _has_table(session):
            return session.teaching.reveal(step)
        return session.lecture_table.next() if step > 0 else session.lecture_table.back()

    return run


LESSON_VIEWS = (
    (
        "table",
        tr("Lecture table"),
        tr("Precision, recall, gain and their sums rank by rank, with cells that are guessed"),
    ),
    (
        "steps",
        tr("Rank by rank"),
        tr("The value of the measure after each rank; the next value is hidden until you guess it"),
    ),
    ("sets", tr("Retrieved and relevant"), tr("The two sets as circles; click a set for its documents")),
    (
        "f",
        tr("F over precision and recall"),
        tr("The surface of F with its contour lines, and the point of this ranking"),
    ),
    ("pool", tr("Pool of the runs"), tr("The documents among the first of any shown run, which are the ones judged")),
    ("curves", tr("Precision-recall curves"), tr("At every rank, interpolated, or the mean of all queries")),
)
"""The views of textbook mode: name, title, help."""

ROWS: tuple[Command, ...] = (
    Command("open_example", tr("Open lesson…"), "File",
            tr("Open a lesson: a small collection with a text, steps and questions"),
            ask=lambda dialogs: dialogs.teaching.example(), group="lessons"),
    Command("open_lesson_file", tr("Open lesson file…"), "File", tr("Open a lesson that is a text file (Markdown)"),
            ask=lambda dialogs: dialogs.teaching.lesson_file(), group="lessons"),
    Command("open_course", tr("Open course…"), "File", tr("Open a folder of lessons, and choose among them"),
            ask=lambda dialogs: dialogs.teaching.course(), group="lessons", words=tr("folder lessons")),
    Command("open_recent_lesson", tr("Open recent lesson…"), "File",
            tr("Open a lesson or course that was opened from files before"),
            ask=lambda dialogs: dialogs.teaching.recent_lesson(),
            enabled=lambda session: bool(session.lessons.recent), submenu="recent_lesson ", group="lessons"),
    Command("print_sheet", tr("Print sheet…"), "File",
            tr("Write the lesson as an HTML file with blanks to fill in, to be printed"),
            ask=lambda dialogs: dialogs.teaching.print_sheet(answers=False), enabled=_has_lesson, group="lessons",
            words=tr("exercise export html paper")),
    Command("print_answers", tr("Print sheet with answers…"), "File",
            tr("Write the lesson as an HTML file with all values and answers, to be printed"),
            ask=lambda dialogs: dialogs.teaching.print_sheet(answers=True), enabled=_has_lesson, group="lessons",
            words=tr("solution export html paper")),
    Command("save_web_page", tr("Save course as web page…"), "File",
            tr("Write the course of the lesson as one HTML page for a browser, without network or server"),
            ask=lambda dialogs: dialogs.teaching.web_page(), enabled=_has_lesson, group="lessons",
            words=tr("html export moodle phone students")),
    Command("save_step", tr("Save step as picture…"), "File",
            tr("Save the ranks of the lesson as they are now, with title and step, as PNG, SVG or PDF"),
            ask=lambda dialogs: dialogs.teaching.step_picture(), enabled=_has_lesson, group="lessons",
            words=tr("export slide image svg pdf")),
    Command("type_ranking", tr("Type a ranking…"), "File",
            tr("Type an inline ranking such as 1 0 1 1 0 | R=10; no file is needed"),
            ask=lambda dialogs: dialogs.teaching.typed(), shortcuts=("Ctrl+T",), group="open"),
    Command("thresholds", tr("Parameter sliders"), "View",
            tr("Change relevance level, cutoff and parameters with sliders; tables and curves are updated"),
            run=lambda session: session.sliders.set_thresholds(not session.sliders.thresholds_open),
            shortcuts=("Ctrl+H",),
            enabled=lambda session: _can_teach(session) and not session.judging.blind and shows_values(session),
            checked=lambda session: session.sliders.thresholds_open),
    Command("teaching", tr("Textbook mode"), "View",
            tr("Walk through a measure rank by rank, with its sets and suggested steps"),
            run=lambda session: session.teaching.set_teaching(not session.teaching.is_on), shortcuts=("Ctrl+L",),
            enabled=_can_teach, checked=lambda session: session.teaching.is_on, group="textbook"),
    Command("do_it", tr("Do suggested step"), "View",
            tr("Do the step that the example suggests, in a copy; undo reverts it"),
            run=lambda session: session.teaching.do_example_step(), shortcuts=("Ctrl+D",),
            enabled=lambda session: session.teaching.is_on and session.teaching.example_step is not None,
            group="textbook"),
    Command("lesson_next", tr("Next step of the lesson"), "View", tr("Show the next step or question of the lesson"),
            run=lambda session: session.teaching.go(1), shortcuts=("Alt+PgDown", "PgDown"),
            enabled=lambda session: session.teaching.is_on and session.teaching.can_go(1), group="textbook"),
    Command("lesson_back", tr("Previous step of the lesson"), "View",
            tr("Show the step or question before, or the beginning of the lesson"),
            run=lambda session: session.teaching.go(-1), shortcuts=("Alt+PgUp", "PgUp"),
            enabled=lambda session: session.teaching.is_on and session.teaching.can_go(-1), group="textbook"),
    Command("next_lesson", tr("Next lesson"), "View", tr("Open the next lesson of the course"),
            run=lambda session: session.course_walk.go(1), shortcuts=("Alt+Shift+PgDown",),
            enabled=lambda session: session.course_walk.beside(1) is not None, group="textbook",
            words=tr("course walk")),
    Command("previous_lesson", tr("Previous lesson"), "View", tr("Open the lesson of the course before this one"),
            run=lambda session: session.course_walk.go(-1), shortcuts=("Alt+Shift+PgUp",),
            enabled=lambda session: session.course_walk.beside(-1) is not None, group="textbook",
            words=tr("course walk")),
    Command("missed_question", tr("Next question to come back to"), "View",
            tr("Show the next question of the course that was not right at the first try, to be answered anew"),
            run=lambda session: session.course_walk.come_back(),
            enabled=lambda session: bool(session.course_walk.missed), group="textbook",
            words=tr("wrong answers again repeat mistakes")),
    Command("presenter", tr("Presenter’s view"), "View",
            tr("Show the text, the answer and the next step in a window for the lecturer; the class sees the ranks"),
            ask=lambda dialogs: dialogs.teaching.presenter(),
            enabled=lambda session: session.teaching.is_on and _has_lesson(session),
            checked=lambda session: session.teaching.is_presented,
            words=tr("lecturer second screen projector notes")),
    Command("restart_example", tr("Restart lesson"), "View", tr("Undo everything that was tried in the lesson"),
            run=lambda session: session.teaching.restart_example(),
            enabled=_has_lesson, group="textbook"),
    Command("reveal", tr("Reveal next value"), "View", tr("Reveal the value at the next rank"),
            run=_reveal(1), shortcuts=("Alt+Right",), enabled=_has_steps,
            group="textbook"),
    Command("hide_value", tr("Hide last value"), "View", tr("Hide the last revealed value again"),
            run=_reveal(-1), shortcuts=("Alt+Left",), enabled=_has_steps,
            group="textbook"),
    Command("larger_type", tr("Larger type"), "View", tr("Make everything one step larger"),
            ask=lambda dialogs: dialogs.window.larger_type(), shortcuts=("Ctrl++", "Ctrl+="), group="type",
            words=tr("zoom in font size bigger text")),
    Command("smaller_type", tr("Smaller type"), "View", tr("Make everything one step smaller"),
            ask=lambda dialogs: dialogs.window.smaller_type(), shortcuts=("Ctrl+-",), group="type",
            words=tr("zoom out font size text")),
    Command("system_type", tr("Type size of the system"), "View",
            tr("Use the type size that the system has"),
            ask=lambda dialogs: dialogs.window.system_type(), shortcuts=("Ctrl+0",), group="type",
            checked=lambda session: not session.settings["type_size"], words=tr("zoom reset font size normal 100 %")),
    Command("large_type", tr("Large type"), "View",
            tr("Enlarge everything, for a projector; again to return to normal size"),
            ask=lambda dialogs: dialogs.teaching.large_type(), shortcuts=("Ctrl+Shift+L",),
            checked=lambda session: bool(session.settings["large_type"]), group="type"),
    *(Command(f"lesson_{name}", title, "View", tip,
              run=_view(name)[0], enabled=_has_steps, checked=_view(name)[1], group="textbook")
      for name, title, tip in LESSON_VIEWS),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return a command for each lesson, and for each that was opened from files before."""
    recent = [_recent(number, opening.title, opening.folder) for number, opening in enumerate(session.lessons.recent)]
    return [*(_lesson(lesson) for lesson in session.lessons.every), *recent]


def _recent(number: int, title: str, folder: str) -> Command:
    return Command(f"recent_lesson {number}", tr("Open lesson {title} again", title=title), "File", folder, short=title,
                   run=lambda session: session.teaching.open_recent(number))  # fmt: skip


def _lesson(lesson: Lesson) -> Command:
    return Command(f"example {lesson.id}", tr("Open lesson {title}", title=lesson.title), "File",
                   first_paragraph(lesson.text), run=lambda session: session.teaching.open_example(lesson.id),
                   checked=lambda session: has_collection(session) and session.lessons.lesson == lesson)  # fmt: skip
