"""The roles of the columns of a table with a header: query, document, score, rank, grade.

The known names are the same for CSV, TSV, Parquet, Arrow, JSON lines and data frames. Case and punctuation are
ignored."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from irviewer.errors import OptionError, name_some
from irviewer.translation import tr

QUERY = (
    "queryid", "qid", "topicid", "topic", "topicnumber", "topicno", "topicnum", "querynumber", "number", "queryno",
    "querytext", "query", "searchquery", "searchterm", "keyword", "q",
)  # fmt: skip
DOCUMENT = (
    "docno", "docid", "documentid", "documentnumber", "corpusid", "passageid", "pid", "did", "docnumber", "document",
    "doc", "itemid", "productid", "asin", "passage", "item", "product",
)  # fmt: skip
GRADE = (
    "relevance", "rel", "grade", "label", "rating", "judgment", "judgement", "qrel", "gain", "relevancelabel",
    "relevancegrade", "relevancescore", "relevant", "relevancerating", "relevancejudgment", "relevancejudgement",
    "relevancelevel", "relevancy", "judgmentvalue", "qrels", "relgrade", "gradedrelevance", "assessment", "esci",
)  # fmt: skip
SCORE = ("score", "sim", "similarity", "rsv", "prediction", "retrievalscore", "docscore", "value")
RANK = ("rank", "docposition", "position", "ranking", "rankposition")
TAG = ("tag", "runid", "run", "runtag", "runname", "system", "systemid", "snapshotname", "name")
NO_COMPONENTS = frozenset({"caseid", "teamid", "bookid", "snapshotid", "scorerid", "id", "index"})
"""Columns of numbers that are not score components: ids of tools, and row numbers."""
_UNNAMED = re.compile(r"Unnamed: \d+(?:\.\d+)?|__index_level_\d+__")
SUBTOPIC = ("iteration", "iter", "subtopic", "subtopicid", "intent", "intentid", "aspect", "q0")

JUDGE = (
    "judge", "judgeid", "judgename", "assessor", "assessorid", "assessorname", "annotator", "annotatorid",
    "annotatorname", "rater", "raterid", "ratername", "worker", "workerid",
)  # fmt: skip
"""Columns that name the judge of a grade: a table with several is several judgment sets."""
EXPLANATION = ("explanation", "rationale", "reasoning", "reason", "justification", "comment", "comments")
MODEL = ("model", "modelname", "modelid", "judgemodel", "llm")
CONFIDENCE = ("confidence", "confidencescore", "certainty")

STRATUM = ("stratum", "strata", "stratumid", "stratumname")
"""Columns that name the stratum of a document of sampled judgments."""

KNOWN = {
    "query": QUERY, "document": DOCUMENT, "score": SCORE, "rank": RANK, "grade": GRADE, "tag": TAG,
    "subtopic": SUBTOPIC, "judge": JUDGE, "stratum": STRATUM,
}  # fmt: skip
"""The names of the columns by role. PyTerrier's tables have the collection's id as ``docno`` beside a number of the
index as ``docid``: ``docno`` comes first."""


TEXT_ROLES = {"id": ("id",), "text": ("text", "body", "contents", "content"), "title": ("title",)}
"""The words for the columns of queries and documents, by role. In a table of texts the query or the document is the id
too."""

ANSWER_ROLES = {
    "sentence": ("sentence", "sentencetext"),
    "sentence_number": ("sentenceno", "sentenceid", "sentencenumber", "sentenceindex"),
    "cited": ("cited", "citedids", "citeddocuments", "citations", "citation", "citedid", "citeddocument"),
    "nugget": ("nugget", "nuggettext"),
    "importance": ("importance", "nuggetimportance"),
    "assignment": ("assignment",),
    "support": ("support", "supportlabel"),
    "reason": ("reasoning", "rationale"),
    "votes": ("votes",),
}
"""The names of the columns of tables of answers, nuggets, assignments and support, by role."""

PATH_ROLES = {"rows": ("rows", "records"), "distance": ("distance", "dist")}
"""Further roles of a mapping by paths (``formats.json.mapping``)."""

ANSWER_PATH_ROLES = {
    "answer": ("answer", "answertext", "response"), "question": ("question",),
    "references": ("references", "reference", "context", "contexts"),
}  # fmt: skip
"""Further roles of paths into records of answers (``formats.answers.mapped``)."""

ALL_ROLES = {**KNOWN, **TEXT_ROLES, **ANSWER_ROLES, **PATH_ROLES, **ANSWER_PATH_ROLES}

HEADER = tr("a header with {columns}")


def is_component(name: str) -> bool:
    """Return True for the name of a column whose numbers may be a score component: no row number, and no id of a
    tool."""
    return plain_name(name) not in NO_COMPONENTS and not is_unnamed(name)


def is_unnamed(name: str) -> bool:
    """Return True for a column that had no name in its file: row numbers, as pandas and R write them."""
    return _UNNAMED.fullmatch(name) is not None


def unnamed(place: int) -> Iterator[str]:
    """Yield names for the column without a name at ``place``, as pandas gives them: ``Unnamed: 0``, ``Unnamed: 0.1``
    and so on."""
    yield f"Unnamed: {place}"
    for number in count(1):
        yield f"Unnamed: {place}.{number}"


def reason_text(columns: Sequence[str], note: str = "", where: str = HEADER) -> str:
    """Return why a table is of its kind: the deciding columns in ``where``, a text with the placeholder ``{columns}``,
    and a further note."""
    text = where.format(columns=", ".join(columns))
    return f"{text}; {note}" if note else text


@dataclass(frozen=True)
class Roles:
    """The columns' names by role, "" without one. ``kind`` is "run" or "qrels"; ``deciding`` are the columns and
    ``note`` the further reason for it; ``guess``: it may well be the other kind. ``by_rank``: a run has no scores, and
    ``value`` is the rank, whatever the column's name. ``stratum`` is that of sampled judgments, where it was given or a
    document is not sampled (:func:`~irviewer.model.judgments.strata.strata_of`); ``stratum_given`` says which."""

    kind: str
    query: str
    document: str
    value: str
    rank: str = ""
    tag: str = ""
    subtopic: str = ""
    judge: str = ""
    stratum: str = ""
    stratum_given: bool = False
    deciding: tuple[str, ...] = ()
    note: str = ""
    guess: bool = False
    by_rank: bool = False

    @property
    def has_strata(self) -> bool:
        """Whether judgments may have strata."""
        return self.kind == "qrels" and bool(self.stratum)

    def reason(self, where: str = HEADER) -> str:
        """Return why the table is of this kind; ``where`` as in :func:`reason_text`."""
        return reason_text(self.deciding, self.note, where)


@dataclass(frozen=True)
class JudgingRoles:
    """The columns that say more of a judgment than its grade, "" without one. Without a column of judges, the model is
    the judge."""

    judge: str = ""
    explanation: str = ""
    model: str = ""
    confidence: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that there are."""
        return tuple(filter(None, (self.judge, self.explanation, self.model, self.confidence)))

    def __bool__(self) -> bool:
        return bool(self.names)


