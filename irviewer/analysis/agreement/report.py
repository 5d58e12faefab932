"""The result of the public function about judges: agreement on grades, and the systems under each judge."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.analysis.agreement.confusion import Confusion, confusion
from irviewer.analysis.agreement.judge_agreement import JudgeAgreement, PairAgreement
from irviewer.analysis.agreement.systems_by_judge import SystemsByJudge
from irviewer.model.exported import Exported


@dataclass(frozen=True, eq=False, repr=False)
class AgreementReport(Exported):
    """Agreement of judges.

    grades    agreement on grades, every judge with every other
    systems   the systems under each judge; None without runs
    """

    grades: JudgeAgreement
    systems: SystemsByJudge | None

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges' names."""
        return self.grades.names

    def pair(self, first: str, second: str) -> PairAgreement:
        """Return every coefficient of two judges with its interval."""
        return self.grades.pair(first, second)

    def confusion(self, first: str, second: str) -> Confusion:
        """Return the confusion table of two judges, with the documents of each cell."""
        return confusion(self.grades.panel, first, second, self.grades.options.level)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the values."""
        return (*self.grades.notes, *(() if self.systems is None else self.systems.notes))
