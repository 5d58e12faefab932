"""The file beside a CSV or TSV that says what its numbers depend on: the protocol, which ``--protocol`` reads again,
and in comments its line, the version, the view with its parameters, the inputs with their digests, and the remarks
about the table."""

from __future__ import annotations

import json

from irviewer.formats.data_files import described
from irviewer.hidden_characters import escape_hidden
from irviewer.tables.json_text import plain
from irviewer.tables.table import Provenance, Table
from irviewer.tables.utf8 import utf8

SUFFIX = ".protocol.toml"
"""What its name ends with, after the whole name of the table's file."""


def encoded(table: Table) -> bytes:
    """Return the file of a table."""
    source = table.provenance or Provenance()
    remarks = [source.line, f"irviewer {source.version} {source.view}".rstrip(), _parameters(source)]
    remarks += [
        f"{role}: {name}" + ("" if size is None else f", {size} bytes") + (f", sha256 {digest}" if digest else "")
        for role, name, size, digest in described(source.inputs)
    ]
    remarks += [note.text for note in table.notes_alone]
    lines = [f"# {escape_hidden(remark)}" for remark in remarks if remark]
    return utf8("\n".join([*lines, "", source.text or "schema = 1\n"]))


def _parameters(source: Provenance) -> str:
    """Return the parameters of the view as other formats have them, without empty ones; "" for none."""
    filled = {name: given for name, given in plain(dict(source.parameters)).items() if given not in ("", None, [])}
    return f"parameters: {json.dumps(filled, ensure_ascii=False)}" if filled else ""
