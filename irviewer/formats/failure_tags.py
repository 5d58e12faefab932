"""The tags of failures in a project file, for doors that read no whole project.

A collection has them in a section of its own:

    "failure_tags": {"tags": [["1", "wrong entity"], …], "examined": [[run, query, [tag, …], seed, who, when], …],
                     "seed": 42}

``run`` is the key of a run, ``seed`` null for a query that did not come in a random order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from irviewer.errors import OptionError
from irviewer.formats.project_file import read_project
from irviewer.model.failure_tags import (
    DEFAULT_SEED,
    FAILURE_TAGS,
    FailureTag,
    FailureTags,
    Look,
    RunTags,
    by_names,
    with_distinct_keys,
)
from irviewer.translation import tr


def tags_data(noted: FailureTags) -> dict[str, Any]:
    """Return tags as their section of a project; empty where there is nothing to keep."""
    data: dict[str, Any] = {}
    if noted.tags:
        data["tags"] = [[tag.key, tag.name] for tag in noted.tags]
    if noted.looks:
        data["examined"] = [
            [run, query, list(look.tags), look.seed, look.who, look.when]
            for (run, query), look in noted.looks.items()
        ]  # fmt: skip
    if noted.seed != DEFAULT_SEED:
        data["seed"] = noted.seed
    return data


def tags_from(data: Mapping[str, Any]) -> FailureTags:
    """Return the tags of a section whose shape was checked. A tag that a query has and the list lacks is added."""
    looks = {
        (run, query): Look(tuple(dict.fromkeys(names)), seed, who, when)
        for run, query, names, seed, who, when in (_filled(row) for row in data.get("examined", ()))
    }
    listed = [FailureTag(str(key), str(name)) for key, name in data.get("tags", ())]
    used = [FailureTag("", name) for look in looks.values() for name in look.tags]
    tags = with_distinct_keys((*listed, *used))
    spelled = {tag.name.casefold(): tag.name for tag in tags}
    looks = {
        place: Look(
            tuple(dict.fromkeys(spelled[name.casefold()] for name in look.tags)), look.seed, look.who, look.when
        )
        for place, look in looks.items()
    }
    return FailureTags(tags, looks, data.get("seed", DEFAULT_SEED))


def _filled(row: Sequence[Any]) -> tuple[int, str, Sequence[str], int | None, str, str]:
    missing: tuple[Any, ...] = ([], None, "", "")
    run, query, names, seed, who, when = (*row, *missing[len(row) - 2 :])
    return run, query, names, seed, who, when


def read_run_tags(path: str | Path, runs: Sequence[str]) -> RunTags:
    """Read the tags of a project by the names of runs: of the collection with the most of ``runs`` that has tags.
    Raises ProjectError for a file that is no project, OptionError where it has no tags of these runs."""
    best: RunTags | None = None
    most = 0
    for collection in read_project(path).get("collections", ()):
        if not isinstance(collection, Mapping) or not isinstance(collection.get(FAILURE_TAGS), Mapping):
            continue
        try:
            names = {int(run["key"]): str(run["name"]) for run in collection.get("runs", ())}
            named = by_names(tags_from(collection[FAILURE_TAGS]), names)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise OptionError(tr("{path}: the tags of failures cannot be read", path=path)) from error
        shared = len(set(runs) & set(named.looks))
        if shared > most:
            best, most = named, shared
    if best is None:
        raise OptionError(tr("{path}: the project has no tags of failures of these runs", path=path))
    return replace(best, origin=str(path))
