"""Labels of nuggets and of citations as codes. Case, spaces and hyphens are forgiven; nothing else is guessed: a label
that no rule knows has the code ODD, and its text is kept beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irviewer.model.arrays import Strings, frozen

MERGED = "merged-"
"""What the names of assigners begin with whose labels were merged from those of others."""
Labels = npt.NDArray[np.int8]

VITAL, OKAY = 1, 0
FULL, PARTIAL, NONE = 2, 1, 0
UNJUDGED = -1
ODD = -2

IMPORTANCE: Mapping[str, int] = {"vital": VITAL, "okay": OKAY}
ASSIGNMENT: Mapping[str, int] = {"support": FULL, "partial_support": PARTIAL, "not_support": NONE}
SUPPORT: Mapping[str, int] = {
    "2": FULL, "1": PARTIAL, "0": NONE, "-1": UNJUDGED, "": UNJUDGED,
    "fs": FULL, "ps": PARTIAL, "ns": NONE,
    "full_support": FULL, "partial_support": PARTIAL, "no_support": NONE,
}  # fmt: skip
"""Labels of citations in TREC RAG's files (numbers or words) and their codes."""


def plain_label(text: str) -> str:
    """Return a label in lower case, with an underscore for spaces and hyphens."""
    return re.sub(r"[\s_-]+", "_", text.strip().casefold()) if text.strip() not in ("-1", "−1") else "-1"


def known_labels(rules: Mapping[str, int]) -> str:
    """Return the labels that rules know, in their order, without those of what is not judged."""
    return ", ".join(text for text, code in rules.items() if code != UNJUDGED)


def label_text(value: Any) -> str:
    """Return a label of a file as text: null is empty, whole numbers have no decimals."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else str(value)


def codes_of(texts: Iterable[str], known: Mapping[str, int]) -> Labels:
    """Return int8[n], the codes of labels; ODD for one that is not known."""
    every = list(texts)
    code = {text: known.get(plain_label(text), ODD) for text in {*every}}
    codes = [code[text] for text in every]
    labels: Labels = frozen(np.array(codes, dtype=np.int8))
    return labels


def odd_labels(codes: Labels, texts: Strings) -> dict[str, int]:
    """Return the labels that no rule knows, with their counts, most frequent first."""
    odd = texts.filter(pa.array(codes == ODD)).to_pylist()
    return dict(Counter(odd).most_common())
