"""Every command that writes, in its variants, for failing_writes.py; and what they read.

A command that is missing here is an error: the program's own description of its commands (`--experimental-dump-help`) is compared
with this table, and so is what `filter` says of the endings that it writes.
"""
import json
import math
import pathlib
import random
import re
import shutil
import struct
import subprocess
import tarfile
import wave

MEL = ["--preset", "log-mel", "--set", "audio.sample_rate=8000", "--set", "transform.high=4000", "--set", "transform.bins=8"]
IN_PLACE = [*MEL, "--set", "normalize.scope=none"]
# One thread, so that calls come in one order.
EXTRACT = ["--jobs", "1", "--progress", "none"]
RATE = 8000


class Variant:
    """A command, in a folder that has `in` (what it reads) and `out` (what it writes).

    stdin: a file in `in`. stdout: the file that standard output goes to. before: commands that come first, of which only what
    they leave counts; each is a list of words, or (words, call, path[, stdin]), where that call fails as on a full disk, or
    ("folder", path) or ("change", path). then: commands that use what it leaves; what they make of it is compared, too. status: of
    the command. again: the command that completes what was left, where that is not the same command. varying: what differs from run
    to run in standard output, as regular expressions. ffmpeg: it needs ffmpeg. records: a recording that is interrupted is
    completed by `live --recover`.
    """

    def __init__(self, name, words, stdin=None, stdout=None, before=(), status=0, again=None, varying=(), ffmpeg=False,
                 records=False, then=()):
        self.name = name
        self.words = words
        self.stdin, self.stdout = stdin, stdout
        self.before, self.then = list(before), list(then)
        self.status = status
        self.again = again
        self.varying = [re.compile(pattern.encode()) for pattern in varying]
        self.needs_ffmpeg = ffmpeg
        self.is_recording = records

    @property
    def command(self):
        return next((word for word in self.words if not word.startswith("-")), "")


def shown(name, *words, **more):
    """A command whose result goes to standard output, which is a file."""
    return Variant(name, list(words), stdout="out/shown", **more)


def extract(name, *words, manifest="in/m.csv", options=MEL, output="out/f.h5", **more):
    single = EXTRACT[2:] if "--jobs" in words else EXTRACT
    return Variant(f"extract {name}".strip(), ["extract", manifest, "-o", output, *options, *single, *words], **more)


def made(*words, manifest="in/m.csv", options=MEL, output="out/f.h5"):
    return ["extract", manifest, "-o", output, *options, *EXTRACT, *words]


# What a run leaves whose disk is full when it puts the file together, and a recording when its sound has ended.
STOPPED = (made(), "fsync", "out/f.h5.spool/features.h5")
LIVE = ["live", "--rate", str(RATE), "--record", "out/live.h5", *MEL]
WHISPER = ["live", "--rate", str(RATE), "--record", "out/live.h5", "--preset", "whisper"]
RECOVER = ["live", "--recover", "out/live.h5"]
SHARDS = [made("--shard", "1/2"), made("--shard", "2/2")]
OLDER_PAGE = ["inspect", "in/other.h5", "--html", "out/page.html"]
# Seconds that work took.
TIMES = [r'"elapsed_?[sS]econds" *: *[0-9.e-]+']


