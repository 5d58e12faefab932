"""Responses of _search and _msearch as runs: whose query they answer, scores, faults with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.load import Loaded, load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.model.run import Run

HITS = (
    '{"took": 1, "hits": {"total": 14, "max_score": 2, "hits": [{"_id": "a", "_score": 2}, {"_id": "b", "_score": 1}]}}'
)


def read(text: str, path: str = "x.json", **choices: str) -> Loaded:
    return load_opened(Opened(path, text.encode(), "", "utf-8"), **choices)  # type: ignore[arg-type]


def lists(loaded: Loaded) -> dict[str, list[str]]:
    assert isinstance(loaded.value, Run)
    return {query: loaded.value.ranking(query) for query in loaded.value.query_ids}


def test_one_response_is_called_after_its_file(small: Path) -> None:
    loaded = load(small / "formats" / "search_amp.json")
    assert lists(loaded) == {"search_amp": ["d4", "d2"]}
    assert isinstance(loaded.value, Run)
    assert loaded.value.ranking_scores("search_amp").tolist() == [1.3862942, 0.5]
    assert loaded.kind == "run"
    assert "_search" in loaded.report.reason
    assert any("named search_amp after the file" in warning for warning in loaded.report.warnings)


def test_msearch_is_numbered(small: Path) -> None:
    """What failed or found nothing keeps its number: the third query stays the third."""
    loaded = load(small / "formats" / "search_msearch.json")
    assert lists(loaded) == {"1": ["d2", "d9"]}
    text = " ".join(loaded.report.warnings)
    assert "3 responses do not contain their queries" in text
    assert "1 response has an error of the search engine" in text
    assert any("1 response has no hits" in str(finding) for finding in loaded.report.findings)


def test_lines_with_their_queries(small: Path) -> None:
    loaded = load(small / "formats" / "search_lines.jsonl")
    assert lists(loaded) == {"red bass": ["d2", "d9"], "amp": ["d4"]}
    assert isinstance(loaded.value, Run)
    assert loaded.value.ranking_scores("red bass").tolist() == [1, 0.5]  # sorted by a field: no score
    assert any("1/rank" in str(finding) for finding in loaded.report.findings)
    assert not loaded.report.warnings


@pytest.mark.parametrize(
    "text",
    [
        f'{{"q1": {HITS}}}',
        f'{{"q1": {{"response": {HITS}}}}}',
        f'[{{"qid": "q1", "result": {HITS}}}]',
        f'{{"query_id": "q1", {HITS[1:]}',
        f'{{"query": {{"match": {{"x": 1}}}}, "query_id": "q1", "response": {HITS}}}',
        f'{{"q1": {{"id": "FmRldE8z", "is_running": false, "response": {HITS}}}}}',
        f'{{"responses": [{{"id": "q1", {HITS[1:]}]}}',
    ],
    ids=["by query", "wrapped", "a list", "beside the hits", "with the request", "asynchronous", "msearch"],
)
def test_where_the_query_may_be(text: str) -> None:
    loaded = read(text)
    assert lists(loaded) == {"q1": ["a", "b"]}
    assert not loaded.report.warnings


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('{"hits": {"hits": [{"_id": "a", "_score": "high"}]}}', 1, 'score "high" is not a number'),
        ('{"hits": {"hits": [{"_score": 1}], "x": {"_id": 1}}}', 1, "no document id"),
        ('{"hits": {"hits": 5}, "_id": 1}', 1, "hits is not a list"),
        ('{"hits": {"hits": []}}', 0, "the file has no documents"),
        ('{"query": "a", "hits": {"hits": [{"_id": "a"}]}}\n{"query": \n', 2, "not valid JSON"),
    ],
)
def test_faults(text: str, line: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text)
    assert reason in caught.value.reason
    assert caught.value.line == line


def test_a_document_of_two_indexes_is_listed_twice() -> None:
    hits = '[{"_index": "x", "_id": "a", "_score": 2}, {"_index": "y", "_id": "a", "_score": 1}]'
    with pytest.raises(ParseError, match="is repeated"):
        read(f'{{"hits": {{"hits": {hits}}}}}')
    assert lists(read(f'{{"hits": {{"hits": {hits}}}}}', duplicates="best")) == {"x": ["a"]}
