"""Recordings and manifests that tests make. Importing this module changes nothing, so that tests of the wheel may use it."""

import csv
import hashlib

import numpy as np
import scipy.io.wavfile

# Frames enough for a run of seconds that writes little.
SLOW = ["--set", "frame.hop=2", "--set", "frame.length=4096", "--set", "frame.fft_length=4096", "--set", "transform.bins=2",
        "--jobs", 1]


def digest(path):
    """SHA-256 of a file; of a feature file, of all that is in it but the folder of its recordings, which depends on where both are."""
    data = path.read_bytes()
    if not data.startswith(b"\x89HDF"):
        return hashlib.sha256(data).hexdigest()
    import h5py

    found = hashlib.sha256()

    def visit(name, item):
        for key in sorted(item.attrs):
            if (name, key) not in (("provenance", "root"), ("provenance", "root_xxh3")):
                value = item.attrs[key]
                found.update(f"{name}@{key}={value.tolist() if hasattr(value, 'tolist') else value}\n".encode())
        if isinstance(item, h5py.Dataset):
            found.update(f"{name}: {item.dtype}, {item.shape}, {item.chunks}, {item.compression}\n".encode())
            found.update(np.ascontiguousarray(item[()]).tobytes() if item.dtype.kind != "O" else str(item[()]).encode())

    with h5py.File(path) as file:
        visit("", file)
        file.visititems(visit)
    return found.hexdigest()


def tone(rate, seconds, frequencies, amplitude=0.3):
    """A sum of sines, in float64; the same sound at any rate."""
    time = np.arange(round(rate * seconds)) / rate
    return amplitude * sum(np.sin(2 * np.pi * f * time + f) for f in frequencies) / len(frequencies)


def noise(seed, count, amplitude=0.3):
    return amplitude * np.random.default_rng(seed).uniform(-1, 1, count)


def write_wav(path, rate, signal, dtype="<i2"):
    """Writes −1 … 1 as WAV; returns the samples as a decoder gives them: float32, unit scale, one column a channel."""
    path.parent.mkdir(parents=True, exist_ok=True)
    stored = np.round(signal * 32767).astype(dtype) if dtype == "<i2" else signal.astype(dtype)
    scipy.io.wavfile.write(path, rate, stored)
    decoded = stored.astype(np.float64) / 32768 if dtype == "<i2" else stored
    return decoded.astype(np.float32).reshape(stored.shape if stored.ndim > 1 else (len(stored), 1))


def write_manifest(path, rows, delimiter=","):
    """Writes a table whose columns are those of all rows."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="", delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


LANGUAGES = ("english", "french", "italian", "russian", "spanish")


def write_speech(folder):
    """A small folder laid out as that which `examples/fetch-recordings.sh speech` makes; one recording has no samples, as there."""
    for language in LANGUAGES:
        for number, name in enumerate(["messages/demo-thanks", "messages/goodbye", "digits/7"]):
            signal = tone(8000, 0.6 + 0.3 * number, [200 + 50 * len(language), 900])
            write_wav(folder / language / f"{name}.wav", 8000, signal + noise(number, len(signal), 0.01))
        (folder / language / "COPYRIGHT").write_text("Made by a program.\n")
    write_wav(folder / "russian/messages/is.wav", 8000, np.zeros(0))
