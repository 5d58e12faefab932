"""Quepid's snapshots in JSON, as its API gives and takes them: rankings, scores from explanations, ratings, faults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.load import Loaded, load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.search_tools.quepid_snapshot import FORMAT
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def read(text: str, **choices: str) -> Loaded:
    return load_opened(Opened("x.json", text.encode(), "", "utf-8"), **choices)  # type: ignore[arg-type]


def lists(loaded: Loaded) -> dict[str, list[str]]:
    assert isinstance(loaded.value, Run)
    return {query: loaded.value.ranking(query) for query in loaded.value.query_ids}


def test_what_the_api_gives(small: Path) -> None:
    """Queries stand by number there and are called by their text here; what was only rated is no hit."""
    loaded = load(small / "formats" / "quepid_snapshot.json")
    assert lists(loaded) == {"red bass": ["d2", "d9", "d1"], "amp": ["d4"]}
    assert isinstance(loaded.value, Run)
    assert loaded.value.ranking_scores("red bass").tolist() == [7.5, 6.5, 2.25]
    assert loaded.value.name == loaded.value.tag == "(3/5/26) Weekly check"
    assert "Quepid" in loaded.report.reason
    assert any("rated_only" in str(finding) for finding in loaded.report.findings)


def test_its_ratings(small: Path) -> None:
    loaded = load(small / "formats" / "quepid_snapshot.json", kind="qrels")
    assert isinstance(loaded.value, Qrels)
    assert loaded.value.judgments("red bass") == {"d1": 3, "d2": 1, "d3": 0}
    assert loaded.value.judgments("amp") == {"d2": 2, "d4": 2}


def test_what_is_imported(small: Path) -> None:
    """Positions decide, whatever the order; of several snapshots one is read."""
    path = small / "formats" / "quepid_snapshots_import.json"
    loaded = load(path)
    assert lists(loaded) == {"red bass": ["d2", "d9"], "amp": ["d4"]}
    assert loaded.value.name == "before"
    assert any("the file has 2 snapshots (before, after)" in warning for warning in loaded.report.warnings)
    assert any("1/rank" in str(finding) for finding in loaded.report.findings)
    assert lists(load(path, part="after")) == {"amp": ["d2"]}
    with pytest.raises(ParseError, match="is one of: before, after"):
        load(path, part="none")


def test_scores_that_rise_down_a_list_are_no_order() -> None:
    """Where the explained scores disagree with the order that was shown, the order stands."""
    hits = [
        {"id": doc_id, "explain": {"value": value}, "rated_only": False} for doc_id, value in (("a", 1.0), ("b", 2.0))
    ]
    loaded = read(json.dumps({"docs": {"1": hits}, "queries": [{"query_id": 1, "query_text": "q"}]}))
    assert lists(loaded) == {"q": ["a", "b"]}
    assert isinstance(loaded.value, Run)
    assert loaded.value.ranking_scores("q").tolist() == [1.0, 0.5]


def test_a_query_without_a_text_keeps_its_number() -> None:
    loaded = read('{"docs": {"5": [{"id": "a", "explain": null, "rated_only": false}]}, "queries": []}')
    assert lists(loaded) == {"5": ["a"]}
    assert any("so its number is its id: 5" in warning for warning in loaded.report.warnings)


def test_what_is_written_reads_back() -> None:
    run = Run.from_dict({"red bass": {"d2": 7.5, "d9": 6.5}, "amp": {"d4": 2.25}}, name="mine")
    assert FORMAT.write is not None
    back = load_opened(Opened("x", FORMAT.write(run), "", "utf-8")).value
    assert isinstance(back, Run)
    assert back.name == "mine"
    assert {query: dict(zip(back.ranking(query), back.ranking_scores(query).tolist(), strict=True))
            for query in back.query_ids} == {"red bass": {"d2": 7.5, "d9": 6.5}, "amp": {"d4": 2.25}}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"docs": 1, "rated_only": 2}', "docs is not an object of queries"),
        ('{"docs": {"1": [{"rated_only": false}]}}', "no document id"),
        ('{"docs": {"1": 5}, "rated_only": 1}', "docs is not a list"),
        ('{"docs": {"1": []}, "rated_only": 1}', "the file has no documents"),
        ('{"snapshots": [{"queries": {"q": {"docs": [{"id": "a", "position": "x"}]}}}]}', 'position "x" is not'),
        ('{"snapshots": [{"queries": [], "x": {"docs": 1, "position": 2}}]}', "queries is not an object"),
        ('{"snapshots": [], "x": {"docs": 1, "position": 2}}', "the file has no snapshots"),
    ],
)  # fmt: skip
def test_faults(text: str, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text)
    assert reason in caught.value.reason
