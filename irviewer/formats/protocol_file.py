"""Protocol files: an evaluation protocol as TOML, which users write, and every command and function reads.

```toml
schema = 1
measures = ["nDCG@10", "AP"]

[rules]
level = 2
unjudged = "pooled"

[scope]
queries = { file = "hard.txt", looked = true }
baseline = "bm25"
```

What a file names is declared; what it leaves out has its default. An unknown key is an error, since a typing error
would be another number. Files that it names are found from its own folder."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from irviewer.errors import OptionError, ParseError
from irviewer.model.arguments import checked
from irviewer.model.dialects import Dialect
from irviewer.model.protocol import (
    PLACES,
    EvaluationProtocol,
    FieldError,
    Looks,
    QuerySelection,
    WeightSelection,
)
from irviewer.translation import tr

SCHEMA = 1
"""The version of the keys: another one is refused."""
_LARGEST = 16 << 20
"""The most bytes of a file: a larger one is something else."""
SECTIONS = ("rules", "scope", "inference")
_LISTS = {"queries": QuerySelection, "weights": WeightSelection, "looks": Looks}
"""Fields whose value may be a table of its own."""
_TOKENS = re.compile(
    r'(?P<text>"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')|(?P<note>#[^\n]*)', re.DOTALL
)
_WHERE = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")


@checked
def read_protocol(path: str | Path) -> EvaluationProtocol:
    """Read a protocol. Raises ParseError with line and column: no TOML, an unknown key, a value that is not valid."""
    with Path(path).open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST or b"\0" in data:
        raise ParseError(path, tr("the file is not text"), hint=tr("give a protocol, a text file in TOML"))
    text = data.decode("utf-8-sig", "surrogateescape")  # names of runs may have bytes that are not UTF-8
    return parse_protocol(text, path=path, folder=Path(path).parent)


def parse_protocol(text: str, *, path: str | Path = "protocol.toml", folder: Path | None = None) -> EvaluationProtocol:
    """Return the protocol of a text; with a ``folder`` the files that it names are found from there. Raises ParseError
    with ``path``."""
    import tomllib

    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if text.lstrip().startswith("{") and '"registered"' in text:
            hint = tr("give it with --registered beside the protocol that it is compared with")
            raise ParseError(path, tr("this is a registered protocol"), hint=hint) from None
        raise no_toml(error, path, text, _written()) from None
    except RecursionError:
        raise ParseError(path, tr("the file is nested too deeply"), hint=_written()) from None
    return _Reader(text, path, folder).protocol(content)


def protocol_in(
    content: Mapping[str, Any], text: str, path: str | Path, folder: Path | None, table: str
) -> EvaluationProtocol:
    """Return the protocol that another file has in a table; errors name the place in its ``text``."""
    return _Reader(text, path, folder, (table,)).protocol(content)


def protocol_text(protocol: EvaluationProtocol, *, folder: Path | None = None, table: str = "") -> str:
    """Return a protocol as TOML that is read as the same value; with a ``folder`` the files that it names are written
    as they are found from there, with a ``table`` it is one of another file. Only declared fields are written. Raises
    OptionError for rules that have no name."""
    lines = [*([f"[{table}]"] if table else []), f"schema = {SCHEMA}"]
    if "measures" in protocol.declared:
        lines.append(f"measures = {toml_value(protocol.measures)}")
    for section in SECTIONS:
        names = [name for name, place in PLACES.items() if place in protocol.declared and place != name]
        mine = [name for name in names if PLACES[name].startswith(section)]
        # A file cannot say "None": the default of these fields is left out.
        values = [(name, protocol[name]) for name in mine if protocol[name] is not None]
        if values:
            lines += ["", f"[{table}.{section}]" if table else f"[{section}]"]
            lines += [f"{name} = {toml_value(_placed(name, value, folder))}" for name, value in values]
    return "\n".join(lines) + "\n"


class _Reader:
    """Makes a protocol of the content of a file, and finds where a key is for the errors."""

    def __init__(self, text: str, path: str | Path, folder: Path | None, outer: tuple[str, ...] = ()) -> None:
        self._outer = outer
        self._text = text
        self._path = path
        self._folder = folder

    def protocol(self, content: Mapping[str, Any]) -> EvaluationProtocol:
        """Return the protocol. Raises ParseError."""
        schema = content.get("schema", SCHEMA)
        if isinstance(schema, bool) or schema != SCHEMA:
            reason = tr("the schema is {schema!r}, and only {known} is known", schema=schema, known=SCHEMA)
            raise self._error(reason, ("schema",), tr("use a newer version of irviewer, or write schema = 1"))
        values: dict[str, Any] = {}
        for key, value in content.items():
            if key == "measures":
                values[key] = value
            elif key in SECTIONS and isinstance(value, dict):
                for name, each in value.items():
                    if PLACES.get(name) != f"{key}.{name}":
                        raise self._unknown((key, name))
                    values[name] = self._selection(key, name, each) if name in _LISTS else each
            elif key in SECTIONS:
                raise self._error(tr("{key} is no table", key=key), (key,), tr("write [{key}] above its keys", key=key))
            elif key != "schema":
                raise self._unknown((key,))
        protocol = EvaluationProtocol()
        for name, value in values.items():
            try:
                protocol = protocol.but(**{name: _found(name, value, self._folder)})
            except FieldError as error:
                raise self._error(str(error), tuple(PLACES[name].split("."))) from None
        return protocol

    def _selection(self, section: str, name: str, value: Any) -> Any:
        """Return the value of a field that may be a table. Raises ParseError."""
        if not isinstance(value, dict):
            return value
        kind = _LISTS[name]
        known = [each.name for each in fields(kind)]
        for key in value:
            if key not in known:
                raise self._unknown((section, name, key), known)
        try:
            return kind(**value)
        except FieldError as error:
            raise self._error(str(error), (section, name)) from None
        except TypeError:  # looks without their fractions
            hint = tr("write {example}", example="looks = { fractions = [0.5, 1], at = 1 }")
            raise self._error(tr("looks have no fractions"), (section, name), hint) from None

    def _unknown(self, keys: tuple[str, ...], known: list[str] | None = None) -> ParseError:
        """Return the error for an unknown key, with the part that has it, or a similar key."""
        key, place = keys[-1], ".".join(keys)
        elsewhere = PLACES.get(key, "")
        if known is None:
            parts = [name for name in PLACES if len(keys) == 1 or PLACES[name].startswith(f"{keys[0]}.")]
            known = [*(("schema", *SECTIONS) if len(keys) == 1 else ()), *parts]
        similar = difflib.get_close_matches(key, known, 1)
        if elsewhere and elsewhere != place and len(keys) < 3:
            hint = tr("write it in [{section}]", section=elsewhere.partition(".")[0])
        elif similar:
            hint = tr("did you mean {name}?", name=similar[0])
        else:
            hint = tr("the keys are {names}", names=", ".join(known))
        return self._error(tr("a protocol has no key {key}", key=place), keys, hint)

    def _error(self, reason: str, keys: tuple[str, ...], hint: str = "") -> ParseError:
        line, column, text = place_of(self._text, (*self._outer, *keys))
        return ParseError(self._path, reason, line=line, column=column, text=text, hint=hint)


def no_toml(error: Exception, path: str | Path, text: str, hint: str) -> ParseError:
    """Return the error for a text that is no TOML, with the place that the parser names."""
    message = str(error)
    where = _WHERE.search(message)
    line, column = (int(where[1]), int(where[2])) if where and where[1] else (0, 0)
    if where and not where[1]:
        line = max(1, len(text.splitlines()))
    lines = text.split("\n")
    shown = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    reason = tr("this is no TOML: {reason}", reason=_WHERE.sub("", message).strip())
    return ParseError(path, reason, line=line, column=column, text=shown, hint=hint)


def _written() -> str:
    return tr("write lines such as level = 2 below [rules]; irviewer protocol prints an example")


def place_of(text: str, keys: tuple[str, ...]) -> tuple[int, int, str]:
    """Return line and column, from 1, and the line of a key; zeros and "" where it is not found."""
    blank = _TOKENS.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)  # no keys in texts and comments
    for pattern in _patterns(keys):
        match = pattern(blank)
        if match is not None:
            line = text.count("\n", 0, match) + 1
            begin = text.rfind("\n", 0, match) + 1
            return line, match - begin + 1, text[begin:].split("\n", 1)[0].strip()
    return (0, 0, "") if len(keys) == 1 else place_of(text, keys[:-1])


def _patterns(keys: tuple[str, ...]) -> Iterator[Callable[[str], int | None]]:
    """Yield functions that find a key in a text: below its heading, in a table in braces, with dots."""
    *outer, last = map(re.escape, keys)

    def search(pattern: str) -> Callable[[str], int | None]:
        def at(text: str) -> int | None:
            match = re.search(pattern, text, re.MULTILINE | re.DOTALL)
            return None if match is None else match.start("key")

        return at

    if outer:
        section, *rest = outer
        heading = r"[ \t]*\.[ \t]*".join(outer)
        yield search(rf"^[ \t]*\[[ \t]*{heading}[ \t]*\][^\[]*?(?<![\w-])(?P<key>{last})[ \t]*=")
        inside = r"[^\[]*?" if not rest else rf"[^\[]*?^[ \t]*{rest[0]}[ \t]*=[ \t]*\{{[^}}]*?"
        yield search(rf"^[ \t]*\[[ \t]*{section}[ \t]*\]{inside}(?<![\w-])(?P<key>{last})[ \t]*=")
        yield search(rf"^[ \t]*{section}[ \t]*=[ \t]*\{{[^\n]*?(?<![\w-])(?P<key>{last})[ \t]*=")
        yield search(rf"^[ \t]*{'[ .]+'.join(outer)}[ ]*\.[ ]*(?P<key>{last})[ \t]*=")
    else:
        yield search(rf"^[ \t]*(?:\[\[?[ \t]*)?(?P<key>{last})[ \t]*(?:=|\.|\])")


def _found(name: str, value: Any, folder: Path | None) -> Any:
    """Return a value of a field with its file, if it names one, from the folder of the protocol."""
    if folder is None or str(folder) == ".":
        return value
    return _with_file(name, value, lambda file: str(folder / file))


def _placed(name: str, value: Any, folder: Path | None) -> Any:
    """Return the value with its file as it is found from the folder of the protocol."""
    if folder is None or str(folder) == ".":
        return value

    return _with_file(name, value, partial(from_folder, folder=folder))


def from_folder(file: str, folder: Path) -> str:
    """Return the path of a file as it is found from a folder; an absolute one outside of it stays as it is."""
    try:
        relative = os.path.relpath(file, folder)
    except ValueError:  # another drive
        return file
    return file if relative.startswith("..") and Path(file).is_absolute() else relative


def _with_file(name: str, value: Any, change: Callable[[str], str]) -> Any:
    if name == "zscores" and isinstance(value, str) and value:
        return change(value)
    if isinstance(value, QuerySelection) and value.file:
        return QuerySelection(value.name, change(value.file), looked=value.looked)
    return WeightSelection(file=change(value.file)) if isinstance(value, WeightSelection) and value.file else value


# --- TOML ---


def toml_value(value: Any) -> str:
    """Return a value as TOML, numbers in their shortest exact digits. Raises OptionError for rules without a name."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Dialect):
        raise OptionError(tr("the rules {name} are no dialect that a protocol can name", name=value.name))
    if isinstance(value, QuerySelection):
        return _selected(value)
    if isinstance(value, Looks):
        return f"{{ fractions = {toml_value(value.fractions)}, bounds = {_quoted(value.bounds)}, at = {value.at} }}"
    if isinstance(value, WeightSelection):
        return f"{{ file = {_quoted(value.file)} }}" if value.file else _quoted(value.name)
    return f"[{', '.join(map(toml_value, value))}]"


def _selected(selection: QuerySelection) -> str:
    if not selection.looked and not selection.file and not (selection.name and selection.ids):
        return toml_value(selection.ids) if selection.ids else _quoted(selection.name)
    shown = {name: getattr(selection, name) for name in ("name", "file", "ids", "looked")}
    return "{ " + ", ".join(f"{name} = {toml_value(value)}" for name, value in shown.items() if value) + " }"


def _quoted(text: str) -> str:
    plain = text.isprintable() and '"' not in text and "\\" not in text  # as nearly all of thousands of ids are
    return f'"{text}"' if plain else '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    code = ord(character)
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable() or 0xD800 <= code < 0xE000:  # bytes that are not UTF-8 stay as they are
        return character
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
