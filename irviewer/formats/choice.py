"""The choice of a file's format, by its content or the user's options.

Most files have plain lines of TREC, which are of no other format. They are known without the other formats, whose
modules are a tenth of the time of ``irviewer evaluate`` with a million lines; ``registry`` chooses for all others."""

from __future__ import annotations

import re

from irviewer.errors import ParseError
from irviewer.formats.format import Format, Head, Sniffed
from irviewer.formats.trec import formats as trec
from irviewer.formats.unsupported import refuse_foreign
from irviewer.translation import tr

_RUN = re.compile(r"\S+[ \t]+Q0[ \t]+\S+[ \t]+-?[0-9]+[ \t]+[-+.eE0-9]+[ \t]+\S+")
_QRELS = re.compile(r"\S+[ \t]Q?0[ \t](?!0[ \t])\S+[ \t]-?[0-9]+")
"""Lines of qrels whose kind is given; SMART's judgments have 0 in the third column."""


def choose(head: Head, kind: str | None = None, name: str | None = None) -> tuple[Format, Sniffed]:
    """Return the format of a file, and its kind with the reason.

    ``kind`` and ``name`` are the user's options and override the content. Raises ParseError for an unknown format, and
    OptionError for options that contradict each other."""
    _refuse_empty(head)
    plain = None if name is not None or head.opened.columns else _plain(head, kind)
    if plain is not None:
        return trec.FORMAT, Sniffed(plain.kind, plain.reason)
    from irviewer.formats.registry import choose_among_all

    return choose_among_all(head, kind, name)


def _plain(head: Head, kind: str | None) -> Sniffed | None:
    """Return the kind of plain lines of TREC, None for others. TIME's judgments may have four columns, and are known by
    the name of their file then."""
    if kind in (None, "run"):
        plain = _RUN
    elif kind == "qrels" and not head.names("time"):
        plain = _QRELS
    else:
        return None
    if not head.lines or not all(plain.fullmatch(line) for _, line in head.lines):
        return None
    return trec.sniff(head)


def _refuse_empty(head: Head) -> None:
    if head.opened.blank:
        if head.opened.whole:
            raise ParseError(head.path, tr("the file is empty"))
        raise ParseError(head.path, tr("the file is empty: its beginning is white space only"))
    refuse_foreign(head.path, head.opened.head, binary=head.binary)
    if not head.binary and not head.lines:
        raise ParseError(head.path, tr("the file has only comments"))
