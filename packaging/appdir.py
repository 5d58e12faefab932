"""Make the AppDir, its squashfs image, and with a runtime the AppImage:
``python3 packaging/appdir.py [--bundle DIR] [--output DIR] [--runtime FILE --digest SHA256]``.

An AppImage is a small program, the runtime, followed by the image; it mounts the image and starts its AppRun. It
is the file runtime-x86_64 of github.com/AppImage/type2-runtime; nothing is downloaded, and a file with another SHA-256
than the given one is refused. The image needs mksquashfs (squashfs-tools)."""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from linux_tree import FILES, lay_out

ROOT = Path(__file__).resolve().parent.parent
APPRUN = """\
#!/bin/sh
# Starts the program from wherever the folder or the image is.
here=$(dirname "$(readlink -f "$0")")
exec "$here/usr/bin/irviewer" "$@"
"""
AT_TOP = ("irviewer.desktop", "irviewer.svg")


def main() -> int:
    """Make what the arguments ask for, and print the paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bundle", type=Path, default=ROOT / "dist" / "irviewer", help="what build.py made")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="the folder of the results (default: dist)")
    parser.add_argument("--compression", default="zstd", choices=("zstd", "gzip"), help="that the runtime can read")
    parser.add_argument("--runtime", type=Path, help="the runtime of an AppImage")
    parser.add_argument("--digest", help="the SHA-256 of the runtime, in hexadecimal digits")
    options = parser.parse_args()
    if (options.runtime is None) != (options.digest is None):
        parser.error("--runtime and --digest belong together")
    output = options.output.resolve()
    runtime = checked_runtime(options.runtime, options.digest) if options.runtime else None
    folder = make_folder(options.bundle.resolve(), output / "irviewer.AppDir")
    image = make_image(folder, output / "irviewer.squashfs", options.compression)
    print(folder, image, sep="\n")
    if runtime is not None:
        print(make_appimage(runtime, image, output / "irviewer-x86_64.AppImage"))
    return 0


def make_folder(bundle: Path, folder: Path) -> Path:
    """Make the AppDir of a bundle; one that exists is replaced."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    lay_out(bundle, folder / "usr")
    for source in FILES:
        if source.name in AT_TOP:
            shutil.copyfile(source, folder / source.name)
    (folder / ".DirIcon").symlink_to("irviewer.svg")
    start = folder / "AppRun"
    start.write_text(APPRUN, encoding="utf-8")
    start.chmod(0o755)
    return folder


def make_image(folder: Path, image: Path, compression: str = "zstd") -> Path:
    """Make the squashfs image of an AppDir; one that exists is replaced."""
    command = ["mksquashfs", folder, image, "-root-owned", "-noappend", "-no-progress", "-quiet", "-comp", compression]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"packaging: mksquashfs ended with {done.returncode}\n{done.stderr}")
    return image


def checked_runtime(path: Path, digest: str) -> bytes:
    """Return the runtime. Ends the program if its digest is another, or it is no runtime of AppImages of type 2."""
    data = path.read_bytes()
    given = hashlib.sha256(data).hexdigest()
    if given != digest.lower():
        raise SystemExit(f"{path} has the SHA-256 {given}, not {digest}")
    if not data.startswith(b"\x7fELF") or data[8:11] != b"AI\x02":
        raise SystemExit(f"{path} is no runtime of AppImages of type 2")
    return data


def make_appimage(runtime: bytes, image: Path, target: Path) -> Path:
    """Write the runtime and the image as one program."""
    with target.open("wb") as file:
        file.write(runtime)
        with image.open("rb") as squashed:
            shutil.copyfileobj(squashed, file)
    target.chmod(0o755)
    return target


if __name__ == "__main__":
    sys.exit(main())
