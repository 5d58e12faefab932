"""The name of a bundled collection, as an argument."""

from __future__ import annotations

import argparse

from irviewer.errors import IrviewerError
from irviewer.installed.samples import require_sample


def sample_name(text: str) -> str:
    """Return the name of a sample, which argparse looks for among its choices. Raises ArgumentTypeError for the one
    that no package has, where it is not installed."""
    try:
        require_sample(text)
    except IrviewerError as error:
        raise argparse.ArgumentTypeError(str(error).rstrip(".")) from None
    return text
