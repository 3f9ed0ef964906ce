"""Makes half.json: what NumPy makes of float32 values of every kind when it rounds them to IEEE half precision.

    python make_half_golden.py            writes the file
    python make_half_golden.py --check    compares it with what it would write, and changes nothing

Value i has the bits i * `step` modulo 2**32, so that `count` of them lie evenly among all float32: subnormal ones, infinite
ones, those that are not numbers. `xxh3` is the XXH3-128 of the halves, two bytes each, little-endian.
"""

import json
import platform
import sys
from pathlib import Path

import numpy as np
import xxhash

PATH = Path(__file__).resolve().parent / "half.json"
STEP, COUNT = 2654435761, 400_000


def golden():
    bits = (np.arange(COUNT, dtype=np.uint64) * STEP % 2**32).astype("<u4")
    with np.errstate(over="ignore", invalid="ignore"):
        halves = bits.view("<f4").astype("<f2")
    generator = {"script": Path(__file__).name, "python": platform.python_version(), "numpy": np.__version__}
    xxh3 = xxhash.xxh3_128(halves.tobytes()).hexdigest()
    return {"generator": generator, "step": STEP, "count": COUNT, "xxh3": xxh3}


if __name__ == "__main__":
    found = golden()
    if "--check" in sys.argv:
        old = json.loads(PATH.read_text())
        sys.exit(any(old[key] != found[key] for key in ("step", "count", "xxh3")))
    PATH.write_text(json.dumps(found, indent=2) + "\n")
