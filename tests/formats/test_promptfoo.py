"""Results of promptfoo: answers by provider and prompt, with the scores of its assertions beside ours."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.errors import ParseError
from irviewer.formats.load import load
from irviewer.model.answers.answered import Answered
from irviewer.model.run import Run
from irviewer.tables.exact import records

FILES = Path(__file__).parents[1] / "data" / "mapped"


def answered(path: Path, part: str | None = None) -> Answered:
    run = load(path, part=part).value
    assert isinstance(run, Run) and run.answered is not None
    return run.answered


def written(path: Path, results: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "results": results, "stats": {}}}))
    return path


def result(test: int = 0, prompt: int = 0, provider: Any = "p", output: Any = "Red.", **others: Any) -> dict[str, Any]:
    return {
        "testIdx": test, "promptIdx": prompt, "provider": {"id": provider, "label": ""}, "vars": {"question": "why"},
        "success": True, "score": 1, "namedScores": {}, "response": {"output": output}, **others,
    }  # fmt: skip


@pytest.mark.parametrize("file", ["promptfoo.json", "promptfoo_lines.jsonl"])
def test_a_provider_is_a_system_and_a_test_a_topic(file: str) -> None:
    for provider, sentences in (
        ("echo:one", {"0": ["Some guitars are red.", "Others are blue."], "1": ["Six."]}),
        ("echo:two", {"0": ["None."], "1": ["Six."]}),
    ):
        answers = answered(FILES / file, provider).answers
        assert answers is not None
        assert {topic: answers.sentences_of(topic) for topic in answers.topics} == sentences
        assert answers.questions == ("which guitars are red", "<b>how many strings</b>")
    first = answered(FILES / file).answers
    assert first is not None
    references = first.references_of("0")
    assert [first.cited_by(row) for row in range(2)] == [[references[0]], [references[1]]]


def test_scores_are_kept_beside_ours(tmp_path: Path) -> None:
    """The scores of the file, their means by a plain sum."""
    results = json.loads((FILES / "promptfoo.json").read_text())["results"]["results"]
    own = [each for each in results if each["provider"]["id"] == "echo:one"]
    foreign = {scores.title: dict(scores.by_topic) for scores in answered(FILES / "promptfoo.json").foreign}
    assert foreign == {
        "score (promptfoo)": {str(each["testIdx"]): each["score"] for each in own},
        "pass (promptfoo)": {str(each["testIdx"]): float(each["success"]) for each in own},
        "faithfulness (promptfoo)": {str(each["testIdx"]): each["namedScores"]["faithfulness"] for each in own},
    }
    nuggets = tmp_path / "nuggets.jsonl"
    nuggets.write_text("".join(
        json.dumps({"qid": topic, "nuggets": [{"text": "x", "importance": "vital"}]}) + "\n" for topic in "01"
    ))  # fmt: skip
    shown = irviewer.answers("scores", nuggets, FILES / "promptfoo.json", measures=["Length"])
    row: dict[str, Any] = records(shown["scores"])[0]
    assert row["score (promptfoo)"] == sum(each["score"] for each in own) / len(own)
    assert row["pass (promptfoo)"] == 0.5


def test_several_prompts_of_a_provider_are_systems(tmp_path: Path) -> None:
    path = written(tmp_path / "r.json", [
        result(prompt=0, output="One."), result(prompt=1, output="Two."),
        result(prompt=2, provider="q", output="Three."),
    ])  # fmt: skip
    names = {name: answered(path, name).answers for name in ("p #1", "p #2", "q")}
    assert [answers.sentences_of("0") for answers in names.values() if answers is not None] == [
        ["One."], ["Two."], ["Three."],
    ]  # fmt: skip


def test_what_lacks_is_said(tmp_path: Path) -> None:
    """An error has no response; an output may be an object; a label comes before the id; a test without a question."""
    path = written(tmp_path / "r.json", [
        result(0, response=None, success=False, score=0),
        result(1, output={"answer": "Five [1].", "other": 3}, vars={"context": "one text", "question": "q"}),
        result(2, vars={"a": "x", "b": "y"}),
        {"no": "result"},
    ])  # fmt: skip
    loaded = load(path)
    assert isinstance(loaded.value, Run) and loaded.value.answered is not None
    answers = loaded.value.answered.answers
    assert answers is not None
    assert [answers.sentences_of(topic) for topic in "012"] == [[], ["Five."], ["Red."]]
    assert answers.questions == ("why", "q", "")
    assert len(answers.references_of("1")) == 1
    said = " ".join(note.text for note in loaded.report.findings)
    assert "1 answer has no sentence" in said
    named = written(tmp_path / "n.json", [{**result(), "provider": {"id": "p", "label": "mine"}}])
    assert answered(named).system == "mine"
    with pytest.raises(ParseError, match="the record has no topic"):
        load(written(tmp_path / "t.json", [{**result(), "testIdx": None, "vars": {}}]))


def test_an_id_among_the_variables_is_the_topic(tmp_path: Path) -> None:
    answers = answered(written(tmp_path / "r.json", [result(vars={"qid": 7, "question": "why"})])).answers
    assert answers is not None
    assert answers.topics == ("7",)


def test_odd_scores_and_contexts(tmp_path: Path) -> None:
    """A score without end, a named score called as one of the test's own, and a context that is an empty text."""
    read = answered(written(tmp_path / "r.json", [
        result(0, score=math.inf, vars={"context": " ", "question": "q"}), result(1, score=0.5),
        result(2, score=0.25, namedScores={"pass": 0.125, "tone": "1e999"}),
    ]))  # fmt: skip
    assert {scores.name: dict(scores.by_topic) for scores in read.foreign} == {
        "score": {"1": 0.5, "2": 0.25}, "pass": {"0": 1.0, "1": 1.0, "2": 1.0},
    }  # fmt: skip
    assert read.answers is not None and read.answers.references_of("0") == []
