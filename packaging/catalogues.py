"""Collect the texts of the program for translators, and compile what they made.

    python packaging/catalogues.py extract        every catalogue gets the texts of now; what is new is left empty
    python packaging/catalogues.py new LANGUAGE   begin a language (es, pt_BR ...)
    python packaging/catalogues.py compile        make the files that the program reads

A catalogue is ``resources/locale/LANGUAGE/LC_MESSAGES/irviewer.po``. Needs Babel (``pip install -e '.[test]'``)."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "locale"
DOMAIN = "irviewer"
KEYWORDS = {"tr": None, "trn": (1, 2), "trc": ((1, "c"), 2)}
"""The functions of irviewer.translation, and which of their arguments are texts."""


def extract(source: Path = ROOT / "irviewer") -> Catalog:
    """All texts of the program, in the order of the sources; a comment that begins with ``Translators:`` goes along."""
    catalogue = Catalog(domain=DOMAIN, project="irviewer", charset="utf-8", fuzzy=False)
    found = extract_from_dir(source, [("**.py", "python")], keywords=KEYWORDS, comment_tags=("Translators:",))
    for file, line, message, comments, context in found:
        catalogue.add(message, None, [(f"irviewer/{file}", line)], auto_comments=comments, context=context)
    return catalogue


def read(path: Path) -> Catalog:
    """A translator's file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, domain=DOMAIN)


def files(folder: Path = FOLDER) -> list[Path]:
    """Every language's catalogue."""
    return sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def compiled(catalogue: Catalog) -> bytes:
    """The bytes that gettext reads."""
    buffer = io.BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def write(catalogue: Catalog, path: Path) -> None:
    """Write a translator's file: file names without line numbers, which would change with every edit."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=120, include_lineno=False, omit_header=False, ignore_obsolete=True)


def main(arguments: list[str]) -> int:
    """Run one of the three commands; returns the status."""
    match arguments:
        case ["extract"]:
            template = extract()
            for path in files():
                catalogue = read(path)
                catalogue.update(template, no_fuzzy_matching=True)
                write(catalogue, path)
                missing = sum(not message.string or not any(message.string) for message in catalogue if message.id)
                print(f"{path.relative_to(ROOT)}: {len(catalogue)} texts, {missing} not translated")
            if not files():
                print(f"{len(template)} texts; no catalogue yet")
        case ["new", language]:
            catalogue = Catalog(locale=language, domain=DOMAIN, project="irviewer")
            catalogue.update(extract())
            write(catalogue, FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po")
        case ["compile"]:
            for path in files():
                path.with_suffix(".mo").write_bytes(compiled(read(path)))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
