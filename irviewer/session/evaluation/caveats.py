"""What a person should know of the numbers in view, as short sentences for the status line.

Knows a context; nothing of widgets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.errors import name_some
from irviewer.model.dialects import DEFAULT
from irviewer.model.judgments.judged import Judged
from irviewer.model.matching.unmatched import JudgedShare, judged_share, names_nonrelevant, share_warnings
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import Regime
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.document_lengths import needs_lengths
from irviewer.session.files.doctor import read_options_caveats
from irviewer.session.shortcuts import keys

Differences = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


def find_caveats(context: EvaluationContext) -> tuple[str, ...]:
    """Short sentences for the status line: what was done to files, how numbers are made, what is missing."""
    return context.once("caveats", _find_caveats)


def _find_caveats(context: EvaluationContext) -> tuple[str, ...]:
    own = (context.values_caveat,) if context.values_caveat else ()
    if context.judgments is None:
        return ("no judgments: lists without grades, no numbers",) if context.collection.runs else ()
    treated = read_options_caveats(context.collection)
    return (
        *own,
        *share_caveats(context),
        *treated,
        *_option_caveats(context),
        *_missing_caveats(context),
        *_judgment_caveats(context),
    )


def share_caveats(context: EvaluationContext) -> list[str]:
    """That next to nothing of a run's top is judged, or much more of one run's than of another's; nothing where what is
    not listed is not relevant."""
    if context.judgments is None or context.complete:
        return []
    shares = []
    for entry in context.collection.runs:
        evaluation_input = context.evaluation_input(entry)
        if evaluation_input is not None and entry.key not in context.strangers:
            found = context.evaluation.derived(evaluation_input, "judged share", _share)
            shares.append(replace(found, run=entry.name))
    return share_warnings(shares, names_nonrelevant(context.judgments.qrels))


def _share(judged: Judged) -> JudgedShare:
    return judged_share("", judged)


def hidden_words(context: EvaluationContext) -> str:
    """That there are runs and none is shown, and how to show some; "" where that is not so."""
    if not context.collection.runs or context.shown_runs:
        return ""
    return f"No run is shown: {keys('choose_runs')} chooses which are."


def _option_caveats(context: EvaluationContext) -> list[str]:
    """How numbers are made, where it is not the usual way."""
    lines = []
    if context.query_set is not None:
        lines.append(f"numbers are of {context.queries_text}")
        lines += [context.query_set.warning] if context.query_set.looked else []
    rules = context.options.rules
    if rules.name != DEFAULT:
        lines.append(f"{rules.title} dialect: {'; '.join(rules.account()[:2])} …")
    if context.options.level != EvaluationOptions().level:
        lines.append(f"relevant from grade {context.options.level:g}")
    if needs_lengths(context.measure) and context.collection.documents is None:
        lines.append(f"{context.measure} asks how long documents are: no documents are open, it has no values")
    if context.judged_only:
        lines.append("judged documents only: the others are left out of lists and numbers")
    return lines


def _missing_caveats(context: EvaluationContext) -> list[str]:
    assert context.judgments is not None
    found: dict[tuple[str, ...], list[str]] = {}
    outside: dict[tuple[str, ...], list[str]] = {}
    for entry, (lacking, unknown) in zip(context.collection.runs, _differences(context), strict=True):
        if lacking:
            found.setdefault(lacking, []).append(entry.name)
        if unknown:
            outside.setdefault(unknown, []).append(entry.name)
    done = "counted as 0" if context.options.missing_policy == "zero" else "left out"
    lines = [f"{_runs(names)} {_lack(names)} {_queries(missing)}: {done}" for missing, names in found.items()]
    lines += [
        f"{_runs(names)} {'answer' if len(names) > 1 else 'answers'} {_queries(unknown)} without judgments"
        for unknown, names in outside.items()
    ]
    return lines


def _differences(context: EvaluationContext) -> Differences:
    """Of each run, the judged queries that it lacks, and its own without judgments. Both follow from ids alone: an
    edited judgment or list asks none of them again, and nothing is held here but ids."""
    runs = tuple(entry.run.query_ids for entry in context.collection.runs)

    def find() -> tuple[Differences, object]:
        indices = [entry.run.query_index for entry in context.collection.runs]
        found = tuple(
            (
                tuple(query for query in context.query_ids if query not in index),
                tuple(query for query in ids if query not in context.query_index),
            )
            for ids, index in zip(runs, indices, strict=True)
        )
        return found, (context.query_ids, runs)

    return context.evaluation.shared(("differences", id(context.query_ids), *map(id, runs)), find)[0]


def _judgment_caveats(context: EvaluationContext) -> list[str]:
    assert context.judgments is not None
    lines = []
    without = int(np.count_nonzero(context.relevant == 0))
    if without:
        queries = "1 query has" if without == 1 else f"{without:,} queries have"
        lines.append(f"{queries} no relevant document")
    if context.judgments.regime is Regime.SPARSE:
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
