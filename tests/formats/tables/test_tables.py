"""Tables with named columns: which column is what, faults with their line, several runs in a file, components."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from irviewer.errors import OptionError, ParseError
from irviewer.formats.load import Loaded, load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import format_named
from irviewer.model import column_names
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def read(text: str, path: str = "x.csv", **choices: str) -> Loaded:
    return load_opened(Opened(path, text.encode(), "", "utf-8"), **choices)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("header", "row", "kind"),
    [
        ("qid,docno,rank,score,query", "1,a,0,2.5,heat", "run"),  # PyTerrier
        ("qid,docno,label", "1,a,1", "qrels"),
        ("query_id,doc_id,relevance,iteration", "1,a,1,0", "qrels"),  # ir_datasets
        ("query_id,doc_id,score", "1,a,2.5", "run"),
        ("query,q0,docid,rank,score,system", "1,Q0,a,1,2.5,x", "run"),  # trectools
        ("query,q0,docid,rel", "1,0,a,1", "qrels"),
        ("query;docid;rating", "1;a;1", "qrels"),
        ("Query ID|Doc-ID|Rank", "1|a|1", "run"),
        ("query-id\tcorpus-id\tscore", "1\ta\t1", "qrels"),  # BEIR
    ],
)
def test_headers_in_use(header: str, row: str, kind: str) -> None:
    loaded = read(f"{header}\n{row}\n")
    assert loaded.kind == kind
    assert "header" in loaded.report.reason
    value = loaded.value
    assert isinstance(value, Run | Qrels)
    assert value.query_ids == ("1",)
    assert value.doc_ids.to_pylist() == ["a"]


def test_a_score_of_whole_numbers_is_a_guess() -> None:
    assert read("qid,docno,score\n1,a,2\n").kind == "qrels"
    assert read("qid,docno,score\n1,a,2\n", path="my.run.csv").kind == "run"
    assert read("qid,docno,score\n1,a,2\n", kind="run").kind == "run"
    assert "a guess" in read("qid,docno,score\n1,a,2\n").report.reason


def test_a_score_that_the_user_named_is_no_guess() -> None:
    """Whole numbers of the column that --columns calls the score are not grades."""
    opened = Opened("x.csv", b"topic,chunk,s\nq1,a,1\nq1,b,2\n", "", "utf-8")
    loaded = load_opened(opened, columns=column_names.ColumnChoice({"query": "topic", "doc": "chunk", "score": "s"}))
    assert isinstance(loaded.value, Run)
    assert loaded.value.ranking("q1") == ["b", "a"]
    assert "a guess" not in loaded.report.reason


def test_texts_with_a_header_stay_texts() -> None:
    assert read("id\ttext\n1\theat\n").kind == "queries"


def test_components_and_quotation_marks() -> None:
    text = 'qid,docno,score,bm25,dense,title\n"heat, slow",a,1.5,7,0.25,"x\ny"\n"heat, slow",b,2.5,3,0.5,z\n'
    run = read(text).value
    assert isinstance(run, Run)
    assert run.ranking("heat, slow") == ["b", "a"]
    components = {name: values.tolist() for name, values in run.ranking_components("heat, slow").items()}
    assert components == {"bm25": [3, 7], "dense": [0.5, 0.25]}


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("qid,docno,score\n1,a,x\n", 2, 'score is "x"'),
        ("qid,docno,score\n\n1,a,2.5\n\n1,b,\n", 5, "score is empty"),
        ('qid,docno,score\n1,a,"1,5"\n', 2, "write decimals with a point"),
        ("qid,docno,score\n1,a,2.5\n1,a,2.5,7\n", 3, "4 columns, but the header has 3"),
        ("qid,docno,score\n1,a,2.5\n1,b,1.5\n1,a,2.5\n", 4, r"is repeated (lines 2 and 4)"),
        ("qid,docno,score\r\n1,a,2.5\r\n\r\n,b,2.5\r\n", 4, "query id is empty"),
        ("# made\nqid,docno,score\n1,a,2.5\n1,,2.5\n", 4, "document id is empty"),
        ("qid,docno,rank\n1,a,1\n1,b,1.5\n", 3, "1.5, which is not a rank"),
        ("qid,docno,score,score\n1,a,2.5,1\n", 1, "two columns are named 'score'"),
        ("qid,docno,score\n", 0, "has no documents"),
    ],
)
def test_faults_have_a_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text, kind="run")
    assert caught.value.line == line
    assert reason in caught.value.message


def test_a_header_that_says_nothing() -> None:
    with pytest.raises(
        ParseError, match=r"header does not name.*name the columns query_id, doc_id and relevance"
    ) as caught:
        read("a,b,c\n1,2,3\n", format="csv", kind="qrels")
    assert caught.value.line == 1


def test_unjudged_rows_are_counted() -> None:
    loaded = read("query,docid,rating\nheat,a,1\nheat,b,\nflow\n")
    assert isinstance(loaded.value, Qrels)
    assert loaded.value.judgments("heat") == {"a": 1}
    assert "2 rows have no rating: left out (lines 3, 4)" in loaded.report.warnings


def test_several_runs_in_one_file() -> None:
    text = "run,qid,docno,score\nA,1,a,2.5\nB,1,b,2.5\n"
    loaded = read(text)
    assert isinstance(loaded.value, Run)
    assert (loaded.value.name, loaded.value.ranking("1")) == ("A", ["a"])
    assert any("the file has 2 runs" in warning for warning in loaded.report.warnings)
    other = read(text, part="B").value
    assert isinstance(other, Run)
    assert other.ranking("1") == ["b"]
    with pytest.raises(ParseError, match=r"--part is one of: A, B"):
        read(text, part="C")


@pytest.mark.parametrize("name", ["csv", "tsv", "beir"])
def test_what_is_written_reads_back(name: str) -> None:
    file_format = format_named(name)
    assert file_format.write is not None
    qrels = Qrels.from_dict({"q, 1": {"a": 2, 'b "x"': 0}})
    again = read(file_format.write(qrels).decode()).value
    assert isinstance(again, Qrels)
    assert again.judgments("q, 1") == {"a": 2, 'b "x"': 0}
    run = Run.from_dict({"q": {"a": 0.1, "b": 1e300}})
    if file_format.writes("run"):
        back = read(file_format.write(run).decode()).value
        assert isinstance(back, Run)
        assert back.scores.tolist() == [1e300, 0.1]
    else:
        with pytest.raises(OptionError, match="JSON"):
            file_format.write(run)


def test_parquet_of_other_types(tmp_path: Path) -> None:
    table = pa.table(
        {
            "qid": pa.array([1, 1, 2]),
            "docno": pa.array(["a", "b", "a"]).dictionary_encode(),
            "score": pa.array([0.5, 1.5, 2.5], pa.float32()),
            "dense": pa.array([1, 2, 3]),
        }
    )
    path = tmp_path / "x.parquet"
    pq.write_table(table, path)
    run = load(path).value
    assert isinstance(run, Run)
    assert run.ranking("1") == ["b", "a"]
    assert run.ranking_components("1")["dense"].tolist() == [2, 1]
    with pa.OSFile(str(tmp_path / "x.arrows"), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    again = load(tmp_path / "x.arrows")
    assert (again.kind, again.report.format) == ("run", "Arrow run")


def test_broken_and_nameless_tables(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": [1], "b": [2]}), path)
    with pytest.raises(ParseError, match=r"have unknown names: a, b; name the columns"):
        load(path)
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(ParseError, match=r"damaged.*download or write the file again"):
        load(path)
    pq.write_table(pa.table({"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.5, None]}), path)
    with pytest.raises(ParseError, match="row 2: score is empty"):
        load(path)


def test_beir_qrels_of_real_data(data: Path) -> None:
    loaded = load(data / "format-variants" / "beir.qrels.tsv")
    assert loaded.report.reason == "BEIR's header: query-id, corpus-id, score"


def test_a_header_of_a_million_names_is_refused_before_they_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []
    plain = column_names.plain_name
    monkeypatch.setattr(column_names, "plain_name", lambda name: compared.append(name) or plain(name))
    path = tmp_path / "wide.csv"
    path.write_text("query_id,doc_id,score," + "a," * 50_000 + "\n1,d,2\n")
    with pytest.raises(ParseError, match="the header has 50,004 columns, more than a table"):
        load(path)
    assert 0 < len(compared) < 30 * 10_001


@pytest.mark.parametrize("mark", [",", "\t", ";"])
@pytest.mark.parametrize("last", ["q2,b,1", '"q2",b,1', "q2,b,1,", '"q2\n",b,1'])
def test_rows_of_empty_cells_are_left_out(mark: str, last: str) -> None:
    """By Arrow, which reads tables that are regular, as by the line. Spreadsheets write such rows."""
    header, rows = "query_id,doc_id,score,tag", ["q1,a,2.5,", ",,,", " , ,,", last]
    text = "\n".join([header, *rows, ",,,", ""]).replace(",", mark)
    run = read(text).value
    assert isinstance(run, Run)
    assert [query.strip() for query in run.query_ids] == ["q1", "q2"]
    assert run.scores.tolist() == [2.5, 1]
    with pytest.raises(ParseError, match="score is empty") as caught:
        read(text.replace(f" {mark} {mark}{mark}", f"q3{mark}{mark}{mark}"))
    assert caught.value.line == 4
