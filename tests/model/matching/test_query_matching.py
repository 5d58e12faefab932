"""Rules for query ids, on small runs made by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import irviewer
from irviewer.errors import OptionError
from irviewer.formats.load import load
from irviewer.model.matching.query_matching import query_proposals, renamed_queries, with_renamed_queries
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def run_of(*queries: str) -> Run:
    return Run.from_dict({query: {f"d{number}": 2.0, "x": 1.0} for number, query in enumerate(queries)})


def qrels_of(*queries: str) -> Qrels:
    return Qrels.from_dict({query: {"d0": 1} for query in queries})


@pytest.mark.parametrize(
    ("mine", "theirs", "rule"),
    [
        (("001", "002", "010"), ("1", "2", "10"), "zeros"),
        (("1", "2", "10"), ("001", "002", "010"), "zeros"),
        (("q1", "q2"), ("1", "2"), "prefix"),
        (("Q001", "Q002"), ("1", "2"), "prefix+zeros"),
        (("PLAIN-1", "PLAIN-2"), ("plain-1", "plain-2"), "prefix"),
        (("ab", "cd"), ("AB", "CD"), "case"),
    ],
)
def test_the_rule_that_fits_is_found(mine: tuple[str, ...], theirs: tuple[str, ...], rule: str) -> None:
    run, qrels = run_of(*mine), qrels_of(*theirs)
    best = query_proposals(run, qrels)[0]
    assert (best.rule, best.before, best.after, best.judged) == (rule, 0, len(theirs), len(theirs))
    assert best.sample == (mine[0], theirs[0])
    again = with_renamed_queries(run, qrels, rule)
    assert again.query_ids == theirs
    assert again.ranking(theirs[1]) == run.ranking(mine[1])
    assert query_proposals(again, qrels) == ()


def test_what_is_doubtful_matches_nothing() -> None:
    assert renamed_queries(run_of("1", "01", "02"), qrels_of("1", "2"), "zeros") == {"02": "2"}
    assert renamed_queries(run_of("01"), qrels_of("1", "001"), "zeros") == {}
    assert renamed_queries(run_of("01", "001"), qrels_of("1"), "zeros") == {}
    run = run_of("5", "6")
    assert with_renamed_queries(run, qrels_of("1"), "zeros") is run


def test_few_queries_that_would_match_by_chance_are_not_offered() -> None:
    qrels = qrels_of(*map(str, range(1, 41)))
    assert query_proposals(run_of(*map(str, range(1, 31)), "031"), qrels) == ()
    assert query_proposals(run_of(*map(str, range(1, 31)), "031", "032", "033", "034"), qrels)[0].after == 34
    assert query_proposals(Run.from_dict({}), qrels) == ()


@pytest.mark.parametrize("rule", ["chunk", "", "zeros+", "suffix=x"])
def test_a_rule_that_does_nothing_to_queries_is_refused(rule: str) -> None:
    with pytest.raises(OptionError, match="is not a rule for query ids"):
        renamed_queries(run_of("1"), qrels_of("2"), rule)


OWN = Path(__file__).parents[2] / "data" / "answers"


def test_a_topic_that_is_called_by_its_question(tmp_path: Path) -> None:
    """An export without ids gets those of the nuggets, its answers and labels too; and so at the command line."""
    nuggets = load(OWN / "nuggets.jsonl").value
    assert isinstance(nuggets, Qrels)
    assert nuggets.nuggets is not None
    records = [json.loads(line) for line in (OWN / "alpha.answers.jsonl").read_text().splitlines()]
    asked = dict(zip(nuggets.nuggets.topics, nuggets.nuggets.questions, strict=True))
    rows = [
        {"user_input": f" {asked[record['topic_id']].upper()}? ", "retrieved_context_ids": record["references"],
         "response": " ".join(sentence["text"] for sentence in record["answer"])}
        for record in records
    ]  # fmt: skip
    export = tmp_path / "export.jsonl"
    export.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = load(export).value
    assert isinstance(run, Run)
    assert not set(run.query_ids) & set(nuggets.query_ids)
    (best,) = query_proposals(run, nuggets)
    assert (best.rule, best.before, best.after) == ("question", 0, 3)
    again = with_renamed_queries(run, nuggets, "question")
    assert set(again.query_ids) == set(nuggets.query_ids)
    assert again.answered is not None
    assert set(again.answered.topics) == set(nuggets.query_ids)
    assert again.answered.answers is not None
    assert again.answered.answers.text_of("t1") == rows[0]["response"]
    labels = load(OWN / "alpha.assignments.jsonl").value
    assert isinstance(labels, Run)
    assert labels.answered is not None
    away = labels.answered.renamed({"t1": "sky"})
    assert away.topics == ("sky", *labels.answered.topics[1:])
    assert irviewer.answers("sentences", nuggets, [again])["systems"].column("sentences").values.tolist() != [0]


def test_a_question_of_two_topics_matches_nothing() -> None:
    nuggets = load(OWN / "nuggets.jsonl").value
    assert isinstance(nuggets, Qrels)
    assert nuggets.nuggets is not None
    same = replace(nuggets, nuggets=replace(nuggets.nuggets, questions=("why", "why", "")))
    assert renamed_queries(run_of("why", ""), same, "question") == {}
    assert renamed_queries(run_of("why"), qrels_of("1"), "question") == {}
