"""What a person should know of the numbers in view, as short sentences for the status line.

Knows a scene; nothing of widgets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.errors import name_some
from irviewer.model.dialects import DEFAULT
from irviewer.model.judgments.judged import Judged
from irviewer.model.matching.unmatched import JudgedShare, judged_share, names_nonrelevant, share_warnings
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import Regime
from irviewer.session.evaluation.context import Scene
from irviewer.session.evaluation.document_lengths import needs_lengths
from irviewer.session.files.doctor import treatment_caveats
from irviewer.session.shortcuts import keys

Differences = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


def find_caveats(scene: Scene) -> tuple[str, ...]:
    """Short sentences for the status line: what was done to files, how numbers are made, what is missing."""
    return scene.once("caveats", _find_caveats)


def _find_caveats(scene: Scene) -> tuple[str, ...]:
    own = (scene.values_caveat,) if scene.values_caveat else ()
    if scene.judgments is None:
        return ("no judgments: lists without grades, no numbers",) if scene.collection.runs else ()
    treated = treatment_caveats(scene.collection)
    return (
        *own,
        *share_caveats(scene),
        *treated,
        *_option_caveats(scene),
        *_missing_caveats(scene),
        *_judgment_caveats(scene),
    )


def share_caveats(scene: Scene) -> list[str]:
    """That next to nothing of a run's top is judged, or much more of one run's than of another's; nothing where what is
    not listed is not relevant."""
    if scene.judgments is None or scene.complete:
        return []
    shares = []
    for entry in scene.collection.runs:
        pair = scene.pair(entry)
        if pair is not None and entry.key not in scene.strangers:
            found = scene.evaluation.derived(pair, "judged share", _share)
            shares.append(replace(found, run=entry.name))
    return share_warnings(shares, names_nonrelevant(scene.judgments.qrels))


def _share(judged: Judged) -> JudgedShare:
    return judged_share("", judged)


def hidden_words(scene: Scene) -> str:
    """That there are runs and none is shown, and how to show some; "" where that is not so."""
    if not scene.collection.runs or scene.shown_runs:
        return ""
    return f"No run is shown: {keys('choose_runs')} chooses which are."


def _option_caveats(scene: Scene) -> list[str]:
    """How numbers are made, where it is not the usual way."""
    lines = []
    if scene.query_set is not None:
        lines.append(f"numbers are of {scene.queries_text}")
        lines += [scene.query_set.caveat] if scene.query_set.looked else []
    rules = scene.options.rules
    if rules.name != DEFAULT:
        lines.append(f"{rules.title} dialect: {'; '.join(rules.account()[:2])} …")
    if scene.options.level != EvaluationOptions().level:
        lines.append(f"relevant from grade {scene.options.level:g}")
    if needs_lengths(scene.measure) and scene.collection.documents is None:
        lines.append(f"{scene.measure} asks how long documents are: no documents are open, it has no values")
    if scene.condensed:
        lines.append("judged documents only: the others are left out of lists and numbers")
    return lines


def _missing_caveats(scene: Scene) -> list[str]:
    assert scene.judgments is not None
    found: dict[tuple[str, ...], list[str]] = {}
    outside: dict[tuple[str, ...], list[str]] = {}
    for entry, (lacking, unknown) in zip(scene.collection.runs, _differences(scene), strict=True):
        if lacking:
            found.setdefault(lacking, []).append(entry.name)
        if unknown:
            outside.setdefault(unknown, []).append(entry.name)
    done = "counted as 0" if scene.options.missing_policy == "zero" else "left out"
    lines = [f"{_runs(names)} {_lack(names)} {_queries(missing)}: {done}" for missing, names in found.items()]
    lines += [
        f"{_runs(names)} {'answer' if len(names) > 1 else 'answers'} {_queries(unknown)} without judgments"
        for unknown, names in outside.items()
    ]
    return lines


def _differences(scene: Scene) -> Differences:
    """Of each run, the judged queries that it lacks, and its own without judgments. Both follow from ids alone: an
    edited judgment or list asks none of them again, and nothing is held here but ids."""
    runs = tuple(entry.run.query_ids for entry in scene.collection.runs)

    def find() -> tuple[Differences, object]:
        indices = [entry.run.query_index for entry in scene.collection.runs]
        found = tuple(
            (
                tuple(query for query in scene.query_ids if query not in index),
                tuple(query for query in ids if query not in scene.query_index),
            )
            for ids, index in zip(runs, indices, strict=True)
        )
        return found, (scene.query_ids, runs)

    return scene.evaluation.shared(("differences", id(scene.query_ids), *map(id, runs)), find)[0]


def _judgment_caveats(scene: Scene) -> list[str]:
    assert scene.judgments is not None
    lines = []
    without = int(np.count_nonzero(scene.relevant == 0))
    if without:
        queries = "1 query has" if without == 1 else f"{without:,} queries have"
        lines.append(f"{queries} no relevant document")
    if scene.judgments.regime is Regime.SPARSE:
        lines.append("judgments are sparse: unlisted documents may be relevant")
    return lines


def _runs(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} runs"


def _lack(names: list[str]) -> str:
    return "lacks" if len(names) == 1 else "lack"


def _queries(ids: tuple[str, ...]) -> str:
    if len(ids) == 1:
        return f"query {ids[0]}"
    return f"{len(ids):,} queries ({name_some(ids, 3)})" if len(ids) > 3 else f"queries {', '.join(ids)}"
