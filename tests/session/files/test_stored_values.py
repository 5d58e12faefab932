"""Stored values in a session: the numbers of the runs, without lists; refused where the protocol is another one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

import irviewer
from irviewer.commands.actions.protocol import ROWS
from irviewer.errors import IrviewerError
from irviewer.formats.stored_values import KEY
from irviewer.model.rankings.fusion import fuse
from irviewer.session.session import Session
from tests.metamorphic.sessions import providers

QUERIES = [str(number) for number in range(1, 31)]
QRELS = {query: {f"d{n}": float((n * int(query)) % 4 - 1) for n in range(6)} for query in QUERIES}
RUNS = {
    name: {query: {f"d{n}": float((n * int(query) * (number + 3)) % 7) for n in range(8)} for query in QUERIES}
    for number, name in enumerate(("alpha", "beta", "delta"))
}
MEASURES = ["nDCG@10", "AP", "RR", "P@5", "NumRelRet"]

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.IrviewerWarning")


def write_qrels(path: Path, qrels: dict[str, dict[str, float]] = QRELS) -> str:
    rows = [
        f"{query} 0 {document} {grade:.0f}\n" for query, judged in qrels.items() for document, grade in judged.items()
    ]
    path.write_text("".join(rows), "ascii")
    return str(path)


def write_run(path: Path, run: dict[str, dict[str, float]]) -> str:
    rows = [f"{query} Q0 {doc} 0 {score} {path.stem}\n" for query, list_ in run.items() for doc, score in list_.items()]
    path.write_text("".join(rows), "ascii")
    return str(path)


def write_values(path: Path, runs: dict[str, Any] = RUNS, measures: list[str] | None = None, **fields: Any) -> str:
    irviewer.save_values(irviewer.evaluate(QRELS, runs, measures or MEASURES, **fields), QRELS, path)
    return str(path)


@pytest.fixture
def values(tmp_path: Path) -> str:
    return write_values(tmp_path / "values.parquet")


def opened(*paths: str) -> Session:
    session = Session()
    session.files.open_files(list(paths))
    return session


def texts(session: Session) -> list[str]:
    return [message.text for message in session.view.messages]


def of_lists(folder: Path) -> Session:
    return opened(
        write_qrels(folder / "qrels.txt"), *(write_run(folder / f"{name}.run", run) for name, run in RUNS.items())
    )


def assert_same_values(session: Session, whole: Session, measures: list[str]) -> None:
    """Values, means, what counts, and the tests of two sessions, by the runs' names."""
    for measure in measures:
        for each in (session, whole):
            assert each.evaluation.set_measure(measure)
            each.compute_now()
        mine, theirs = session.view.context, whole.view.context
        assert mine is not None
        assert theirs is not None
        assert mine.query_ids == theirs.query_ids
        keys = {entry.name: entry for entry in theirs.collection.runs}
        for entry in mine.collection.runs:
            other = keys[entry.name]
            np.testing.assert_array_equal(mine.values(entry, mine.measure), theirs.values(other, theirs.measure))
            np.testing.assert_equal(mine.mean(entry, mine.measure), theirs.mean(other, theirs.measure))
            np.testing.assert_array_equal(mine.counted(entry, mine.measure), theirs.counted(other, theirs.measure))
        tests = [each.comparison.known_comparison("pairs") for each in (session, whole)]
        rows = [
            [(pair.run, pair.baseline, pair.mean, pair.n, pair.decision.p) for pair in known.comparison.pairs]
            for known in tests
            if known is not None
        ]
        assert len(rows) == (0 if measure == "NumRelRet" else 2), "sums are not tested"
        if rows:
            assert rows[0]
            np.testing.assert_equal(*rows)


def test_files_of_the_same_queries_hold_ids_and_values_once(tmp_path: Path) -> None:
    names = list(RUNS)
    paths = [write_values(tmp_path / f"{name}.parquet", {name: RUNS[name]}) for name in names]
    session = opened(*paths)
    context = session.view.context
    assert context is not None
    first = context.collection.runs[0].run.query_ids
    assert first == context.query_ids == tuple(sorted(QUERIES))
    for entry in context.collection.runs:
        stored = entry.run.stored
        assert stored is not None
        assert entry.run.query_ids is stored.query_ids is context.query_ids is first
        assert context.values(entry, context.measure) is stored.values[str(context.measure)]
    session.close()


