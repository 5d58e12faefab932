"""The colours of the first runs are told apart by eyes without red, green or blue cones, and seen on the panel."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from irviewer.model.arrays import Floats
from irviewer.rendering.palette import DASHES, LIGHT, PALETTES, Palette, run_colour, run_dash

FIRST = 8
LEAST = 12.0
"""The least difference of two colours, in units of CIEDE2000; 2.3 can just be noticed."""
CONTRAST = 3.0

# Machado, Oliveira and Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE
# Transactions on Visualization and Computer Graphics 15, 2009, severity 1.0; the matrices multiply linear RGB.
VISIONS = {
    "trichromacy": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def linear(colour: str) -> Floats:
    """Linear RGB of "#rrggbb" (IEC 61966-2-1)."""
    values = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb: Floats) -> Floats:
    """CIELAB of linear RGB, white point D65."""
    share = XYZ @ np.clip(rgb, 0.0, 1.0) / XYZ.sum(axis=1)
    x, y, z = np.where(share > (6 / 29) ** 3, np.cbrt(share), share / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def difference(first: Floats, second: Floats) -> float:
    """CIEDE2000 of two CIELAB colours (Sharma, Wu and Dalal, Color Research and Application 30, 2005)."""
    mean_chroma = (np.hypot(*first[1:]) + np.hypot(*second[1:])) / 2
    grey = 0.5 * (1 - np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25.0**7)))
    (l1, a1, b1), (l2, a2, b2) = first, second
    a1, a2 = a1 * (1 + grey), a2 * (1 + grey)
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    d_hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    weight = (
        1
        - 0.17 * np.cos(np.radians(hue - 30))
        + 0.24 * np.cos(np.radians(2 * hue))
        + 0.32 * np.cos(np.radians(3 * hue + 6))
        - 0.20 * np.cos(np.radians(4 * hue - 63))
    )
    scaled_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    scaled_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    scaled_hue = d_hue / (1 + 0.015 * chroma * weight)
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    rotation *= np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    return float(np.sqrt(scaled_light**2 + scaled_chroma**2 + scaled_hue**2 + rotation * scaled_chroma * scaled_hue))


@pytest.mark.parametrize(
    ("first", "second", "published"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_difference_is_that_of_the_published_table(
    first: tuple[float, ...], second: tuple[float, ...], published: float
) -> None:
    assert difference(np.array(first), np.array(second)) == pytest.approx(published, abs=5e-5)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize("vision", list(VISIONS))
def test_the_first_runs_differ(palette: Palette, vision: str) -> None:
    seen = [lab(VISIONS[vision] @ linear(run_colour(palette, slot))) for slot in range(FIRST)]
    for first, second in combinations(range(FIRST), 2):
        assert difference(seen[first], seen[second]) >= LEAST, (first, second)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_every_run_is_seen_on_the_panel(palette: Palette) -> None:
    ground = XYZ[1] @ linear(palette.panel)
    for slot in range(len(palette.runs)):
        low, high = sorted((ground, XYZ[1] @ linear(run_colour(palette, slot))))
        assert (high + 0.05) / (low + 0.05) >= CONTRAST, slot


def test_dashes_differ_from_the_second_run_on() -> None:
    assert run_dash(0) == ()
    assert len({run_dash(slot) for slot in range(len(DASHES))}) == len(DASHES)
    hues, rounds = len(LIGHT.runs), len(DASHES)
    signs = {(run_colour(LIGHT, slot), run_dash(slot)) for slot in range(hues * rounds)}
    assert len(signs) == hues * rounds
