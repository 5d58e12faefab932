"""The kinds of files that desktops open with the program, for the recipes of all systems.

resources/desktop/irviewer.xml describes them once more, for Linux; a test compares both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

IDENTIFIER = "org.irviewer.irviewer"


@dataclass(frozen=True)
class DocumentType:
    """A kind of file.

    suffix    the end of its name, without the dot
    title     what people call it
    mime      its type on Linux
    identifier its uniform type identifier on macOS
    parent    the wider type on macOS
    own       whether it is the program's own format; the others belong to many programs
    has_extension   whether the suffix is what macOS and Windows know a kind by, the end after the last dot
    """

    suffix: str
    title: str
    mime: str
    identifier: str
    parent: str
    own: bool = False

    @property
    def has_extension(self) -> bool:
        return "." not in self.suffix


TYPES = (
    DocumentType(
        "irviewer",
        "irviewer project",
        "application/x-irviewer-project",
        f"{IDENTIFIER}.project",
        "public.json",
        own=True,
    ),
    DocumentType("run", "Retrieval run", "text/x-trec-run", f"{IDENTIFIER}.trec-run", "public.plain-text"),
    DocumentType("qrels", "Relevance judgments", "text/x-trec-qrels", f"{IDENTIFIER}.trec-qrels", "public.plain-text"),
    DocumentType(
        "lesson.md", "irviewer lesson", "text/x-irviewer-lesson", f"{IDENTIFIER}.lesson", "net.daringfireball.markdown"
    ),
)


def property_list(version: str) -> dict[str, Any]:
    """Return the entries of Info.plist on macOS, besides those that PyInstaller writes itself."""
    return {
        "CFBundleDisplayName": "irviewer",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "The irviewer authors; MIT licence",
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": kind.title,
                "CFBundleTypeRole": "Editor" if kind.own else "Viewer",
                # Runs and qrels are plain text, which stays with the editor of those who chose one.
                "LSHandlerRank": "Owner" if kind.own else "Alternate",
                "LSItemContentTypes": [kind.identifier],
            }
            for kind in TYPES
            if kind.has_extension
        ],
        # Own types are exported; types that no program owns are imported, so that another program may define them.
        "UTExportedTypeDeclarations": [_declaration(kind) for kind in TYPES if kind.own],
        "UTImportedTypeDeclarations": [_declaration(kind) for kind in TYPES if not kind.own and kind.has_extension],
    }


def _declaration(kind: DocumentType) -> dict[str, Any]:
    return {
        "UTTypeIdentifier": kind.identifier,
        "UTTypeDescription": kind.title,
        "UTTypeConformsTo": [kind.parent],
        "UTTypeTagSpecification": {"public.filename-extension": [kind.suffix], "public.mime-type": [kind.mime]},
    }
