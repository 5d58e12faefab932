"""The verdict of a score of nuggets asks the labels of other assigners of the same answers."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from scipy import stats

import irviewer

TOPICS = [f"t{n:02}" for n in range(30)]
N_NUGGETS = 4
Said = dict[str, list[bool]]


def nuggets_of(topic: str) -> list[dict[str, str]]:
    return [{"text": f"{topic} {n}", "importance": "vital"} for n in range(N_NUGGETS)]


def drawn(seed: int, share: float) -> Said:
    draw = random.Random(seed)
    return {topic: [draw.random() < share for _ in range(N_NUGGETS)] for topic in TOPICS}


def labels(path: Path, system: str, said: Said) -> Path:
    path.write_text("".join(json.dumps({
        "run_id": system, "qid": topic, "answer_text": f"{system} on {topic}.", "nuggets": [
            {**each, "assignment": "support" if is_said else "not_support"}
            for each, is_said in zip(nuggets_of(topic), own, strict=True)
        ],
    }) + "\n" for topic, own in said.items()))  # fmt: skip
    return path


def score(said: Said, topic: str) -> float:
    return sum(said[topic]) / N_NUGGETS


def test_other_assigners_of_both_systems_are_asked(tmp_path: Path) -> None:
    """They were none of the verdict's other judges. The person labelled some topics, and finds the other system better;
    a third one labelled one system alone."""
    nuggets = tmp_path / "nuggets.jsonl"
    nuggets.write_text("".join(json.dumps({"qid": each, "nuggets": nuggets_of(each)}) + "\n" for each in TOPICS))
    model = {"a": drawn(1, 0.8), "b": drawn(2, 0.3)}
    person = {system: {topic: said[topic] for topic in TOPICS[:12]} for system, said in
              {"a": drawn(3, 0.2), "b": drawn(4, 0.9)}.items()}  # fmt: skip
    files = [labels(tmp_path / f"{system}.model.jsonl", system, said) for system, said in model.items()]
    files += [labels(tmp_path / f"{system}.person.jsonl", system, said) for system, said in person.items()]
    files.append(labels(tmp_path / "a.third.jsonl", "a", drawn(5, 0.5)))
    shown = irviewer.show("verdict", nuggets, files, measures="V_strict", run="a", against="b", baseline="b")
    changes, tried = shown["changes"], shown["tried"]
    place = list(changes.column("change").values).index("assigner")
    assert changes.column("status").values[place] == "turns"
    assert changes.column("evidence").values[place] == "assigners"
    rows = [n for n, each in enumerate(tried.column("change").values) if each == "assigner"]
    assert [tried.column("name").values[n] for n in rows] == ["person"]
    differences = [score(person["a"], topic) - score(person["b"], topic) for topic in TOPICS[:12]]
    assert tried.column("difference").values[rows[0]] == pytest.approx(sum(differences) / 12, abs=1e-12)
    assert stats.ttest_1samp(differences, 0).pvalue < 0.05 / 4


def test_one_assigner_has_no_other(tmp_path: Path) -> None:
    nuggets = tmp_path / "nuggets.jsonl"
    nuggets.write_text("".join(json.dumps({"qid": each, "nuggets": nuggets_of(each)}) + "\n" for each in TOPICS))
    files = [labels(tmp_path / f"{system}.model.jsonl", system, drawn(place, 0.5)) for place, system in enumerate("ab")]
    shown = irviewer.show("verdict", nuggets, files, measures="V_strict")
    assert "assigner" not in list(shown["changes"].column("change").values)


@pytest.mark.parametrize("family", ["baseline", "pairs"])
def test_no_system_is_compared_with_itself_under_another_assigner(family: str, tmp_path: Path) -> None:
    """Of two systems that two assigners labelled, the two best runs were one system under both, and the verdict was
    about it. Who names runs has them."""
    nuggets = tmp_path / "nuggets.jsonl"
    nuggets.write_text("".join(json.dumps({"qid": each, "nuggets": nuggets_of(each)}) + "\n" for each in TOPICS))
    shares = {("a", "ann"): 0.8, ("b", "ann"): 0.4, ("a", "bob"): 0.9, ("b", "bob"): 0.3}
    files = [labels(tmp_path / f"{system}.{who}.jsonl", system, drawn(seed, share))
             for seed, ((system, who), share) in enumerate(shares.items())]  # fmt: skip
    protocol = irviewer.EvaluationProtocol().but(measures=("V_strict",), family=family)
    shown = irviewer.show("verdict", nuggets, files, protocol=protocol)
    pair = shown.value.verdict.answer.pair
    assert {pair.run_name, pair.other_name} == {"a", "b"}
    said = " ".join(remark.text for remark in shown.shown.sentences)
    assert "under the labels of ann" in said and "chosen:" not in said
    page = irviewer.report(nuggets, files, protocol=protocol).html
    assert "under the labels of ann" in page
    named = irviewer.show("verdict", nuggets, files, protocol=protocol, run="a (2)", against="a")
    assert named.value.verdict.answer.pair.run_name == "a (2)"
    with pytest.raises(irviewer.IrviewerError, match="one under several assigners"):
        irviewer.show("verdict", nuggets, files[::2], protocol=protocol)
