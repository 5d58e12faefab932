"""A collection whose every text would like to be something else: markup, commands of a terminal, a turned line, a
format string, a path, nothing at all, a million characters. For the window: nothing of it may be more than text."""

from __future__ import annotations

import json
import os
from pathlib import Path

from odd_names import LONG_ID, UNSEEN

LONG = 1_000_000
"""Characters of the longest id."""


def hostile_ids(trap: Path) -> list[str]:
    """Ids without white space, as TREC's files hold them. ``trap`` is a file that nobody may open."""
    return [
        f"<img/src='{trap}'/>",
        f"<img/src='file://{trap}'>",
        "<b>bold</b>",
        "<!doctype/html><h1>big",
        "&lt;b&gt;&amp;",
        "a\u202eb\u2066c\u200fd",
        "\x1b[31mred\x1b[0m\x07\x08",
        "%s%n{0}{x!r}$HOME`id`",
        "../../../../etc/passwd",
        "=cmd|'/C'!A0",
        "&File",
        "文書-é-ß-\U0001f600",
        "x" * LONG,
        *UNSEEN,
        LONG_ID,
    ]


def hostile_files(folder: Path) -> list[str]:
    """Qrels, three runs, queries and documents in a folder: the paths. A named pipe lies there that blocks whoever
    opens it, and the texts name it wherever a picture could be named."""
    trap = folder / "trap.png"
    os.mkfifo(trap)
    ids = hostile_ids(trap)
    markup = f"<img src='{trap}'><img src='/dev/zero'><script>alert(1)</script><a href='{trap}'>x</a>"
    queries = [*(f"q{number}{doc_id[:40]}" for number, doc_id in enumerate(ids)), "\u200b"]
    runs = {f"<b>run</b>&{markup[:30]}.run": 1, "\u202enur.run": -1, "\u200b.run": 2}
    paths = {
        "hostile.qrels": "".join(
            f"{query} 0 {document} {(place + d) % 3}\n"
            for place, query in enumerate(queries)
            for d, document in enumerate(ids)
            if (place + d) % 4 and (len(document) < LONG or place < 2)
        ),
        "queries.jsonl": "".join(
            json.dumps({"id": query, "text": f"{markup} {query} \u202e\x1b[1m"}) + "\n" for query in queries
        ),
        "documents.jsonl": "".join(
            json.dumps(
                {
                    "id": doc_id,
                    "title": markup,
                    "text": f"{doc_id[:200]} {markup}",
                    "image": str(trap),
                    "url": markup,
                    "<b>": markup,
                }
            )
            + "\n"
            for doc_id in ids
        ),
    }
    for name, step in runs.items():
        tag = name.removesuffix(".run").replace("/", "|")
        paths[name.replace("/", "|")] = "".join(
            f"{query} Q0 {document} {rank} {99 - rank} {tag}\n"
            for place, query in enumerate(queries)
            for rank, document in enumerate([*ids[place:], *ids[:place]][::step], 1)
            if len(document) < LONG or place < 2
        )
    for name, text in paths.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [str(folder / name) for name in paths]