def table():
    yield Variant("crawl", ["crawl", "in/rec", "-o", "out/m.csv"])
    yield Variant("crawl --overwrite", ["crawl", "in/rec", "-o", "out/m.tsv", "--overwrite"],
                  before=[["crawl", "in/more", "-o", "out/m.tsv"]])
    yield shown("crawl > file", "crawl", "in/rec", "-o", "-", "--output-format", "jsonl")
    yield Variant("clips", ["clips", "in/rec", "-o", "out/m.csv", "--window", "0.2s", "--jobs", "1"])
    yield Variant("clips --overwrite", ["clips", "in/rec", "-o", "out/m.jsonl", "--window", "0.2s", "--jobs", "1", "--overwrite"],
                  before=[["clips", "in/rec", "-o", "out/m.jsonl", "--window", "0.1s", "--jobs", "1"]])
    yield Variant("crawl --json > file", ["crawl", "in/rec", "-o", "out/m.csv", "--json"], stdout="out/shown",
                  again=["crawl", "in/rec", "-o", "out/m.csv", "--json", "--overwrite"])
    made = ["clips", "in/rec", "-o", "out/m.csv", "--window", "0.2s", "--jobs", "1", "--json"]
    yield Variant("clips --json > file", made, stdout="out/shown", again=[*made, "--overwrite"])
    yield shown("clips > file", "clips", "in/rec", "-o", "-", "--window", "0.2s", "--jobs", "1")
    yield Variant("split", ["split", "in/m.csv", "-o", "out/m.csv", "--ratio", "train=0.5,test=0.5"])
    yield Variant("split --json > file", ["split", "in/m.csv", "-o", "out/m.csv", "--ratio", "train=0.5,test=0.5", "--json"],
                  stdout="out/shown", again=["split", "in/m.csv", "-o", "out/m.csv", "--ratio", "train=0.5,test=0.5", "--json",
                                             "--overwrite"])
    yield Variant("split --overwrite", ["split", "in/m.csv", "-o", "out/m.csv", "--folds", "2", "--overwrite"],
                  before=[["split", "in/m.csv", "-o", "out/m.csv", "--ratio", "train=0.5,test=0.5"]])
    yield shown("split > file", "split", "in/m.csv", "-o", "-", "--folds", "2")
    yield from checks()
    yield from extractions()
    yield shown("presets > file", "presets")
    yield shown("presets NAME > file", "presets", "log-mel")
    yield shown("presets NAME --json > file", "presets", "log-mel", "--json")
    yield shown("presets --keys > file", "presets", "--keys")
    yield shown("presets --tables > file", "presets", "--tables")
    yield Variant("presets --golden", ["presets", "log-mel", "--golden", "out/golden"])
    yield Variant("presets --golden --overwrite", ["presets", "log-mel", "--golden", "out/golden", "--overwrite"],
                  before=[["presets", "log-mel", "--golden", "out/golden"], ("change", "out/golden/log-mel.npy")])
    conform = ["conform", "in/golden/log-mel.npy", "in/golden/log-mel.wav", "--preset", "log-mel"]
    yield shown("conform > file", *conform)
    yield shown("conform --json > file", *conform, "--json")
    yield from reports()
    for to in ("npy", "safetensors", "kaldi", "webdataset", "lhotse", "zarr"):
        yield Variant(f"export --to {to}", ["export", "in/f.h5", "--to", to, "-o", "out/export", "--progress", "none"])
    yield Variant("export --overwrite", ["export", "in/f.h5", "--to", "npy", "-o", "out/export", "--overwrite"],
                  before=[["export", "in/other.h5", "--to", "npy", "-o", "out/export"]])
    yield from sound()
    yield shown("--help > file", "--help")
    yield shown("COMMAND --help > file", "crawl", "--help")
    yield shown("help COMMAND > file", "help", "extract")
    yield shown("--version > file", "--version")
    for shell in ("bash", "zsh", "fish"):
        yield shown(f"--generate-completion-script {shell} > file", "--generate-completion-script", shell)


