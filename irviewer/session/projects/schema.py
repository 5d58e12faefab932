"""The schema of a project; invalid parts are left out before the project is used.

Parts that are not listed here belong to a later version: they are kept unchanged."""

from __future__ import annotations

from typing import Any

from irviewer.analysis.failures.kinds import KINDS, Limits
from irviewer.analysis.similarity.ties import VARIANTS
from irviewer.formats.doctor import ReadOptions
from irviewer.formats.project_file import Sections, with_ids
from irviewer.model.answers.labels import FULL
from irviewer.model.answers.systems import CHOICES as ANSWER_CHOICES
from irviewer.model.attributes.queries import MOST_SLICES
from irviewer.model.failure_tags import FAILURE_TAGS
from irviewer.model.judgments.judgment_set import ORIGINS
from irviewer.model.workspace import NO_LIST, Regime
from irviewer.session.failures.options import FindingOptions
from irviewer.session.projects.checked import (
    Fault,
    Heard,
    Shape,
    flag,
    list_of,
    mapping,
    matching,
    members,
    name,
    named,
    number,
    one_of,
    optional,
    path,
    plain_value,
    record,
    row,
    text,
    whole,
)
from irviewer.session.projects.project import ELSEWHERE
from irviewer.session.projects.protocol_section import PROTOCOL
from irviewer.session.state import PLACES, TABS, Choices, State
from irviewer.session.view_models.matrix import MATRICES
from irviewer.translation import tr

MOST_RUNS = 10_000
"""A project with more runs is not opened. Twice as many as can be opened by hand, so that edited copies and fused runs
of them can be restored."""


def _with_measure(inner: Shape) -> Shape:
    """Return the shape of the view: the fields of the state and the measure."""

    def shape(value: Any, heard: Heard) -> Any:
        view = inner(value, heard)
        return {"measure": name(value["measure"], heard), **view} if "measure" in value else view

    return shape


def _tabs(value: Any, heard: Heard) -> Any:
    """Return the chosen tab of each view; unknown ones are left out."""
    tabs = mapping(name)(value, heard)
    for place, tab in tuple(tabs.items()):
        if tab not in TABS.get(place, ()):
            heard.note(tr("unknown view “{name}”", name=tab[:40]), place)
            del tabs[place]
    return tabs


def value_of_attribute(value: Any, heard: Heard) -> Any:
    """The shape of an attribute's value: a number or a text."""
    return name(value, heard) if isinstance(value, str) else number()(value, heard)