@pytest.mark.parametrize("with_qrels", [False, True])
@pytest.mark.parametrize("order", [1, -1])
def test_the_numbers_are_those_of_the_runs(tmp_path: Path, values: str, with_qrels: bool, order: int) -> None:
    paths = [values, write_qrels(tmp_path / "qrels.txt")] if with_qrels else [values]
    session = opened(*paths[::order])
    for each in (session, whole := of_lists(tmp_path)):
        each.navigation.set_place("systems")
        each.runs.set_baseline(0)
    assert_same_values(session, whole, MEASURES)
    collection = session.view.collection
    assert collection is not None
    assert [entry.name for entry in collection.runs] == list(RUNS)
    assert session.view.context is not None
    assert session.view.context.refusals == {}
    assert ("judgments" in session.view.summary) == with_qrels
    means = irviewer.evaluate(QRELS, RUNS, ["AP"])["AP"]
    session.evaluation.set_measure("AP")
    assert [session.view.context.mean(entry, session.view.measure) for entry in collection.runs] == means.tolist()


@pytest.mark.parametrize(
    "fields", [{"missing": "intersection"}, {"level": 2}, {"judged_only": True}, {"dialect": "ranx"}]
)
def test_other_rules_are_refused_by_name_and_theirs_can_be_declared(tmp_path: Path, fields: dict[str, Any]) -> None:
    lacking = {name: dict(list(run.items())[3:]) for name, run in RUNS.items()}
    session = opened(write_values(tmp_path / "values.parquet", lacking, ["nDCG@10", "AP"], **fields))
    context, (name, value) = session.view.context, next(iter(fields.items()))
    assert context is not None
    (message,) = [each for each in session.view.messages if each.topic == "stored values"]
    assert f"computed with {name} {float(value) if name == 'level' else value}" in message.text
    assert any(f"with {name}" in caveat for caveat in session.view.caveats)
    entry = context.collection.runs[0]
    assert np.isnan(context.values(entry, context.measure)).all()
    (command,) = [each for each in ROWS if each.id == message.action]
    assert command.enabled is not None
    assert command.enabled(session)
    assert command.run is not None
    command.run(session)
    assert not command.enabled(session)
    assert session.state.protocol[name] == value
    assert not [each for each in session.view.messages if each.topic == "stored values"]
    whole = opened(
        write_qrels(tmp_path / "qrels.txt"), *(write_run(tmp_path / f"{n}.run", run) for n, run in lacking.items())
    )
    whole.protocol.set(**fields)
    for each in (session, whole):
        each.navigation.set_place("systems")
    if name != "missing":
        assert_same_values(session, whole, ["nDCG@10", "AP"])
    assert session.history.undo()
    assert [each for each in session.view.messages if each.topic == "stored values"]


def test_each_view_that_needs_lists_says_so(values: str) -> None:
    session = opened(values)
    said = {}
    session.explaining.explain()
    session.matrices.set_matrix("rbo")
    every = {
        "query": ("rankings", "stages"), "queries": ("failures", "relevant", "hubs", "recall", "worklist"),
        "compare": ("pool", "matrices"), "systems": ("",),
    }  # fmt: skip
    for place, tabs in every.items():
        for tab in tabs:
            if tab:
                session.navigation.set_tab(place, tab)
            session.navigation.set_place(place)  # type: ignore[arg-type]
            session.compute_now()
            for name, make in providers(session).items():
                said[name] = getattr(make(), "explanation", "")
    expected = "alpha, beta, delta are stored values. Open the runs to see their lists."
    for name in ("view_models.query_view_model", "failures.failures_view_model", "failures.hubs_view_model",
                 "failures.relevant_view_model", "failures.recall_view_model", "failures.worklist_view_model",
                 "pooling.pool_view_model", "matrices.matrix_view_model", "stages.stages_view_model"):  # fmt: skip
        assert said[name] == expected, name
    for name in ("view_models.systems_view_model", "view_models.queries_view_model", "comparison.pair_view_model"):
        assert said[name] == "", name
    ledger = session.explaining.ledger_view_model()
    assert ledger is not None
    assert "stored values" in " ".join(map(str, vars(ledger).values()))


