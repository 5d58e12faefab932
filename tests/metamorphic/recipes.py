"""How each command is called on a world. A command whose arguments are all known (QRELS, RUN) is called by itself, so
that a new one is covered as soon as it is in the table of commands; the recipes add what options compute."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from irviewer.cli.commands import COMMANDS, Command
from irviewer.cli.main import main
from tests.metamorphic.worlds import Files

NO_DATA = {
    "measures": "lists the measures",
    "formats": "lists the formats",
    "lesson": "opens and checks lessons",
    "answers": "needs nuggets: tests/views/test_answers.py tries it in other orders",
    "sample": "writes a bundled collection",
    "cache": "shows the cache",
    "completion": "prints a script",
    "help": "prints help",
    "protocol": "prints options",
}
"""Commands that read no qrels and no runs."""

LEFT_OUT = ["--dialect", "trec_eval-9"]
"""Queries that a run lacks are left out."""
NOT_DRAWN = ["--interval", "t"]


@dataclass(frozen=True)
class Recipe:
    """A call: the command, its arguments on a world, and what is true of its numbers.

    drawn   some come from samples of the queries in their order, so that other ids of queries draw others
    alone   those of a run do not depend on the other runs
    signed  there are pairs of runs whose side depends on the order of the files
    ids     some numbers are about ids themselves, such as the bytes of a file
    """

    command: str
    name: str
    arguments: Callable[[Files], list[str]]
    drawn: bool = False
    alone: bool = False
    signed: bool = False
    ids: bool = False

    @property
    def title(self) -> str:
        """The command with what is special."""
        return f"{self.command} {self.name}".strip()


def _runs(*options: str, judge: str = "human") -> Callable[[Files], list[str]]:
    return lambda files: [files.qrels(judge), *files.every_run, *options]


def _against_alpha(*options: str) -> Callable[[Files], list[str]]:
    return lambda files: [files.qrels(), *files.every_run, "--baseline", files.run("alpha"), *options]


def _judges(*options: str) -> Callable[[Files], list[str]]:
    return lambda files: [*files.every_judge, "--reference", "human", *options]


def _judges_and_runs(*options: str) -> Callable[[Files], list[str]]:
    return lambda files: [*files.every_judge, "--reference", "human", "--runs", *files.every_run, *options]


def _one_run(*options: str) -> Callable[[Files], list[str]]:
    return lambda files: [files.qrels(), files.run("delta"), *options]


def _collection(files: Files) -> str:
    """A folder with one collection: the qrels of one judge beside the runs."""
    folder = files.folder / "collection"
    folder.mkdir(exist_ok=True)
    for path in (files.qrels(), *files.every_run):
        shutil.copy(path, folder)
    return str(folder)


def _query(files: Files) -> str:
    return files.world.queries[5]


RECIPES = (
    Recipe("evaluate", "of all measures", _runs("-m", "official", "-m", "nDCG@10", "-q"), alone=True),
    Recipe("evaluate", "without queries that are lacked", _runs("-q", *LEFT_OUT), alone=True),
    Recipe("evaluate", "of judged documents", _runs("-q", "-J"), alone=True),
    Recipe("curves", "of recall", _runs("--kind", "pr"), alone=True),
    Recipe("curves", "of gain", _runs("--kind", "ndcg", "--depth", "10"), alone=True),
    Recipe("compare", "with a baseline", _against_alpha(*NOT_DRAWN, "--correction", "holm")),
    Recipe("compare", "on common queries", _against_alpha("-m", "AP", *NOT_DRAWN, *LEFT_OUT)),
    Recipe("compare", "with drawn intervals", _against_alpha(*LEFT_OUT, "--samples", "500"), drawn=True),
    Recipe("compare", "of all pairs", _runs("--pairs", *NOT_DRAWN, "--test", "t"), signed=True),
    Recipe(
        "compare", "by weights",
        lambda files: [*_against_alpha(*NOT_DRAWN, *LEFT_OUT)(files), "--weights", files.other("weights.tsv")],
        drawn=True,
    ),
    Recipe(
        "slices", "of two runs",
        lambda files: [
            *_against_alpha(*NOT_DRAWN, *LEFT_OUT)(files), "--by", "kind", "--query-attributes",
            files.other("attributes.tsv"),
        ],
    ),
    Recipe(
        "query-sets", "of runs",
        lambda files: [*_runs(*LEFT_OUT)(files), "--query-set", files.other("sets.tsv")],
    ),
    Recipe("medians", "of runs", _runs()),
    Recipe("measure-agreement", "by tau", _runs("-m", "AP", "-m", "P@5", "-m", "nDCG")),
    Recipe("measure-agreement", "by tau-AP", _runs("--by", "tau-ap", "-m", "AP", "-m", "R@20", "-m", "nDCG")),
    Recipe(
        "gate", "of one run",
        lambda files: [
            files.qrels(), files.run("delta"), "--baseline", files.run("alpha"), "--non-inferior", "AP > -0.2",
            "--ignore-unjudged", *NOT_DRAWN,
        ],
    ),
    Recipe("paper", "with a baseline", _against_alpha("--format", "csv", "-m", "AP", "-m", "P@5", *LEFT_OUT)),
    Recipe("report", "", _against_alpha("-m", "AP", "-m", "P@5", *LEFT_OUT), drawn=True, ids=True),
    Recipe("similarity", "of lists", lambda files: files.every_run),
    Recipe("similarity", "by tau-AP", lambda files: [*files.every_run, "--kind", "tau-ap"], signed=True),
    Recipe("agreement", "of grades", _judges("--samples", "200"), drawn=True),
    Recipe("agreement", "of systems", _judges_and_runs("-m", "P@1", "--samples", "200"), drawn=True),
    Recipe(
        "agreement", "of systems, judged documents only", _judges_and_runs("-m", "AP", "-J", "--samples", "200"),
        drawn=True,
    ),
    Recipe(
        "agreement", "of systems that tie", _judges_and_runs("-m", "R@20", "--samples", "200"), drawn=True,
    ),
    Recipe("agreement", "by query", _judges("--by-query")),
    Recipe("agreement", "by grade", _judges("--confusion", "modela", "--samples", "200"), drawn=True),
    Recipe(
        "stages", "of two runs",
        lambda files: [files.qrels(), files.run("beta"), files.run("gamma"), "-q", *NOT_DRAWN],
    ),
    Recipe("stages", "found", _runs("--find")),
    Recipe("pool", "", _runs("-m", "AP", "-m", "nDCG@10", *LEFT_OUT), signed=True),
    Recipe("pool", "to judge", _runs("-m", "nDCG@10", "--worklist")),
    Recipe("collections", "of one folder", lambda files: [_collection(files), "-m", "AP", "--baseline", "alpha"],
           drawn=True, ids=True),
    Recipe("fuse", "by rank", lambda files: [*files.every_run, "-o", files.other("fused.run")]),
    Recipe(
        "fusion-sweep", "",
        lambda files: [files.qrels(), files.run("alpha"), files.run("delta"), "-m", "AP"],
        drawn=True,
    ),
    Recipe("explain", "of a mean", lambda files: [*_one_run("-m", "AP")(files)], alone=True),
    Recipe("explain", "of a query", lambda files: [*_one_run("-m", "nDCG@10")(files), "-q", _query(files)], alone=True),
    Recipe(
        "explain", "of a difference",
        lambda files: [files.qrels(), files.run("epsilon"), "-m", "AP", "--against", files.run("alpha"), *LEFT_OUT],
    ),
    Recipe(
        "show", "of trade-offs",
        lambda files: ["trade-offs", *_runs("--run-attributes", files.other("costs.tsv"))(files)],
        ids=True,
    ),
    Recipe(
        "show", "of replicates",
        lambda files: [
            "replicates", files.qrels(), *map(files.run, ("alpha", "gamma", "beta", "delta")), "-m", "AP",
            "--pattern", "[gbd]?([ae])[a-z]*",
        ],
        ids=True,
    ),
    Recipe("plan", "of a pilot", _against_alpha("-m", "AP", "--size", ".05"), ids=True),
    Recipe(
        "reproduction", "of two runs",
        _runs("--original", "alpha", "--own", "delta", "--original-baseline", "beta", "--own-baseline", "gamma"),
        ids=True,
    ),
    Recipe(
        "judge", "beside a human",
        lambda files: _runs("-m", "AP", "--samples", "200", "--judge", files.qrels("modela"))(files),
        drawn=True, ids=True,
    ),
    Recipe("reuse", "of runs and families", _runs("-m", "AP", "-m", "P@5", "--prefix", "l"), ids=True),
    Recipe("verdict", "of the best run", _against_alpha(*NOT_DRAWN), drawn=True, ids=True),
    Recipe(
        "show", "of systems", lambda files: ["systems", *_against_alpha("-m", "AP", "-m", "P@5")(files)],
        drawn=True, ids=True,
    ),
    Recipe(
        "show", "of a gate",
        lambda files: [
            "gate", *_against_alpha("--run", "delta", "--non-inferior", "AP > -0.1", "--fail-if", "P@5 worse")(files)
        ],
        ids=True,
    ),
    Recipe("show", "of queries", lambda files: ["queries", *_against_alpha("--run", "delta")(files)], ids=True),
    Recipe(
        "show", "of a query",
        lambda files: ["query", *_against_alpha("--run", "delta", "--also", "P@5")(files), "--query", _query(files)],
        ids=True,
    ),
    Recipe("failures", "", lambda files: [*_against_alpha()(files)]),
    Recipe("failures", "of documents", _against_alpha("--hubs")),
    Recipe("failures", "causes of a loss", _against_alpha("--causes", "--run", "delta")),
    Recipe("dialects", "", _runs("-m", "AP", "-m", "P@5", "-q"), alone=True),
    Recipe("zscores", "", _runs("-m", "AP")),
    Recipe("check", "", lambda files: [files.qrels(), *files.every_run], ids=True),
    Recipe("convert", "of a run", lambda files: [files.run("delta"), files.other("converted.run"), "--to", "trec"]),
)  # fmt: skip


def with_what_it_must_have(command: Command) -> Recipe | None:
    """A call of a command with nothing but the arguments that it must have; None where one of them is unknown."""
    parser = command.parser()
    places: list[str] = []
    for action in parser._actions:
        metavar = action.metavar if isinstance(action.metavar, str) else ""
        if not action.option_strings:
            if metavar not in ("QRELS", "RUN"):
                return None
            places.append(metavar if action.nargs in (None, "?") else f"{metavar}S")
        elif action.required and metavar not in ("RUN", "FILE"):
            return None
    if not places:
        return None

    def arguments(files: Files) -> list[str]:
        named = {
            "QRELS": [files.qrels()], "QRELSS": files.every_judge, "RUN": [files.run("delta")], "RUNS": files.every_run,
        }  # fmt: skip
        words = [word for place in places for word in named[place]]
        for action in parser._actions:
            if action.option_strings and action.required and action.metavar == "RUN":
                words += [action.option_strings[-1], files.run("alpha")]
        return words

    return Recipe(command.name, "by itself", arguments, drawn=True, ids=command.name in ("check", "report"))


def every_recipe() -> list[Recipe]:
    """All recipes, and for each command without one a call by itself."""
    known = {recipe.command for recipe in RECIPES}
    extra = [
        with_what_it_must_have(command)
        for command in COMMANDS
        if command.name not in known and command.name not in NO_DATA
    ]
    return [*RECIPES, *(recipe for recipe in extra if recipe is not None)]


def called(recipe: Recipe, files: Files, out: Path) -> tuple[int, str]:
    """The exit status and the output of a recipe: JSON where the command has it, else what it prints or writes."""
    arguments = recipe.arguments(files)
    parser = next(command for command in COMMANDS if command.name == recipe.command).parser()
    options = {option for action in parser._actions for option in action.option_strings}
    if "--no-cache" in options:
        arguments.append("--no-cache")
    forms = next((action.choices for action in parser._actions if "--format" in action.option_strings), None) or ()
    written = next((word for word in arguments if word.endswith(("fused.run", "converted.run"))), "")
    if "json" in forms and "--format" not in arguments and not written:
        arguments += ["--format", "json"]
    required = any(action.required and "-o" in action.option_strings for action in parser._actions)
    target = out / f"{recipe.command}.html"
    if required:
        arguments += ["-o", str(target)]
    printed, said = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(said):
        status = main([recipe.command, *arguments])
    assert status in (0, 1, 2), said.getvalue()
    assert status == 0 or recipe.command == "gate", f"{recipe.title}: status {status}: {said.getvalue()}"
    text = target.read_text("utf-8") if required else Path(written).read_text() if written else printed.getvalue()
    return status, text.replace(str(files.folder), "")
