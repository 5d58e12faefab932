"""Texts: in the user's language, with the values in their places; and what translators are given."""

from __future__ import annotations

import ast
import gettext
import importlib.util
import os
import re
import string
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irviewer import translation
from irviewer.analysis.explain.wording import latex_number
from irviewer.figures.figure import Axis
from irviewer.model.number_text import p_value, quantity
from irviewer.paths import resource
from irviewer.session.lecture_table.columns import short
from irviewer.session.protocol.fields import LOOKS, written
from irviewer.session.view_models.ledgers.number_ledger import worked_mean
from irviewer.translation import (
    as_lectures,
    decimal,
    decimal_points,
    filled,
    is_known,
    language_tag,
    number_list,
    read_catalogue,
    tr,
    trc,
    trn,
    typed_number,
    typed_numbers,
    use_decimal_comma,
    window_language,
    with_region,
    write_as_lectures,
)  # fmt: skip
from tests.helpers.source_texts import source

ROOT = Path(__file__).resolve().parent.parent
FUNCTIONS = {"tr": (0,), "trn": (0, 1), "trc": (0, 1)}
"""Each function of irviewer.translation and the places of its texts."""


@cache
def _catalogues() -> Any:
    spec = importlib.util.spec_from_file_location("catalogues", ROOT / "packaging" / "catalogues.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _calls() -> list[tuple[str, ast.Call]]:
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno}", node)
        for path in sorted((ROOT / "irviewer").rglob("*.py"))
        if path.name != "translation.py"
        for node in source(path).translated
    ]


@cache
def _texts() -> Any:
    """Every text of the sources, as translators are given it."""
    return _catalogues().extract()


def test_english_is_the_source() -> None:
    assert tr("Remove run") == "Remove run"
    assert tr("{run}: {value:.4f}", run="a{b}", value=0.5) == "a{b}: 0.5000"
    assert tr("a set {1, 2}") == "a set {1, 2}", "without values braces are text"
    assert [trn("{n} query", "{n} queries", n) for n in (0, 1, 2)] == ["0 queries", "1 query", "2 queries"]
    assert trc("verb", "Run") == "Run"


def test_a_catalogue_is_read_in_a_language_chosen_at_the_start(tmp_path: Path) -> None:
    catalogues = _catalogues()
    from babel.messages.catalog import Catalog

    spanish = Catalog(locale="es", domain="irviewer")
    spanish.add("Remove run {run}", "Quitar {run}")
    plural = ["{n} consultas"] * (spanish.num_plurals - 1)  # two forms, or three, by the version of Babel
    spanish.add(("{n} query", "{n} queries"), ("{n} consulta", *plural))
    spanish.add("Run", "Ejecutar", context="verb")
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "irviewer.mo").write_bytes(catalogues.compiled(spanish))

    assert read_catalogue("es", tmp_path).gettext("Remove run {run}") == "Quitar {run}"
    assert read_catalogue("fr", tmp_path).gettext("Remove run {run}") == "Remove run {run}"

    code = (
        "from irviewer.translation import tr, trn, trc\n"
        "print(tr('Remove run {run}', run='a'), trn('{n} query', '{n} queries', 2), trc('verb', 'Run'), tr('other'))"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        translation.LANGUAGE_VARIABLE: "es",
        translation.FOLDER_VARIABLE: str(tmp_path),
    }
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Quitar a 2 consultas Ejecutar other"


@pytest.mark.parametrize(
    ("preferred", "language"),
    [(["es_MX.UTF-8"], "es"), (["es-MX", "en"], "es"), (["de_DE", "es_ES@euro"], "es"), (["en_GB", "es"], "en"),
     (["C.UTF-8"], "en"), ([], "en")],
)  # fmt: skip
def test_the_window_speaks_the_first_language_of_the_system_that_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, preferred: list[str], language: str
) -> None:
    (tmp_path / "es" / "LC_MESSAGES").mkdir(parents=True)
    (tmp_path / "es" / "LC_MESSAGES" / "irviewer.mo").touch()
    monkeypatch.setenv(translation.FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path))
    monkeypatch.delenv(translation.LANGUAGE_VARIABLE, raising=False)
    assert translation.languages() == ["en", "es"]
    assert window_language(preferred) == language

    (tmp_path / "settings.json").write_text('{"language": "en"}')
    assert window_language(preferred) == "en", "Preferences say so"
    for damaged in ("", "[]", '{"language": 5}'):
        (tmp_path / "settings.json").write_text(damaged)
        assert window_language(preferred) == language
    monkeypatch.setenv(translation.LANGUAGE_VARIABLE, "de")
    assert window_language(preferred) == "de"