def checks():
    yield shown("check > file", "check", "in/m.csv", "--jobs", "1", "--progress", "none")
    yield shown("check --json > file", "check", "in/m.csv", "--jobs", "1", "--progress", "none", "--json", varying=TIMES)
    check = ["check", "in/failing.csv", "--jobs", "1", "--progress", "none"]
    # 3: it has found what cannot be used.
    yield Variant("check --html", [*check, "--html", "out/page.html"], status=3)
    yield Variant("check --html, an older page", [*check, "--html", "out/page.html"], status=3, before=[
        ["check", "in/m.csv", "--jobs", "1", "--progress", "none", "--html", "out/page.html"]])
    yield Variant("check --mend", [*check, "--mend", "out/mended.csv"], status=3)
    yield Variant("check --mend --corrections",
                  ["check", "in/m.csv", *check[2:], "--corrections", "in/corrections.csv", "--mend", "out/mended.csv"])
    yield Variant("check --mend --overwrite", [*check, "--mend", "out/mended.csv", "--overwrite"], status=3, before=[
        ["crawl", "in/rec", "-o", "out/mended.csv"], ["crawl", "in/rec", "-o", "out/mended.rejected.csv"]])


def extractions():
    yield extract("")
    yield extract("in place", options=IN_PLACE)
    yield extract("--jobs 2", "--jobs", "2")
    yield extract("deflate", "--set", "store.compression=deflate")
    yield extract("fixed", "--set", "store.layout=fixed", "--set", "audio.duration=0.5")
    yield extract("float16", "--set", "store.type=float16")
    yield extract("of each clip", "--set", "normalize.scope=clip")
    yield extract("patches", "--set", "patches.length=4", "--set", "patches.hop=4")
    yield extract("--append", "--append", before=[made(manifest="in/short.csv")])
    yield extract("--append, in place", "--append", options=IN_PLACE, before=[made(manifest="in/short.csv", options=IN_PLACE)])
    yield extract("--sync", "--sync", manifest="in/changed.csv", before=[made()])
    yield extract("--sync --new-statistics", "--sync", "--new-statistics", manifest="in/changed.csv", before=[made()])
    yield extract("--overwrite", "--overwrite", before=[made("--set", "scale.kind=db")])
    failing = ["--max-failures", "9"]
    yield extract("--retry-failed", "--retry-failed", *failing, "--root", "in", manifest="in/failing.csv",
                  before=[made(*failing, "--root", "in/early", manifest="in/failing.csv")])
    yield extract("--failures-out", *failing, "--failures-out", "out/failed.csv", manifest="in/failing.csv")
    yield extract("--failures-out --overwrite", *failing, "--failures-out", "out/failed.csv", "--overwrite",
                  manifest="in/failing.csv", before=[["crawl", "in/rec", "-o", "out/failed.csv"]])
    yield extract("--json > file", "--json", stdout="out/shown", varying=[*TIMES, r'"[a-z_]*seconds_?[a-z_]*" *: *[0-9.e-]+'])
    yield shown("extract --dry-run --json > file", *made("--dry-run", "--json"))
    yield shown("extract --dry-run > file", *made("--dry-run"))
    yield extract("--stats-from", "--stats-from", "in/f.h5")
    yield extract("--frame-labels", "--frame-labels", "in/marks.csv")
    yield extract("--scratch", "--scratch", "out/scratch", before=[("folder", "out/scratch")])
    yield extract("--tar", "--tar", manifest="-", stdin="in/rec.tar")
    yield extract("resumed", before=[STOPPED])
    yield extract("--fresh", "--fresh", before=[STOPPED])
    yield extract("--shard 1/2", "--shard", "1/2", then=[SHARDS[1], made()])
    yield extract("--shard 2/2, the last one", "--shard", "2/2", before=SHARDS[:1], then=[made()])
    yield extract("of shards", before=SHARDS)
    yield extract("of one shard of two", before=SHARDS[1:])
    yield extract("--files 2", "--files", "2", output="out/f.h5")
    yield extract("--files 2, in place", "--files", "2", options=IN_PLACE)
    yield extract("--files 2 --overwrite", "--files", "2", "--overwrite", before=[made("--files", "3", "--set", "scale.kind=db")])
    yield extract("--file 1/2", "--file", "1/2", before=SHARDS, then=[made("--file", "2/2")])
    yield extract("--file 2/2, the last one", "--file", "2/2", before=[*SHARDS, made("--file", "1/2")])
    yield extract("of what ffmpeg reads", manifest="in/video.csv", ffmpeg=True)


