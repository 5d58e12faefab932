"""Values as tables: every format holds what the evaluation says, whatever the ids; nothing, one run, texts."""

from __future__ import annotations

import csv
import io
import json
import math

import strategies as some
from hypothesis import given

from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.tables.writers.registry import WRITERS, writer_named
from irviewer.views import values

QRELS = Qrels.from_dict({"1": {"a": 1, "b": 0}, "2": {"a": 1}})
RUN = Run.from_dict({"1": {"a": 2.0, "x": 1.0}, "2": {"x": 1.0}}, name="r|un")
MEASURES = ["AP", "num_ret", "nDCG@3"]


def read(result: ResultTable, name: str, sign: str, *, by_query: bool) -> list[dict[str, str]]:
    data = writer_named(name).write(values.tables(result, None, by_query=by_query).tables)
    return list(csv.DictReader(io.StringIO(data.decode("utf-8", "surrogateescape"), newline=""), delimiter=sign))


@given(some.qrels(), some.runs())
def test_csv_tsv_and_json_read_back(qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]]) -> None:
    odd_run = Run.from_dict(run, name='na,me "x"')
    result = evaluate(Qrels.from_dict(qrels), [odd_run], MEASURES)
    names = [measure.text for measure in result.measures]
    for name, sign in (("csv", ","), ("tsv", "\t")):
        (means,) = read(result, name, sign, by_query=False)
        assert means == {"run": odd_run.name} | {text: means[text] for text in names}
        assert [float(means[text]) for text in names] == result.means[:, 0].tolist()
        rows = read(result, name, sign, by_query=True)
        assert [row["query"] for row in rows] == list(result.query_ids)
        for place, text in enumerate(names):
            assert [float(row[text]) for row in rows] == result.values[place, 0].tolist()
    whole = json.loads(writer_named("json").write(values.tables(result, None, by_query=True).tables))
    assert [table["name"] for table in whole["tables"]] == ["queries", "means"]
    assert [whole["tables"][1]["rows"][0][text] for text in names] == result.means[:, 0].tolist()


def test_nothing_evaluated() -> None:
    """No query in common under intersection: a mean of nothing is no number, and no format falls over it."""
    options = EvaluationOptions(missing="intersection")
    result = evaluate(Qrels.from_dict({"9": {"a": 1}}), [RUN], ["AP", "num_q"], options)
    for by_query in (False, True):
        view = values.tables(result, None, by_query=by_query)
        for writer in WRITERS:
            assert writer.write(view.tables)
    (row,) = read(result, "csv", ",", by_query=False)
    assert (row["AP"], row["NumQ"]) == ("", "0")


def test_what_people_read() -> None:
    result = evaluate(QRELS, [RUN], ["AP", "num_ret", "num_q", "AP", "map"])
    written = writer_named("table").write(values.tables(result, None).tables).decode().splitlines()
    assert [line.split() for line in written] == [
        ["Means"], ["run", "AP", "NumRet", "NumQ"], ["r|un", "0.5000", "3", "2"]
    ]  # fmt: skip
    lines = writer_named("table").write(values.tables(result, None, by_query=True).tables).decode().splitlines()
    assert lines[1].split() == ["run", "query", "AP", "NumRet"]


def test_many_measures_of_one_run_are_rows() -> None:
    result = evaluate(QRELS, [RUN], ["official"])
    lines = writer_named("table").write(values.tables(result, None).tables).decode().splitlines()
    assert lines[1].split() == ["measure", "r|un"]
    assert len({len(line) for line in lines[1:]}) == 1


def test_the_best_mean_is_bold_if_there_are_several() -> None:
    better = Run.from_dict({"1": {"a": 2.0}, "2": {"a": 1.0}}, name="better")
    result = evaluate(QRELS, [RUN, better], ["AP"])
    written = writer_named("markdown").write(values.tables(result, None).tables).decode()
    assert "| better | **1.0000** |" in written
    assert math.isclose(result.mean("AP", "r|un"), 0.5)
