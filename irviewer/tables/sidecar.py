"""The file beside a CSV or TSV that says what its numbers depend on: the protocol, which ``--protocol`` reads again,
and in comments its line, the version, the view with its parameters, the inputs with their digests, and the remarks
about the table."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from irviewer.formats.data_files import described
from irviewer.hidden_characters import escape_hidden
from irviewer.tables.table import Provenance, Table
from irviewer.tables.utf8 import utf8

SUFFIX = ".protocol.toml"
"""What its name ends with, after the whole name of the table's file."""


def encoded(table: Table) -> bytes:
    """Return the file of a table."""
    source = table.provenance or Provenance()
    remarks = [source.line, " ".join(["irviewer", source.version, source.view, *_options(source.parameters)]).rstrip()]
    remarks += [
        f"{role}: {name}" + ("" if size is None else f", {size} bytes") + (f", sha256 {digest}" if digest else "")
        for role, name, size, digest in described(source.inputs)
    ]
    remarks += [note.text for note in table.notes]
    lines = [f"# {escape_hidden(remark)}" for remark in remarks if remark]
    return utf8("\n".join([*lines, "", source.text or "schema = 1\n"]))


def _options(parameters: Mapping[str, Any]) -> list[str]:
    """Return the parameters of a view as its command takes them; those that say nothing are left out."""
    words = []
    for name, given in parameters.items():
        option = f"--{name.replace('_', '-')}"
        if given is True:
            words.append(option)
        elif given is not False:
            values = given if isinstance(given, list | tuple) else [given]
            words += [f"{option} {shlex.quote(str(value))}" for value in values if value not in ("", None)]
    return words