def judging_roles_of(names: Sequence[str], roles: Roles) -> JudgingRoles:
    """Return the columns of judges, explanations, models and confidence of qrels; none for a run."""
    if roles.kind != "qrels":
        return JudgingRoles()
    taken = (roles.query, roles.document, roles.value, roles.subtopic, roles.judge)
    others = [name for name in names if name not in taken]
    return JudgingRoles(roles.judge, *(first_of(others, known) for known in (EXPLANATION, MODEL, CONFIDENCE)))


class ColumnChoice:
    """The roles that the user gave to columns, for several tables, each of which may have only some of the columns.

    Columns found in a table are recorded, so that a column of no table can be refused (:meth:`check`). ``origin`` is
    the file that they were read from, or the text of the user."""

    def __init__(self, columns: Mapping[str, str] | None = None, origin: str = "") -> None:
        self.roles = given_roles(columns or {})
        self.origin = origin
        self._found: set[str] = set()
        self._seen: dict[str, None] = {}

    def __bool__(self) -> bool:
        return bool(self.roles)

    @property
    def names_texts(self) -> bool:
        """Whether columns of queries or documents are among them."""
        return bool(TEXT_ROLES.keys() & self.roles.keys())

    @property
    def is_found(self) -> bool:
        """Whether a table had one of the columns."""
        return bool(self._found)

    def within(self, names: Sequence[str]) -> dict[str, str]:
        """Return the columns that a table has by role."""
        self._seen |= dict.fromkeys(names)
        columns = {role: column for role, column in self.roles.items() if column in names}
        self._found |= set(columns.values())
        return columns

    def check(self, *, texts: bool = True) -> None:
        """Raise OptionError for a column that no table had; without ``texts``, as files of texts are still to be read,
        only for those of runs and qrels."""
        roles = {role: column for role, column in self.roles.items() if texts or role not in TEXT_ROLES}
        if not texts and self.names_texts:
            roles = {role: column for role, column in roles.items() if role not in ("query", "document")}
        missing = [column for column in roles.values() if column not in self._found]
        if missing:
            raise OptionError(
                tr(
                    "No table has a column {column!r}. The columns are: {names}.",
                    column=missing[0], names=name_some(list(self._seen), 20) or "–",
                )
            )  # fmt: skip


