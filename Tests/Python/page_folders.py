"""Folders in which the commands of the project's pages can run: for each page the recordings and files that its commands name."""

import json
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import h5py
import job_folders
import numpy as np
import soundfile
from recordings import noise, tone, write_manifest, write_speech, write_wav
from sessions import ROOT

# Programs that a page's commands name, and that a machine has not: what they would do with these arguments, in Python.
STAND_INS = {
    "arecord": """
signal = (np.sin(np.arange(8000) / 5) * 9000).astype("<i2")
if "raw" in sys.argv:
    sys.stdout.buffer.write(signal.tobytes())
else:
    file = io.BytesIO()
    soundfile.write(file, signal, 16000, format="WAV")
    sys.stdout.buffer.write(file.getvalue())
""",
    "aplay": "sys.stdin.buffer.read()",
    "aws": """
assert sys.argv[1:3] == ["s3", "cp"] and sys.argv[4] == "-", sys.argv
sys.stdout.buffer.write(open(sys.argv[3].rpartition("/")[2], "rb").read())
""",
    "sox": """
assert sys.argv[2:] == "-t f32 -c 1 -r 16000 -".split(), sys.argv
sys.stdout.buffer.write(soundfile.read(sys.argv[1], dtype="float32")[0].tobytes())
""",
}


