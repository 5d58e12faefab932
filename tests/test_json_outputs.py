"""Every JSON output of the command line: records of a list have the same keys, whatever has a value; what has none is
null, and no number is NaN or infinite, which JSON has not. The keys do not depend on the data, nor on what was asked
for beside."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import irviewer
from irviewer.cli import main
from irviewer.cli.main import build_parser
from irviewer.paths import resource

SCHEMA = json.loads(resource("table.schema.json").read_text())
RUNS = ("one", "two", "three")
QUERIES = [str(number) for number in range(1, 9)]


def write(folder: Path, seed: int, gaps: bool) -> Path:
    """Qrels and three runs. With ``gaps`` queries lack relevant documents, runs lack queries, return nothing relevant
    or tie, and one document in four is not judged."""
    dice = random.Random(seed)
    folder.mkdir()
    documents = [f"d{number}" for number in range(12)]
    judged = []
    for query in QUERIES:
        none = gaps and query in ("2", "5")
        judged += [
            f"{query} 0 {document} {0 if none else dice.choice((0, 1, 1, 2))}" for document in dice.sample(documents, 9)
        ]
    (folder / "qrels").write_text("\n".join([*judged, ""]))
    for name in RUNS:
        lines = []
        for query in QUERIES:
            if gaps and (query, name) in (("3", "one"), ("4", "two"), ("8", "two"), ("8", "three")):
                continue
            retrieved = dice.sample(documents, 3 if gaps and query == "6" else 10)
            scores = [3.0, 2.0, 2.0] + [1.0] * 9 if gaps else [float(20 - rank) for rank in range(12)]
            lines += [
                f"{query} Q0 {document} {at} {score} {name}"
                for at, (document, score) in enumerate(zip(retrieved, scores, strict=False))
            ]
        (folder / name).write_text("\n".join([*lines, ""]))
    (folder / "sets").write_text("".join(f"{query}\t{'low' if query < '5' else 'high'}\n" for query in QUERIES))
    (folder / "attributes").write_text(
        "query_id,group,size\n" + "".join(f"{query},{int(query) % 2},{int(query) / 2}\n" for query in QUERIES[:6])
    )
    (folder / "costs").write_text(
        "run,ms\n" + "".join(f"{name},{5 - number}\n" for number, name in enumerate(RUNS[:2]))
    )
    (folder / "weights").write_text("".join(f"{query} {query}\n" for query in QUERIES[:5]))
    return folder


ANSWERS = Path(__file__).parent / "data" / "answers"
MEASURES = "-m AP -m nDCG@5 -m RankAtRecall@0.75 -m gm_map"
COMMANDS = {
    "evaluate": ["evaluate Q R {m}", "evaluate Q R {m} -q", "evaluate Q R {m} -q --missing intersection",
                 "evaluate Q R {m} --dialect gdeval -q"],
    "collections": ["collections F -m AP",
                    "collections F -m AP -m gm_map --baseline @one --forest",
                    "collections F -m RankAtRecall@0.75 --baseline @two --forest --tests"],
    "compare": ["compare Q R {m}", "compare Q R {m} --pairs", "compare Q R {m} --also-test all --power --posterior",
                "compare Q R {m} --weights W", "compare Q R {m} --missing intersection --also-test all",
                "compare Q R {m} --query-set S --set low --also-test all --correction none"],
    "paper": ["paper Q R {m}", "paper Q R {m} --pairs", "paper Q R {m} --no-baseline"],
    "stability": ["stability Q R -m AP", "stability Q R -m gm_map --query-set S --set low"],
    "slices": ["slices Q R -m AP --by relevant", "slices Q R -m gm_map --by group --query-attributes A",
               "slices Q R -m RankAtRecall@0.75 --by relevant --by group --query-attributes A --cross",
               "slices Q R {m} --by all --query-attributes A --missing intersection --test sign"],
    "query-sets": ["query-sets Q R -m AP --query-set S", "query-sets Q R -m gm_map --query-set S --weights W"],
    "measure-agreement": ["measure-agreement Q R -m AP -m RR -m P@5",
                          "measure-agreement Q R -m AP -m RR -m P@5 --by tau-ap"],
    "medians": ["medians Q R one one two {m}", "medians Q R one one two {m} --missing intersection"],
    "curves": ["curves Q R", "curves Q R --depth 7"],
    "bands": ["curves Q R --bands", "curves Q R --bands t"],
    "similarity": ["similarity R", "similarity R -q", "similarity R --kind tau -q", "similarity R --kind overlap"],
    "judges": ["agreement Q Q --samples 50", "agreement Q Q --samples 50 --runs R --family qrels=x --run-family one=x",
               "agreement Q Q Q --samples 0 --runs R -l 2"],
    "confusion": ["agreement Q Q --samples 50 --confusion @qrels_2",
                  "agreement Q Q --confusion @qrels_2 --runs R -m AP"],
    "judges by query": ["agreement Q Q --by-query", "agreement Q Q Q --by-query -l 2"],
    "corrected": ["agreement Q Q --correct @qrels_2 --runs R",
                  "agreement Q Q --correct @qrels_2 --runs R --baseline @one"],
    "pool": ["pool Q R", "pool Q R --no-leave-out", "pool Q R {m} --unjudged pooled", "pool Q R --unjudged sparse"],
    "worklist": ["pool Q R --worklist", "pool Q R -m AP --worklist --most 3"],
    "failures": ["failures Q R", "failures Q R --baseline @one"],
    "hubs": ["failures Q R --hubs"],
    "sweep": ["fusion-sweep Q R --folds 2 --step .5",
              "fusion-sweep Q one two -m gm_map --folds 3 --repeats 1 -l 2"],
    "stages": ["stages Q R -m AP", "stages Q R -m nDCG@5 -q --query 1", "stages Q one two -m RankAtRecall@0.75 -k 3"],
    "find stages": ["stages Q R --find"],
    "explain": ["explain Q one -m AP -q 1", "explain Q two -m AP -q 4", "explain Q one -m RankAtRecall@0.75 -q 6",
                "explain Q one -m bpref -q 6"],
    "explain mean": ["explain Q one -m AP", "explain Q two -m RankAtRecall@0.75", "explain Q two -m gm_map",
                     "explain Q one -m AP --missing intersection"],
    "explain difference": ["explain Q one -m AP -q 1 --against two", "explain Q one -m bpref -q 6 --against two",
                           "explain Q one -m AP -q 8 --against two"],
    "explain mean difference": ["explain Q one -m AP --against two", "explain Q one -m gm_map --against two"],
    "explain ties": ["explain Q one -m AP -q 1 --ties", "explain Q one -m RankAtRecall@0.75 -q 6 --ties",
                     "explain Q one -m bpref -q 3 --ties"],
    "explain tie changes": ["explain Q one -m AP --ties", "explain Q one -m RankAtRecall@0.75 --ties"],
    "explain document": ["explain Q one two three -q 1 --document d1", "explain Q one two -q 6 --document d2",
                         "explain Q one -q 3 --document nowhere"],
    "dialects": ["dialects Q R", "dialects Q R -q"],
    "zscores": ["zscores Q R -m AP", "zscores Q R -m AP -m nDCG@5 --missing intersection"],
    "trade-offs": ["show trade-offs Q R --run-attributes C", "show trade-offs Q R -m gm_map --run-attributes C"],
    "plan": ["plan Q R -m AP --size .05", "plan --sigma .2 --design systems --systems 5 --size .1", "plan Q one two"],
    "judge": ["judge Q R -m AP --samples 50 --judge Q"],
    "reuse": ["reuse Q R -m AP -m P@5", "reuse Q R -m AP --prefix t --judgments pool --every-run"],
    "reproduction": ["reproduction Q R -m AP --original @one --own @two"],
    "verdict": ["verdict Q R -m AP", "verdict Q one two -m gm_map --smallest 0.1"],
    "answers": [f"answers {view} {ANSWERS}/nuggets.jsonl {ANSWERS}/alpha.answers.jsonl "
                f"{ANSWERS}/alpha.assignments.jsonl {ANSWERS}/beta.assignments.jsonl --judgments {ANSWERS}/qrels.txt"
                for view in ("scores", "nuggets", "lost", "sentences")],
    "lesson": [f"lesson {name} --grade {Path(__file__).parent}/data/lessons/answers.json" for name in ("b2", "b1")],
    "protocol": ["protocol", "protocol -l 2 {m} --test wilcoxon --smallest 0.1", "protocol --query-set S --set low"],
    "gate": ["gate Q one --baseline two --non-inferior AP>-0.9", "gate Q one --baseline nix --non-inferior AP>-0.9",
             "gate Q one --baseline three --non-inferior P@5>+0 --require AP>0.1 --by relevant"],
}  # fmt: skip
"""Every JSON document that there is, and lines that make it: Q the qrels, R all runs, F their
folder, S sets, A attributes, C costs, W weights, {m} measures."""


def run(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """The document that a line makes; a NaN in it is refused."""
    words: list[str] = []
    seen: dict[str, int] = {}
    for word in line.replace("{m}", MEASURES).split():
        named = {
            "Q": ["qrels"],
            "R": list(RUNS),
            "S": ["sets"],
            "A": ["attributes"],
            "W": ["weights"],
            "C": ["costs"],
        }.get(word, [word])
        for letter in named:
            if letter == "F":
                words.append(str(folder))
                continue
            path = folder / letter
            if not path.is_file():
                words.append(letter.removeprefix("@"))
                continue
            number = seen[letter] = seen.get(letter, 0) + 1
            if number > 1:  # a run again, by another name
                again = folder / f"{letter}_{number}"
                again.write_text(path.read_text())
                path = again
            words.append(str(path))
    assert main.main([*words, "--format", "json"]) == 0 or words[0] == "gate", line
    document = json.loads(capsys.readouterr().out, parse_constant=_refused)
    if "tables" in document and "schema" in document:
        jsonschema.validate(document, SCHEMA)
    return document


def _refused(constant: str) -> Any:
    raise AssertionError(f"{constant} is no JSON")


def same_keys(value: Any, where: str = "") -> list[str]:
    """Where a list holds records of different keys, or a map's records have different ones."""
    differences: list[str] = []
    if isinstance(value, dict):
        inner = list(value.values())
        if len(inner) > 1 and all(isinstance(member, dict) and member for member in inner) and _is_map(value):
            keys = [set(member) for member in inner]
            if any(keys_of_member != keys[0] for keys_of_member in keys):
                differences.append(f"{where}{{}}: {_differing(keys)}")
        for name, member in value.items():
            differences += same_keys(member, f"{where}.{name}")
    elif isinstance(value, list):
        keys = [set(member) for member in value if isinstance(member, dict)]
        if keys and any(keys_of_member != keys[0] for keys_of_member in keys):
            differences.append(f"{where}[]: {_differing(keys)}")
        for member in value:
            differences += same_keys(member, f"{where}[]")
    return differences


