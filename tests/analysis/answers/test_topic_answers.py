"""Answers to one topic joined: on the collection own_topics by hand, on odd input, and on topic 43037 of the track."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from irviewer.analysis.answers.topic_answers import AnsweredTopics
from irviewer.api.sources import Sources
from irviewer.model.answers.beside import with_segments
from irviewer.model.answers.labels import FULL, NONE, PARTIAL, UNJUDGED
from irviewer.model.answers.systems import joined_systems, list_of
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

OWN = Path(__file__).parents[2] / "data" / "answers"


def opened(
    nuggets: Path | None, runs: list[Path], grades: Path | None = None, listed: Path | None = None,
    segments: Path | None = None, context: int = 0,
) -> AnsweredTopics:  # fmt: skip
    sources = Sources(None)
    qrels: Qrels | None = None if nuggets is None else sources.qrels(nuggets)
    if qrels is not None and segments is not None:
        qrels = with_segments(qrels, sources.qrels(segments))
    every: list[Run] = [run for path in runs for run in sources.runs(path)]
    plain = [] if listed is None else [sources.run(listed)]
    systems = [run for run in joined_systems(every) if run.answered is not None]
    return AnsweredTopics(
        systems, nuggets=None if qrels is None else qrels.nuggets,
        grades=None if grades is None else sources.qrels(grades), listed=list_of(systems, plain), context=context,
        rule="segments",
    )  # fmt: skip


FILES = [OWN / f"{run}.{part}.jsonl" for run in ("alpha", "beta") for part in ("answers", "assignments", "support")]


@pytest.fixture
def own_topics() -> AnsweredTopics:
    return opened(OWN / "nuggets.jsonl", FILES, OWN / "qrels.txt", OWN / "context.run", OWN / "segments.jsonl")


def test_from_a_sentence_to_ranks_and_back(own_topics: AnsweredTopics) -> None:
    topic = own_topics.topic("t1")
    assert [segment.document for segment in topic.segments] == ["d11", "d13", "d12", "d14"]
    assert [segment.rank for segment in topic.segments] == [1, 2, 3, 4]
    alpha, beta = topic.systems
    ranks = [[topic.segments[each.segment].rank for each in sentence.cites] for sentence in alpha.sentences]
    assert ranks == [[1, 3], [], [3]]
    assert topic.segments[2].cited == ((1, 3), ()) and topic.segments[1].cited == ((), (2,))
    assert alpha.uncited == 1 and beta.uncited == 0
    assert [sentence.words_before for sentence in alpha.sentences] == [0, 10, 16]


def test_nuggets_have_labels_links_and_hints(own_topics: AnsweredTopics) -> None:
    rows = own_topics.topic("t2").nuggets
    assert [row.text for row in rows][:3] == [
        "Bees see ultraviolet patterns", "Bees smell flowers", "The waggle dance tells direction and distance",
    ]  # fmt: skip
    topic = own_topics.topic("t2")
    assert [topic.segments[place].document for place in rows[1].segments] == ["d23"]
    assert rows[0].alike == ((1,), (1,))  # "bees see ultraviolet" are 3 of its 4 words
    assert rows[1].alike[0] == (2,)
    assert rows[2].labels == (NONE, NONE) and rows[2].stages == ("not_retrieved", "not_retrieved")
    assert rows[3].stages == ("", "")  # okay nuggets are not lost


def test_without_a_list_there_are_no_ranks() -> None:
    topic = opened(OWN / "nuggets.jsonl", FILES).topic("t1")
    assert not topic.listed and all(segment.rank == 0 for segment in topic.segments)
    assert [segment.document for segment in topic.segments] == ["d11", "d12", "d13"]
    assert all(math.isnan(segment.grade) for segment in topic.segments)


def test_a_short_context_keeps_the_line_and_what_lies_below(own_topics: AnsweredTopics) -> None:
    cut = opened(OWN / "nuggets.jsonl", FILES, listed=OWN / "context.run", context=2).topic("t1")
    assert cut.context == 2 and [segment.rank for segment in cut.segments] == [1, 2, 3, 4]


def test_nothing_but_answers_and_nothing_but_labels() -> None:
    answers = opened(None, [OWN / "alpha.answers.jsonl"]).topic("t1")
    assert answers.nuggets == () and len(answers.systems[0].sentences) == 3
    labels = opened(None, [OWN / "alpha.assignments.jsonl"]).topic("t1")
    assert not labels.systems[0].answered and len(labels.nuggets) == 4
    unknown = opened(OWN / "nuggets.jsonl", FILES).topic("nowhere")
    assert unknown.nuggets == () and not any(system.answered for system in unknown.systems)


def test_odd_answers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    record = {
        "run_id": "odd", "topic_id": "t", "topic": "", "references": ["d1", "d1", "<b>d2</b>"], "response_length": 3,
        "answer": [
            {"text": "", "citations": []}, {"text": "<img src=file:///x>", "citations": [0, 0, 2]},
            {"text": "x" * 1_000_000, "citations": [7]},
        ],
    }  # fmt: skip
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    topic = opened(None, [path]).topic("t")
    sentences = topic.systems[0].sentences
    assert [sentence.text for sentence in sentences[:2]] == ["", "<img src=file:///x>"]
    assert len(sentences[2].text) == 1_000_000
    assert [each.segment for each in sentences[2].cites] == [-1]
    assert [topic.segments[each.segment].document for each in sentences[1].cites] == ["d1", "d1", "<b>d2</b>"]
    assert topic.segments[0].cited == ((2,),)  # cited twice, in one sentence


def test_topic_43037_of_the_track(data: Path) -> None:
    """The values that the picture of the answers shows."""
    track = data / "trec-rag-2024"
    if not track.is_dir():
        pytest.skip("the data of the track are not here")
    runs = [*sorted((track / "answers").iterdir()), *sorted((track / "assignments").iterdir())]
    topics = opened(
        track / "nuggets" / "rag24_nuggets_mistral.jsonl.gz", runs, track / "qrels.rag24.test.txt.gz",
        track / "context.derived.run",
    )  # fmt: skip
    topic = topics.topic("2024-43037")
    gpt, llama = topic.systems
    assert (gpt.words, len(gpt.sentences), gpt.uncited) == (308, 13, 4)
    assert (llama.words, len(llama.sentences), llama.uncited) == (190, 7, 0)
    assert topic.listed and topic.listed_count == 20 and topic.more == 0
    cites = [[topic.segments[each.segment].rank for each in sentence.cites] for sentence in gpt.sentences]
    assert cites == [[], [], [8, 15], [], [5, 9], [19], [2, 7], [2, 7], [1, 3], [], [4, 14], [16, 18], [13, 20]]
    grades = [int(segment.grade) for segment in topic.segments]
    assert grades == [1, 3, 2, 2, 2, 1, 3, 2, 2, 1, 2, 1, 3, 2, 2, 1, 1, 1, 2, 1]
    vital = [row.labels[0] for row in topic.nuggets if row.is_vital]
    assert [vital.count(label) for label in (FULL, PARTIAL, NONE, UNJUDGED)] == [6, 1, 7, 0]
    lacking = {row.text: row.lacks for row in topic.nuggets if any(row.lacks)}
    assert lacking == {"Russia supplies 37% of EU natural gas": (("37",), ("37",))}


def test_a_run_without_answers_beside_them(own_topics: AnsweredTopics) -> None:
    """It has no stages, and those of the others stay theirs."""
    plain = Run.from_dict({"t1": {"d11": 1.0}})
    alone = AnsweredTopics(own_topics.systems, nuggets=own_topics.nuggets, listed=own_topics.listed, rule="segments")
    beside = AnsweredTopics(
        [plain, *own_topics.systems], nuggets=own_topics.nuggets, listed=own_topics.listed, rule="segments"
    )
    for topic in ("t1", "t2", "t3"):
        wanted = [row.stages for row in alone.topic(topic).nuggets]
        assert [row.stages for row in beside.topic(topic).nuggets] == [("", *stages) for stages in wanted]


def test_what_a_nugget_has_is_looked_for_in_the_text_that_was_judged(tmp_path: Path) -> None:
    """As the checks do it: the label belongs to that text."""
    answers, labels = tmp_path / "a.jsonl", tmp_path / "l.jsonl"
    answers.write_text(json.dumps({"run_id": "s", "topic_id": "1", "references": [], "answer": [
        {"text": "About 12 islands.", "citations": []}]}) + "\n")  # fmt: skip
    labels.write_text(json.dumps({"qid": "1", "run_id": "s", "answer_text": "There are 99 islands.", "nuggets": [
        {"text": "99 islands", "importance": "vital", "assignment": "support"},
        {"text": "12 islands", "importance": "vital", "assignment": "support"}]}) + "\n")  # fmt: skip
    rows = opened(labels, [answers, labels]).topic("1").nuggets
    assert [row.lacks for row in rows] == [((),), (("12",),)]
