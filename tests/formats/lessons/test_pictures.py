"""The pictures of lessons: read and shown where they are what they say, and refused with their line where they are not,
where they load or run something, and outside of the lesson's folder."""

from __future__ import annotations

import base64
import io
import os
import re
from pathlib import Path

import pytest
from PIL import Image

from irviewer.errors import ParseError
from irviewer.formats.lessons.lesson_file import read_lesson
from irviewer.formats.lessons.pictures import MOST_BYTES, MOST_PIXELS
from irviewer.model.lessons.course import course_of
from irviewer.session.teaching.exchange.moodle import moodle_xml
from irviewer.session.teaching.exchange.printing import lesson_sheet
from irviewer.session.teaching.exchange.web_page import lesson_page

SVG = '<svg xmlns="http://www.w3.org/2000/svg" {size}>{body}</svg>'


def raster(kind: str, width: int = 12, height: int = 7) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height), (200, 30, 30)).save(file, kind)
    return file.getvalue()


def svg(body: str = '<rect width="5" height="5"/>', size: str = 'width="30" height="20"') -> bytes:
    return SVG.format(size=size, body=body).encode()


def lesson(folder: Path, text: str) -> Path:
    path = folder / "l.md"
    path.write_text(f"---\ntitle: T\nrankings: 1 0\n---\n{text}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "data", "size"),
    [
        ("a.png", raster("PNG"), (12, 7)),
        ("A.PNG", raster("PNG"), (12, 7)),
        ("sub/b c.jpg", raster("JPEG", 31, 9), (31, 9)),
        ("50%.jpeg", raster("JPEG"), (12, 7)),
        ("c.svg", svg(), (30, 20)),
        ("d.svg", svg(size='viewBox="0 0 40 10"'), (40, 10)),
        ("e.svg", svg(size='width="1in" height="36pt"'), (96, 48)),
        ("f.svg", svg('<g fill="url(#x)"><use href="#y"/></g><style>a { fill: red }</style>'), (30, 20)),
    ],
)
def test_a_picture_is_read_and_shown_with_its_words(
    name: str, data: bytes, size: tuple[int, int], tmp_path: Path
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / name).write_bytes(data)
    read = read_lesson(lesson(tmp_path, f"See ![two *sets* & <a>](<{name}>), `![no](picture.png)`."))
    [picture] = read.pictures
    assert (picture.name, picture.data, (picture.width, picture.height)) == (name, data, size)
    page = lesson_page(course_of(read)).replace('\\"', '"').replace("\\u003c", "<")
    for html in (page, lesson_sheet([read], answers=False)):
        [coded] = re.findall(r'<img src="data:image/[a-z+]+;base64,([^"]+)" alt="two ', html)
        assert base64.b64decode(coded) == data


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("../a.png", raster("PNG"), "../a.png is not in the lesson's folder"),
        ("http://x/y.png", None, "there is no file http://x/y.png"),
        ("none.png", None, "there is no file none.png"),
        ("a.gif", raster("GIF"), "this is no picture for a lesson"),
        ("a.png", raster("JPEG"), "the file is no whole PNG"),
        ("a.png", raster("PNG")[:-20], "the file is no whole PNG"),
        ("a.png", raster("PNG").replace(b"IDAT", b"IDAX"), "the file is no whole PNG"),
        ("a.jpg", raster("PNG"), "the file is no whole JPEG"),
        ("a.jpg", raster("JPEG")[:200], "the file is no whole JPEG"),
        ("a.jpg", b"\xff\xd8" + b"\xff" * 80 + b"\xff\xd9", "the file is no whole JPEG"),
        ("a.png", raster("PNG", MOST_PIXELS + 1, 2), "a side of the picture is not from 1 to 4000 pixels"),
        ("a.png", raster("PNG") + b"x" * MOST_BYTES, "the picture has more than 1000000 bytes"),
        ("a.svg", b"<svg/>", "the file is no whole SVG"),
        ("a.svg", svg()[:-3], "the file is no whole SVG"),
        ("a.svg", svg(size=""), "the SVG has no size"),
        ("a.svg", svg(size='width="100%" height="100%"'), "the SVG has no size"),
        ("a.svg", b"<!DOCTYPE svg [<!ENTITY a 'b'>]>" + svg(), "the SVG has a document type"),
        ("a.svg", svg().decode().encode("utf-16"), "the SVG has a document type"),
        ("a.svg", svg("<script>1</script>"), "the SVG loads or runs something (script)"),
        ("a.svg", svg('<rect onload="x()"/>'), "the SVG loads or runs something (rect)"),
        ("a.svg", svg('<use href="http://x/y"/>'), "the SVG loads or runs something (use)"),
        ("a.svg", svg('<image href="#a"/>'), "the SVG loads or runs something (image)"),
        ("a.svg", svg('<rect fill="url(http://x)"/>'), "the SVG loads or runs something (rect)"),
        ("a.svg", svg("<style>@import 'x';</style>"), "the SVG loads or runs something (style)"),
        ("a.svg", svg("<foreignObject/>"), "the SVG loads or runs something (foreignObject)"),
    ],
)
def test_what_cannot_be_shown_is_refused_at_its_line(
    name: str, data: bytes | None, reason: str, tmp_path: Path
) -> None:
    folder = tmp_path / "course"
    folder.mkdir()
    if data is not None:
        (folder / name).write_bytes(data)
    with pytest.raises(ParseError) as refused:
        read_lesson(lesson(folder, f"Text.\n\n## Step: S\n\nSee ![it]({name})."))
    assert refused.value.reason == reason
    assert (refused.value.line, refused.value.column) == (9, 11)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("![](a.png)", "the picture does not say what it shows"),
        ("![it](a.png 'title')", "this picture cannot be read"),
        ("![it][ref]", "this picture cannot be read"),
        ("![it\nthere](a.png)", "this picture cannot be read"),
    ],
)
def test_a_picture_is_written_in_one_way(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(raster("PNG"))
    with pytest.raises(ParseError) as refused:
        read_lesson(lesson(tmp_path, text))
    assert refused.value.reason == reason


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "course"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(raster("PNG"))
    (folder / "a.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(ParseError, match="is not in the lesson's folder"):
        read_lesson(lesson(folder, "![it](a.png)"))


def test_the_pictures_of_a_lesson_have_a_bound_together(tmp_path: Path) -> None:
    noise = Image.frombytes("L", (990, 1000), os.urandom(990_000))
    for n in range(6):
        noise.save(tmp_path / f"{n}.png", compress_level=0)
    with pytest.raises(ParseError, match="too large together") as refused:
        read_lesson(lesson(tmp_path, "\n".join(f"![it]({n}.png)" for n in range(6))))
    assert refused.value.line == 10


def test_moodle_has_the_pictures_of_a_question_as_files(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(raster("PNG"))
    text = "## Question: Q\nanswer: 1\nbecause: ![why](a.png)\n\n![it](a.png)\n"
    xml = moodle_xml(course_of(read_lesson(lesson(tmp_path, text)))).decode()
    names = re.findall(r"@@PLUGINFILE@@/([0-9a-f]{8}\.png)", xml)
    files = re.findall(r'<file name="([^"]+)" path="/" encoding="base64">([^<]+)<', xml)
    assert len(names) == len(files) == 2
    assert {name for name, _ in files} == set(names)
    assert {base64.b64decode(data) for _, data in files} == {raster("PNG")}


def tens(part: str, times: int) -> bytes:
    """An SVG whose parts each draw the one before ten times, ``times`` deep."""
    levels = "".join(f'<g id="a{n}">{part.format(n - 1) * 10}</g>' for n in range(1, times + 1))
    return svg(f'<defs><rect id="a0" width="1" height="1"/>{levels}</defs><use href="#a{times}"/>')


@pytest.mark.parametrize(
    "data",
    [
        tens('<use href="#a{}"/>', 8),
        tens('<rect fill="url(#a{})" width="1" height="1"/>', 8),
        tens("<rect style='fill: url( &quot;#a{}&quot; )'/>", 8),
        svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
        svg('<g id="a"><use href="#a"/></g>'),
        svg("<g>" * 100_000 + "</g>" * 100_000),
        svg('<style>.a { fill: url(#p) }</style><pattern id="p"><rect class="a"/></pattern>'),
    ],
    ids=["use", "fill", "style", "each other", "itself", "deep", "rules"],
)
def test_an_svg_that_draws_without_end_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_bytes(data)
    with pytest.raises(ParseError, match=r"l\.md:5:6: the SVG draws too much, or a part within itself"):
        read_lesson(lesson(tmp_path, "![a](a.svg)"))


def test_an_svg_that_draws_a_part_often_is_read(tmp_path: Path) -> None:
    rules = "<style>.a { fill: url(#g) }</style><linearGradient id='g'><stop/></linearGradient>"
    (tmp_path / "a.svg").write_bytes(tens('<use href="#a{}"/>', 4))  # ten thousand times
    (tmp_path / "b.svg").write_bytes(svg(rules + "<g>" * 50 + "</g>" * 50))
    assert len(read_lesson(lesson(tmp_path, "![a](a.svg) ![b](b.svg)")).pictures) == 2


def test_pictures_that_are_small_files_may_not_fill_the_memory(tmp_path: Path) -> None:
    blank = svg("", f'width="{MOST_PIXELS}" height="{MOST_PIXELS}"')
    for n in range(7):  # 64 MB each when they are drawn
        (tmp_path / f"{n}.svg").write_bytes(blank)
    named = [f"![blank]({n}.svg)" for n in range(7)]
    assert len(read_lesson(lesson(tmp_path, "\n".join(named[:6]))).pictures) == 6
    with pytest.raises(ParseError, match=r"l\.md:11:10: the pictures of the lesson are too large together"):
        read_lesson(lesson(tmp_path, "\n".join(named)))
