"""Ids that readers refuse are not written, and U+FEFF at the beginning of an id is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

SIGN = "\ufeff"


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow", "json", "jsonl", "run"])
@pytest.mark.parametrize("ids", [("", "a"), ("1", "")], ids=["query", "document"])
def test_an_empty_id_is_refused_when_it_is_written(ending: str, ids: tuple[str, str], tmp_path: Path) -> None:
    """CSV, Parquet and JSON wrote it, and refused the file when it was read."""
    query, document = ids
    path = tmp_path / f"x.{ending}"
    named = {"0": {"b": 1.0}, query: {document: 1.0, "c": 0.5}}
    for write, value in (
        (irviewer.write_run, Run.from_dict(named)),
        (irviewer.write_qrels, Qrels.from_dict({each: dict.fromkeys(own, 1) for each, own in named.items()})),
    ):
        with pytest.raises(OptionError, match="the id of a query is empty" if not query else "of query 1 is empty"):
            write(value, path)
        assert not path.exists()


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "json"])
def test_the_sign_of_an_encoding_in_an_id_is_kept(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first cell of CSV and TSV lost it, so that the query was another one."""
    run = Run.from_dict({f"{SIGN}1": {f"{SIGN}a": 2.0, "b": 1.0}, "2": {"a": 1.0}})
    qrels = Qrels.from_dict({f"{SIGN}1": {f"{SIGN}a": 1}, "2": {"a": 0}})
    files = [str(tmp_path / f"qrels.{ending}"), str(tmp_path / f"run.{ending}")]
    irviewer.write_qrels(qrels, files[0])
    irviewer.write_run(run, files[1])
    assert {*irviewer.read_qrels(files[0]).query_ids} == {*qrels.query_ids}
    read = irviewer.read_run(files[1])
    assert {query: read.ranking(query) for query in read.query_ids} == {
        query: run.ranking(query) for query in run.query_ids
    }
    for mode in ([], ["--in-blocks"]) if ending == "parquet" else ([],):
        assert main(["evaluate", *files, "-m", "NumRelRet", *mode, "--format", "csv"]) == 0
        assert capsys.readouterr().out.splitlines()[-1].endswith(",1")
