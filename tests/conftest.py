"""What all tests share: where the data lies, hypothesis' settings, the helpers' folder, the goldens' last line."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

# Before Qt is imported: without a display it would end the whole test run.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
# A shell starts what runs in the background with Ctrl+C ignored, and so would every program that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Whatever the language of the system is.
os.environ.setdefault("IRVIEWER_LANGUAGE", "en")
# However wide the terminal is: pytest-xdist tells the processes that run the tests.
os.environ.pop("COLUMNS", None)

HERE = Path(__file__).parent
# Tests are no package: brute-force references and strategies are imported from here by their plain names.
sys.path.insert(0, str(HERE / "helpers"))

import plain_imports  # noqa: E402, F401 - found only now; before all that imports Qt

# isort: split
import examples  # noqa: E402
from comparison import PROPERTY, table  # noqa: E402

examples.load()


def pytest_configure(config: pytest.Config) -> None:
    """The catalogues that changed since they were compiled; once, before other processes run the tests."""
    folder = HERE.parent / "packaging"
    if folder.is_dir() and not hasattr(config, "workerinput"):
        sys.path.insert(0, str(folder))
        try:
            import catalogues

            catalogues.compile_changed()
        finally:
            sys.path.pop(0)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Files and tests that are named run in this process, which is quicker for few; all else in parallel, a process a
    processor. Up to four processors it is one more, as tests also wait: for processes, timers, threads and the disk."""
    named = config.getoption("file_or_dir")
    if any(re.search(r"\.py(::.*)?$", word, re.S) for word in named):
        return 0
    processors = _processors()
    return processors + 1 if processors <= 4 and "PYTEST_XDIST_AUTO_NUM_WORKERS" not in os.environ else None


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Small collections lack queries and documents on purpose; the tests of these warnings expect them."""
    for item in items:
        item.add_marker(pytest.mark.filterwarnings("ignore::irviewer.errors.IrviewerWarning"), append=False)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays: the collector, which would look at all of it again and again, took a third of the
    time. Nor does it look at it later: a million objects, half a second each time. And it looks seldom at what tests
    make, most of which goes by itself."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 10, 10)
        gc.enable()


@pytest.fixture(autouse=True, scope="session")
def _own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nobody's own settings are read or written: they lie in a folder that goes when the tests end. matplotlib's list
    of fonts, which takes a second to make, is that of all processes of this run."""
    base = tmp_path_factory.getbasetemp()
    fonts = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "matplotlib"
    with tempfile.TemporaryDirectory(prefix="irviewer-tests-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("IRVIEWER_CONFIG_DIR", folder)
        patch.setenv("IRVIEWER_CACHE_DIR", folder + "/cache")
        patch.setenv("MPLCONFIGDIR", str(fonts))
        yield


@pytest.fixture(autouse=True, scope="session")
def _nothing_is_kept_by_chance() -> Iterator[None]:
    """A file that was slow to read twice is kept as columns: on a busy machine that could be any. Tests that want it
    say so. A file that a test has just written counts as settled."""
    from irviewer.formats.reading import cache, file_state

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "WORTH", float("inf"))
        patch.setattr(file_state, "SETTLED", 0.0)
        yield


@pytest.fixture(autouse=True, scope="session")
def _values_are_whole() -> Iterator[None]:
    """Every run and all qrels that any test makes, by whatever way, are looked at whole."""
    from irviewer.model.invariants import check_tie_order, check_whole_qrels, check_whole_run
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run

    of_run, of_qrels = Run.__post_init__, Qrels.__post_init__

    def whole_run(run: Run) -> None:
        of_run(run)
        check_whole_run(run)
        check_tie_order(run)

    def whole_qrels(qrels: Qrels) -> None:
        of_qrels(qrels)
        check_whole_qrels(qrels)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "__post_init__", whole_run)
        patch.setattr(Qrels, "__post_init__", whole_qrels)
        yield


@pytest.fixture(scope="session")
def data() -> Path:
    """The real collections beside the checkout (IRVIEWER_DATA says where else); who clones irviewer alone has none."""
    return _data()


@pytest.fixture(scope="session")
def small() -> Path:
    """tests/data: what every checkout has."""
    return HERE / "data"


@pytest.fixture(scope="session")
def samples() -> Path:
    """The bundled samples."""
    return HERE.parent / "resources" / "samples"


def _data() -> Path:
    folder = Path(os.environ.get("IRVIEWER_DATA", HERE.parents[1] / "shared" / "data"))
    if not (folder / "goldens.tsv").is_file():
        pytest.skip(f"the collections of real runs are not here ({folder}); set IRVIEWER_DATA to their folder")
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many values were compared with other programs' (tests record them as ``values equal`` and the like), what
    else was counted (``counted kills`` and the like) and how often intervals held the truth (``coverage of …``)."""
    totals: dict[str, int] = {}
    counted: dict[str, int] = {}
    coverage: list[str] = []
    accounts: list[str] = []
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()) if getattr(report, "when", "") == "call" else ():
                if name.startswith("values "):
                    totals[name] = totals.get(name, 0) + value
                elif name.startswith("counted "):
                    counted[name] = counted.get(name, 0) + value
                elif name.startswith("coverage of "):
                    coverage.append(f"{name}: {value}")
                elif name == PROPERTY:
                    accounts.append(value)
    if totals:
        counts = ", ".join(f"{value:,} {name.removeprefix('values ')}" for name, value in sorted(totals.items()))
        terminalreporter.write_line(f"values compared with other programs: {counts}")
    if counted:
        counts = ", ".join(f"{value:,} {name.removeprefix('counted ')}" for name, value in sorted(counted.items()))
        terminalreporter.write_line(f"counted: {counts}")
    for line in (*sorted(coverage), *table(accounts)):
        terminalreporter.write_line(line)