def test_what_would_make_lists_of_them_is_refused(tmp_path: Path, values: str) -> None:
    session = opened(values)
    assert session.run_editing.edit_copy(0) is None
    session.run_editing.save_run(0, str(tmp_path / "a.run"))
    session.stages.set_stage(0, 0)
    assert texts(session).count("alpha is stored values. Open the run to see its lists.") == 1
    assert not (tmp_path / "a.run").exists()
    assert session.view.collection is not None
    with pytest.raises(IrviewerError, match="needs its documents"):
        fuse([entry.run for entry in session.view.collection.runs])
    with pytest.raises(IrviewerError, match="Open the qrels file first"):
        session.judging.judge("d1", 1.0)


def test_values_and_runs_together(tmp_path: Path, values: str) -> None:
    run = write_run(tmp_path / "gamma.run", RUNS["beta"])
    session = opened(values, write_qrels(tmp_path / "qrels.txt"), run)
    context = session.view.context
    assert context is not None
    by_name = {entry.name: entry for entry in context.collection.runs}
    assert list(by_name) == [*RUNS, "gamma"]
    np.testing.assert_array_equal(
        context.values(by_name["beta"], context.measure), context.values(by_name["gamma"], context.measure)
    )
    assert context.with_lists.system_runs == (by_name["gamma"],)
    query = session.view_models.query_view_model()
    assert query is not None
    assert [len(column.doc_ids) for column in query.columns] == [0, 0, 0, 8]
    assert [column.stored for column in query.columns] == [True, True, True, False]


def test_a_run_beside_values_has_no_values_until_the_qrels_are_open(tmp_path: Path, values: str) -> None:
    session = opened(values, write_run(tmp_path / "gamma.run", RUNS["beta"]))
    context = session.view.context
    assert context is not None
    gamma = context.collection.runs[-1]
    assert gamma.name == "gamma"
    assert np.isnan(context.values(gamma, context.measure)).all()
    session.files.open_files([write_qrels(tmp_path / "qrels.txt")])
    assert len(session.state.workspace.collections) == 1
    context = session.view.context
    assert context is not None
    assert not np.isnan(context.values(context.collection.runs[-1], context.measure)).any()
    assert context.judgments is not None
    assert len(context.judgments.qrels) == 180


def test_files_with_other_queries_are_one_collection(tmp_path: Path) -> None:
    halves = [QUERIES[:20], QUERIES[10:]]
    paths = [
        write_values(tmp_path / f"{name}.parquet", {name: {q: RUNS[name][q] for q in half}}, missing="intersection")
        for name, half in zip(("alpha", "beta"), halves, strict=True)
    ]
    session = opened(*paths)
    session.stored_values.use_rules()
    context = session.view.context
    assert context is not None
    assert len(session.state.workspace.collections) == 1
    assert sorted(context.query_ids) == sorted(QUERIES)
    for entry, half in zip(context.collection.runs, halves, strict=True):
        counted = context.counted(entry, context.measure)
        assert counted is not None
        assert [q for q, kept in zip(context.query_ids, counted, strict=True) if kept] == sorted(half)


def test_values_of_other_judgments_are_a_collection_of_their_own(tmp_path: Path, values: str) -> None:
    other = {**QRELS, "1": {"d1": 1.0}}
    session = opened(write_qrels(tmp_path / "qrels.txt", other), write_run(tmp_path / "g.run", RUNS["beta"]), values)
    assert [len(each.runs) for each in session.state.workspace.collections] == [1, 3]
    assert any(
        "values.parquet: the values of alpha were computed with other judgments" in text for text in texts(session)
    )
    session.files.set_collection(1)
    assert session.view.context is not None
    assert session.view.context.refusals == {}