def test_the_decimal_sign_of_the_window() -> None:
    assert decimal("1,234.5") == "1,234.5"
    use_decimal_comma(True)
    try:
        assert [decimal(text) for text in (".377", "0.3767", "1,234.5", "−.5 %", "< .001", "×12", "1.5e−07")] == [
            "0,377", "0,3767", "1\u202f234,5", "−0,5 %", "< 0,001", "×12", "1,5e−07",
        ]  # fmt: skip
        text = "{n:,} of {run}: {value:.3f}, {share:.1%}, {seed}, {level!r}"
        assert tr(text, n=6980, run="bm25.1", value=0.5, share=0.125, seed=1.5, level=0.1) == (
            "6\u202f980 of bm25.1: 0,500, 12,5%, 1.5, 0.1"
        ), "what has no format is data"
        assert trn("{n:,} query", "{n:,} queries", 6980) == "6\u202f980 queries"
        assert filled("{y:+.2f}", y=np.float64(-0.5)) == "-0,50"
        with decimal_points():
            assert decimal("1,234.5") == "1,234.5"
            assert tr("{value:.3f}", value=0.5) == "0.500"
        assert decimal(".5") == "0,5"
        assert [typed_number(text) for text in ("0,05", "0.05", "1\u202f234,5")] == ["0.05", "0.05", "1234.5"]
        for typed, numbers in (("0,05; 0,1", ["0.05", "0.1"]), ("3, 6, 12", ["3", "6", "12"]), ("0,5", ["0.5"])):
            assert typed_numbers(typed) == numbers
            assert typed_numbers(number_list(decimal(number) for number in numbers)) == numbers
        assert (written(0.05), written(2), written(None)) == ("0,05", "2", "")
        assert str(LOOKS.read("1 of 0,5 1")) == str(LOOKS.read("1 of .5 1"))
        assert short(0.63) == "0,63"
        assert worked_mean([617.0], 1234) == ("617,0000 ÷ 1\u202f234 = 0,5000", "0,5000")
        assert latex_number("2,50e-05") == r"2,50 \cdot 10^{-5}"
        assert Axis("P", 0, 1, ticks=((0.5, "0.5"), (1.0, "v1.0"))).shown_ticks == ((0.5, "0,5"), (1.0, "v1.0"))
    finally:
        use_decimal_comma(False)
    assert typed_numbers(".05, .1;2,") == [".05", ".1", "2"]
    assert [typed_number("\N{MINUS SIGN}.5"), *typed_numbers("−1, .5")] == ["-.5", "-1", ".5"]
    assert number_list((".05", ".1")) == ".05, .1"


def test_texts_are_literals_with_named_placeholders() -> None:
    """So that they can be collected, and a translator can move the values."""
    faults = []
    for where, call in _calls():
        assert isinstance(call.func, ast.Name)
        texts = [call.args[place] for place in FUNCTIONS[call.func.id] if place < len(call.args)]
        if not all(isinstance(text, ast.Constant) and isinstance(text.value, str) for text in texts):
            faults.append(f"{where}: the text is no literal")
            continue
        if any(keyword.arg is None for keyword in call.keywords):
            faults.append(f"{where}: values are given by name, not as **")
            continue
        given = {keyword.arg for keyword in call.keywords} | ({"n"} if call.func.id == "trn" else set())
        if not given:
            continue
        for text in texts[-1:] if call.func.id == "trc" else texts:
            fields = [field for _, field, _, _ in string.Formatter().parse(text.value) if field is not None]  # type: ignore[attr-defined]
            if set(fields) - given:
                faults.append(f"{where}: no value for {set(fields) - given}")
            if any(not field.isidentifier() for field in fields):
                faults.append(f"{where}: a placeholder is a name: {fields}")
        used = {
            field
            for text in texts
            for _, field, _, _ in string.Formatter().parse(text.value)  # type: ignore[attr-defined]
            if field is not None
        }
        if given - used - {"n"}:
            faults.append(f"{where}: {given - used - {'n'}} is not in the text")
    assert not faults, "\n".join(faults)


