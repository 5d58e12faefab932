"""Nested JSON and wide tables as runs and qrels: each tool's shape, the user's paths, faults with their place."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irviewer
from irviewer.api.sources import read_runs
from irviewer.errors import ColumnsError, DuplicateError, OptionError, ParseError
from irviewer.formats.blocks.sources import blocks_of
from irviewer.formats.json.mapped import _Reader, begun_value
from irviewer.formats.json_paths import Found
from irviewer.formats.load import Loaded, load, load_opened
from irviewer.formats.preview import preview
from irviewer.formats.reading.opener import Opened
from irviewer.model.column_names import ColumnChoice, header_key, parse_columns
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable


def read(text: str, columns: str = "", path: str = "x.json", **choices: str) -> Loaded:
    choice = ColumnChoice(parse_columns(columns)) if columns else None
    return load_opened(Opened(path, text.encode(), "", "utf-8"), columns=choice, **choices)  # type: ignore[arg-type]


def lists(loaded: Loaded) -> dict[str, list[tuple[str, float]]]:
    assert isinstance(loaded.value, Run)
    return {
        query: list(zip(loaded.value.ranking(query), loaded.value.ranking_scores(query).tolist(), strict=True))
        for query in loaded.value.query_ids
    }


UUIDS = ("e76ec9ae-1b84-4995-939a-1365b2215312", "2f3b6c1d-7f0e-4a57-8a39-60f4a7f0c9d1")
TOOLS = [
    ("solr.json", "solr", {"red guitar": [("MA147LL/A", 2.5), ("TWINX2048-3200PRO", 1.25)]}),
    ("solr_lines.jsonl", "solr", {"1": [("a", 1), ("b", 0.5)]}),
    ("hybrid_export.json", "search-relevance", {"tv": [("d2", 1), ("d9", 0.5)], "laptop": [("d4", 1)]}),
    ("search_relevance_pairs.json", "search-relevance", {"tv": [("d2", 1), ("d9", 0.5)]}),
    ("dpr.json", "dpr", {"who sings it": [("wiki:7", 78.9), ("wiki:3", 70.1)], "when was it": [("wiki:3", 66.6)]}),
    ("dpr_pyserini.json", "dpr", {"0": [("7", 78.9)], "1": [("3", 66.6)]}),
    ("langchain.jsonl", "langchain", {"red guitar": [("c7", 1), ("c2", 0.5)], "amp": [("c9", 1)]}),
    ("langchain_documents.json", "langchain", {"langchain_documents": [("a.pdf", 1), ("b.pdf", 0.5)]}),
    ("langchain_dumped.json", "langchain", {"langchain_dumped": [("c7", 1), ("c2", 0.5)]}),
    ("langchain_scored.json", "langchain", {"langchain_scored": [("c7", 0.81), ("c2", 0.42)]}),
    ("vespa.json", "vespa", {"vespa": [("id:shop:item::7", 0.9), ("id:shop:item::2", 0.4)]}),
    ("chroma.json", "chroma", {"1": [("a", -0.2), ("b", -0.7)], "2": [("c", -0.5)]}),
    ("pinecone.json", "pinecone", {"pinecone": [("vec-1", 0.91), ("vec-4", 0.32)]}),
    ("pinecone_search.json", "pinecone", {"pinecone_search": [("rec3", 0.82), ("rec1", 0.77)]}),
    ("qdrant.json", "qdrant", {"qdrant": [("4", 0.56), ("936da01f-9abd-4d9d-80c7-02af85c822a8", 0.5)]}),
    ("qdrant_query.json", "qdrant", {"qdrant_query": [("4", 0.56), ("2", 0.4)]}),
    ("qdrant_batch.json", "qdrant", {"1": [("4", 0.56)], "2": [("2", 0.4), ("4", 0.1)]}),
    ("weaviate.json", "weaviate", {"weaviate": [(UUIDS[0], -0.12), (UUIDS[1], -0.34)]}),
    ("weaviate_bm25.json", "weaviate", {"weaviate_bm25": [(UUIDS[0], 2.5), (UUIDS[1], 0.5)]}),
    ("llamaindex.json", "llamaindex", {"llamaindex": [("n7", 0.83), ("n2", 0.61)]}),
    ("llamaindex_responses.jsonl", "llamaindex", {"red guitar": [("n7", 0.83)], "amp": [("n2", 0.5), ("n7", 0.2)]}),
    ("results.jsonl", "results", {"1": [("a", 1.5), ("b", 0.5)], "3": [("a", 2)]}),
    ("wide.csv", "wide", {"q1": [("a", 1), ("b", 1 / 2), ("c", 1 / 3)], "q2": [("b", 1)],
                          "q, 3": [("c", 1), ("a", 1 / 2), ("b", 1 / 3)]}),
]  # fmt: skip


@pytest.mark.parametrize(("file", "format_", "expected"), TOOLS, ids=[tool[0] for tool in TOOLS])
def test_a_tools_shape_is_read(
    small: Path, file: str, format_: str, expected: dict[str, list[tuple[str, float]]]
) -> None:
    path = small / "mapped" / file
    assert lists(load(path)) == expected
    assert lists(load(path, format=format_)) == expected
    assert lists(load(path, kind="run")) == expected


def test_each_variant_of_an_export_is_a_run(small: Path) -> None:
    path = small / "mapped" / "hybrid_export.json"
    assert any("the file has 2 runs" in warning for warning in load(path).report.warnings)
    other = load(path, part="combination=rrf, rank_constant=60")
    assert lists(other) == {"tv": [("d9", 1), ("d2", 0.5)], "laptop": [("d5", 1), ("d4", 0.5)]}
    assert [run.name for run in read_runs(path)] == [
        "combination=arithmetic_mean, normalization=min_max, weights=0.3;0.7", "combination=rrf, rank_constant=60",
    ]  # fmt: skip
    with pytest.raises(ParseError, match="no run is named 'x'; --part is one of: combination=arith"):
        load(path, part="x")


def test_tevatrons_positive_passages_are_qrels(small: Path) -> None:
    loaded = load(small / "mapped" / "tevatron.jsonl")
    assert isinstance(loaded.value, Qrels)
    assert loaded.value.query_ids == ("1", "2")
    assert sorted(loaded.value.doc_ids.to_pylist()) == ["7", "8", "9"]
    assert any("grade 1" in str(note) for note in loaded.report.findings)


@pytest.mark.parametrize("name", ["docid", "docno", "product_id", "item_id", "asin", "id"])
def test_results_name_documents_as_shops_do(name: str) -> None:
    items = [{name: "b", "price": 3, "score": 0.5}, {name: "a", "price": 1, "score": 1.5}]
    loaded = read(json.dumps([{"query": "lamp", "results": items}]))
    assert lists(loaded) == {"lamp": [("a", 1.5), ("b", 0.5)]}


def test_inner_hits_are_said_and_ranked_by_their_paths(small: Path) -> None:
    path = small / "mapped" / "inner_hits.json"
    loaded = load(path)
    assert lists(loaded) == {"inner_hits": [("b1", 2), ("b2", 1)]}
    assert any("1 response has inner hits" in warning for warning in loaded.report.warnings)
    assert any("in place of ._id" in warning for warning in loaded.report.warnings)
    inner = "hits.hits[].inner_hits.*.hits.hits[]"
    with pytest.raises(DuplicateError, match="document b1 of query inner_hits is repeated"):
        irviewer.read_run(path, columns={"doc": f"{inner}._id", "score": f"{inner}._score"})
    run = irviewer.read_run(path, columns={"doc": f"{inner}._source.chunk_id", "score": f"{inner}._score"})
    assert run.ranking("inner_hits") == ["b1#1", "b1#0", "b2#4"]


RESPONSE = (
    '{"results": [{"query": {"id": "q1"}, "hits": [{"id": "a", "s": 1.5, "g": 2}, {"id": "b", "s": 2.5, "g": 0}]},\n'
    ' {"query": {"id": "q2"}, "hits": []}]}'
)


def test_paths_of_the_user() -> None:
    loaded = read(RESPONSE, "rows=results[],query=query.id,doc=hits[].id,score=hits[].s")
    assert lists(loaded) == {"q1": [("b", 2.5), ("a", 1.5)]}
    assert any("1 query has no documents" in str(note) for note in loaded.report.findings)
    assert "rows=results[],doc=hits[].id,query=query.id,score=hits[].s" in loaded.report.reason
    assert lists(read(RESPONSE, "query=results[].query.id,doc=results[].hits[].id")) == {"q1": [("a", 1), ("b", 0.5)]}
    judged = read(RESPONSE, "rows=results[],query=query.id,doc=hits[].id,relevance=hits[].g").value
    assert isinstance(judged, Qrels)
    assert dict(zip(judged.doc_ids.to_pylist(), judged.grades.tolist(), strict=True)) == {"a": 2, "b": 0}
    distant = read(RESPONSE, "rows=results[],query=query.id,doc=hits[].id,distance=hits[].s")
    assert lists(distant) == {"q1": [("a", -1.5), ("b", -2.5)]}


def test_the_first_path_that_is_there_is_used() -> None:
    assert lists(read(RESPONSE, "rows=results[],query=qid|query.id,doc=hits[].docid|hits[].id,score=hits[].s")) == {
        "q1": [("b", 2.5), ("a", 1.5)]
    }


def test_plain_names_with_points_stay_columns() -> None:
    """A table's own column is meant before a path."""
    loaded = read("q.id,hit.id,s.x\n1,a,2.5\n1,b,1\n", "query=q.id,doc=hit.id,score=s.x", "x.csv")
    assert lists(loaded) == {"1": [("a", 2.5), ("b", 1)]}


