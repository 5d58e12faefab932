"""The command line, called as a function: every option, every format, and one clear line where something is wrong."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from irviewer.__main__ import main
from irviewer.cli.view import parse_view
from irviewer.formats.trec.run import read_run
from irviewer.measures.parser import split_measures

QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n10 0 z 1\n"
RUN = "1 Q0 x 1 4 tag\n1 Q0 a 2 3 tag\n1 Q0 b 3 2 tag\n1 Q0 c 4 1 tag\n10 Q0 z 1 1 tag\n2 Q0 a 1 5 tag\n"
PARTIAL = "1 Q0 a 1 3 short\n9 Q0 a 1 3 short\n"
TWICE = "1 Q0 a 1 3 t\n1 Q0 a 2 1 t\n1 Q0 x 3 2 t\n2 Q0 a 1 1 t\n10 Q0 a 1 1 t\n"


class Desk:
    """A folder of small files, and the program called on them."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        for name, text in {"qrels": QRELS, "full.run": RUN, "part.run": PARTIAL, "twice.run": TWICE}.items():
            (folder / name).write_text(text)

    def call(self, *words: str) -> tuple[int, str, str]:
        """(exit status, standard output, standard error)."""
        status = main(list(words))
        out, err = self._capsys.readouterr()
        return status, out, err

    def good(self, *words: str) -> str:
        status, out, err = self.call(*words)
        assert (status, err) == (0, "")
        return out

    def bad(self, *words: str) -> str:
        """The one line of complaint."""
        status, out, err = self.call(*words)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1, err
        return err


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path, capsys)


def values(text: str) -> dict[tuple[str, str], str]:
    """(measure, query) -> value of trec_eval's lines."""
    cells = [line.split("\t") for line in text.splitlines()]
    return {(name.rstrip(), query): value for name, query, value in cells}


def test_trec_evals_own_output_line_for_line(desk: Desk, samples: Path, small: Path) -> None:
    trec = samples / "trec"
    out = desk.good("evaluate", str(trec / "qrels.test"), str(trec / "results.test"), "--format", "trec")
    assert out == (small / "trec_eval" / "out.test").read_text()


def test_the_shape_of_trec_lines(desk: Desk) -> None:
    out = desk.good(
        "evaluate", "qrels", "full.run", "-q", "-m", "P.1,2", "-m", "num_q", "-m", "map", "--format", "trec"
    )
    assert out == (
        "map                   \t1\t0.5000\nP_1                   \t1\t0.0000\nP_2                   \t1\t0.5000\n"
        "map                   \t10\t1.0000\nP_1                   \t10\t1.0000\nP_2                   \t10\t0.5000\n"
        "map                   \t2\t1.0000\nP_1                   \t2\t1.0000\nP_2                   \t2\t0.5000\n"
        "num_q                 \tall\t3\nmap                   \tall\t0.8333\n"
        "P_1                   \tall\t0.6667\nP_2                   \tall\t0.5000\n"
    )


def test_measures_that_trec_eval_lacks_come_last(desk: Desk) -> None:
    out = desk.good(
        "evaluate", "qrels", "full.run", "-m", "nDCG(dcg='exp-log2')@2 P@1 Judged@2 map", "--format", "trec"
    )
    names = [line.split("\t")[0].rstrip() for line in out.splitlines()]
    assert names == ["map", "P_1", "nDCG(dcg='exp-log2')@2", "Judged@2"]


def test_several_runs_one_after_the_other(desk: Desk) -> None:
    out = desk.good("evaluate", "qrels", "full.run", "part.run", "-c", "-m", "P_1", "--format", "trec")
    assert out == (
        "runid                 \tall\ttag\nP_1                   \tall\t0.6667\n"
        "runid                 \tall\tshort\nP_1                   \tall\t0.3333\n"
    )


def test_trec_eval_refuses_where_queries_are_missing(desk: Desk) -> None:
    err = desk.bad("evaluate", "qrels", "part.run", "--format", "trec")
    assert "run part lacks 2 queries of the qrels: 10, 2;" in err
    assert "-c" in err
    out = desk.good("evaluate", "qrels", "part.run", "--format", "trec", "-c", "-q", "-m", "map", "-m", "num_q")
    assert values(out) == {("map", "1"): "0.5000", ("map", "10"): "0.0000", ("map", "2"): "0.0000",
                           ("num_q", "all"): "3", ("map", "all"): "0.1667"}  # fmt: skip
    out = desk.good("evaluate", "qrels", "part.run", "--format", "trec", "--missing", "intersection", "-m", "map")
    assert values(out) == {("map", "all"): "0.5000"}


