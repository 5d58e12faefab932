"""trec_eval's own expected outputs for preferences, judgment groups and Z-scores, line for line; they are in every
checkout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from comparison import Comparison

from irviewer.cli import main

OWN = {
    "out.test.prefs": ("prefs.test", "prefs.results.test", "all_prefs", ""),
    "out.test.qrels_prefs": ("qrels.test", "results.test", "all_prefs", ""),
    "out.test.qrels_jg": ("qrels.123.gz", "results.test", "qrels_jg", ""),
    "out.test.aqZ": ("qrels.test", "results.test", "all_trec", "zscores_file"),
}
"""trec_eval is told the format (-R); here the columns of the file and the measure say it."""


@pytest.mark.parametrize("name", OWN)
def test_every_line(
    name: str,
    small: Path,
    samples: Path,
    capsys: pytest.CaptureFixture[str],
    record_property: Callable[[str, object], None],
) -> None:
    judgments, ranking, measures, reference = OWN[name]
    folders = (small / "trec_eval", samples / "trec")
    paths = [next(folder / file for folder in folders if (folder / file).is_file()) for file in (judgments, ranking)]
    more = ["-Z", str(small / "trec_eval" / reference)] if reference else []
    assert main.main(["evaluate", *map(str, paths), "-m", measures, "-q", "--format", "trec", *more]) == 0
    ours, theirs = capsys.readouterr().out.splitlines(), (small / "trec_eval" / name).read_text().splitlines()
    assert ours == theirs
    Comparison("trec_eval's own tests", "trec_eval_test", 1, len(theirs)).record(record_property)
    record_property("values equal to trec_eval's own outputs", len(theirs) - 1)
