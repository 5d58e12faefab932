"""The section of a project that holds the protocol: the declared rules, inference and measures.

The scope is a section of each collection, and how judging was done is with each judgment set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from irviewer.errors import OptionError
from irviewer.model.protocol import CHECKS, PLACES, PRESET, Inference
from irviewer.session.projects.checked import Heard, Shape, UnfitError, list_of, members, named
from irviewer.session.projects.json_records import plain
from irviewer.session.state import State

FIELDS: Mapping[str, tuple[str, ...]] = {
    "rules": ("level", "dialect", "missing", "judged_only", "depth"),
    "inference": tuple(field.name for field in fields(Inference)),
}
"""The fields of a project's protocol, by section."""
KNOWN: Mapping[str, Mapping[str, None] | None] = {
    "measures": None, **{section: dict.fromkeys(names) for section, names in FIELDS.items()},
}  # fmt: skip
"""What this version reads; other members are of a later version."""


def _field(name: str) -> Shape:
    """Return the shape of a field: a value that a protocol can have."""

    def shape(value: Any, heard: Heard) -> Any:
        try:
            CHECKS[name](name, value)
        except OptionError as error:
            raise UnfitError(str(error)) from None
        return value

    return shape


PROTOCOL = members(
    {},
    {"measures": list_of(named)}
    | {section: members({}, {name: _field(name) for name in names}) for section, names in FIELDS.items()},
)
"""The shape of the section. Members that are not known are kept."""


def write_protocol(state: State) -> dict[str, Any]:
    """Return the declared fields, by section."""
    protocol = state.protocol
    sections: dict[str, Any] = {"measures": list(protocol.measures)} if "measures" in protocol.declared else {}
    for section, names in FIELDS.items():
        values = {name: protocol[name] for name in names if PLACES[name] in protocol.declared}
        if "dialect" in values:
            values["dialect"] = protocol.rules.dialect_name
        if values.get("looks") is not None:
            values["looks"] = str(values["looks"])
        if values:
            sections[section] = plain(values)
    return sections


def read_protocol(state: State, data: Mapping[str, Any]) -> State:
    """Return the state with the protocol of a checked section; what it does not name is not declared."""
    values: dict[str, Any] = {"measures": list(dict.fromkeys(data["measures"]))} if "measures" in data else {}
    for section, names in FIELDS.items():
        values |= {name: value for name, value in data.get(section, {}).items() if name in names}
    return state.with_protocol(PRESET.but(**values))
