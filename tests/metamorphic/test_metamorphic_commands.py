"""Metamorphic tests of every command: files in another order, other ids, another language, a run less. No number moves
that should not, and every difference lies inside its interval."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from irviewer.cli.commands import COMMANDS
from irviewer.translation import choose_language, current_language
from tests.metamorphic.readings import FILES, ONE_SIDED, Numbers, difference_of, of_output, outside
from tests.metamorphic.recipes import NO_DATA, Recipe, called, every_recipe
from tests.metamorphic.worlds import RENAMINGS, Files, World, kept_order, same, world

WORLD = world(2, lacking=True)
FUZZ = [
    pytest.param(world(seed, queries=9 + seed % 8, lacking=bool(seed % 2)), marks=pytest.mark.fuzz, id=f"seed {seed}")
    for seed in range(3, 7)
]
EVERY = [pytest.param(WORLD, id="lacking"), pytest.param(world(1), marks=pytest.mark.fuzz, id="whole"), *FUZZ]
RECIPES = [pytest.param(recipe, id=recipe.title) for recipe in every_recipe()]
SOME = [
    pytest.param(recipe, id=recipe.title, marks=pytest.mark.slow if place % 3 else ())
    for place, recipe in enumerate(every_recipe())
]
"""A third of the recipes in an ordinary run, the others too in a slow one."""
_FILES = re.compile(r'SHA-256</th>.*?</table>|("(?:bytes|size|sha256)": ?)[^,}\n]+', re.DOTALL)
"""The sizes and digests of files, which other ids change."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory(prefix="worlds-") as whole:
        yield Path(whole)


@lru_cache(maxsize=2000)
def _numbers(recipe: Recipe, of: World, folder: Path, new: Callable[[str], str], turned: bool = False) -> Numbers:
    text = _output(recipe, of, folder, new, turned)
    return of_output(text, of.renamed(new).ids, ONE_SIDED if recipe.signed else frozenset())


World.__hash__ = object.__hash__  # type: ignore[method-assign, assignment]


def _output(
    recipe: Recipe, of: World, folder: Path, new: Callable[[str], str], turned: bool = False, language: str = "en"
) -> str:
    files = of.renamed(new).write(folder / f"{id(of)}-{new.__name__}")
    former = current_language()
    choose_language(language)
    try:
        _, text = called(recipe, files.turned() if turned else files, folder)
    finally:
        choose_language(former)
    return _FILES.sub(lambda match: f"{match[1]}0" if match[1] else "", text) if recipe.ids else text


def test_every_command_is_covered() -> None:
    """A new command is called by itself where its arguments are known; else it needs a recipe."""
    covered = {recipe.command for recipe in every_recipe()} | NO_DATA.keys()
    missing = [command.name for command in COMMANDS if command.name not in covered]
    assert missing == [], "give these commands a recipe in tests/metamorphic/recipes.py"


@pytest.mark.parametrize("of", EVERY)
@pytest.mark.parametrize("recipe", RECIPES)
def test_files_in_another_order(recipe: Recipe, of: World, folder: Path) -> None:
    before = _numbers(recipe, of, folder, same)
    assert before or recipe.command == "dialects"  # which may find that nothing changes
    assert difference_of(before, _numbers(recipe, of, folder, same, True)) == ""


@pytest.mark.parametrize("of", EVERY)
@pytest.mark.parametrize("order", RENAMINGS)
@pytest.mark.parametrize("recipe", SOME)
def test_other_ids(recipe: Recipe, order: str, of: World, folder: Path) -> None:
    new = RENAMINGS[order]
    if recipe.drawn and new is not kept_order:
        pytest.skip("samples are drawn from the queries in the order of their ids")
    before = _numbers(recipe, of, folder, same)
    assert difference_of(before, _numbers(recipe, of, folder, new)) == ""