@pytest.mark.parametrize("shape", ["table", "csv", "tsv", "json", "markdown"])
def test_elsewhere_missing_queries_count_as_zero_and_are_named(desk: Desk, shape: str) -> None:
    status, out, err = desk.call("evaluate", "qrels", "part.run", "--format", shape, "-m", "AP")
    assert status == 0
    assert "run part lacks 2 queries (10, 2) of the qrels: counted as 0" in (err if shape in ("csv", "tsv") else out)
    assert "0.1667" in out or "0.16666" in out
    status, out, err = desk.call(
        "evaluate", "qrels", "part.run", "--format", shape, "-m", "AP", "--missing", "intersection"
    )
    assert status == 0
    assert "run part lacks 2 queries (10, 2) of the qrels: left out" in (err if shape in ("csv", "tsv") else out)
    assert "0.5" in out


def test_csv_and_tsv(desk: Desk) -> None:
    for shape, sign in (("csv", ","), ("tsv", "\t")):
        words = ("evaluate", "qrels", "full.run", "-m", "AP", "-m", "num_ret", "--format", shape)
        (row,) = csv.DictReader(io.StringIO(desk.good(*words)), delimiter=sign)
        assert row["run"] == "full"
        assert float(row["AP"]) == pytest.approx(2.5 / 3, abs=1e-15)
        status, out, err = desk.call(*words, "-q")
        assert (status, err) == (0, "irviewer: note: this is the table queries; --table names another: means\n")
        rows = {row["query"]: row for row in csv.DictReader(io.StringIO(out), delimiter=sign)}
        assert (rows["1"]["NumRet"], len(rows)) == ("4", 3)


def test_json(desk: Desk) -> None:
    status, out, _ = desk.call(
        "evaluate", "qrels", "full.run", "part.run", "-q", "-m", "AP", "-l", "2", "--format", "json"
    )
    assert status == 0
    data = json.loads(out)
    assert data["protocol"]["level"] == 2
    (missing,) = (note["values"] for note in data["notes"] if note["code"] == "missing")
    assert missing == {"run": "part", "queries": ["10", "2"]}
    queries, means = data["tables"]
    assert [column["key"] for column in means["columns"]] == ["run", "AP(rel=2)"]
    values = {row["query"]: row["AP(rel=2)"] for row in queries["rows"] if row["run"] == "full"}
    assert values == {"1": 0.5, "10": 0.0, "2": 0.0}


def test_table_and_markdown(desk: Desk) -> None:
    out = desk.good("evaluate", "qrels", "full.run", "-m", "AP")
    assert out.partition("\n\n")[2].split() == ["Means", "run", "AP", "full", "0.8333"]
    out = desk.good("evaluate", "qrels", "full.run", "-q", "-m", "AP", "--format", "markdown")
    assert out.splitlines()[4:7] == ["| run | query | AP |", "| :-- | :-- | --: |", "| full | 1 | 0.5000 |"]


def test_the_options_of_the_numbers(desk: Desk) -> None:
    def mean(*words: str) -> str:
        return values(desk.good("evaluate", "qrels", "full.run", "-m", "map", "--format", "trec", *words))[
            ("map", "all")
        ]

    assert mean() == "0.8333"
    assert mean("-J") == "0.9444"
    assert mean("-M", "2") == "0.7500"
    out = desk.good("evaluate", "qrels", "full.run", "-m", "map", "-l", "2", "--format", "trec")
    assert values(out) == {("map", "all"): "0.1667"}
    assert desk.good("evaluate", "qrels", "full.run", "-m", "AP", "-l", "0.5").split()[-1] == "0.8333"


def test_without_a_measure_it_is_official(desk: Desk) -> None:
    lines = desk.good("evaluate", "qrels", "full.run", "--format", "trec").splitlines()
    assert len(lines) == 30
    assert lines[0] == "runid                 \tall\ttag"


def test_duplicates(desk: Desk) -> None:
    err = desk.bad("evaluate", "qrels", "twice.run")
    assert "twice.run:2: document a of query 1 is repeated (lines 1 and 2)" in err
    for policy, value in (("first", "1.0000"), ("last", "0.5000"), ("best", "1.0000")):
        out = desk.good("evaluate", "qrels", "twice.run", "--duplicates", policy, "-q", "-m", "RR", "--format", "trec")
        assert values(out)[("recip_rank", "1")] == value


