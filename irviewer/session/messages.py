"""Messages: what the program tells a person outside of any view model. One form for hints, news, warnings and errors.

Knows neither the session nor how a message is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How much a message matters; the shell chooses sign and place by it."""

    HINT = "hint"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Message:
    """One line to read, and the lines behind it for who wants to know more. ``action`` is the id of a command that can
    be done about it; ``topic`` tells whoever takes a message back which one it is."""

    level: Level
    text: str
    details: tuple[str, ...] = ()
    action: str = ""
    topic: str = ""


def hint(text: str, *details: str) -> Message:
    """What one is looking at."""
    return Message(Level.HINT, text, details)


def info(text: str, *details: str) -> Message:
    """Something happened as asked."""
    return Message(Level.INFO, text, details)


def warning(text: str, *details: str) -> Message:
    """Something was done, but a person should look at it."""
    return Message(Level.WARNING, text, details)


def error(text: str, *details: str) -> Message:
    """Something was not done."""
    return Message(Level.ERROR, text, details)


def without_topic(messages: Iterable[Message], topic: str) -> tuple[Message, ...]:
    """The messages without those of a topic: what they say holds no longer."""
    return tuple(one for one in messages if one.topic != topic)
