"""Writes character-widths.json: the columns that each code point takes in a terminal, from Python's own Unicode tables.

2 for East Asian Width W and F; 0 for controls, marks that combine without a width, invisible formatting and the later
jamo of a Hangul syllable; else 1. As [first, last, columns], code points that are not assigned left out.
"""

import json
import unicodedata
from pathlib import Path


def columns(number):
    character = chr(number)
    category = unicodedata.category(character)
    if category in ("Cn", "Cs", "Co"):
        return None
    if number == 0xAD:
        return 1
    if category in ("Mn", "Me", "Cf", "Cc", "Zl", "Zp") or 0x1160 <= number <= 0x11FF or 0xD7B0 <= number <= 0xD7FF:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


runs = []
for number in range(0x110000):
    width = columns(number)
    if width is None:
        continue
    if runs and runs[-1][1] == number - 1 and runs[-1][2] == width:
        runs[-1][1] = number
    else:
        runs.append([number, number, width])
path = Path(__file__).with_name("character-widths.json")
lines = ",\n".join(json.dumps(run) for run in runs)
path.write_text(f'{{"unicode": "{unicodedata.unidata_version}", "runs": [\n{lines}\n]}}\n')