@pytest.mark.parametrize(
    ("text", "columns", "reason", "place"),
    [
        ('{"r": [{"q": "1",\n "h": [{"id": "a", "s": "x"}]}]}', "rows=r[],query=q,doc=h[].id,score=h[].s",
         '"x" is not a number', (2, 25)),
        ('{"r": [{"q": "1",\n "h": [{"id": null}]}]}', "rows=r[],query=q,doc=h[].id", "no document id", (2, 15)),
        ('{"r": [{"q": "1",\n "h": [{"id": true}]}]}', "rows=r[],query=q,doc=h[].id", "is not a text", (2, 15)),
        ('{"r": [{"q": "1",\n "h": [{"id": "a"}, {"x": 1}]}]}', "rows=r[],query=q,doc=h[].id",
         "an item has no document: nothing is at id", (2, 21)),
        ('{"r": [{"q": {},\n "h": [{"id": "a"}]}]}', "rows=r[],query=q,doc=h[].id", "query id is not a text", (1, 14)),
        ('{"r": [{"q": "1", "h": [{"id": "a"}]}]}', "rows=r[],query=q,doc=h[].id,score=h[].s",
         "document a has no score: nothing is at h[].s", (1, 32)),
        ('{"q": "1", "h": [{"id": "a"}]}\n{"q": "2", "h": [{"id": []}]}\n', "query=q,doc=h[].id", "is not a text",
         (2, 25)),
        ('{"q": "1", "h": [{"id": "a"}]}\n{"q": "2", \n', "query=q,doc=h[].id", "the line is not JSON", (2, 12)),
    ],
)  # fmt: skip
def test_faults_have_their_line_and_column(text: str, columns: str, reason: str, place: tuple[int, int]) -> None:
    with pytest.raises(ParseError) as caught:
        read(text, columns)
    assert reason in caught.value.reason
    assert (caught.value.line, caught.value.column) == place


