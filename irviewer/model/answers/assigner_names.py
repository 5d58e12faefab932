"""Who labelled answers: the names of assigners of nuggets and of judges of support, as far as files tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Literal

from irviewer.model.answers.answered import Answered
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.support import Support
from irviewer.model.run import Run
from irviewer.translation import tr

Kind = Literal["nuggets", "support"]
KINDS: tuple[Kind, ...] = ("nuggets", "support")
HERE = "labelled-here"
"""The assigner of labels that were given by hand and are in no file."""


def assigner_names(runs: Sequence[Run], kind: Kind) -> tuple[str, ...]:
    """Return who labelled the answers of each run: the file's name without the system's, so that the files of one
    assigner have one name; where nothing is left the folder's. A name that two runs of a system have gets the
    folder. "" for a run without labels."""
    names = [_name(run, kind) for run in runs]
    taken = Counter((system_name(run), name) for run, name in zip(runs, names, strict=True) if name)
    twice = {name for (_, name), count in taken.items() if count > 1}
    result = []
    for run, name in zip(runs, names, strict=True):
        origin = _origin(run, kind)
        result.append(f"{name} ({Path(origin).absolute().parent.name})" if name in twice and origin else name)
    again = Counter((system_name(run), name) for run, name in zip(runs, result, strict=True) if name)
    return tuple(
        run.name if name and again[system_name(run), name] > 1 else name for run, name in zip(runs, result, strict=True)
    )


def title_of(assigner: str) -> str:
    """Return the name of an assigner as people read it."""
    return tr("labels given here") if assigner == HERE else assigner


def system_name(run: Run) -> str:
    """Return the system of a run: its name in the file, else the run's."""
    return (run.answered.system if run.answered is not None else "") or run.name


def _origin(run: Run, kind: Kind) -> str:
    labels = None if run.answered is None else labels_in(run.answered, kind)
    return "" if labels is None else labels.origin


def labels_in(answered: Answered, kind: Kind) -> Assignments | Support | None:
    """Return the assignments or the support of a system, None without them."""
    return answered.assignments if kind == "nuggets" else answered.support


def origin_of_parts(runs: Sequence[Run], kind: Kind) -> str:
    """Return the origin of labels that stand in the files of several runs of a system: what the names of their
    assigners begin with, by whole words, else all these names."""
    names = sorted({_name(run, kind) for run in runs})
    words = [re.findall(r"[^\W\d_]+|\d+|[\W_]+", name) for name in names]
    common = "".join(each[0] for each in takewhile(lambda each: len({*each}) == 1, zip(*words, strict=False)))
    first = Path(_origin(runs[0], kind))
    return str(first.with_name((common.strip(" ._-") or " + ".join(names)) + first.suffix))


def _name(run: Run, kind: Kind) -> str:
    if run.answered is None or labels_in(run.answered, kind) is None:
        return ""
    origin = _origin(run, kind)
    if not origin:
        return HERE
    path = Path(origin).absolute()
    stem = re.sub(r"(\.(jsonl?|ndjson|csv|tsv|parquet|xlsx|gz|bz2|xz|zst|zip))+$", "", path.name, flags=re.IGNORECASE)
    letters = [re.escape(letter) for letter in system_name(run) if letter.isalnum()]
    if letters:
        stem = re.sub(r"(?<![^\W_])" + r"[\W_]*".join(letters) + r"(?![^\W_])", "", stem, count=1, flags=re.IGNORECASE)
    return stem.strip(" ._-") or path.parent.name or path.name
