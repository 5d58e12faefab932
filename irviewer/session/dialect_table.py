"""The table of what other tools' rules would change of the numbers in view; made from frozen values, by any thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from irviewer.model.dialect_changes import ALL, Change, changes, shown_pair
from irviewer.model.dialects import DIALECTS
from irviewer.model.measure import Measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


@dataclass(frozen=True)
class ChangeRow:
    """One number in view that another dialect makes another; ``query`` is "all" for a mean."""

    dialect: str
    run: str
    query: str
    measure: str
    here: str
    there: str
    rule: str


@dataclass(frozen=True)
class DialectTable:
    """The changes, by dialect; ``here`` is the title of the rules in force, ``same`` those that change nothing that is
    written; ``beyond`` counts values that differ behind the digits written."""

    here: str
    rows: tuple[ChangeRow, ...]
    same: tuple[str, ...]
    beyond: int = 0


@dataclass(frozen=True)
class Wanted:
    """The numbers in view: means of ``measures``, and of ``query`` ("" none) the ``query_measures``."""

    qrels: Qrels
    runs: tuple[Run, ...]
    options: EvaluationOptions
    measures: tuple[Measure, ...]
    query: str = ""
    query_measures: tuple[Measure, ...] = ()


def dialect_table(wanted: Wanted, progress: Callable[[float], None], cancelled: Callable[[], bool]) -> DialectTable:
    """The table; what there is when it is cancelled."""
    others = [one for one in DIALECTS.values() if one.name != wanted.options.rules.name]
    rows: list[ChangeRow] = []
    same: list[str] = []
    beyond = 0
    for number, dialect in enumerate(others):
        if cancelled():
            break
        progress(number / len(others))
        found = list(changes(wanted.qrels, wanted.runs, wanted.measures, dialect, wanted.options))
        if wanted.query:
            by_query = changes(wanted.qrels, wanted.runs, wanted.query_measures, dialect, wanted.options, by_query=True)
            found += [one for one in by_query if one.query == wanted.query and one.query != ALL]
        seen = [one for one in found if _is_written(one)]
        beyond += len(found) - len(seen)
        rows += [_row(dialect.title, one) for one in seen]
        if not seen:
            same.append(dialect.title)
    return DialectTable(wanted.options.rules.title, tuple(rows), tuple(same), beyond)


def _is_written(change: Change) -> bool:
    """Whether the values differ as tables write them."""
    return f"{change.before:.{change.digits}f}" != f"{change.after:.{change.digits}f}"


def _row(title: str, change: Change) -> ChangeRow:
    here, there = shown_pair(change.before, change.after, change.digits)
    rule = " and ".join(change.reasons) if change.together else "; ".join(change.reasons)
    measure = change.measure.asked or change.measure.text
    return ChangeRow(title, change.run, change.query, measure, here, there, rule + _refused(change))


def _refused(change: Change) -> str:
    return f" ({change.refused})" if change.refused else ""
