"""What a report says of a run against qrels, against plain counting."""

from __future__ import annotations

import strategies as some
from hypothesis import given

from irviewer.formats.load_report import (
    Finding,
    LoadReport,
    against,
    qrels_facts,
    run_facts,
    run_findings,
    tied_documents,
)
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import use_decimal_comma


@given(some.runs())
def test_tied_documents(run: dict[str, dict[str, float]]) -> None:
    tied = sum(1 for scores in run.values() for score in scores.values() if list(scores.values()).count(score) > 1)
    run_of_scores = Run.from_dict(run)
    assert tied_documents(run_of_scores) == tied
    assert bool(tied) == any("tied scores" in str(finding) for finding in run_findings(run_of_scores))


@given(some.qrels(), some.runs())
def test_queries_in_common_and_missing(qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]]) -> None:
    facts, findings = against(Run.from_dict(run), Qrels.from_dict(qrels))
    common = [query for query in qrels if query in run]
    assert dict(facts)["queries in common"] == f"{len(common)} of {len(qrels)} judged"
    text = "\n".join(map(str, findings))
    for query in qrels:
        if query not in run:
            assert query in text
    assert ("not in the run: " in text) == (len(common) < len(qrels))
    assert ("not evaluated: " in text) == any(query not in qrels for query in run)


def test_the_unjudged_share_is_of_the_first_ten() -> None:
    qrels = Qrels.from_dict({"1": {"d0": 1, "d1": 0, "d11": 1}})
    run = Run.from_dict({"1": {f"d{n}": -float(n) for n in range(20)}})
    facts, _ = against(run, qrels)
    assert dict(facts)["not in the qrels"] == "80 % of the top 10"


def test_ids_that_match_nothing_are_reported() -> None:
    _, findings = against(Run.from_dict({"1": {"CACM-1.html": 1.0}}), Qrels.from_dict({"1": {"1": 1}}))
    assert any("the document ids do not match" in str(finding) for finding in findings)


def test_lines_of_a_report() -> None:
    report = LoadReport(
        "a.run", "run", "TREC run", "six columns", (("queries", "3"), ("documents", "30 retrieved")),
        (Finding("odd", 9, (3, 5)), Finding("curious", 1, (7,), serious=False)),
    )  # fmt: skip
    assert report.lines() == [
        "a.run: TREC run (six columns)",
        "  queries    3",
        "  documents  30 retrieved",
        "  ! odd (lines 3, 5, …)",
        "  · curious (line 7)",
    ]
    assert report.warnings == ("odd (lines 3, 5, …)",)
    run, qrels = Run.from_dict({"1": {"a": 1.0}}), Qrels.from_dict({"2": {"a": 1}})
    assert any("1 query of the qrels" in line for line in report.with_qrels(run, qrels).lines())


def test_hidden_characters_are_escapes() -> None:
    report = LoadReport("a\u202e.run", "run", "TREC", facts=(("tag", "a\u200b"),), findings=(Finding("d\x07", 1),))
    assert report.lines() == [r"a\u202e.run: TREC", r"  tag  a\u200b", r"  ! d\x07"]


def test_counts_have_the_signs_of_the_window() -> None:
    """1,837 judgments read as less than two where the decimal sign is a comma."""
    qrels = Qrels.from_dict({"1": {f"d{n}": 1 for n in range(1200)}})
    run = Run.from_dict({str(n): {"d": 1.0} for n in range(1100)})
    use_decimal_comma(True)
    try:
        texts = [text for _, text in (*qrels_facts(qrels), *run_facts(run))]
    finally:
        use_decimal_comma(False)
    assert not any("," in text for text in texts)
    assert sum("1\u202f200" in text for text in texts) == 2
    assert sum("1\u202f100" in text for text in texts) >= 2