def test_a_repeated_document_has_its_place() -> None:
    text = '{"r": [{"q": "1",\n "h": [{"id": "a"}, {"id": "a"}]}]}'
    with pytest.raises(DuplicateError, match="document a of query 1 is repeated") as caught:
        read(text, "rows=r[],query=q,doc=h[].id")
    assert (caught.value.line, caught.value.column) == (2, 28)
    assert lists(read(text, "rows=r[],query=q,doc=h[].id", duplicates="first")) == {"1": [("a", 1)]}


def test_paths_are_those_of_the_files_that_have_them(tmp_path: Path) -> None:
    """Qrels beside a run in JSON are read as ever; a path of no file is refused."""
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq1 0 b 0\n", encoding="utf-8")
    (tmp_path / "qrels.json").write_text('{"q1": {"a": 1, "b": 0}}', encoding="utf-8")
    (tmp_path / "r.json").write_text(RESPONSE, encoding="utf-8")
    columns = {"rows": "results[]", "query": "query.id", "doc": "hits[].id", "score": "hits[].s"}
    for qrels in ("qrels.txt", "qrels.json"):
        result = irviewer.evaluate(tmp_path / qrels, tmp_path / "r.json", ["RR"], columns=columns)
        assert result.mean("RR") == 0.5


@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_a_wrong_path_of_the_queries_does_not_number_them(tmp_path: Path, kind: str) -> None:
    """Numbers could be the ids of other queries."""
    lists = ", ".join(f'{{"query": "{query}", "docs": [{{"d": "a", "s": 2}}]}}' for query in (2, 1))
    (tmp_path / "r.json").write_text(f'{{"results": [{lists}]}}', encoding="utf-8")
    columns = {
        "rows": "results[]",
        "query": "quer",
        "doc": "docs[].d",
        "score" if kind == "run" else "grade": "docs[].s",
    }
    reading = irviewer.read_run if kind == "run" else irviewer.read_qrels
    with pytest.raises(ColumnsError, match=r"path of the queries, results\[\]\.quer; the paths .* results\[\]\.query"):
        reading(tmp_path / "r.json", columns=columns)
    del columns["query"]
    assert reading(tmp_path / "r.json", columns=columns).query_ids == ("1", "2")


