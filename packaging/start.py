"""Where the bundled program begins; as ``python -m irviewer`` does elsewhere."""

from irviewer.__main__ import run

if __name__ == "__main__":
    run()
