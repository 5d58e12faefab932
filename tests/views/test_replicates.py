"""Systems of several runs: a plain analysis of their values, at the command line and in Python; what is not declared is
refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.analysis.statistics.dependence.components import variance_components
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.model.protocol import PRESET

PATTERN = "(.+)-s[0-9]"


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Judgments, and two systems with three runs each."""
    folder, random = tmp_path_factory.mktemp("replicates"), np.random.default_rng(8)
    queries = [str(query) for query in range(1, 13)]
    (folder / "qrels").write_text("".join(f"{q} 0 d{d} {int(d < 2)}\n" for q in queries for d in range(6)))
    files = [str(folder / "qrels")]
    for name in ("new", "old"):
        for seed in range(3):
            lines = [
                f"{q} Q0 d{d} {rank} {9 - rank} {name}-s{seed}\n"
                for q in queries for rank, d in enumerate(random.permutation(6), start=1)
            ]  # fmt: skip
            (folder / f"{name}-s{seed}").write_text("".join(lines))
            files.append(str(folder / f"{name}-s{seed}"))
    return files


@pytest.mark.parametrize("design", ["seeds", "crossed"])
def test_the_doors_agree_with_the_analysis(paths: list[str], capsys: pytest.CaptureFixture[str], design: str) -> None:
    values = irviewer.evaluate(paths[0], paths[1:], ["nDCG@5"])
    _, by_run = values.of("nDCG@5")
    wanted = variance_components(by_run.reshape(2, 3, -1).transpose(0, 2, 1), design)
    shown = irviewer.show("replicates", paths[0], paths[1:], measures=["nDCG@5"], pattern=PATTERN, design=design)
    pair = wanted.difference(1, 0)
    assert shown["differences"].column("difference").values[0] == pytest.approx(pair.difference)
    assert shown["differences"].column("p").values[0] == pytest.approx(pair.p)
    assert list(shown["systems"].column("system").values) == ["new", "old"]
    assert list(shown["systems"].column("mean").values) == pytest.approx(list(wanted.means))
    words = ["show", "replicates", *paths, "-m", "nDCG@5", "--pattern", PATTERN, "--design", design, "--format", "json"]
    assert main(words) == 0
    tables = {table["name"]: table for table in json.loads(capsys.readouterr().out)["tables"]}
    rows = tables["components"]["rows"]
    assert [row["variance"] for row in rows] == pytest.approx([each.variance for each in wanted.components])
    lows = [row["by_kurtosis_low"] for row in rows]
    assert [np.nan if low is None else low for low in lows] == pytest.approx(
        [each.by_kurtosis[0] for each in wanted.components], nan_ok=True
    )
    assert main([*words, "--confidence", ".8"]) == 0
    narrow = json.loads(capsys.readouterr().out)["tables"][1]["rows"][0]
    assert any("suppose normal values" in note.text for note in shown["components"].notes)
    assert narrow["interval_low"] > pair.low


def test_runs_of_a_system_that_are_one_are_named(paths: list[str], tmp_path: Path) -> None:
    """A spread of 0 that comes of one run given twice looked like a finding."""
    again = tmp_path / "new-s7"
    again.write_text(Path(paths[1]).read_text().replace("new-s0", "new-s7"))
    for files, wanted in ((paths[1:], []), ([*paths[1:], str(again)], [["new-s0", "new-s7"]])):
        shown = irviewer.show("replicates", paths[0], files, measures=["nDCG@5"], pattern=PATTERN)
        notes = [note for note in shown["systems"].notes if note.code == "equal_runs"]
        assert [note.values["runs"] for note in notes] == wanted
        assert all(note.warns and "new-s0, new-s7 of new have the same nDCG@5" in note.text for note in notes)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "nothing is inferred"),
        ({"pattern": "(new|old"}, "pattern"),
        ({"pattern": "new"}, "has 0 groups"),
        ({"pattern": "(new).*"}, "does not match"),
        ({"pattern": "(.+s)0|(.+)"}, "has 2 groups"),
        ({"pattern": "(.).*"}, None),
        ({"pattern": "(.+)"}, "one run of each system"),
        ({"pattern": PATTERN, "against": "x"}, "there is no system x"),
        ({"system": "team"}, "team"),
    ],
)
def test_what_is_not_declared_is_refused(paths: list[str], parameters: dict[str, str], message: str | None) -> None:
    if message is None:
        assert irviewer.show("replicates", paths[0], paths[1:], **parameters).value.systems == ("n", "o")
        return
    with pytest.raises(OptionError, match=message):
        irviewer.show("replicates", paths[0], paths[1:], **parameters)


