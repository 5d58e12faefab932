"""PyTerrier's shapes: frames of results, datasets of ir_datasets that it wraps, and a run as a transformer's input.

The stand-ins have the methods and columns of PyTerrier 1.1: ``pyterrier.datasets._irds.IRDSDataset`` (irds_ref,
get_topics, get_qrels) and ``pyterrier.datasets._core.RemoteDataset`` (get_topics, get_qrels, get_results); results are
frames with qid, docno, score and rank from 0, with query, docid and further columns of its retrievers."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd
import pytest

import irviewer
from irviewer.api.texts import text_table
from irviewer.errors import OptionError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


class Judged(NamedTuple):
    """A judgment of ir_datasets."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class Irds:
    """A dataset of ir_datasets."""

    def qrels_iter(self) -> Any:
        return iter([Judged("1", "d1", 1, "0"), Judged("1", "d2", 0, "0"), Judged("2", "d2", 2, "0")])


class IRDSDataset:
    """A dataset of ir_datasets as PyTerrier wraps it."""

    __module__ = "pyterrier.datasets._irds"

    def irds_ref(self) -> Irds:
        return Irds()

    def get_topics(self, variant: str | None = None) -> pd.DataFrame:
        return pd.DataFrame({"qid": ["1", "2"], "query": ["first words", "second words"]})


class RemoteDataset:
    """A dataset of PyTerrier's own, whose parts are frames."""

    __module__ = "pyterrier.datasets._core"

    def get_qrels(self, variant: str | None = None) -> pd.DataFrame:
        return pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["d1", "d2", "d2"], "label": [1, 0, 2]})

    def get_results(self, variant: str | None = None) -> pd.DataFrame:
        return results()


def results() -> pd.DataFrame:
    rows = [("1", 7, "d2", 0, 3.5, "first words"), ("1", 3, "d1", 1, 2.25, "first words"),
            ("2", 7, "d2", 0, 9.0, "second words")]  # fmt: skip
    return pd.DataFrame(rows, columns=["qid", "docid", "docno", "rank", "score", "query"])


@pytest.mark.parametrize("dataset", [IRDSDataset(), RemoteDataset()])
def test_a_dataset_is_qrels(dataset: Any) -> None:
    assert Qrels(dataset).to_dict() == {"1": {"d1": 1, "d2": 0}, "2": {"d2": 2}}
    means = irviewer.evaluate(dataset, {"bm25": results()}, "AP RR")
    assert means.mean("RR") == (1 / 2 + 1) / 2
    table = text_table(IRDSDataset(), "queries").table
    assert table.column("id").to_pylist() == ["1", "2"]


def test_results_of_a_dataset_are_a_run() -> None:
    assert Run(RemoteDataset()).to_dict() == {"1": {"d2": 3.5, "d1": 2.25}, "2": {"d2": 9.0}}


def test_a_run_goes_back_as_the_input_of_a_transformer() -> None:
    frame = results()
    fused = irviewer.fuse({"one": frame, "two": frame[frame["qid"] == "1"]})
    back = fused.to_pyterrier(IRDSDataset().get_topics())
    assert back[["qid", "docno", "rank", "query"]].to_dict("list") == {
        "qid": ["1", "1", "2"], "docno": ["d2", "d1", "d2"], "rank": [0, 1, 0],
        "query": ["first words", "first words", "second words"],
    }  # fmt: skip
    assert Run(back).to_dict() == fused.to_dict()
    assert list(fused.to_pyterrier().columns) == ["qid", "docno", "score", "rank"]
    assert fused.to_pyterrier({1: "x", 2: "y"})["query"].tolist() == ["x", "x", "y"]
    with pytest.raises(OptionError, match="qid and query"):
        fused.to_pyterrier(pd.DataFrame({"id": ["1"]}))
    with pytest.raises(OptionError, match="lack queries of the run: 2"):
        fused.to_pyterrier({"1": "x"})


def test_a_dataset_of_another_package_is_not_asked() -> None:
    class Other(RemoteDataset):
        __module__ = "elsewhere"

    with pytest.raises(OptionError):
        Qrels(Other())
