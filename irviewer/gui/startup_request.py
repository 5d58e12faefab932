"""The request of the command line: what the window opens and shows at its start.

It knows the session, no widget."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError, OptionError
from irviewer.measures.parser import parse_measure
from irviewer.model.run_names import further_names, run_place
from irviewer.session.messages import error
from irviewer.session.protocol.files import read
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


@dataclass(frozen=True)
class ViewRequest:
    """The arguments of ``irviewer view``; None or empty for those not given.

    paths        files of any kind, in the order given
    sample       "fables", "trec" or, in a checkout, "cranfield", opened before the files
    lesson       a lesson: a file, a folder of lessons, or the id of a bundled one; opened after the files
    place        a view of the window, with a tab: "systems", "compare:sets", or with a result view:
                 "compare:views:trade-offs"
    query        the id of the query to select
    theme        a theme of state.THEMES
    large_type   large type, as far as the screen or picture has room
    size         (width, height) of the window in pixels
    screenshot   the file of a picture that is saved instead of showing the window
    measure      the measure
    baseline     the name of the run to compare with
    protocol     a file of a protocol, declared before measure and baseline; a project that is open is offered it
    explain      show the ledger of the current value
    confidential write nothing about the files: no cache, recent files or settings
    watch        read files again that change, in this session
    connect      the address at which a Python process asks for a connection
    """

    paths: tuple[str, ...] = ()
    sample: str | None = None
    lesson: str | None = None
    place: str | None = None
    query: str | None = None
    theme: str | None = None
    size: tuple[int, int] | None = None
    screenshot: str | None = None
    measure: str | None = None
    explain: bool = False
    baseline: str | None = None
    protocol: str | None = None
    confidential: bool = False
    large_type: bool = False
    watch: bool = False
    connect: str | None = None


class StartupRequest:
    """Opens the files of a request and then shows what it asks for."""

    def __init__(self, session: Session, request: ViewRequest) -> None:
        self._session = session
        self._request = request
        self.pending = False

    def open(self) -> None:
        """Start loading the files, and set the theme. Raises IrviewerError."""
        request, session = self._request, self._session
        if request.theme:
            session.appearance.set_theme(request.theme)
        wanted = (request.place, request.query, request.measure, request.baseline, request.protocol, request.explain)
        self.pending = any(wanted)
        if request.sample:
            session.files.open_sample(request.sample)
        if request.paths:
            session.files.open_files(list(request.paths), verdict_first=not self.pending)
        if request.lesson and not session.teaching.open_lesson(request.lesson) and session.view.messages:
            raise IrviewerError(session.view.messages[-1].text)

    def follow(self) -> None:
        """Carry out the request once everything is loaded. Errors are shown as messages."""
        if not self.pending or self._session.busy is not None or self._session.view.collection is None:
            return
        try:
            self.carry_out()
        except IrviewerError as trouble:
            self._session.say(error(str(trouble)))

    def carry_out(self) -> None:
        """Set protocol, measure, baseline, query and view. Raises IrviewerError for the first that does not exist."""
        self.pending = False
        request, session = self._request, self._session
        if request.protocol:
            given, name = read(request.protocol), Path(request.protocol).name
            if session.autosave.project_path:
                session.protocol.offer(given, name)
            else:
                session.protocol.declare(given, name)
        if request.measure:
            parse_measure(request.measure)  # raises; the session would only show a message
            session.evaluation.set_measure(request.measure)
        if request.baseline:
            session.runs.set_baseline(self._run(request.baseline))
        if request.query:
            if session.view.context is None or request.query not in session.view.context.query_index:
                raise IrviewerError(
                    tr("there is no query {query!r} in {collection}", query=request.query, collection=self._where())
                )
            session.navigation.set_query(request.query)
        if request.paths and not (request.place or request.query or request.explain):
            session.files.show_verdict_first()
        if request.place:
            place, _, rest = request.place.partition(":")
            tab, _, result_view = rest.partition(":")
            session.navigation.set_place(place)
            if tab:
                session.navigation.set_tab(place, tab)
            if result_view:
                session.result_views.choose(result_view)
        if request.explain:
            session.explaining.explain()

    def _run(self, name: str) -> int:
        collection = self._session.view.collection
        runs = () if collection is None else collection.runs
        try:
            place = run_place(name, [entry.name for entry in runs], (), further_names([entry.run for entry in runs]))
        except OptionError as error:
            raise OptionError(tr("{collection}: {error}", collection=self._where(), error=error)) from None
        return runs[place].key

    def _where(self) -> str:
        collection = self._session.view.collection
        return collection.name if collection is not None else tr("the open files")
