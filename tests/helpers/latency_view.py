"""The view of docs/plugins.md, as its package registers it, and a collection to show it on."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

from irviewer.views.view import ResultView

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "plugins.md"
NAME = "our-latency"


def latency_view() -> ResultView:
    """The view, from the code of the guide."""
    (code,) = re.findall(r"^```python our_latency.py\n(.*?)^```$", GUIDE.read_text("utf-8"), re.M | re.S)
    module = sys.modules["our_latency"] = ModuleType("our_latency")  # a dataclass looks for its module
    exec(compile(code, "our_latency.py", "exec"), module.__dict__)
    view: ResultView = module.__dict__["VIEW"]
    return view


def write_collection(folder: Path) -> list[str]:
    """Qrels, three runs of which two tie, and a table of costs that lacks one of them; return their paths."""
    files = {
        "qrels.txt": "1 0 a 2\n1 0 b 0\n2 0 c 1\n3 0 a 1\n10 0 é 1\n",
        "bm25.run": "1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n2 Q0 x 1 3 r\n2 Q0 c 2 2 r\n10 Q0 é 1 1 r\n",
        "dense.run": "1 Q0 b 1 3 r\n1 Q0 a 2 3 r\n2 Q0 c 1 3 r\n3 Q0 a 1 1 r\n",
        "other.run": "1 Q0 b 1 3 r\n1 Q0 a 2 3 r\n2 Q0 c 1 3 r\n3 Q0 a 1 1 r\n",
        "costs.csv": "run,ms,size\nbm25,3.3,1\ndense,0.1,2\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [str(folder / name) for name in files]
