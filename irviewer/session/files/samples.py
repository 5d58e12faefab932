"""The sample collections that come with the program, as described by ``sample.json``. Reads only the descriptions.

A sample.json holds name, summary, documents and queries (each a file name, or missing), judgments (file, name, regime),
runs (file, name), baseline (a run's name) and notice; ``translations`` has the summary by language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irviewer.errors import ParseError
from irviewer.installed.samples import installed_samples, require_sample
from irviewer.model.workspace import Regime
from irviewer.paths import resource
from irviewer.translation import current_language, tr, with_region


@dataclass(frozen=True)
class SampleFile:
    """One file of a sample: its kind, path and name; ``regime`` for judgments only."""

    kind: str
    path: Path
    name: str
    regime: Regime | None = None


@dataclass(frozen=True)
class Sample:
    """One sample: ``id`` is its folder's name, used by ``--sample``."""

    id: str
    name: str
    summary: str
    files: tuple[SampleFile, ...]
    baseline: str
    notice: Path | None


def samples() -> tuple[Sample, ...]:
    """Return the installed samples, the default first. Raises ParseError if a description cannot be read."""
    return tuple(read_sample(resource("samples") / name) for name in installed_samples())


def find_sample(name: str) -> Sample | None:
    """Return the sample with this id or name, ignoring case; None if there is none. Raises MissingPartError for the one
    that no package has, where it is not installed."""
    require_sample(name)
    wanted = name.casefold()
    return next((sample for sample in samples() if wanted in (sample.id.casefold(), sample.name.casefold())), None)


def read_sample(folder: Path) -> Sample:
    """Read the sample in a folder. Raises ParseError if its description cannot be read."""
    path = folder / "sample.json"
    try:
        data = json.loads(path.read_bytes())
        files = [
            *(_plain(folder, data, kind) for kind in ("documents", "queries") if data.get(kind)),
            *(
                SampleFile("qrels", folder / row["file"], row.get("name", row["file"]), Regime(row["regime"]))
                for row in data["judgments"]
            ),
            *(SampleFile("run", folder / row["file"], row["name"]) for row in data["runs"]),
        ]
        notice = folder / data["notice"] if data.get("notice") else None
        return Sample(folder.name, data["name"], _summary(data), tuple(files), data.get("baseline", ""), notice)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ParseError(path, tr("the sample's description cannot be read: {error!r}", error=error)) from error


def _summary(data: Mapping[str, Any]) -> str:
    """Return the summary in the language of the window; in English if there is no translation."""
    translated = data.get("translations", {})
    return str(
        next((translated[name] for name in with_region(current_language()) if name in translated), data["summary"])
    )


def _plain(folder: Path, data: Mapping[str, Any], kind: str) -> SampleFile:
    return SampleFile(kind, folder / data[kind], data[kind])
