"""What the program leaves out of its imports, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from patience import LONG_PROCESS


def said(code: str) -> str:
    """Return what a process says that runs this code."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG_PROCESS, check=True
    )
    return done.stdout.strip()


def test_no_source_is_searched_for_qt() -> None:
    code = (
        "import PySide6.QtCore, inspect\n"
        "searched = []\n"
        "source = inspect.getsource\n"
        "inspect.getsource = lambda module: searched.append(module.__name__) or source(module)\n"
        "import colorsys\n"
        "assert 'colorsys' in searched\n"
        "from irviewer.gui.quick_imports import import_plainly\n"
        "searched.clear()\n"
        "import_plainly()\n"
        "import_plainly()\n"
        "import wave\n"
        "from PySide6 import QtGui\n"
        "print(searched, QtGui.QColor('red').name())\n"
    )
    assert said(code) == "[] #ff0000"


def test_arrow_does_not_import_pandas() -> None:
    pytest.importorskip("pandas")
    code = (
        "from irviewer.installed.quick_arrow import quicken_arrow\n"
        "import sys, pyarrow as pa\n"
        "quicken_arrow()\n"
        "pa.array(['a', None])\n"
        "assert 'pandas' not in sys.modules\n"
        "import pandas\n"
        "frame = pandas.DataFrame({'id': ['a', 'b'], 'value': [1.0, None]})\n"
        "table = pa.Table.from_pandas(frame)\n"
        "print(table.column('value').to_pylist(), table.to_pandas().equals(frame))\n"
    )
    assert said(code) == "[1.0, None] True"


def test_arrow_keeps_pandas_where_it_is_imported() -> None:
    pytest.importorskip("pandas")
    code = (
        "import pandas, pyarrow as pa\n"
        "from irviewer.installed.quick_arrow import quicken_arrow\n"
        "quicken_arrow()\n"
        "print(pa.array(pandas.Series([1.0, None])).to_pylist())\n"
    )
    assert said(code) == "[1.0, None]"


FUNCTIONS = """
import pyarrow.compute as pc
named = {name: value for name, value in vars(pc).items() if callable(value) and not name.startswith("_")}
print(sorted(named), [value.__arrow_compute_function__ for _, value in sorted(named.items())
                      if hasattr(value, "__arrow_compute_function__")])
print(pc.round(2.345, ndigits=2), pc.sort_indices([3, 1, 2], sort_keys=[("", "descending")]), pc.and_(True, False),
      pc.index_in(["b"], value_set=__import__("pyarrow").array(["a", "b"])), pc.min_max([1, None], skip_nulls=False))
"""


def test_the_functions_of_arrow_are_the_same_without_their_documentation() -> None:
    quick = (
        "import inspect, sys, textwrap\n"
        "before = inspect.signature, textwrap.dedent\n"
        "from irviewer.installed.quick_arrow import quicken_arrow\n"
        "quicken_arrow()\n"
        "quicken_arrow()\n"
        "assert 'pyarrow.compute' in sys.modules and 'pydoc' not in sys.modules\n"
        "assert before == (inspect.signature, textwrap.dedent)\n"
        "from pyarrow.vendored import docscrape\n"
        "assert docscrape.NumpyDocString('A.\\n\\nParameters\\n----------\\na : int\\n')['Parameters'][0].name == 'a'\n"
    )
    assert said(quick + FUNCTIONS) == said(FUNCTIONS)


def test_text_commands_have_one_thread_of_openblas() -> None:
    """It is asked for before NumPy is imported, which reads it once."""
    code = (
        "import os, sys\n"
        "os.environ.pop('OPENBLAS_NUM_THREADS', None)\n"
        "class Note:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'numpy':\n"
        "            print(os.environ.get('OPENBLAS_NUM_THREADS'))\n"
        "sys.meta_path.insert(0, Note())\n"
        "sys.argv = ['irviewer', 'formats']\n"
        "from irviewer import __main__ as program\n"
        "os._exit = sys.exit\n"
        "program.run()\n"
    )
    assert said(code).splitlines()[0] == "1"


def test_text_commands_do_not_import_pandas(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    files = [tmp_path / "a.qrels", tmp_path / "a.run"]
    for file, text in zip(files, ["1 0 a 1\n", "1 Q0 a 1 2 t\n"], strict=True):
        file.write_text(text)
    code = (
        "import os, sys\n"
        f"sys.argv = ['irviewer', 'evaluate', *{list(map(str, files))}, '--in-blocks', '-m', 'AP']\n"
        "from irviewer import __main__ as program\n"
        "os._exit = lambda status: print(status, 'pandas' in sys.modules)\n"
        "program.run()\n"
    )
    assert said(code).splitlines()[-1] == "0 False"


def test_the_program_imports_that_way() -> None:
    """What makes classes of Qt is imported on the main thread; pandas is not imported, and no source is searched."""
    code = (
        "import sys, threading\n"
        "where = {}\n"
        "class Note:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        where.setdefault(name, threading.current_thread().name)\n"
        "sys.meta_path.insert(0, Note())\n"
        "# What was read ahead is found before that, by statements, of which Python tells.\n"
        "sys.addaudithook(lambda event, given: event == 'import' and Note().find_spec(given[0]))\n"
        "from irviewer.gui.launch import open_window\n"
        "from irviewer.gui.startup_request import ViewRequest\n"
        "def watch():\n"
        "    from PySide6.QtCore import QTimer\n"
        "    from irviewer.gui import app\n"
        "    from irviewer.gui.prefetch import is_coming\n"
        "    show = app.MainWindow.show\n"
        "    def shown(window):\n"
        "        show(window)\n"
        "        def look():\n"
        "            shown = window.session.view.collection is not None and window.is_complete()\n"
        "            if shown and not is_coming('irviewer.gui.compare.screen'):\n"
        "                window.close()\n"
        "        window.look = QTimer(window)\n"
        "        window.look.timeout.connect(look)\n"
        "        window.look.start(20)\n"
        "    app.MainWindow.show = shown\n"
        "import irviewer.gui.quick_imports as quick\n"
        "plainly = quick.import_plainly\n"
        "def after():\n"
        "    plainly()\n"
        "    watch()\n"
        "quick.import_plainly = after\n"
        "status = open_window(ViewRequest(sample='cranfield'))\n"
        "import builtins\n"
        "print(status, where['pyqtgraph'], where['irviewer.gui.compare.screen'], 'pandas' in sys.modules,\n"
        "      builtins.__import__ is builtins.__orig_import__)\n"
    )
    assert said(code) == "0 MainThread MainThread False True"
