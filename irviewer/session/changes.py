"""Compares two states: a table says for each field which changes it announces, and one function compares them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from irviewer.session.state import State


class Change(StrEnum):
    """The kinds of change that are announced."""

    WORKSPACE = "workspace"
    COLLECTION = "collection"
    RUNS = "runs"
    MEASURE = "measure"
    QUERY = "query"
    DOCUMENT = "document"
    PLACE = "place"
    ORDER = "order"
    THEME = "theme"
    MESSAGES = "messages"
    BUSY = "busy"
    PROGRESS = "progress"
    DIALECTS = "dialects"
    MODE = "mode"
    STATISTICS = "statistics"
    EXPLANATION = "explanation"
    FINDING = "finding"
    PROJECT = "project"
    BRUSH = "brush"
    LESSON = "lesson"
    HISTORY = "history"


EVERY_CHANGE = frozenset(Change)


@dataclass(frozen=True)
class Field:
    """The changes that a new value of a field announces, and how two values are compared."""

    changes: frozenset[Change]
    same: Callable[[Any, Any], bool] = operator.eq


def _announces(*changes: Change, same: Callable[[Any, Any], bool] = operator.eq) -> Field:
    return Field(frozenset(changes), same)


def _as_text(old: object, new: object) -> bool:
    return str(old) == str(new)


_NUMBERS = (Change.MEASURE, Change.ORDER, Change.RUNS)
"""The values over several queries, the order by them, and the columns beside the runs."""

STATE: Mapping[str, Field] = {
    "measure": _announces(Change.MEASURE, same=_as_text),
    "cutoff": _announces(Change.MEASURE),
    "workspace": _announces(Change.WORKSPACE, same=operator.is_),
    "choices": _announces(),  # those of the collection in view are compared field by field
    "current": _announces(),  # which collection is in view is compared as a whole
    "place": _announces(Change.PLACE),
    "lists_mode": _announces(Change.MODE),
    "theme": _announces(Change.THEME),
    "system_contrast": _announces(Change.THEME),
    "system_dark": _announces(Change.THEME),
    "tabs": _announces(Change.MODE),
    "columns": _announces(Change.ORDER),
    "explaining": _announces(Change.EXPLANATION),
    "explained": _announces(Change.EXPLANATION),
    "matrix": _announces(Change.MODE),
    "agreement": _announces(Change.MODE),
    "result_view": _announces(Change.MODE),
    "result_parameters": _announces(Change.MODE),
    "report_views": _announces(Change.MODE),
    "cells": _announces(Change.MODE),
    "slopes": _announces(Change.MODE),
    "systems_hidden": _announces(Change.MODE),
    "systems_pair": _announces(Change.MODE),
    "collections_sort": _announces(Change.MODE),
    "finding": _announces(Change.FINDING),
    "protocol": _announces(),  # compared part by part
    "rbo_p": _announces(Change.STATISTICS),
    "rbo_depth": _announces(Change.STATISTICS),
    "rbo_ties": _announces(Change.STATISTICS),
    "messages": _announces(Change.MESSAGES),
    "judging": _announces(Change.MODE),
    "blind": _announces(Change.MODE),
    "label_system": _announces(Change.MODE),
    "label_support": _announces(Change.MODE),
    "label_blind": _announces(Change.MODE),
    "label_seed": _announces(Change.MODE),
    "label_at": _announces(Change.MODE),
    "lesson": _announces(Change.LESSON),
    "lecture_table": _announces(Change.LESSON),
    "thresholds": _announces(Change.LESSON),
    "history": _announces(Change.HISTORY, same=operator.is_),
}
"""Every field of the state."""

PROTOCOL: Mapping[str, Field] = {
    "measures": _announces(Change.STATISTICS),
    "rules": _announces(Change.MEASURE),
    "scope": _announces(),  # that of each collection is among its choices
    "inference": _announces(Change.STATISTICS),
    "declared": _announces(Change.STATISTICS),
}
"""Every part of the protocol."""

SCOPE: Mapping[str, Field] = {
    "queries": _announces(*_NUMBERS),
    "baseline": _announces(Change.RUNS),
    "runs": _announces(Change.RUNS, Change.STATISTICS),
    "unit": _announces(Change.STATISTICS),
    "declared": _announces(Change.STATISTICS),
}
"""Every field of the scope of the collection in view."""

CHOICES: Mapping[str, Field] = {
    "query_id": _announces(Change.QUERY),
    "document_id": _announces(Change.DOCUMENT),
    "pinned": _announces(Change.DOCUMENT),
    "scope": _announces(),  # compared field by field
    "focus": _announces(Change.RUNS),
    "shown": _announces(Change.RUNS),
    "judgments": _announces(Change.COLLECTION),
    "zscores": _announces(*_NUMBERS),
    "queries_sort": _announces(Change.ORDER),
    "queries_filter": _announces(Change.ORDER),
    "systems_sort": _announces(Change.ORDER),
    "systems_filter": _announces(Change.ORDER),
    "systems_outcome": _announces(Change.ORDER),
    "pool_sort": _announces(Change.ORDER),
    "brushed": _announces(Change.BRUSH),
    "stages_filter": _announces(Change.MODE),
    "stages_sort": _announces(Change.MODE),
    "stages_missed": _announces(Change.MODE),
    "judge_reference": _announces(Change.STATISTICS),
    "judge_pair": _announces(Change.STATISTICS),
    "attribute_columns": _announces(Change.ORDER),
    "attribute_plot": _announces(Change.ORDER),
    "run_columns": _announces(Change.ORDER),
    "run_colour": _announces(Change.ORDER, Change.RUNS),
    "run_plot": _announces(Change.ORDER),
    "slice_chosen": _announces(Change.MODE),
    "slice_crossed": _announces(Change.MODE),
    "slices_searched": _announces(Change.MODE),
    "answer_run": _announces(Change.MODE),
    "answer_columns": _announces(Change.MODE),
    "answer_part": _announces(Change.DOCUMENT),
    "answer_hints": _announces(Change.MODE),
    "left": _announces(),  # not shown
}
"""Every choice in the collection in view."""

COLLECTION: Mapping[str, Field] = {
    "name": _announces(Change.COLLECTION),
    "queries": _announces(Change.COLLECTION, same=operator.is_),
    "documents": _announces(Change.COLLECTION, same=operator.is_),
    "judgments": _announces(Change.COLLECTION, same=operator.is_),
    "zscores": _announces(Change.COLLECTION, same=operator.is_),
    "query_sets": _announces(*_NUMBERS),
    "weights": _announces(*_NUMBERS, same=operator.is_),
    "attributes": _announces(Change.ORDER, Change.RUNS, same=operator.is_),
    "slicing": _announces(Change.ORDER),
    "runs": _announces(Change.RUNS),
    "stages": _announces(Change.MODE),
    "answer_list": _announces(Change.MODE, Change.STATISTICS),
    "systems": _announces(Change.MODE),
}
"""The fields of the collection in view that are compared separately; any other field announces the collection."""


def changes_between(old: State, new: State) -> set[Change]:
    """Return the changes between two states."""
    changes = _differing(STATE, old, new) | _differing(CHOICES, old.chosen, new.chosen)
    if old.protocol is not new.protocol:
        changes |= _differing(PROTOCOL, old.protocol, new.protocol)
    if old.chosen.scope is not new.chosen.scope:
        changes |= _differing(SCOPE, old.chosen.scope, new.chosen.scope)
    before, after = old.collection, new.collection
    if before is after:
        return changes
    if before is None or after is None or old.current != new.current:
        return changes | {Change.COLLECTION, Change.RUNS, Change.QUERY, Change.ORDER}
    return changes | (_differing(COLLECTION, before, after) or {Change.COLLECTION})


def _differing(fields: Mapping[str, Field], old: object, new: object) -> set[Change]:
    changes: set[Change] = set()
    for name, field in fields.items():
        if not field.same(getattr(old, name), getattr(new, name)):
            changes |= field.changes
    return changes