def test_a_singular_has_one_plural() -> None:
    """gettext knows a text by its singular alone: two plurals of one singular would be shown for each other."""
    plurals: dict[object, set[object]] = {}
    for _, call in _calls():
        assert isinstance(call.func, ast.Name)
        if call.func.id in ("tr", "trn"):
            texts = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
            plurals.setdefault(texts[0], set()).add(texts[1] if call.func.id == "trn" else texts[0])
    assert not {text: known for text, known in plurals.items() if len(known) > 1}


def test_every_text_is_collected() -> None:
    collected = _texts()
    for where, call in _calls():
        assert isinstance(call.func, ast.Name)
        texts = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
        match call.func.id:
            case "tr":
                message = collected.get(texts[0])
            case "trn":
                message = collected.get(texts[0])
                assert message is None or message.pluralizable, where
            case _:
                message = collected.get(texts[1], texts[0])
        assert message is not None, where


@pytest.mark.parametrize("path", _catalogues().files(), ids=lambda path: path.parent.parent.name)
def test_a_language_has_the_placeholders_of_its_texts(path: Path) -> None:
    """Its placeholders are those of the text. A text that it lacks is shown in English; ``.ci/run`` lists these."""
    catalogues = _catalogues()
    translated, template = catalogues.read(path), _texts()
    faults = []
    for message in template:
        key = message.id if isinstance(message.id, str) else message.id[0]
        for text in catalogues.forms(translated.get(key, message.context) if key else None):
            fields = [{field for _, field, _, _ in string.Formatter().parse(form) if field} for form in (key, text)]
            if "{" in key and fields[1] - fields[0] - {"n"}:
                faults.append(f"other placeholders: {key!r} -> {text!r}")
    assert not faults, "\n".join(faults)
    assert len(catalogues.missing(translated, template)) < len(template) / 20, "catalogues.py missing"
    assert read_catalogue(path.parent.parent.name, catalogues.FOLDER).gettext("Remove run") != "Remove run"


def test_catalogues_are_compiled_where_they_changed(tmp_path: Path) -> None:
    catalogues = _catalogues()
    from babel.messages.catalog import Catalog

    path = tmp_path / "es" / "LC_MESSAGES" / "irviewer.po"
    for text in ("Quitar", "Borrar"):
        spanish = Catalog(locale="es", domain="irviewer")
        spanish.add("Remove run", text)
        spanish.add("Keep", "")
        catalogues.write(spanish, path)
        os.utime(path, ns=(later := time.time_ns() + 10**9, later))
        catalogues.compile_changed(tmp_path)
        os.utime(path.with_suffix(".mo"), ns=(later, later))
        with path.with_suffix(".mo").open("rb") as file:
            read = gettext.GNUTranslations(file)
        assert read.gettext("Remove run") == text
        assert read.gettext("Keep") == "Keep", "what is not translated is English"
    path.with_suffix(".mo").write_bytes(b"kept")
    os.utime(path.with_suffix(".mo"), ns=(later, later))
    catalogues.compile_changed(tmp_path)
    assert path.with_suffix(".mo").read_bytes() == b"kept"
    assert sorted(file.name for file in path.parent.iterdir()) == ["irviewer.mo", "irviewer.po"]


def test_a_ranked_list_is_one_word_in_spanish() -> None:
    """The window says lista as the lessons do."""
    text = resource("locale/es/LC_MESSAGES/irviewer.po").read_text(encoding="utf-8")
    plain = re.sub(r'"\n"', "", text)
    before = "[Ee]l|[Uu]n|[Dd]el|al|este|ningún|cualquier|los|dos|cada|cuyos"
    english_words = re.findall(
        rf"^msgstr.*(?:\b(?:{before}) rankings?\b|ranking ideal|ranking \{{number).*$", plain, re.M
    )
    assert english_words == []


@cache
def spanish_catalogue() -> Any:
    from babel.messages.pofile import read_po

    with (resource("locale") / "es" / "LC_MESSAGES" / "irviewer.po").open("rb") as file:
        return read_po(file)


def spanish_texts() -> list[str]:
    strings = [message.string for message in spanish_catalogue()]
    return [text for each in strings for text in ([each] if isinstance(each, str) else each)]


def test_measures_have_one_gender_in_spanish() -> None:
    """The window said la DCG, and lessons el DCG."""
    texts = [*spanish_texts(), *(file.read_text("utf-8") for file in (resource("lessons") / "es").glob("*.md"))]
    masculine = re.compile(r"\b(?:el|un|del|al|mejor) (?<!la mejor )n?(?:DCG|AP|MAP)\b|DCG\S* dividido", re.I)
    assert [match[0] for text in texts for match in masculine.finditer(re.sub(r"[*`]", "", text))] == []


