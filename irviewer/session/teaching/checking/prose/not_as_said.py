"""The message of what a text says and no ranking is like."""

from __future__ import annotations

import re

from irviewer.translation import tr

_NO_VALUE = re.compile(r":\s*(?:[;,]|$)|(?:^|[;,→])\s*[;,→]|→\s*$|\bnan\b", re.I)


def has_values(computed: str) -> bool:
    """Return whether each part of what is computed has a value: what is absent is compared with nothing."""
    return _NO_VALUE.search(computed) is None


def not_as_said(computed: str) -> tuple[str, str]:
    """Return the reason, with what is computed instead, "" for unknown, and what to do."""
    hint = tr("correct the text, or put it between ` and ` where it is about another one")
    if not computed:
        return tr("no ranking here is as this says"), hint
    return tr("no ranking here is as this says; computed is: {meant}", meant=computed), hint
