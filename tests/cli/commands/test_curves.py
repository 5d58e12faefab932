"""``irviewer curves --bands``: at the cutoff a band is the interval that ``irviewer compare`` prints."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.cli import main
from irviewer.figures.curve_bands import BandOptions

ROUNDED = "precision: max P(k) with >= lround(rR) found"


@pytest.fixture
def cranfield(samples: Path) -> list[str]:
    folder = samples / "cranfield"
    return [
        str(folder / "qrels.txt"),
        *(str(folder / "runs" / f"{name}.run.gz") for name in ("bm25_plain", "fusion_rrf")),
    ]


def rows_of(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, str]]:
    assert main.main(["curves", *words]) == 0
    out = capsys.readouterr()
    assert out.err == ""
    return list(csv.DictReader(io.StringIO(out.out)))


def test_presets_are_those_of_the_statistics() -> None:
    preset = BandOptions()
    assert (preset.interval, preset.level, preset.samples, preset.seed) == ("percentile", LEVEL, SAMPLES, SEED)


@pytest.mark.parametrize(("kind", "measure"), [("ndcg", "nDCG@10"), ("dcg", "DCG@10")])
@pytest.mark.parametrize("interval", ["percentile", "bca", "t"])
def test_a_band_at_the_cutoff_is_the_interval_of_the_mean(
    cranfield: list[str], capsys: pytest.CaptureFixture[str], kind: str, measure: str, interval: str
) -> None:
    words = ["--kind", kind, "--depth", "12", "--bands", interval, "--confidence", ".9", "--samples", "500"]
    rows = rows_of(capsys, *cranfield, *words, "--seed", "5")
    assert len(rows) == 2 * 12
    comparison = irviewer.compare(
        cranfield[0],
        cranfield[1:],
        measure,
        interval=interval,
        confidence=0.9,
        samples=500,
        seed=5,  # type: ignore[arg-type]
    )[measure]
    for run, name in enumerate(comparison.names):
        (row,) = [row for row in rows if (row["run"], row["cutoff" if kind == "ndcg" else "rank"]) == (name, "10")]
        assert float(row["band_low"]) == pytest.approx(comparison.low[run], rel=1e-9)
        assert float(row["band_high"]) == pytest.approx(comparison.high[run], rel=1e-9)


def test_bands_of_precision_by_recall(cranfield: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """At recall .5 the band is the interval of IPrec@0.5; every curve lies within its own."""
    rows = rows_of(capsys, *cranfield, "--kind", "pr11", "--bands")
    comparison = irviewer.compare(cranfield[0], cranfield[1:], "IPrec@0.5")["IPrec@0.5"]
    for run, name in enumerate(comparison.names):
        (row,) = [row for row in rows if row["run"] == name and float(row["recall"]) == 0.5]
        assert [float(row["band_low"]), float(row["band_high"])] == pytest.approx(
            [comparison.low[run], comparison.high[run]], rel=1e-9
        )
    assert all(float(row["band_low"]) <= float(row[ROUNDED]) <= float(row["band_high"]) for row in rows)
    assert main.main(["curves", *cranfield, "--bands", "--format", "json"]) == 0
    points = json.loads(capsys.readouterr().out)["tables"][0]["rows"]
    assert set(points[0]) == {"run", "recall", "precision: max P(k) with R(k) >= r", "band_low", "band_high"}
    assert len(points) == 2 * 101
    plain, dressed = tmp_path / "plain.svg", tmp_path / "bands.svg"
    assert main.main(["curves", *cranfield, "-o", str(plain)]) == 0
    assert main.main(["curves", *cranfield, "--bands", "-o", str(dressed)]) == 0
    assert np.diff([plain.stat().st_size, dressed.stat().st_size]) > 1000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bands", "--query", "1"], "averaged over queries"),
        (["--bands", "--kind", "prf", "--query", "1"], "averaged over queries"),
        (["--seed", "3"], "need --bands"),
        (["--bands", "--confidence", "95"], "--confidence is 95; it must be between 0 and 1"),
    ],
)
def test_refused(cranfield: list[str], capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert main.main(["curves", *cranfield, *words]) == 2
    assert said in capsys.readouterr().err
