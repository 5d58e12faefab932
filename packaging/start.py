"""Where the bundled program begins; as ``python -m irviewer`` does elsewhere."""

import sys

from irviewer.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
