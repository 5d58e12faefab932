"""Results of promptfoo: answers that are one text, with the scores of its assertions kept beside ours.

The file is that of ``promptfoo eval -o results.json`` or ``.jsonl``: an object whose ``results.results`` has an item
for each test, prompt and provider, or a line for each. A test is a topic, a provider with its prompt a system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.answers.building import Answer, Builder, reference_index
from irviewer.formats.answers.loaded import loaded_system
from irviewer.formats.answers.records import (
    Issues,
    first_system,
    left_out,
    records_of,
    several,
    text_of,
    topic_text,
    with_topics,
)
from irviewer.formats.answers.services import documents_in, first_text, scores_of
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.json.mapped import head_values
from irviewer.formats.json_paths import found, parse_path
from irviewer.formats.reading.json_file import parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.prose import first_number
from irviewer.translation import tr

TITLE = tr("results of promptfoo")
RESULTS = "results.results[]"
_MARKS = ("vars", "provider", "success")
_IDS = ("topic_id", "query_id", "qid", "question_id", "id")
_QUESTIONS = ("question", "query", "input", "prompt", "text", "message")
_CONTEXTS = ("context", "contexts", "documents", "retrieved_contexts")
_OUTPUTS = ("answer", "output", "response", "text", "content")


def _is_result(value: Any) -> bool:
    return isinstance(value, dict) and all(mark in value for mark in _MARKS)


def _sniff(head: Head) -> Sniffed | None:
    if head.binary or head.opened.columns:
        return None
    for value in head_values(head)[:1]:
        inside = any(_is_result(each.value) for each in found(value, parse_path(RESULTS)))
        if inside or (_is_result(value) and "testIdx" in value):
            return Sniffed("run", tr("tests with vars, provider and success"), certain=True)
    return None


def _results(opened: Opened, issues: Issues) -> list[tuple[int, dict[str, Any]]]:
    """Return the results with their lines, 0 in a file that is one object; what is none is left out. Raises
    ParseError."""
    begun = head_values(Head(opened))[:1]
    if begun and isinstance(begun[0], dict) and not _is_result(begun[0]):
        records = [(0, each.value) for each in found(parse_json(opened), parse_path(RESULTS))]
    else:
        records = list(records_of(opened, issues))
    kept = []
    for line, record in records:
        if _is_result(record):
            kept.append((line, record))
        else:
            issues.add("skipped", line)
    return kept


def _provider(result: dict[str, Any]) -> str:
    """Return the label of the provider, else its id."""
    provider = result["provider"]
    if not isinstance(provider, dict):
        return text_of(provider)
    return text_of(provider.get("label")) or text_of(provider.get("id"))


def _systems(results: Sequence[dict[str, Any]]) -> list[str]:
    """Return the system of each result: the provider, with a number where it has several prompts."""
    prompts: dict[str, list[Any]] = {}
    for result in results:
        own = prompts.setdefault(_provider(result), [])
        if _prompt(result) not in own:
            own.append(_prompt(result))
    names = []
    for result in results:
        own = prompts[_provider(result)]
        place = f" #{own.index(_prompt(result)) + 1}" if len(own) > 1 else ""
        names.append(f"{_provider(result)}{place}")
    return names


def _prompt(result: dict[str, Any]) -> Any:
    return result.get("promptIdx", result.get("promptId"))


def _question(result: dict[str, Any]) -> str:
    """Return the variable that is the question: by its name, else the only one that is a text."""
    values = result["vars"] if isinstance(result["vars"], dict) else {}
    named = next((values[name] for name in _QUESTIONS if isinstance(values.get(name), str)), "")
    texts = [value for value in values.values() if isinstance(value, str)]
    return named or (texts[0] if len(texts) == 1 else "")


def _topic(result: dict[str, Any]) -> str:
    values = result["vars"] if isinstance(result["vars"], dict) else {}
    known = next((topic_text(values[name]) for name in _IDS if values.get(name) not in (None, "")), "")
    return known or text_of(result.get("testIdx")) or _question(result).strip()


def _output(result: dict[str, Any]) -> str:
    response = result.get("response")
    output = response.get("output") if isinstance(response, dict) else response
    return first_text(output, _OUTPUTS) if isinstance(output, dict) else text_of(output)


def _documents(result: dict[str, Any], issues: Issues, line: int) -> list[str]:
    values = result["vars"] if isinstance(result["vars"], dict) else {}
    context: Any = next((values[name] for name in _CONTEXTS if isinstance(values.get(name), str | list)), [])
    if isinstance(context, str):
        context = [context] if context.strip() else []
    return documents_in(context, issues, line)


def _scores(result: dict[str, Any]) -> dict[str, Any]:
    """Return the numbers of a result: its score, 1 where it passed, and its named scores of other names."""
    named = result.get("namedScores")
    passed = result["success"]
    own = {"score": result.get("score"), "pass": float(passed) if isinstance(passed, bool) else None}
    return {**own, **(named if isinstance(named, dict) else {}), **own}


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    issues = Issues()
    results = _results(opened, issues)
    if not results:
        raise ParseError(opened.path, tr("the file has no answers"))
    names = _systems([result for _, result in results])
    systems = list(dict.fromkeys(names))
    system = first_system(systems, wanted.part, opened)
    builder = Builder(opened, system, wanted.duplicates, issues)
    own = [each for each, name in zip(results, names, strict=True) if name == system]
    own = with_topics(
        opened, issues, own, lambda each: _topic(each[1]), lambda each: each[0], tr("the record has no topic")
    )
    base = first_number(_output(result) for _, result in own)
    scores = []
    for line, result in own:
        topic, ids = _topic(result), _documents(result, issues, line)
        sentences = builder.prose(_output(result), ids, base, line)
        if not sentences:
            issues.add("no sentence", line)
        if len(reference_index(ids)) < len(ids):
            issues.add("same reference", line)
        builder.add(Answer(topic, _question(result), ids, sentences, line=line, prose=True))
        scores.append((topic, _scores(result)))
    answered = Answered(system, answers=builder.built(), foreign=scores_of("promptfoo", frozenset(), scores))
    notes = [*several(systems, system, wanted.part), *left_out(issues), *builder.findings()]
    return loaded_system(opened, wanted, answered, TITLE, notes)


FORMAT = Format("promptfoo", TITLE, ("run",), _sniff, _read)
