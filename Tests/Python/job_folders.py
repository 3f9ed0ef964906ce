"""The data of the guide's three worked examples, as somebody has them before the first command.

The sounds are made here, or cut from the collection of recordings; the folders, tables and names are the same. Importing this module
changes nothing.
"""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy.signal
import soundfile
from recordings import noise, write_wav

RATE = 32000
SITES = ("beech", "ford", "meadow", "ridge")
DAYS = ("20240512_043000", "20240513_043000")
DAY_SECONDS = 60.0
SPEAKERS = {"train": ("george", "jackson", "lucas", "nicolas"), "test": ("theo", "yweweler")}
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class Call(NamedTuple):
    label: str
    start: float
    end: float


# Sounds

def sweep(rate, seconds, low, high):
    time = np.arange(round(rate * seconds)) / rate
    return np.sin(2 * np.pi * (low * time + (high - low) * time**2 / (2 * seconds))) * np.hanning(len(time))


def made_songs():
    """Phrases of two birds: rising sweeps, and a trill."""
    songs = {"Bird0": [], "gy6or6": []}
    for number in range(24):
        songs["Bird0"].append(np.concatenate([sweep(RATE, 0.4 + 0.02 * number, 2200 + 30 * number, 4000) for _ in range(5)]))
    for number in range(16):
        songs["gy6or6"].append(np.concatenate([sweep(RATE, 0.11, 6500, 5200 - 20 * number) for _ in range(24)]))
    return songs


def made_backgrounds():
    """Noise of each site, all different in colour."""
    return {site: scipy.signal.lfilter([1], [1, -0.5 - 0.1 * number], noise(number, 40 * RATE, 0.03))
            for number, site in enumerate(SITES)}


