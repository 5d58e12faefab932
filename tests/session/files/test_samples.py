"""The samples that come with the program open as their descriptions say."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from irviewer.__main__ import main
from irviewer.errors import ParseError
from irviewer.installed import samples as installed_module
from irviewer.installed.samples import SAMPLES
from irviewer.model.workspace import Regime
from irviewer.paths import resource
from irviewer.session.files import samples as samples_module
from irviewer.session.files.samples import find_sample, read_sample, samples
from irviewer.session.messages import Level
from irviewer.session.session import Session
from irviewer.translation import languages

CRANFIELD_IS_ELSEWHERE = (
    "Cranfield is in no package of irviewer, as its texts state no licence. The source has it, "
    "https://github.com/irviewer/irviewer, in resources/samples/cranfield: open that folder."
)


def test_fables_come_first_and_every_file_is_there() -> None:
    bundled = samples()
    assert [sample.id for sample in bundled] == ["fables", "cranfield", "trec"]
    for sample in bundled:
        assert sample.summary
        assert sample.notice is not None
        assert sample.notice.exists()
        assert all(file.path.exists() for file in sample.files)
        assert sample.baseline in [file.name for file in sample.files if file.kind == "run"]


def test_a_sample_is_found_by_id_or_name() -> None:
    fables = find_sample("FABLES")
    assert fables is not None
    assert find_sample("Cranfield") == find_sample("cranfield") != fables
    assert find_sample("trec_eval test") == find_sample("trec")
    assert find_sample("nothing") is None


def test_every_summary_is_there_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    english = [sample.summary for sample in samples()]
    others = languages()[1:]  # the first is English
    for language in (*others, *(f"{language}_MX" for language in others)):
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


def test_the_default_opens_at_the_query_where_two_runs_differ_most() -> None:
    session = Session()
    session.files.open_sample(SAMPLES[0])
    collection = session.view.collection
    assert collection is not None
    assert (collection.name, session.view.place, session.view.query_id) == ("Fables", "query", "10")
    assert session.view.summary == "48 queries · 1,239 judgments, pooled · 6 runs to depth 50"
    assert session.view.baseline in session.view.shown
    assert len(session.view.shown) == 4
    (message,) = session.view.messages
    assert (message.level, message.text[:57]) == (
        Level.HINT,
        "Query 10 has the largest difference in nDCG@10: lsa_dense",
    )
    session.close()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The samples of a package: all but Cranfield."""
    for name in ("fables", "trec"):
        shutil.copytree(resource(f"samples/{name}"), tmp_path / "samples" / name)
    for module in (samples_module, installed_module):
        monkeypatch.setattr(module, "resource", lambda name: tmp_path / name)


@pytest.mark.usefixtures("installed")
def test_a_package_offers_what_it_has_and_says_where_cranfield_is() -> None:
    assert [sample.id for sample in samples()] == ["fables", "trec"]
    assert find_sample("nothing") is None
    session = Session()
    session.files.open_sample("cranfield")
    (message,) = session.view.messages
    assert message.level is Level.ERROR
    assert message.text == CRANFIELD_IS_ELSEWHERE
    session.close()


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("words", "name"), [(["sample"], "SAMPLE"), (["view", "--sample"], "--sample")])
def test_the_commands_of_a_package_say_so_in_one_line(
    words: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "cranfield"]) == 2
    command = f"irviewer {words[0]}"
    said = CRANFIELD_IS_ELSEWHERE.removesuffix(".")
    assert capsys.readouterr().err == f"{command}: argument {name}: {said}; see {command} --help\n"


def test_a_folder_of_cranfield_opens_like_any_other(tmp_path: Path) -> None:
    shutil.copytree(resource("samples/cranfield"), tmp_path / "cranfield")
    session = Session()
    session.files.open_files([str(tmp_path / "cranfield")])
    collection = session.view.collection
    assert collection is not None
    assert collection.documents is not None
    assert (len(collection.documents), len(collection.judgments), len(collection.runs)) == (1400, 1, 6)
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
