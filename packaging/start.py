"""Where the bundled program begins; as ``python -m irviewer`` does elsewhere."""

import os
import sys

# A program of Windows without a console has no streams, which libraries write to without asking.
for name in ("stdout", "stderr"):
    if getattr(sys, name) is None:
        setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123

from irviewer.__main__ import run  # noqa: E402

if __name__ == "__main__":
    run()
