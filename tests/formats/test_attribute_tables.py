"""Tables of attributes of queries and of runs, in the shapes they come in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.attribute_tables import read_query_attributes, read_query_table, read_run_attributes

WANTED = {"language": ("category", {"1": "de", "2": "en"}), "hops": ("number", {"1": 2.0, "2": 3.0})}


def read(path: Path) -> dict[str, tuple[str, dict[str, object]]]:
    return {attribute.name: (attribute.kind, dict(attribute.values)) for attribute in read_query_attributes(str(path))}


@pytest.mark.parametrize(
    "text",
    [
        "query_id,language,hops\n1,de,2\n2,en,3\n",
        "language,qid,hops\nde,1,2\nen,2,3\n3x,3,\n".replace("3x,3,\n", ""),
        "\ufeffquery_id\tlanguage\thops\r\n1\tde\t2\r\n2\ten\t3\r\n",
        "# a remark\nquery_id,text,language,hops\n1,what is it,de,2\n2,who is it,en,3\n",
        '{"query_id": "1", "language": "de", "hops": 2}\n{"query_id": "2", "language": "en", "hops": 3}\n',
        '{"_id": "1", "text": "what", "metadata": {"language": "de", "hops": 2}}\n'
        '{"_id": "2", "text": "who", "metadata": {"language": "en", "hops": 3}}\n',
    ],
)
def test_the_shapes_of_a_table(text: str, tmp_path: Path) -> None:
    (tmp_path / "attributes").write_text(text)
    assert read(tmp_path / "attributes") == WANTED


def test_topics_with_fields(tmp_path: Path) -> None:
    (tmp_path / "topics.xml").write_text(
        '<topics><topic number="1"><query>a b</query><kind>short</kind></topic>'
        '<topic number="2"><query>c</query><kind>long</kind></topic></topics>'
    )
    assert read(tmp_path / "topics.xml") == {"kind": ("category", {"1": "short", "2": "long"})}


def test_texts_alone_are_a_table_without_attributes(tmp_path: Path) -> None:
    (tmp_path / "queries.tsv").write_text("1\twhat is it\n2\twho is it\n")
    with pytest.raises(ParseError, match="no column beside"):
        read(tmp_path / "queries.tsv")
    assert read_query_table(str(tmp_path / "queries.tsv")).text("2") == "who is it"


def test_keys_that_columns_have_already(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"_id": "1", "text": "a", "n": 1, "more": {"n": 2, "in": {"x": [1, 2]}}}\n')
    assert read(tmp_path / "q.jsonl") == {
        "n": ("number", {"1": 1.0}), "more.n": ("number", {"1": 2.0}), "in.x": ("category", {"1": "1, 2"}),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("query_id,a\n1,x\n1,y\n", "is repeated"),
        ("query_id,a,a\n1,x,y\n", "two columns"),
        ("query_id,a\n,x\n", "id is empty"),
        ("", "holds no text|empty|nothing"),
    ],
)
def test_what_is_no_table(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ParseError, match=reason):
        read_query_attributes(str(tmp_path / "a.csv"))


def runs(path: Path) -> dict[str, tuple[str, dict[str, object]]]:
    return {attribute.name: (attribute.kind, dict(attribute.values)) for attribute in read_run_attributes(str(path))}


RUNS = {
    "family": ("category", {"bm25": "sparse", "mono": "neural"}),
    "latency": ("number", {"bm25": 3.0, "mono": 80.5}),
}


def test_attributes_of_runs(tmp_path: Path) -> None:
    path = tmp_path / "runs"
    path.write_text("run,family,latency\nbm25,sparse,3\nmono,neural,80.5\n")
    assert runs(path) == RUNS
    path.write_text("family\tSystem\tlatency\nsparse\tbm25\t3\nneural\tmono\t80.5\n")
    assert runs(path) == RUNS
    records = [{"run": "bm25", "family": "sparse", "cost": {"latency": 3}},
               {"run": "mono", "family": "neural", "cost": {"latency": 80.5}}]  # fmt: skip
    path.write_text(json.dumps(records))
    assert runs(path) == RUNS
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert runs(path) == RUNS


@pytest.mark.parametrize(
    "text", ['[{"family": "x"}]', '{"run": "a", "x": 1}\n{"run": "a", "x": 2}\n', "{", '["a"]', '{"run": "a"}']
)
def test_what_is_no_table_of_runs(text: str, tmp_path: Path) -> None:
    (tmp_path / "runs.json").write_text(text)
    with pytest.raises(ParseError):
        read_run_attributes(str(tmp_path / "runs.json"))


def test_very_many_records_take_no_square_of_time(tmp_path: Path) -> None:
    """A corpus that was no corpus is tried as a table of runs: each of its ids was counted among all, for minutes."""
    path = tmp_path / "documents.jsonl"
    path.write_text("".join(f'{{"id": "d{number % 50_000}", "kind": "a"}}\n' for number in range(50_001)))
    with pytest.raises(ParseError, match="listed twice: d0;"):
        read_run_attributes(str(path))
