"""One of a thing is told as one: no "1 queries are"."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import irviewer
from irviewer.analysis.explain.means import explain_mean
from irviewer.formats.load import load
from irviewer.formats.load_report import LoadReport, against, qrels_findings, run_findings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

PLURAL = re.compile(r"\b1 (?:of the )?\w+s\b|\b1 \w+ (?:of the \w+ )?(?:are|have|stand|were|do)\b")


def finding_texts(report: LoadReport) -> list[str]:
    return [finding.text for finding in report.findings]


def test_findings_of_one() -> None:
    nan = float("nan")
    texts = [
        finding.text
        for finding in run_findings(Run.from_dict({"1": {"a": nan, "b": 1.0, "c": 1.0, "d": float("inf")}}))
    ]
    assert len(texts) == 3
    texts += [finding.text for finding in qrels_findings(Qrels.from_dict({"1": {"a": nan, "b": 0.5}}))]
    assert len(texts) == 6
    run, qrels = Run.from_dict({"1": {"a": 1.0}, "3": {"a": 1.0}}), Qrels.from_dict({"1": {"a": 1}, "2": {"a": 1}})
    texts_of_both = [finding.text for finding in against(run, qrels)[1]]
    assert texts_of_both[0] == "1 query of the qrels is not in the run: 2"
    assert texts_of_both[1] == "1 query of the run is not in the qrels and is not evaluated: 3"
    assert not [text for text in texts + texts_of_both if PLURAL.search(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 Q0 a 1 3 t\n1 Q0 a 2 1 t\n", "1 repeated document of a query: of repeated documents the best is kept"),
        ("1 Q0 a 1 3 t\n1 Q0 b 2 4 t\n", "the rank column contradicts the scores in 1 query of 1"),
        ("# made by hand\n1 Q0 a 1 3 t\n", "1 comment line"),
        ("1 Q0 a 1 3 t more\n1 Q0 b 2 2 t\n", "1 line has more than 6 columns: the others are ignored"),
        ("1 0 a 1 more\n1 0 b 1\n", "1 line has more than 4 columns: the others are ignored"),
    ],
)
def test_files_with_one_odd_line(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    findings = finding_texts(load(path, duplicates="best").report)
    assert any(finding.startswith(expected) for finding in findings), findings
    assert not [finding for finding in findings if PLURAL.search(finding)]


def test_a_table_and_a_ledger_of_one_query() -> None:
    qrels, run = Qrels.from_dict({"1": {"a": 1}}), Run.from_dict({"2": {"a": 1.0}})
    assert repr(irviewer.evaluate(qrels, run, ["AP"])).startswith("1 query · ")
    rules = [rule.text for rule in explain_mean(run, qrels, "SearchLength").rules]
    assert any("1 query that counts has no value" in rule for rule in rules), rules
