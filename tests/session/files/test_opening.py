"""Opening files of any mixture: where each belongs, and that a bad one leaves everything else intact."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Queue

import pytest
from counting import calls
from patience import deliver

from irviewer.commands import run_command
from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.model.workspace import Regime
from irviewer.session.evaluation import caveats
from irviewer.session.evaluation.caveats import share_caveats
from irviewer.session.evaluation.context import make_context
from irviewer.session.files import loading, open_requests
from irviewer.session.files.opening import warm_collection
from irviewer.session.messages import Level
from irviewer.session.protocol import in_view
from irviewer.session.protocol.in_view import files_in_view
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.state import Choices

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n"
RUN = "1 Q0 a 1 2.0 {tag}\n1 Q0 x 2 1.0 {tag}\n2 Q0 x 1 2.0 {tag}\n2 Q0 c 2 1.0 {tag}\n"
WORSE = "1 Q0 x 1 2.0 {tag}\n1 Q0 a 2 1.0 {tag}\n2 Q0 x 1 2.0 {tag}\n2 Q0 y 2 1.0 {tag}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small collection as files, and files that are none."""
    home = tmp_path / "small"
    home.mkdir()
    (home / "qrels.txt").write_text(QRELS)
    (home / "one.run").write_text(RUN.format(tag="one"))
    (home / "two.run.gz").write_bytes(gzip.compress(WORSE.format(tag="two").encode()))
    (home / "queries.tsv").write_text("1\theat flow\n2\tslabs\n")
    (home / "documents.jsonl").write_text(
        '{"id": "a", "text": "A"}\n{"id": "x", "text": "X"}\n{"id": "c", "text": "C"}\n'
    )
    (home / "bad.run").write_text("1 Q0 a 1 2.0 bad\n1 Q0 b 2 zero bad\n")
    (home / "notes.md").write_text("nothing of the kind\n")
    return home


def paths(folder: Path, *names: str) -> list[str]:
    return [str(folder / name) for name in names]


def test_any_order_of_files_makes_one_collection(folder: Path) -> None:
    session = Session()
    session.files.open_files(paths(folder, "documents.jsonl", "one.run", "queries.tsv", "two.run.gz", "qrels.txt"))
    (collection,) = session.view.workspace.collections
    assert collection.name == "small"  # "qrels" says nothing, its folder does
    assert [entry.name for entry in collection.runs] == ["one", "two"]
    assert collection.documents is not None
    assert collection.documents.ids == ["a", "x", "c"]
    assert collection.query_text("2") == "slabs"
    assert (session.view.place, session.view.query_id) == ("verdict", "2")
    assert session.view.judgments is not None
    assert session.view.judgments.regime is Regime.UNKNOWN
    assert not session.view.judgments.chosen
    assert session.settings["recent"][0] == [str(Path(path).resolve()) for path in paths(
        folder, "documents.jsonl", "one.run", "queries.tsv", "two.run.gz", "qrels.txt")]  # fmt: skip
    recent = session.files.recent[0]
    assert (recent.title, recent.about) == ("small", f"5 files · {folder}")


def test_runs_that_can_be_compared_open_at_the_verdict(folder: Path) -> None:
    (folder / "others.run").write_text("7 Q0 a 1 2.0 others\n")
    (folder / "strange.run").write_text("1 Q0 n1 1 2.0 strange\n2 Q0 n2 1 2.0 strange\n")
    for names, place in (
        (("qrels.txt", "one.run", "two.run.gz"), "verdict"),
        (("qrels.txt", "one.run"), "query"),
        (("one.run", "two.run.gz"), "query"),  # nothing is judged
        (("qrels.txt", "one.run", "others.run"), "query"),  # no query in common
        (("qrels.txt", "one.run", "strange.run"), "query"),  # all values of one run mean nothing
    ):
        session = Session()
        session.files.open_files(paths(folder, *names))
        assert session.view.place == place, names
        session.close()


def test_a_run_that_comes_second_leads_to_the_verdict_a_third_leaves_the_place(folder: Path) -> None:
    session = Session()
    session.files.open_files(paths(folder, "qrels.txt", "one.run"))
    assert session.view.place == "query"
    session.files.open_files(paths(folder, "two.run.gz"))
    assert session.view.place == "verdict"
    session.navigation.set_place("systems")
    (folder / "three.run").write_text(WORSE.format(tag="three"))
    session.files.open_files(paths(folder, "three.run"))
    assert session.view.place == "systems"
    session.close()


