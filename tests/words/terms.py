"""The words that texts, documents, comments and names do not use, and what is used instead."""

from __future__ import annotations

REPLACED = {
    r"a person|whoever|who judges|somebody": "user, or judge",
    r"all the rest": "the others",
    r"as it were": "(nothing)",
    r"at once": "immediately, in one step",
    r"bids?": "suggests",
    r"by itself": "automatically, separately",
    r"caveats?": "warning",
    r"cheapest": "fewest swaps",
    r"deeds?": "example step, suggested step",
    r"from (?!now|then)\w+ on(?! disk)": "above, below, at least",
    r"given up": "cancelled",
    r"ideal lists?": "ideal ranking",
    r"how (firm|alike)": "how stable, how similar",
    r"lay (over|other)|lai[dn] over": "apply",
    r"likeness(es)?": "similarity",
    r"looked at|looks? at": "viewed, read, shown, examined",
    r"metrics?": "measure",
    r"nobody judged": "unjudged",
    r"of its own accord": "automatically",
    r"rule of the house|houses?": "rule",
    r"stands?(?! for)|stood": "is, is shown, is listed",
    r"told": "stated, shown",
    r"what is there": "existing",
    r"whose rules": "dialect",
    r"wish(es|ed)?": "request",
}
"""Words that are not used in texts and documents (a regular expression) -> what is used instead."""

REPLACED_IN_CODE = {
    pattern: REPLACED[pattern]
    for pattern in (
        r"a person|whoever|who judges|somebody",
        r"all the rest",
        r"as it were",
        r"lay (over|other)|lai[dn] over",
        r"looked at|looks? at",
        r"of its own accord",
        r"rule of the house|houses?",
        r"whose rules",
    )
} | {
    r"(what|that) is told": "what the text says",
    r"ideal lists?": "ideal ranking",
    r"what stands|where \w+ stands": "what is, where it is",
    r"bids": "suggests",
}
"""Words that are not used in docstrings and comments."""

VAGUE = {"one", "found", "thing", "made", "there", "told", "strangers"}
"""Names that no variable has, and no function of the tests, because they do not say what it holds."""
OLD_NAMES = r"cheapest changes|condensed|typed rankings?|(in|the) account"
"""Names of concepts that have another name now, which no test has."""
NAMES_OF_THE_PROGRAM = {"metrics": "the names of Qt's class for the widths of letters"}
"""Names in tests that another program chose -> what they are."""