@pytest.mark.parametrize("of", EVERY[:1] + FUZZ)
@pytest.mark.parametrize("recipe", SOME)
def test_another_language(recipe: Recipe, of: World, folder: Path) -> None:
    """Spanish sentences may say a number twice or in a word; what JSON has as numbers is the same."""
    texts = [_output(recipe, of, folder, same, language=language) for language in ("en", "es")]
    if not texts[0].lstrip().startswith(("{", "[")):
        pytest.skip("prints no JSON")
    values = [of_output(json.dumps(_without_texts(json.loads(text)))) for text in texts]
    assert difference_of(*values) == ""


@pytest.mark.parametrize("of", EVERY)
@pytest.mark.parametrize("recipe", [case for case in RECIPES if case.values[0].alone])  # type: ignore[union-attr]
def test_a_run_less(recipe: Recipe, of: World, folder: Path) -> None:
    """The numbers of the other runs stay where each run is evaluated by itself."""
    before = _numbers(recipe, of, folder, same)
    less = of.without("beta").write(folder / f"{id(of)}-less")
    _, text = called(recipe, less, folder)
    new = of_output(text, of.ids) - before
    assert not new, f"numbers that were not there: {dict(new)}"


@pytest.mark.parametrize("of", EVERY)
@pytest.mark.parametrize("recipe", SOME)
def test_every_difference_is_inside_its_interval(recipe: Recipe, of: World, folder: Path) -> None:
    text = _output(recipe, of, folder, same)
    try:
        data = json.loads(text)
    except ValueError:
        pytest.skip("prints no JSON")
    assert outside(data, recipe.title) == []


@pytest.mark.parametrize("of", EVERY)
def test_a_judge_less(of: World, folder: Path) -> None:
    """What is said of two judges does not depend on a third."""
    recipe = next(case for case in every_recipe() if case.title == "agreement by grade")
    files = of.write(folder / f"{id(of)}-judges")
    fewer = replace(files, judges=("human", "modela"))
    numbers = [of_output(called(recipe, each, folder)[1], of.ids) for each in (files, fewer)]
    numbers[1][f"{FILES} qrels"] += 1  # of the third
    assert difference_of(*numbers) == ""
    pairs = []
    for each in (files, fewer):
        data = json.loads(called(replace(recipe, arguments=_all_judges), each, folder)[1])
        rows = next(table["rows"] for table in data["tables"] if table["name"] == "pairs")
        pairs += [pair for pair in rows if {pair["first"], pair["second"]} == {"human", "modela"}]
    assert len(pairs) == 2
    # How much they agree, not what it is compared with.
    statistics = [{name: pair[name] for name in pair if isinstance(pair[name], float)} for pair in pairs]
    assert len(statistics[0]) > 5
    assert statistics[0] == statistics[1]


def _all_judges(files: Files) -> list[str]:
    return [*files.every_judge, "--reference", "human", "--samples", "200"]


@pytest.mark.parametrize("of", EVERY)
def test_one_difference_in_every_command(of: World, folder: Path) -> None:
    """The Δ of two runs, one of which lacks queries, is the same wherever it stands."""
    files = of.write(folder / f"{id(of)}-same")
    shown = {}
    for title, read in DIFFERENCES.items():
        recipe = next(case for case in every_recipe() if case.title == title)
        shown[title] = read(json.loads(called(recipe, files, folder)[1]))
    assert list(shown.values()) == pytest.approx([shown["compare on common queries"]] * len(shown))


def _compared(data: dict[str, Any]) -> float:
    rows = next(table["rows"] for table in data["tables"] if table["name"] == "comparison")
    return float(next(row["difference"] for row in rows if (row["run"], row["measure"]) == ("epsilon", "AP")))


def _explained(data: dict[str, Any]) -> float:
    return float(next(note["values"]["delta"] for note in data["notes"] if note["code"] == "worked"))


DIFFERENCES: dict[str, Callable[[dict[str, Any]], float]] = {
    "compare on common queries": _compared,
    "explain of a difference": _explained,
}
"""Where two runs are subtracted, and how the Δ of epsilon less alpha in AP is read from the output."""


def _without_texts(data: object) -> object:
    if isinstance(data, dict):
        return {str(place): _without_texts(value) for place, value in enumerate(data.values())}
    if isinstance(data, list):
        return [_without_texts(value) for value in data]
    return None if isinstance(data, str) else data
