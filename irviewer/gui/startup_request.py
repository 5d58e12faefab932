"""What the window was asked to show at its start: the request as a value, carried out once what it names is loaded.

Knows the session, no widget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError, name_some
from irviewer.measures.parser import parse_measure
from irviewer.session.messages import error

if TYPE_CHECKING:
    from irviewer.session.session import Session


@dataclass(frozen=True)
class ViewRequest:
    """What ``irviewer view`` was asked for; None or empty is: not said.

    paths        files of any kind, in the order given
    sample       "cranfield" or "trec", opened before the files
    place        a place of the window, with a view of it: "systems", "compare:sets"
    query        the id of the query to stand on
    theme        "light", "dark" or "system"
    large_type   everything larger, as far as the screen has room, or a picture's size
    size         (width, height) of the window in pixels
    screenshot   where to save a picture of the window instead of showing it
    measure      the measure to look at, as text
    baseline     the name of the run to compare with
    explain      show at once why the number in view is what it is
    confidential nothing is written that tells of what is opened: no cache, no recent files, no settings
    """

    paths: tuple[str, ...] = ()
    sample: str | None = None
    place: str | None = None
    query: str | None = None
    theme: str | None = None
    size: tuple[int, int] | None = None
    screenshot: str | None = None
    measure: str | None = None
    explain: bool = False
    baseline: str | None = None
    confidential: bool = False
    large_type: bool = False


class StartupRequest:
    """Opens what the request names and, when that is done, goes where it says."""

    def __init__(self, session: Session, request: ViewRequest) -> None:
        self._session = session
        self._request = request
        self.pending = False

    def open(self) -> None:
        """Begin to load what was asked for; what needs no collection is done at once. Raises IrviewerError."""
        request, session = self._request, self._session
        if request.theme:
            session.appearance.set_theme(request.theme)
        self.pending = any((request.place, request.query, request.measure, request.baseline, request.explain))
        if request.sample:
            session.files.open_sample(request.sample)
        if request.paths:
            session.files.open_files(list(request.paths))

    def follow(self) -> None:
        """Where everything is loaded: go where the request says; what cannot be done becomes a message."""
        if not self.pending or self._session.busy is not None or self._session.view.collection is None:
            return
        try:
            self.carry_out()
        except IrviewerError as trouble:
            self._session.say(error(str(trouble)))

    def carry_out(self) -> None:
        """Measure, baseline, query, place. Raises IrviewerError for the first that cannot be had."""
        self.pending = False
        request, session = self._request, self._session
        if request.measure:
            parse_measure(request.measure)  # the session would only say so; here a bad name is the request's fault
            session.evaluation.set_measure(request.measure)
        if request.baseline:
            session.runs.set_baseline(self._run(request.baseline))
        if request.query:
            if session.view.context is None or request.query not in session.view.context.query_index:
                raise IrviewerError(f"there is no query {request.query!r} in {self._where()}")
            session.navigation.set_query(request.query)
        if request.place:
            place, _, tab = request.place.partition(":")
            session.navigation.set_place(place)
            if tab:
                session.navigation.set_tab(place, tab)
        if request.explain:
            session.explaining.explain()

    def _run(self, name: str) -> int:
        labels = self._session.view.labels()
        for label in labels:
            if label.name == name:
                return label.key
        known = name_some([label.name for label in labels])
        raise IrviewerError(f"there is no run {name!r} in {self._where()}; there are {known}")

    def _where(self) -> str:
        collection = self._session.view.collection
        return collection.name if collection is not None else "what is open"
