"""Make the installer of Windows from the folder that build.py made there:

    python3 packaging/msi.py [--bundle dist/irviewer] [--output dist]

It installs for one user, without the rights of an administrator. Only .irviewer belongs to the program; .run and .qrels
get an entry in "Open with", and stay with the program that has them. Needs wixl, which builds on Linux what WiX builds
on Windows; on Debian and Ubuntu: sudo apt-get install wixl."""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path
from uuid import UUID, uuid5

from document_types import TYPES
from versions import ROOT, version

UPGRADE_CODE = "{6C5F6C0B-52C5-4B5E-9C0E-0C7D2C1A9E41}"
"""What Windows knows all versions of the program by; it never changes."""
WINDOW, ICON = "irviewerw.exe", "irviewer.ico"
NEEDED = (WINDOW, "irviewer.exe", ICON, "LICENSE")
KEY = r"Software\irviewer\Installed"
"""Of the user's registry: a value for each folder, since the files of one user are no sign that a part is installed."""
NEWER = "A newer version of irviewer is installed. Remove it first, in the settings of Windows under Apps."


def main() -> int:
    """Write the installer, and print its path."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--bundle", type=Path, default=ROOT / "dist" / "irviewer", help="the folder of the bundle")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="a folder (default: dist)")
    parser.add_argument("--version", default="", help="the version (default: that of the checkout)")
    options = parser.parse_args()
    if shutil.which("wixl") is None:
        print("The installer needs wixl; on Debian and Ubuntu: sudo apt-get install wixl", file=sys.stderr)
        return 2
    of_version = options.version or version()
    options.output.mkdir(parents=True, exist_ok=True)
    target = options.output.resolve() / f"irviewer-{of_version}.msi"
    with tempfile.TemporaryDirectory() as work:
        source = Path(work) / "irviewer.wxs"
        source.write_bytes(ET.tostring(described(options.bundle.resolve(), of_version), "utf-8", xml_declaration=True))
        done = subprocess.run(["wixl", "--arch", "x64", "--output", target, source], cwd=options.bundle, check=False)
    if done.returncode:
        raise SystemExit(f"packaging: wixl ended with {done.returncode}")
    print(target)
    return 0


def described(bundle: Path, of_version: str) -> ET.Element:
    """Return the source of the installer, as WiX 3 and wixl read it.

    A folder is a component, with its files and the order to remove it; what the registry and the menu get is another.

    Raises:
        SystemExit: the folder is no bundle of Windows.
    """
    missing = [name for name in NEEDED if not (bundle / name).is_file()]
    if missing:
        raise SystemExit(f"{bundle} has no {', '.join(missing)}: first run packaging/build.py on Windows")
    wix = ET.Element("Wix", xmlns="http://schemas.microsoft.com/wix/2006/wi")
    product = ET.SubElement(
        wix, "Product", Id=product_code(of_version), UpgradeCode=UPGRADE_CODE, Name="irviewer", Language="1033",
        Version=numbers(of_version), Manufacturer="The irviewer authors",
    )  # fmt: skip
    ET.SubElement(
        product, "Package", InstallerVersion="500", Compressed="yes", InstallScope="perUser",
        Description="The debugger for rankings", Comments=f"irviewer {of_version}",
    )  # fmt: skip
    _replace_older(product, of_version)
    ET.SubElement(product, "Media", Id="1", Cabinet="irviewer.cab", EmbedCab="yes")
    ET.SubElement(product, "Icon", Id=ICON, SourceFile=ICON)
    for name, value in (
        ("ARPPRODUCTICON", ICON),
        ("ARPURLINFOABOUT", "https://github.com/irviewer/irviewer"),
        ("ARPNOMODIFY", "1"),
    ):
        ET.SubElement(product, "Property", Id=name, Value=value)
    top = ET.SubElement(product, "Directory", Id="TARGETDIR", Name="SourceDir")
    local = ET.SubElement(top, "Directory", Id="LocalAppDataFolder")
    programs = ET.SubElement(local, "Directory", Id="Programs", Name="Programs")
    installed = ET.SubElement(programs, "Directory", Id="INSTALLFOLDER", Name="irviewer")
    _put_files(installed, bundle, bundle)
    menu = ET.SubElement(top, "Directory", Id="ProgramMenuFolder")
    _register(_component(menu, "menu", "menu"))
    feature = ET.SubElement(product, "Feature", Id="all", Title="irviewer", Level="1")
    for component in top.iter("Component"):
        ET.SubElement(feature, "ComponentRef", Id=component.attrib["Id"])
    return wix


def numbers(of_version: str) -> str:
    """Return the three numbers of a version, all that Windows compares: 1.2.3 for 1.2.3rc1."""
    return ".".join(re.findall(r"\d+", of_version)[:3])


def product_code(of_version: str) -> str:
    """Return what Windows knows one version by, the same whenever it is built."""
    return _identity(f"version {of_version}")


def _replace_older(product: ET.Element, of_version: str) -> None:
    """Remove what is installed of the same or an older version, all of it, before anything is copied.

    The same numbers too: a candidate goes before its release. A newer version stays, and ends the installation.
    The bounds are below the next numbers, since wixl leaves out IncludeMaximum."""
    major, minor, patch = map(int, numbers(of_version).split("."))
    upgrade = ET.SubElement(product, "Upgrade", Id=UPGRADE_CODE)
    following = f"{major}.{minor}.{patch + 1}"
    ET.SubElement(
        upgrade, "UpgradeVersion", Minimum="0.0.0", IncludeMinimum="yes", Maximum=following, IncludeMaximum="no",
        Property="OLDERFOUND",
    )  # fmt: skip
    ET.SubElement(
        upgrade, "UpgradeVersion", Minimum=following, IncludeMinimum="yes", OnlyDetect="yes", Property="NEWERFOUND"
    )
    ET.SubElement(product, "Condition", Message=NEWER).text = "NOT NEWERFOUND"
    order = ET.SubElement(product, "InstallExecuteSequence")
    ET.SubElement(order, "RemoveExistingProducts", After="InstallValidate")


def _put_files(parent: ET.Element, folder: Path, bundle: Path) -> None:
    """Write the component of a folder and, below, those of the folders in it."""
    place = folder.relative_to(bundle).as_posix()
    component = _component(parent, _id("c", place), f"folder {place}")
    entries = sorted(folder.iterdir())
    for path in entries:
        if path.is_file():
            name = path.relative_to(bundle).as_posix()
            ET.SubElement(component, "File", Id=_id("f", name), Name=path.name, Source=name)
    ET.SubElement(component, "RemoveFolder", Id=_id("r", place), On="uninstall")
    for path in entries:
        if path.is_dir():
            name = path.relative_to(bundle).as_posix()
            _put_files(ET.SubElement(parent, "Directory", Id=_id("d", name), Name=path.name), path, bundle)


def _register(component: ET.Element) -> None:
    """Write the menu's entry and the types of files."""
    ET.SubElement(
        component, "Shortcut", Id="menu", Name="irviewer", Target=f"[INSTALLFOLDER]{WINDOW}",
        WorkingDirectory="INSTALLFOLDER", Description="The debugger for rankings",
    )  # fmt: skip
    for kind in TYPES:
        if not kind.has_extension:
            continue
        name = "irviewer.project" if kind.own else f"irviewer.{kind.suffix}"
        _value(component, rf".{kind.suffix}\OpenWithProgids", "", name)
        if kind.own:
            _value(component, f".{kind.suffix}", name)
        _value(component, name, kind.title)
        _value(component, rf"{name}\DefaultIcon", f"[INSTALLFOLDER]{WINDOW},0")
        _value(component, rf"{name}\shell\open\command", f'"[INSTALLFOLDER]{WINDOW}" "%1"')


def _value(component: ET.Element, key: str, value: str, name: str | None = None) -> None:
    """Write a value below the user's classes; without a name it is the key's own."""
    named = {} if name is None else {"Name": name}
    ET.SubElement(
        component, "RegistryValue", Root="HKCU", Key=rf"Software\Classes\{key}", Type="string", Value=value, **named
    )


def _component(parent: ET.Element, identifier: str, meaning: str) -> ET.Element:
    component = ET.SubElement(parent, "Component", Id=identifier, Guid=_identity(meaning), Win64="yes")
    ET.SubElement(
        component, "RegistryValue", Root="HKCU", Key=KEY, Name=meaning, Type="integer", Value="1", KeyPath="yes"
    )
    return component


def _identity(meaning: str) -> str:
    return f"{{{str(uuid5(UUID(UPGRADE_CODE), meaning)).upper()}}}"


def _id(kind: str, place: str) -> str:
    """Return a name as tables of an installer allow it: letters and digits."""
    return f"{kind}{hashlib.sha256(place.encode()).hexdigest()[:24]}"


if __name__ == "__main__":
    sys.exit(main())
