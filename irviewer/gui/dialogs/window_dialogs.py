"""All dialogs of the window, by subject: ``dialogs.runs.rename()``. They are modeless, and one is open at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.gui.dialogs.documents.document_dialogs import DocumentDialogs
from irviewer.gui.dialogs.failure_dialogs import FailureDialogs
from irviewer.gui.dialogs.files.projects import ProjectDialogs
from irviewer.gui.dialogs.files.questions import FileDialogs
from irviewer.gui.dialogs.files.saving import SavingDialogs
from irviewer.gui.dialogs.help_dialogs import HelpDialogs
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.judging.judges import JudgeDialogs
from irviewer.gui.dialogs.judging.judging_dialogs import JudgingDialogs
from irviewer.gui.dialogs.measures.measure_dialogs import MeasureDialogs
from irviewer.gui.dialogs.navigation_dialogs import NavigationDialogs
from irviewer.gui.dialogs.note import NoteDialogs
from irviewer.gui.dialogs.protocol.protocol_dialogs import ProtocolDialogs
from irviewer.gui.dialogs.runs.editing import EditingDialogs
from irviewer.gui.dialogs.runs.questions import RunDialogs
from irviewer.gui.dialogs.set_dialogs import SetDialogs
from irviewer.gui.dialogs.statistics_dialogs import StatisticsDialogs
from irviewer.gui.dialogs.teaching_dialogs import TeachingDialogs
from irviewer.gui.dialogs.window_actions import WindowActions
from irviewer.gui.theme import Theme

if TYPE_CHECKING:
    from irviewer.session.session import Session


class WindowDialogs:
    """Groups the dialogs by subject. Made with the window; each method opens one dialog."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self.window = WindowActions(session, theme, host)
        self.navigation = NavigationDialogs(session, theme, host)
        self.files = FileDialogs(session, theme, host)
        self.saving = SavingDialogs(session, theme, host)
        self.projects = ProjectDialogs(session, theme, host)
        self.runs = RunDialogs(session, theme, host)
        self.editing = EditingDialogs(session, theme, host)
        self.sets = SetDialogs(session, theme, host)
        self.documents = DocumentDialogs(session, theme, host)
        self.notes = NoteDialogs(session, theme, host)
        self.judges = JudgeDialogs(session, theme, host)
        self.judging = JudgingDialogs(session, theme, host)
        self.failures = FailureDialogs(session, theme, host)
        self.measures = MeasureDialogs(session, theme, host)
        self.statistics = StatisticsDialogs(session, theme, host)
        self.protocol = ProtocolDialogs(session, theme, host)
        self.teaching = TeachingDialogs(session, theme, host)
        self.help = HelpDialogs(theme, host)
