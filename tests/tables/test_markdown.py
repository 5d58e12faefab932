"""Names stay names in Markdown: a parser of CommonMark reads them as they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

import irviewer
from irviewer.tables import markdown
from irviewer.tables.writers.registry import writer_named
from irviewer.views import values
from irviewer.views.registered import view_of

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
NAMES = (
    "*star*", "_run_", "<b>bold</b>", "a&lt;b", "R&D", "a|b", "- item", "1. first", "2) second", "+", "# title",
    "~~no~~", "[x](y)", "`code`", "$5$", "\\", "-minus", "3.5",
)  # fmt: skip


def read(tokens: list[Token]) -> list[str]:
    """The text of each cell and paragraph as it is shown; markup is marked."""
    texts = []
    for token in tokens:
        if token.type == "inline":
            shown = {"text": lambda child: child.content, "text_special": lambda child: child.content}
            texts.append("".join(shown.get(child.type, lambda child: f"<{child.type}>")(child)
                                 for child in token.children or []))  # fmt: skip
    return texts


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_read_as_it_is(name: str) -> None:
    tokens = PARSER.parse(f"{markdown.escape(name)}\n\n- {markdown.escape(name)}\n")
    assert [token.type for token in tokens if token.type.endswith("_open")] == [
        "paragraph_open", "bullet_list_open", "list_item_open", "paragraph_open",
    ]  # fmt: skip
    assert read(tokens) == [name, name]


@given(st.lists(st.text(alphabet="ab1 .)-+*_`<>&;#lt|~$[]!\\", min_size=1, max_size=9), min_size=1, max_size=4))
def test_cells_of_a_table_are_read_as_they_are(names: list[str]) -> None:
    names = [" ".join(name.split()) for name in names]
    rows = [[markdown.escape(name), "1"] for name in names]
    tokens = PARSER.parse("\n".join(markdown.table(["run", "n"], rows, [False, True])))
    assert read(tokens) == ["run", "n", *[text for name in names for text in (name, "1")]]


def test_tables_have_the_names() -> None:
    qrels = {"q": {"a": 1}}
    runs = {name: {"q": {"a": 1.0}} for name in NAMES}
    written = values.tables(irviewer.evaluate(qrels, runs, ["AP"]), None)
    texts = read(PARSER.parse(writer_named("markdown").write(written.tables).decode()))
    assert [text for text in texts if text in NAMES] == list(NAMES)
    texts = read(PARSER.parse(irviewer.paper_table(qrels, runs, ["AP"], collection="1. My collection").markdown))
    assert texts[3:-1:2] == list(NAMES)
    assert texts[-1].startswith("1. My collection: 1 query")
    view = view_of(irviewer.compare(qrels, runs, ["AP"], baseline=None))
    assert view is not None
    texts = read(PARSER.parse(writer_named("markdown").write(view.tables).decode()))
    assert set(NAMES) <= set(texts)