class Folder:
    """A folder to prepare, with the commands that preparing takes."""

    def __init__(self, path, environment):
        self.path, self.environment = path, environment
        path.mkdir(parents=True)

    def run(self, *command):
        subprocess.run([*map(str, command)], cwd=self.path, env=self.environment, check=True, capture_output=True, timeout=300)

    def veery(self, *arguments):
        self.run("veery", *arguments)

    def extract(self, manifest, output, *options):
        self.veery("extract", manifest, "-o", output, *options)

    def sound(self, name, rate=16000, seconds=1.0, channels=1):
        """A recording that differs from those of other names."""
        signal = tone(rate, seconds, [300 + 10 * len(name), 1100 + sum(name.encode()) % 500])
        signal = signal + noise(sum(name.encode()), len(signal), 0.02)
        path = self.path / name
        if path.suffix == ".wav":
            write_wav(path, rate, np.stack([signal] * channels, axis=1) if channels > 1 else signal)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            soundfile.write(path, signal, rate)

    def sounds(self, *names, **options):
        for name in names:
            self.sound(name, **options)

    def table(self, name, text):
        """A text without the indentation of the lines after its first."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line.strip(' ')}\n" for line in text.strip().splitlines()))

    def calls(self, rate=32000, count=4):
        """calls.csv: clips of recordings, and of parts of one."""
        self.sound("song.wav", rate=rate, seconds=6)
        rows = [{"id": "song#4-5", "path": "song.wav", "label": "bout", "start": 4, "end": 5},
                {"id": "song#1.95-3.6", "path": "song.wav", "label": "bout", "start": 1.95, "end": 3.6}]
        for number in range(1, count - 1):
            self.sound(f"wren-{number}.wav", rate=rate, seconds=0.5)
            rows.append({"id": f"wren-{number}", "path": f"wren-{number}.wav", "label": "call", "start": "", "end": ""})
        write_manifest(self.path / "calls.csv", rows)
        return rows

    def speech(self):
        """speech.csv, of 16 short prompts."""
        write_speech(self.path / "speech")
        self.veery("crawl", "speech", "-o", "speech.csv")

    def birds(self, name="features.h5", manifest="manifest.csv"):
        """Recordings of two labels, their manifest and their features."""
        self.sounds("recordings/robin/1.wav", "recordings/robin/2.wav", "recordings/wren/1.wav")
        self.veery("crawl", "recordings", "-o", manifest)
        if name:
            self.extract(manifest, name)


def examples_python(folder):
    folder.birds("FEATURES.h5")
    folder.sound("recordings/wren/2.wav")
    rows = [{"path": f"recordings/{name}.wav", "label": name[:4], "split": split}
            for name, split in [("robin/1", "train"), ("robin/2", "val"), ("wren/1", "train"), ("wren/2", "test")]]
    write_manifest(folder.path / "split.csv", rows)
    folder.extract("split.csv", "FEATURES.h5", "--overwrite")
    for script in (ROOT / "examples/python").glob("*.py"):
        shutil.copy(script, folder.path)


def pictures_of_examples(folder):
    folder.sound("bl26lb16.wav", rate=32000, seconds=0.4)


RAVEN = """Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tSpecies
    1\tSpectrogram 1\t1\t0.5\t2\t500\t3000\trobin
    2\tSpectrogram 1\t1\t4\t6.5\t500\t3000\twren"""


def annotations(folder):
    folder.sound("day.wav", seconds=10)
    folder.table("day.Table.1.selections.txt", RAVEN)
    folder.sounds("recordings/day.wav", "recordings/other.wav", seconds=10)
    folder.table("recordings/day.Table.1.selections.txt", RAVEN)
    folder.table("manifest.csv", "path\nrecordings/day.wav\nrecordings/other.wav")
    folder.table("labels.csv", "path,start,end,label\nrecordings/day.wav,1,2,robin")


def annotations_with_problems(folder):
    folder.sound("recordings/day.wav", seconds=10)
    folder.table("labels.csv", """path,start,end,label
        day.wav,1,2,robin
        day.wav,11,12,robin
        nobody.wav,1,2,robin
        day.wav,3,4,wren
        day.wav,1,2,robin""")


def appending(folder):
    rows = folder.calls()
    folder.extract("calls.csv", "calls.h5", "--set", "audio.sample_rate=32k")
    folder.sound("new.wav", rate=32000)
    write_manifest(folder.path / "grown.csv", [*rows, {"id": "new", "path": "new.wav", "label": "call", "start": "", "end": ""}])


def archives(folder):
    folder.sounds("recordings/a/1.wav", "recordings/b/2.wav")
    with tarfile.open(folder.path / "speech.tar.gz", "w:gz") as file:
        file.add(folder.path / "recordings", "speech")
    for name in ("2024.tar", "shard-0.tar", "shard-1.tar"):
        with tarfile.open(folder.path / name, "w") as file:
            file.add(folder.path / "recordings", name[:-4])
    with zipfile.ZipFile(folder.path / "recordings/more.zip", "w") as file:
        file.write(folder.path / "recordings/a/1.wav", "c/3.wav")


def c_interface(folder):
    """The library where `make library` puts it, and the program that the first session makes."""
    folder.sound("speech.wav", seconds=3)
    (folder.path / "examples").symlink_to(ROOT / "examples")
    (folder.path / ".build").mkdir()
    library = Path(folder.environment["VEERY_LIBRARY"])
    (folder.path / ".build/library").symlink_to(library.parent)
    folder.run("cc", "-o", ".build/features", "examples/c/features.c", "-I.build/library", "-L.build/library", "-lveery",
               "-Xlinker", "-rpath", "-Xlinker", str(library.parent))


def checking(folder):
    folder.sounds("song.wav", "zebra.wav", rate=32000, seconds=6)
    folder.sound("wren.wav", rate=44100, channels=2)
    folder.table("calls.csv", """id,path,label,split,start,end
        song#3.78-4.72,song.wav,bout 2,train,3.78,4.72
        song#4-5,song.wav,bout 2,test,4,5
        zebra,zebra.wav,call,train,,
        wren,wren.wav,wren,train,,
        none,none.wav,wren,train,,""")


def configuration(folder):
    folder.birds(name=None)
    folder.table("my.yaml", "extends: kaldi-fbank\naudio:     {sample_rate: 8 kHz}\ntransform: {bins: 40}")


def conform(folder):
    folder.sound("call.wav", seconds=4)
    folder.table("call.csv", "path\ncall.wav")
    changes = ["--set", "transform.high=7600", "--set", "frame.window=hamming"]
    folder.extract("call.csv", "call.h5", "--preset", "kaldi-fbank", *changes)
    with h5py.File(folder.path / "call.h5") as file:
        np.save(folder.path / "theirs.npy", file["features"][:].T[None])


def model_files(folder):
    folder.sounds("a.wav", "b.wav")
    folder.table("recordings.csv", "path\na.wav\nb.wav")
    files = ROOT / "Tests/Fixtures/model-files"
    shutil.copytree(files / "whisper", folder.path / "whisper-large-v3")
    shutil.copy(files / "kaldi/fbank.conf", folder.path)


def contact_sheets(folder):
    folder.birds()
    folder.calls()
    folder.extract("calls.csv", "calls.h5")


def damaged_recordings(folder):
    folder.sounds("cut.wav", "whole.wav", rate=32000, seconds=3)
    whole = (folder.path / "cut.wav").read_bytes()
    (folder.path / "cut.wav").write_bytes(whole[:-30000])
    folder.table("cut.csv", "path\nwhole.wav\ncut.wav")


def datasets(folder):
    folder.sound("song.wav", seconds=6)
    folder.table("calls.csv", "file,species,onset,offset\nsong.wav,robin,1,2\nsong.wav,wren,3,4.5")
    folder.sound("data/train/a.wav", seconds=6)
    folder.table("data/train/wav.scp", "a a.wav\nb sph2pipe -f wav b.sph |")
    folder.table("data/train/segments", "a-1 a 0 1\na-2 a 1.0 0.5\nc-1 c 0 1")
    folder.table("data/train/utt2spk", "a-1 a\na-2 a\nc-1 c")
    folder.sounds("train_audio/robin/1.wav", "FSD50K.dev_audio/64760.flac")
    folder.table("train_metadata.csv", "primary_label,secondary_labels,filename\nrobin,['wren'],robin/1.wav")
    folder.table("dev.csv", 'fname,labels\n64760,"Electric_guitar,Guitar"')


def features_of_speech(folder):
    folder.speech()
    folder.extract("speech.csv", "speech.h5", "--set", "audio.sample_rate=8k", "--max-failures", "1")


def filtering(folder):
    folder.birds(name=None)
    folder.sound("song.wav", rate=32000, seconds=2)


def installing(folder):
    """A tarball as `make release` makes it, with a link to the program in it."""
    program = shutil.which("veery", path=folder.environment["PATH"])
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    name = f"veery-{version}-linux-x86_64"
    (folder.path / name / "bin").mkdir(parents=True)
    (folder.path / name / "bin/veery").symlink_to(program)
    folder.run("tar", "-czf", f"{name}.tar.gz", name)
    folder.run("sh", "-c", f"sha256sum {name}.tar.gz nothing.whl >SHA256SUMS || true")


def interrupted_runs(folder):
    folder.speech()
    folder.calls()
    # The sessions are those of a file without failures.
    rows = (folder.path / "speech.csv").read_text().splitlines(keepends=True)
    (folder.path / "speech.csv").write_text("".join(row for row in rows if "messages/is" not in row))


def field_recordings(folder):
    job_folders.days(folder.path, job_folders.made_songs(), job_folders.made_backgrounds())
    shutil.copy(ROOT / "examples/python/classify.py", folder.path)


def kaldi_recipe(folder):
    job_folders.recipe(folder.path, job_folders.made_words)
    shutil.copy(ROOT / "examples/python/classify.py", folder.path)


def labelled_folder(folder):
    job_folders.table(folder.path, job_folders.made_instruments())
    shutil.copy(ROOT / "examples/python/classify.py", folder.path)


def labels(folder):
    folder.sounds("day.wav", "0808.138.wav", seconds=10)
    folder.table("day.Table.1.selections.txt", RAVEN)
    folder.table("songs.csv", "path\n0808.138.wav")
    folder.table("annotations.csv", "path,start,end,label\n0808.138.wav,1,2,a\n0808.138.wav,2,3,b")
    folder.table("notes.txt", "path,start,stop,label\n0808.138.wav,1000,2000,a\n0808.138.wav,2000,3000,b")
    folder.veery("clips", "day.wav", "--window", "3s", "--step", "1.5s", "-o", "windows.csv", "--label-column", "Species")
    folder.extract("songs.csv", "songs.h5", "--frame-labels", "annotations.csv")


def live(folder):
    for name in ("song.wav", "left.wav", "right.wav"):
        folder.sound(name, rate=32000, seconds=0.4)
    folder.sound("song.mp3", rate=32000, seconds=0.4)


def manifests(folder):
    folder.sounds("recordings/robin/1.wav", "recordings/wren/1.wav")
    folder.table("recordings/notes.txt", "heard at dawn")
    folder.sound("a.wav", seconds=6)
    folder.table("bad.csv", "path,start,end\na.wav,1,2\na.wav,3.0,2.0\n,1,2\na.wav,zero,2")


def mixed_machines(folder):
    """Shards of which all but one say that another version of libsndfile read their recordings."""
    folder.speech()
    for number in range(1, 17):
        folder.extract("speech.csv", "speech.h5", "--shard", f"{number}/16")
    for shard in sorted((folder.path / "speech.h5.shards").iterdir())[1:]:
        machine = shard / "machine.json"
        version = json.loads(machine.read_text())["machines"][0]["traits"]["texts"]["libsndfile"]
        machine.write_text(machine.read_text().replace(version, "libsndfile 0.9.9"))


def failed(folder):
    """A file in which a clip is missing whose recording is there by now."""
    folder.calls()
    sound = (folder.path / "wren-1.wav").read_bytes()
    (folder.path / "wren-1.wav").write_bytes(b"nothing")
    folder.extract("calls.csv", "calls.h5", "--set", "audio.sample_rate=32k", "--max-failures", "1")
    (folder.path / "wren-1.wav").write_bytes(sound)


def moving_data(folder):
    folder.sounds(*[f"speech/english/{number}.wav" for number in range(16)])
    folder.veery("crawl", "speech", "-o", "speech.csv", "--label-from", "^(?<label>[^/]+)/")
    folder.extract("speech.csv", "speech.h5")


def normalisation(folder):
    folder.birds("train.h5", "train.csv")
    folder.sound("new/robin/9.wav")
    folder.veery("crawl", "new", "-o", "new.csv")


def pictures(folder):
    folder.sound("song.wav", rate=44100, seconds=2)
    folder.sound("dogs/rex.wav")
    folder.table("manifest.csv", "path,label\ndogs/rex.wav,dog")
    folder.extract("manifest.csv", "features.h5")
    folder.table("my.yaml", "extends: log-mel\ntransform: {bins: 40}")


def python_page(folder):
    folder.sound("song.mp3", rate=44100, seconds=21, channels=1)


def sets(folder):
    """The set that the first session makes is there for the others."""
    folder.sounds(*[f"speech/english/{number}.wav" for number in range(16)])
    folder.veery("crawl", "speech", "-o", "speech.csv", "--label-from", "^(?<label>[^/]+)/")
    folder.sound("new/english/90.wav")
    folder.veery("crawl", "new", "-o", "new.csv")
    folder.extract("speech.csv", "speech.h5", "--files", 8)


def splits(folder):
    rows = []
    for number in range(12):
        folder.sound(f"{number}.wav", seconds=0.2)
        rows.append({"path": f"{number}.wav", "label": ("robin", "wren")[number % 2], "site": f"s{number // 2}"})
    write_manifest(folder.path / "birds.csv", rows)


def sync(folder):
    rows = folder.calls(count=5)
    folder.extract("calls.csv", "calls.h5", "--set", "audio.sample_rate=32k")
    folder.sound("wren-4.wav", rate=32000, seconds=0.5)
    rows[-1]["label"] = "song"
    write_manifest(folder.path / "calls.csv", [*rows[1:], {**rows[-1], "id": "wren-4", "path": "wren-4.wav"}])


def corrections(folder):
    names = [f"robin-{number}" for number in range(1, 5)]
    folder.sounds(*(f"robin/{name}.wav" for name in names))
    write_manifest(folder.path / "calls.csv", [{"id": name, "path": f"robin/{name}.wav", "label": "robin"} for name in names])
    folder.extract("calls.csv", "calls.h5")
    page = (ROOT / "Schemas/guide/corrections.md").read_text()
    (folder.path / "corrections.csv").write_text(page.partition("```csv\n")[2].partition("```")[0])


def browse(folder):
    names = [f"robin-{number}.wav" for number in range(1, 5)]
    folder.sounds(*names, *(f"recordings/{name}" for name in names))
    write_manifest(folder.path / "calls.csv", [{"path": name, "label": "robin"} for name in names])
    folder.extract("calls.csv", "calls.h5")
    folder.table("calls.corrections.csv", "id,path,start,end,audio_xxh3,action,label,note,given,by\nrobin-1,robin-1.wav,,,,relabel,wren,,,")
    folder.table("boxes.csv", "file,start,end,label\nrobin-1.wav,0.1,0.3,song")


def suspicion(folder):
    """Recordings of two kinds of birds by three speakers, one of them with the label of the other kind."""
    rows = []
    for bird, pitch in (("robin", 3000), ("wren", 1000)):
        for number in range(30):
            signal = tone(16000, 0.5, [pitch + 10 * number]) + noise(number + pitch, 8000, 0.02)
            wrong = (bird, number) == ("robin", 7)
            path = f"{'wren' if wrong else bird}/{number if wrong or bird == 'robin' else 100 + number}.wav"
            write_wav(folder.path / path, 16000, signal)
            rows.append({"id": path[:-4], "path": path, "label": "wren" if wrong else bird, "speaker": "abc"[number % 3]})
    write_manifest(folder.path / "birds.csv", rows)
    folder.extract("birds.csv", "birds.h5")


def ten_minutes(folder):
    """Recordings of two kinds of birds, at two pitches."""
    for bird, pitch in (("robin", 3000), ("wren", 1000)):
        for number in range(1, 11):
            signal = tone(16000, 1, [pitch + 20 * number]) + noise(number + pitch, 16000, 0.02)
            write_wav(folder.path / f"recordings/{bird}/dawn-{number}.wav", 16000, signal)
    shutil.copy(ROOT / "examples/python/classify.py", folder.path)
    folder.veery("crawl", "recordings", "-o", "all.csv")
    folder.extract("all.csv", "features.h5")


# By page; where a block of it needs another one, also by page and number of the block.
FOLDERS = {
    "Schemas/guide/licences.md": lambda folder: None,
    ("Schemas/guide/annotations.md", 1): annotations_with_problems, ("Schemas/guide/sync.md", 2): failed,
    "examples/python/README.md": examples_python, "examples/pictures/README.md": pictures_of_examples,
    **{f"Schemas/guide/{name}.md": make for name, make in {
        "annotations": annotations, "appending": appending, "archives": archives, "browse": browse, "c-interface": c_interface, "checking": checking,
        "commands": configuration, "configuration": configuration, "conform": conform, "contact-sheets": contact_sheets, "corrections": corrections,
        "damaged-recordings": damaged_recordings, "datasets": datasets, "exporting": features_of_speech,
        "feature-files": features_of_speech, "field-recordings": field_recordings, "filtering": filtering, "installing": installing,
        "interrupted-runs": interrupted_runs, "kaldi-recipe": kaldi_recipe, "labelled-folder": labelled_folder, "labels": labels,
        "live": live, "model-files": model_files, "manifests": manifests, "mixed-machines": mixed_machines, "moving-data": moving_data, "normalisation": normalisation,
        "pictures": pictures, "python": python_page, "reports": Folder.birds, "sets": sets, "splits": splits, "suspicion": suspicion, "sync": sync,
        "ten-minutes": ten_minutes,
    }.items()}}


def write_stand_ins(folder):
    """Programs by the names of STAND_INS, by this Python."""
    folder.mkdir()
    for name, code in STAND_INS.items():
        script, program = folder / f"{name}.py", folder / name
        script.write_text(f"import io, sys, numpy as np, soundfile\n{code}")
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(script))} "$@"\n')
        program.chmod(0o755)
