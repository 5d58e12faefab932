"""Formulas as pictures, drawn in the background: the first one imports for half a second."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irviewer.session.store import Store
from irviewer.session.tasks import Operation

if TYPE_CHECKING:
    from irviewer.rendering.formula import FormulaPicture

MOST = 64
"""The number of pictures that are kept, the newest ones."""


@dataclass(frozen=True)
class FormulaRequest:
    """The formula (LaTeX without dollar signs), and how it is drawn: see ``rendering.formula.formula_picture``."""

    formula: str
    colour: str
    size: float
    least: float
    scale: float
    room: float


class FormulaDrawings:
    """Draws formulas. Each place that shows one has a name, and only its newest request is delivered."""

    def __init__(self, store: Store) -> None:
        self._tasks = store.tasks
        self._kept: dict[FormulaRequest, FormulaPicture] = {}

    def draw(self, place: str, request: FormulaRequest, deliver: Callable[[FormulaPicture], object]) -> None:
        """Draw a formula and ``deliver`` the picture: at once if it was drawn before, or without threads."""
        task = "formula " + place
        if request in self._kept:
            self._tasks.cancel(task)
            deliver(self._kept[request])
            return

        def done(picture: FormulaPicture) -> None:
            self._kept[request] = picture
            while len(self._kept) > MOST:
                self._kept.pop(next(iter(self._kept)))
            deliver(picture)

        self._tasks.run(Operation(task, lambda _: drawn(request), done, quiet=True, urgent=True))


def drawn(request: FormulaRequest) -> FormulaPicture:
    """Return the picture of a formula."""
    from irviewer.rendering.formula import formula_picture

    return formula_picture(
        request.formula, request.colour, request.size, request.least, request.scale, request.room
    )  # fmt: skip
