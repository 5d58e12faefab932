"""The program as a process of its own: pipes, encodings, what is imported, and what a person sees when it fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from patience import LONG_PROCESS

import irviewer
from irviewer.__main__ import main
from irviewer.cli.commands import COMMANDS

ROOT = Path(irviewer.__file__).resolve().parents[1]


def environment(**extra: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen", **extra}


def program(*words: str, data: bytes | None = None, **extra: str) -> subprocess.CompletedProcess[bytes]:
    """``python -m irviewer`` with these words."""
    return subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-m", "irviewer", *words],
        capture_output=True, input=data, env=environment(**extra), timeout=LONG_PROCESS, check=False,
    )  # fmt: skip


def python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=LONG_PROCESS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def trec(samples: Path) -> tuple[str, str]:
    return str(samples / "trec" / "qrels.test"), str(samples / "trec" / "results.test")


def test_the_same_bytes_as_trec_eval(trec: tuple[str, str], small: Path) -> None:
    done = program("evaluate", *trec, "--format", "trec")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == (small / "trec_eval" / "out.test").read_bytes()


def test_a_closed_pipe_is_not_a_traceback(trec: tuple[str, str]) -> None:
    """``irviewer evaluate … | head -1``: both sides end quietly."""
    command = f'"{sys.executable}" -m irviewer evaluate "{trec[0]}" "{trec[1]}" -q -m all_trec --format trec'
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} | head -1; echo ${{PIPESTATUS[0]}} >&2"],
        capture_output=True, text=True, env=environment(), timeout=LONG_PROCESS, check=False,
    )  # fmt: skip
    assert done.stdout.count("\n") == 1
    assert done.stderr == "0\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device that is always full is Linux's")
def test_a_full_disk_is_one_line(trec: tuple[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "irviewer", "evaluate", *trec], stdout=full, stderr=subprocess.PIPE,
            env=environment(), timeout=LONG_PROCESS, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1
    assert b"No space left" in done.stderr


def test_an_error_is_one_line_and_two(trec: tuple[str, str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.run"
    bad.write_bytes(b"301 Q0 a 1 2\x1b[31m,5 t\n")
    done = program("evaluate", trec[0], str(bad))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr
    assert b"\x1b" not in done.stderr


def test_standard_input(trec: tuple[str, str]) -> None:
    done = program("evaluate", trec[0], "-", "-m", "map", "--format", "trec", data=Path(trec[1]).read_bytes())
    assert done.stdout == b"map                   \tall\t0.1785\n"


def test_a_terminal_that_cannot_write_the_ids(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("文 0 a 1\n", encoding="utf-8")
    (tmp_path / "r").write_text("文 Q0 a 1 1 t\n", encoding="utf-8")
    done = program("evaluate", str(tmp_path / "q"), str(tmp_path / "r"), "-q", "-m", "AP", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"1.0000" in done.stdout


def test_ids_pass_through_unchanged(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("q\u00fc文 0 a 1\n", encoding="utf-8")
    (tmp_path / "r").write_text("q\u00fc文 Q0 a 1 1 t\u00fc\n", encoding="utf-8")
    words = ("evaluate", str(tmp_path / "q"), str(tmp_path / "r"), "-q", "--format", "trec")
    for extra in ({}, {"PYTHONUTF8": "1"}, {"LC_ALL": "C"}):
        done = program(*words, **extra)
        assert done.returncode == 0
        assert "map                   \tq\u00fc文\t1.0000\n".encode() in done.stdout
        assert "runid                 \tall\tt\u00fc\n".encode() in done.stdout


def test_importing_is_light_and_evaluating_needs_no_qt_and_no_plots(trec: tuple[str, str]) -> None:
    """In one process, as importing only adds: after the import, after the function, after the command."""
    heavy = "{'PySide6', 'pyqtgraph', 'matplotlib', 'scipy', 'yaml', 'psygnal', 'narwhals'}"
    out = python(
        "import sys, irviewer; print(sorted({'numpy', 'pyarrow', 'PySide6', 'scipy', 'yaml'} & set(sys.modules)))\n"
        f"r = irviewer.evaluate({trec[0]!r}, [{trec[1]!r}])\n"
        f"print(round(r.mean('AP'), 4), sorted({heavy} & set(sys.modules)))\n"
        f"from irviewer.__main__ import main; main(['evaluate', *{trec!r}, '-o', '/dev/null'])\n"
        f"print(sorted({heavy} & set(sys.modules)))\n"
    )
    assert out == "[]\n0.1785 []\n[]\n"


def test_every_public_name_loads() -> None:
    code = (
        "import irviewer; print(all(getattr(irviewer, n) is not None and n in dir(irviewer) for n in irviewer.__all__))"
    )
    assert python(code) == "True\n"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        irviewer.nothing  # noqa: B018


def test_help_lists_every_command_with_what_it_is_for() -> None:
    done = program("--help")
    assert (done.returncode, done.stderr) == (0, b"")
    help_text = done.stdout.decode()
    listed = dict(re.findall(r"^  ([a-z-]+)  +(\S.*)$", help_text.partition("other commands")[2], re.M))
    assert set(listed) == {command.name for command in COMMANDS}
    assert all(len(text) > 10 for text in listed.values())


def test_a_command_that_is_not_quite_one_is_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    done = program("compar", "qrels", "run")
    assert (done.returncode, done.stdout) == (2, b"")
    assert "no command or file 'compar'; did you mean compare?" in done.stderr.decode()
    for word, near in (("evalute", "evaluate"), ("similarty", "similarity")):  # in this process
        assert main([word, "qrels", "run"]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert f"no command or file '{word}'; did you mean {near}?" in err


@pytest.mark.parametrize("own", [None, "2"])
def test_a_product_of_matrices_has_one_thread_unless_the_user_says_more(own: str | None) -> None:
    code = (
        "import os, sys\n"
        "from irviewer.__main__ import main\n"
        "assert 'numpy' not in sys.modules, 'it is too late then'\n"
        f"os.environ.update({ {} if own is None else {'OPENBLAS_NUM_THREADS': own}!r})\n"
        "main(['measures', '--help'])\n"
        "print(os.environ['OPENBLAS_NUM_THREADS'])\n"
    )
    assert python(code).splitlines()[-1] == (own or "1")
