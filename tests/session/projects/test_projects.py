"""Projects: what is kept comes back, whatever it is; paths are relative, moved files are found, nothing is lost."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import irviewer
from irviewer.commands import find
from irviewer.formats.doctor import ReadOptions
from irviewer.formats.project_file import MARK, VERSION, ProjectError, parse_project, read_project
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet
from irviewer.model.workspace import Regime
from irviewer.session.messages import Level
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from tests.session.helpers import collection, session_with

QRELS = "".join(f"{q} 0 d{q}{n} {n % 3}\n" for q in range(1, 7) for n in range(6))


def run(name: str, shift: int) -> str:
    return "".join(f"{q} Q0 d{q}{(n + shift) % 8} {n} {9 - n} {name}\n" for q in range(1, 7) for n in range(8))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "work"
    (home / "runs").mkdir(parents=True)
    (home / "small.qrels").write_text(QRELS)
    for number, name in enumerate(("alpha", "beta", "gamma")):
        (home / "runs" / f"{name}.run").write_text(run(name, number))
    (home / "runs" / "twice.run").write_text(run("twice", 3) + "1 Q0 d11 0 99 twice\n")
    (home / "queries.tsv").write_text("".join(f"{q}\tthe number of a wing {q}\n" for q in range(1, 7)))
    documents = (json.dumps({"id": f"d{q}{n}", "text": f"text {q} {n}"}) for q in range(1, 7) for n in range(8))
    (home / "documents.jsonl").write_text("\n".join(documents) + "\n")
    return home


def opened(*paths: Path) -> Session:
    settings = Settings()
    settings["hints"] = False
    session = Session(settings)
    session.files.open_files([str(path) for path in paths])
    return session


@pytest.fixture
def session(folder: Path) -> Session:
    return opened(*(path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "twice.run"))


def worked_on(session: Session, folder: Path) -> None:
    """Something of everything that a project keeps."""
    session.files.treat(str(folder / "runs" / "twice.run"), ReadOptions("last"))
    session.runs.rename_run(1, "the second")
    session.runs.recolour_run(0, "#123456")
    session.runs.move_run(2, 0)
    session.runs.remove_run(3)
    session.files.treat(str(folder / "runs" / "twice.run"), ReadOptions("best"))
    session.navigation.set_query("3")
    session.navigation.set_document("d31")
    session.judging.judge("d31", 4.0, "clearly so")
    session.judging.judge("d30", None)
    session.judging.judge("new one", 1.0)
    session.judging.judge("d40", 2.0, query_id="4")
    session.runs.set_baseline(2)
    session.evaluation.set_measure("AP")
    session.evaluation.set_cutoff(5)
    session.protocol.set(level=2)
    session.evaluation.set_regime(Regime.COMPLETE)
    session.navigation.sort_queries("spread", True)
    session.navigation.filter_queries("wing")
    copy = session.run_editing.edit_copy(0)
    assert copy is not None
    session.run_editing.shift_document(copy, "d31", -1)
    session.notes.set_note("query", "3", "hard, see the second run")
    session.notes.set_tags("query", "3", ["hard", "später"])
    session.notes.set_tags("document", "d31", ["seen"])
    collection = session.view.collection
    assert collection is not None
    named = replace(collection, query_sets=(QuerySet("two", frozenset({"3", "4"}), "filter", "Δ > 0", looked=True),))
    session.store.apply(session.state.with_collection(named))
    session.failures.set_failure_limits(worse=0.25, hard=0.0)
    session.failures.switch_failure_kind("hard")
    session.failures.set_collection_size(5000)
    session.failures.set_stop(33)
    session.failures.sort_findings("hubs", "document", False)
    session.navigation.set_place("queries")


def saved(session: Session) -> str:
    session.autosave._saver.flush()
    return Path(session.autosave.project_path).read_text("utf-8")


def test_a_regime_that_was_inferred_is_not_kept(session: Session, folder: Path) -> None:
    """Older versions wrote what they had inferred from the grades, with "chosen": false."""
    session.autosave.save_project(str(folder / "mine"))
    path = folder / "mine.irviewer"
    text = saved(session)
    assert '"regime": "unknown"' in text
    path.write_text(text.replace('"regime": "unknown"', '"regime": "complete"'), "utf-8")
    again = Session(Settings())
    again.files.open_files([str(path)])
    assert again.view.judgments is not None
    assert again.view.judgments.regime is Regime.UNKNOWN
    path.write_text(path.read_text("utf-8").replace('"chosen": false', '"chosen": true', 1), "utf-8")
    declared = Session(Settings())
    declared.files.open_files([str(path)])
    assert declared.view.judgments is not None
    assert declared.view.judgments.regime is Regime.COMPLETE


def test_a_saved_project_is_recent_also_for_a_program_that_is_killed(session: Session, folder: Path) -> None:
    session.settings.path = folder / "settings.json"
    session.autosave.save_project(str(folder / "p.irviewer"))
    assert Settings(folder / "settings.json")["recent"][0] == [str(folder / "p.irviewer")]
    project, files = session.files.recent  # in one folder: what tells them apart is said
    assert (project.title, project.about) == ("p", f"project · {folder}")
    assert files.about.startswith("6 files · ")
    assert find(session, "recent 0").help == project.about


def test_everything_comes_back(session: Session, folder: Path) -> None:
    session.autosave.save_project(str(folder / "mine"))
    assert session.autosave.save_status == "saved"
    worked_on(session, folder)
    assert session.autosave.save_status == "saving …"  # where one is now is written when one rests
    session.autosave._saver.flush()
    assert session.autosave.save_status == "saved"
    text = saved(session)
    again = Session(Settings())
    again.files.open_files([str(folder / "mine.irviewer")])
    assert [message for message in again.view.messages if message.level is Level.ERROR] == []
    mine, yours = session.view.collection, again.view.collection
    assert mine is not None
    assert yours is not None
    assert [(e.key, e.name, e.slot, e.colour, e.worn) for e in yours.runs] == [
        (e.key, e.name, e.slot, e.colour, e.worn) for e in mine.runs
    ]
    for entry, other in zip(mine.runs, yours.runs, strict=True):
        assert entry.run.query_ids == other.run.query_ids
        assert entry.run.doc_ids.equals(other.run.doc_ids)
        assert entry.run.scores.tolist() == other.run.scores.tolist()
    assert list(yours.judgments[0].overlay) == list(mine.judgments[0].overlay)
    assert yours.judgments[0].qrels.judgments("3") == mine.judgments[0].qrels.judgments("3")
    assert yours.judgments[0].read.judgments("3") == mine.judgments[0].read.judgments("3")
    assert yours.judgments[0].regime is Regime.COMPLETE
    assert yours.query_sets == mine.query_sets
    assert again.notes.every == session.notes.every
    assert again.notes.note("query", "3").tags == ("hard", "später")
    assert again.state.chosen == session.state.chosen
    assert (str(again.view.measure), again.view.cutoff, again.view.level, again.view.place) == ("AP", 5, 2, "queries")
    assert again.state.options == session.state.options
    assert again.state.finding == session.state.finding
    assert again.state.finding.stop == 33
    assert again.state.finding.sizes == {mine.name: 5000}
    assert again.view_models.query_view_model() is not None
    view_model, other_view_model = session.view_models.queries_view_model(), again.view_models.queries_view_model()
    assert view_model is not None
    assert other_view_model is not None
    assert view_model.query_ids == other_view_model.query_ids
    twice = str(folder / "runs" / "twice.run")
    assert again.files.read_options_of(twice) == session.files.read_options_of(twice)
    assert again.autosave.snapshot(folder / "mine.irviewer").text() == text


def test_the_file_is_small_relative_and_stable(session: Session, folder: Path, tmp_path: Path) -> None:
    session.autosave.save_project(str(folder / "mine"))
    worked_on(session, folder)
    text = saved(session)
    assert str(tmp_path) not in text
    assert '"file": "runs/alpha.run"' in text
    assert len(text) < 6000
    before = text.split("\n")
    session.judging.judge("d32", 2.0)
    after = saved(session).split("\n")
    new = [line for line in after if line not in before]
    assert len(new) == 1, new
    assert '"d32", 2' in new[0]


def test_a_folder_that_was_moved_whole_needs_no_question(session: Session, folder: Path, tmp_path: Path) -> None:
    session.autosave.save_project(str(folder / "mine"))
    session.judging.judge("d11", 2.0)
    session.close()
    folder.rename(tmp_path / "elsewhere")
    again = Session(Settings())
    again.files.open_files([str(tmp_path / "elsewhere" / "mine.irviewer")])
    assert again.projects.seeking is None
    assert again.view.collection is not None
    assert len(again.view.collection.runs) == 3
    assert len(again.view.collection.judgments[0].overlay) == 1


def _moved(session: Session, folder: Path, tmp_path: Path) -> tuple[Session, Path]:
    """The project alone stays; its files are in another place."""
    session.autosave.save_project(str(tmp_path / "mine"))
    session.navigation.set_query("1")
    session.judging.judge("d11", 2.0)
    session.close()
    archive = tmp_path / "archive" / "of" / "work"
    archive.parent.mkdir(parents=True)
    shutil.move(folder, archive)
    again = Session(Settings())
    asked: list[str] = []
    again.asked.connect(asked.append)
    again.projects.open_project(str(tmp_path / "mine.irviewer"))
    assert asked == ["find_files"]
    assert again.projects.seeking is not None
    assert len(again.projects.seeking.missing) == 6
    assert again.view.collection is None
    return again, archive


@pytest.mark.parametrize("pointed", [".", "..", "../..", "runs/beta.run", "small.qrels"])
def test_one_that_is_pointed_to_finds_the_others(
    session: Session, folder: Path, tmp_path: Path, pointed: str
) -> None:  # fmt: skip
    again, archive = _moved(session, folder, tmp_path)
    assert again.projects.point_to(str((archive / pointed).resolve())) == 6
    assert again.projects.seeking is None
    assert again.view.collection is not None
    assert [entry.name for entry in again.view.collection.runs] == ["alpha", "beta", "gamma"]
    assert len(again.view.collection.judgments[0].overlay) == 1
    written = (tmp_path / "mine.irviewer").read_text("utf-8")
    assert '"file": "archive/of/work/runs/alpha.run"' in written  # at once: the next start asks no more
    assert again.autosave.save_status == "saved"
    once_more = Session(Settings())
    once_more.projects.open_project(str(tmp_path / "mine.irviewer"))
    assert once_more.projects.seeking is None
    assert once_more.view.collection is not None
    again.judging.judge("d12", 1.0)
    assert '"file": "archive/of/work/runs/alpha.run"' in saved(again)


def test_what_stays_missing_is_kept_and_comes_back_later(session: Session, folder: Path, tmp_path: Path) -> None:
    session.runs.rename_run(1, "the second")
    again, archive = _moved(session, folder, tmp_path)
    shutil.move(archive / "runs" / "beta.run", tmp_path / "beta.run.hidden")
    shutil.move(archive / "small.qrels", tmp_path / "qrels.hidden")
    assert again.projects.point_to(str(archive)) == 4
    assert again.projects.seeking is not None
    assert sorted(Path(path).name for path in again.projects.seeking.missing.values()) == ["beta.run", "small.qrels"]
    again.projects.open_without_missing()
    assert again.view.collection is not None
    assert [entry.name for entry in again.view.collection.runs] == ["alpha", "gamma"]
    assert again.view.judgments is None
    assert any("2 files are missing" in message.text for message in again.view.messages)
    again.runs.rename_run(0, "first")
    text = saved(again)
    again.close()
    assert '"the second"' in text
    assert '["1", "d11", 2' in text
    shutil.move(tmp_path / "beta.run.hidden", folder.parent / "beta.run")
    third = Session(Settings())
    third.projects.open_project(str(tmp_path / "mine.irviewer"))
    assert third.projects.seeking is not None
    third.projects.point_to(str(folder.parent / "beta.run"))
    third.projects.open_without_missing()
    assert third.view.collection is not None
    assert [(entry.key, entry.name) for entry in third.view.collection.runs] == [
        (0, "first"),
        (1, "the second"),
        (2, "gamma"),
    ]


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.irviewer"
    path.write_text(json.dumps({MARK: VERSION + 1, "collections": []}))
    before = path.read_bytes()
    session = Session(Settings())
    session.projects.open_project(str(path))
    assert "saved by a newer irviewer" in session.view.messages[-1].text
    assert "update irviewer" in session.view.messages[-1].text
    assert path.read_bytes() == before
    assert session.autosave.project_path == ""


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"irviewer project": "two"}', '{"irviewer project": true}', "\x00", "{" * 9]
)
def test_what_is_no_project_says_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.irviewer"
    path.write_text(text)
    with pytest.raises(ProjectError, match="this is not a project file"):
        read_project(path)


def test_a_project_of_version_1_is_upgraded(small: Path, tmp_path: Path) -> None:
    for path in (small / "projects").iterdir():
        shutil.copy(path, tmp_path)
    session = Session(Settings())
    session.files.open_files([str(tmp_path / "version1.irviewer")])
    assert session.view.messages == ()
    assert session.view.collection is not None
    assert [(entry.key, entry.name) for entry in session.view.collection.runs] == [(0, "first"), (1, "second")]
    assert session.view.baseline == 1
    assert session.view.shown == (0, 1)
    assert session.view.query_id == "2"
    judged = list(session.view.collection.judgments[0].overlay)
    (judgment,) = judged
    assert (judgment.query_id, judgment.doc_id, judgment.grade, judgment.who, judgment.note) == (
        "2",
        "d4",
        3,
        "ada",
        "sure",
    )
    session.navigation.set_query("1")
    session.judging.judge("d1", 0.0)
    assert json.loads(saved(session))[MARK] == VERSION


@pytest.mark.parametrize("version", range(1, VERSION))
def test_every_older_version_is_upgraded(small: Path, tmp_path: Path, version: int) -> None:
    """A file of each version that there was; who raises the version puts one of the version before here."""
    for path in (small / "projects").iterdir():
        shutil.copy(path, tmp_path)
    path = tmp_path / f"version{version}.irviewer"
    before = path.read_bytes()
    assert json.loads(before)[MARK] == version
    sessions = [Session(Settings()), Session(Settings())]
    for session in sessions:
        session.projects.open_project(str(path))
        said = [message.text for message in session.view.messages if message.topic != "open_elsewhere"]
        copies = version > 1  # those of these files have an edited copy
        assert said == copies * [said[0]] if said else not copies
        assert all(text.startswith("Corrected p-values of ") for text in said)
        assert path.read_bytes() == before  # as long as nothing is changed
    ids = [
        [
            (opened.identity, *(each.identity for each in opened.judgments))
            for opened in session.view.workspace.collections
        ]
        for session in sessions
    ]
    assert ids[0] == ids[1]  # by which two windows join what is made in them
    sessions[0].judging.judge("d1", 0.0, query_id="1")
    sessions[1].judging.judge("d2", 2.0, query_id="1")
    data = json.loads(path.read_bytes())
    assert data[MARK] == VERSION
    (collection,) = data["collections"]
    assert {row[1] for row in collection["judgments"][0]["judged"]} >= {"d1", "d2", "d4"}
    again = Session(Settings())
    again.projects.open_project(str(path))
    assert again.view.collection is not None
    assert json.loads(again.autosave.snapshot(path).text()) == data


def test_the_protocol_of_a_project_of_version_3_is_read(small: Path, tmp_path: Path) -> None:
    """Version 3 had no protocol: options, statistics, and a selection with baseline and query set."""
    for path in (small / "projects").iterdir():
        shutil.copy(path, tmp_path)
    session = Session(Settings())
    session.projects.open_project(str(tmp_path / "version3.irviewer"))
    bound, context = session.view.protocol, session.view.context
    assert bound is not None
    assert context is not None
    assert not session.protocol.declared.measures
    assert bound.protocol == EvaluationProtocol().but(
        measures="AP", level=2, dialect="textbook", unjudged="complete", queries="two", baseline="second",
        test="wilcoxon", zeros="pratt", correction="bonferroni", interval="bca", confidence=0.9, alpha=0.1,
        samples=500, seed=7, smallest=0.02,
    )  # fmt: skip
    assert (session.state.rbo_p, session.state.rbo_depth) == (0.8, 20)
    runs = [str(tmp_path / "first.run"), str(tmp_path / "second.run")]
    judged = Qrels.from_dict({query: context.judgments.qrels.judgments(query) for query in context.query_ids})
    table = irviewer.evaluate(judged, runs, ["AP"], level=2, dialect="textbook")
    for entry in context.system_runs:
        kept = [value for query, value in table.by_query("AP", entry.name).items() if query in ("1", "2")]
        assert context.mean(entry, context.measure) == pytest.approx(sum(kept) / len(kept), abs=1e-12)


def test_values_that_older_versions_wrote_unasked_are_not_declared() -> None:
    data = {
        MARK: 3,
        "options": {"level": 1, "depth": None, "dialect": "trec_eval"},
        "statistics": {"test": "t", "level": 0.95, "rope": 0.01, "seed": 42},
        "collections": [
            {"name": "c", "runs": [{"key": 3, "name": "x"}, {"key": 5, "name": "bm25"}],
             "selection": {"baseline": 5, "query_set": ""}},
            {"name": "d", "runs": [{"key": 3, "name": "x"}, {"key": 5, "name": "bm25"}], "selection": {"baseline": 3}},
        ],
    }  # fmt: skip
    sections = parse_project("p.irviewer", json.dumps(data).encode())
    assert "protocol" not in sections
    assert [collection.get("scope") for collection in sections["collections"]] == [None, {"baseline": 3}]
    assert all(collection["selection"] == {} for collection in sections["collections"])


def test_fields_of_a_later_version_are_kept(session: Session, folder: Path) -> None:
    session.protocol.set(level=2)
    session.runs.set_baseline(0)
    session.autosave.save_project(str(folder / "mine"))
    path = folder / "mine.irviewer"
    data = json.loads(saved(session))
    data["protocol"]["rules"]["later"] = [1]
    data["protocol"]["cost"] = {"budget": 3}
    data["collections"][0]["scope"]["unit"] = "conversation"
    path.write_text(json.dumps(data))
    again = Session(Settings())
    again.projects.open_project(str(path))
    again.protocol.set(alpha=0.01)
    again.runs.set_baseline(1)
    written = json.loads(saved(again))
    assert written["protocol"] == {**data["protocol"], "inference": {"alpha": 0.01}}
    assert written["collections"][0]["scope"] == {"baseline": 1, "unit": "conversation"}


def test_a_project_of_version_2_is_upgraded(small: Path, tmp_path: Path) -> None:
    for path in (small / "projects").iterdir():
        shutil.copy(path, tmp_path)
    session = Session(Settings())
    session.projects.open_project(str(tmp_path / "version2.irviewer"))
    assert session.view.collection is not None
    assert [(entry.key, entry.name) for entry in session.view.collection.runs] == [
        (0, "first"), (2, "first (edited)"), (1, "the second"), (3, "RRF (k = 60) of first and the second"),
    ]  # fmt: skip
    (judgments,) = session.view.collection.judgments
    assert [
        (judgment.query_id, judgment.doc_id, judgment.grade, judgment.who, judgment.note)
        for judgment in judgments.overlay
    ] == [
        ("2", "d4", 3, "ada", "sure"),
        ("2", "d3", None, "ada", ""),
        ("1", "new", 1, "ada", ""),
    ]
    assert session.notes.note("query", "2").text == "hard"
    assert [query_set.name for query_set in session.query_sets.every] == ["two"]
    assert (str(session.view.measure), session.view.focus, session.view.query_id) == ("AP", 3, "2")
    assert (session.view.collection.identity, judgments.identity) == ("c1", "j1")


def test_what_a_later_program_wrote_is_kept(session: Session, folder: Path) -> None:
    session.autosave.save_project(str(folder / "mine"))
    session.close()
    path = folder / "mine.irviewer"
    data = json.loads(path.read_text())
    data["hologram"] = {"on": True}
    data["collections"][0]["aura"] = [1, 2]
    data["view"]["tilt"] = 3
    path.write_text(json.dumps(data))
    again = Session(Settings())
    again.projects.open_project(str(path))
    again.runs.rename_run(0, "other")
    saved_data = json.loads(saved(again))
    assert saved_data["hologram"] == {"on": True}
    assert saved_data["collections"][0]["aura"] == [1, 2]


def test_a_sample_is_named_and_needs_no_path(tmp_path: Path) -> None:
    session = Session(Settings())
    session.files.open_sample("cranfield")
    session.autosave.save_project(str(tmp_path / "teaching"))
    text = saved(session)
    assert '"file": "sample:cranfield/qrels.txt"' in text
    again = Session(Settings())
    again.projects.open_project(str(tmp_path / "teaching.irviewer"))
    assert again.view.collection is not None
    assert len(again.view.collection.runs) == 6
    assert again.view.collection.notes["sample"] == "cranfield"


def test_runs_and_judgments_without_a_file_are_kept_whole(tmp_path: Path) -> None:

    session = session_with(collection(), settings=Settings())
    session.autosave.save_project(str(tmp_path / "made"))
    again = Session(Settings())
    again.projects.open_project(str(tmp_path / "made.irviewer"))
    assert again.view.collection is not None
    assert session.view.collection is not None
    for entry, other in zip(session.view.collection.runs, again.view.collection.runs, strict=True):
        assert [other.run.ranking(q) for q in entry.run.query_ids] == [
            entry.run.ranking(q) for q in entry.run.query_ids
        ]
    qrels, other_qrels = session.view.collection.judgments[0].qrels, again.view.collection.judgments[0].qrels
    assert [qrels.judgments(q) for q in qrels.query_ids] == [other_qrels.judgments(q) for q in other_qrels.query_ids]


def test_a_widened_scale_is_kept(tmp_path: Path) -> None:
    session = session_with(collection(), settings=Settings())
    session.judging.widen_scale(4)
    session.autosave.save_project(str(tmp_path / "made"))
    again = Session(Settings())
    again.projects.open_project(str(tmp_path / "made.irviewer"))
    assert again.judging.scale is not None and again.judging.scale.text == "0–4"
    assert again.judging.grades == session.judging.grades


def test_files_beside_a_project_are_opened_into_it(session: Session, folder: Path) -> None:
    (folder / "more.run").write_text(run("more", 2))
    session.autosave.save_project(str(folder / "mine"))
    session.close()
    again = Session(Settings())
    again.files.open_files([str(folder / "mine.irviewer"), str(folder / "more.run")])
    assert again.view.collection is not None
    assert [entry.name for entry in again.view.collection.runs] == ["alpha", "beta", "gamma", "more"]
    assert '"more.run"' in saved(again)
    again.files.open_files([str(folder)])  # a project in a folder is no file to read
    assert [message for message in again.view.messages if "irviewer" in message.text] == []


def test_closing_everything_leaves_the_project_as_it_is(session: Session, folder: Path) -> None:
    session.autosave.save_project(str(folder / "mine"))
    session.judging.judge("d11", 2.0)
    text = saved(session)
    session.files.close_collection()
    session.close()
    assert (folder / "mine.irviewer").read_text() == text
    assert session.autosave.project_path == ""
