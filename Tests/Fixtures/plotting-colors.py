"""Writes the colour tables of the module Plotting, and the golden file that its tests compare them with.

    python3 -m venv /tmp/colors && /tmp/colors/bin/pip install matplotlib==3.11.2
    /tmp/colors/bin/python Tests/Fixtures/plotting-colors.py      # from the top of the repository

viridis, magma, inferno and cividis are the 256-entry tables of matplotlib (CC0; cividis by Jamie R. Nunez, Christopher R.
Anderton and Ryan S. Renslow, the others by Nathaniel J. Smith and Stefan van der Walt), each component rounded to 8 bits
as matplotlib.colors.to_hex does. false-color is computed here by Python's colorsys, independently of the Swift code.
"""

import colorsys
import json
import math
from pathlib import Path

import matplotlib
from matplotlib.colors import to_hex

REPOSITORY = Path(__file__).resolve().parents[2]


def false_color(index):
    """Entry of the false-colour table: dark blue, red, full green; fractions of an 8-bit step are dropped."""
    fraction = index / 255
    red, green, blue = colorsys.hsv_to_rgb(0.6666 - 0.6666 * fraction, 1, math.sqrt(fraction))
    return "#" + "".join(f"{int(component * 255):02x}" for component in (green, red, blue))


tables = []
golden = {"falseColor": [false_color(index) for index in range(256)]}
for name in ("viridis", "magma", "inferno", "cividis"):
    entries = [to_hex(color) for color in matplotlib.colormaps[name].colors]
    assert len(entries) == 256
    golden[name] = entries
    tables.append(" ".join([name, *(entry[1:] for entry in entries)]))
(REPOSITORY / "Sources/Plotting/Resources/matplotlib.txt").write_text("\n".join(tables) + "\n")

golden_file = REPOSITORY / "Tests/Fixtures/plotting-colors.json"
golden_file.write_text(json.dumps(golden, separators=(",", ":")).replace("],", "],\n") + "\n")