def reports():
    yield shown("inspect > file", "inspect", "in/f.h5", "--jobs", "1")
    yield shown("inspect --json > file", "inspect", "in/f.h5", "--json", "--jobs", "1")
    yield shown("inspect --verify > file", "inspect", "in/f.h5", "--verify", "--jobs", "1")
    yield shown("inspect --suspicious > file", "inspect", "in/f.h5", "--suspicious", "--jobs", "1")
    for more in ([], ["--csv"], ["--json"], ["--failures"]):
        yield shown(" ".join(["list", *more, "> file"]), "list", "in/f.h5", *more)
    yield Variant("inspect --html", ["inspect", "in/f.h5", "--html", "out/page.html", "--jobs", "1"])
    yield Variant("inspect --html, an older page", ["inspect", "in/f.h5", "--html", "out/page.html", "--jobs", "1"],
                  before=[OLDER_PAGE])
    plots = ["inspect", "in/f.h5", "--plots", "out/plots", "--jobs", "1"]
    yield Variant("inspect --plots", plots, stdout="out/shown")
    yield Variant("inspect --plots, older plots", plots, before=[["inspect", "in/other.h5", "--plots", "out/plots"]])
    for ending in ("png", "svg", "pdf"):
        yield Variant(f"render a clip as {ending}", ["render", "in/f.h5", "--clip", "c0", "-o", f"out/clip.{ending}"])
    yield Variant("render a recording", ["render", "in/rec/a/0.wav", "--waveform", "-o", "out/recording.png"])
    yield Variant("render, an older picture", ["render", "in/rec/a/0.wav", "--plain", "-o", "out/recording.png"],
                  before=[["render", "in/rec/b/1.wav", "--plain", "-o", "out/recording.png"]])
    yield Variant("render --sheet", ["render", "in/f.h5", "--sheet", "-o", "out/sheet.png"])
    yield shown("render --sheet --list > file", "render", "in/f.h5", "--sheet", "--list")
    yield Variant("render --filter-bank", ["render", "--filter-bank", "log-mel", "-o", "out/bank.svg"])
    yield shown("render --filter-bank --json > file", "render", "--filter-bank", "log-mel", "--json")


def sound():
    for ending in ("wav", "rf64", "w64", "aiff", "au", "caf", "flac", "ogg", "opus", "mp3"):
        yield Variant(f"filter to {ending}", ["filter", "in/stereo.wav", f"out/filtered.{ending}", "--band-pass", "300-3400"])
    yield Variant("filter --overwrite", ["filter", "in/stereo.wav", "out/filtered.wav", "--band-pass", "300-3400", "--overwrite"],
                  before=[["filter", "in/stereo.wav", "out/filtered.wav", "--band-stop", "300-3400"]])
    for ending in ("wav", "rf64"):
        yield Variant(f"decode to {ending}", ["decode", "in/stereo.wav", "-o", f"out/decoded.{ending}"])
    yield Variant("decode --overwrite", ["decode", "in/stereo.wav", "-o", "out/decoded.wav", "--channels", "all", "--overwrite"],
                  before=[["decode", "in/stereo.wav", "-o", "out/decoded.wav"]])
    yield shown("decode > file", "decode", "in/stereo.wav", "--sample-rate", "16000")
    yield Variant("live --record", LIVE, stdin="in/sound.raw", records=True)
    yield Variant("live --record, waiting rows", WHISPER, stdin="in/sound.raw", records=True)
    yield Variant("live --record --overwrite", [*LIVE, "--overwrite"], stdin="in/sound.raw", records=True,
                  before=[made(output="out/live.h5")])
    yield Variant("live --recover", RECOVER, before=[(LIVE, "fsync", "out/live.h5.spool/features.h5", "in/sound.raw")])
    yield Variant("live --recover, waiting rows", RECOVER,
                  before=[(WHISPER, "fsync", "out/live.h5.spool/features.h5", "in/sound.raw")])
    yield Variant("live --band-pass > file", ["live", "--rate", str(RATE), "--band-pass", "300-3400"], stdin="in/sound.raw",
                  stdout="out/filtered.raw")
    yield Variant("live --band-pass > WAV", ["live", "--band-stop", "300-3400"], stdin="in/stereo.wav", stdout="out/filtered.wav")


