"""A file that is read as something else: by a person's word, through the session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import irviewer
from irviewer.formats.doctor import ReadOptions
from irviewer.session.session import Session

QRELS = "".join(f"{q} 0 d{q}{n} {n % 2}\n" for q in range(1, 7) for n in range(6))


def run(pattern: str) -> str:
    return "".join(f"{pattern.format(q)} Q0 d{q}{n} 1 {9 - n} t\n" for q in range(1, 7) for n in range(6))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "good.run").write_text(run("{}"))
    (tmp_path / "padded.run").write_text(run("00{}"))
    return tmp_path


def opened(folder: Path, *names: str) -> Session:
    session = Session()
    session.files.open_files([str(folder / name) for name in names])
    return session


def test_qrels_of_four_columns_are_a_run_where_the_user_says_so(folder: Path) -> None:
    (folder / "scores.csv").write_text("qid,docid,score\n" + "".join(f"{q},d{q}1,{q}.5\n" for q in range(1, 7)))
    session = opened(folder, "qrels", "good.run", "scores.csv")
    assert session.view.collection is not None
    assert [len(session.view.collection.judgments), len(session.view.collection.runs)] == [1, 2]
    path = str(folder / "scores.csv")
    key = session.view.collection.runs[1].key
    session.runs.set_baseline(key)
    session.files.treat(path, ReadOptions(format="csv", kind="qrels"))
    collection = session.view.collection
    assert [entry.name for entry in collection.runs] == ["good"]
    assert session.view.baseline == collection.runs[0].key
    assert [judgment_set.qrels.origin for judgment_set in collection.judgments][1:] == [path]
    assert any("read as csv qrels, as requested" in caveat for caveat in session.view.caveats), session.view.caveats
    session.files.reload()
    assert [len(session.view.collection.judgments), len(session.view.collection.runs)] == [2, 1]
    session.files.treat(path, ReadOptions())
    assert [len(session.view.collection.judgments), len(session.view.collection.runs)] == [1, 2]


def test_a_run_of_other_query_ids_comes_to_the_qrels_that_it_answers(folder: Path) -> None:
    session = opened(folder, "qrels", "good.run")
    session.files.open_files([str(folder / "padded.run")])
    assert len(session.view.workspace.collections) == 2
    message = session.view.messages[-1]
    assert "query ids may only be written differently (001 → 1)" in message.text
    assert message.action == "show_reports"
    session.files.set_collection(1)
    (diagnosis,) = session.files.diagnoses()
    (choice,) = diagnosis.choices
    assert "those of the open qrels" in choice.question
    assert choice.options[1].title.endswith("6 of 6 judged queries are in the run (now 0), in the qrels qrels")
    session.files.treat(diagnosis.report.path, choice.options[1].read_options)
    assert len(session.view.workspace.collections) == 1
    assert session.view.collection is not None
    assert [entry.name for entry in session.view.collection.runs] == ["good", "padded"]
    first, other = session.view.collection.runs
    assert first.run.query_ids == other.run.query_ids
    assert "padded: query ids matched by the rule zeros" in session.view.caveats
    session.files.reload()
    assert session.view.collection.runs[1].run.query_ids == first.run.query_ids
    session.files.treat(diagnosis.report.path, ReadOptions())
    assert session.view.collection.runs[1].run.query_ids[0] == "001"


def test_what_was_examined_once_is_known_until_the_file_is_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import irviewer.session.files.doctor as doctor

    session = opened(folder, "qrels", "good.run")
    asked: list[str] = []
    former = doctor.diagnose_value

    def counted(run, report, *rest):  # type: ignore[no-untyped-def]
        asked.append(Path(report.path).name)
        return former(run, report, *rest)

    monkeypatch.setattr(doctor, "diagnose_value", counted)
    heard: list[object] = []
    session.files.find_diagnoses(heard.append)
    session.files.find_diagnoses(heard.append)
    assert asked == ["qrels", "good.run"]
    assert heard[0] == heard[1]
    session.files.reload()
    session.files.find_diagnoses(heard.append)
    assert asked == ["qrels", "good.run"] * 2


def test_a_look_tells_what_a_file_is_taken_for(folder: Path, small: Path) -> None:
    session = Session()
    detections = []
    for name in (folder / "good.run", small / "collections" / "cranqrel", folder / "nowhere"):
        session.files.look_at(str(name), detections.append)
    run, cranfield, nothing = detections
    assert (run.format, run.kind) == ("trec", "run")
    assert "six columns" in run.detected
    assert (cranfield.format, cranfield.kind) == ("cranfield", "qrels")
    assert {file_format.name: file_format.kinds for file_format in run.formats}["cranfield-zero"] == ("qrels",)
    assert (nothing.format, nothing.kind) == ("", "")
    assert "nowhere" in nothing.detected


def _answers(folder: Path) -> str:
    own, path = Path(__file__).parents[2] / "data" / "answers", folder / "both.jsonl"
    path.write_text("".join((own / f"{name}.answers.jsonl").read_text() for name in ("alpha", "beta")))
    return str(path)


def _values(folder: Path) -> str:
    runs = {name: {"1": {"d10": 1.0, "d11": 2.0}} for name in ("alpha", "beta")}
    irviewer.save_values(
        irviewer.evaluate(str(folder / "qrels"), runs, ["P@1"]), str(folder / "qrels"), folder / "v.parquet"
    )
    return str(folder / "v.parquet")


@pytest.mark.filterwarnings("ignore::irviewer.IrviewerWarning")
@pytest.mark.parametrize("write", [_answers, _values])
def test_a_removed_system_of_a_file_comes_back_where_the_file_is_opened_only(
    folder: Path, write: Callable[[Path], str]
) -> None:
    path, session = write(folder), Session()
    session.files.open_files([path])

    def names() -> list[str]:
        assert session.view.collection is not None
        return [entry.name for entry in session.view.collection.runs]

    both = names()
    assert len(both) == 2
    session.runs.remove_run(session.view.collection.runs[1].key)  # type: ignore[union-attr]
    session.files.reload()
    assert names() == both[:1]
    assert any("1 system that is not open: beta" in message.text for message in session.view.messages)
    session.files.open_files([path])
    assert names() == both
    session.close()
