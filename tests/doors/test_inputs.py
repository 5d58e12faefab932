"""``inputs`` names every file that an answer was computed from: all that a command was given, whichever option gave it,
those in its folders and those that its protocol names."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.cli.commands import COMMANDS
from irviewer.cli.main import main
from irviewer.formats.project_file import project_text
from irviewer.session.session import Session
from tests.helpers.report_page import ReportPage
from tests.metamorphic.worlds import Files, world

ANSWERS = Path(__file__).parents[1] / "data" / "answers"
KIND = ("--query-attributes", "attributes.tsv")
CALLS = {
    "evaluate": ["QRELS", "RUNS", "-m", "AP", "--documents", "documents.tsv"],
    "evaluate by means": ["QRELS", "RUNS", "-m", "AP", "-Z", "zscores"],
    "evaluate stored values": ["QRELS", "values.parquet", "-m", "AP"],
    "evaluate in blocks": ["QRELS", "RUNS", "-m", "AP", "--in-blocks"],
    "evaluate a folder": ["QRELS", "first", "-m", "AP"],
    "compare": ["QRELS", "RUNS", "-m", "AP", "--protocol", "protocol.toml", "--unit", "kind", *KIND],
    "compare stored values": ["QRELS", "values.parquet", "-m", "AP", "--weights", "weights.tsv"],
    "gate": ["QRELS", "RUN", "--baseline", "OTHER", "--non-inferior", "AP > -.5", "--by", "kind", *KIND,
             "--history", "history.jsonl"],
    "show gate": ["QRELS", "RUNS", "--run", "delta", "--non-inferior", "AP>-.5", "--history", "history.jsonl"],
    "show slices": ["QRELS", "RUNS", "--by", "kind", *KIND, "--texts", "queries.tsv", "--documents", "documents.tsv",
                    "--run-attributes", "costs.tsv", "--query-set", "sets.tsv", "--set", "SET"],
    "agreement": ["JUDGES", "--task", "task.json", "--samples", "50", "--runs", "RUNS"],
    "agreement in cells": ["JUDGES", "--confusion", "modela", "--runs", "RUNS"],
    "agreement by query": ["JUDGES", "--by-query", "--query-set", "sets.tsv", "--set", "SET"],
    "agreement corrected": ["QRELS", "JUDGE", "--correct", "modela", "--runs", "RUNS", "--task", "task.json"],
    "collections": ["first", "second", "-m", "AP", "--systems", "systems.tsv"],
    "slices": ["QRELS", "RUN", "OTHER", "-m", "AP", "--by", "difficulty", "--other-runs", "MORE"],
    "slices by kind": ["QRELS", "RUNS", "-m", "AP", "--by", "kind", *KIND],
    "failures": ["QRELS", "RUNS", "--documents", "documents.tsv", "--tags", "tags.irviewer"],
    "stages": ["QRELS", "RUN", "OTHER", "--unit", "kind", *KIND],
    "paper": ["QRELS", "RUNS", "-m", "AP", "--unit", "kind", *KIND],
    "plan": ["QRELS", "RUNS", "--size", ".1"],
    "judge": ["QRELS", "RUNS", "--judge", "JUDGE", "-m", "AP", "--samples", "50"],
    "verdict": ["QRELS", "RUNS", "--judge", "JUDGE", *KIND, "--texts", "queries.tsv"],
    "query-sets": ["QRELS", "RUNS", "--query-set", "sets.tsv", "--weights", "weights.tsv"],
    "stability": ["QRELS", "RUNS", "--weights", "weights.tsv"],
    "medians": ["QRELS", "RUNS"], "measure-agreement": ["QRELS", "RUNS"], "reuse": ["QRELS", "RUNS"],
    "similarity": ["RUNS", "--query-set", "sets.tsv", "--set", "SET"],
    "curves": ["QRELS", "RUNS"], "pool": ["QRELS", "RUNS", "-m", "AP"], "dialects": ["QRELS", "RUNS", "-m", "AP"],
    "zscores": ["QRELS", "RUNS", "-m", "AP"], "fusion-sweep": ["QRELS", "RUN", "OTHER", "-m", "AP"],
    "explain": ["QRELS", "RUN", "-m", "AP", "--against", "OTHER"],
    "explain a query": ["QRELS", "RUN", "-m", "AP", "-q", "QUERY", "-Z", "zscores"],
    "reproduction": ["QRELS", "RUNS", "--original", "alpha", "--own", "delta"],
    "answers lost": ["ANSWERS", "--judgments", "qrels.txt", "--segments", "segments.jsonl", "--context", "context.run"],
}  # fmt: skip
"""The command, its view, and words about what is special -> its arguments; names of files are those in a folder."""
NO_INPUTS = {
    "output": "written", "save_values": "written", "markdown": "written", "junit": "written", "json": "written",
    "gitlab": "written", "conditions": "its conditions are in the output, as the fields of a protocol are",
    "group_in": "a folder for temporary files", "protocol_file": "its fields are in the output",
    "registered": "of report and paper, which say what differs", "register": "written", "opened": "of the registration",
    "strata": "only of a task that is drawn", "figure": "written", "labels_to": "written",
}  # fmt: skip
"""Options that name a file whose name is not among the inputs, with the reasons."""
OF_EVERY = frozenset(
    {
        "--query-set",
        "--weights",
        "--documents",
        "--texts",
        "--query-attributes",
        "--run-attributes",
        "--zscores",
    }
)
"""Options that several commands share and that one call or more tries."""
NO_JSON = frozenset(
    {"report", "check", "convert", "protocol", "lesson", "sample", "fuse", "completion", "cache", "help"}
)
"""Commands without tables in JSON."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A world with all kinds of files that commands read."""
    of = world(seed=1)
    written = of.write(tmp_path_factory.mktemp("inputs"))
    folder, qrels = written.folder, written.qrels("human")
    for name in ("first", "second"):
        (folder / name).mkdir()
        for path in (qrels, *written.every_run):
            shutil.copy(path, folder / name)
    for path in ANSWERS.iterdir():
        shutil.copy(path, folder)
    (folder / "systems.tsv").write_text("ours\tfirst\talpha\nours\tsecond\talpha\n")
    (folder / "protocol.toml").write_text(
        f'schema = 1\n[scope]\nqueries = {{ file = "sets.tsv", name = "{next(iter(of.sets))}" }}\n'
        'weights = { file = "weights.tsv" }\n'
    )
    runs = [{"key": key, "name": name, "file": f"{name}.run"} for key, name in enumerate(written.runs)]
    tags = {"tags": [["1", "odd"]], "examined": [[1, of.queries[1], ["odd"], None, "Ann"]]}
    sections = {"collections": [{"id": "c", "name": "c", "runs": runs, "failure_tags": tags}]}
    (folder / "tags.irviewer").write_text(project_text(sections))
    for words in (
        ["evaluate", "QRELS", "RUNS", "-m", "AP", "--save-values", f"{folder}/values.parquet"],
        ["zscores", "QRELS", "RUNS", "-m", "AP", "-o", f"{folder}/zscores"],
        ["agreement", "QRELS", "--draw", "4", "-o", f"{folder}/task.json"],
        ["gate", "QRELS", "RUN", "--baseline", "OTHER", "--non-inferior", "AP > -.5", "--history",
         f"{folder}/history.jsonl"],
    ):  # fmt: skip
        assert main(words_of(written, words)) in (0, 1, 2)
    return written