def test_output_to_a_file(desk: Desk) -> None:
    assert desk.good("evaluate", "qrels", "full.run", "-m", "AP", "--format", "csv", "-o", "out.csv") == ""
    assert (desk.folder / "out.csv").read_text().splitlines()[0] == "run,AP"
    assert (desk.folder / "out.csv.protocol.toml").read_text().startswith("# 3 queries · ")
    err = desk.bad("evaluate", "qrels", "full.run", "-o", "nowhere/out.csv")
    assert "nowhere" in err


def test_trec_evals_measure_stands_for_nine_cutoffs(desk: Desk) -> None:
    assert len(desk.good("evaluate", "qrels", "full.run", "-m", "P").splitlines()[3].split()) == 10


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["evaluate"], "QRELS"),
        (["evaluate", "qrels"], "RUN"),
        (["evaluate", "qrels", "absent.run"], "absent.run: the file does not exist"),
        (["evaluate", "absent", "full.run"], "absent: the file does not exist"),
        (["evaluate", "full.run", "full.run"], "this looks like a run, not like qrels"),
        (["evaluate", "qrels", "qrels"], "qrels:1:8: 4 columns; a TREC run has 6"),
        (["evaluate", "qrels", "full.run", "-m", "nDGC@10"], "nDCG"),
        (["evaluate", "qrels", "full.run", "-m", "P@inf"], "P@inf"),
        (["evaluate", "qrels", "full.run", "-m", "P@nan"], "P@nan"),
        (["evaluate", "qrels", "full.run", "-m", "AP(rel=2"], "AP(rel=2"),
        (["evaluate", "qrels", "full.run", "-m", "AP(relevance=2)"], "no parameter 'relevance'"),
        (["evaluate", "qrels", "full.run", "-m", "ERR(max_rel=1)@5"], "grade of 2"),
        (["evaluate", "qrels", "full.run", "-m", ""], "measure"),
        (["evaluate", "qrels", "full.run", "-l", "high"], "'high' is not a grade"),
        (["evaluate", "qrels", "full.run", "-l", "inf"], "'inf' is not a grade"),
        (["evaluate", "qrels", "full.run", "-l", "-1"], "rel"),
        (["evaluate", "qrels", "full.run", "-M", "0"], "depth"),
        (["evaluate", "qrels", "full.run", "-M", "many"], "many"),
        (["evaluate", "qrels", "full.run", "--format", "xml"], "xml"),
        (["evaluate", "qrels", "full.run", "-c", "--missing", "intersection"], "-c counts missing queries as 0"),
        (["check", "absent"], "does not exist"),
        (["measures", "nDGC"], "nDCG"),
        (["curves", "qrels", "full.run", "--query", "7"], "query 7 is not in the qrels"),
        (["curves", "qrels", "full.run", "--kind", "prf"], "--query"),
        (["curves", "qrels", "full.run", "--depth", "0"], "--depth is 0"),
        (["curves", "qrels", "full.run", "-o", "nowhere/x.pdf"], "nowhere"),
        (["view", "--size", "big"], "big"),
        (["--place", "moon"], "moon"),
        (["--place", "systems:views:slices"], "systems:views:slices"),
    ],
)
def test_one_clear_line_and_two(desk: Desk, words: list[str], message: str) -> None:
    assert message in desk.bad(*words)


@pytest.mark.parametrize(
    "words", [["--help"], ["evaluate", "--help"], ["curves", "--help"], ["--version"], ["view", "--help"]]
)
def test_help_is_no_error(desk: Desk, words: list[str]) -> None:
    status, out, err = desk.call(*words)
    assert (status, err) == (0, "")
    assert "irviewer" in out


def test_measures_lists_and_explains(desk: Desk) -> None:
    out = desk.good("measures")
    for part in ("AP(rel=1, judged_only=False)@k?", "ndcg", "official", "SearchLength"):
        assert part in out
    out = desk.good("measures", "nDCG@10", "map", "RBP(p=0.9)")
    for part in ("nDCG@10: ", "AP: ", "RBP(p=0.9): ", "rewards", "ignores", "Moffat"):
        assert part in out


def test_check_tells_of_every_file(desk: Desk) -> None:
    out = desk.good("check", "full.run", "qrels", "part.run", "twice.run")
    for part in ("full.run: TREC run", "qrels: TREC qrels", "2 queries of the qrels are not in the run: 2, 10",
                 "1 query of the run is not in the qrels", "the best is kept"):  # fmt: skip
        assert part in out
    (desk.folder / "bad.run").write_text("1 Q0 a 1 2,5 t\n")
    status, out, err = desk.call("check", "full.run", "bad.run")
    assert status == 2
    assert "full.run: TREC run" in out
    assert err.count("\n") == 1


