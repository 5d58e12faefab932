"""Collect the texts of the program for translators, and compile their catalogues.

    python packaging/catalogues.py list           print every text once, in the order of the sources, for a reader
    python packaging/catalogues.py extract        update every catalogue to the current texts; new ones are empty
    python packaging/catalogues.py new LANGUAGE   start the catalogue of a language (es, pt_BR ...)
    python packaging/catalogues.py missing        print the texts that a language lacks, which are shown in English
    python packaging/catalogues.py compile        write the files that the program reads; an installation does it too

``list`` also prints ``irviewer --help`` and the help of every command, whose texts it shows in place.

A catalogue is ``resources/locale/LANGUAGE/LC_MESSAGES/irviewer.po``. Needs Babel (``pip install -e '.[test]'``)."""

from __future__ import annotations

import argparse
import io
import os
import sys
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "locale"
DOMAIN = "irviewer"
KEYWORDS = {"tr": None, "trn": (1, 2), "trc": ((1, "c"), 2)}
"""The functions of irviewer.translation, and the positions of their texts."""


def extract(source: Path = ROOT / "irviewer") -> Catalog:
    """Return all texts of the program in the order of the sources, with comments that begin with ``Translators:``."""
    catalogue = Catalog(domain=DOMAIN, project="irviewer", charset="utf-8", fuzzy=False)
    messages = extract_from_dir(source, [("**.py", "python")], keywords=KEYWORDS, comment_tags=("Translators:",))
    for file, line, message, comments, context in messages:
        catalogue.add(message, None, [(f"irviewer/{file}", line)], auto_comments=comments, context=context)
    return catalogue


def read(path: Path) -> Catalog:
    """Read the catalogue of a language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, domain=DOMAIN)


def files(folder: Path = FOLDER) -> list[Path]:
    """Return the catalogues of all languages."""
    return sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def compiled(catalogue: Catalog) -> bytes:
    """Return the bytes that gettext reads."""
    buffer = io.BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def compile_changed(folder: Path = FOLDER) -> None:
    """Compile each catalogue that is newer than its compiled file, which is replaced at once: other processes may be
    reading it."""
    for path in files(folder):
        target = path.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns >= path.stat().st_mtime_ns:
            continue
        beside = target.with_name(f"{target.name}.{os.getpid()}")
        beside.write_bytes(compiled(read(path)))
        beside.replace(target)


def forms(message: Message | None) -> list[str]:
    """Return the translations of a text, one for each plural form; empty where there is none."""
    if message is None or not message.string:
        return []
    return [message.string] if isinstance(message.string, str) else list(message.string)


def missing(catalogue: Catalog, template: Catalog) -> list[str]:
    """Return the texts of a template that a catalogue does not translate, in order of the template."""
    lacking = []
    for message in template:
        if message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            strings = forms(catalogue.get(key, message.context))
            if not strings or not all(strings):
                lacking.append(key)
    return lacking


def write(catalogue: Catalog, path: Path) -> None:
    """Write a catalogue with file names but no line numbers, which would change with every edit."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=120, include_lineno=False, omit_header=False, ignore_obsolete=True)


def texts(source: Path = ROOT / "irviewer") -> str:
    """Return every text, once, under the file that has it first; the forms of a plural are on one line."""
    lines: list[str] = []
    file = ""
    for message in extract(source):
        if not message.id:
            continue
        if message.locations[0][0] != file:
            file = message.locations[0][0]
            lines += ["", f"# {file}"]
        lines.append(message.id if isinstance(message.id, str) else " | ".join(message.id))
    return "\n".join(lines[1:]) + "\n"


def helps() -> str:
    """Return ``irviewer --help`` and the help of every command."""
    from irviewer.cli.commands import COMMANDS
    from irviewer.cli.main import build_parser
    from irviewer.cli.view import build_view_parser

    parts = [build_view_parser().format_help()]
    for command in COMMANDS:
        parser = argparse.ArgumentParser(prog=f"irviewer {command.name}")
        command.add(parser)
        parts.append(parser.format_help())
    return "\n".join([build_parser().format_help(), *parts])


def main(arguments: list[str]) -> int:
    """Run one of the commands and return the exit status."""
    match arguments:
        case ["list"]:
            sys.path.insert(0, str(ROOT))
            print(texts())
            print(helps())
        case ["extract"]:
            template = extract()
            for path in files():
                catalogue = read(path)
                catalogue.update(template, no_fuzzy_matching=True)
                write(catalogue, path)
                lacking = missing(catalogue, template)
                print(f"{path.relative_to(ROOT)}: {len(catalogue)} texts, {len(lacking)} not translated")
            if not files():
                print(f"{len(template)} texts; no catalogue yet")
        case ["new", language]:
            catalogue = Catalog(locale=language, domain=DOMAIN, project="irviewer")
            catalogue.update(extract())
            write(catalogue, FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po")
        case ["missing"]:
            template = extract()
            for path in files():
                lacking = missing(read(path), template)
                print(f"{path.relative_to(ROOT)}: {len(lacking)} of {len(template)} texts are not translated")
                print("".join(f"  {text!r}\n" for text in lacking), end="")
        case ["compile"]:
            compile_changed()
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
