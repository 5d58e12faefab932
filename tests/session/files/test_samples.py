"""The samples that come with the program open as their descriptions say."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.model.workspace import Regime
from irviewer.session.files import samples as samples_module
from irviewer.session.files.samples import find_sample, read_sample, samples
from irviewer.session.messages import Level
from irviewer.session.session import Session
from irviewer.translation import languages


def test_cranfield_comes_first_and_every_file_is_there() -> None:
    bundled = samples()
    assert [sample.id for sample in bundled] == ["cranfield", "fables", "trec"]
    for sample in bundled:
        assert sample.summary
        assert sample.notice is not None
        assert sample.notice.exists()
        assert all(file.path.exists() for file in sample.files)
        assert sample.baseline in [file.name for file in sample.files if file.kind == "run"]


def test_a_sample_is_found_by_id_or_name() -> None:
    cranfield = find_sample("Cranfield")
    assert cranfield is not None
    assert find_sample("trec_eval test") == find_sample("trec")
    assert find_sample("nothing") is None


def test_every_summary_is_there_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    english = [sample.summary for sample in samples()]
    for language in languages()[1:]:  # the first is English
        monkeypatch.setattr(samples_module, "current_language", lambda language=language: language)
        assert not set(english) & {sample.summary for sample in samples()}
    monkeypatch.setattr(samples_module, "current_language", lambda: "xx")
    assert [sample.summary for sample in samples()] == english


def test_a_broken_description_is_an_error_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "sample.json").write_text('{"name": "x"}')
    with pytest.raises(ParseError, match=r"sample\.json"):
        read_sample(tmp_path)


def test_cranfield_opens_at_the_query_where_two_runs_differ_most() -> None:
    session = Session()
    session.files.open_sample("cranfield")
    collection = session.view.collection
    assert collection is not None
    assert (collection.name, session.view.place) == ("Cranfield", "query")
    assert collection.documents is not None
    assert collection.queries is not None
    assert (len(collection.documents), len(collection.queries), len(collection.runs)) == (1400, 225, 6)
    assert session.view.judgments is not None
    assert session.view.judgments.regime is Regime.COMPLETE
    assert session.view.summaries == (
        "225 queries · 1,837 judgments, complete · 6 runs to depth 100",
        "225 queries · 1,837 judgments · 6 runs",
        "225 queries · 6 runs",
        "6 runs",
    )
    assert session.view.summary == session.view.summaries[0]
    assert len(session.view.shown) == 4
    assert session.view.baseline in session.view.shown
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    assert abs(view_model.delta).max() == abs(view_model.delta[view_model.selected])
    assert view_model.selected == 0
    (message,) = session.view.messages
    assert message.level is Level.HINT
    assert message.text.startswith(f"Query {session.view.query_id} has the largest difference in nDCG@10: fusion_rrf ")
    session.navigation.step_query(1)
    assert session.view.messages == ()  # what the hint said is about another query
    session.close()


def test_a_sample_is_opened_once() -> None:
    session = Session()
    session.files.open_sample("cranfield")
    session.files.open_sample("trec")
    session.files.open_sample("cranfield")
    assert [collection.name for collection in session.view.workspace.collections] == ["Cranfield", "trec_eval test"]
    assert session.view.collection is not None
    assert session.view.collection.name == "Cranfield"
    session.close()


def test_the_trec_sample_names_the_missing_query() -> None:
    session = Session()
    session.files.open_sample("trec")
    assert session.view.caveats == ("trunc lacks query 302: counted as 0",)
    session.close()


def test_an_unknown_sample_is_a_message() -> None:
    session = Session()
    session.files.open_sample("nothing")
    assert session.view.messages[0].level is Level.ERROR
    assert session.view.place == "start"
    session.close()


@pytest.mark.parametrize("again", [False, True])
def test_a_hint_stays_with_its_collection(again: bool) -> None:
    session = Session()
    if again:  # one that is open already comes into view
        session.teaching.open_example("b2")
    session.files.open_sample("cranfield")
    assert [message.level for message in session.view.messages] == [Level.HINT]
    session.teaching.open_example("b2")
    assert session.view.messages == ()
