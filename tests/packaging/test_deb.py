"""The Debian package: what desktops read is valid, and on a Debian with nothing installed it installs, works, opens the
files that are double-clicked, and goes without a trace."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from given import Given
from patience import LONG, LONG_PROCESS
from xserver import XServer, wait_until, x_server

from irviewer.session.session import Session
from irviewer.session.settings import Settings

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).parents[2]
DESKTOP = ROOT / "resources" / "desktop"
SUITE = "bookworm"
SAMPLE = "/usr/lib/irviewer/_internal/irviewer/resources/samples/fables"


def _run(*words: object, environment: dict[str, str] | None = None) -> str:
    command = [str(word) for word in words]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, timeout=LONG_PROCESS * 5
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def deb(bundle: Given, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, packed loosely to save time."""
    words = ("--bundle", bundle.program.parent, "--output", tmp_path_factory.mktemp("deb"), "--compression", "none")
    return Path(_run(sys.executable, ROOT / "packaging" / "deb.py", *words).splitlines()[-1])


def test_what_desktops_read_is_valid(tmp_path: Path) -> None:
    assert _run("desktop-file-validate", "--no-hints", DESKTOP / "irviewer.desktop") == ""
    _run("appstreamcli", "validate", "--no-net", DESKTOP / "org.irviewer.irviewer.metainfo.xml")
    (tmp_path / "mime" / "packages").mkdir(parents=True)
    shutil.copy(DESKTOP / "irviewer.xml", tmp_path / "mime" / "packages")
    _run("update-mime-database", "-V", tmp_path / "mime")
    assert "50:text/x-trec-run:*.run" in (tmp_path / "mime" / "globs2").read_text("utf-8")


def test_lintian_finds_no_errors(deb: Path) -> None:
    # This package is not compressed, to save time; the one that is given away is.
    plain = "uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball"
    output = _run("lintian", "--fail-on", "error", "--allow-root", "--suppress-tags", plain, deb)
    assert [line for line in output.splitlines() if line.startswith("E:")] == []


def test_nothing_of_cranfield_is_in_it(deb: Path) -> None:
    """Its texts state no licence: neither they nor a line of the copyright file are there."""
    names = _run("dpkg-deb", "--contents", deb)
    assert f"{SAMPLE}/qrels.txt" in names
    assert "cranfield" not in names.lower()
    copyright_ = _run("sh", "-c", f"dpkg-deb --fsys-tarfile {deb} | tar -xO ./usr/share/doc/irviewer/copyright")
    assert "License: CC0-1.0" in copyright_
    assert "cranfield" not in copyright_.lower()