def words_of(files: Files, words: list[str]) -> list[str]:
    """The words of a call with the paths of its files."""
    runs = files.every_run
    answers = [
        str(files.folder / name) for name in ("nuggets.jsonl", *(
            f"{run}.{part}.jsonl" for run in ("alpha", "beta") for part in ("answers", "assignments", "support")
        ))
    ]  # fmt: skip
    known = {
        "QRELS": [files.qrels("human")], "RUNS": runs, "RUN": runs[:1], "OTHER": runs[1:2], "MORE": runs[2:],
        "JUDGE": [files.qrels("modela")], "JUDGES": files.every_judge, "SET": [next(iter(files.world.sets))],
        "QUERY": [files.world.queries[5]], "ANSWERS": answers,
    }  # fmt: skip
    every = []
    for word in words:
        path = files.folder / word
        every += known.get(word, [str(path) if path.exists() else word])
    return every


def named(words: list[str]) -> set[str]:
    """The files among words, those of folders and those that a protocol names."""
    every: set[str] = set()
    for path in map(Path, words):
        if path.is_dir():
            every |= {each.name for each in path.iterdir()}
        elif path.name == "protocol.toml":
            every |= {"sets.tsv", "weights.tsv"}
        elif path.is_file():
            every.add(path.name)
    return every


