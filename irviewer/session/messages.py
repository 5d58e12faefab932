"""Messages to the user: hints, information, warnings and errors.

Does not depend on the session or on how a message is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

ACTIONS_IN_PLACE = ("undo", "judging_mode", "widen_scale")
"""The actions that follow what the user just did: to revert it, or to let the key that was pressed have an effect."""

LEFT, NOT_SAVED = "left_work", "not_saved"
"""The topics of messages about work that could be lost: it was left by a window that ended, or cannot be saved."""


class Level(Enum):
    """The severity of a message; the window chooses icon and position by it."""

    HINT = "hint"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Message:
    """One line of text, and detail lines that can be opened. ``action`` is the id of a command that helps; ``topic``
    identifies the message so that it can be removed when it is no longer true, or says what it is about: not the user's
    last act."""

    level: Level
    text: str
    details: tuple[str, ...] = ()
    action: str = ""
    topic: str = ""

    @property
    def is_about_work(self) -> bool:
        """Whether it says that work of the user could be lost."""
        return self.topic in (LEFT, NOT_SAVED)

    @property
    def answers_act(self) -> bool:
        """Whether it says what the user's last act did, or why it did nothing, and is shown where that was done. Other
        messages have details, or are about something that no act of the user did."""
        if self.level is not Level.INFO or self.details:
            return False
        return self.action in ACTIONS_IN_PLACE or not (self.action or self.topic)


def hint(text: str, *details: str) -> Message:
    """A message that explains what is shown."""
    return Message(Level.HINT, text, details)


def info(text: str, *details: str) -> Message:
    """A message that an action was carried out."""
    return Message(Level.INFO, text, details)


def warning(text: str, *details: str) -> Message:
    """A message about something that the user should check."""
    return Message(Level.WARNING, text, details)


def error(text: str, *details: str) -> Message:
    """A message that something could not be done."""
    return Message(Level.ERROR, text, details)


def without_topic(messages: Iterable[Message], topic: str) -> tuple[Message, ...]:
    """Return the messages except those of a topic."""
    return tuple(message for message in messages if message.topic != topic)
