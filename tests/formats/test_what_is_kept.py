"""What a format cannot say is refused or told, and what it can is kept: preferences, tags, names of components."""

from __future__ import annotations

from pathlib import Path

import pytest

import irviewer
from irviewer.cli import main
from irviewer.errors import OptionError
from irviewer.formats.format import Format
from irviewer.formats.load import load
from irviewer.formats.registry import FORMATS
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

PREFERENCES = "1 a s1 d1 2\n1 a s1 d2 1\n1 a s2 d2 2\n1 a s2 d3 1\n"
RUN = "1 Q0 b 1 2.5 my_tag 0.5 7\n1 Q0 a 2 1.5 my_tag 0.25 8\n"


def convert(*words: str | Path) -> int:
    return main.main(["convert", *map(str, words)])


@pytest.mark.parametrize(
    "target",
    [file_format for file_format in FORMATS if file_format.writes("qrels")],
    ids=lambda file_format: file_format.name,
)
def test_preferences_are_kept_or_refused(tmp_path: Path, target: Format) -> None:
    """One rule for all: without their third column they would be read as grades."""
    (tmp_path / "x.prefs").write_text(PREFERENCES)
    value = load(tmp_path / "x.prefs").value
    assert isinstance(value, Qrels)
    assert target.write is not None
    if target.name != "prefs":
        with pytest.raises(OptionError, match=r"these qrels are preferences.*use --to prefs"):
            target.write(value)
        return
    (tmp_path / "y").write_bytes(target.write(value))
    again = load(tmp_path / "y", format="prefs").value
    assert isinstance(again, Qrels)
    assert again.assessments is not None
    assert [column.to_pylist() for column in again.written[:1]] == [["1"] * 4]
    assert again.assessments.subgroups is not None
    assert again.assessments.subgroups.to_pylist() == ["s1", "s1", "s2", "s2"]


@pytest.mark.parametrize("name", ["y.csv", "y.tsv", "y.parquet", "y.arrow", "y.jsonl"])
def test_tag_and_components_of_a_run_are_kept(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.csv").write_text(
        "query_id,doc_id,score,bm25,dense,tag\n1,b,2.5,0.5,7,my_tag\n1,a,1.5,0.25,8,my_tag\n"
    )
    to = ("--to", "jsonl-rows") if name.endswith("jsonl") else ()
    assert convert(tmp_path / "x.csv", tmp_path / name, *to) == 0
    run = load(tmp_path / name).value
    assert isinstance(run, Run)
    assert (run.name.removesuffix(".jsonl"), run.tag) == ("y", "my_tag")
    assert {part: values.tolist() for part, values in run.components.items()} == {"bm25": [0.5, 0.25], "dense": [7, 8]}
    assert convert(tmp_path / name, tmp_path / "z.run", "--header") == 0
    assert (tmp_path / "z.run").read_text() == RUN


def test_names_of_components_that_are_lost_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.csv").write_text("query_id,doc_id,score,bm25,dense\n1,b,2.5,0.5,7\n")
    assert convert(tmp_path / "x.csv", tmp_path / "bare.run") == 0
    assert "the score components are not kept: bm25, dense" in capsys.readouterr().err
    assert convert(tmp_path / "x.csv", tmp_path / "x.run", "--header") == 0
    assert "columns 7 and following: bm25, dense" in capsys.readouterr().err
    assert convert(tmp_path / "x.run", tmp_path / "y.run", "--header") == 0
    assert "no names" not in capsys.readouterr().err


HEADED = "# ir_metadata.start\n# actor:\n#   team: Ours\n# ir_metadata.end\n1 Q0 b 1 2.5 t 0.5\n1 Q0 a 2 1.5 t 0.25\n"


def test_trec_runs_are_bare_lines_of_six_fields(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As ir_measures reads them; the header and the components on request."""
    import ir_measures

    given, bare, whole = tmp_path / "given.run", tmp_path / "bare.run", tmp_path / "whole.run"
    given.write_text(HEADED)
    run = load(given, kind="run").value
    assert isinstance(run, Run)
    assert run.attributes
    assert run.components
    read = {"1": {"b": 2.5, "a": 1.5}}

    def by_ir_measures(path: Path) -> dict[str, dict[str, float]]:
        nested: dict[str, dict[str, float]] = {}
        for row in ir_measures.read_trec_run(str(path)):
            nested.setdefault(row.query_id, {})[row.doc_id] = row.score
        return nested

    lost = irviewer.write_run(run, bare)
    assert bare.read_text() == "1 Q0 b 1 2.5 t\n1 Q0 a 2 1.5 t\n"
    assert by_ir_measures(bare) == read
    assert [sentence.split(" ")[1] for sentence in lost] == ["score", "header"]
    assert irviewer.write_run(run, whole, header=True) == ()
    assert whole.read_text() == HEADED
    assert convert(given, bare, "--to", "trec") == 0
    assert by_ir_measures(bare) == read
    assert "the header with the metadata of the run is not kept" in capsys.readouterr().err
    assert convert(given, whole, "--to", "trec", "--header") == 0
    assert whole.read_text() == HEADED
    assert irviewer.convert(given, bare, to="trec") == lost
    assert by_ir_measures(bare) == read
    assert convert(given, tmp_path / "x.json", "--header") == 2
    assert "--header is for TREC runs" in capsys.readouterr().err
