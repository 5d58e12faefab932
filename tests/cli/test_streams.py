"""Manners of a command: interrupted, with closed streams, other encodings, terminals, devices as output."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import BinaryIO

import pytest
from one_process import results
from patience import LONG_PROCESS

import irviewer
from irviewer.cli import main
from irviewer.cli.streams import printable

ROOT = Path(irviewer.__file__).resolve().parents[1]
COMMAND = [sys.executable, "-m", "irviewer"]
HOSTILE = "d\x1b[31m\u202egnp.exe\x07"


def environment(**extra: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen", **extra}


def program(*words: str, **extra: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *words], capture_output=True, env=environment(**extra), timeout=LONG_PROCESS, check=False
    )


def printed(capsysbinary: pytest.CaptureFixture[bytes], *words: str) -> bytes:
    """What a command prints in UTF-8 where nothing is odd, in this process."""
    assert main.main(words) == 0
    return capsysbinary.readouterr().out


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    """Qrels and two runs with a difference below 0, which is written with a true minus."""
    (tmp_path / "q").write_text("".join(f"{q} 0 d{d} {int(d == q % 3)}\n" for q in range(8) for d in range(4)))
    (tmp_path / "a").write_text("".join(f"{q} Q0 d{d} 1 {9 - (d - q % 3) % 4} a\n" for q in range(8) for d in range(4)))
    (tmp_path / "b").write_text("".join(f"{q} Q0 d{d} 1 {9 - d + q % 2} b\n" for q in range(8) for d in range(4)))
    return str(tmp_path / "q"), str(tmp_path / "a"), str(tmp_path / "b")


@pytest.mark.parametrize("words", [("evaluate", "{q}", "-"), ("convert", "-", "{out}", "--to", "trec")])
def test_an_interrupt_is_silent_and_leaves_no_half_file(
    files: tuple[str, str, str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    before = sorted(tmp_path.iterdir())
    given = [word.format(q=files[0], out=tmp_path / "out.run") for word in words]
    process = subprocess.Popen(
        [*COMMAND, *given], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    assert process.stdin is not None
    # More than a pipe holds: once all is written, the command has begun to read.
    process.stdin.write(b"".join(b"1 Q0 d%d 1 2.5 t\n" % number for number in range(20000)))
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=LONG_PROCESS)
    assert (process.returncode, out, errors) == (130, b"", b"")
    assert sorted(tmp_path.iterdir()) == before


def test_a_word_that_is_neither_command_nor_file_opens_no_window(tmp_path: Path) -> None:
    said = {
        "eval": "did you mean evaluate?",
        "comp": "did you mean compare?",
        "xyzzy": "irviewer --help lists the commands",
    }
    lines = [(word, "qrels", "run") for word in said]
    for word, done in zip(said, results(lines, tmp_path, environment()), strict=True):
        assert (done.returncode, done.stdout) == (2, "")
        assert f"no command or file '{word}'; {said[word]}" in done.stderr


@pytest.mark.parametrize(
    ("command", "encoding"),
    [
        ("compare", "cp1252"),
        ("explain", "ascii"),
        *(pytest.param("compare", name, marks=pytest.mark.slow) for name in ("ascii", "latin-1")),
        pytest.param("explain", "cp437", marks=pytest.mark.slow),
    ],
)
def test_other_encodings_are_readable(
    files: tuple[str, str, str], capsysbinary: pytest.CaptureFixture[bytes], command: str, encoding: str
) -> None:
    compare, explain = ["compare", *files, "-m", "AP"], ["explain", *files[:2], "-q", "1", "-m", "nDCG@3"]
    words = compare if command == "compare" else explain
    whole = printed(capsysbinary, *words).decode("utf-8")
    done = program(*words, PYTHONIOENCODING=encoding)
    text = done.stdout.decode(encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "\\u" not in text
    assert "\\x" not in text
    assert len(text.splitlines()) == len(whole.splitlines())


def test_a_closed_standard_output_is_an_error_of_one_line(files: tuple[str, str, str], tmp_path: Path) -> None:
    def closed(*words: str, streams: str) -> subprocess.CompletedProcess[str]:
        line = " ".join(f"'{word}'" for word in [*COMMAND, *words])
        return subprocess.run(
            ["bash", "-c", f"{line} {streams}"],
            capture_output=True, text=True, env=environment(), timeout=LONG_PROCESS, check=False,
        )  # fmt: skip

    done = closed("evaluate", *files[:2], streams=">&-")
    assert (done.returncode, done.stderr) == (2, "irviewer: standard output: Bad file descriptor\n")
    saved = tmp_path / "saved.txt"
    done = closed("evaluate", *files[:2], "-o", str(saved), streams=">&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert saved.stat().st_size > 0
    done = closed("evaluate", *files[:2], "-m", "nothing", streams="2>&-")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words", [("--help",), ("--version",), ("evaluate", "--help"), ("evaluate", "{q}", "{r}"), ("convert", "{r}", "-")]
)
def test_what_cannot_be_written_is_an_error_of_one_line(
    files: tuple[str, str, str], words: tuple[str, ...], unbuffered: str
) -> None:
    line = [*COMMAND, *(word.format(q=files[0], r=files[1]) for word in words)]
    for target, reason in (("/dev/full", "No space left on device"), ("&-", "Bad file descriptor")):
        if (target == "&-" and words[0] != "convert") or not Path("/dev/full").exists():
            continue
        done = subprocess.run(
            ["bash", "-c", f'"$@" >{target}', "bash", *line], capture_output=True, text=True,
            env=environment(PYTHONUNBUFFERED=unbuffered), timeout=LONG_PROCESS, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (2, f"irviewer: standard output: {reason}\n"), target


@pytest.mark.skipif(not hasattr(os, "set_blocking"), reason="a pipe that takes a part is Unix's")
def test_without_a_buffer_all_is_written(files: tuple[str, str, str], tmp_path: Path) -> None:
    (tmp_path / "long").write_text("".join(f"{q} Q0 d{d} 1 {d} a\n" for q in range(800) for d in range(400)))
    whole = program("convert", str(tmp_path / "long"), "-", "--to", "trec").stdout
    assert len(whole) > 4_000_000
    resource = pytest.importorskip("resource")
    with (tmp_path / "out").open("wb") as out:
        # A file may grow to this size: what is written over it is taken in part, as by a disk that becomes full.
        def limit() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

        done = subprocess.run(
            [*COMMAND, "convert", str(tmp_path / "long"), "-", "--to", "trec"], stdout=out, stderr=subprocess.PIPE,
            env=environment(PYTHONUNBUFFERED="1"), timeout=LONG_PROCESS, check=False, preexec_fn=limit,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, b"irviewer: standard output: File too large\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are Unix's")
@pytest.mark.parametrize("number", ["SIGTERM", "SIGKILL"])
def test_workers_end_with_the_command(files: tuple[str, str, str], tmp_path: Path, number: str) -> None:
    pipes = [tmp_path / "one.pipe", tmp_path / "two.pipe"]
    for pipe in pipes:
        os.mkfifo(pipe)
    words = [*COMMAND, "evaluate", files[0], *map(str, pipes), "--jobs", "2"]
    with subprocess.Popen(words, env=environment(), stderr=subprocess.DEVNULL) as process:
        writers = [pipe.open("wb", buffering=0) for pipe in pipes]  # waits until a worker reads
        process.send_signal(getattr(signal, number))
        process.wait(LONG_PROCESS)
        for writer in writers:
            wait_for_no_reader(writer)
            writer.close()


def wait_for_no_reader(writer: BinaryIO) -> None:
    """Until nothing reads the pipe any more."""
    deadline = time.monotonic() + LONG_PROCESS
    with pytest.raises(BrokenPipeError):
        while time.monotonic() < deadline:
            writer.write(b"#")
            time.sleep(0.02)


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="a device that stands for standard output is Unix's")
@pytest.mark.parametrize(
    "command", ["evaluate", *(pytest.param(name, marks=pytest.mark.slow) for name in ("fuse", "pool"))]
)
def test_an_output_that_is_standard_output(
    files: tuple[str, str, str], capsysbinary: pytest.CaptureFixture[bytes], command: str
) -> None:
    words, targets = {
        "evaluate": (["evaluate", *files[:2]], ("-", "/dev/fd/1")),
        "fuse": (["fuse", *files[1:], "--to", "trec"], ("-", "/dev/stdout")),
        "pool": (["pool", *files], ("/dev/stdout",)),
    }[command]
    plain = printed(capsysbinary, *words)
    for target in targets:
        done = program(*words, "-o", target)
        assert (done.returncode, done.stdout) == (0, plain), target


def test_a_named_pipe_is_written_to_and_stays_one(
    files: tuple[str, str, str], tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([*COMMAND, "evaluate", *files[:2], "-o", str(pipe)], env=environment()) as process:
        text = pipe.read_bytes()
    assert process.returncode == 0
    assert text == printed(capsysbinary, "evaluate", *files[:2])
    assert pipe.is_fifo()


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "hq").write_text(f"q{HOSTILE} 0 {HOSTILE} 1\n", encoding="utf-8")
    (tmp_path / "hr").write_text(f"q{HOSTILE} Q0 {HOSTILE} 1 2.5 t{HOSTILE}\n", encoding="utf-8")
    return str(tmp_path / "hq"), str(tmp_path / "hr")


def test_a_terminal_gets_escapes_and_a_pipe_the_exact_ids(hostile: tuple[str, str]) -> None:
    pty = pytest.importorskip("pty")
    words = [*COMMAND, "evaluate", *hostile, "-q", "-m", "AP"]
    assert HOSTILE.encode() in program("evaluate", *hostile, "-q", "-m", "AP", "--format", "tsv").stdout
    ours, theirs = pty.openpty()
    with subprocess.Popen(words, stdout=theirs, stderr=theirs, env=environment(PYTHONIOENCODING="utf-8")) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
    os.close(ours)
    assert process.returncode == 0
    assert b"\x1b" not in shown
    assert b"\x07" not in shown
    assert "\u202e".encode() not in shown
    assert rb"d\x1b[31m\u202egnp.exe\x07" in shown


def test_printable() -> None:
    assert printable("a\tb\nc") == "a\tb\nc"
    assert printable("\x1b[2J\r\u2066x\u2069\x9b") == r"\x1b[2J\r\u2066x\u2069\x9b"
    assert printable("Δ −0.1 文 é") == "Δ −0.1 文 é"


@pytest.mark.parametrize("factor", [pytest.param("1", marks=pytest.mark.slow), "2"])
def test_a_screenshot_is_the_whole_window_at_every_scale(tmp_path: Path, factor: str) -> None:
    from PySide6.QtGui import QImage

    target = tmp_path / "shot.png"
    done = program("--sample", "trec", "--size", "900x640", "--screenshot", str(target), QT_SCALE_FACTOR=factor)
    assert (done.returncode, done.stderr) == (0, b"")
    image = QImage(str(target))
    scale = int(factor)
    assert (image.width(), image.height()) == (900 * scale, 640 * scale)
    # The status line stands at the bottom from edge to edge: one colour there, another above it.
    bottom = {image.pixel(x, image.height() - 2 * scale) for x in range(0, image.width(), 7)}
    assert len(bottom) <= 3


@pytest.mark.parametrize(
    "words",
    [
        "evaluate Q R -q -m AP", "evaluate Q R -q -m AP --format markdown", "compare Q R R -m AP",
        "compare Q R R -m AP --format markdown", "stability Q R R -m AP", "pool Q R --worklist", "pool Q R",
        "failures Q R", "dialects Q R -q", "explain Q R -q ID -m AP", "explain Q R -q ID -m AP --format markdown",
        "paper Q R R -m AP --format markdown", "gate Q R --baseline R --non-inferior AP>-0.1", "agreement Q Q",
        "gate Q R --baseline R --non-inferior AP>-0.1 --format markdown", "similarity R R", "stages Q R R",
    ],
)  # fmt: skip
def test_tables_and_markdown_escape_control_characters_on_a_pipe_too(
    hostile: tuple[str, str], capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path, words: str
) -> None:
    qrels, run = hostile
    odd = tmp_path / f"run{HOSTILE}"
    Path(run).rename(odd)
    if words.startswith("stability"):  # one query has none
        for path in (Path(qrels), odd):
            path.write_bytes(path.read_bytes().rstrip(b"\n") + b"\n" + path.read_bytes().replace(b"q", b"r", 1))
    given = {"Q": qrels, "R": str(odd), "ID": f"q{HOSTILE}"}
    line = [given.get(word, word) for word in words.split()]
    main.main(line)
    printed_text = capsysbinary.readouterr().out
    assert printed_text
    for hidden in (b"\x1b", b"\x07", "\u202e".encode()):
        assert hidden not in printed_text
    target = tmp_path / "out.txt"
    main.main([*line, "-o", str(target)])
    assert target.read_bytes() == printed_text
