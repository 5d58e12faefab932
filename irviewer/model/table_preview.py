"""The first rows of a table, and what its columns may hold. Knows names and cells, no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irviewer.model.column_names import ALL_ROLES, TEXT_ROLES, first_of, plain_name

OF_ANSWERS = ("answer", "references", "question")
"""The roles of tables with an answer in each row."""
OF_SENTENCES, OF_NUGGETS = ("sentence", "cited", "support"), ("nugget", "importance", "assignment")
"""The roles of tables with a sentence, and with a nugget or its label, in each row; the first one tells them."""
ROLES = (
    "query", "document", "score", "rank", "grade", "text", "title", "tag", "subtopic", *OF_ANSWERS, *OF_SENTENCES,
    *OF_NUGGETS,
)  # fmt: skip
"""The roles that a column can be given; each at most once."""


@dataclass(frozen=True)
class TablePreview:
    """The header and the first rows of a table.

    names  of the columns
    rows   cells as texts, of each row one for each column
    """

    path: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def suggestion(self) -> dict[str, str]:
        """Role -> column, for the roles whose column has a name that says so, or contains a word that does. Answers are
        suggested where references stand beside them: data sets of questions have answers, too."""
        named = {role: first_of(self.names, ALL_ROLES[role]) for role in OF_ANSWERS}
        roles = {role: name for role, name in named.items() if name}
        if not {"answer", "references"} <= roles.keys():
            roles = {}
        for part in (OF_SENTENCES, OF_NUGGETS):
            own = {role: name for role in part if (name := first_of(self.names, ALL_ROLES[role]))}
            roles |= own if part[0] in own and not roles else {}
        for role in ROLES:
            if role in (*OF_ANSWERS, *OF_SENTENCES, *OF_NUGGETS):
                continue
            free = [name for name in self.names if name not in roles.values()]
            column = first_of(free, ALL_ROLES[role]) or _containing(free, ALL_ROLES[role][:8])
            if column:
                roles[role] = column
        return roles


def _containing(names: Sequence[str], words: Sequence[str]) -> str:
    """Return the first column whose name contains one of the words, without their "id", of at least three letters."""
    stems = [stem for word in words if len(stem := word.removesuffix("id")) > 2]
    return next((name for stem in stems for name in names if stem in plain_name(name)), "")


def kind_of(roles: Mapping[str, str]) -> str:
    """Return the contents that columns of these roles can be: "run", "qrels", "queries", "documents", or "" if
    something is missing. Answers and their labels are runs, nuggets alone are qrels."""
    for part in (OF_SENTENCES, OF_NUGGETS):
        if {*part} & roles.keys():
            is_whole = part[0] in roles and "query" in roles and not roles.keys() - {*part, "query", "question", "tag"}
            return "" if not is_whole else "qrels" if "nugget" in roles and "assignment" not in roles else "run"
    if "answer" in roles:
        return (
            ""
            if {"document", "score", "rank", "grade", "text"} & roles.keys()
            or not ({"query", "question"} & roles.keys())
            else "run"
        )
    if {"references", "question"} & roles.keys():
        return ""
    if TEXT_ROLES.keys() & roles.keys() and not {"score", "rank", "grade"} & roles.keys():
        kinds = [kind for role, kind in (("query", "queries"), ("document", "documents")) if role in roles]
        return kinds[0] if len(kinds) == 1 else ""
    if roles.keys() == {"document"}:  # the other columns are fields; a path has rankings, not a table
        return "" if _is_by_place(roles["document"]) else "documents"
    if not {"query", "document"} <= roles.keys():
        return ""
    if "grade" in roles and not {"score", "rank"} & roles.keys():
        return "qrels"
    return "run" if {"score", "rank"} & roles.keys() or _is_by_place(roles["document"]) else ""


def _is_by_place(path: str) -> bool:
    """Return True for a path into JSON whose documents are in their order."""
    return "[]" in path or "*" in path
