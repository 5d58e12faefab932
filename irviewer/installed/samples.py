"""Which of the sample collections are installed. Cranfield is in the source only, as its texts state no licence."""

from __future__ import annotations

from irviewer.installed.parts import MissingPartError
from irviewer.paths import resource
from irviewer.translation import tr

SAMPLES = ("fables", "cranfield", "trec")
"""The ids of all samples, that is the names of their folders; the default is the first."""

IN_SOURCE_ONLY = "cranfield"


def installed_samples() -> tuple[str, ...]:
    """Return the ids of the samples that are there, the default first."""
    folder = resource("samples")
    return tuple(name for name in SAMPLES if (folder / name).is_dir())


def require_sample(name: str) -> None:
    """Raise MissingPartError for the sample that no package has, unless its files are there. Other names are not
    looked up."""
    if name.casefold() == IN_SOURCE_ONLY and IN_SOURCE_ONLY not in installed_samples():
        raise MissingPartError(
            tr(
                "Cranfield is in no package of irviewer, as its texts state no licence. The source has it, "
                "https://github.com/irviewer/irviewer, in resources/samples/cranfield: open that folder."
            )
        )
