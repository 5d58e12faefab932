"""RRE, _rank_eval, OpenSearch and Quepid: detected with a reason, read alike, written back, faults with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import OptionError, ParseError
from irviewer.formats.load import Loaded, load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import format_named
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

JUDGED = {"red bass": {"d1": 3, "d2": 1, "d3": 0}, "amp": {"d2": 2, "d4": 2}}


def read(text: str, **choices: str) -> Loaded:
    return load_opened(Opened("x.json", text.encode(), "", "utf-8"), **choices)  # type: ignore[arg-type]


def judgments(loaded: Loaded) -> dict[str, dict[str, float]]:
    assert isinstance(loaded.value, Qrels)
    return {query: loaded.value.judgments(query) for query in loaded.value.query_ids}


@pytest.mark.parametrize(
    ("file", "title", "reason"),
    [
        ("rre_quepid.json", "RRE ratings", "relevant_documents"),
        ("rank_eval_request.json", "_rank_eval request", "requests"),
        ("opensearch.json", "OpenSearch judgment list", "judgmentRatings"),
        ("quepid_case.json", "Quepid case", "query_text"),
        ("quepid_ratings.csv", "Quepid ratings", "query, docid, rating"),
    ],
)
def test_the_same_judgments_in_every_shape(small: Path, file: str, title: str, reason: str) -> None:
    loaded = load(small / "formats" / file)
    assert judgments(loaded) == JUDGED
    assert loaded.report.format == title
    assert reason in loaded.report.reason


def test_every_query_of_an_rre_group_has_its_judgments(small: Path) -> None:
    grades = judgments(load(small / "formats" / "rre.json"))
    assert grades == {**JUDGED, "Red Bass": JUDGED["red bass"]}


@pytest.mark.parametrize("name", ["rre", "rank-eval", "opensearch", "quepid", "csv", "json", "jsonl-rows"])
def test_what_is_written_reads_back(name: str) -> None:
    file_format = format_named(name)
    assert file_format.write is not None
    qrels = Qrels.from_dict(JUDGED)
    again = load_opened(Opened("x", file_format.write(qrels), "", "utf-8"))
    assert judgments(again) == JUDGED
    if not file_format.writes("run"):
        return
    run = Run.from_dict({"red bass": {"d2": 7.5, "d9": 6.5}, "amp": {"d4": 2.25}})
    back = load_opened(Opened("x", file_format.write(run), "", "utf-8")).value
    assert isinstance(back, Run)
    assert {query: back.ranking(query) for query in back.query_ids} == {"red bass": ["d2", "d9"], "amp": ["d4"]}


def test_a_response_is_a_run_and_holds_ratings(small: Path) -> None:
    path = small / "formats" / "rank_eval_response.json"
    loaded = load(path)
    assert isinstance(loaded.value, Run)
    assert loaded.value.ranking("red bass") == ["d2", "d9", "d1"]
    assert loaded.value.ranking_scores("red bass")[0] == 7.0556192
    assert loaded.value.ranking("amp") == ["d4", "d2"]
    assert any("1/rank" in str(finding) for finding in loaded.report.findings)
    assert judgments(load(path, kind="qrels")) == {"red bass": {"d2": 1, "d1": 3}, "amp": {"d4": 2, "d2": 2}}


def test_a_list_is_ranked_by_scores_or_by_places_never_by_both() -> None:
    """A query sorted by a field, of which one hit has a score all the same: the engine's order stands."""
    hits = [("d4", "null"), ("d2", "0.4"), ("d7", "null"), ("d1", "2.5")]
    listed = ", ".join(f'{{"hit": {{"_id": "{doc_id}", "_score": {score}}}, "rating": null}}' for doc_id, score in hits)
    plain = '{"hit": {"_id": "d3", "_score": 7.5}, "rating": 1}, {"hit": {"_id": "d5", "_score": 7.0}, "rating": 0}'
    loaded = read(f'{{"details": {{"sorted": {{"hits": [{listed}]}}, "scored": {{"hits": [{plain}]}}}}}}')
    run = loaded.value
    assert isinstance(run, Run)
    assert run.ranking("sorted") == ["d4", "d2", "d7", "d1"]
    assert list(run.ranking_scores("sorted")) == [1.0, 1 / 2, 1 / 3, 1 / 4]
    assert list(run.ranking_scores("scored")) == [7.5, 7.0]
    findings = [str(finding) for finding in loaded.report.findings if "1/rank" in str(finding)]
    assert findings == ["1 query has hits without a score (sorted by a field): score = 1/rank for all of its hits"]


def test_a_request_is_no_run(small: Path) -> None:
    with pytest.raises(ParseError, match=r"looks like qrels, not like a run"):
        load(small / "formats" / "rank_eval_request.json", kind="run")
    with pytest.raises(ParseError, match=r"has ratings and no ranking.*open the response"):
        load(small / "formats" / "rank_eval_request.json", kind="run", format="rank-eval")


