"""Id rules against counts made by plain Python, on small data and on a real run whose ids match no qrels."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from irviewer.errors import OptionError
from irviewer.formats.load import load
from irviewer.model.matching.id_matching import (  # fmt: skip
    joins,
    keys_of,
    matched,
    matched_ids,
    parse_rule,
    proposals,
    rule_title,
)
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.chunk_rollup import rolled_up_by
from irviewer.model.run import Run


def ranked(run: Run) -> dict[str, dict[str, float]]:
    return {
        query: dict(zip(run.ranking(query), run.ranking_scores(query).tolist(), strict=True)) for query in run.query_ids
    }


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        ("extension", "CACM-1410.html", "CACM-1410"),
        ("extension", "a.tar.gz", "a"),
        ("extension", "12.5", "12.5"),
        ("path", "/data/x/doc7.txt", "doc7.txt"),
        ("prefix", "CACM-1410", "1410"),
        ("prefix", "abc", "abc"),
        ("zeros", "000", "0"),
        ("zeros", "0012", "12"),
        ("case", "ÄB-c", "äb-c"),
        ("chunk", "doc#3", "doc"),
        ("chunk", "doc_p12", "doc"),
        ("chunk", "doc-passage-2", "doc"),
        ("chunk", "doc::chunk_4", "doc"),
        ("chunk", "msmarco_doc_00_12#4_567", "msmarco_doc_00_12"),
        ("chunk", "CACM-1410", "CACM-1410"),
        ("number", "doc_12", "doc"),
        ("extension+prefix", "CACM-1410.html", "1410"),
        ("prefix=a.b%2Bc", "a.b+c7", "7"),
        ("suffix=.x", "dax", "dax"),
    ],
)
def test_keys(rule: str, before: str, after: str) -> None:
    run = Run.from_dict({"1": {before: 1.0}})
    assert keys_of(run.doc_ids, rule).to_pylist() == [after]
    assert rule_title(rule)


def test_unknown_steps_are_refused() -> None:
    for text in ("", "extention", "prefix=", "case=1", "prefix+"):
        with pytest.raises(OptionError, match="is not an id rule"):
            parse_rule(text)
    assert joins("chunk+case")
    assert not joins("case")


@pytest.mark.parametrize(
    ("mine", "theirs", "rule"),
    [
        ("DOC-{}", "doc-{}", "case"),
        ("{}", "000{}", "zeros"),
        ("{}", "CACM-{}", "prefix"),
        ("x{}y_z", "{}", "prefix=x+suffix=y_z"),
        ("d{}#2", "d{}", "chunk"),
        ("http://a.b/c/w{}.htm", "w{}", "path+extension"),
    ],
)
def test_the_rule_that_fits_is_found(mine: str, theirs: str, rule: str) -> None:
    numbers = random.Random(3).sample(range(100, 999), 60)
    qrels = Qrels.from_dict({str(q): {theirs.format(n): 1 for n in numbers[q * 10 : q * 10 + 5]} for q in range(6)})
    run = Run.from_dict({str(q): {mine.format(n): -n for n in numbers[q * 10 + 2 : q * 10 + 10]} for q in range(6)})
    by_rule = {proposal.rule: proposal for proposal in proposals(run, qrels)}
    assert rule in by_rule, list(by_rule)
    assert (by_rule[rule].before, by_rule[rule].after, by_rule[rule].judged) == (0, 18, 30)
    assert by_rule[rule].samples
    again = matched(run, qrels, rule)
    assert sum(len(set(again.ranking(q)) & set(qrels.judgments(q))) for q in qrels.query_ids) == 18
    assert again.query_ids == run.query_ids
    assert proposals(again, qrels) == ()


def test_ids_that_match_stay_and_doubtful_ones_match_nothing() -> None:
    qrels = Qrels.from_dict({"1": {"A": 1, "b": 1, "c": 2, "C": 0}})
    run = Run.from_dict({"1": {"A": 5, "B": 4, "c": 3, "X": 2}})
    assert matched(run, qrels, "case").ranking("1") == ["A", "b", "c", "x"]
    run = Run.from_dict({"1": {"cc": 5, "xC": 4}})  # c and C share a key: neither can be meant
    assert matched(run, qrels, "prefix=x+case").ranking("1") == ["cc", "c"]
    assert matched(run, qrels, "prefix=x").ranking("1") == ["cc", "C"]


def test_joined_documents_need_a_roll_up() -> None:
    qrels = Qrels.from_dict({"1": {"d": 1}})
    run = Run.from_dict({"1": {"d#1": 5, "d#2": 4, "e#1": 3}})
    with pytest.raises(OptionError, match=r"joins 1 document of run run with another one.*--rollup"):
        matched(run, qrels, "chunk")
    (proposal,) = proposals(run, qrels, 1)
    assert (proposal.rule, proposal.joined, proposal.after) == ("chunk", 1, 1)


def score_of(group: list[tuple[int, float]], how: str) -> float:
    if how == "first":
        return min(group)[1]
    scores = [score for _, score in group]
    return max(scores) if how == "best" else sum(scores)


@pytest.mark.parametrize("how", ["first", "best", "sum"])
def test_roll_up_by_brute_force(how: str) -> None:
    dice = random.Random(7)
    rankings = {
        str(q): {f"d{dice.randrange(9)}_p{n}": dice.choice([dice.random(), 0.5, -1.0]) for n in range(30)}
        for q in range(8)
    }
    qrels = Qrels.from_dict({"0": {"d1": 1}})
    rolled_up = rolled_up_by(Run.from_dict(rankings), qrels, "chunk", how)  # type: ignore[arg-type]
    for query, chunks in rankings.items():
        groups: dict[str, list[tuple[int, float]]] = {}
        for name, score in chunks.items():
            document, _, number = name.partition("_p")
            groups.setdefault(document, []).append((int(number), score))
        expected = {document: score_of(group, how) for document, group in groups.items()}
        ranking = rolled_up.ranking(query)
        assert dict(zip(ranking, rolled_up.ranking_scores(query).tolist(), strict=True)) == pytest.approx(expected)
        assert ranking == sorted(
            ranking, key=lambda returned: (ranked(rolled_up)[query][returned], returned), reverse=True
        )


def test_roll_up_keeps_components_and_refuses_other_ways() -> None:
    run = Run.from_columns(
        ("1",), np.zeros(3, dtype=np.int64), Run.from_dict({"1": {"a#2": 3, "a#1": 2, "b#1": 1}}).doc_ids,
        np.array([3.0, 2.0, 1.0]), components={"bm": np.array([1.0, 10.0, 100.0])},
    )  # fmt: skip
    qrels = Qrels.from_dict({"1": {"a": 1}})
    assert rolled_up_by(run, qrels, "chunk", "sum").ranking_components("1")["bm"].tolist() == [11.0, 100.0]
    assert rolled_up_by(run, qrels, "chunk", "first").ranking_components("1")["bm"].tolist() == [10.0, 100.0]
    with pytest.raises(OptionError, match="is not a roll-up"):
        rolled_up_by(run, qrels, "chunk", "mean")  # type: ignore[arg-type]


def test_empty_sides() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}})
    assert proposals(Run.from_dict({}), qrels) == ()
    assert proposals(Run.from_dict({"2": {"a.txt": 1}}), qrels) == ()
    assert len(rolled_up_by(Run.from_dict({}), qrels, "chunk", "first")) == 0
    assert matched(Run.from_dict({"1": {"B": 1}}), Qrels.from_dict({}), "case").ranking("1") == ["b"]


@pytest.mark.parametrize("name", ["BM25", "JM_QLM"])
def test_cacm_runs_as_they_are(data: Path, name: str) -> None:
    folder = data / "cacm" / "runs"
    if not (folder / "runs_as_is").is_dir():
        pytest.skip("the CACM runs with foreign ids are not here")
    qrels, run = load(folder / "cacm.rel.txt", kind="qrels").value, load(folder / f"runs_as_is/{name}.run.gz").value
    assert isinstance(qrels, Qrels)
    assert isinstance(run, Run)
    by_rule = {proposal.rule: proposal for proposal in proposals(run, qrels)}
    judged = {(q, d) for q in qrels.query_ids for d in qrels.judgments(q)}
    cut = {(q, d.removesuffix(".html")) for q in run.query_ids for d in run.ranking(q)}
    assert by_rule["extension"].after == len(judged & cut)
    fixed = load(folder / f"runs_ids_fixed/{name}.run.gz").value
    assert isinstance(fixed, Run)
    assert ranked(matched(run, qrels, "extension")) == ranked(fixed)
    # Some ids are padded (CACM-0268.html): the longer chain finds those as well.
    numbers = {(q, int(d.removesuffix(".html").partition("-")[2])) for q in run.query_ids for d in run.ranking(q)}
    wanted = {(q, int(d.partition("-")[2])) for q, d in judged}
    assert by_rule["extension+prefix+zeros"].after == len(numbers & wanted)


def test_a_rule_is_offered_where_a_part_matches_already_and_its_counts_are_those_of_brute_force() -> None:
    dice = random.Random(11)
    written = ["d{}", "D{}", "d{}.txt", "x/d{}"]
    qrels = Qrels.from_dict({str(q): {f"d{dice.randrange(60)}": 1 for _ in range(12)} for q in range(40)})
    names = [written[number % 4].format(number) for number in range(60)]  # each document has one name
    run = Run.from_dict({str(q): {dice.choice(names): dice.random() for _ in range(25)} for q in range(42)})
    judged = {(q, d) for q in qrels.query_ids for d in qrels.judgments(q)}
    plain = {(q, d) for q in run.query_ids for d in run.ranking(q)}
    proposed = proposals(run, qrels)
    assert {"case", "path", "extension"} & {part for proposal in proposed for part in proposal.rule.split("+")}
    for proposal in proposed:
        new = matched_ids(run, qrels, proposal.rule).to_pylist()
        queries = [q for q in run.query_ids for _ in range(run.returned(q))]
        pairs = [pair for pair in zip(queries, new, strict=True) if pair[0] in qrels.query_index]
        assert proposal.before == len(judged & plain) > 0
        assert proposal.after == len(judged & set(pairs)) > proposal.before
        assert proposal.judged == len(judged)
        assert proposal.joined == len(pairs) - len(set(pairs))


def test_who_hears_how_far_it_is_can_end_it() -> None:
    qrels = Qrels.from_dict({"1": {f"d{n}": 1 for n in range(9)}})
    run = Run.from_dict({"1": {f"D{n}": -n for n in range(9)}})
    heard: list[float] = []
    assert proposals(run, qrels, progress=heard.append)
    assert heard == sorted(heard)
    assert 0 <= heard[0] < 0.5 <= heard[-1] < 1

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        proposals(run, qrels, progress=stop)


def test_of_a_large_run_the_first_queries_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irviewer.model.matching.id_matching.COUNTED_ROWS", 95)
    qrels = Qrels.from_dict({str(q): {f"d{n}": 1 for n in range(5)} for q in range(20)})
    run = Run.from_dict({str(q): {f"D{n}": -n for n in range(10)} for q in range(20)})
    matching = next(proposal for proposal in proposals(run, qrels) if proposal.rule == "case")
    assert (matching.rule, matching.queries, matching.before, matching.after, matching.judged) == ("case", 9, 0, 45, 45)
    assert "45 of 45 judged documents match in the first 9 queries (now 0)" in str(matching)


CORPORA: dict[str, Callable[[random.Random, int], str]] = {
    "folders": lambda dice, n: f"{dice.choice(['news', 'sport', 'wiki'])}/{n % 140}",
    "letters": lambda dice, n: "".join(dice.choices("aAbB", k=5)),
    "disambiguated": lambda dice, n: f"Apple{n % 60}" + (f"_{dice.randrange(1, 5)}" if dice.random() < 0.6 else ""),
    "extensions": lambda dice, n: f"page{n % 150}.{dice.choice(['html', 'txt', 'pdf'])}",
    "newspapers": lambda dice, n: f"{dice.choice(['FT', 'LA', 'FBIS'])}{n % 150}",
    "zeros": lambda dice, n: dice.choice(["", "0", "00"]) + str(n % 150),
    "addresses": lambda dice, n: f"http://a{n % 9}.org/{dice.choice('xy')}/p{n % 40}.html",
    "passages": lambda dice, n: f"D{n % 60}#{dice.randrange(6)}",
}


@pytest.mark.parametrize("kind", CORPORA)
def test_no_rule_takes_two_documents_of_a_collection_for_one(kind: str) -> None:
    """Run and qrels have the ids of one collection, few of them in common."""
    for seed in range(40):
        dice = random.Random(seed)
        ids = sorted({CORPORA[kind](dice, n) for n in range(400)})
        judged, returned = dice.choice([3, 10, 40]), dice.choice([5, 20, 60])
        qrels = Qrels.from_dict({str(q): dict.fromkeys(dice.sample(ids, min(len(ids), judged)), 1) for q in range(8)})
        run = Run.from_dict({str(q): {d: dice.random() for d in dice.sample(ids, min(len(ids), returned))}
                             for q in range(8)})  # fmt: skip
        assert proposals(run, qrels) == (), seed


@pytest.mark.parametrize("name", ["Additional", "BM25"])
def test_no_suffix_is_offered_that_belongs_to_ids(data: Path, name: str) -> None:
    """``CACM-`` and a 4 surround a judged number in some ids."""
    folder = data / "cacm"
    if not (folder / "qrels.text").is_file():
        pytest.skip("the CACM collection is not here")
    qrels = load(folder / "qrels.text", kind="qrels").value
    run = load(folder / "runs" / "runs_ids_fixed" / f"{name}.run.gz").value
    assert isinstance(qrels, Qrels)
    assert isinstance(run, Run)
    assert [proposal.rule for proposal in proposals(run, qrels)] == ["prefix+zeros", "prefix", "prefix=CACM-"]
