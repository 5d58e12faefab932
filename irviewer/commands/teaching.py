"""Worked examples, typed rankings, textbook mode; thresholds that are dragged; large type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Test, has_collection, has_judgments, has_runs
from irviewer.session.teaching.example_data import EXAMPLES, Example

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _can_teach(session: Session) -> bool:
    return has_runs(session) and has_judgments(session)


def _has_steps(session: Session) -> bool:
    return session.teaching.is_on and session.view.place == "query"


def _view(name: str) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.teaching.set_lesson_view(name)

    def checked(session: Session) -> bool:
        return session.teaching.lesson.view == name

    return run, checked


LESSON_VIEWS = (
    ("steps", "Rank by rank", "The measure's running value, the next one hidden until it is guessed"),
    ("sets", "Retrieved and relevant", "The two sets as circles, their documents by a click"),
    ("f", "F over precision and recall", "The surface of F with its lines, and where the ranking stands"),
)
"""The views of textbook mode: name, title, what it shows."""

ROWS: tuple[Command, ...] = (
    Command("open_example", "Open a worked example…", "Learn",
            "The examples of textbooks as small collections: what each shows, and what to try",
            ask=lambda dialogs: dialogs.teaching.example()),
    Command("type_ranking", "Type a ranking…", "Learn", "Such as 1 0 1 1 0 | R=10: no file is needed",
            ask=lambda dialogs: dialogs.teaching.typed(), shortcuts=("Ctrl+T",)),
    Command("thresholds", "Drag thresholds", "Measure",
            "Sliders for relevance level, cutoff and parameters; tables and curves follow",
            run=lambda session: session.sliders.set_thresholds(not session.sliders.thresholds_open),
            shortcuts=("Ctrl+H",), enabled=lambda session: _can_teach(session) and not session.judging.blind,
            checked=lambda session: session.sliders.thresholds_open),
    Command("teaching", "Textbook mode", "Learn", "A measure rank by rank, the sets it is made of, what to try",
            run=lambda session: session.teaching.set_teaching(not session.teaching.is_on), shortcuts=("Ctrl+L",),
            enabled=_can_teach, checked=lambda session: session.teaching.is_on),
    Command("do_it", "Do what the example bids", "Learn", "In a copy that undo takes back",
            run=lambda session: session.teaching.do_example_step(), shortcuts=("Ctrl+D",),
            enabled=lambda session: session.teaching.is_on and session.teaching.example_step is not None),
    Command("restart_example", "Begin the example again", "Learn", "As if nothing had been tried",
            run=lambda session: session.teaching.restart_example(),
            enabled=lambda session: session.examples.example is not None),
    Command("reveal", "Next value", "Learn", "Reveal the value at the next rank",
            run=lambda session: session.teaching.reveal(1), shortcuts=("Alt+Right",), enabled=_has_steps),
    Command("hide_value", "Hide the last value again", "Learn", "One rank back",
            run=lambda session: session.teaching.reveal(-1), shortcuts=("Alt+Left",), enabled=_has_steps),
    Command("large_type", "Large type", "View", "Everything larger, for a projector; once more: as it was",
            ask=lambda dialogs: dialogs.teaching.large_type(), shortcuts=("Ctrl+Shift+L",),
            checked=lambda session: bool(session.settings["large_type"])),
    *(Command(f"lesson_{name}", title, "Learn", tip,
              run=_view(name)[0], enabled=_has_steps, checked=_view(name)[1])
      for name, title, tip in LESSON_VIEWS),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """A command for every example."""
    return [_example(one) for one in EXAMPLES]


def _example(one: Example) -> Command:
    return Command(f"example {one.id}", f"Open example {one.title}", "Learn", one.shows,
                   run=lambda session: session.teaching.open_example(one.id),
                   checked=lambda session: has_collection(session) and session.examples.example is one)  # fmt: skip
