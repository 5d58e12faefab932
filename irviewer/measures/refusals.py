"""Answers that refuse: by a list of phrases and nothing else; the ledger of a value names the phrase that was found."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from irviewer.model.answers.answers import Answers
from irviewer.model.arrays import Floats

REFUSALS = (
    "cannot answer", "can't answer", "can not answer", "could not answer", "unable to answer", "not able to answer",
    "cannot be answered", "can't be answered", "cannot provide an answer", "unable to provide", "cannot help with",
    "can't help with", "i do not know", "i don't know", "no answer", "not enough information",
    "insufficient information", "no relevant information", "no information about", "do not contain information",
    "does not contain information", "do not provide information", "does not provide information",
    "no puedo responder", "no es posible responder", "no se puede responder", "no lo sé",
    "no hay información suficiente", "no hay suficiente información", "información insuficiente",
)  # fmt: skip
"""Phrases of refusals, in lower case. An answer refuses if its first sentence with words holds one."""


def refusal_in(sentences: list[str]) -> str | None:
    """Return the phrase with which an answer refuses, "" for an answer without a word, None for one that answers."""
    first = next((text for text in sentences if text.strip()), None)
    if first is None:
        return ""
    plain = " ".join(first.casefold().replace("\u2019", "'").split())
    return next((phrase for phrase in REFUSALS if phrase in plain), None)


def abstained(answers: Answers) -> Floats:
    """Return float64[T]: 1 for each answer that is empty or refuses."""
    texts = answers.texts.to_pylist()
    bounds = answers.offsets.tolist()
    refused = [refusal_in(texts[start:stop]) is not None for start, stop in pairwise(bounds)]
    return np.array(refused, dtype=np.float64)
