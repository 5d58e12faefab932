"""``--columns``, folders in the place of runs, and ``evaluate --jobs``: the same numbers as of plain files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.errors import IrviewerWarning, OptionError

QRELS = "1 0 a 2\n1 0 b 0\n2 0 c 1\n"


def put(folder: Path) -> Path:
    """Qrels, and a folder with two runs and files that are none."""
    (folder / "qrels").write_text(QRELS)
    runs = folder / "runs"
    runs.mkdir()
    (runs / "one.run").write_text("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 x 1 1 t\n")
    (runs / "two.csv").write_text("question_id,chunk_id,score\n1,b,2.5\n1,a,1.5\n2,c,0.5\n")
    (runs / "two.run").write_text("1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n2 Q0 c 1 1 t\n")
    (runs / "notes.txt").write_text("nothing of interest\n")
    (runs / "judged.qrels").write_text(QRELS)
    (runs / ".hidden").write_text("1 Q0 a 1 2 t\n")
    return folder


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str]:
    assert main(list(words)) == 0
    out = capsys.readouterr()
    return out.out, out.err


def test_folders_in_a_folder_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their runs were passed over without a word."""
    folder = put(tmp_path)
    qrels, runs = str(folder / "qrels"), folder / "runs"
    for name in ("deeper", "empty", ".hidden_ones", "_temporary"):
        (runs / name).mkdir()
        if name != "empty":
            (runs / name / "three.run").write_text("1 Q0 a 1 2 t\n")
    said = f"{runs}: its folder deeper was not read; name a folder itself to read what it has"
    for words in (["evaluate", qrels, str(runs), "-m", "AP"], ["evaluate", qrels, str(runs), "-m", "AP", "--jobs", "2"],
                  ["verdict", qrels, str(runs), "-m", "AP"]):  # fmt: skip
        assert printed(capsys, *words)[1].count(said) == 1
    main(["check", str(runs)])
    assert capsys.readouterr().err.count(said) == 1
    with pytest.warns(IrviewerWarning, match="its folder deeper was not read"):
        irviewer.evaluate(qrels, str(runs), "AP")
    for path in runs.iterdir():
        if path.is_file():
            path.unlink()
    assert main(["evaluate", qrels, str(runs)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert said in error
    with pytest.raises(OptionError, match="its folder deeper was not read"):
        irviewer.evaluate(qrels, str(runs), "AP")


def test_columns_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = put(tmp_path)
    qrels, table = str(folder / "qrels"), str(folder / "runs" / "two.csv")
    plain, _ = printed(capsys, "evaluate", qrels, str(folder / "runs" / "two.run"), "-m", "AP", "-q")
    own, _ = printed(
        capsys, "evaluate", qrels, table, "-m", "AP", "-q", "--columns", "query=question_id,doc=chunk_id"
    )  # fmt: skip
    assert own.splitlines()[1:] == plain.splitlines()[1:]
    account, _ = printed(capsys, "check", table, "--columns", "query=question_id,doc=chunk_id")
    assert "queries    2" in account
    assert main(["evaluate", qrels, table, "--columns", "query=question_id,doc=chunk_id,tag=nix"]) == 2
    assert "No table has a column 'nix'" in capsys.readouterr().err
    for wrong in ("doc", "doc=", "colour=x"):
        assert main(["evaluate", qrels, table, "--columns", wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("choice", ["doc=sku", "id=sku"])
@pytest.mark.parametrize("command", ["evaluate", "slices", "paper", "dialects"])
def test_columns_name_the_ids_of_a_table_of_fields(
    command: str, choice: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--columns`` is for the file of ``--documents`` too: a table of ids and fields, without texts."""
    (tmp_path / "qrels").write_text("1 0 p1 1\n1 0 p2 0\n2 0 p1 1\n")
    for name, (first, second) in {"a": ("p2", "p1"), "b": ("p1", "p3")}.items():
        lines = [f"{query} Q0 {doc} 1 {score} t\n" for query in "12" for doc, score in ((first, 3), (second, 2))]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    (tmp_path / "sku.csv").write_text("sku,price,brand\np1,3.5,Acme\np2,10,Beta\np3,7.5,Acme\n")
    measure = "FieldMean(field='price',better='lower')@2"
    words = [*(str(tmp_path / name) for name in ("qrels", "a.run", "b.run")), "-m", measure]
    more = ["--documents", str(tmp_path / "sku.csv"), "--columns", choice]
    means = {"a": (10 + 3.5) / 2, "b": (3.5 + 7.5) / 2}
    if command == "evaluate":
        out, _ = printed(capsys, command, *words, *more, "--format", "json")
        assert {row["run"]: row[measure] for row in json.loads(out)["tables"][0]["rows"]} == means
    else:
        printed(capsys, command, *words, *more)


def test_a_folder_is_its_runs_and_what_is_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = put(tmp_path)
    (folder / "runs" / "two.csv").unlink()
    out, err = printed(capsys, "evaluate", str(folder / "qrels"), str(folder / "runs"), "-m", "AP")
    assert [line.split()[0] for line in out.splitlines()[4:6]] == ["one", "two"]
    assert "judged.qrels: skipped, it has qrels" in err
    assert "notes.txt" not in err, "prose"
    assert ".hidden" not in err
    (folder / "empty").mkdir()
    assert main(["evaluate", str(folder / "qrels"), str(folder / "empty")]) == 2
    assert "has no run" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
@pytest.mark.parametrize("more", [[], ["-q"], ["--missing", "intersection", "-q"]])
def test_jobs_change_no_number(jobs: str, more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = put(tmp_path)
    (folder / "runs" / "two.csv").unlink()
    (folder / "runs" / "short.run").write_text("2 Q0 c 1 1 t\n")
    words = ["evaluate", str(folder / "qrels"), str(folder / "runs"), "-m", "AP", "-m", "nDCG@5", "--format", "json"]
    plain = json.loads(printed(capsys, *words, *more)[0])
    assert json.loads(printed(capsys, *words, *more, "--jobs", jobs)[0]) == plain


def test_what_jobs_do_not_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = put(tmp_path)
    words = ["evaluate", str(folder / "qrels"), str(folder / "runs" / "one.run"), "--jobs"]
    assert main([*words, "0"]) == 2
    assert main([*words, "2", "--format", "trec"]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_check_reports_each_run_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first alone was reported, and that there are several was a problem, though all commands read them all."""
    (tmp_path / "two.csv").write_text("run,query,document,score\na,1,d,2\na,2,d,1\nb,1,e,1\n")
    (tmp_path / "qrels").write_text("1 0 d 1\n2 0 d 1\n")
    words = ["check", str(tmp_path / "qrels"), str(tmp_path / "two.csv")]
    assert main([*words, "--strict"]) == 1
    a, b = capsys.readouterr().out.split("two.csv: ")[1:]
    assert "  tag                a\n" in a and "2 of 2 judged" in a and "!" not in a
    assert "  tag                b\n" in b and "1 query of the qrels is not in the run: 2" in b
    assert "--part" not in a + b
    assert main([*words, "--part", "b"]) == 0
    (only,) = capsys.readouterr().out.split("two.csv: ")[1:]
    assert "  tag                b\n" in only and "--part a" in only
