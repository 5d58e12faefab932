"""The self-contained folder does what the checkout does, on a machine that seems to have neither Python nor Qt."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from given import Given, colours
from patience import LONG_PROCESS
from xserver import XServer, x_server

from irviewer.formats.reading.program import NAME, package, sources_digest
from irviewer.measures.registry import families
from irviewer.session.state import PLACES, TABS

pytestmark = pytest.mark.packaging
SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "cranfield"
RUN = b"1 Q0 184 1 9.5 bm25\n1 Q0 29 2 8.25 bm25\n2 Q0 12 1 7.0 bm25\n"


def _zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


FILES = {
    "qrels.txt": b"1 0 184 3\n1 0 29 0\n2 0 12 1\n",
    "plain.run": RUN,
    "tabs.run": RUN.replace(b" ", b"\t"),
    "uneven.run": b"# ir_metadata.start\n# platform:\n#   software:\n#     name: test\n# ir_metadata.end\n"
    + RUN.replace(b" ", b"  ").replace(b"\n", b"\r\n"),
    "run.gz": gzip.compress(RUN, mtime=0),
    "run.bz2": bz2.compress(RUN),
    "run.xz": lzma.compress(RUN),
    "run.zst": _zstd(RUN),
    "wide.run": RUN.decode().encode("utf-16"),
    "documents.smart": b".I 184\n.T\nscale models\n.W\nmodels for aeroelastic research\n.I 29\n.T\nflow\n.W\na flow\n",
    "documents.jsonl": b'{"id": "184", "title": "scale models", "text": "aeroelastic research"}\n',
    "queries.tsv": b"1\twhat similarity laws must be obeyed\n2\twhat are the structural problems\n",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of every format and compression."""
    folder = tmp_path_factory.mktemp("files")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def server() -> Iterator[XServer]:
    """An X server with a window manager."""
    with x_server() as display:
        yield display


def _checkout(*arguments: object) -> str:
    command = [sys.executable, "-m", "irviewer", *map(str, arguments)]
    # As of the bundle: without the width of a terminal, in which tables of many runs are laid out.
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_no_python_is_needed(bundle: Given) -> None:
    assert bundle.environment["PATH"] == "/nonexistent"
    assert bundle.run("--version") == _checkout("--version")


def test_it_holds_no_more_than_it_needs(bundle: Given) -> None:
    """It had 465 MB before what is never loaded was left out, and what only debuggers read removed."""
    folder = bundle.program.parent
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    assert size < 390e6
    names = {path.name.partition(".")[0] for path in folder.rglob("*.so*")}
    assert (
        names
        & {
            "libQt6Qml",
            "libQt6Quick",
            "libQt6Pdf",
            "libQt6WebEngineCore",
            "libarrow_flight",
            "libavif",
            "libQt6Network",
            "libkrb5",
        }
        == set()
    )
    licences = folder / "_internal" / "licences"
    assert {"numpy", "pyarrow", "scipy", "matplotlib", "Python"} <= {path.name for path in licences.iterdir()}
    # Of the libraries of the building machine, too.
    assert (licences / "system" / "libx11-6" / "copyright").is_file()
    assert (licences / "system" / "common-licenses" / "LGPL-2.1").is_file()
    for name in ("PySide6_Essentials", "shiboken6"):
        assert {path.name for path in (licences / name).iterdir()} == {"GPL-3.0-only.txt", "LGPL-3.0-only.txt"}
    assert {path.name for path in (folder / "LICENSES").iterdir()} >= {
        "MIT.txt",
        "OFL-1.1.txt",
        "NIST-Software.txt",
        "CC0-1.0.txt",
    }


def test_nothing_of_cranfield_is_in_it(bundle: Given) -> None:
    """Its texts state no licence."""
    names = [path.relative_to(bundle.program.parent).as_posix() for path in bundle.program.parent.rglob("*")]
    assert any(name.endswith("samples/fables/qrels.txt") for name in names)
    assert [name for name in names if "cranfield" in name.lower()] == []
    bundle.run("sample", "cranfield", status=2)


def test_it_knows_its_sources(bundle: Given) -> None:
    """Else nothing could be kept, or what another program kept would be taken for its own."""
    (digest_file,) = bundle.program.parent.rglob(NAME)
    assert digest_file.read_text() == sources_digest(package())


def test_every_measure(bundle: Given) -> None:
    output = bundle.run("measures")
    assert {line.partition(" ")[0].partition("(")[0].partition("@")[0] for line in output.splitlines()} >= set(
        families()
    )
    assert output == _checkout("measures")


@pytest.mark.parametrize("name", FILES)
def test_every_format(bundle: Given, files: Path, name: str) -> None:
    output = bundle.run("check", files / name)
    assert output == _checkout("check", files / name)


@pytest.mark.parametrize("ending", ["parquet", "arrow", "json", "csv", "tsv", "run.zst", "lz4"])
def test_written_and_read_back(bundle: Given, files: Path, tmp_path: Path, ending: str) -> None:
    """What is imported only when a format is used is there too."""
    target = tmp_path / f"converted.{ending}"
    bundle.run("convert", files / "plain.run", target)
    measures = ("-m", "AP", "-m", "P@5", "--format", "csv", "-q")
    given, read_back = (
        bundle.run("evaluate", files / "qrels.txt", path, *measures) for path in (files / "plain.run", target)
    )
    values = [[line.split(",")[1:] for line in text.splitlines()[1:]] for text in (given, read_back)]
    assert values[0] == values[1] != []


def test_same_formats(bundle: Given) -> None:
    assert bundle.run("formats") == _checkout("formats")


def test_evaluate(bundle: Given) -> None:
    words = ("evaluate", SAMPLE / "qrels.txt", *sorted((SAMPLE / "runs").iterdir()), "-m", "all_trec", "-q")
    assert bundle.run(*words) == _checkout(*words)


@pytest.mark.parametrize(("suffix", "head"), [("pdf", b"%PDF-"), ("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_drawn_curves(bundle: Given, tmp_path: Path, suffix: str, head: bytes) -> None:
    target = tmp_path / f"curves.{suffix}"
    bundle.run("curves", SAMPLE / "qrels.txt", SAMPLE / "runs" / "bm25_plain.run.gz", "-o", target)
    assert target.read_bytes().startswith(head)


PLACES_SHOWN = [f"{place}:{tab}" for place in PLACES[1:] for tab in TABS.get(place, ())] + [
    place for place in PLACES[1:] if not TABS.get(place) and place != "collections"
]


@pytest.mark.parametrize(
    ("sample", "place"),
    [
        *(("fables", place) for place in PLACES_SHOWN),
        *(("trec", place) for place in ("systems", "queries", "query")),
    ],
)
def test_screenshot(bundle: Given, tmp_path: Path, sample: str, place: str) -> None:
    """Every view and every tab, each of which imports libraries of its own."""
    picture = tmp_path / "window.png"
    bundle.run("--sample", sample, "--place", place, "--size", "1280x800", "--screenshot", picture)
    assert len(colours(picture, (1280, 800))) > 200


def test_window(bundle: Given, server: XServer) -> None:
    """A real window opens on the sample, follows keys, and closes with 0."""
    environment = {**bundle.environment, "DISPLAY": server.name}
    program = subprocess.Popen([str(bundle.program), "--sample"], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        window = server.wait_for_window("Fables")
        server.key("j", "ctrl+1", "ctrl+2", "ctrl+3")
        server.close(window)
        _, errors = program.communicate(timeout=LONG_PROCESS)
    finally:
        program.kill()
    assert (program.returncode, errors) == (0, "")