@pytest.mark.parametrize("folder_first", [True, False])
def test_the_same_files_are_one_recent_collection_however_they_were_named(folder: Path, folder_first: bool) -> None:
    """A collection opened once by its folder and once by its files was listed twice."""
    for name in ("bad.run", "notes.md"):
        (folder / name).unlink()
    settings, files = Settings(), sorted(str(path) for path in folder.iterdir())
    others = [str(folder.parent / "away"), files[0]]
    settings.add_recent(others)
    ways = [[str(folder)], files]
    for opened in ways if folder_first else reversed(ways):
        session = Session(settings)
        session.files.open_files(opened[:1])
        if len(opened) > 1:
            session.files.open_files(opened[1:])
        session.close()
        assert settings["recent"] == [opened, others]
    session = Session(settings)
    session.files.open_files(files[1:])  # other files: another collection
    session.close()
    assert len(settings["recent"]) == 3


@pytest.mark.parametrize("first", ["qrels.txt", "one.run", "documents.jsonl", "queries.tsv"])
def test_files_opened_one_after_another_find_each_other(folder: Path, first: str) -> None:
    session = Session()
    names = ["qrels.txt", "one.run", "documents.jsonl", "queries.tsv", "two.run.gz"]
    for name in [first, *(name for name in names if name != first)]:
        session.files.open_files(paths(folder, name))
    (collection,) = session.view.workspace.collections
    assert len(collection.runs) == 2
    assert collection.judgments
    assert collection.documents is not None
    (recent,) = session.files.recent  # one collection, however often something was opened
    assert {Path(path).name for path in recent.paths} == set(names)
    assert collection.queries is not None
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert [column.run.name for column in view_model.columns] == ["one", "two"]


def test_a_bad_file_leaves_a_message_and_everything_else(folder: Path) -> None:
    session = Session()
    session.files.open_files(paths(folder, "qrels.txt", "bad.run", "one.run", "notes.md", "gone.run"))
    (collection,) = session.view.workspace.collections
    assert [entry.name for entry in collection.runs] == ["one"]
    errors = [message for message in session.view.messages if message.level is Level.ERROR]
    assert [error.text.split(":")[0] for error in errors] == ["bad.run, line 2", "notes.md, line 1", "gone.run"]
    assert "zero" in " ".join(errors[0].details)
    before = session.state
    session.files.open_files(paths(folder, "bad.run"))
    assert session.view.workspace is before.workspace
    assert session.state.choices == before.choices
    assert session.view.place == before.place


def test_a_folder_stands_for_its_files(folder: Path) -> None:
    (folder / ".hidden").write_text("x")
    session = Session()
    session.files.open_files([str(folder)])
    (collection,) = session.view.workspace.collections
    assert len(collection.runs) == 2
    assert not any(".hidden" in message.text for message in session.view.messages)


def test_a_run_opened_again_takes_the_place_of_the_former(folder: Path) -> None:
    session = Session()
    session.files.open_files(paths(folder, "qrels.txt", "one.run", "two.run.gz"))
    session.navigation.set_query("1")
    session.runs.rename_run(0, "mine")
    session.runs.recolour_run(0, "#123456")
    before = session.view_models.query_view_model()
    (folder / "one.run").write_text(WORSE.format(tag="one"))
    session.files.reload()
    collection = session.view.collection
    assert collection is not None
    assert [(entry.key, entry.name, entry.colour) for entry in collection.runs] == [
        (0, "mine", "#123456"),
        (1, "two", None),
    ]
    after = session.view_models.query_view_model()
    assert before is not None
    assert after is not None
    assert before.columns[0].doc_ids == ["a", "x"]
    assert after.columns[0].doc_ids == ["x", "a"]
    assert after.columns[0].value < before.columns[0].value


