"""The session under another tool's rules: the numbers of evaluate, lists ranked as numbers are, and words for it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from irviewer.api.evaluation import evaluate
from irviewer.commands import run_command
from irviewer.errors import OptionError
from irviewer.model.dialects import DIALECTS
from irviewer.session.session import Session

QRELS = "1 0 b 2\n1 0 z -1\n2 0 a 1\n3 0 a 0\n"
RUN = "1 Q0 b 1 1.0 t\n1 Q0 c 2 1.0 t\n1 Q0 z 3 0.5 t\n3 Q0 a 1 1.0 t\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    qrels, run = tmp_path / "some.qrels", tmp_path / "one.run"
    qrels.write_text(QRELS)
    run.write_text(RUN)
    return str(qrels), str(run)


@pytest.fixture
def session(files: tuple[str, str]) -> Session:
    new_session = Session()
    new_session.files.open_files(list(files))
    return new_session


@pytest.mark.parametrize("dialect", DIALECTS)
def test_numbers_are_those_of_evaluate(session: Session, files: tuple[str, str], dialect: str) -> None:
    """Means, and by query; queries that the dialect leaves out have no value and stay in the list."""
    session.protocol.set(dialect=dialect)
    assert session.view.dialect == dialect
    for text in ("AP", "nDCG@10", "RR@10", "Bpref", "NumQ", "P@1"):
        session.evaluation.set_measure(text)
        result = evaluate(*files, text, dialect=dialect)
        context = session.view.context
        assert context is not None
        (entry,) = context.collection.runs
        assert context.mean(entry, session.view.measure) == pytest.approx(result.mean(text))
        by_query = result.by_query(text)
        for query, value in zip(context.query_ids, context.values(entry, session.view.measure).tolist(), strict=True):
            assert value == pytest.approx(by_query.get(query, math.nan), nan_ok=True)
        for place in ("systems", "queries", "query"):
            session.navigation.set_place(place)
            assert session.view_models.systems_view_model() is not None
            assert session.view_models.queries_view_model() is not None
            assert session.view_models.query_view_model() is not None


def test_lists_are_ranked_as_numbers_are(session: Session) -> None:
    def first() -> str:
        context = session.view.context
        assert context is not None
        return context.collection.runs[0].run.ranking("1")[0]

    assert first() == "c"
    session.protocol.set(dialect="ranx")
    assert first() == "b"
    session.protocol.set(judged_only=True)
    assert first() == "b"
    session.protocol.set(judged_only=False)
    session.protocol.set(dialect="trec_eval")
    assert first() == "c"


def test_the_status_line_says_so(session: Session) -> None:
    assert not any("dialect" in line for line in session.view.caveats)
    session.protocol.set(dialect="ranx")
    assert any(line.startswith("ranx 0.3 dialect: ties in the order of the file") for line in session.view.caveats)
    assert any("lacks query 2: counted as 0" in line for line in session.view.caveats)
    session.protocol.set(dialect="trec_eval-9")
    assert any("lacks query 2: left out" in line for line in session.view.caveats)


def test_a_measure_that_the_dialect_refuses_has_no_value(tmp_path: Path) -> None:
    (tmp_path / "some.qrels").write_text("1 0 a 5\n")
    (tmp_path / "one.run").write_text("1 Q0 a 1 1.0 t\n")
    session = Session()
    session.files.open_files([str(tmp_path / "some.qrels"), str(tmp_path / "one.run")])
    session.evaluation.set_measure("ERR@10")
    session.protocol.set(dialect="gdeval")
    context = session.view.context
    assert context is not None
    assert math.isnan(context.mean(context.collection.runs[0], session.view.measure))
    assert session.view_models.systems_view_model() is not None


def test_a_command_for_every_dialect(session: Session) -> None:
    assert run_command(session, "dialect gdeval")
    assert session.view.dialect == "gdeval"
    with pytest.raises(OptionError):
        session.protocol.set(dialect="nobody's")
