"""Which package of Debian a library of this machine belongs to, and what it says of its licence."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

NOTICES = Path("/usr/share/doc")
TEXTS = Path("/usr/share/common-licenses")


def package_of(library: str) -> str:
    """Return the package of a library; dpkg may know it by its path before /lib became a link to /usr/lib."""
    real = str(Path(library).resolve())
    for path in (real, real.removeprefix("/usr")):
        try:
            done = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise SystemExit(f"whose {library} is, and its licence, is known on Debian and Ubuntu only") from None
        if done.returncode == 0:
            return done.stdout.partition(":")[0]
    raise SystemExit(f"no package holds {library}")


def notices(libraries: Iterable[str]) -> dict[str, Path]:
    """Return the notices of the packages that hold some libraries, and the texts of licences that these refer to: place
    below a folder of licences -> file. A package without a notice ends the build."""
    files: dict[str, Path] = {}
    for package in sorted({package_of(library) for library in libraries}):
        notice = NOTICES / package / "copyright"
        if not notice.is_file():
            raise SystemExit(f"{package} brings no licence: {notice} is missing")
        files[f"system/{package}/copyright"] = notice
        for name in re.findall(rf"{TEXTS}/([\w.-]*\w)", notice.read_text(encoding="utf-8", errors="replace")):
            text = TEXTS / name
            if not text.is_file():
                raise SystemExit(f"{notice} refers to {text}, which is missing")
            files[f"system/common-licenses/{name}"] = text
    return files
