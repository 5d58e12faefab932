"""What is said before Qt would abort."""

from __future__ import annotations

import subprocess
import sys

import pytest
from patience import LONG_PROCESS

from irviewer.gui import platform_check


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, "offscreen"),
        ({"QT_QPA_PLATFORM": "offscreen:x=1"}, "offscreen"),
        ({"QT_QPA_PLATFORM": "wayland;xcb"}, "wayland"),
        ({"DISPLAY": ":0"}, "xcb"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "XDG_SESSION_TYPE": "wayland"}, "wayland"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "wayland"),
        ({"DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"}, "xcb"),
        ({}, ""),
    ],
)
def test_platform_is_found_as_qt_finds_it(environ: dict[str, str], expected: str) -> None:
    assert platform_check.platform(environ) == expected


def test_missing_libraries_are_named_by_package_each_once() -> None:
    names = {"libnot-there.so.1": "libnot1", "libnot-there-either.so.2": "libnot1", "libc.so.6": "libc6"}
    assert platform_check.missing_packages(names) == ["libnot1"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux is checked")
class TestCheckSystem:
    def test_a_missing_library_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(platform_check, "XCB", {"libnot-there.so.1": "libxcb-cursor0"})
        with pytest.raises(platform_check.MachineError, match="apt-get install libxcb-cursor0"):
            platform_check.check_system({"DISPLAY": ":0"})

    def test_offscreen_does_not_ask_for_a_display(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(platform_check, "XCB", {"libnot-there.so.1": "libxcb-cursor0"})
        platform_check.check_system({"QT_QPA_PLATFORM": "offscreen"})

    def test_no_display_points_at_screenshot(self) -> None:
        with pytest.raises(platform_check.MachineError, match=r"no display.*--screenshot"):
            platform_check.check_system({})

    def test_a_display_that_does_not_answer_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            platform_check, "XCB", {}
        )  # a machine that runs the tests need not have what a window needs
        monkeypatch.setenv("DISPLAY", ":987")
        with pytest.raises(platform_check.MachineError, match=":987 does not answer"):
            platform_check.check_system({"DISPLAY": ":987"})


def test_asking_imports_no_qt() -> None:
    code = (
        "import sys; import irviewer.gui.launch, irviewer.gui.platform_check; "
        "assert not any(name.startswith(('PySide6', 'shiboken6', 'numpy')) for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=LONG_PROCESS)
