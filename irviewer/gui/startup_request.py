"""What the command line wished to see, carried out once what it names is loaded.

Knows the request and the session, no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError, name_some
from irviewer.gui.launch import ViewRequest
from irviewer.measures.parser import parse_measure
from irviewer.session.messages import error

if TYPE_CHECKING:
    from irviewer.session.session import Session


class Wishes:
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
            if session.view.scene is None or request.query not in session.view.scene.query_index:
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
