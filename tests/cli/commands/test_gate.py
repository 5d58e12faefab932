"""``irviewer gate`` takes two runs: a folder of one is that run, a folder of several is refused, never a result."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import irviewer
from irviewer.__main__ import main
from irviewer.errors import ParseError
from irviewer.views.build_reports import _property


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Qrels, three runs that are alike, a folder of one of them and a folder of two."""
    queries = range(12)
    (tmp_path / "qrels").write_text("".join(f"{q} 0 a 1\n{q} 0 b 0\n" for q in queries))
    for name in ("base.run", "one/new.run", "two/left.run", "two/right.run"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("".join(f"{q} Q0 a 1 2 t\n{q} Q0 b 2 1 t\n" for q in queries))
    monkeypatch.chdir(tmp_path)
    return tmp_path


CONDITION = ("--non-inferior", "AP > -0.5")


def test_the_baseline_may_be_a_run_of_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its name was taken for a file, which does not exist; a name of no run still is."""
    rows = {
        tag: [f"{tag},{query},{document},1" for query in range(12)] for tag, document in (("old", "b"), ("new", "a"))
    }
    for name, tags in (("both", ("new", "old")), ("old", ("old",)), ("new", ("new",))):
        lines = ["run,query_id,doc_id,score", *(row for tag in tags for row in rows[tag])]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    for command, option in (("gate", "--baseline"), ("explain", "--against")):
        wanted = CONDITION if command == "gate" else ("-m", "AP")
        statuses, printed = [], []
        for words in (("new.csv", option, "old.csv"), ("both.csv", option, "old")):
            statuses.append(main([command, "qrels", *words, *wanted, "--format", "json"]))
            printed.append(json.loads(capsys.readouterr().out)["tables"])
        assert statuses == [0, 0] and printed[0] == printed[1]
        assert main([command, "qrels", "both.csv", option, "older", *wanted]) == 2
        said = capsys.readouterr()
        assert "older: the file does not exist" in said.out + said.err
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((folder / "both.csv").read_bytes())))
        assert main([command, "qrels", "-", option, "older", *wanted]) == 2  # read once
        said = capsys.readouterr()
        assert "older: the file does not exist" in said.out + said.err


def test_a_folder_of_one_run_is_that_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["gate", "qrels", "one/new.run", "--baseline", "base.run", *CONDITION])
    plain = capsys.readouterr()
    main(["gate", "qrels", "one", "--baseline", "base.run", *CONDITION])
    assert capsys.readouterr() == plain
    assert "new against base" in plain.out


@pytest.mark.parametrize(
    ("run", "baseline"), [("two", "base.run"), ("base.run", "two"), ("two", "two"), ("tagged.csv", "base.run")]
)
def test_several_runs_are_refused_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], run: str, baseline: str
) -> None:
    rows = [f"{tag},{q},a,1" for tag in ("left", "right") for q in range(12)]
    (folder / "tagged.csv").write_text("\n".join(["run,query_id,doc_id,score", *rows]) + "\n")
    assert main(["gate", "qrels", run, "--baseline", baseline, *CONDITION, "--junit", "out.xml"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"{run if run != 'base.run' else baseline} has several (" in err
    assert not Path("out.xml").exists()


def test_the_same_file_may_be_run_and_baseline(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["gate", "qrels", "base.run", "--baseline", "base.run", *CONDITION])
    out, err = capsys.readouterr()
    assert ("against" in out, err) == (True, "")


@pytest.mark.parametrize("words", [["compare", "-m", "AP"], ["paper"], ["failures", "--format", "json"]])
def test_a_baseline_named_by_its_file_is_that_file_after_a_folder(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    (folder / "base.run").write_text("".join(f"{q} Q0 a 1 1 t\n{q} Q0 b 2 2 t\n" for q in range(12)))
    command, *more = words
    outs = []
    for baseline in ("base.run", "base"):
        assert main([command, "qrels", "two", "base.run", *more, "--baseline", baseline]) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1]
    assert main([command, "qrels", "two", "base.run", *more, "--baseline", "two"]) == 2
    assert "two has several (left, right)" in capsys.readouterr().err


def test_the_folder_is_named_where_the_baseline_lies_in_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", "qrels", "two", "--baseline", "two/left.run", *CONDITION]) == 2
    assert "but two has several (" in capsys.readouterr().err


def test_a_file_that_is_given_beside_its_folder_is_still_one_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", "qrels", "two", "two/left.run", "-m", "AP", "--baseline", "two/left.run"]) == 0
    assert "compared with left (2)" in capsys.readouterr().out


def test_files_of_the_same_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place in ("old", "new"):
        Path(place, "deep").mkdir(parents=True)
        Path(place, "deep", "a.run").write_bytes(Path("base.run").read_bytes())
    main(["gate", "qrels", "new/deep/a.run", "--baseline", "old/deep/a.run", *CONDITION])
    assert "new/deep/a against a\n" in capsys.readouterr().out
    main(["gate", "qrels", "base.run", "--baseline", "base.run", *CONDITION])
    assert "base (2) against base\n" in capsys.readouterr().out


def test_systems_of_answers_are_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is run and baseline: the error named each of its systems twice."""
    nuggets = '[{"text": "a", "importance": "vital", "assignment": "support"}]'
    (tmp_path / "n").write_text('{"qid": "1", "nuggets": [{"text": "a", "importance": "vital"}]}\n')
    answer = '"answer": [{"text": "a", "citations": []}], "references": []'
    for name, own in (("a", answer), ("l", f'"nuggets": {nuggets}')):
        records = [f'{{"qid": "1", "run_id": "{system}", {own}}}\n' for system in ("x", "y")]
        (tmp_path / name).write_text("".join(records))
    files = [str(tmp_path / name) for name in ("n", "a", "l")]
    assert main(["gate", *files, "--baseline", files[2], "--require", "V_strict >= 0"]) == 2
    said = capsys.readouterr().err
    assert "has several (x, y);" in said, said


def test_one_test_is_not_called_corrected(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["gate", "qrels", "one", "--baseline", "base.run", "--fail-if", "AP worse"])
    printed = capsys.readouterr().out
    assert ("not corrected" in printed and "1 uncorrected condition" in printed, "Holm" in printed) == (True, False)
    main(["gate", "qrels", "one", "--baseline", "base.run", "--fail-if", "AP worse", "--fail-if", "RR worse"])
    assert "Holm over 2 conditions" in capsys.readouterr().out


@pytest.mark.parametrize("lines", [["1 0 a 1", "1 0 b 0", "1 0 a 1"], ["query_id,doc_id,relevance", "1,a,1", "1,a,1"]])
def test_equal_judgments_are_no_conflict_and_others_name_the_option(tmp_path: Path, lines: list[str]) -> None:
    file = tmp_path / "qrels.csv"
    file.write_text("\n".join(lines) + "\n")
    run = {"1": {"a": 1.0}}
    assert irviewer.evaluate(file, run, ["P@1"], protocol=None).by_query("P@1") == {"1": 1.0}
    last = lines[-1][:-1] + "2"
    file.write_text("\n".join([*lines, last]) + "\n")
    with pytest.raises(ParseError) as caught:
        irviewer.evaluate(file, run, ["P@1"])
    assert f"is repeated with another grade (lines {1 if ',' not in last else 2} and {len(lines) + 1})" in str(
        caught.value
    )
    assert "--duplicates first, last or best" in str(caught.value)


@pytest.fixture
def failing(folder: Path) -> tuple[str, ...]:
    """The words of a gate of which a condition fails, is undecided and passes, with a name that has to be escaped."""
    (folder / "gate, 100%.toml").write_text(
        'baseline = "base.run"\nprotocol = {rules = {unjudged = "complete"}}\n'
        'require = ["AP >= 1", "AP > 1", "shown RR >= 0.9"]\n'
    )
    return ("gate", "qrels", "one", "--conditions", "gate, 100%.toml")


def test_annotations_of_github(
    failing: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    Path("summary.md").write_text("# before\n")
    assert main([*failing, "--format", "github"]) == 1
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    begin = "::error file=gate%2C 100%25.toml,title=AP > 1::"
    assert [line.partition(" ")[0] for line in lines] == ["::error", "::warning", "::error"]
    assert lines[0].startswith(begin)
    assert lines[-1].endswith("::FAILED: new against base")
    summary = Path("summary.md").read_text()
    assert summary.startswith("# before\n")
    assert "FAILED: new against base" in summary
    assert "| AP \\> 1 |" in summary


@pytest.mark.parametrize("text", ["a%b", "x\r\ny", "c:d,e", "::error::", "%0A"])
def test_annotations_can_be_read_back(text: str) -> None:
    """A runner undoes the escapes in this order; what comes back is the text, in one line."""
    escaped = _property(text)
    assert not set(escaped) & set("\r\n:,")
    for code, sign in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        escaped = escaped.replace(code, sign)
    assert escaped == text


def test_report_of_gitlab(failing: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*failing, "--gitlab", "quality.json"]) == 1
    rows = json.loads(Path("quality.json").read_text())
    assert [(row["check_name"], row["severity"]) for row in rows] == [
        ("irviewer-gate-failed", "major"), ("irviewer-gate-undecided", "minor")
    ]  # fmt: skip
    assert {row["location"]["path"] for row in rows} == {"gate, 100%.toml"}
    assert {row["location"]["lines"]["begin"] for row in rows} == {1}
    assert len({row["fingerprint"] for row in rows}) == 2
    assert rows[0]["description"].startswith("AP > 1: ")
    capsys.readouterr()
    main(["gate", "qrels", "gone", "--conditions", "gate, 100%.toml", "--format", "gitlab"])
    (row,) = json.loads(capsys.readouterr().out)
    assert "gone" in row["description"]
