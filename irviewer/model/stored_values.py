"""Values of a run that were computed before, in place of its documents: a baseline of last month need not be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats
from irviewer.translation import tr


class Lists(Protocol):
    """The lists of a run that is too large to be open as a whole."""

    def read(self, query: str) -> Any:
        """Return the Run of one query. Called on any thread. Raises ParseError if it cannot be read any more."""
        ...


@dataclass(frozen=True, eq=False)
class StoredValues:
    """The values of one run by query.

    path       the file
    run        the name of the run in the file
    query_ids  the E evaluated queries, in bytewise order
    values     the text of a bound measure -> float64[E]
    measures   the measures as they were asked for
    rules      the rules of the evaluation by the names of the protocol's fields
    judgments  the digest of the judgments, ``qrels`` their name, ``max_grade`` their highest grade
    unmatched  the fields of an Unmatched, if no document of the run was judged: the values mean nothing
    cautions   the warnings, of a file of earlier versions also those about the shares of judged documents
    judged     of the documents among the top: how many are judged, how many there are, how many could be judged; None
               where it is not known
    nonrelevant  whether the judgments name documents that are not relevant, so that these numbers compare runs
    lacking    the text of a bound measure without values -> what it read and the run lacked
    about      the "protocol" as a line, the "version" of the program, and "created", the time
    fields     the fields of documents that measures read, each with the digest of its values
    lists      where the lists are, if the values are those of a run that is read in blocks; None: nobody knows
    """

    path: str
    run: str
    query_ids: tuple[str, ...]
    values: Mapping[str, Floats]
    measures: tuple[str, ...]
    rules: Mapping[str, Any]
    judgments: str
    qrels: str = ""
    max_grade: float = 0.0
    unmatched: Mapping[str, Any] | None = None
    cautions: tuple[str, ...] = ()
    judged: tuple[int, int, int] | None = None
    nonrelevant: bool = False
    about: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    lists: Lists | None = field(default=None, repr=False)
    lacking: Mapping[str, str] = field(default_factory=dict)

    def refusal(
        self, rules: Mapping[str, Any], judgments: str, fields: Mapping[str, str] | None = None
    ) -> OptionError | None:
        """Return the error of what asks for values by other rules, which names the field, with other judgments, or with
        other fields of documents (given with their digests); None for those that the values were computed by."""
        for name, value in rules.items():
            if self.rules.get(name) != value:
                return OptionError(
                    tr(
                        "{file}: the values were computed with {field} {stored}, not {wanted}; evaluate the run again, "
                        "or declare the same",
                        file=self.path, field=name, stored=_said(self.rules.get(name)), wanted=_said(value),
                    )
                )  # fmt: skip
        if self.judgments != judgments:
            return OptionError(
                tr("{file}: the values were computed with other judgments ({qrels}); evaluate the run again",
                   file=self.path, qrels=self.qrels)
            )  # fmt: skip
        for name, digest in (fields or {}).items():
            if self.fields.get(name, digest) != digest:
                return OptionError(
                    tr("{file}: the values were computed with other values of the documents' field {field!r}; evaluate "
                       "the run again", file=self.path, field=name)
                )  # fmt: skip
        return None

    def check(self, rules: Mapping[str, Any], judgments: str, fields: Mapping[str, str] | None = None) -> None:
        """Raise the error of :meth:`refusal`, if there is one."""
        error = self.refusal(rules, judgments, fields)
        if error is not None:
            raise error

    def of(self, measure: str) -> Floats:
        """Return the values of a bound measure, float64[E]. Raises OptionError without them."""
        values = self.values.get(measure)
        if values is None:
            known = ", ".join(self.values)
            text = tr("{file}: there are no values of {measure}; there are those of {known}",
                      file=self.path, measure=measure, known=known)  # fmt: skip
            raise OptionError(text)
        return values

    def refuse(self, run: str) -> OptionError:
        """Return the error of what needs the documents."""
        return OptionError(
            tr("run {run} is stored values ({file}), and this needs its documents; give the run itself",
               run=run, file=self.path)
        )  # fmt: skip


def _said(value: object) -> str:
    return "–" if value is None else str(value)