@pytest.mark.parametrize("title", CALLS)
def test_every_file_that_a_command_was_given_is_named(
    files: Files, title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = title.split()[0] if title.split()[0] not in ("show", "answers") else title
    words = words_of(files, CALLS[title])
    assert main([*command.split(), *words, "--format", "json"]) in (0, 1, 2)
    inputs = json.loads(capsys.readouterr().out)["inputs"]
    assert {each["name"] for each in inputs} == named(words)
    assert all(each["sha256"] for each in inputs)


def test_every_option_that_names_a_file_is_tried() -> None:
    """A new one comes with a call, or with a reason."""
    tried = {(title.split()[0], word) for title, words in CALLS.items() for word in words}
    lacking = []
    for command in COMMANDS:
        for action in command.parser()._actions:
            file = action.metavar in ("FILE", "PROJECT") or action.dest == "context"
            if not file or command.name in NO_JSON or action.dest in NO_INPUTS or not action.option_strings:
                continue
            if not any((command.name, flag) in tried for flag in action.option_strings):
                lacking.append((command.name, action.option_strings[-1]))
    assert [each for each in lacking if each[1] not in OF_EVERY] == []


def test_the_files_of_runs_that_take_no_part_are_named_from_python_too(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A protocol that names two of the runs: a command names the file of the others, and so does the function."""
    qrels, runs, judge = files.qrels("human"), files.every_run, files.qrels("modela")
    two = [irviewer.read_run(run).name for run in runs[:2]]
    asked = irviewer.EvaluationProtocol().but(samples=100, interval="t", runs=two)
    results: dict[str, Any] = {
        "evaluate": irviewer.evaluate(qrels, runs, ["AP"], protocol=asked),
        "compare": irviewer.compare(qrels, runs, ["AP"], protocol=asked),
        "paper": irviewer.paper_table(qrels, runs, ["AP"], protocol=asked),
        "stages": irviewer.stages(qrels, runs, "AP", protocol=asked),
        "similarity": irviewer.similarity(runs, protocol=asked),
        "pool": irviewer.pool_effects(qrels, runs, ["AP"], protocol=asked),
        "failures": irviewer.failures(qrels, runs, "AP", protocol=asked),
        "worklist": irviewer.worklist(qrels, runs, "AP", protocol=asked),
        "dialects": irviewer.dialects(qrels, runs, ["AP"], protocol=asked),
        "fusion-sweep": irviewer.sweep_fusion(qrels, runs, "AP", protocol=asked),
        "curves": irviewer.curves(qrels, runs, protocol=asked),
        "agreement": irviewer.agreement([qrels, judge], runs, "AP", protocol=asked),
        "corrected": irviewer.corrected_scores(qrels, judge, runs, "AP", protocol=asked),
    }
    given = named(runs)
    assert len(given) > 2
    for name, result in results.items():
        assert {file.name for file in result.protocol.files if file.role == "run"} == given, name
    page = irviewer.report(qrels, runs, ["AP"], protocol=asked).html
    assert all(name in page for name in given)
    (tmp_path / "two.toml").write_text(f"schema = 1\n[scope]\nruns = {json.dumps(list(asked.scope.runs))}\n")
    assert main(["evaluate", qrels, *runs, "--protocol", str(tmp_path / "two.toml"), "--format", "json"]) == 0
    assert {each["name"] for each in json.loads(capsys.readouterr().out)["inputs"] if each["role"] == "run"} == given


def test_a_report_names_every_file_in_its_inputs(files: Files, tmp_path: Path) -> None:
    """From Python, without the list of files that the command gives."""
    words = words_of(files, ["QRELS", "RUNS", "JUDGE", *KIND[1:], "queries.tsv", "documents.tsv", "protocol.toml"])
    qrels, judge = files.qrels("human"), files.qrels("modela")
    result = irviewer.report(
        qrels, files.every_run, ["AP"], protocol=files.other("protocol.toml"), judges=[judge],
        query_attributes=files.other("attributes.tsv"), texts=files.other("queries.tsv"),
        documents=files.other("documents.tsv"), run_attributes=files.other("costs.tsv"),
    )  # fmt: skip
    page = ReportPage(result.html)
    section, table = next(
        (section, title)
        for section, each in page.sections.items()
        for title, rows in each.items()
        if ("SHA-256", "SHA-256") in rows[0]
    )
    shown = {Path(row["file"][0]).name for row in page.rows(section, table)}
    assert shown == named([*words, files.other("costs.tsv")])


def test_files_opened_by_hand_in_the_window_are_named(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A query set, weights and Z-scores, as those that the command line was given; a project keeps their names."""
    own, chosen = words_of(files, ["QRELS", "RUNS"]), next(iter(files.world.sets))
    further = ["--query-set", files.other("sets.tsv"), "--set", chosen, "--weights", files.other("weights.tsv")]
    assert main(["compare", *own, "-m", "AP", *further, "--format", "json"]) in (0, 2)
    expected = {tuple(each.items()) for each in json.loads(capsys.readouterr().out)["inputs"]}
    assert {dict(each)["role"] for each in expected} == {"qrels", "run", "query_set", "weights"}
    session = Session()
    try:
        session.files.open_files([*own, files.other("zscores")])
        session.evaluation.set_measure("AP")
        session.query_sets.open_query_sets(files.other("sets.tsv"))
        session.query_sets.open_query_weights(files.other("weights.tsv"))
        session.query_sets.set_query_set(chosen)
        for place in ("opened", "saved"):
            session.comparison.save_comparison(str(tmp_path / f"{place}.json"))
            inputs = json.loads((tmp_path / f"{place}.json").read_text())["inputs"]
            assert {tuple(each.items()) for each in inputs} == expected, place
            session.autosave.save_project(str(tmp_path / "p.irviewer"))
            session.projects.open_project(str(tmp_path / "p.irviewer"))
        session.zscores.set_zscores(True)
        assert session.view.protocol is not None
        named_now = {(file.role, file.name) for file in session.view.protocol.files}
        assert named_now >= {("zscores", "zscores"), ("query_set", "sets.tsv"), ("weights", "weights.tsv")}
        session.query_sets.set_query_set("")
        assert {file.role for file in session.view.protocol.files} == {"qrels", "run", "weights", "zscores"}
    finally:
        session.close()


def test_a_result_of_partitions_names_the_files_of_its_parts(files: Files) -> None:
    qrels, run = files.qrels("human"), files.every_run[0]
    part = irviewer.evaluate_partition(run, qrels, ["AP"])
    merged = irviewer.merge_partitions([part], qrels, ["AP"])
    assert {file.name for file in merged.protocol.files} == {Path(qrels).name, Path(run).name}
    values = irviewer.evaluate_partition(irviewer.read_run(run).of_queries(files.world.queries[:2]), qrels, ["AP"])
    assert irviewer.merge_partitions([values], qrels, ["AP"]).protocol is not None


def test_one_table_of_collections_names_their_files(files: Files, tmp_path: Path) -> None:
    folders = [str(files.folder / name) for name in ("first", "second")]
    collected = irviewer.evaluate_collections(folders, "AP", systems=files.other("systems.tsv"))
    collected.table.save(tmp_path / "table.json")
    inputs = json.loads((tmp_path / "table.json").read_text())["inputs"]
    assert {each["name"] for each in inputs} == named([*folders, files.other("systems.tsv")])
    assert len(inputs) == 2 * (1 + len(files.runs)) + 1


def test_columns_are_named_at_every_door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those beside the data, which are used without being asked for, and those of --columns."""
    qrels, run = tmp_path / "qrels.txt", tmp_path / "r.jsonl"
    qrels.write_text("q1 0 a 1\nq1 0 b 0\n", encoding="utf-8")
    run.write_text('{"q": "q1", "hits": [{"id": "a", "s": 1}, {"id": "b", "s": 2}]}\n', encoding="utf-8")
    beside, other = tmp_path / "r.jsonl.columns.toml", tmp_path / "other.toml"
    beside.write_text('query = "q"\ndocument = "hits[].id"\n', encoding="utf-8")
    other.write_text('query = "q"\ndocument = "hits[].id"\nscore = "hits[].s"\n', encoding="utf-8")

    def inputs(text: str) -> dict[str, str]:
        each = {entry["name"]: entry["sha256"] for entry in json.loads(text)["inputs"] if entry["role"] == "columns"}
        assert all(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == each[name] for name in each)
        return each

    words = ["evaluate", str(qrels), str(run), "-m", "RR", "--format", "json"]
    for further, name, value in (([], beside.name, 1.0), (["--columns", str(other)], other.name, 0.5)):
        assert main([*words, *further]) == 0
        text = capsys.readouterr().out
        assert list(inputs(text)) == [name]
        assert f'"RR": {value}' in text
    result = irviewer.evaluate(qrels, run, ["RR"])
    assert result.protocol is not None
    assert [file.name for file in result.protocol.files if file.role == "columns"] == [beside.name]
    session = Session()
    try:
        session.files.open_files([str(qrels), str(run)])
        session.evaluation.set_measure("RR")
        assert session.view.protocol is not None
        assert [file.name for file in session.view.protocol.files if file.role == "columns"] == [beside.name]
    finally:
        session.close()
