"""The tree of an installation on Linux, below /usr: the bundle, the command, and what desktops read.

It is the content of the Debian package and of the AppDir."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "lib/irviewer"
"""Where the bundle is."""
DESKTOP = ROOT / "resources" / "desktop"
ICONS = ROOT / "resources" / "icons"
FILES = {
    DESKTOP / "irviewer.desktop": "share/applications/irviewer.desktop",
    DESKTOP / "irviewer.xml": "share/mime/packages/irviewer.xml",
    DESKTOP / "org.irviewer.irviewer.metainfo.xml": "share/metainfo/org.irviewer.irviewer.metainfo.xml",
    ICONS / "irviewer.svg": "share/icons/hicolor/scalable/apps/irviewer.svg",
    ICONS / "irviewer-64.png": "share/icons/hicolor/64x64/apps/irviewer.png",
    ICONS / "irviewer-256.png": "share/icons/hicolor/256x256/apps/irviewer.png",
}
"""File of the checkout -> its place."""


def lay_out(bundle: Path, usr: Path) -> None:
    """Write the tree into a folder that stands for /usr. ``bundle`` is the folder that build.py made."""
    if not (bundle / "irviewer").is_file():
        raise SystemExit(f"{bundle} has no program; first: python3 packaging/build.py")
    # What is beside these is for those who install the folder by hand.
    shutil.copytree(bundle / "_internal", usr / PROGRAM / "_internal", symlinks=True)
    shutil.copy(bundle / "irviewer", usr / PROGRAM)
    (usr / "bin").mkdir()
    (usr / "bin" / "irviewer").symlink_to(f"../{PROGRAM}/irviewer")
    for source, place in FILES.items():
        (usr / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, usr / place)
    _set_modes(usr)


def _set_modes(usr: Path) -> None:
    """Files that anyone reads, programs that anyone runs, and nothing that others may write."""
    for path in [usr, *usr.rglob("*")]:
        if path.is_symlink():
            continue
        program = path.is_dir() or path == usr / PROGRAM / "irviewer"
        path.chmod(0o755 if program else 0o644)