def _is_map(value: dict[str, Any]) -> bool:
    """Whether its keys are ids of queries, runs or measures, so that all values are of one kind."""
    return all(name in (*QUERIES, *RUNS) or name[:1].isupper() for name in value)


def _differing(keys: list[set[str]]) -> list[str]:
    return sorted(set.union(*keys) - set.intersection(*keys))


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_key_is_always_there(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Values by query left out what had none; options and empty data took whole keys away."""
    folders = [write(tmp_path / "full", 3, gaps=False), write(tmp_path / "gaps", 4, gaps=True)]
    tops: list[tuple[str, list[str]]] = []
    for line in COMMANDS[name]:
        for folder in folders:
            document = run(line, folder, capsys)
            assert same_keys(document) == [], f"{line} ({folder.name})"
            if isinstance(document, dict) and name != "dialects":
                tops.append((f"{line} ({folder.name})", sorted(document)))
                for key, inner in document.items():
                    if (
                        isinstance(inner, list)
                        and inner
                        and isinstance(inner[0], dict)
                        and key not in ("rows", "queries")
                    ):
                        tops.append((f"{line} ({folder.name})[{key}]", sorted(inner[0])))
    first: dict[str, tuple[str, list[str]]] = {}
    for where, keys in tops:
        part = where.rpartition("[")[2] if where.endswith("]") else ""
        before, expected = first.setdefault(part, (where, keys))
        assert keys == expected, f"{where} has other keys than {before}"


def test_every_command_that_writes_json_is_among_them() -> None:
    """A new one has to be added above."""
    parser = build_parser()
    commands = next(
        action for action in parser._actions if hasattr(action, "choices") and isinstance(action.choices, dict)
    ).choices
    assert commands is not None
    writing = set()
    for name, command_parser in commands.items():
        for action in command_parser._actions:
            if "--format" in action.option_strings and "json" in (action.choices or ()):
                writing.add(name)
    assert writing == {lines[0].split()[0] for lines in COMMANDS.values()}


def test_values_by_query_are_all_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path / "gaps", 4, gaps=True)
    document = run("evaluate Q R {m} -q --missing intersection", folder, capsys)
    queries, means = document["tables"]
    names = [column["key"] for column in means["columns"][1:]]
    assert [(row["run"], row["query"]) for row in queries["rows"]] == [(name, q) for name in RUNS for q in QUERIES]
    lacks = {("one", "3"), ("two", "4"), ("two", "8"), ("three", "8")}
    for row in queries["rows"]:
        if (row["run"], row["query"]) in lacks:
            assert {row[name] for name in names} == {None}
    assert [table["name"] for table in run("evaluate Q R {m}", folder, capsys)["tables"]] == ["means"]


def test_one_writer_writes_all_of_it() -> None:
    """Another one would have to know again what JSON has not."""
    folder = Path(irviewer.__file__).parent
    writers = [file for part in ("cli", "reports") for file in (folder / part).glob("*.py") if file.stem != "json_text"]
    assert writers
    assert [file.name for file in writers if "json.dumps" in file.read_text("utf-8")] == []
