"""The dialogs about worked examples and inline rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from irviewer.gui.dialogs.files.chooser import LESSON_FILTERS, OpenFilesDialog, OpenFolderDialog, SaveDialog
from irviewer.gui.dialogs.files.inline_ranking import TypingDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.lessons import LessonsDialog
from irviewer.gui.dialogs.picker.sources import CommandSource
from irviewer.gui.large_type import AGAIN, CLASS, scale_for, whole_room
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.picture import savable_picture
from irviewer.gui.widgets.savable import ask_and_save
from irviewer.model.lessons.course import course_of
from irviewer.rendering.lesson_text import plain_of
from irviewer.session.messages import info
from irviewer.session.teaching.exchange.printing import save_sheet
from irviewer.session.teaching.exchange.web_page import save_page
from irviewer.session.teaching.typed_values import inline_ranking_values
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class TeachingDialogs:
    """Opens the dialogs of textbook mode. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def example(self) -> None:
        """Ask for a lesson."""
        session = self._session
        session.progress.look()
        bundled, *others = session.lessons.courses
        opened = [*reversed(others), bundled]
        self._host.show_dialog(
            LessonsDialog(
                self._theme, self._host.window(), opened, session.lessons.lesson,
                progress=session.progress.of, reset=session.progress.reset, open_lesson=session.teaching.open,
            )
        )  # fmt: skip

    def lesson_file(self) -> None:
        """Ask for the file of a lesson."""
        folder, teaching = self._session.saving.file_folder(), self._session.teaching

        def accept(paths: list[str]) -> None:
            teaching.open_path(paths[0])

        self._host.show_dialog(
            OpenFilesDialog(
                self._host.window(), folder, accept, title=tr("Open lesson file"), single=True, filters=LESSON_FILTERS
            )
        )

    def course(self) -> None:
        """Ask for the folder of a course; then its lessons are shown to choose from."""
        folder, teaching = self._session.saving.file_folder(), self._session.teaching
        self._host.show_dialog(
            OpenFolderDialog(self._host.window(), folder, teaching.open_course, title=tr("Open course"))
        )

    def recent_lesson(self) -> None:
        """Ask for a lesson or course that was opened from files before."""
        self._host.picker.pick_from(CommandSource(self._session, "recent_lesson ", tr("Open recent lesson")))

    def print_sheet(self, answers: bool) -> None:
        """Ask for the file of the sheet of the lesson in view."""
        lesson, saving = self._session.lessons.lesson, self._session.saving
        if lesson is None:
            self._session.say(info(tr("There is no lesson to print. Open a lesson.")))
            return
        name = tr("{lesson} answers", lesson=lesson.title) if answers else lesson.title

        def save(path: str) -> None:
            saving.save_file(path, lambda target: save_sheet(target, (lesson,), answers=answers))

        title = tr("Print sheet with answers") if answers else tr("Print sheet")
        kinds = ((tr("HTML file"), ".html"),)
        self._host.show_dialog(SaveDialog(self._host.window(), title, saving.file_folder(), name, kinds, save))

    def web_page(self) -> None:
        """Ask for the file of the web page of the course of the lesson in view, or of the lesson alone."""
        session = self._session
        lesson = session.lessons.lesson
        if lesson is None:
            session.say(info(tr("There is no lesson to save. Open a lesson.")))
            return
        course = session.course_walk.course or course_of(lesson)

        def write(path: str) -> None:
            session.saving.save_file(path, lambda target: save_page(target, course))

        kinds = ((tr("HTML file"), ".html"),)
        title = tr("Save course as web page")
        self._host.show_dialog(
            SaveDialog(self._host.window(), title, session.saving.file_folder(), course.title, kinds, write)
        )

    def step_picture(self) -> None:
        """Ask for the file of a picture of the step in view: the ranks with title and place above."""
        session = self._session
        lesson = session.lessons.lesson
        if lesson is None:
            session.say(info(tr("There is no lesson to save. Open a lesson.")))
            return
        self._host.flush()
        item, place = session.teaching.item, session.teaching.lesson.place
        head = [lesson.title, *([] if item is None else [plain_of(item.title)])]
        name = tr("{lesson} {place}", lesson=lesson.title, place=place + 1)
        savable = savable_picture(self._host.current_screen, self._theme, name, session.view.judgment_mark, head=head)
        ask_and_save(session, self._host.window(), savable)

    def presenter(self) -> None:
        """Show the lecturer's window, or close it."""
        teaching = self._session.teaching
        if self._session.lessons.lesson is None:
            self._session.say(info(tr("There is no lesson to present. Open a lesson.")))
            return
        teaching.set_presented(not teaching.lesson.presented)

    def typed(self) -> None:
        """Ask for inline rankings."""
        teaching = self._session.teaching

        def accept(text: str, rules: str) -> None:
            teaching.open_inline_ranking(text, rules=rules)

        self._host.show_dialog(TypingDialog(self._theme, self._host.window(), inline_ranking_values, accept))

    def large_type(self) -> None:
        """Switch large type on or off. Qt restarts, the session continues."""
        settings = self._session.settings
        if not settings["large_type"] and scale_for(whole_room(), QSize(*CLASS)) == 1.0:
            self._session.say(info(tr("Large type is not possible: the window would not fit on this screen.")))
            return
        settings["large_type"] = not settings["large_type"]
        QApplication.exit(AGAIN)
