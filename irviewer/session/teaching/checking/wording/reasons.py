"""The ranks, shares and counts that the reason of an answer says."""

from __future__ import annotations

import re

from irviewer.session.teaching.checking.wording.number_words import A_COUNT, AN_ORDER, COUNT_OF, count_of

_OF = r"(?:of|de)\s+(?:(?:the|its|their|los|las|sus)\s+)?"
_DOCUMENTS = r"(?:documentos?|documents?)"
_NTH = re.compile(
    rf"\b{AN_ORDER}\s+(?:relevant\s+document|documento\s+relevante)\s+(?:is|está)\s+(?:at\s+rank|en\s+la\s+posición)\s+(\d+)",
    re.I,
)


def ranks_of_documents(text: str) -> list[int]:
    """Return the ranks at which a text says that a first, second … relevant document is."""
    return [int(match[2]) for match in _NTH.finditer(text)]


_SHARE_SAID = re.compile(
    rf"^\s*{A_COUNT}\s+{_OF}(?:(?:first|primer[oa]s)\s+)?{A_COUNT}\s+(?:primer[oa]s\s+)?{_DOCUMENTS}\s+(?:are|is|son|es|serían)\s+"
    rf"(?:then\s+|entonces\s+)?(?P<not>not\s+)?relevant(?:es?)?\b",
    re.I,
)
_P_AT = re.compile(r"(?<![\w@])P@(\d+)(?!\w)")


def share_said(title: str, because: str) -> float | None:
    """Return the precision at K that a reason says in words, "four of five documents are relevant", if a title asks for
    that K alone."""
    cutoffs, match = {*_P_AT.findall(title)}, _SHARE_SAID.search(because)
    if len(cutoffs) != 1 or match is None or count_of(match[2]) != int(next(iter(cutoffs))):
        return None
    share = count_of(match[1]) / count_of(match[2])
    return 1 - share if match["not"] else share


_N_OF_M = re.compile(rf"(?<![\w./]){A_COUNT}\s+{_OF}(?:(?:first|primer[oa]s)\s+)?{A_COUNT}\b(?![.,]?\d)", re.I)


def shares_said(text: str) -> list[float]:
    """Return the shares that a text says as a count of another one: "4 of five", "cuatro de los cinco"."""
    counts = ((count_of(match[1]), count_of(match[2])) for match in _N_OF_M.finditer(text))
    return [n / of for n, of in counts if of]


def counts_said(text: str) -> list[float]:
    """Return the counts that a text has in words."""
    return [float(COUNT_OF[word.lower()]) for word in re.findall(rf"\b(?:{'|'.join(COUNT_OF)})\b", text, re.I)]