def test_units_are_refused_by_name(paths: list[str]) -> None:
    with pytest.raises(OptionError, match="unit is talk"):
        irviewer.show("replicates", paths[0], paths[1:], pattern=PATTERN, protocol=PRESET.but(unit="talk"))


def test_unequal_numbers_of_runs_are_compared_and_said(paths: list[str]) -> None:
    """Two runs of one system and three of the other; then one run, whose spread is unknown."""
    _, by_run = irviewer.evaluate(paths[0], paths[2:], ["nDCG@5"]).of("nDCG@5")
    wanted = variance_components([by_run[:2].T, by_run[2:].T]).difference(1, 0)
    shown = irviewer.show("replicates", paths[0], paths[2:], measures=["nDCG@5"], pattern=PATTERN)
    assert shown["differences"].column("p").values[0] == pytest.approx(wanted.p)
    notes = {note.code: note for note in shown["systems"].notes}
    assert "unweighted means" in notes["unequal"].text and not notes["one_spread"].warns
    single = irviewer.show("replicates", paths[0], paths[3:], measures=["nDCG@5"], pattern=PATTERN)["systems"]
    assert np.isnan(single.column("spread").values[0]) and "1 to 3 runs" in single.title
    assert next(note for note in single.notes if note.code == "one_spread").warns


def test_the_runs_of_a_system_have_rows_below_it(paths: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    means = irviewer.evaluate(paths[0], paths[1:], ["nDCG@5"])
    given = {"measures": ["nDCG@5"], "pattern": PATTERN}
    plain = irviewer.show("replicates", paths[0], paths[1:], **given)["systems"]
    table = irviewer.show("replicates", paths[0], paths[1:], every_run=True, **given)["systems"]
    runs = [f"{name}-s{seed}" for name in ("new", "old") for seed in range(3)]
    below = {name: [run for run in runs if run.startswith(name)] for name in ("new", "old")}
    assert list(table.keys) == [(name, run) for name in below for run in ("", *below[name])]
    by_key = dict(zip(table.keys, table.column("mean").values, strict=True))
    for run in runs:
        assert by_key[run[:3], run] == pytest.approx(means.mean("nDCG@5", run))
    for row, name in enumerate(plain.keys):
        own = [means.mean("nDCG@5", run) for run in runs if run.startswith(str(name))]
        assert by_key[name, ""] == plain.column("mean").values[row] == pytest.approx(np.mean(own))
        assert plain.column("spread").values[row] == pytest.approx(np.std(own, ddof=1))
    assert main(["show", "replicates", *paths, "--pattern", PATTERN, "--every-run", "--table", "systems"]) == 0
    assert capsys.readouterr().out.count("  all runs  ") == 2


def test_systems_are_compared_with_that_of_the_baseline(paths: list[str]) -> None:
    first = irviewer.show("replicates", paths[0], paths[1:], pattern=PATTERN).value
    other = irviewer.show("replicates", paths[0], paths[1:], pattern=PATTERN, baseline="old-s1").value
    assert (first.against, other.against) == ("new", "old")
    assert other.pairs[0].difference == -first.pairs[0].difference
    assert other.words(1)[1] == "" and first.words(1)[1].startswith("Δ ")


@pytest.mark.parametrize("design", ["seeds", "crossed"])
def test_without_spread_words_have_no_number(tmp_path: Path, capsys: pytest.CaptureFixture[str], design: str) -> None:
    """Every run of a system returns one list, and all queries have the same judgments."""
    files = [tmp_path / "qrels"]
    files[0].write_text("".join(f"{q} 0 d{d} {int(d < 2)}\n" for q in range(9) for d in range(6)))
    for name, order in (("new", 1), ("old", -1)):
        for seed in range(2):
            files.append(tmp_path / f"{name}-s{seed}")
            files[-1].write_text("".join(
                f"{q} Q0 d{d} {rank} {9 - rank} {name}-s{seed}\n"
                for q in range(9) for rank, d in enumerate([*range(6)][::order], start=1)
            ))  # fmt: skip
    assert main(["show", "replicates", *map(str, files), "--pattern", PATTERN, "--design", design]) == 0
    shown = capsys.readouterr().out
    assert "no F and no p" in shown
    assert "nan" not in shown
    assert "[0.000000" not in shown
    assert "< .001" not in shown
