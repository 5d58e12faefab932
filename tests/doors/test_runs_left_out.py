"""The runs that a protocol leaves out: no value of a view depends on them, at any door."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.errors import OptionError
from irviewer.model.protocol import EvaluationProtocol
from irviewer.session.protocol.files import with_files
from irviewer.session.session import Session
from irviewer.tables.exact import plain_columns
from irviewer.views import manifest
from irviewer.views.result import ViewResult

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.errors.IrviewerWarning")

RUNS = ("alpha", "bm25", "gamma", "delta", "gamma2", "delta2", "a2", "b2")
LEFT_OUT = "outsider"
NAMES = tuple(name for name in manifest.BY_NAME if not name.startswith("answer-"))
PARAMETERS: dict[str, dict[str, Any]] = {
    "fusion-sweep": {"step": 1.0, "folds": 2, "repeats": 1},
    "gate": {"run": "gamma", "non_inferior": ("AP > -0.5",), "fail_if": ("P@5 worse",)},
    "reproduction": {"original": "alpha", "own": "gamma", "original_baseline": "bm25", "own_baseline": "delta"},
    "replicates": {"pattern": "(.).*"},
    "trade-offs": {"cost": "ms"},
    "slices": {"by": ("relevant",)},
    "query": {"query": "q2"},
}
"""Parameters without which a view computes nothing, or with which it is quick."""


def write(folder: Path, outsider: str) -> list[str]:
    """Qrels, six runs and the one left out: "" for none, "bad", or "best", which also is among the first and finds what
    no other run finds."""
    dice = random.Random(11)
    folder.mkdir()
    queries, documents = [f"q{number}" for number in range(9)], [f"d{number}" for number in range(20)]
    grades = {(query, document): dice.choice([0, 0, 1, 2]) for query in queries for document in documents}
    paths = [folder / "qrels.txt"]
    paths[0].write_text("".join(f"{query} 0 {document} {grade}\n" for (query, document), grade in grades.items()))
    judge = folder / "judge.txt"
    judge.write_text(
        "".join(
            f"{query} 0 {document} {min(grade, 1)}\n" for (query, document), grade in grades.items() if document != "d3"
        )
    )
    for name in RUNS:
        paths.append(folder / f"{name}.run")
        with paths[-1].open("w") as file:
            for query in queries:
                for rank, document in enumerate(dice.sample([*documents[2:], "u1", "u2", "u3"], 10), start=1):
                    file.write(f"{query} Q0 {document} {rank} {50 - rank} {name}\n")
    if outsider:
        paths.insert(2, folder / f"{LEFT_OUT}.run")
        with paths[2].open("w") as file:
            for query in queries:
                best = sorted(documents, key=lambda document: -grades[query, document])
                listed = best if outsider == "best" else ["u8", "u9", *reversed(best[-4:])]
                for rank, document in enumerate(listed, start=1):
                    file.write(f"{query} Q0 {document} {rank} {50 - rank} x\n")
    costs = folder / "costs.csv"
    costs.write_text("run,ms\n" + "".join(f"{name},{len(name)}\n" for name in RUNS))
    return [str(path) for path in (*paths, costs, judge)]


PROTOCOL = EvaluationProtocol().but(measures=["AP", "nDCG@10"], samples=200, runs=RUNS)


def exact(result: ViewResult) -> dict[str, Any]:
    """The values of all tables, and what is said beside them."""
    tables = {
        table.name: {key: values.to_pylist() for key, values in plain_columns(table).items()} for table in result.tables
    }
    said = [remark.text for remark in (*result.sentences, *(note for table in result.tables for note in table.notes))]
    return {**tables, "said": said}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    folder = tmp_path_factory.mktemp("left_out")
    return {outsider: write(folder / (outsider or "none"), outsider) for outsider in ("", "bad", "best")}


def in_python(name: str, paths: list[str]) -> dict[str, Any]:
    qrels, *runs, costs, judge = paths
    try:
        shown = irviewer.show(
            name,
            qrels,
            runs,
            protocol=PROTOCOL,
            run_attributes=costs,
            judges=[judge] if name == "judge" else [],
            **PARAMETERS.get(name, {}),
        ).shown
    except OptionError as error:
        return {"refused": str(error)}
    return exact(shown)


def in_window(name: str, paths: list[str]) -> dict[str, Any]:
    session = Session()
    try:
        session.files.open_files(paths if name == "judge" else paths[:-1])
        session.protocol.declare(with_files(PROTOCOL), "p.toml")
        session.evaluation.set_measure("AP")
        session.result_views.choose(name)
        for parameter, value in PARAMETERS.get(name, {}).items():
            session.result_views.set_parameter(parameter, value)
        session.compute_now()
        answer = session.result_views.answer()
        assert answer is not None
        return {"refused": answer.trouble} if answer.shown is None else exact(answer.shown)
    finally:
        session.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("door", [in_python, in_window])
def test_no_value_depends_on_a_run_left_out(name: str, door: Any, data: dict[str, list[str]]) -> None:
    alone, bad, best = (door(name, data[outsider]) for outsider in ("", "bad", "best"))
    assert "refused" not in alone, alone
    assert bad == alone
    assert best == alone


OF_ONE_SYSTEM = (
    "answer-scores",
    "answer-nuggets",
    "answer-lost",
    "answer-sentences",
    "answer-checks",
    "answer-worklist",
)
"""Views of answers that one system is enough for."""


@pytest.mark.parametrize("name", OF_ONE_SYSTEM)
def test_no_value_of_answers_depends_on_a_system_left_out(name: str) -> None:
    folder = Path(__file__).parents[1] / "data" / "answers"
    parts = ("answers", "assignments", "support")
    of = {run: [str(folder / f"{run}.{part}.jsonl") for part in parts] for run in ("alpha", "beta")}
    named = EvaluationProtocol().but(runs=["alpha"])
    alone, beside = (
        exact(irviewer.show(name, str(folder / "nuggets.jsonl"), files, protocol=named).shown)
        for files in (of["alpha"], of["beta"] + of["alpha"])
    )
    assert beside == alone