def given_roles(columns: Mapping[str, str], names: Sequence[str] | None = None) -> dict[str, str]:
    """Return the columns by role that the user gave (``{"doc": "chunk_id"}``); a role has the names of its columns.
    Raises OptionError for an unknown role, and for a column that is not one of ``names``."""
    roles = {}
    for word, column in columns.items():
        role = next((role for role, known in ALL_ROLES.items() if plain_name(word) in (*known, role)), None)
        if role is None:
            raise OptionError(
                tr(
                    "There is no column role {role!r}. Use query, doc, score, rank, relevance, tag, iteration, "
                    "stratum or judge; for queries and documents id, text or title.",
                    role=str(word),
                )
            )
        if names is not None and column not in names:
            raise OptionError(
                tr(
                    "There is no column {column!r} for {role}. The columns are: {names}.",
                    column=str(column), role=str(word), names=name_some(list(map(str, names)), 20),
                )
            )  # fmt: skip
        roles[role] = column
    return roles


def given_id(given: Mapping[str, str]) -> tuple[str, str]:
    """Return the column of ids that the user gave for texts, and the kind of texts that it tells ("" for none): a
    column of queries or of documents is the id too."""
    if "id" in given:
        return given["id"], ""
    if ("query" in given) == ("document" in given):
        return "", ""
    return (given["query"], "queries") if "query" in given else (given["document"], "documents")


def standard_names(
    given: Mapping[str, str], names: Sequence[str], identifier: str, usual: Callable[[str], str]
) -> dict[str, str]:
    """Return column -> its standard name for the text and the title that the user gave, and another name for columns
    whose ``usual`` name is one of these."""
    standard = {given[role]: role for role in ("text", "title") if role in given}
    for name in names:
        taken = usual(name) in standard.values() and name not in standard and name != identifier
        if taken:
            standard[name] = f"{name} (2)"
    return standard


