"""``irviewer evaluate --in-blocks`` and ``--save-values``, and commands that take the stored values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irviewer.cli.main import main
from irviewer.formats.blocks import text_blocks

QUERIES = range(30)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 d{n} {(n + q) % 3}\n" for q in QUERIES for n in range(5)))
    for name, step in (("base", 3), ("new", 2)):
        lines = (f"{q} Q0 d{(n * step + q) % 7} {n} {9 - n} t\n" for q in QUERIES for n in range(6))
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: object, status: int = 0) -> str:
    assert main(list(map(str, arguments))) == status
    return capsys.readouterr().out


def test_in_blocks_prints_the_same(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("evaluate", files / "qrels.txt", files / "base.run", files / "new.run", "-q", "--format", "json")
    assert json.loads(out(capsys, *arguments, "--in-blocks")) == json.loads(out(capsys, *arguments))


@pytest.mark.parametrize("how", [["--in-blocks"], ["--in-blocks", "--jobs", "2"], ["--jobs", "2"]])
def test_fields_of_documents(files: Path, capsys: pytest.CaptureFixture[str], how: list[str]) -> None:
    """In blocks, by workers and by processes; values stored so are a baseline."""
    table = "".join(f"d{n},{n + 0.5},{'true' if n % 3 else 'false'}\n" for n in range(6))
    (files / "products.csv").write_text("doc_id,price,in_stock\n" + table)
    measure = "FieldMean(field='price',where='in_stock = true',better='lower')@4"
    arguments = (
        "evaluate", files / "qrels.txt", files / "base.run", files / "new.run", "-m", measure, "-m", "AP",
        "--documents", files / "products.csv", "-q", "--format", "json",
    )  # fmt: skip
    whole, ours = json.loads(out(capsys, *arguments)), json.loads(out(capsys, *arguments, *how))
    assert [table for table in ours["tables"] if table["name"] != "notes"] == [
        table for table in whole["tables"] if table["name"] != "notes"
    ]
    assert measure in json.dumps(ours)
    assert main([*map(str, arguments), *how, "-m", "BudgetRecall(budget=3)"]) == 2
    assert "needs the lengths of all documents of a run" in capsys.readouterr().err


def test_in_blocks_over_the_queries_of_a_protocol(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "few.txt").write_text("".join(f"{query}\n" for query in range(4, 13)))
    protocol = files / "few.protocol.toml"
    protocol.write_text('measures = ["AP", "RR"]\n[scope]\nqueries = { file = "few.txt" }\n')
    runs = (files / "qrels.txt", files / "base.run", files / "new.run")
    few = json.loads(out(capsys, "evaluate", *runs, "--protocol", protocol, "-q", "--in-blocks", "--format", "json"))
    assert few == json.loads(out(capsys, "evaluate", *runs, "--protocol", protocol, "-q", "--format", "json"))
    assert few["protocol"]["line"].startswith("9 of 30 queries (few.txt)")
    every = json.loads(out(capsys, "evaluate", *runs, "-m", "AP", "-q", "--in-blocks", "--format", "json"))
    (means,) = (table["rows"] for table in few["tables"] if table["name"] == "means")
    (by_query,) = (table["rows"] for table in every["tables"] if table["name"] == "queries")
    of_base = [row["AP"] for row in by_query if row["run"] == "base" and 4 <= int(row["query"]) < 13]
    assert means[0]["AP"] == pytest.approx(sum(of_base) / 9)


def test_stored_values_in_place_of_a_run(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels, base, new = files / "qrels.txt", files / "base.run", files / "new.run"
    stored = files / "stored" / "base.parquet"
    stored.parent.mkdir()
    out(capsys, "evaluate", qrels, base, "-m", "AP", "-m", "nDCG@10", "-m", "RR", "-m", "P@10", "--save-values", stored)
    for command in (("compare", "-m", "AP"), ("paper", "-m", "AP", "-m", "RR"), ("evaluate", "-m", "RR", "-q")):
        name, *options = command
        assert out(capsys, name, qrels, stored, new, *options) == out(capsys, name, qrels, base, new, *options)
    gate = ("--non-inferior", "AP > -0.9", "--ignore-unjudged")
    assert out(capsys, "gate", qrels, new, "--baseline", stored, *gate) == out(
        capsys, "gate", qrels, new, "--baseline", base, *gate
    )
    out(capsys, "report", qrels, stored, new, "-m", "AP", "-o", files / "report.html")
    assert "base.parquet" in (files / "report.html").read_text()


def test_what_is_refused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels, base = files / "qrels.txt", files / "base.run"
    stored = files / "base.parquet"
    out(capsys, "evaluate", qrels, base, "-m", "AP", "--save-values", stored)
    assert main(["evaluate", str(qrels), str(stored), "-m", "AP", "-l", "2"]) == 2
    assert "base.parquet: the values were computed with level 1.0, not 2.0" in capsys.readouterr().err
    assert main(["evaluate", str(qrels), str(base), "--in-blocks", "--format", "trec"]) == 2
    assert "--in-blocks cannot be combined with --format trec" in capsys.readouterr().err
    assert main(["evaluate", str(qrels), str(base), "--in-blocks", "--jobs", "0"]) == 2
    assert "--jobs is 0; it must be 1 or more" in capsys.readouterr().err
    assert main(["evaluate", str(qrels), str(base), "--save-values", str(files / "none" / "a.parquet")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_file_whose_queries_are_apart(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_blocks, "SIZE", 1 << 20)
    qrels, run, folder = files / "qrels.txt", files / "apart.run", files / "room"
    folder.mkdir()
    lines = [f"{q} Q0 d{(n * 3 + q) % 7} {n} {9 - n} t\n" for n in range(6) for q in QUERIES]
    others = [f"other{n} Q0 d 1 1 t\n" for n in range(60_000)]  # the run is more than a block
    run.write_text("".join([*lines[:90], *others, *lines[90:]]))
    assert main(["evaluate", str(qrels), str(run), "--in-blocks"]) == 2
    assert "query 0 is in two places" in (error := capsys.readouterr().err)
    assert "--group-in FOLDER" in error
    grouped = out(capsys, "evaluate", qrels, run, "-q", "--in-blocks", "--group-in", folder)
    assert grouped == out(capsys, "evaluate", qrels, run, "-q")
    assert not list(folder.iterdir())
    assert main(["evaluate", str(qrels), str(run), "--group-in", str(folder)]) == 2
