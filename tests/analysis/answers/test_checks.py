"""Checks of answers: numbers, names and negations that are to be examined, and what cannot be checked."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import irviewer
from irviewer.analysis.answers.checks import AnswerChecks
from irviewer.cli.main import main

NUGGETS = [
    ("Russia supplies 37% of gas", "support"),
    ("In 1973 prices rose", "partial_support"),
    ("There are 15,000 wells", "support"),
    ("The pact 'of “iron hands” was signed", "support"),
    ("Gas does not burn here", "support"),
    ("The lake holds 99 islands", "not_support"),
    ("Nobody of them walked", "support"),
]
SENTENCES = [
    ("Russia supplies most gas, 3.70 units.", [0]), ("Prices rose in 1973.", [0, 1]), ("There are 15000 wells.", [1]),
    ("The pact of “Iron  Hands” was signed in 1999.", []), ("Gas does burn here.", [0]), ("<b>4</b> things", [1]),
]  # fmt: skip
DOCUMENTS = {"d1": "In 1973 a 3.7 was measured; 12 too.", "d2": "15,000 wells <i>and</i> more"}


def written(folder: Path) -> list[Path]:
    answer = [{"text": text, "citations": cites} for text, cites in SENTENCES]
    (folder / "answers.jsonl").write_text(
        json.dumps({"run_id": "s", "topic_id": "1", "topic": "q", "references": ["d1", "d2"], "response_length": 9,
                    "answer": answer}) + "\n")  # fmt: skip
    text = " ".join(each for each, _ in SENTENCES)
    labels = [{"text": each, "importance": "vital", "assignment": label} for each, label in NUGGETS]
    (folder / "labels.jsonl").write_text(
        json.dumps({"qid": "1", "run_id": "s", "answer_text": text, "nuggets": labels}) + "\n")  # fmt: skip
    (folder / "documents.jsonl").write_text(
        "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in DOCUMENTS.items())
    )
    return [folder / "answers.jsonl", folder / "labels.jsonl"]


def checked_in(folder: Path, **options: object) -> AnswerChecks:
    value = irviewer.answers("checks", folder / "labels.jsonl", written(folder), **options).value  # type: ignore[arg-type]
    assert isinstance(value, AnswerChecks)
    return value


def test_numbers_names_and_negations(tmp_path: Path) -> None:
    checks = checked_in(tmp_path)
    listed = {(doubt.check, doubt.subject): doubt for doubt in checks.doubts}
    assert set(listed) == {("nugget_number", NUGGETS[0][0]), ("nugget_negation", NUGGETS[4][0])}
    assert listed["nugget_number", NUGGETS[0][0]].lacks == ("37",)
    assert (listed["nugget_negation", NUGGETS[4][0]].sentence, listed["nugget_negation", NUGGETS[4][0]].other) == (
        5, "Gas does burn here.",
    )  # fmt: skip
    # 37, 1973, 15,000 and the quoted name are checked; four nuggets have a sentence, that of wells (15,000 and 15000
    # are other words) and that of nobody walking have none; of sentences nothing is known without documents
    assert checks.checked.tolist() == [[4, 0, 4]]
    assert checks.unknown.tolist() == [[0, 4, 2]]
    assert checks.counts.tolist() == [[1, 0, 1]]


def test_numbers_of_sentences_need_the_texts_of_all_that_is_cited(tmp_path: Path) -> None:
    checks = checked_in(tmp_path, documents=tmp_path / "documents.jsonl")
    doubts = [doubt for doubt in checks.doubts if doubt.check == "sentence_number"]
    assert [(doubt.sentence, doubt.lacks) for doubt in doubts] == [(6, ("4",))]
    assert checks.checked[0, 1] == 4
    (tmp_path / "documents.jsonl").write_text(json.dumps({"id": "d1", "text": DOCUMENTS["d1"]}) + "\n")
    part = irviewer.answers("checks", tmp_path / "labels.jsonl", [tmp_path / "answers.jsonl"],
                            documents=tmp_path / "documents.jsonl").value  # fmt: skip
    assert (part.checked[0, 1], part.unknown[0, 1]) == (1, 3), "d2 is not known: the others cannot be told"
    assert [doubt for doubt in part.doubts if doubt.check == "sentence_number"] == []


def test_the_text_that_was_judged_is_checked(tmp_path: Path) -> None:
    files = written(tmp_path)
    text = files[1].read_text().replace("Russia supplies most gas", "Russia supplies 37 percent of gas")
    files[1].write_text(text)
    checks = irviewer.answers("checks", files[1], files).value
    assert not [doubt for doubt in checks.doubts if doubt.check == "nugget_number"]


def test_a_negation_elsewhere_in_another_text_that_was_judged_is_no_doubt(tmp_path: Path) -> None:
    """Such a text is cut into sentences: a nugget is compared with its own, which has no number in the answer."""
    files = written(tmp_path)
    nuggets = [("Prices rose that year", "support"), ("Gas does not burn here", "support")]
    labels = [{"text": each, "importance": "vital", "assignment": label} for each, label in nuggets]
    text = "Prices rose in that year, by 3 percent. Nobody knew why. Gas does burn here."
    record = {"qid": "1", "run_id": "s", "answer_text": text, "nuggets": labels}
    files[1].write_text(json.dumps(record) + "\n")
    for given in (files, files[1:]):
        checks = irviewer.answers("checks", files[1], given).value
        negations = [doubt for doubt in checks.doubts if doubt.check == "nugget_negation"]
        assert [(each.subject, each.sentence, each.other) for each in negations] == [
            ("Gas does not burn here", 0, "Gas does burn here.")
        ]
        assert checks.checked[0, 2] == 2


@pytest.mark.parametrize("check", ["all", "nugget_negation"])
def test_command_and_python_give_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str], check: str) -> None:
    files = written(tmp_path)
    command = ["answers", "checks", str(files[1]), *map(str, files), "--documents", str(tmp_path / "documents.jsonl"),
               "--check", check, "--table", "worklist", "--format", "csv"]  # fmt: skip
    assert main(command) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    doubts = checked_in(tmp_path, documents=tmp_path / "documents.jsonl", check=check).doubts
    assert [(row["check"], row["subject"]) for row in rows] == [(doubt.check, doubt.subject) for doubt in doubts]
    assert len(rows) == (3 if check == "all" else 1)
