"""The window in another language: every text comes from the catalogue. The language is one made here, in which each
text stands in brackets."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.catalog import Catalog

from irviewer.translation import FOLDER_VARIABLE, LANGUAGE_VARIABLE

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("shown_texts.py")
NOT_TRANSLATED = re.compile(
    r"irviewer|cranfield|fables|qrels|trec_eval( test)?|Copy data|Export(\.\.\.)?"  # names; actions of pyqtgraph
    # Measures and signs of the field, with the ends of an axis.
    r"|R|Δ|[Δ≥@\d\sA-Za-z]*(nDCG|DCG|Rprec|RBO|AP|RR|unj|Bpref)[≥@\d\s]*(\([−.\d]+ … [−.\d]+\))?",
    re.IGNORECASE,
)


def _catalogues() -> ModuleType:
    spec = importlib.util.spec_from_file_location("catalogues", ROOT / "packaging" / "catalogues.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _bracketed(text: str) -> str:
    return f"⟦{text}⟧"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A language in which every text of the program stands in brackets."""
    catalogues = _catalogues()
    language = Catalog(locale="es", domain="irviewer")
    # tests/test_translation.py: every text of the sources is in it.
    for message in catalogues.read(ROOT / "resources" / "locale" / "es" / "LC_MESSAGES" / "irviewer.po"):
        if not message.id:
            continue
        if isinstance(message.id, str):
            language.add(message.id, _bracketed(message.id), context=message.context)
            continue
        singular, plural = map(_bracketed, message.id)
        forms = (singular, *[plural] * (language.num_plurals - 1))  # as many as the version of Babel has
        language.add(message.id, forms, context=message.context)
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "irviewer.mo").write_bytes(catalogues.compiled(language))
    return {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(ROOT),
        "IRVIEWER_CONFIG_DIR": str(tmp_path / "config"),
        LANGUAGE_VARIABLE: "es",
        FOLDER_VARIABLE: str(tmp_path),
    }


def test_every_text_of_the_window_is_translated(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT)], env=environment, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    answer = json.loads(done.stdout)
    left = [
        text
        for text in answer["texts"]
        if "⟦" not in text
        and NOT_TRANSLATED.fullmatch(text) is None
        and not any(data in text or text.strip("“”…") in data for data in answer["data"])
    ]
    assert len(answer["texts"]) > 500
    assert not left, "not translated:\n" + "\n".join(left)