def parse_columns(text: str) -> dict[str, str]:
    """Return role -> column of ``doc=chunk_id,query=question_id``, or of a JSON object, which also holds names with
    commas. Raises OptionError."""
    if text.lstrip().startswith("{"):
        try:
            columns = json.loads(text)
        except (ValueError, RecursionError):
            columns = None
        if not isinstance(columns, dict) or not all(isinstance(name, str) for name in columns.values()):
            raise OptionError(tr("{text!r} is not a JSON object of roles and columns", text=text[:80]))
        return {role: str(name) for role, name in columns.items()}
    pairs = [pair.partition("=") for pair in text.split(",")]
    wrong = next((f"{role}{sign}{column}" for role, sign, column in pairs if not role or not column), None)
    if wrong is not None:
        raise OptionError(tr("{text!r} is not ROLE=COLUMN, such as doc=chunk_id", text=wrong))
    return {role.strip(): column.strip() for role, _, column in pairs}


def columns_text(columns: Mapping[str, str]) -> str:
    """Return the text of such columns, for :func:`parse_columns`."""
    if any("," in name or name != name.strip() or name.startswith("{") for name in columns.values()):
        return json.dumps(dict(columns), ensure_ascii=False)
    return ",".join(f"{role}={name}" for role, name in columns.items())


def header_key(names: Sequence[str]) -> str:
    """Return a text that identifies a header, by which a choice of columns is remembered."""
    return json.dumps(list(names), ensure_ascii=False)


def roles_of(
    names: Sequence[str],
    is_whole: Callable[[str], bool],
    wanted: str | None = None,
    hint: str = "",
    given: Mapping[str, str] | None = None,
) -> Roles | None:
    """Return the roles of a table's columns; None if it is neither a run nor qrels.

    ``is_whole(name)`` is True for a column of whole numbers; ``wanted`` is the kind if it is known; ``hint``, "run" or
    "qrels", decides if the names leave it open; ``given`` role -> column overrides the names."""
    given = given or {}
    taken = set(given.values())

    def column(role: str, among: Sequence[str]) -> str:
        return given.get(role) or first_of([name for name in among if name not in taken], KNOWN[role])

    query = column("query", names)
    document = column("document", [name for name in names if name != query])
    others = [name for name in names if name not in (query, document)]
    score, rank, grade = (column(role, others) for role in ("score", "rank", "grade"))
    if not query or not document or not (score or rank or grade):
        return None
    tag, subtopic, judge, stratum = (column(role, others) for role in ("tag", "subtopic", "judge", "stratum"))
    run = Roles("run", query, document, score or rank, rank if score else "", tag, by_rank=not score)
    qrels = Roles("qrels", query, document, grade or score, subtopic=subtopic, judge=judge, stratum=stratum,
                  stratum_given="stratum" in given)  # fmt: skip

    def because(roles: Roles, last: str, note: str = "", guess: bool = False) -> Roles:
        return replace(roles, deciding=(query, document, last), note=note, guess=guess)

    if wanted:
        chosen = run if wanted == "run" else qrels
        return because(chosen, chosen.value) if chosen.value else None
    if not score and not grade:
        return because(run, rank)
    if grade and not score:
        return because(qrels, grade)
    if grade:
        return because(run, score, tr("use --kind qrels to read {column}", column=grade))
    if rank or tag:
        return replace(run, deciding=(query, document, score, rank or tag))
    if hint == "qrels":
        return because(qrels, score, tr("the file's name says qrels (a guess; --kind run overrides it)"), guess=True)
    if "score" in given:
        return because(run, score)
    if hint != "run" and is_whole(score):
        note = tr("{column} has whole numbers: grades (a guess; --kind run overrides it)", column=score)
        return because(qrels, score, note, guess=True)
    return because(run, score, tr("read as a run (a guess; --kind qrels overrides it)"), guess=True)


def plain_name(name: str) -> str:
    """Return a name without case and punctuation."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def first_of(names: Sequence[str], known: Sequence[str]) -> str:
    """Return the column whose name comes first among the known ones; "" if none is known."""
    columns = {plain_name(name): name for name in reversed(names)}
    return next((columns[known_name] for known_name in known if known_name in columns), "")
