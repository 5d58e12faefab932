"""Evaluation options, with trec_eval's defaults."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from irviewer.errors import OptionError
from irviewer.model.dialects import DEFAULT, DIALECTS, Dialect, dialect_of
from irviewer.model.document_lengths import Lengths
from irviewer.model.protocol import MissingPolicy, Rules
from irviewer.translation import tr


@dataclass(frozen=True)
class EvaluationOptions:
    """The options of an evaluation.

    level          the lowest grade that counts as relevant for binary measures (trec_eval -l)
    judged_only    remove unjudged documents from the run first (trec_eval -J)
    depth          the number of documents kept for each query after sorting (trec_eval -M); None keeps all
    missing        queries of the qrels that a run lacks: "zero" counts them as 0, "intersection" leaves them out; None
                   does what the dialect does
    lengths        the lengths of documents, for measures that need them; None: unknown
    dialect        a name of DIALECTS, or custom rules
    """

    level: float = 1
    judged_only: bool = False
    depth: int | None = None
    missing: MissingPolicy | None = None
    dialect: str | Dialect = DEFAULT
    lengths: Lengths | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and not 1 <= self.depth < 2**31:
            raise OptionError(
                tr("the depth is {depth}; it must be 1 or more and less than 2147483648", depth=self.depth)
            )
        if self.missing not in (None, "zero", "intersection"):
            raise OptionError(tr("missing queries: {value!r} is neither 'zero' nor 'intersection'", value=self.missing))
        if not isinstance(self.dialect, Dialect) and self.dialect not in DIALECTS:
            dialect_of(self.dialect)  # raises with the known names

    @cached_property
    def rules(self) -> Dialect:
        """The dialect's rules."""
        return dialect_of(self.dialect)

    @cached_property
    def with_unjudged(self) -> EvaluationOptions:
        """The options of the same evaluation with unjudged documents; the same object where it has them already."""
        return replace(self, judged_only=False) if self.judged_only else self

    @cached_property
    def on_every_query(self) -> EvaluationOptions:
        """The options with all queries of the qrels: views list those without a value too."""
        return replace(self, missing="zero", dialect=replace(self.rules, unanswerable="zero"))

    @cached_property
    def of_join(self) -> EvaluationOptions:
        """What a join with every query depends on of the options: neither the level nor the dialect, whose ties and
        negative grades are options of the join itself."""
        rules = replace(DIALECTS[DEFAULT], unanswerable="zero")
        return replace(self, missing="zero", level=1, dialect=rules)

    @property
    def missing_policy(self) -> MissingPolicy:
        """What happens to queries that a run lacks, by this option or the dialect. A dialect that refuses such runs
        counts them as 0 outside the command line."""
        if self.missing is not None:
            return self.missing
        return "intersection" if self.rules.missing == "intersection" else "zero"


def evaluation_options(rules: Rules, lengths: Lengths | None = None) -> EvaluationOptions:
    """Return the options of an evaluation by the rules of a protocol, with the lengths of documents, which are data."""
    return EvaluationOptions(rules.level, rules.judged_only, rules.depth, rules.missing, rules.dialect, lengths)
