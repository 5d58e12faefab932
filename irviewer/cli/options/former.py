"""Options of former versions: each ends the command with one line that says what to use now."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from irviewer.errors import OptionError
from irviewer.translation import tr


def add_former(parser: argparse.ArgumentParser, option: str, now: str) -> None:
    """Refuse an option that is gone with one line that says what to use; ``now`` is a name or a phrase."""
    parser.add_argument(
        option, dest=argparse.SUPPRESS, nargs="?", action=_Renamed, help=argparse.SUPPRESS, const=now
    )  # fmt: skip


class _Renamed(argparse.Action):
    """Ends the command with what an old option is called now."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        raise OptionError(
            tr("there is no {option} any more; use {options}", option=self.option_strings[0], options=self.const)
        )


class Once(argparse.Action):
    """Stores the value of ``--test``, which could once be given several times: the second time ends the command."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if self.dest in namespace:
            raise OptionError(tr("one --test decides; use --also-test for the others"))
        setattr(namespace, self.dest, values)
