"""Answers in the window: their files are runs, the views show a system as one, and a project brings them back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.formats import load as load_module
from irviewer.formats.load import load
from irviewer.formats.reading.opener import Opened
from irviewer.session.evaluation.caveats import find_caveats
from irviewer.session.session import Session
from irviewer.tables.exact import arrow_table

DATA = Path(__file__).parents[1] / "data" / "answers"

OWN = Path(__file__).parents[1] / "data" / "answers"
FILES = [OWN / f"{run}.{part}.jsonl" for run in ("alpha", "beta") for part in ("answers", "assignments", "support")]
VIEWS = {
    "scores": "answer-scores",
    "nuggets": "answer-nuggets",
    "lost": "answer-lost",
    "sentences": "answer-sentences",
    "checks": "answer-checks",
    "worklist": "answer-worklist",
}
ALL_VIEWS = {**VIEWS, "agreement": "answer-agreement", "merge": "answer-merge"}


@pytest.fixture
def session() -> Session:
    session = Session()
    session.files.open_files([str(OWN / "nuggets.jsonl"), *map(str, FILES)])
    return session


def shown(session: Session, view: str) -> dict[str, list[tuple[object, ...]]]:
    session.result_views.choose(ALL_VIEWS[view])
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None and answer.shown is not None, answer and answer.trouble
    return {
        table.name: list(zip(*(list(column.values) for column in table.columns if "" in column.parts), strict=True))
        for table in answer.shown.tables
    }


def test_a_file_of_several_systems_opens_all_of_them(tmp_path: Path) -> None:
    """As commands and Python do; its runs come back with a project, and are replaced when the file is read again."""
    files = []
    for part in ("answers", "assignments", "support"):
        files.append(tmp_path / f"both.{part}.jsonl")
        files[-1].write_text("".join((OWN / f"{run}.{part}.jsonl").read_text() for run in ("alpha", "beta")))
    session = Session()
    session.files.open_files([str(OWN / "nuggets.jsonl"), *map(str, files)])
    views = {view: shown(session, view) for view in ("scores", "nuggets", "sentences")}
    apart = Session()
    apart.files.open_files([str(OWN / "nuggets.jsonl"), *map(str, FILES)])
    assert str(views) == str({view: shown(apart, view) for view in views})
    notes = [note.text for report in session.files.reports.values() for note in report.findings]
    assert notes.count("the file has 2 systems, and all are read: alpha, beta") == 3

    assert session.view.collection is not None
    names = [entry.name for entry in session.view.collection.runs]
    assert len(names) == len(set(names)) == 6
    session.files.open_files([str(files[0])])  # again: no run is added, each is replaced by that of its system
    assert [entry.name for entry in session.view.collection.runs] == names
    session.runs.remove_run(session.view.collection.runs[0].key)
    session.autosave.save_project(str(tmp_path / "kept.irviewer"))
    other = Session()
    other.projects.open_project(str(tmp_path / "kept.irviewer"))
    assert other.view.collection is not None
    kept = [(entry.name, entry.run.answered) for entry in other.view.collection.runs]
    assert [name for name, _ in kept] == [entry.name for entry in session.view.collection.runs]
    assert [answered.system for _, answered in kept if answered is not None] == ["beta", *["alpha", "beta"] * 2]


def test_a_list_beside_answers_is_no_baseline(tmp_path: Path) -> None:
    """It has no value of what answers say, whatever its name, and nothing could be compared with it."""
    bm25 = tmp_path / "bm25.run"
    bm25.write_text((OWN / "context.run").read_text())
    session = Session()
    session.files.open_files([str(bm25), str(OWN / "nuggets.jsonl"), *map(str, FILES)])
    context = session.view.context
    assert context is not None and context.baseline is not None
    assert context.collection.run(context.baseline).name == "alpha"
    assert "against alpha" in session.protocol.line
    session.runs.set_baseline(next(entry.key for entry in context.collection.runs if entry.name == "bm25"))
    assert session.view.baseline != context.baseline  # a choice holds


@pytest.mark.parametrize("view", VIEWS)
def test_the_window_shows_what_python_returns(session: Session, view: str) -> None:
    session.protocol.set(measures=("V_strict",))
    answer = irviewer.answers(view, OWN / "nuggets.jsonl", FILES, measures=("V_strict",))
    wanted = {
        table.name: list(zip(*(list(column.values) for column in table.columns if "" in column.parts), strict=True))
        for table in answer.shown.tables
    }
    assert str(shown(session, view)) == str(wanted)


def test_the_files_of_a_system_are_one_run_in_the_window(session: Session) -> None:
    context = session.view.context
    assert context is not None and str(context.measure) == "NuggetR(weight='vital',strict=True)"
    means = {entry.name: context.mean(entry, context.measure) for entry in context.collection.runs}
    assert means == {"alpha": pytest.approx(13 / 18), "beta": 0.5}
    assert session.view.collection is not None and len(session.view.collection.runs) == len(FILES)


def test_nuggets_alone_bring_no_measure_of_documents_into_the_tables(session: Session) -> None:
    """nDCG@10 stood beside them, all values alike; the commands leave it out, too."""
    session.navigation.set_place("query")
    query = session.view_models.query_view_model()
    assert query is not None
    shown_measures = [*map(str, session.comparison.measures_shown())]
    assert shown_measures and "nDCG@10" not in shown_measures
    assert "nDCG@10" not in [each.measure for each in query.metrics]
    systems = session.view_models.systems_view_model()
    assert systems is not None
    assert [
        (figure.curves, "no document is judged" in figure.note)
        for figure in (systems.precision_recall, systems.by_cutoff)
    ] == [((), True)] * 2
    session.evaluation.set_measure("nDCG@10")  # who names it has it
    assert [*map(str, session.comparison.measures_shown())] == [*shown_measures, "nDCG@10"]


def test_a_project_brings_answers_back(session: Session, tmp_path: Path) -> None:
    before = shown(session, "lost")
    session.autosave.save_project(str(tmp_path / "answers.irviewer"))
    again = Session()
    again.projects.open_project(str(tmp_path / "answers.irviewer"))
    assert str(shown(again, "lost")) == str(before)


def test_a_document_judged_here_leaves_scores_of_answers_as_they_are() -> None:
    """Judging derives values of the query from the lists alone, which know nothing of answers."""
    session = Session()
    session.files.open_files([str(OWN / "qrels.txt"), *map(str, FILES)])
    assert session.evaluation.set_measure("V")
    session.navigation.set_query("t1")
    context = session.view.context
    assert context is not None
    entry = next(entry for entry in context.collection.runs if entry.name == "alpha")
    before = context.values(entry, context.measure).tolist()
    assert session.judging.judge("d11", 2)
    context = session.view.context
    assert context is not None
    assert context.values(entry, context.measure).tolist() == before


def test_labels_given_here_are_an_assigner(session: Session, tmp_path: Path) -> None:
    """The agreement of labels given in the window with those of a file is what the command computes of the same labels
    saved."""
    session.navigation.set_query("t1")
    session.answering.choose_system("alpha")
    for code in (2, 0, 2):
        assert session.answering.label(code)
    tables = shown(session, "agreement")
    ((first, second, group, items, topics, *_), *_) = tables["pairs"]
    assert (first, second, group, items, topics) == ("labelled-here", "assignments", "all", 3, 1)


def test_nuggets_changed_here_are_followed(session: Session) -> None:
    """Also where no judgment of a document changes."""
    before = shown(session, "nuggets")["nuggets"]
    assert [row[2] for row in before[:2]] == ["vital", "vital"]
    session.navigation.set_query("t1")
    session.answering.set_vital(0, False)
    assert [row[2] for row in shown(session, "nuggets")["nuggets"] if row[1] == before[0][1]] == ["okay"]
    assert session.history.undo()
    assert str(shown(session, "nuggets")["nuggets"]) == str(before)


@pytest.mark.parametrize(
    "files", [["nuggets.jsonl"], ["alpha.answers.jsonl"], ["qrels.txt", "alpha.assignments.jsonl"]]
)
def test_the_questions_of_files_are_the_texts_of_queries(files: list[str], tmp_path: Path) -> None:
    session = Session()
    session.files.open_files([str(OWN / file) for file in files])
    collection = session.view.collection
    assert collection is not None
    assert collection.query_text("t1") == "why is the sky blue"
    texts = tmp_path / "queries.tsv"
    texts.write_text("t1\tWhy blue?\n")
    session.files.open_files([str(texts)])
    collection = session.view.collection
    assert collection is not None
    assert collection.query_text("t1") == "Why blue?", "a file of texts comes first"
    assert collection.query_text("t2") != "", "what it lacks is still the question"


def test_the_texts_of_the_window_follow_the_files() -> None:
    session = Session()
    session.files.open_files([str(OWN / "context.run")])
    context = session.view.context
    assert context is not None
    assert set(context.texts) == {""}
    session.files.open_files([str(OWN / "alpha.answers.jsonl")])
    context = session.view.context
    assert context is not None
    assert dict(zip(context.query_ids, context.texts, strict=True))["t1"] == "why is the sky blue"


def test_the_window_says_what_measures_of_documents_mean_over_nuggets_alone() -> None:
    """It showed nDCG@10 0 beside the scores of nuggets, without a word."""
    session = Session()
    files = ("nuggets.jsonl", "alpha.answers.jsonl", "alpha.assignments.jsonl")
    session.files.open_files([str(DATA / name) for name in files])
    assert session.view.context is not None
    assert not any("judges no document" in text for text in find_caveats(session.view.context))
    session.evaluation.set_measure("nDCG@10")  # it is shown to those who ask for it
    said = find_caveats(session.view.context)
    assert any("judges no document, so these measures mean nothing: nDCG@10" in text for text in said)
    session.close()


def with_two_answers(folder: Path) -> Path:
    """Return a file of answers whose first topic has another answer at its end."""
    lines = (OWN / "alpha.answers.jsonl").read_text().splitlines()
    other = json.loads(lines[0])
    other["answer"] = [{"text": "Something else.", "citations": []}]
    path = folder / "alpha.answers.jsonl"
    path.write_text("\n".join([*lines, json.dumps(other)]) + "\n")
    return path


@pytest.mark.parametrize("which", ["first", "last"])
def test_which_of_two_answers_counts_is_asked_as_on_the_command_line(which: str, tmp_path: Path) -> None:
    """The file doctor asked about repeated documents, and offered the highest score. The other files are opened."""
    path = with_two_answers(tmp_path)
    session = Session()
    session.files.open_files([str(OWN / "nuggets.jsonl"), str(path), str(OWN / "beta.answers.jsonl")])
    assert session.view.collection is not None
    assert [entry.name for entry in session.view.collection.runs] == ["beta"]
    said = [line for message in session.view.messages for line in (message.text, *message.details)]
    assert any("system alpha has two answers to topic" in line for line in said), said
    (choice,) = [
        choice for each in session.files.diagnoses() if each.report.path == str(path) for choice in each.choices
    ]
    assert choice.question == "a topic has two different records: which counts?"
    assert [option.title for option in choice.options] == [
        "refuse the file", "keep the first in the file", "keep the last in the file"
    ]  # fmt: skip
    session.files.treat(str(path), next(each.read_options for each in choice.options if which in each.title))
    run = next(entry.run for entry in session.view.collection.runs if entry.name == "alpha")
    wanted = load(path, kind="run", duplicates=which).value
    assert run.answered is not None and run.answered.answers is not None
    assert run.answered.answers.texts.to_pylist() == wanted.answered.answers.texts.to_pylist()
    kept = f"alpha: 1 topic has different answers; the {which} is kept: "
    assert any(each.startswith(kept) for each in session.view.caveats), session.view.caveats
    assert not [each for each in session.view.caveats if "document" in each and which in each]
    (choice,) = [
        choice for each in session.files.diagnoses() if each.report.path == str(path) for choice in each.choices
    ]
    assert [option.title for option in choice.options if option.chosen] == [f"keep the {which} in the file"]


def test_a_number_in_brackets_of_no_reference_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"qid": "q", "run_id": "a", "answer": "So it is [1][7].", "references": ["d1", "d2"]}\n')
    session = Session()
    session.files.open_files([str(path)])
    view_model = session.answers.view_model()
    assert view_model is not None
    (sentence,) = view_model.topic.systems[0].sentences
    assert [view_model.cited_text(each) for each in sentence.cites] == ["1", "[7]"]


def test_answers_alone_open_at_the_answer() -> None:
    """They opened at lists of their references."""
    session = Session()
    session.files.open_files([str(OWN / "alpha.answers.jsonl"), str(OWN / "beta.answers.jsonl")])
    assert (session.view.place, session.view.tab("query")) == ("query", "answer")
    session = Session()
    session.files.open_files([str(OWN / "context.run")])
    assert (session.view.place, session.view.tab("query")) == ("query", "rankings")


@pytest.mark.parametrize("with_list", [False, True])
@pytest.mark.parametrize("view", ["sentences", "versions", "scores", "checks", "lost"])
def test_views_of_answers_alone_are_those_of_the_command(view: str, with_list: bool) -> None:
    """Nobody judged them, and what needs no judgments is shown; what needs labels asks for these."""
    files = [OWN / "alpha.answers.jsonl", OWN / "beta.answers.jsonl"]
    session = Session()
    session.files.open_files([*map(str, files), *([str(OWN / "context.run")] if with_list else [])])
    session.result_views.choose(f"answer-{view}")
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None
    if view == "lost":
        assert answer.trouble == "This needs assignments of nuggets to answers. Open files of them."
        return
    assert answer.shown is not None, answer.trouble
    wanted = irviewer.answers(view, None, files)
    assert tuple(table.name for table in answer.shown.tables) == tuple(wanted.tables)
    for table, other in zip(answer.shown.tables, wanted.shown.tables, strict=True):
        if not with_list or view in ("sentences", "versions"):
            assert repr(arrow_table(table).to_pylist()) == repr(arrow_table(other).to_pylist())
    line = session.result_views.protocol()
    assert line is not None
    assert line.line().startswith(wanted.protocol.line().partition(" · list")[0])


def test_a_file_of_several_systems_that_changes_between_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first system was of the former file, the others of the one that replaced it."""
    path, other = tmp_path / "both.answers.jsonl", tmp_path / "other"
    text = "".join((OWN / f"{run}.answers.jsonl").read_text() for run in ("alpha", "beta"))
    path.write_text(text)
    other.write_text(text.replace(".", "!"))
    once = load_module.opened_once

    def opened_once(source: str) -> Opened | None:
        other.replace(path)
        return once(source)

    monkeypatch.setattr(load_module, "opened_once", opened_once)
    session = Session()
    session.files.open_files([str(path)])
    assert [message.text for message in session.view.messages] == [
        "both.answers.jsonl: the file changed while it was read"
    ]
    assert session.view.collection is None


