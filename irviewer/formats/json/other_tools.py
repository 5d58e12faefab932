"""JSON of tools that has neither rankings nor judgments nor texts, and texts that look like something else: named for
what they are, with what to do."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from irviewer.errors import ColumnsError, ParseError
from irviewer.formats.format import Head
from irviewer.formats.json.mapped import head_values, paths_of_file
from irviewer.formats.json_paths import found, parse_path
from irviewer.formats.texts.jsonl import ID_NAMES
from irviewer.model.column_names import GRADE, RANK, SCORE, plain_name
from irviewer.translation import tr

_TOOLS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("scores.*[].main_score", "task_name"),
        tr("MTEB's results of a task: means, not rankings"),
        tr("open the predictions that MTEB saves of a retrieval task"),
    ),
    (("cells[].cell_type", "nbformat"), tr("a Jupyter notebook"), tr("write the run or the qrels to a file in it")),
)
_VALUES = frozenset({*SCORE, *RANK, *GRADE, "distance", "relevance"})
_SHOWN = 12


def refuse_other_tools(head: Head) -> None:
    """Raise ParseError for a file of a tool that has neither rankings nor judgments nor texts."""
    if not head.begin.startswith("{"):
        return
    for value in head_values(head)[:1]:
        for marks, what, hint in _TOOLS:
            if all(any(True for _ in found(value, parse_path(mark))) for mark in marks):
                raise ParseError(head.path, tr("this is {what}", what=what), hint=hint)


def refuse_no_texts(head: Head) -> None:
    """Raise ColumnsError that lists the paths, for JSON that is not a text with its id in each object: one object
    whose members are of several kinds, or objects with lists of ranked or judged objects."""
    values = head_values(head)
    if not values or _is_broken(head):
        return
    record = values[-1]
    if not isinstance(record, dict):
        return
    if not (_is_mixed(record) or _has_no_text(record) or any(map(_is_ranked, record.values()))):
        return
    refuse_unknown(head)


def refuse_unknown(head: Head) -> NoReturn:
    """Raise ColumnsError that lists the paths of a JSON file."""
    paths = paths_of_file(head)
    if not paths:
        raise ParseError(head.path, tr("the JSON of the file is empty"), line=1,
                         hint=tr("check whether the tool that wrote it found anything"))  # fmt: skip
    shown = ", ".join(paths[:_SHOWN]) + (", …" if len(paths) > _SHOWN else "")
    raise ColumnsError(
        head.path, tr("JSON of an unknown shape, whose paths are {paths}", paths=shown), line=1,
        hint=tr(
            "name those of the query, the document and the score: --columns query=…,doc=…,score=…; --kind queries or "
            "--kind documents reads the objects as texts"
        ),
    ).with_names(paths)  # fmt: skip


def _is_broken(head: Head) -> bool:
    """Return True for a whole file that is no JSON, of which the reader says where."""
    try:
        json.JSONDecoder().raw_decode(head.begin)
    except RecursionError:
        return True
    except ValueError:
        return head.opened.whole
    return False


def _has_no_text(record: dict[str, Any]) -> bool:
    """Return True for an id with lists of no texts and nothing that is a text."""
    others = [value for name, value in record.items() if name not in ID_NAMES]
    lists = [value for value in others if isinstance(value, list)]
    texts = any(isinstance(value, str) or (isinstance(value, list) and any(isinstance(item, str) for item in value))
                for value in others)  # fmt: skip
    return bool(lists) and not texts


def _is_mixed(record: dict[str, Any]) -> bool:
    """Return True for an object without an id, with objects or lists in it, that is no map of texts or of objects by
    id; flat objects are rows, of which the reader says what they lack."""
    if any(name in record for name in ID_NAMES) or not any(isinstance(value, dict | list) for value in record.values()):
        return False
    texts = sum(1 for value in record.values() if isinstance(value, str))
    objects = sum(1 for value in record.values() if isinstance(value, dict))
    return len(record) not in (texts, objects)


def _is_ranked(value: Any) -> bool:
    """Return True for a list of objects with an id and a score, rank or grade, or a list of such lists or objects."""
    if isinstance(value, dict):
        return any(isinstance(item, list) and _is_ranked(item) for item in value.values())
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return False
    names = {plain_name(name) for name in value[0]}
    inner = {plain_name(name) for item in value[0].values() if isinstance(item, dict) for name in item}
    return bool(names & _VALUES) and any(name.endswith("id") for name in (*names, *inner, *_idlike(names)))


def _idlike(names: set[str]) -> list[str]:
    return ["id"] if names & {"doc", "document", "key", "url", "docno", "passage", "chunk", "node"} else []
