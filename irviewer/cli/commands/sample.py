"""``irviewer sample``: write the files of a bundled collection into a folder."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from irviewer.cli.options.samples import sample_name
from irviewer.errors import OptionError
from irviewer.installed.samples import SAMPLES, installed_samples
from irviewer.paths import resource
from irviewer.translation import tr


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = tr(
        "Write qrels, runs, queries and documents of a bundled collection into a folder, to try the commands on: "
        "fables of Aesop with six runs, or the test files of trec_eval. A checkout has the Cranfield collection too. "
        "The window opens them with --sample."
    )
    parser.add_argument(
        "sample",
        nargs="?",
        type=sample_name,
        choices=installed_samples(),
        default=SAMPLES[0],
        metavar="SAMPLE",
        help=tr("fables (default) or trec; a checkout has cranfield too"),
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FOLDER",
        help=tr("new folder (default: the name of the collection)"),
    )


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer sample``. Raises OptionError if the folder exists."""
    folder = Path(options.output or options.sample)
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise OptionError(tr("{folder} exists; name another folder with -o", folder=folder)) from None
    shutil.copytree(resource(f"samples/{options.sample}"), folder, dirs_exist_ok=True, copy_function=shutil.copyfile)
    print(tr("{folder}: {files}", folder=folder, files=" ".join(sorted(file.name for file in folder.iterdir()))))
    return 0
