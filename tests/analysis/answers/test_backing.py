"""How what is said is backed, and the labels of support, against plain loops over the records of files."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.analysis.answers.backing import BACKINGS

WORDS = [f"{first}{second}{first}" for first in "bcdfgklmp" for second in "aeiou"]


def records(
    dice: random.Random, system: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Answers, assignments and support of six topics."""
    answers: list[dict[str, Any]] = []
    assigned: list[dict[str, Any]] = []
    judged: list[dict[str, Any]] = []
    for topic in map(str, range(6)):
        references = [f"d{number}" for number in range(dice.randint(1, 4))]
        sentences: list[dict[str, Any]] = [
            {"text": " ".join(dice.choices(WORDS, k=dice.randint(0, 6))),
             "citations": dice.sample(range(len(references)), dice.randint(0, len(references)))}
            for _ in range(dice.randint(0, 5))
        ]  # fmt: skip
        answers.append({"run_id": system, "topic_id": topic, "references": references, "answer": sentences})
        assigned.append({"qid": topic, "run_id": system, "nuggets": [
            {"text": " ".join(WORDS[at] for at in range(len(WORDS)) if at % 6 == place),
             "importance": "vital" if place % 3 else "okay",
             "assignment": dice.choice(("support", "support", "partial_support", "not_support"))}
            if place < 3 else
            {"text": " ".join(dice.sample(WORDS, 2)) if not sentences or place == 3 else dice.choice(sentences)["text"]
             or "nothing", "importance": "vital", "assignment": "support"}
            for place in range(6)
        ]})  # fmt: skip
        if topic != "5":
            judged.append({"topic_id": topic, "run_id": system, "sentences": [
                {"sentenceID": number, "text": sentence["text"], "citations": [
                    {"citationID": place, "reference": references[place], "support": dice.choice((-1, 0, 0, 1, 2))}
                    for place in dice.sample(sentence["citations"], len(sentence["citations"]))]}
                for number, sentence in enumerate(sentences[: dice.choice((5, 5, 2))])
            ]})  # fmt: skip
    return answers, assigned, judged


@pytest.mark.parametrize("seed", range(6))
def test_against_a_plain_loop(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    wanted = []
    answers, assigned, judged = records(dice, "s")
    files = [tmp_path / f"{name}.jsonl" for name in ("answers", "assigned", "judged")]
    for path, each in zip(files, (answers, assigned, judged), strict=True):
        path.write_text("".join(json.dumps(record) + "\n" for record in each))
    support = {record["topic_id"]: record["sentences"] for record in judged}
    for answer, record in zip(answers, assigned, strict=True):
        for place, nugget in enumerate(record["nuggets"]):
            if (nugget["importance"], nugget["assignment"]) != ("vital", "support"):
                continue
            words, kinds, alike = set(nugget["text"].split()), set(), []
            for number, sentence in enumerate(answer["answer"], 1):
                if 2 * len(words & set(sentence["text"].split())) < len(words):
                    continue
                alike.append(number)
                own = support.get(record["qid"], [])
                given = {each["reference"]: each["support"] for each in own[number - 1]["citations"]} \
                    if number <= len(own) else {}  # fmt: skip
                labels = [given.get(answer["references"][cited], -1) for cited in sentence["citations"]]
                kinds.add("uncited" if not labels else "backed" if max(labels) > 0 else
                          "not_judged" if -1 in labels else "unsupported")  # fmt: skip
            order = ("backed", "not_judged", "unsupported", "uncited", "unknown")
            kind = next(kind for kind in order if kind in kinds or kind == "unknown")
            wanted.append((record["qid"], place, kind, tuple(alike)))
    shown = irviewer.answers("lost", files[1], files).value.lost
    matrix, backing = shown.matrix, shown.backing
    ours = [
        (matrix.topics[nugget], nugget % 6, BACKINGS[kind], alike)
        for nugget, kind, alike in zip(backing.nugget.tolist(), backing.kind.tolist(), backing.sentences, strict=True)
    ]
    assert ours == wanted
    assert len({row[2] for row in wanted}) >= 3, "several kinds were tried"
    assert backing.counts(1).tolist() == [[sum(row[2] == kind for row in wanted) for kind in BACKINGS]]