# ------------------------------------------------------------------------------------------------------- what is missing

# What values are called that are not names of files.
PLAIN = set("""format text name|pattern literal|csv regex level pattern name=column name unit number time short time|n% name|drop partial n shares k
    split=file split recording|clip|column recording|clip|folder|column folder|column seed column fail|keep fail|zero progress section.key=value n|p% document s share axis
    mel-scale Hz low-high style id choose a,b,… label size hz factor kind low:high table depth pages colors dB theme pixels dpi
    subcommands mix mix|first|n|all hex rate""".split())
# Names of files and folders that are read. An asterisk: of any command.
READ = {("*", "root"), ("*", "config"), ("*", "preset"), ("presets", "name|file"), ("*", "annotations"), ("*", "corrections"),
        ("*", "paths-from"), ("crawl", "folders"), ("clips", "manifest"), ("split", "manifest"),
        ("check", "manifest"), ("check", "features"), ("extract", "manifest"), ("extract", "frame-labels"), ("extract", "stats-from"),
        ("conform", "theirs"), ("conform", "audio"), ("inspect", "file"), ("list", "file"), ("render", "inputs"), ("export", "file"),
        ("live", "file"), ("live", "input"), ("filter", "input"), ("decode", "input")}
# Commands that write when a browser asks: Tests/Python/test_browse_corrections.py and test_browse_kills.py make that fail.
SERVERS = {"browse"}
# Kinds of runs that write in ways of their own.
KINDS = {("extract", name) for name in
         "tar shard files file append sync retry-failed new-statistics fresh overwrite scratch dry-run json frame-labels".split()}
VALUES = {("export", "to")}
COUNTED = {"render": ["png", "svg", "pdf"]}


def missing(program, variants):
    """What the program writes and the table does not have, as sentences."""
    dumped = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    used = [(variant.command, variant.words, variant.stdout) for variant in variants if "--help" not in variant.words]
    found = []

    def runs(command, test):
        return any(test(words, stdout) for name, words, stdout in used if name == command)

    for command in json.loads(dumped)["command"]["subcommands"]:
        name = command["commandName"]
        if name in SERVERS:
            continue
        if not runs(name, lambda words, stdout: True):
            found.append(f"veery {name}: no command of the table")
        for argument in command["arguments"]:
            names = [each["name"] for each in argument.get("names", [])]
            called = next((each for each in names if len(each) > 1), argument["valueName"])
            options = {("-" if len(each) == 1 else "--") + each for each in names}
            about = argument.get("abstract") or ""
            if argument["kind"] == "flag":
                prints = "standard output" in about or re.match("(Print|List) (?!nothing)", about)
                if prints and not runs(name, lambda words, stdout: stdout and options & set(words)):
                    found.append(f"veery {name} --{called} > file: it prints a result")
                continue
            is_read = {("*", called), (name, called)} & READ or argument["valueName"] in PLAIN
            if not is_read and argument["kind"] == "option" and not runs(name, lambda words, stdout: options & set(words)):
                found.append(f"veery {name} --{called} {argument['valueName']}: it names a file that may be written")
            if not is_read and argument["kind"] == "positional" and (name, called) != ("filter", "output"):
                found.append(f"veery {name} <{called}>: it names a file that may be written")
            if (name, called) in VALUES:
                found += [f"veery {name} --{called} {value}: a format that is written" for value in argument["allValues"]
                          if not runs(name, lambda words, stdout: value in words)]
    found += [f"veery {name} --{kind}" for name, kind in sorted(KINDS)
              if not runs(name, lambda words, stdout: f"--{kind}" in words)]
    said = subprocess.run([program, "filter", "a.wav", "b.unknown", "--band-pass", "1-2"], capture_output=True, text=True).stderr
    endings = {"filter": re.findall(r"[ ,]\.([a-z0-9]+)", said.split("ends in")[-1].split("which")[0]), **COUNTED}
    if not endings["filter"]:
        found.append("veery filter: it does not say which endings it writes")
    for name, those in endings.items():
        found += [f"veery {name} to .{ending}" for ending in those
                  if not runs(name, lambda words, stdout: any(word.endswith("." + ending) for word in words[1:]))]
    return found