def made_words(speaker, word, take):
    """Two tones for a word, higher or lower by speaker, faster or slower by take."""
    digit, pitch = DIGITS.index(word), 1 + 0.03 * (sum(speaker.encode()) % 3)
    parts = [sweep(8000, 0.22 + 0.02 * take, pitch * frequency, pitch * frequency + 60)
             for frequency in (400 + 280 * (digit % 5), 900 + 1400 * (digit // 5))]
    signal = np.concatenate(parts)
    return 0.3 * signal + noise(97 * digit + 7 * take + len(speaker), len(signal), 0.02)


INSTRUMENTS = ("Acoustic_guitar", "Bass_drum", "Cello", "Clarinet", "Double_bass", "Flute", "Hi_hat", "Saxophone", "Snare_drum",
               "Violin_or_fiddle")


def made_instruments():
    """Six sounds of each instrument: a name, a rate and the samples. One is clipped, and two have an offset."""
    time = np.arange(33075) / 44100
    for index, label in enumerate(INSTRUMENTS):
        for number in range(6):
            pitch = 110 * 2 ** (0.6 * index + number / 24)
            signal = np.sin(2 * np.pi * pitch * time) * np.exp(-time * (1 + index % 3))
            signal = 0.3 * signal + noise(10 * index + number, len(time), 0.004)
            if (label, number) == ("Flute", 3):
                signal = np.clip(9 * signal, -1, 1)
            if label == "Cello" and number < 2:
                signal = signal + 0.04
            yield label, f"{1000 * index + 37 * number:06x}", 44100, signal


# Folders

def usual_table(site, day):
    """The name that Raven gives; one table has another name, as people choose them."""
    return f"{day}_selections.txt" if (site, day) == (SITES[1], DAYS[1]) else f"{day}.Table.1.selections.txt"


def days(folder, songs, backgrounds, table_name=usual_table, line_end="\r\n"):
    """Recordings of four sites on two days, with Raven's tables beside them; returns the calls of each recording by its path."""
    truth = {}
    for index, (site, day) in enumerate((site, day) for site in SITES for day in DAYS):
        generator = np.random.default_rng(index)
        count, background = round(DAY_SECONDS * RATE), backgrounds[site]
        pieces = [np.roll(background, generator.integers(len(background))) for _ in range(-(-count // len(background)))]
        signal = np.concatenate(pieces)[:count]
        calls, start = [], 4.0 + index
        for label in sorted(songs):
            for phrase in songs[label][index::len(SITES) * len(DAYS)]:
                first = round(start * RATE)
                signal[first:first + len(phrase)] += 0.3 * phrase / np.abs(phrase).max()
                calls.append(Call(label, start, start + len(phrase) / RATE))
                start += len(phrase) / RATE + 3.7
        assert np.abs(signal).max() < 1 and calls[-1].end < DAY_SECONDS
        path = folder / "recordings" / site / f"{day}.wav"
        write_wav(path, RATE, signal)
        truth[str(path.relative_to(folder))] = calls
        rows = ["Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tBird"]
        for number, call in enumerate(calls, 1):
            for view in ("Waveform 1", "Spectrogram 1"):
                rows.append(f"{number}\t{view}\t1\t{call.start:.6f}\t{call.end:.6f}\t1500.0\t8000.0\t{call.label}")
        annotations = path.parent / table_name(site, day)
        annotations.parent.mkdir(exist_ok=True)
        annotations.write_bytes("".join(row + line_end for row in rows).encode())
    return truth


def recipe(folder, words):
    """A Kaldi recipe: a session of each speaker, with its words as segments. `words(speaker, word, take)`: samples at 8 kHz."""
    for split, speakers in SPEAKERS.items():
        files = {name: [] for name in ("wav.scp", "segments", "text", "utt2spk", "spk2gender", "spk2utt")}
        for speaker in speakers:
            session, start, utterances = [np.zeros(2400)], 0.3, []
            for take in range(5):
                for word in DIGITS:
                    signal = words(speaker, word, take)
                    end = start + len(signal) / 8000
                    utterance = f"{speaker}-{take}-{word}"
                    utterances.append(utterance)
                    files["segments"].append(f"{utterance} {speaker} {start:.6f} {end:.6f}")
                    files["text"].append(f"{utterance} {word}")
                    files["utt2spk"].append(f"{utterance} {speaker}")
                    session += [signal, np.zeros(2400)]
                    start = end + 0.3
            write_wav(folder / "audio" / f"{speaker}.wav", 8000, np.concatenate(session))
            files["wav.scp"].append(f"{speaker} audio/{speaker}.wav")
            files["spk2gender"].append(f"{speaker} m")
            files["spk2utt"].append(" ".join([speaker, *sorted(utterances)]))
        for name, lines in files.items():
            path = folder / "data" / split / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{line}\n" for line in sorted(lines)))


def table(folder, sounds, end="\r\n", separator=",", mark=""):
    """A folder with labels.csv, as a spreadsheet of Windows writes it."""
    rows = [(f"{mark}filename", "instrument", "source")]
    for label, name, rate, signal in sounds:
        path = folder / "sounds" / f"{name}.flac"
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, signal, rate)
        rows.append((path.name, label, "FSDKaggle2018"))
    (folder / "sounds/labels.csv").write_bytes("".join(separator.join(row) + end for row in rows).encode())


# Those of the collection

def phrases(signal, events, seconds=2.5):
    """Pieces of a song from its first syllable to its last, of at most so many seconds, each ending with a syllable."""
    first = last = None
    for start, end in events:
        if first is not None and end - first > seconds:
            yield signal[round(first * RATE):round(last * RATE)]
            first = None
        first, last = start if first is None else first, end
    yield signal[round(first * RATE):round(last * RATE)]


def real_songs(collection):
    songs = {}
    for bird, column, below in (("Bird0", "notated_path", "Wave"), ("gy6or6", "file", "")):
        folder, events = collection / f"birds/bengalese_finch_{bird}", {}
        for row in csv.DictReader(open(folder / "annotations.csv", encoding="utf-8")):
            events.setdefault(row[column], []).append((float(row["onset_s"]), float(row["offset_s"])))
        songs[bird] = [phrase for name in events
                       for phrase in phrases(soundfile.read(folder / below / name)[0], events[name])]
    return songs


def real_backgrounds(collection):
    """A forest at night and at day: other excerpts for every site."""
    files = sorted((collection / "soundscape_day_night").glob("*.wav"))
    return {site: np.concatenate([scipy.signal.resample_poly(soundfile.read(file)[0], 16, 11) for file in files[number::len(SITES)]])
            for number, site in enumerate(SITES)}


def real_words(collection):
    def words(speaker, word, take):
        signal, rate = soundfile.read(collection / "fsdd" / f"{DIGITS.index(word)}_{speaker}_{take}.wav")
        assert rate == 8000
        return signal
    return words


def real_instruments(collection):
    for row in csv.DictReader(open(collection / "instruments/labels.csv", encoding="utf-8")):
        signal, rate = soundfile.read(collection / "instruments" / row["file"])
        yield row["label"], Path(row["file"]).stem, rate, signal
