"""Keys of columns whose names are data, such as runs: none is the key of another column of the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irviewer.tables.column import Column


def data_keys(names: Sequence[str], columns: Iterable[Column]) -> list[str]:
    """Return distinct keys for names, beside these columns: a name that is taken is followed by ``_2``, ``_3`` …"""
    taken = {column.named(part) for column in columns for part in column.parts}
    keys = []
    for name in names:
        key, number = name, 1
        while key in taken:
            number += 1
            key = f"{name}_{number}"
        taken.add(key)
        keys.append(key)
    return keys
