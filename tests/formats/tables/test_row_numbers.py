"""Tables as pandas and R write them by default: their first column has row numbers and no name."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from irviewer.errors import ColumnsError
from irviewer.formats.attribute_tables import read_attributes
from irviewer.formats.load import load
from irviewer.formats.preview import preview
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

FRAME = pd.DataFrame({"query_id": ["1", "1", "2"], "doc_id": ["b", "a", "c"], "score": [1.5, 2.5, 1.0]})
R = '"","query_id","doc_id","{number}"\n"1","1","a",{first}\n"2","1","b",1\n"3","2","c",0\n'


@pytest.mark.parametrize("separator", [",", "\t", ";", "|"])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_run_of_pandas(tmp_path: Path, separator: str, times: int) -> None:
    frame, path = FRAME, tmp_path / "x.csv"
    for _ in range(times):  # each writing adds a column
        frame.to_csv(path, sep=separator)
        frame = pd.read_csv(path, sep=separator)
    run = load(path).value
    assert isinstance(run, Run)
    assert {query: run.ranking(query) for query in run.query_ids} == {"1": ["a", "b"], "2": ["c"]}
    assert not run.components, "a row number is no part of a score"


def test_files_of_r(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(R.format(number="score", first=2.5))
    run = load(path).value
    assert isinstance(run, Run)
    assert (run.ranking("1"), run.components) == (["a", "b"], {})
    path.write_text(R.format(number="relevance", first=2))
    qrels = load(path).value
    assert isinstance(qrels, Qrels)
    assert qrels.judgments("1") == {"a": 2, "b": 1}


def test_texts_and_attributes(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    pd.DataFrame({"query_id": ["1", "2"], "text": ["one", "two"], "kind": ["a", "b"]}).to_csv(path)
    queries = load(path).value
    assert isinstance(queries, TextTable)
    assert queries.row("2") == {"text": "two", "kind": "b"}
    pd.DataFrame({"run": ["a", "b"], "size": [1, 2]}).to_csv(path)
    assert [attribute.name for attribute in read_attributes(str(path)).runs] == ["size"]


def test_an_index_in_parquet(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    FRAME[FRAME.score > 1].set_index(pd.Index([5, 7])).to_parquet(path)
    run = load(path).value
    assert isinstance(run, Run)
    assert (run.ranking("1"), run.components) == (["a", "b"], {})


def test_unknown_names_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(",a,b,c\n0,1,x,2.5\n")
    with pytest.raises(ColumnsError, match=r"no known column names; its columns are Unnamed: 0, a, b, c"):
        load(path)
    assert preview(str(path)).names == ("Unnamed: 0", "a", "b", "c")


def test_a_line_of_data_is_no_header(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(",1,a,2.5\n,1,b,1.5\n")
    with pytest.raises(Exception, match="a table without a header"):
        load(path)