def test_systems_have_one_name_at_every_door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that only adds to a system takes no number, in whatever order files are opened; other labels do."""
    labels = (OWN / "alpha.assignments.jsonl").read_text()
    given = {
        "answers": (OWN / "alpha.answers.jsonl").read_text(), "model": labels,
        "person": labels.replace('"support"', '"not_support"'),
        "x/other": labels.replace('"support"', '"partial_support"'),
    }  # fmt: skip
    (tmp_path / "x").mkdir()
    for name, text in given.items():
        (tmp_path / f"{name}.jsonl").write_text(text)
    nuggets = str(OWN / "nuggets.jsonl")
    for order in (["answers", "model", "person", "x/other"], ["model", "person", "x/other", "answers"]):
        files = [str(tmp_path / f"{name}.jsonl") for name in order]
        session = Session()
        for file in (nuggets, *files):
            session.files.open_files([file])
        context = session.view.context
        assert context is not None
        names = [entry.name for entry in context.system_runs]
        assert names == ["alpha", "alpha (2)", "x/alpha"]
        assert list(irviewer.evaluate(nuggets, files, ["V"]).runs) == names
        assert main(["evaluate", nuggets, *files, "-m", "V", "--format", "csv"]) == 0
        assert [line.partition(",")[0] for line in capsys.readouterr().out.splitlines()[1:]] == names
        collection = session.view.collection
        assert collection is not None  # the name stays with the system where its first file is removed
        left = collection.without_run(collection.runs[0].key)
        assert "alpha" in [entry.name for entry in left.runs] or order[0] == "model"


@pytest.mark.parametrize("declared", [(), ("V_strict", "nDCG@10")])
def test_a_list_beside_answers_is_in_no_comparison_of_what_they_say(declared: tuple[str, ...], tmp_path: Path) -> None:
    """It was one of the compared runs: p-values were corrected for comparisons that cannot be made, in Systems of the
    window and of the command alike, and the notes said that it has no query in common with the answers."""
    lists = [tmp_path / f"{name}.run" for name in ("bm25", "dense")]
    for path in lists:
        path.write_text((OWN / "context.run").read_text())
    systems_shown = []
    for family in ("baseline", "pairs"):
        for beside in ([], lists):
            files = [*FILES, *beside]
            session = Session()
            session.files.open_files([str(OWN / "nuggets.jsonl"), *map(str, files)])
            session.protocol.set(measures=declared, family=family)
            session.navigation.set_place("systems")
            session.compute_now()
            systems = session.view_models.systems_view_model()
            assert systems is not None and systems.statistics is not None
            protocol = irviewer.EvaluationProtocol().but(measures=declared or ("V_strict",), family=family)
            shown_systems = irviewer.show("systems", OWN / "nuggets.jsonl", files, protocol=protocol)
            compared = shown_systems.value.comparison or shown_systems.value.pairs
            said = [*compared.warnings, *systems.statistics.warnings, *map(str, shown_systems["systems"].notes)]
            assert not any("in common" in text for text in said)
            systems_shown.append(
                (
                    sorted(p for p in systems.statistics.p.tolist() if p == p),
                    systems.statistics.p_title,
                    compared.names,
                    [(pair.decision.p, pair.decision.p_corrected) for pair in compared.pairs],
                    session.protocol.line,
                    shown_systems.protocol.line(),
                )
            )
        assert str(systems_shown[-1]) == str(systems_shown[-2])
    assert "over 1 comparison" in systems_shown[0][4]