def test_a_judgment_that_changes_refuses_them(tmp_path: Path, values: str) -> None:
    session = opened(values, write_qrels(tmp_path / "qrels.txt"))
    assert session.judging.judge("d1", 2.0, query_id="1")
    assert session.view.context is not None
    assert len(session.view.context.refusals) == 3
    (message,) = [each for each in session.view.messages if each.topic == "stored values"]
    assert "computed with other judgments" in message.text
    assert message.action == ""
    assert session.history.undo()
    assert session.view.context.refusals == {}


def test_the_measure_in_view_is_one_of_theirs(tmp_path: Path) -> None:
    session = opened(write_values(tmp_path / "v.parquet", measures=["Bpref", "P@7"]))
    assert str(session.view.measure) == "Bpref"
    view_model = session.comparison.systems_view_model()
    assert view_model is not None
    assert [column.measure for column in view_model.columns] == ["Bpref", "P@7"]
    session.evaluation.set_measure("AP")
    view_model = session.comparison.systems_view_model()
    assert view_model is not None
    assert np.isnan(view_model.means[:, -1]).all()


def test_a_project_keeps_them(tmp_path: Path, values: str) -> None:
    session = opened(values)
    session.runs.rename_run(1, "middle")
    session.evaluation.set_measure("AP")
    session.autosave.save_project(str(tmp_path / "p.irviewer"))
    means = [session.view.context.mean(e, session.view.measure) for e in session.view.collection.runs]  # type: ignore[union-attr]
    session.close()
    again = opened(str(tmp_path / "p.irviewer"))
    assert again.view.collection is not None
    assert [entry.name for entry in again.view.collection.runs] == ["alpha", "middle", "delta"]
    assert again.view.context is not None
    assert [again.view.context.mean(e, again.view.measure) for e in again.view.collection.runs] == means
    rows = json.loads((tmp_path / "p.irviewer").read_text())["collections"][0]
    assert [row["stored"] for row in rows["runs"]] == list(RUNS)
    assert "judgments" not in rows


def test_a_file_that_changes_while_it_is_open(tmp_path: Path, values: str) -> None:
    session = opened(values)
    context = session.view.context
    assert context is not None
    before = context.values(context.collection.runs[0], context.measure)
    whole = Path(values).read_bytes()
    Path(values).write_bytes(whole[: len(whole) // 2])
    session.files.reload()
    assert any(text.startswith("values.parquet") for text in texts(session))
    assert session.view.context is not None
    np.testing.assert_array_equal(
        session.view.context.values(session.view.context.collection.runs[0], context.measure), before
    )
    write_values(Path(values), dict.fromkeys(RUNS, RUNS["delta"]))
    session.files.reload()
    context = session.view.context
    assert context is not None
    assert [entry.name for entry in context.collection.runs] == list(RUNS)
    np.testing.assert_array_equal(*(context.values(context.collection.runs[n], context.measure) for n in (0, 2)))


@pytest.mark.parametrize(
    ("damage", "said"),
    [({"schema": 2}, "written by a newer version"), ({"rules": 3}, "damaged"), ({"runs": ["alpha"]}, "damaged")],
)
def test_bad_files_are_named(values: str, damage: dict[str, Any], said: str) -> None:
    table = parquet.read_table(values)
    about = json.loads(table.schema.metadata[KEY])
    parquet.write_table(table.replace_schema_metadata({KEY: json.dumps({**about, **damage})}), values)
    session = opened(values)
    assert not session.state.workspace.collections
    assert any(text.startswith("values.parquet: ") and said in text for text in texts(session))


def test_queries_that_the_qrels_lack_are_damage(tmp_path: Path, values: str) -> None:
    table = parquet.read_table(values)
    column = [f"x{query}" for query in table["query"].to_pylist()]
    parquet.write_table(table.set_column(1, "query", [column]), values)
    session = opened(write_qrels(tmp_path / "qrels.txt"), values)
    context = session.view.context
    assert context is not None
    assert np.isnan(context.values(context.collection.runs[0], context.measure)).all()