def test_curves_as_text(desk: Desk) -> None:
    rows = list(csv.reader(io.StringIO(desk.good("curves", "qrels", "full.run", "--kind", "pr11"))))
    assert rows[0] == ["run", "recall", "precision: max P(k) with >= lround(rR) found"]
    assert len(rows) == 12
    assert [float(cell) for cell in rows[1][1:]] == pytest.approx([0, 2.5 / 3])
    headings = {
        words: desk.good("curves", "qrels", "full.run", *words.split()).splitlines()[0].split(",")[2]
        for words in ("--kind pr", "--kind pr -q 1", "--kind pr11 --dialect textbook", "--kind pr11 --dialect ranx",
                      "--kind pr --dialect ranx", "--kind pr-raw -q 1")
    }  # fmt: skip
    exact, up = "precision: max P(k) with R(k) >= r", "precision: max P(k) with >= int(rR + .9) found"
    assert list(headings.values()) == [exact, exact, exact, up, exact, "precision"]
    data = json.loads(desk.good("curves", "qrels", "full.run", "--kind", "prf", "--query", "1", "--depth", "4",
                                 "--format", "json"))  # fmt: skip
    (points,) = data["tables"]
    assert points["name"] == "points"
    assert {"run": "full · P", "rank": 4, "value": 0.5} in points["rows"]
    out = desk.good("curves", "qrels", "full.run", "--kind", "dcg", "--query", "1", "--depth", "2", "--format", "tsv")
    assert [line.split("\t")[:2] for line in out.splitlines()[1:]] == [
        ["full", "1"], ["full", "2"], ["ideal", "1"], ["ideal", "2"],
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["pr", "pr-raw", "pr11", "dcg", "cg", "ndcg", "prf"])
def test_every_kind_of_curve(desk: Desk, kind: str) -> None:
    words = ["curves", "qrels", "full.run", "part.run", "--kind", kind]
    for query in ("1", "2", None):
        wanted = query is None if kind == "pr11" else query is not None or kind in ("pr", "dcg", "ndcg")
        if wanted:
            status, out, said = desk.call(*words, *(["--query", query] if query else []))
            assert status == 0
            assert ("part lacks" in said) == (query != "1"), "of the query that is drawn"
            assert out.count("\n") > 1
            assert "nan" not in out


@pytest.mark.parametrize(("suffix", "begin"), [("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_curves_drawn(desk: Desk, suffix: str, begin: bytes) -> None:
    assert desk.good("curves", "qrels", "full.run", "part.run", "-o", f"x.{suffix}") == ""
    data = (desk.folder / f"x.{suffix}").read_bytes()
    assert data.startswith(begin)
    assert len(data) > 2000


def test_measures_may_be_given_in_one_option() -> None:
    assert split_measures(["P@5 AP", "nDCG(gains={1: 2, 2: 5}, dcg='jk')@10\tRR"]) == [
        "P@5", "AP", "nDCG(gains={1: 2, 2: 5}, dcg='jk')@10", "RR",
    ]  # fmt: skip
    assert split_measures(["AP(rel=2 P"]) == ["AP(rel=2 P "]


def test_what_the_window_is_asked_for() -> None:
    view = parse_view(["a.run", "q.txt", "--place", "query", "--query", "7", "--size", "1280x800", "--sample"])
    assert view["paths"] == ("a.run", "q.txt")
    assert (view["place"], view["query"], view["size"], view["sample"]) == ("query", "7", (1280, 800), "fables")


def test_two_files_of_one_name(desk: Desk) -> None:
    (desk.folder / "other").mkdir()
    (desk.folder / "other" / "full.run").write_text(RUN)
    out = desk.good("evaluate", "qrels", "full.run", "other/full.run", "-m", "AP", "--format", "csv")
    assert [row.split(",")[0] for row in out.splitlines()[1:]] == ["full", "other/full"]
    assert read_run("other/full.run").name == "full"


def test_the_name_of_the_run_where_trec_eval_prints_it(desk: Desk) -> None:
    lines = desk.good("evaluate", "qrels", "full.run", "-m", "runid", "-m", "AP@ 5", "--format", "trec").splitlines()
    assert [line.split() for line in lines] == [["runid", "all", "tag"], ["map_cut_5", "all", "0.8333"]]
    assert "--format trec prints it" in desk.bad("evaluate", "qrels", "full.run", "-m", "runid")
