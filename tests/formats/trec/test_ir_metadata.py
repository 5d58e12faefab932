"""The ir_metadata header: YAML in comments, plain values out, and never an exception."""

from __future__ import annotations

import json

import pytest

from irviewer.formats.trec.ir_metadata import attributes

HEADER = """ ir_metadata.start
 platform:
   software:
     retrieval toolkit:
       - anserini==0.3.0
 actor:
   team: Ours
   timestamp: 2021-08-04T12:00:00+01:00
 method:
   automatic: true
   score_ties: 'reverse alphabetical order'
   k1: 0.9
 ir_metadata.end""".splitlines()


def test_a_header() -> None:
    values = attributes(["before", *HEADER, "after: this"])
    assert values == {
        "platform": {"software": {"retrieval toolkit": ["anserini==0.3.0"]}},
        "actor": {"team": "Ours", "timestamp": "2021-08-04T12:00:00+01:00"},
        "method": {"automatic": True, "score_ties": "reverse alphabetical order", "k1": 0.9},
    }
    json.dumps(values)  # plain values: whoever writes them down needs no converter


def test_without_an_end_it_goes_to_the_last_comment() -> None:
    assert attributes(["ir_metadata.start", "a: 1", "b: two"]) == {"a": 1, "b": "two"}


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["an ordinary comment"],
        ["ir_metadata.start", "ir_metadata.end"],
        ["ir_metadata.start", "just a sentence", "ir_metadata.end"],
        ["ir_metadata.start", "a: [1, 2", "ir_metadata.end"],
        ["ir_metadata.start", "a: !!python/object/apply:os.getcwd []"],
        ["ir_metadata.start", "a: !!int twelve"],
        ["ir_metadata.start", "? [1]\n: 2\n? {a: b}\n: 3"],
        ["ir_metadata.start", "a: " + "[" * 3000],
        ["ir_metadata.start", "\t- a"],
    ],
)
def test_what_is_no_mapping_is_a_comment(lines: list[str]) -> None:
    assert attributes(lines) is None


def test_a_day_that_does_not_exist() -> None:
    assert attributes(["ir_metadata.start", "day: 2021-13-45"]) == {"day": "2021-13-45"}
