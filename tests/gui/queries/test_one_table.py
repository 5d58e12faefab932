"""The window's table of queries has the numbers of the view at the other doors, whatever is shown."""

from __future__ import annotations

import pytest

from irviewer.gui.queries.table import SORTED_AS, query_columns
from irviewer.session.session import Session
from tests.session.helpers import collection, session_with


def shown_and_written(session: Session) -> tuple[dict[str, dict[str, object]], dict[str, dict[str, object]]]:
    """By column, its values by query: of the window, and of the view as files have them."""
    view_model = session.view_models.queries_view_model()
    context, request = session.view.context, session.result_views.request("queries")
    assert view_model is not None
    assert context is not None
    assert request is not None
    (written,) = request.tables()
    names = {str(label.key): label.whole_name for label in view_model.runs}
    names |= {theirs: ours for ours, theirs in SORTED_AS.items()}
    ids = list(view_model.query_ids)
    window = {
        names.get(column.id, column.id): dict(zip(ids, map(column.value, range(len(ids))), strict=True))
        for column in query_columns(view_model)
    }
    files = {
        column.key: {
            query: None if value != value else value for query, value in zip(written.keys, column.values, strict=True)
        }
        for column in written.columns
    }
    return window, files


@pytest.mark.parametrize("left_out", [None, 5])
def test_hidden_runs_and_those_of_the_protocol(left_out: int | None) -> None:
    session = session_with(collection(6, queries=12))
    for name in ("mean", "agreement"):
        session.columns.set_query_column(name, True)
    if left_out is not None:
        session.protocol.set_taking_part(left_out, False)
    session.runs.show_run(3, False)
    window, files = shown_and_written(session)
    assert {"spread", "from_median", "mean", "agreement", "difference"} <= set(window)
    shown_only = set() if left_out is None else {session.view.labels()[left_out].whole_name}
    assert shown_only <= set(window)
    for key in set(window) - {"difference", "from_median"} - shown_only:  # these two are of the run in view
        assert window[key] == {query: files[key][query] for query in window[key]}, key
    before = {key: window[key] for key in ("spread", "mean", "agreement")}
    session.runs.show_run(2, False)
    assert {key: shown_and_written(session)[0][key] for key in before} == before
