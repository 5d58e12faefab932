"""The one place that knows both the window and the command line: it chooses between them."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """``irviewer evaluate …`` and the other text commands; everything else is ``irviewer view``. Returns 0 or 2."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    from irviewer import cli

    if given and given[0] in cli.COMMANDS and given[0] != "view":
        return cli.main(given)
    try:
        request = cli.parse_view(given[1:] if given[:1] == ["view"] else given)
    except SystemExit as stop:
        return int(stop.code or 0)
    from irviewer.gui.run import ViewRequest, open_window

    return open_window(ViewRequest(**request))


if __name__ == "__main__":
    sys.exit(main())