def test_other_qrels_with_the_same_query_numbers_start_another_collection(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other.qrels").write_text("1 0 p 1\n2 0 q 1\n")
    (tmp_path / "other.run").write_text("1 Q0 p 1 1.0 t\n2 Q0 q 1 1.0 t\n")
    session = Session()
    session.files.open_files(paths(folder, "qrels.txt", "one.run"))
    session.files.open_files([str(tmp_path / "other.qrels")])
    session.files.set_collection(0)
    session.files.open_files(
        [str(tmp_path / "other.run")]
    )  # its documents, not the numbers of its queries, say where it belongs
    first, second = session.view.workspace.collections
    assert [entry.name for entry in first.runs] == ["one"]
    assert [entry.name for entry in second.runs] == ["other"]
    assert session.view.collection is second


def test_qrels_of_the_same_documents_are_another_judgment_set(folder: Path) -> None:
    (folder / "second.qrels").write_text("1 0 a 0\n1 0 x 1\n2 0 c 1\n")
    session = Session()
    session.files.open_files(paths(folder, "qrels.txt", "one.run", "two.run.gz"))
    session.navigation.set_query("1")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.columns[0].value == 1
    session.files.open_files(paths(folder, "second.qrels"))
    (collection,) = session.view.workspace.collections
    assert len(collection.judgments) == 2
    assert run_command(session, "next_judgments")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.columns[0].value < 1


def test_a_run_that_shares_no_query_is_a_collection_with_a_warning(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "far.run").write_text("q9 Q0 z 1 1.0 far\n")
    session = Session()
    session.files.open_files(paths(folder, "qrels.txt", "one.run"))
    session.files.open_files([str(tmp_path / "far.run")])
    assert len(session.view.workspace.collections) == 2
    assert any("shares no query" in message.text and message.details for message in session.view.messages)


def test_warnings_of_many_files_are_one_message(folder: Path) -> None:
    tied = "1 Q0 a 1 1.0 t\n1 Q0 x 2 1.0 t\n2 Q0 c 1 1.0 t\n2 Q0 x 2 1.0 t\n"
    for number in range(3):
        (folder / f"tied{number}.run").write_text(tied)
    session = Session()
    session.files.open_files(paths(folder, "qrels.txt", "tied0.run", "tied1.run", "tied2.run"))
    warnings = [message for message in session.view.messages if message.level is Level.WARNING]
    assert len(warnings) == 1
    assert warnings[0].text.startswith("3 files")
    assert len(warnings[0].details) >= 3
    assert any(
        "tied0.run" in line for line in (line for diagnosis in session.files.diagnoses() for line in diagnosis.lines())
    )


def test_collections_of_the_same_numbers_stay_apart_by_folder(tmp_path: Path) -> None:
    qrels = {"one": "1 0 1 1\n2 0 2 1\n", "two": "1 0 2 1\n2 0 3 1\n"}
    for name, words in (("one", "heat flow slab"), ("two", "lung liver blood")):
        home = tmp_path / name
        home.mkdir()
        (home / "qrels.txt").write_text(qrels[name])
        (home / f"{name}.run").write_text("1 Q0 1 1 2.0 t\n1 Q0 2 2 1.0 t\n2 Q0 2 1 2.0 t\n2 Q0 3 2 1.0 t\n")
        (home / "queries.tsv").write_text("".join(f"{n}\t{word}\n" for n, word in enumerate(words.split(), 1)))
        (home / "docs.tsv").write_text("".join(f"{n}\t{word} text\n" for n, word in enumerate(words.split(), 1)))
    session = Session()
    session.files.open_files([str(tmp_path / "two"), str(tmp_path / "one")])
    assert sorted(collection.name for collection in session.view.workspace.collections) == ["one", "two"]
    for collection in session.view.workspace.collections:
        words = {"one": "heat", "two": "lung"}[collection.name]
        assert [entry.name for entry in collection.runs] == [collection.name]
        assert collection.query_text("1") == words
        assert collection.documents is not None
        assert collection.documents.text("1") == f"{words} text"


def test_a_folder_of_other_things_is_one_message(folder: Path) -> None:
    for number in range(5):
        (folder / f"thing{number}.dat").write_bytes(bytes(range(256)))
    session = Session()
    session.files.open_files([str(folder)])
    errors = [message for message in session.view.messages if message.level is Level.ERROR]
    assert len(errors) == 1
    assert errors[0].text.startswith("6 of 11 files could not be read"), "notes.md is passed over"
    assert len(errors[0].details) == 6
    (collection,) = session.view.workspace.collections
    assert len(collection.runs) == 2


def test_the_folder_of_most_files_that_are_not_read_is_named(folder: Path) -> None:
    """One of 145 files was named, which did not say that most were the expected values of another program."""
    (folder / "goldens").mkdir()
    for number in range(5):
        (folder / "goldens" / f"thing{number}.dat").write_bytes(bytes(range(256)))
    session = Session()
    session.files.open_files([str(folder)])
    (said,) = [message for message in session.view.messages if message.level is Level.ERROR]
    assert said.text.startswith("6 of 11 files could not be read, 5 of them in goldens: ")


def test_runs_that_are_equal_everywhere_are_not_said_to_differ(folder: Path) -> None:
    (folder / "same.run").write_text(RUN.format(tag="same"))
    session = Session()
    session.files.open_files(paths(folder, "qrels.txt", "one.run", "same.run"))
    assert session.view.query_id == "1"
    assert session.state.chosen.queries_sort == ("query", False)
    assert not [message for message in session.view.messages if message.level is Level.HINT]


def test_further_runs_leave_the_view_as_it_is(folder: Path) -> None:
    session = Session()
    session.files.open_files(paths(folder, "qrels.txt", "one.run", "two.run.gz"))
    session.navigation.set_query("2")
    session.navigation.set_place("systems")
    session.runs.set_baseline(1)
    (folder / "three.run").write_text(RUN.format(tag="three"))
    session.files.open_files(paths(folder, "three.run"))
    assert (session.view.query_id, session.view.place, session.view.baseline) == ("2", "systems", 1)
    assert session.view.shown == (0, 1, 2)


class Loop:
    """The window's thread, by hand."""

    def __init__(self) -> None:
        self.queue: Queue[Callable[[], None]] = Queue()

    def until(self, true: Callable[[], bool]) -> None:
        deliver(self.queue, true)


def test_in_the_background_progress_is_reported_and_the_result_arrives(folder: Path) -> None:
    loop = Loop()
    session = Session(post=loop.queue.put)
    session.files.open_files(paths(folder, "qrels.txt", "one.run", "two.run.gz"))
    assert session.busy is not None
    assert session.busy.title
    assert session.view.collection is None
    loop.until(lambda: session.view.collection is not None)
    assert session.view.place == "verdict"
    assert session.busy is not None
    assert "Reading" not in session.busy.title  # it is the verdict that is computed now
    assert session.view_models.query_view_model() is not None
    session.close()


def test_two_simultaneous_openings_both_arrive_in_one_collection(folder: Path) -> None:
    loop = Loop()
    session = Session(post=loop.queue.put)
    session.files.open_files(paths(folder, "qrels.txt"))
    session.files.open_files(paths(folder, "one.run"))
    session.files.open_files(paths(folder, "two.run.gz"))
    loop.until(lambda: session.busy is None)
    (collection,) = session.view.workspace.collections
    assert sorted(entry.name for entry in collection.runs) == ["one", "two"]
    session.close()


def test_a_sample_asked_for_twice_while_it_is_read_opens_once() -> None:
    loop = Loop()
    session = Session(post=loop.queue.put)
    for _ in range(3):
        session.files.open_sample("cranfield")
    loop.until(lambda: session.busy is None)
    assert [collection.notes["sample"] for collection in session.view.workspace.collections] == ["cranfield"]
    session.files.open_sample("cranfield")
    assert session.busy is None
    session.close()


def test_cancelled_opening_opens_nothing_and_close_leaves_no_thread(folder: Path) -> None:
    before = set(threading.enumerate())
    loop = Loop()
    session = Session(Settings(), post=loop.queue.put)
    session.files.open_files([str(folder)])
    assert session.busy is not None
    session.busy.cancel()
    assert session.busy is None
    session.close()
    while not loop.queue.empty():
        loop.queue.get()()
    assert session.view.collection is None
    assert set(threading.enumerate()) <= before  # those of another test may have ended meanwhile


def test_many_runs_are_opened_in_time_that_grows_as_they_do(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text(QRELS)
    for number in range(160):
        (tmp_path / f"{number:03}.run").write_text(RUN.format(tag=f"r{number}"))

    def opened(count: int) -> int:
        session = Session(Settings())
        names = ["qrels.txt", *(f"{number:03}.run" for number in range(count))]
        counted_calls = calls(lambda: session.files.open_files(paths(tmp_path, *names)))
        assert session.view.collection is not None
        assert len(session.view.collection.runs) == count
        return counted_calls

    opened(1)  # what is imported is
    assert opened(160) < 2.6 * opened(80)


def test_more_files_than_can_be_kept_open_are_refused_immediately(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "MOST_FILES", 40)
    monkeypatch.setattr(open_requests, "MOST_FILES", 40)
    many = tmp_path / "many"
    many.mkdir()
    for number in range(60):
        (many / f"{number}.run").write_text(RUN.format(tag=f"r{number}"))
    session = Session(Settings())
    for given in ([str(many)], [str(path) for path in many.iterdir()]):
        session.files.open_files(given)
        assert session.view.collection is None
        assert session.view.messages[-1].level is Level.ERROR
        assert session.view.messages[-1].text.startswith("More than 40 files cannot be open")
    session.files.open_files(paths(folder, "qrels.txt", "one.run"))
    first = [str(many / f"{number}.run") for number in range(38)]
    session.files.open_files(first)
    assert session.view.collection is not None
    assert len(session.view.collection.runs) == 39
    session.files.open_files(paths(many, "58.run", "59.run"))
    assert "2 files cannot be opened in addition to the 40 open files" in session.view.messages[-1].text
    session.files.open_files(first)  # are open: read again
    assert len(session.view.collection.runs) == 39
    assert session.view.messages[-1].text.startswith("2 files")


@pytest.mark.slow
def test_twelve_thousand_runs_are_refused(tmp_path: Path) -> None:
    for number in range(12_000):
        (tmp_path / f"{number}.run").touch()
    session = Session(Settings())
    session.files.open_files([str(path) for path in tmp_path.iterdir()])
    session.files.open_files([str(tmp_path)])
    assert [message.text for message in session.view.messages] == [
        "More than 5,000 files cannot be open at the same time. Open fewer files."
    ]


def test_a_table_that_shares_an_id_by_chance_does_not_replace_the_texts(folder: Path) -> None:
    session = Session()
    session.files.open_files(paths(folder, "qrels.txt", "queries.tsv", "documents.jsonl"))
    (folder / "five.tsv").write_text("1\tsome words\n7\tof others\n8\tthat are\n9\tno queries\n")
    session.files.open_files(paths(folder, "five.tsv"))
    small = session.view.workspace.collections[0]
    assert small.query_text("1") == "heat flow"
    assert "matches no open collection" in session.view.messages[-1].text
    (folder / "other.tsv").write_text("1\tflow of heat\n2\tplates\n")
    session.files.set_collection(0)
    session.files.open_files(paths(folder, "other.tsv"))
    assert session.view.workspace.collections[0].query_text("1") == "flow of heat"


def test_the_parts_of_a_run_are_one_run_and_prose_is_passed_over(folder: Path) -> None:
    first, second = "1 Q0 a 1 2.0 x\n", "2 Q0 c 1 2.0 x\n"
    (folder / "bad.run").unlink()
    (folder / "README").write_text("Runs of Monday\n")
    (folder / "about.txt").write_text("The runs of Monday with their usual settings.\nSee the paper.\n")
    parts = folder / "dense"
    parts.mkdir()
    (parts / "part-00000").write_text(first)
    (parts / "part-00001").write_text(second)
    (parts / "_SUCCESS").touch()
    session = Session()
    session.files.open_files([str(folder)])
    (collection,) = session.view.workspace.collections
    assert [entry.name for entry in collection.runs] == ["one", "two", "dense"]
    assert collection.runs[2].run.query_ids == ("1", "2")
    assert not [message for message in session.view.messages if message.level is Level.ERROR]
    (parts / "part-00001").write_text(first)  # no longer parts of one run
    again = Session()
    again.files.open_files([str(folder)])
    (collection,) = again.view.workspace.collections
    assert [entry.name for entry in collection.runs] == ["one", "two", "part-00000", "part-00001"]


@pytest.mark.parametrize("name", ["cranfield", "fables", "trec"])
def test_the_folder_of_a_sample_opens_clean(samples: Path, name: str) -> None:
    session = Session()
    session.files.open_files([str(samples / name)])
    (collection,) = session.view.workspace.collections
    assert collection.runs
    assert not [message for message in session.view.messages if message.level is Level.ERROR]


def test_what_the_first_views_ask_for_is_known_when_files_are_open(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 500 runs the window joined each again and asked the disk for 500 files before it showed the first."""
    session = Session(Settings())
    session.files.open_files([str(folder)])
    state, evaluation = session.state, Evaluation()
    collection = session.view.collection
    assert collection is not None
    warm_collection(collection, state, evaluation, lambda *_: None)  # type: ignore[arg-type]
    context = make_context(collection, Choices(), state.measure, state.cutoff, state.options, evaluation)
    assert context.judgments is not None

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(evaluation, "judged", never)
    monkeypatch.setattr(in_view, "columns_of_files", never)
    for module, name in ((in_view, "missing_by_run"), (caveats, "outside")):
        monkeypatch.setattr(module, name, never)
    in_view.warm_protocol(context)
    assert len(caveats.query_differences(context)) == len(collection.runs)
    assert files_in_view(context, (context.judgments,))
    assert context.unmatched == {}
    assert isinstance(share_caveats(context), tuple)
