"""``irviewer failures``: the table and its other forms; hubs; and the worklist of ``irviewer pool``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from irviewer.cli import main
from irviewer.formats.project_file import project_text


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Query 1: the first run finds a at the top, the second b below a non-relevant c; query 2: nobody finds anything,
    and c and x mislead again."""
    texts = {
        "q.qrels": "1 0 a 1\n1 0 b 1\n1 0 c 0\n1 0 z 1\n2 0 y 1\n2 0 c 0\n",
        "one.run": "1 Q0 a 1 9 t\n1 Q0 x 2 8 t\n2 Q0 x 1 9 t\n",
        "two.run": "1 Q0 x 1 9 t\n1 Q0 c 2 8 t\n1 Q0 b 3 7 t\n2 Q0 c 1 9 t\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in texts]


def rows_of(files: list[str], capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, str]]:
    assert main.main(["failures", *files, *words, "--format", "csv"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_csv(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_of(files, capsys, "-m", "RR", "-k", "2")
    assert [(row["query"], row["run"], row["kinds"]) for row in rows] == [
        ("1", "one", "unjudged"),
        ("1", "two", "below unjudged baseline median"),
        ("2", "one", "nothing unjudged hard"),
        ("2", "two", "nothing hard"),
    ]
    second = rows[1]
    assert float(second["value"]) == pytest.approx(1 / 3)
    assert float(second["to_baseline"]) == pytest.approx(-2 / 3)
    assert float(second["to_median"]) == pytest.approx(-1 / 3)
    assert (second["first_relevant"], second["non_relevant_above"], second["unjudged_on_top"]) == ("3", "1", "0.5")
    assert (second["relevant"], second["found"], second["found_below"]) == ("3", "0", "1")


def test_only_some_kinds_and_other_limits(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert rows_of(files, capsys, "-m", "RR", "--kind", "above") == []
    assert [row["run"] for row in rows_of(files, capsys, "-m", "RR", "--kind", "above", "--above", "1")] == ["two"]
    assert rows_of(files, capsys, "-m", "RR", "--kind", "baseline", "--worse", ".9") == []
    assert {row["query"] for row in rows_of(files, capsys, "-m", "RR", "--kind", "hard", "--hard", "1")} == {"2"}
    # The first run is nowhere worse than the second.
    assert rows_of(files, capsys, "-m", "RR", "--kind", "baseline", "--baseline", "two", "--worse", "0") == []
    assert rows_of(files, capsys, "-m", "RR", "--kind", "baseline", "--baseline", files[2], "--worse", "0") == []


def test_complete_judgments_leave_nothing_unjudged(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_of(files, capsys, "-m", "RR", "--unjudged", "complete")
    assert not any("unjudged" in row["kinds"].split() for row in rows)
    assert next(row for row in rows if (row["query"], row["run"]) == ("1", "two"))["non_relevant_above"] == "2"


def test_table_and_json(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["failures", *files, "-m", "RR", "-k", "2"]) == 0
    first, _, *lines = capsys.readouterr().out.splitlines()
    assert first == "2 queries · binary, level ≥ 1 · unjudged: unknown · against one"
    assert lines[0] == "RR of 2 queries with relevant documents, compared with one"
    assert lines[1].split()[:3] == ["query", "run", "failures"]
    note = "how the judgments were made is not stated; unjudged: counted as non-relevant, not known to be"
    assert f"Note: {note}" in lines
    counts = lines[lines.index("Queries by kind of failure") + 1 :]
    assert counts[0].split() == ["kind", "one", "two"]
    assert counts[1].startswith("nothing: ") and counts[1].split()[-2:] == ["1", "1"]
    assert counts[4].startswith("unjudged: ") and counts[4].split()[-2:] == ["2", "1"]
    assert main.main(["failures", *files, "-m", "RR", "-k", "2", "--format", "json"]) == 0
    rows = {table["name"]: table["rows"] for table in json.loads(capsys.readouterr().out)["tables"]}
    assert [(row["one"], row["two"]) for row in rows["counts"] if row["kind"] == "unjudged"] == [(2, 1)]
    assert rows["failures"][0]["kinds"] == ["unjudged"]


def test_hubs(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_of(files, capsys, "--hubs")
    assert [(row["document"], row["queries"], row["runs"]) for row in rows] == [("x", "2", "2"), ("c", "2", "1")]
    assert [(row["non_relevant"], row["unjudged"]) for row in rows] == [("0", "2"), ("2", "0")]
    assert rows[0]["for_queries"] == "1 2"


def test_hubs_of_judged_only_lists_have_no_unjudged_documents(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = rows_of(files, capsys, "--hubs", "-J")
    assert [(row["document"], row["queries"], row["best_rank"]) for row in rows] == [("c", "2", "1")]


@pytest.mark.parametrize(
    "words",
    [
        ["--baseline", "none"],
        ["-k", "0"],
        ["-m", "official"],
        ["--unjudged-share", "2"],
        ["--worse", "-1"],
        ["-m", "relstring"],
        ["-m", "AP", "-m", "RR"],
    ],
)
def test_what_cannot_be_is_refused(files: list[str], words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["failures", *files, *words]) == 2
    assert capsys.readouterr().err.startswith("irviewer: ")


def test_worklist(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pool", *files, "-m", "RR", "--worklist", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["query"], row["document"], row["run"], row["rank"]) for row in rows] == [
        ("2", "x", "one", "1"),
        ("1", "x", "two", "1"),
    ]
    assert [float(row["change"]) for row in rows] == pytest.approx([1.0, 2 / 3])
    assert main.main(["pool", *files, "-m", "RR", "--worklist", "--most", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[5:] == ["1 more left out"]
    assert main.main(["pool", *files, "-m", "RR", "--worklist", "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["tables"][0]["rows"]) == 2
    assert main.main(["pool", *files, "-m", "RR", "-m", "AP", "--worklist"]) == 2


def test_values_are_those_of_evaluate(files: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A query that a dialect leaves out of a run's mean has no value here either, and it is not gone."""
    (tmp_path / "three.run").write_text("1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n")
    (tmp_path / "q.qrels").write_text((tmp_path / "q.qrels").read_text() + "3 0 c 0\n3 0 x 0\n")
    for name in ("one", "two"):
        path = tmp_path / f"{name}.run"
        path.write_text(path.read_text() + "3 Q0 u 1 9 t\n")
    files = [*files, str(tmp_path / "three.run")]
    rows = {(row["query"], row["run"]): row for row in rows_of(files, capsys, "-m", "P@1", "--dialect", "gdeval")}
    assert rows["2", "three"]["value"] == rows["2", "three"]["to_baseline"] == ""  # the run lacks it
    assert rows["2", "three"]["kinds"] == "nothing hard"
    assert rows["2", "one"]["value"] == "0"
    assert rows["3", "one"]["value"] == ""  # nothing is relevant: gdeval leaves it out
    assert rows["3", "one"]["kinds"] == "unjudged"
    plain = {(row["query"], row["run"]): row for row in rows_of(files, capsys, "-m", "P@1")}
    assert (plain["2", "three"]["value"], plain["3", "one"]["value"]) == ("0", "0")


def test_a_difference_is_the_value_less_the_other(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """As in every other table; where less is better a positive one is the worse."""
    rows = rows_of(files, capsys, "-m", "SearchLength")
    worse = next(row for row in rows if (row["query"], row["run"]) == ("1", "two"))
    assert float(worse["value"]) == 3
    assert float(worse["to_baseline"]) == 2
    assert float(worse["to_median"]) == 1
    assert "baseline" in worse["kinds"].split()


def test_causes_with_tags_of_a_project_and_near_duplicates(
    files: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    long = " ".join(f"word{number}" for number in range(12))
    (tmp_path / "docs.tsv").write_text(f"x\t{long}\nc\t{long} more\nb\t{long}\n")
    section = {"tags": [["1", "wrong entity"]], "examined": [[8, "2", ["wrong entity"], None, "Ann"]]}
    runs = [{"key": 5, "name": "one", "file": "one.run"}, {"key": 8, "name": "two", "file": "two.run"}]
    sections = {"collections": [{"id": "c", "name": "c", "runs": runs, "failure_tags": section}]}
    (tmp_path / "my.irviewer").write_text(project_text(sections))
    words = ["failures", *files, "-m", "RR", "--causes", "--documents", str(tmp_path / "docs.tsv")]
    words += ["--tags", str(tmp_path / "my.irviewer"), "--format", "json"]
    assert main.main(words) == 0
    causes, loss = json.loads(capsys.readouterr().out)["tables"]
    rows = {(row["group"], row["cause"]): row for row in causes["rows"]}
    assert rows["kind", "duplicates"]["queries"] == 1
    # RR of two is 1/3 and 0: it loses 2/3 and 1.
    assert rows["tag", "wrong entity"] | {"group": "", "cause": ""} == {
        "group": "", "cause": "", "queries": 1, "share": 1.0, "all_queries_low": None, "all_queries_high": None,
        "baseline_queries": 0, "baseline_share": None,
    }  # fmt: skip
    assert rows["rest", "not_examined"]["share"] == pytest.approx(0.4)
    assert [(row["query"], row["loss"], row["tags"], row["examined"]) for row in loss["rows"]] == [
        ("2", 1.0, ["wrong entity"], True),
        ("1", pytest.approx(2 / 3), [], False),
    ]
    assert main.main([*words, "--run", "nobody"]) == 2
    assert "there is no run 'nobody'" in capsys.readouterr().err
    (tmp_path / "none.irviewer").write_text(project_text({"collections": []}))
    assert main.main([*words[:-3], str(tmp_path / "none.irviewer")]) == 2
    assert "no tags of failures of these runs" in capsys.readouterr().err
