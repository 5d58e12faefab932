"""A lesson in a session of its own, so that nothing that was done in the window is in it."""

from __future__ import annotations

from irviewer.errors import IrviewerError
from irviewer.model.lessons.lesson import Lesson
from irviewer.session.messages import Level
from irviewer.session.session import Session
from irviewer.translation import tr


def opened(lesson: Lesson) -> Session:
    """Return a new session with a lesson in textbook mode. Raises IrviewerError if the files that it names cannot be
    read, or do not belong together."""
    session = Session()
    if not session.lessons.open_lesson(lesson):
        errors = [message.text for message in session.view.messages if message.level is Level.ERROR]
        raise IrviewerError(errors[-1] if errors else tr("The lesson {title} cannot be opened.", title=lesson.title))
    session.teaching.set_teaching(True)
    return session
