"""relstring against a walk along the list, and where it is and is not printed."""

from __future__ import annotations

from pathlib import Path

import brute
import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.cli.main import main
from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.trec.trec_lines import trec_lines
from irviewer.measures.parser import parse_measure
from irviewer.model.judgments.judged import judge
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.tables.writers.registry import WRITERS, writer_named
from irviewer.views import values

QRELS = Qrels.from_dict({"1": {"a": 12, "b": 0, "c": 2.5, "d": -2, "n": 1}, "2": {"x": 1}, "3": {"x": 1}})
RUN = Run.from_dict({"1": {"d": 9, "u": 8, "c": 7, "a": 6, "b": 5, "v": 4}, "3": {"x": 1.0}})


def sign(grade: float | None) -> str:
    if grade is None:
        return "-"
    return "." if grade < 0 else str(int(grade)) if grade < 10 else ">"


@given(some.qrels(), some.runs(), st.integers(1, 6))
def test_along_the_list(qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], length: int) -> None:
    judged = judge(Run.from_dict(run), Qrels.from_dict(qrels))
    measure = parse_measure(f"relstring.{length}")
    lists = [brute.graded_list(run.get(query, {}), qrels[query]) for query in judged.query_ids]
    assert measure.strings(judged) == ["".join(map(sign, ranking[:length])) for ranking in lists]
    assert np.isnan(measure.compute(judged)).all()


def written(kind: str, *texts: str) -> str:
    result = evaluate(QRELS, RUN, texts)
    if kind == "trec":
        return trec_lines(result, ["tag"], [judge(RUN, QRELS)], by_query=True, runid=False)
    return writer_named(kind).write(values.tables(result, None, by_query=True).tables).decode("latin-1")


def test_trec_evals_lines() -> None:
    lines = [line for line in written("trec", "all_trec").splitlines() if line.startswith("relstring")]
    assert lines == [f"relstring             \t{q}\t'{text}'" for q, text in (("1", ".-2>0-"), ("2", ""), ("3", "1"))]
    assert "relstring_3           \t1\t'.-2'" in written("trec", "relstring_3", "map")
    assert parse_measure("relstring_3") == parse_measure("relstring(length=3)")


@pytest.mark.parametrize("kind", [writer.name for writer in WRITERS])
def test_no_other_format_has_a_place_for_text(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert written(kind, "map", "relstring") == written(kind, "map")
    (tmp_path / "q").write_text("1 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1 t\n")
    assert main(["evaluate", str(tmp_path / "q"), str(tmp_path / "r"), "-m", "relstring", "--format", kind]) == 2
    assert "relstring is a text, not a number: use --format trec -q" in capsys.readouterr().err


def test_text_is_no_part_of_tables_and_expressions() -> None:
    result = evaluate(QRELS, RUN, ["relstring", "AP"])
    assert set(result.table.column("measure").to_pylist()) == {"AP"}
    assert result.by_query("relstring") == {}
    assert np.isnan(result.mean("relstring"))
    with pytest.raises(MeasureError, match="no values of single queries"):
        parse_measure("relstring + AP")
