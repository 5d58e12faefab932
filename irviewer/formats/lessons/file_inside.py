"""The path of a file that a lesson or a course names: in its folder, and nowhere else."""

from __future__ import annotations

from pathlib import Path

from irviewer.formats.lessons.fields import Field
from irviewer.translation import tr


def file_inside(lesson: str | Path, name: str, field: Field) -> Path:
    """Return the path of a file that a lesson names. Raises ParseError unless it is in the lesson's folder."""
    folder = Path(lesson).parent.resolve()
    hint = tr("name a file in the folder of the lesson")
    try:
        wanted = (folder / name).resolve()
        if not str(lesson) or not name or Path(name).is_absolute() or not wanted.is_relative_to(folder):
            raise field.error(tr("{name} is not in the lesson's folder", name=name), hint=hint, text="")
        if not wanted.is_file():
            raise field.error(tr("there is no file {name}", name=name), hint=hint, text="")
    except (OSError, ValueError):
        raise field.error(tr("there is no file {name}", name=name), hint=hint, text="") from None
    return wanted
