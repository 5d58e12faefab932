"""Files beside the data in a folder that hold none: papers, licences, programs, marks of finished work. They are passed
over without a note, which would hide the notes of files that matter."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

_NAMES = re.compile(
    r"(?:readme|licen[cs]e|copying|notice|authors|citation|source|sources|changelog|changes|makefile|metadata|config"
    r"|requirements|contributing|todo|notes)(?:[._-].*)?|_SUCCESS|_(?:common_)?metadata|_committed_.*|_started_.*|sample\.json"
    r"|marked_as_read\.json",
    re.IGNORECASE,
)
_SUFFIXES = re.compile(
    r".*\.(md|rst|adoc|tex|bib|py|r|sh|ya?ml|pdf|png|jpe?g|gif|svg|html?|log|ipynb|lock|zip|tar|toml|cfg|ini|bin|pt|npy|crc"
    r"|sha256|md5)(\.gz)?",
    re.IGNORECASE,
)
_DATA = re.compile(r".*\.(run|qrels?|trec|res|results|parquet|parq|arrow|feather|jsonl|csv|tsv)(\.\w+)?", re.IGNORECASE)
_BEGIN = 1 << 14
_WORDY = 0.75
"""The least share of words without digits in prose."""


def is_named_as_prose(name: str) -> bool:
    """Return True for the name of a file that never holds data, such as README and ``*.py``."""
    return _SUFFIXES.fullmatch(name) is not None or (
        _NAMES.fullmatch(name) is not None and _DATA.fullmatch(name) is None
    )


def is_prose(path: str | Path) -> bool:
    """Return True for a file that its name or its beginning shows to be prose: lines of words in different numbers. To
    be asked of files that are of no known format."""
    place = Path(path)
    if is_named_as_prose(place.name):
        return True
    if _DATA.fullmatch(place.name):
        return False
    begin = b""
    with suppress(OSError), place.open("rb") as file:
        begin = file.read(_BEGIN)
    text = begin.decode("utf-8", "replace")
    words = text.split()
    if not words or "\0" in text or text.lstrip()[:1] in ("{", "["):
        return False
    lengths = {len(line.split()) for line in text.splitlines() if line.strip()}
    plain = sum(not re.search(r"\d", word) for word in words)
    return plain >= _WORDY * len(words) and max(lengths) > 4 and "\t" not in text
