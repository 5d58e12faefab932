"""Several runs in one JSON object, ``{"bm25": {"q1": {"d1": 1.5}}}``, and the predictions that MTEB writes, which are
such objects by subset and split."""

from __future__ import annotations

import re
from typing import Any

from irviewer.errors import ParseError, name_some
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.json.json_rows import Row, made_of
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import fault, members, number, parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.translation import tr

_STRING = r'"(?:[^"\\]|\\.)*"'
_NUMBER = r"(?:-?\d|NaN|-?Inf)"
_NAMED = re.compile(rf"\{{\s*{_STRING}\s*:\s*\{{\s*{_STRING}\s*:\s*\{{\s*{_STRING}\s*:\s*{_NUMBER}")
_MTEB = re.compile(r'\{\s*"mteb_model_meta(?:data)?"\s*:\s*\{')
METADATA = ("mteb_model_meta", "mteb_model_metadata")
"""The keys of a model's description: the one that MTEB writes, and a longer form of it."""


def _sniff(head: Head) -> Sniffed | None:
    if _MTEB.match(head.begin):
        return Sniffed("run", tr("predictions of MTEB: an object with mteb_model_meta"), certain=True)
    if _NAMED.match(head.begin):
        return Sniffed("run", tr("an object of runs by name, each of scores by query and document"))
    return None


def _runs(opened: Opened, value: Any) -> dict[str, Any]:
    """Name -> {query: {document: score}}; of MTEB the subset and the split, as far as there are several."""
    if not isinstance(value, dict):
        raise fault(opened, tr("the file is not a JSON object of runs"))
    if not any(key in value for key in METADATA):
        return dict(members(value))
    runs = {}
    for subset, splits in members(value):
        if subset in METADATA:
            continue
        if not isinstance(splits, dict):
            raise fault(opened, tr("{name} is not an object of splits", name=subset), subset)
        for split, run in members(splits):
            runs[split if subset == "default" else f"{subset} {split}"] = run
    return runs


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    value = parse_json(opened)
    runs = _runs(opened, value)
    if not runs:
        raise ParseError(opened.path, tr("the file holds no run"))
    if wanted.part is not None and wanted.part not in runs:
        reason = tr("there is no run {part!r}", part=wanted.part)
        raise ParseError(opened.path, reason, hint=tr("--part takes one of {names}", names=name_some(list(runs))))
    chosen = wanted.part if wanted.part is not None else next(iter(runs))
    rows: list[Row] = []
    if not isinstance(runs[chosen], dict):
        raise fault(opened, tr("run {run} is not an object of queries", run=chosen), chosen)
    for query, documents in members(runs[chosen]):
        if not isinstance(documents, dict):
            raise fault(opened, tr("query {query} is not an object of documents", query=query), query)
        rows += [
            (query, document, number(opened, score, "score", query, document)) for document, score in members(documents)
        ]
    findings = []
    if len(runs) > 1:
        text = tr(
            "{n} runs in one file ({names}): read {chosen}; --part reads another",
            n=len(runs), names=name_some(list(runs), 4), chosen=chosen,
        )  # fmt: skip
        serious = wanted.part is None
        findings.append(Finding(text, len(runs), serious=serious, topic="part", names=tuple(runs)))
    return made_of(opened, rows, wanted, tr("JSON of several runs"), findings)


FORMAT = Format("json-runs", tr("JSON of several runs"), ("run",), _sniff, _read)