READ = record(ReadOptions)
FILE = members({"file": path}, {"read": READ})
SCORE = number(finite=False)
RANKINGS = mapping(list_of(row(named, SCORE)))
GRADES = mapping(mapping(number(), named))
LISTS = mapping(list_of(named))
KEPT = matching(r"[^/\\\0]+\.irviewer-[0-9a-f]+\.parquet", tr("a file of runs beside a project"))
JUDGED = row(name, named, optional(number()), text, text, text, least=3)
EXPLAINED = row(name, named, text, text, text, least=3)
TOPIC_LABELS = members(
    {"answer": list_of(row(text, list_of(text)))},
    {
        "question": text,
        "nuggets": list_of(row(whole(0), whole(0, FULL), text, text, text, text, list_of(whole(0)), least=3)),
        "citations": list_of(row(whole(0), whole(0), whole(0, FULL), text, text, text, least=4)),
    },
)
LABELS = members({"system": name, "topics": mapping(TOPIC_LABELS)}, {"judge": name})
OWN_NUGGETS = mapping(list_of(row(whole(0), text, text, list_of(text), least=3)))
EXAMINED = row(whole(0), name, list_of(named), optional(whole(0)), text, text, least=2)
REMARK = row(name, text, list_of(named), text, text, least=2)
JUDGMENTS = members(
    {"name": name},
    {
        "id": named,
        "file": path,
        "read": READ,
        "grades": GRADES,
        "regime": one_of(*(regime.value for regime in Regime)),
        "chosen": flag,
        "origin": one_of(*ORIGINS),
        "family": text,
        "note": text,
        "judged": list_of(JUDGED),
        "judge": name,
        "explanations": list_of(EXPLAINED),
        "widened": list_of(number()),
        "nuggets": OWN_NUGGETS,
    },
    any_of=("file", "grades"),
)
RUN = members(
    {"key": whole(0), "name": name},
    {
        "file": path,
        "read": READ,
        "stored": name,
        "system": name,
        "rankings": RANKINGS,
        "kept": KEPT,
        "made": members({"made from": list_of(name, least=1), "fusion": text}),
        "edited from": name,
        "edited": members({"lists": LISTS}, {"of": whole(0), "source": RANKINGS, "kept": KEPT}),
        "labels": LABELS,
        "layout": whole(1),
        "slot": whole(0, 1_000_000),
        "worn": flag,
        "family": text,
        "colour": matching("#[0-9a-fA-F]{6}", tr("a colour")),
    },
    any_of=("file", "rankings", "kept", "edited", "labels"),
)
ATTRIBUTE = members({"name": named, "kind": one_of("number", "category"), "values": mapping(value_of_attribute)})
SORT = row(name, flag)
CHOICES = record(Choices, {"judgments": whole(0), "systems_sort": optional(SORT)}, frozenset({"left", "scope"}))
SCOPE = members({}, {"queries": name, "baseline": whole(0), "runs": list_of(whole(0)), "unit": text})
COLLECTION = members(
    {},
    {
        "id": named,
        "name": name,
        "about": members({}, {"sample": name, "named": flag, "last_key": whole(-1)}, rest=False),
        "queries": FILE,
        "documents": FILE,
        "zscores": FILE,
        "judgments": list_of(JUDGMENTS),
        "runs": list_of(RUN, unique="key"),
        "removed runs": list_of(RUN, unique="key"),
        "versions": mapping(
            list_of(row(text, text, optional(number()), whole(0))), matching(r"\d+", tr("the number of a run"))
        ),
        "query sets": list_of(
            members({"name": named, "query_ids": list_of(name)}, {"origin": name, "how": text, "looked": flag}),
            unique="name",
        ),
        "weights": members({"values": mapping(number(0))}, {"how": text, "default": number(0), "path": text}),
        "stages": list_of(whole(0)),
        "answer list": whole(NO_LIST),
        "attributes": list_of(
            members({"name": named}, {"queries": list_of(ATTRIBUTE), "runs": list_of(ATTRIBUTE)}), unique="name"
        ),
        "slices": members(
            {},
            {
                "shown": list_of(name),
                "cuts": mapping(members({}, {"parts": whole(2, MOST_SLICES), "borders": list_of(number())})),
            },
        ),
        "systems": list_of(row(whole(0), name)),
        "answer versions": mapping(one_of(*ANSWER_CHOICES)),
        "remarks": members({}, {"query": list_of(REMARK), "document": list_of(REMARK)}),
        FAILURE_TAGS: members({}, {"tags": list_of(row(text, named)), "examined": list_of(EXAMINED), "seed": whole(0)}),
        "scope": SCOPE,
        "selection": CHOICES,
    },
)
_VIEW = {
    "cutoff": whole(1),
    "place": one_of(*PLACES),
    "tabs": _tabs,
    "rbo_p": number(0, 1, inside=True),
    "rbo_depth": whole(1),
    "rbo_ties": one_of(*VARIANTS),
    "matrix": one_of(*(matrix.name for matrix in MATRICES)),
    "result_parameters": mapping(mapping(plain_value)),
}
PROJECT = members(
    {},
    {
        "current": whole(-1),
        "view": _with_measure(record(State, _VIEW, ELSEWHERE)),
        "protocol": PROTOCOL,
        "finding": record(
            FindingOptions,
            {
                "kinds": list_of(one_of(*(kind.name for kind in KINDS))),
                "limits": record(Limits),
                "sizes": mapping(whole(0)),
                "stop": whole(0),
            },
        ),
        "layout": mapping(list_of(number(0, 1e6))),
        "columns": mapping(members({}, {"order": list_of(name), "hidden": list_of(name)}, rest=False)),
        "collections": list_of(COLLECTION),
    },
)


def checked(sections: Sections) -> tuple[Sections, list[Fault]]:
    """Return the sections without invalid parts, and a fault for each of these."""
    heard = Heard()
    sections_read = PROJECT(sections, heard)
    if "collections" not in sections:
        heard.note(tr("“{key}” is missing", key="collections"))
    return with_ids(sections_read), heard.faults