# ------------------------------------------------------------------------------------------------------------ what is read


def noise(seed, count):
    source = random.Random(seed)
    return [source.randint(-9000, 9000) for _ in range(count)]


def write_wav(path, samples, channels=1):
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))


def make_inputs(program, folder):
    """Makes the folder `in` of a folder, with small files, so that commands are fast; its path."""
    inside = folder / "in"
    inside.mkdir()
    for number in range(4):
        write_wav(inside / f"rec/{'ab'[number % 2]}/{number}.wav", noise(number, 4800 + 100 * number))
    write_wav(inside / "late.wav", noise(7, 4800))
    write_wav(inside / "more/c/5.wav", noise(5, 4800))
    write_wav(inside / "stereo.wav", noise(6, 2 * 12_000), channels=2)
    (inside / "early").mkdir()
    shutil.copytree(inside / "rec", inside / "early/rec")
    tone = [int(9000 * math.sin(0.1 * n)) for n in range(3 * RATE)]
    (inside / "sound.raw").write_bytes(struct.pack(f"<{len(tone)}h", *tone))
    head = "id,path,label,split,start,end"
    rows = [f"c{n},rec/{'ab'[n % 2]}/{n % 4}.wav,{'ab'[n % 2]},{'test' if n % 4 == 3 else 'train'},{n / 50},{0.3 + n / 50}"
            for n in range(9)]
    (inside / "m.csv").write_text("\n".join([head, *rows]) + "\n")
    (inside / "short.csv").write_text("\n".join([head, *rows[:5]]) + "\n")
    changed = [rows[0].replace(",a,train", ",new,train"), *rows[2:], "more,more/c/5.wav,c,train,0,0.5"]
    (inside / "changed.csv").write_text("\n".join([head, *changed]) + "\n")
    (inside / "failing.csv").write_text("\n".join([head, *rows, "late,late.wav,a,train,0,0.4", "gone,no.wav,a,train,0,1"]) + "\n")
    (inside / "corrections.csv").write_text("id,action,label\nc0,relabel,b\nc1,exclude,\nc2,add,c\n")
    (inside / "marks.csv").write_text("path,start,end,label\nrec/a/0.wav,0.05,0.2,call\nrec/b/1.wav,0.1,0.3,song\n")
    with tarfile.open(inside / "rec.tar", "w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted((inside / "rec").rglob("*.wav")):
            member = tar.gettarinfo(path, str(path.relative_to(inside)))
            member.mtime = member.uid = member.gid = 0
            member.uname = member.gname = ""
            with open(path, "rb") as file:
                tar.addfile(member, file)
    for words in [made(output="in/f.h5"), made("--set", "scale.kind=db", output="in/other.h5", manifest="in/short.csv"),
                  ["presets", "log-mel", "--golden", "in/golden"]]:
        done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{words}: {done.stderr}")
    if shutil.which("ffmpeg"):
        video = inside / "0.m4a"
        subprocess.run(["ffmpeg", "-v", "error", "-i", inside / "rec/a/0.wav", "-c:a", "aac", video], check=True,
                       stdin=subprocess.DEVNULL)
        (inside / "video.csv").write_text("id,path,label\nvideo,0.m4a,a\nplain,rec/b/1.wav,b\n")
    return pathlib.Path(inside)