def test_what_to_do_is_said_in_the_infinitive_in_spanish() -> None:
    """Some texts said usted, *escriba*, beside others with *escribir*."""
    words = (
        "añada|cambie|compruebe|corrija|corríjalo|deje|dé|elija|escriba|guarde|haga|indique|lea|marque|pida|ponga|"
        "póngalo|pulse|quite|quítelo|seleccione|tome|vea"
    )
    said = re.compile(rf"(?:^|[;:.,()] |, o | y )(?:{words})\b(?! lo que)", re.I)
    assert [text for text in spanish_texts() if said.search(text) or re.search(r"\busted(es)?\b", text)] == []


def test_a_judge_is_one_word_in_spanish() -> None:
    """Judges were evaluadores and jueces, judged documents juzgados and evaluados, a gate compuerta and control."""
    catalogue = spanish_catalogue()
    texts = {str(message.id): message.string for message in catalogue if isinstance(message.string, str)}
    words_looked_for = "otro otra otros otras evaluador evaluadores juez"
    said = [text for text in spanish_texts() if re.search(r"\b[Jj]u(ez|eces)\b", text)]
    assert [text for text in said if not text.startswith((words_looked_for, "kappa "))] == []
    assert texts["judged@{cutoff}"] == "juzgados@{cutoff}"
    assert "compuerta" in texts["Keep this verdict as a gate for the next run."]
    assert catalogue.get("relevant", "so many documents").string == "relevantes"


def test_numbers_and_columns_mean_the_same_in_spanish() -> None:
    """Kappa was “de 4/5” in place of .80, and what was found in a verdict “hallados”, as many documents."""
    numbers = re.compile(r"(?<![\w.])\d+/\d+(?!\w)")
    for message in spanish_catalogue():
        if isinstance(message.id, str) and message.id:
            assert set(numbers.findall(message.string)) <= set(numbers.findall(message.id)), message.string
    assert spanish_catalogue().get("found").string == "hallados"
    assert spanish_catalogue().get("found", "what was found, not how many").string == "hallazgo"


def test_a_language_of_a_region_is_that_language(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [is_known(name) for name in ("es", "es_MX", "en_GB", "xx_MX", "")] == [True, True, True, False, False]
    assert [with_region(name) for name in ("es_MX", "es")] == [("es_MX", "es"), ("es",)]
    for language, tag in (("es_MX", "es-MX"), ("", "en")):  # es_MX is no tag of HTML
        monkeypatch.setattr(translation, "current_language", lambda language=language: language)
        assert language_tag() == tag


def test_spanish_numbers_with_a_point_have_their_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    assert quantity(0.05) == ".0500"
    monkeypatch.setattr(translation, "current_language", lambda: "es")
    assert [decimal(text) for text in (".3000", "−.5 %", "< .001", "12.5")] == ["0.3000", "−0.5 %", "< 0.001", "12.5"]
    assert (quantity(-0.05), p_value(0.25)) == ("−0.0500", "0.250")
    with decimal_points():
        assert decimal(".5") == ".5"


def test_a_lesson_writes_all_its_values_as_lectures_do(monkeypatch: pytest.MonkeyPatch) -> None:
    values = ("0.7555", "▲ 0.0333", "P 0.5000  R 1.0000", "−0.05", "1", "10.0000", "×0.923", "0.5", "20.50")
    assert [decimal(text) for text in values] == list(values)
    write_as_lectures(True)
    try:
        written = [decimal(text) for text in values]
        assert written == [".7555", "▲ .0333", "P .5000  R 1", "−.05", "1", "10.0000", "×0.923", "0.5", "20.50"]
        assert tr("{run} {value:.4f}", run="0.55", value=0.25) == "0.55 .2500"
        with decimal_points():
            assert decimal("0.7555") == "0.7555"
            with as_lectures():
                assert decimal("0.7555") == ".7555"
        monkeypatch.setattr(translation, "current_language", lambda: "es")
        assert decimal("0.7555") == decimal(".7555") == "0.7555"
        use_decimal_comma(True)
        assert (decimal("0.7555"), decimal("1.0000")) == ("0,7555", "1")
    finally:
        write_as_lectures(False)
        use_decimal_comma(False)
