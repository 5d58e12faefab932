"""``--protocol``: a file is followed, an option changes one field, the line says so; other fields are refused.

The oracle are the options: a protocol and the options that say the same give the same answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import irviewer
from irviewer.cli import main
from tests.helpers.compared import write_files


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return write_files(tmp_path)


def output(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main.main(words) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def write(tmp_path: Path, text: str) -> str:
    path = tmp_path / "given.toml"
    path.write_text(text)
    return str(path)


SAME = [
    ("compare", "[rules]\nlevel = 2\ndepth = 5\n", ["-l", "2", "-M", "5"]),
    ("compare", "[rules]\ndialect = 'ranx'\njudged_only = true\n", ["--dialect", "ranx", "-J"]),
    ("compare", "measures = ['RR', 'P@1']\n", ["-m", "RR", "-m", "P@1"]),
    ("compare", "[inference]\ntest = 'wilcoxon'\nzeros = 'pratt'\n", ["--test", "wilcoxon-pratt"]),
    ("compare", "[inference]\nfamily = 'pairs'\ncorrection = 'bonferroni'\n",
     ["--pairs", "--correction", "bonferroni"]),
    ("compare", "[inference]\ninterval = 'bca'\nconfidence = 0.9\nsamples = 500\nseed = 3\nalpha = 0.01\n",
     ["--interval", "bca", "--confidence", ".9", "--samples", "500", "--seed", "3", "--alpha", ".01"]),
    ("compare", "[scope]\nqueries = { file = 'few', looked = true }\n", ["--query-set", "{few}", "--looked"]),
    ("compare", "[scope]\nqueries = ['1', '2', '3', '4', '5', '6', '7']\n", ["--query-set", "{few}"]),
    ("compare", "[scope]\nbaseline = 'same'\nweights = { file = 'weights' }\n",
     ["--baseline", "same", "--weights", "{weights}"]),
    ("paper", "[rules]\nlevel = 2\n[inference]\ntest = 'sign'\ncorrection = 'none'\n",
     ["-l", "2", "--test", "sign", "--correction", "none"]),
    ("paper", "[scope]\nqueries = { file = 'few', looked = true }\n", ["--query-set", "{few}", "--looked"]),
    ("evaluate", "measures = ['AP']\n[rules]\nmissing = 'intersection'\nlevel = 2\n",
     ["-m", "AP", "--missing", "intersection", "-l", "2"]),
    ("stages", "[rules]\ndepth = 5\n[inference]\ninterval = 't'\n", ["-M", "5", "--interval", "t"]),
    ("pool", "[rules]\nunjudged = 'pooled'\nlevel = 2\n", ["--unjudged", "pooled", "-l", "2"]),
    ("failures", "[rules]\nunjudged = 'complete'\n[scope]\nbaseline = 'bad'\n",
     ["--unjudged", "complete", "--baseline", "bad"]),
    ("dialects", "[rules]\nlevel = 2\n", ["-l", "2"]),
]  # fmt: skip


@pytest.mark.parametrize(("command", "protocol", "words"), SAME)
def test_a_protocol_says_what_options_say(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, protocol: str, words: list[str]
) -> None:
    for name, content in (("few", "1\n2\n3\n4\n5\n6\n7\n"), ("weights", "1 3\n2 1\n3 2\n")):
        (tmp_path / name).write_text(content)
    words = [word.format(few=tmp_path / "few", weights=tmp_path / "weights") for word in words]
    form = ["--format", "markdown" if command == "paper" else "json"]
    by_file = output(capsys, command, *files, *form, "--protocol", write(tmp_path, protocol))
    by_options = output(capsys, command, *files, *form, *words)
    if command == "paper":
        assert by_file.replace(" (given.toml)", "") == by_options
        assert by_file != output(capsys, command, *files, *form)
        return
    answer, expected = json.loads(by_file), json.loads(by_options)
    if "few" in protocol or "scope" in protocol:  # the same queries or weights, written in another way
        for each in (answer, expected):
            for name in ("queries", "weights", "line"):
                del each["protocol"][name]
    for each in (answer, expected):
        if "scope" in protocol:
            each.pop("notes", None)
    if "queries = [" in protocol:  # a list is no file
        assert expected["inputs"].pop()["role"] == "query_set"
    assert answer == expected
    assert answer != json.loads(output(capsys, command, *files, *form))


def test_an_option_changes_one_field_and_the_line_says_so(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    protocol = write(tmp_path, "measures = ['RR']\n[rules]\nlevel = 2\n[inference]\ntest = 'sign'\n")
    first = output(capsys, "compare", *files, "--protocol", protocol).splitlines()[0]
    assert first == (
        "30 queries · primary: RR · graded, level ≥ 2 · unjudged: unknown · Holm over 4 against base_1 · sign test "
        "(given.toml)"
    ) or first.replace("graded", "binary").endswith("(given.toml)")
    second = output(capsys, "compare", *files, "--protocol", protocol, "-l", "1").splitlines()[0]
    assert "level ≥ 1" in second
    assert "sign test" in second
    assert second.endswith(" (given.toml, with level changed)")
    third = output(capsys, "compare", *files, "-m", "RR").splitlines()[0]
    assert third.endswith("paired t")


def test_json_has_the_protocol_with_its_line(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    line = output(capsys, "compare", *files, "-m", "RR").splitlines()[0]
    protocol = json.loads(output(capsys, "compare", *files, "-m", "RR", "--format", "json"))["protocol"]
    assert protocol["line"] == line
    assert (protocol["comparisons"], protocol["baseline"]) == (4, "base_1")
    assert protocol["declared"] == ["measures"]


def test_plain_data_have_no_line(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("csv", "tsv"):
        assert output(capsys, "compare", *files, "-m", "RR", "--format", form).startswith("measure")
    assert "level" not in output(capsys, "evaluate", *files[:2], "--format", "trec")


def test_runs_that_take_part_are_those_of_the_protocol(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["-m", "RR", "--format", "json"]
    protocol = write(tmp_path, "[scope]\nruns = ['base_1', 'bad', 'fifth']\n")
    chosen = json.loads(output(capsys, "compare", *files, *words, "--protocol", protocol))
    some = [path for path in files if Path(path).name in ("qrels", "base_1", "bad", "fifth") or path == files[0]]
    assert chosen["tables"] == json.loads(output(capsys, "compare", *some, *words))["tables"]


@pytest.mark.parametrize("mode", [[], ["--jobs", "1"], ["--jobs", "2"], ["--in-blocks"]])
def test_evaluate_leaves_out_the_other_runs(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: list[str]
) -> None:
    """The other runs change no number: the best one of all, one that shares no id, and one that has further queries."""
    best = "".join(f"{query} Q0 rel 1 1 t\n" for query in range(40))
    for name, text in (("aaa", best), ("zzz", "0 Q0 nowhere 1 1 t\n")):
        (tmp_path / name).write_text(text)
    every = [*files, str(tmp_path / "aaa"), str(tmp_path / "zzz")]
    named = ["bad", files[1]]  # a name, and a path
    protocol = write(tmp_path, f"[rules]\nmissing = 'intersection'\n[scope]\nruns = {named}\n")
    some = [files[0], files[1], str(tmp_path / "bad")]
    for form in ("json", "csv", "trec"):
        if form == "trec" and mode:
            continue
        words = ["-m", "RR", "-m", "P@1", "-q", "--format", form]
        chosen = output(capsys, "evaluate", *every, *words, *mode, "--protocol", protocol)
        alone = output(capsys, "evaluate", *some, *words, "--missing", "intersection")
        if form == "json":
            left, right = json.loads(chosen), json.loads(alone)
            assert (left["tables"], left["notes"]) == (right["tables"], right["notes"])
            assert left["protocol"]["line"].endswith("2 runs chosen")
            result = irviewer.evaluate(every[0], every[1:], ["RR", "P@1"], protocol=protocol)
            assert result.protocol is not None
            assert result.protocol.line() == left["protocol"]["line"]
            assert [row["RR@1000"] if "RR@1000" in row else row["RR"] for row in left["tables"][-1]["rows"]] == list(
                result["RR"]
            )
        else:
            assert chosen == alone
    assert main.main(["evaluate", *every, *mode, "--protocol", write(tmp_path, "[scope]\nruns = ['bda']\n")]) == 2
    assert "there is no run bda; did you mean bad" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "protocol", "message"),
    [
        ("paper", "[rules]\nzscores = 'z'\n", "irviewer paper cannot follow zscores of the protocol"),
        ("report", "[rules]\nzscores = 'z'\n", "irviewer report cannot follow zscores of the protocol"),
        ("pool", "[scope]\nweights = 'traffic'\n", "irviewer pool cannot follow weights of the protocol"),
        (
            "compare",
            "[scope]\nunit = 'topic'\n",
            "unit is topic, and the queries have no attributes; give a table of them",
        ),
        ("compare", "[scope]\nbaseline = 'bda'\n", "there is no run bda; did you mean bad"),
        ("compare", "[rules]\nlevle = 2\n", "given.toml:2:1: a protocol has no key rules.levle"),
        ("compare", "[scope]\nqueries = 'hard'\n", "there is no query set hard"),
    ],
)
def test_refused(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, protocol: str, message: str
) -> None:
    words = ["-o", str(tmp_path / "report.html")] if command == "report" else []
    assert main.main([command, *files, *words, "--protocol", write(tmp_path, protocol)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_fields_that_change_nothing_are_no_fault(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    protocol = write(tmp_path, "measures = ['AP']\n[scope]\nbaseline = 'bad'\n[inference]\ntest = 'sign'\n")
    shown = output(capsys, "evaluate", *files, "--protocol", protocol)
    assert shown.replace(" (given.toml)", "") == output(capsys, "evaluate", *files, "-m", "AP")


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("compare", "--query-set FILE for the queries that count"),
        ("protocol", "--query-set FILE for the queries that count"),
        ("explain", "--texts FILE for the texts of queries; --query-set FILE for the queries that count"),
        ("report", "--texts FILE for the texts of queries; --query-set FILE for the queries that count"),
    ],
)
def test_the_old_name_of_query_sets_and_texts_names_the_new_one(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, options: str
) -> None:
    words = [] if command == "protocol" else [*files[:2]]
    assert main.main([command, *words, "--queries", str(tmp_path / "few")]) == 2
    assert capsys.readouterr().err == f"irviewer: there is no --queries any more; use {options}\n"


def test_a_set_is_named_behind_its_file(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sets = tmp_path / "sets"
    sets.write_text("1 odd\n2 even\n3 odd\n4 even\n5 odd\n6 even\n")
    words = ["compare", *files, "-m", "RR"]
    text = output(capsys, *words, "--query-set", f"{sets}#odd")
    assert text == output(capsys, *words, "--query-set", str(sets), "--set", "odd")
    assert text.startswith("3 of 30 queries (odd)")
    assert main.main([*words, "--query-set", f"{sets}#odd", "--set", "even"]) == 2
    assert "remove --set" in capsys.readouterr().err
    odd = tmp_path / "a#b"
    odd.write_text("1\n2\n")
    assert output(capsys, *words, "--query-set", str(odd)).startswith("2 of 30 queries")