class Debian:
    """A Debian of its own in a folder. Mounts are those of its own processes and end with them."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def command(self, script: str, **environment: str) -> list[str]:
        """What runs a shell script in it, with /proc, /dev and the X servers of this machine."""
        self.root.joinpath("tmp/.X11-unix").mkdir(exist_ok=True)
        known = {"HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", **environment}
        mounts = (
            f"mount -t proc proc {self.root}/proc && mount --bind /dev {self.root}/dev && "
            f'{{ [ ! -d /tmp/.X11-unix ] || mount --bind /tmp/.X11-unix {self.root}/tmp/.X11-unix; }} && exec "$@"'
        )
        settings = [f"{name}={value}" for name, value in {"DEBIAN_FRONTEND": "noninteractive", **known}.items()]
        inside = ["env", "-i", *settings, "chroot", str(self.root), "sh", "-ec", script]
        return ["unshare", "--mount", "sh", "-c", mounts, "sh", *inside]

    def run(self, script: str, **environment: str) -> str:
        """Standard output of a shell script."""
        return _run(*self.command(script, **environment))

    def install(self, *packages: str) -> None:
        """Install packages of its archive, or files."""
        self.run(f"apt-get install -y -qq --no-install-recommends {' '.join(packages)}")

    def files(self) -> set[str]:
        """Every path of it, but those that the system writes about itself."""
        own = ("proc", "dev", "sys", "tmp", "root", "run", "var/log", "var/cache", "var/lib/apt", "var/lib/dpkg")
        paths = _run("find", self.root, "-xdev", "-printf", "%P\\n").splitlines()
        return {path for path in paths if not path.startswith(own)}

    def processes(self) -> list[str]:
        """The commands of the processes that run in it, with what each thread waits for in the kernel."""
        roots = [link for link in Path("/proc").glob("[0-9]*/root") if _target(link) == str(self.root)]
        return [_described(link.parent) for link in roots]


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:  # it has ended meanwhile
        return ""


def _described(process: Path) -> str:
    try:
        words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        threads = [
            f"{(thread / 'comm').read_text().strip()}: {(thread / 'wchan').read_text()}"
            for thread in (process / "task").iterdir()
        ]
    except OSError:  # it has ended meanwhile
        return ""
    return f"{process.name} {words}({', '.join(threads)})"


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Debian:
    """A fresh Debian, with what a desktop has to open files."""
    if os.getuid() != 0:
        pytest.skip("debootstrap and chroot need the rights of root")
    if not shutil.which("debootstrap"):
        pytest.skip("needs debootstrap: see README, System packages")
    root = tmp_path_factory.mktemp("debian")
    _run("debootstrap", "--variant=minbase", SUITE, root)
    shutil.copy("/etc/resolv.conf", root / "etc")
    return Debian(root)


@pytest.fixture(scope="module")
def server() -> Iterator[XServer]:
    """An X server with a window manager."""
    with x_server() as running:
        yield running


def _open_by_double_click(debian: Debian, server: XServer) -> None:
    """The first file opens a window, the others open in it; a project replaces what is open."""
    files = debian.root / "tmp" / "files"
    files.mkdir()
    (files / "double.run").write_text("1 Q0 d1 1 2.0 bm25\n", encoding="utf-8")
    (files / "clicked.qrels").write_text("1 0 d1 1\n", encoding="utf-8")
    session = Session(Settings())
    session.files.open_files([str(files / "clicked.qrels")])
    session.autosave.save_project(str(files / "kept.irviewer"))
    session.close()
    desktop = {"DISPLAY": server.name, "XDG_CURRENT_DESKTOP": "GNOME", "XDG_SESSION_TYPE": "x11"}
    opening = subprocess.Popen(
        debian.command("xdg-open /tmp/files/double.run", **desktop),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    window = server.wait_for_window("double – irviewer", LONG_PROCESS)
    for name in ("clicked.qrels", "kept.irviewer"):
        debian.run(f"xdg-open /tmp/files/{name}", **desktop)
        title = f"{name.partition('.')[0]} – irviewer"
        wait_until(lambda title=title: server.title(window) == title, LONG_PROCESS, f"{name} to open in the window")  # type: ignore[misc]
        assert server.visible() == [window]
    server.close(window)
    try:
        wait_until(lambda: not debian.processes(), LONG, "the program to end")
    except AssertionError as late:
        raise AssertionError(f"{late}: {debian.processes()}, windows {server.visible()}") from late
    finally:
        opening.kill()  # else what is wrong here fails a later test, too
        status = opening.wait(LONG)
    assert status == 0
    assert list((debian.root / "tmp").glob("irviewer-*/*")) == []


def test_on_a_debian_with_nothing_installed(debian: Debian, deb: Path, server: XServer) -> None:
    shutil.copy(deb, debian.root / "tmp" / "irviewer.deb")
    depends = _run("dpkg-deb", "--field", deb, "Depends")
    debian.install(*(name.split()[0] for name in depends.split(",")))
    debian.install("xdg-utils", "libglib2.0-bin", "shared-mime-info", "desktop-file-utils", "hicolor-icon-theme")
    before = debian.files()

    debian.install("/tmp/irviewer.deb")
    assert debian.run("command -v python3 || true") == ""
    assert ".TH" in debian.run("zcat /usr/share/man/man1/irviewer-evaluate.1.gz")
    debian.run("bash -n /usr/share/bash-completion/completions/irviewer")
    assert debian.run("irviewer --version").startswith("irviewer ")
    output = debian.run(f"irviewer evaluate {SAMPLE}/qrels.txt {SAMPLE}/runs/bm25_plain.run.gz -m map -q --format trec")
    assert "map" in output
    debian.run("irviewer --sample --size 1280x800 --screenshot /tmp/window.png")
    assert (debian.root / "tmp" / "window.png").read_bytes().startswith(b"\x89PNG")

    _open_by_double_click(debian, server)

    debian.run("dpkg -P irviewer")
    assert debian.files() - before == set()
    assert "irviewer" not in debian.run("gio mime text/x-trec-run")