def test_a_wrong_path_lists_those_of_the_file() -> None:
    with pytest.raises(
        ColumnsError, match=r"nothing is at the path of the documents, results\[\]\.hits\[\]\.doc"
    ) as caught:
        read(RESPONSE, "rows=results[],query=query.id,doc=hits[].doc")
    assert "the paths of the file are results[].query.id, results[].hits[].id" in caught.value.hint


@pytest.mark.parametrize(
    ("columns", "reason"),
    [("rows=results[],query=query.id", "needs the path of the documents"),
     ("rows=results[,doc=id", "breaks at character 8"),
     ("doc=hits[].id,score=hits[].s,rank=hits[].r", "ranks by one of"),
     ("rows=results[],doc=hits[].id,text=hits[].t", "has no role 'text'")],
)  # fmt: skip
def test_a_wrong_mapping_is_refused(columns: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        read(RESPONSE, columns)


ids = st.text(min_size=1, max_size=8).filter(lambda text: not any("\ud800" <= sign <= "\udfff" for sign in text))


@settings(max_examples=60)
@given(st.dictionaries(ids, st.lists(ids, min_size=1, max_size=4, unique=True), min_size=1, max_size=4), st.booleans())
def test_hostile_ids_are_kept(run: dict[str, list[str]], lines: bool) -> None:
    """Any text is an id: each document of each query is in the run once, at its place."""
    records = [{"q": query, "hits": [{"id": document} for document in documents]} for query, documents in run.items()]
    text = "\n".join(map(json.dumps, records)) + "\n" if lines else json.dumps({"r": records}, indent=1)
    loaded = read(text, "query=q,doc=hits[].id" if lines else "rows=r[],query=q,doc=hits[].id")
    expected = {query: [(document, 1 / rank) for rank, document in enumerate(documents, start=1)]
                for query, documents in run.items()}  # fmt: skip
    assert lists(loaded) == expected


def test_columns_beside_the_data_are_used_and_said(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(RESPONSE, encoding="utf-8")
    beside = tmp_path / "r.json.columns.toml"
    beside.write_text(
        'rows = "results[]"\nquery = "query.id"\ndocument = "hits[].id"\nscore = "hits[].s"\n', encoding="utf-8"
    )
    loaded = load(path)
    assert lists(loaded) == {"q1": [("b", 2.5), ("a", 1.5)]}
    assert any("columns of r.json.columns.toml" in str(note) for note in loaded.report.findings)
    beside.write_text("rows = 5\n", encoding="utf-8")
    with pytest.raises(ParseError, match="does not name columns"):
        load(path)
    beside.write_text('rouws = "x"\n', encoding="utf-8")
    with pytest.raises(ParseError, match="no column role 'rouws'"):
        load(path)
    beside.write_text('query = "q["\ndocument = "a[]"\n', encoding="utf-8")
    with pytest.raises(ParseError, match=r"r\.json\.columns\.toml: 'q\[' is no path: it breaks at character 2"):
        load(path)
    beside.write_text("rows = \n", encoding="utf-8")
    with pytest.raises(ParseError, match="is not TOML"):
        load(path)


def test_columns_beside_a_file_that_has_none_of_them_are_said_to_be_unused(tmp_path: Path) -> None:
    run = tmp_path / "r.run"
    run.write_text("1 Q0 a 1 2.5 x\n", encoding="utf-8")
    (tmp_path / "r.run.columns.toml").write_text('document = "hits[].id"\n', encoding="utf-8")
    loaded = load(run)
    assert lists(loaded) == {"1": [("a", 2.5)]}
    assert [str(note) for note in loaded.report.findings] == [
        "the columns of r.run.columns.toml are not used: the file has none of them"
    ]


def test_columns_beside_a_table_are_used_in_blocks(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    table = {"topic": ["1", "1"], "chunk": ["a", "b"], "model_score": [1.5, 2.5], "score": [2.5, 1.5]}
    pq.write_table(pa.table(table), path)
    (tmp_path / "r.parquet.columns.toml").write_text(
        'query = "topic"\ndocument = "chunk"\nscore = "model_score"\n', encoding="utf-8"
    )
    assert lists(load(path)) == {"1": [("b", 2.5), ("a", 1.5)]}
    assert [block.read().ranking("1") for block in blocks_of(path)] == [["b", "a"]]


def test_unknown_json_is_never_called_queries(small: Path) -> None:
    with pytest.raises(ParseError, match="this is MTEB's results of a task: means, not rankings; open the predictions"):
        load(small / "mapped" / "mteb_results.json")
    with pytest.raises(ColumnsError, match=r"JSON of an unknown shape, whose paths are id, nodes\[\]\.key, nodes"):
        read(
            '{"id": "q1", "text": "t", "nodes": [{"key": "a", "score": 1}]}\n'.replace('"text": "t", ', ""),
            path="x.jsonl",
        )
    with pytest.raises(ColumnsError, match="JSON of an unknown shape"):
        read('{"name": "x", "config": {"a": 1}, "items": [1, 2]}')
    with pytest.raises(ColumnsError, match="JSON of an unknown shape, whose paths are query_id"):
        read('{"query_id": "1", "results": []}\n{"query_id": "2", "results": []}\n')
    with pytest.raises(ParseError, match="not a JSON object: ") as caught:
        read('{"results": [{"docid": "a", "score": 1}]')
    assert caught.value.column == 41


@pytest.mark.parametrize(
    "text",
    ['{"q1": "a question", "q2": "another"}', '{"_id": "d", "title": "T", "text": "x", "metadata": {}}\n',
     '{"id": "1", "question": "who?", "answers": ["a", "b"]}\n{"id": "2", "question": "when?", "answers": []}\n',
     '[{"id": "1", "text": "a"}, {"id": "2", "text": "b"}]'],
)  # fmt: skip
def test_texts_are_still_texts(text: str) -> None:
    assert read(text).kind in ("queries", "documents")


def test_the_window_offers_the_paths_of_a_refused_file(tmp_path: Path) -> None:
    """The paths of the preview are those of the error, so that the choice is remembered for files of this shape."""
    path = tmp_path / "odd.json"
    path.write_text('{"id": "q1", "nodes": [{"key": "a", "score": 1}, {"key": "b", "score": 0.5}]}', encoding="utf-8")
    with pytest.raises(ColumnsError) as caught:
        load(path)
    shown = preview(str(path))
    assert header_key(shown.names) == header_key(caught.value.names)
    assert shown.names == ("id", "nodes[].key", "nodes[].score")
    assert shown.rows == (("q1", "a", "1"), ("", "b", "0.5"))
    columns = ColumnChoice({"query": "id", "document": "nodes[].key", "score": "nodes[].score"})
    assert lists(load(path, columns=columns)) == {"q1": [("a", 1), ("b", 0.5)]}


def test_a_beginning_is_read_as_far_as_it_is_whole() -> None:
    text = json.dumps({"a": [{"b": "x,]}", "c": 1}, {"b": "y", "c": 2}], "d": {"e": [1, 2, 3]}})
    for cut in range(1, len(text) + 1):
        value = begun_value(text[:cut])
        assert value is None or isinstance(value, dict)
    assert begun_value(text[:-4]) == {"a": [{"b": "x,]}", "c": 1}, {"b": "y", "c": 2}], "d": {"e": [1, 2]}}
    assert begun_value("no json") is None


@pytest.mark.parametrize(
    ("scores", "expected", "note"),
    [((0.1, 0.4), [("a", -0.1), ("b", -0.4)], "so they are distances"),
     ((0.9, 0.4), [("a", 0.9), ("b", 0.4)], ""),
     ((0.4, 0.4), [("b", 0.4), ("a", 0.4)], ""),
     ((0.4,), [("a", 0.4)], ""),
     ((0.9, 0.4, 0.5), [("a", 0.9), ("c", 0.5), ("b", 0.4)], "contradict the order")],
)  # fmt: skip
def test_langchains_scores_that_rise_are_distances(
    scores: tuple[float, ...], expected: list[tuple[str, float]], note: str
) -> None:
    """similarity_search_with_score gives distances or similarities, as the store has them, the best document first."""
    pairs = [({"id": name, "metadata": {}, "page_content": ""}, score) for name, score in zip("abc", scores)]  # noqa: B905
    loaded = read(json.dumps(pairs))
    assert lists(loaded) == {"x": expected}
    assert any("order of the documents" in str(each) or "distances" in str(each)
               for each in loaded.report.findings) == bool(note)  # fmt: skip
    assert note in " ".join(map(str, loaded.report.findings))


def test_langchains_dumped_pairs_are_read() -> None:
    """``dumps`` of what similarity_search_with_score gives."""
    pairs = [
        ({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "document", "Document"],
          "kwargs": {"id": name, "page_content": name, "type": "Document"}}, score)
        for name, score in (("a", 0.25), ("b", 0.5))
    ]  # fmt: skip
    assert lists(read(json.dumps(pairs))) == {"x": [("a", -0.25), ("b", -0.5)]}


@pytest.mark.parametrize("rank", ["1.5", "NaN", "1e999", "1e30", '"-inf"'])
def test_a_rank_is_a_whole_number(rank: str) -> None:
    text = f'{{"q": "1", "h": [{{"id": "a", "r": 2}}, {{"id": "b", "r": {rank}}}]}}'
    with pytest.raises(ParseError, match="is not a rank") as caught:
        read(text, "query=q,doc=h[].id,rank=h[].r")
    assert (caught.value.line, caught.value.column) == (1, text.index(rank) + 1)


def test_a_list_without_its_query_does_not_join_another() -> None:
    """Its number in the file may be another list's id."""
    text = '{"q": "2", "h": [{"id": "a"}]}\n{"h": [{"id": "b"}]}\n'
    with pytest.raises(ParseError, match="a document has no query, others have one: nothing is at q") as caught:
        read(text, "query=q,doc=h[].id")
    assert caught.value.line == 2


def test_repeated_keys_are_kept_in_every_line() -> None:
    line = '{"q1": [{"id": "a"}], "q1": [{"id": "b"}]}'
    expected = {"q1": [("a", 1), ("b", 0.5)]}
    assert lists(read(line, "query=*~,doc=*[].id")) == expected
    assert lists(read(f'{line}\n{{"q2": [{{"id": "a"}}]}}\n', "query=*~,doc=*[].id")) == expected | {"q2": [("a", 1)]}


def test_a_run_is_ranked_by_its_own_scores_where_grades_are_named_too(tmp_path: Path) -> None:
    """One file may be both the qrels and the run."""
    path = tmp_path / "both.json"
    hits = '[{"id": "a", "g": 0, "s": 3, "d": 0.1, "r": 1}, {"id": "b", "g": 1, "s": 2, "d": 0.2, "r": 2}]'
    path.write_text(f'{{"q": "1", "h": {hits}}}', encoding="utf-8")
    for role, column in (("score", "s"), ("distance", "d"), ("rank", "r")):
        columns = {"query": "q", "doc": "h[].id", "relevance": "h[].g", role: f"h[].{column}"}
        assert irviewer.evaluate(path, path, ["RR"], columns=columns).mean("RR") == 0.5


@pytest.mark.parametrize("form", ["{}\n{}\n", "[{}, {}]", '{{"r": [{}, {}]}}'])
def test_documents_of_a_query_in_several_records_are_ranked_by_their_position(form: str) -> None:
    text = form.format('{"q": {"id": "1"}, "d": "a"}', '{"q": {"id": "1"}, "d": "b"}')
    rows = "rows=r[]," if '"r"' in form else ""
    assert lists(read(text, f"{rows}query=q.id,doc=d")) == {"1": [("a", 1), ("b", 0.5)]}


def test_null_is_no_score_of_a_tool() -> None:
    """A hybrid search of Weaviate has null distances, a retriever of LlamaIndex may give no scores."""
    entries = [
        {"_additional": {"id": name, "distance": None, "score": score}} for name, score in (("a", "1"), ("b", "2"))
    ]
    assert lists(read(json.dumps({"data": {"Get": {"Item": entries}}}))) == {"x": [("b", 2), ("a", 1)]}
    nodes = [{"node": {"id_": name}, "score": None, "class_name": "NodeWithScore"} for name in "ab"]
    assert lists(read(json.dumps(nodes))) == {"x": [("a", 1), ("b", 0.5)]}
    nodes[0]["score"] = 0.5
    with pytest.raises(ParseError, match="document b has no score"):
        read(json.dumps(nodes))


def test_an_empty_rank_of_a_wide_file_is_left_out() -> None:
    text = '{"qid": "1", "rank1": "a", "rank2": null}\n{"qid": "2", "rank1": null, "rank2": ""}\n'
    loaded = read(text)
    assert lists(loaded) == {"1": [("a", 1)]}
    assert any("1 query has no documents" in str(note) for note in loaded.report.findings)


def test_a_response_longer_than_its_beginning_is_chromas() -> None:
    """The texts come before the distances, which are then behind what is looked at to detect the format."""
    lists_of = [[f"{query}-{rank}" for rank in range(20)] for query in range(20)]
    value = {"ids": lists_of, "embeddings": None, "documents": [["x" * 500] * 20] * 20, "metadatas": [[None] * 20] * 20,
             "distances": [[rank / 10 for rank in range(20)]] * 20, "included": ["documents", "distances"]}  # fmt: skip
    run = lists(read(json.dumps(value)))
    assert [[document for document, _ in run[str(query + 1)]] for query in range(20)] == lists_of
    assert run["7"][3] == ("6-3", -0.3)


def test_lists_without_queries_are_read_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The group of each document is asked for a fixed number of times, not once for each other document."""
    calls = 0
    own = _Reader._group

    def counted(self: _Reader, each: Found) -> tuple[int, ...]:
        nonlocal calls
        calls += 1
        return own(self, each)

    monkeypatch.setattr(_Reader, "_group", counted)
    ids = [[f"{query}-{rank}" for rank in range(10)] for query in range(10)]
    assert len(lists(read(json.dumps({"ids": ids, "distances": [[0.5] * 10] * 10})))) == 10
    assert calls <= 2 * 100


@pytest.mark.parametrize("text", ["[]", "{}\n", " [ ] "])
def test_empty_json_is_said_to_be_empty(text: str, tmp_path: Path) -> None:
    """The message listed paths, of which there were none."""
    path = tmp_path / "none.json"
    path.write_text(text)
    with pytest.raises(ParseError, match="the JSON of the file is empty") as raised:
        load(path, kind="run")
    assert raised.value.hint and "paths" not in str(raised.value)


def test_queries_with_documents_are_not_counted_as_empty() -> None:
    flat = '{"r": [{"q": "1", "id": "a"}, {"q": "2", "id": "b"}]}'
    deep = '{"r": [{"q": "1", "g": [{"h": [{"id": "a"}]}]}, {"q": "2", "g": []}]}'
    assert not any("no documents" in str(note) for note in read(flat, "rows=r[],query=q,doc=id").report.findings)
    notes = read(deep, "rows=r[],query=q,doc=g[].h[].id").report.findings
    assert any("1 query has no documents" in str(note) for note in notes)


@pytest.mark.parametrize("gap", ["", " "])
def test_lines_of_fields_are_no_header(gap: str) -> None:
    """An object of an id and numbers was called a table, whose columns were the parts between its commas."""
    lines = "".join(f'{{"id":{gap}"a{n}",{gap}"price":{gap}{n}.5}}\n' for n in range(2))
    with pytest.raises(ColumnsError, match="JSON of an unknown shape, whose paths are id, price"):
        read(lines, path="x.jsonl")
    documents = read(lines, path="x.jsonl", kind="documents").value
    assert isinstance(documents, TextTable)
    assert [documents.row(each) for each in documents.ids] == [{"price": 0.5}, {"price": 1.5}]
    with pytest.raises(ColumnsError, match="whose paths are colour, size"):
        read(f'{{"colour":{gap}"red",{gap}"size":{gap}3}}\n', path="x.jsonl")


@pytest.mark.parametrize("kind", [None, "qrels", "run"])
def test_the_first_line_of_json_is_no_header(kind: str | None, tmp_path: Path) -> None:
    """Of a wanted kind the message was about the columns of a header, with the object as its names."""
    path = tmp_path / "judged.jsonl"
    path.write_text('{"topic": 1, "grade given": "x"}\n')
    with pytest.raises(ColumnsError, match="JSON of an unknown shape, whose paths are topic, grade given"):
        load(path, kind=kind)


@pytest.mark.parametrize("kind", [None, "qrels", "run"])
def test_another_tools_file_is_named_whatever_is_wanted(kind: str | None, tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    path.write_text('{"cells": [{"cell_type": "code"}], "nbformat": 4}')
    with pytest.raises(ParseError, match="this is a Jupyter notebook"):
        load(path, kind=kind)
