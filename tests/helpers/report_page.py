"""A report as its readers and programs have it: the tables of each section, with the exact values of cells."""

from __future__ import annotations

import re
from html.parser import HTMLParser

Cell = tuple[str, str]
"""What is shown, and the exact value, which is what is shown where a cell has none."""


class ReportPage(HTMLParser):
    """Sections by title; of each its tables by title, "" for the title of the section: header and rows of cells."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.sections: dict[str, dict[str, list[list[Cell]]]] = {}
        self.notes: dict[str, list[str]] = {}
        self._section = self._table = ""
        self._tag, self._value, self._text = "", "", ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("h2", "h3", "summary", "td", "th", "p", "li"):
            self._tag, self._text, self._value = tag, "", dict(attrs).get("data-value") or ""
        elif tag == "tr":
            self.sections[self._section].setdefault(self._table, []).append([])

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag != self._tag:
            return
        self._tag = ""
        if tag in ("h2", "summary"):
            self._section, self._table = self._text, ""
            self.sections[self._section] = {}
        elif tag == "h3":
            self._table = self._text
        elif tag in ("td", "th"):
            self.sections[self._section][self._table][-1].append((self._text, self._value or self._text))
        else:
            self.notes.setdefault(self._section, []).append(self._text)

    def rows(self, section: str, table: str = "") -> list[dict[str, Cell]]:
        """The rows of a table, by the titles of its columns."""
        header, *rows = self.sections[section][table]
        return [dict(zip([title for title, _ in header], row, strict=True)) for row in rows]

    def fact(self) -> str:
        """The protocol's line: what the facts below the title begin with."""
        facts = re.search(r"<p class=facts>(.*?)</p>", self.html, re.S)
        assert facts is not None
        return facts[1]
