"""Threads that need SciPy at the same moment for the first time."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

TWO_THREADS = """
import sys, threading, time
from importlib.abc import MetaPathFinder
from itertools import groupby
{imports}

class Slow(MetaPathFinder):
    # The first thread waits in the middle of scipy, and the second begins meanwhile.
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] == "scipy":
            seen.append(threading.current_thread().name)
        if name == "scipy.version":
            inside.set()
            time.sleep(0.3)

def first():
    {first}

def second():
    inside.wait()
    {second}

inside, seen = threading.Event(), []
sys.meta_path.insert(0, Slow())
threads = [threading.Thread(target=each, name=each.__name__) for each in (first, second)]
for each in threads:
    each.start()
for each in threads:
    each.join()
print(*(name for name, _ in groupby(seen)))
"""


def turns(imports: str, first: str, second: str) -> list[str]:
    """Who looks for modules of SciPy, in the order of time, of two threads in a new process."""
    program = TWO_THREADS.format(imports=imports, first=first, second=second)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_two_threads_take_turns() -> None:
    parts = "from irviewer.installed.scipy_parts import hierarchy, special"
    assert turns("", "import scipy.special", "import scipy.special") != ["first"]
    assert turns(parts, "special()", "special()") == ["first"]
    assert turns(parts, "special()", "hierarchy()") == ["first", "second"]


def test_nothing_else_imports_scipy() -> None:
    found = set()
    for path in (ROOT / "irviewer").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if any(name.split(".")[0] == "scipy" for name in names):
                found.add(path.relative_to(ROOT).as_posix())
    assert found == {"irviewer/installed/scipy_parts.py"}