def test_several_judgment_lists(small: Path) -> None:
    path = small / "formats" / "opensearch_search.json"
    loaded = load(path)
    assert judgments(loaded) == {"amp": {"d4": 2}}
    assert any("2 judgment lists" in text for text in loaded.report.warnings)
    assert judgments(load(path, part="clicks")) == {"amp": {"d4": 0.5}}
    with pytest.raises(ParseError, match="is one of: people, clicks"):
        load(path, part="none")


def test_quepid_snapshots(small: Path) -> None:
    path = small / "formats" / "quepid_snapshot.csv"
    loaded = load(path)
    assert isinstance(loaded.value, Run)
    assert loaded.value.name == "(3/5/26) Weekly check"
    assert loaded.value.ranking("red bass") == ["d2", "d9", "d1"]
    assert "Quepid" in loaded.report.reason
    assert any("the file has 2 runs" in text for text in loaded.report.warnings)
    other = load(path, part="after the change").value
    assert isinstance(other, Run)
    assert other.query_ids == ("amp",)


def test_ratings_that_are_missing_are_said(small: Path) -> None:
    loaded = load(small / "formats" / "quepid_ratings.csv")
    assert "2 rows have no rating: left out (lines 7, 8)" in loaded.report.warnings


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ('{"topics": [{"relevant_documents": {"a": {"gain": "x"}},\n"name": "q"}]}', 1, 37, 'gain "x" is not a number'),
        ('{"topics": [{"relevant_documents": [],\n"name": "q"}]}', 1, 14, "relevant_documents is not an object"),
        ('{"queries": [{"relevant_documents": {"1": ["a"]}}]}', 1, 15, "no query id"),
        ('{"queries": [1], "relevant_documents": 1, "x": 2}', 1, 18, "relevant_documents is not an object"),
        ('{"requests": [\n{"id": "q", "ratings": [{"_id": "a", "rating": null}]}]}', 2, 33, "rating null"),
        ('{"requests": [\n{"id": "q", "ratings": [{"rating": 1}]}]}', 2, 8, "no document id"),
        ('{"requests": {}, "ratings": 1}', 1, 2, "requests is not a list"),
        ('{"details": {"q": {"hits": [{"hit": 1}]}}}', 1, 20, "a hit has no document"),
        (
            '{"judgmentRatings": [{"query": "q", "ratings": [{"docId": "a", "rating": "high"}]}]}',
            1,
            59,
            'rating "high"',
        ),
        ('{"judgmentRatings": [{"ratings": []}]}', 1, 2, "no query id"),
        ('{"queries": [{"query_text": "q", "ratings": {"a": "x"}}]}', 1, 46, 'rating "x"'),
        ('{"queries": [{"query_text": "q", "ratings": 1}]}', 1, 29, "ratings is not an object"),
        ('{"judgmentRatings": []}', 0, 0, "has no judgments"),
    ],
)
def test_faults_have_a_place(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text)
    assert reason in caught.value.reason
    assert (caught.value.line, caught.value.column) == (line, column)


def test_deep_files_are_refused() -> None:
    for text in ('{"topics": [' * 300 + '{"relevant_documents": {}}', '{"hits": ' * 300 + '{"judgmentRatings": []}'):
        closed = text + "".join("]}" if "topics" in text else "}" for _ in range(300))
        with pytest.raises(ParseError):
            read(closed)


def test_a_grade_that_json_cannot_say() -> None:
    write = format_named("rre").write
    assert write is not None
    with pytest.raises(OptionError, match="NaN"):
        write(Qrels.from_dict({"q": {"a": float("nan")}}))


def test_json_lines_of_rows() -> None:
    loaded = read('{"query_id": "1", "doc_id": "a", "relevance": 1, "iteration": "0"}\n')
    assert judgments(loaded) == {"1": {"a": 1}}
    assert loaded.report.format == "JSON lines of qrels"
    run = read('{"qid": 1, "docno": "a", "score": 2.5, "bm25": 3}\n{"qid": 1, "docno": "b", "score": 3, "bm25": 1}\n')
    assert isinstance(run.value, Run)
    assert run.value.ranking("1") == ["b", "a"]
    assert run.value.ranking_components("1")["bm25"].tolist() == [1, 3]
    with pytest.raises(ParseError) as caught:
        read('{"qid": 1, "docno": "a", "score": 2.5}\n\n{"qid": 1,\n')
    assert caught.value.line == 3
    assert caught.value.reason.startswith("not a JSON object: ")


def test_ids_of_what_a_tool_keeps_are_no_components(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
        "s,2020-01-01,7,heat,a,1\ns,2020-01-01,7,heat,b,2\n"
    )
    run = load(path).value
    assert isinstance(run, Run)
    assert run.components == {}
