"""What is timed: for each case the recordings, what Veery is asked for, whom it is compared with, and the goal."""
import collections
import json
import os
import pathlib
import subprocess
import sys

import native
import programs

# name, heading, set, the program timed (Veery), and the others as (program, goal): their wall time as a multiple of Veery's is
# to be at least the goal
Case = collections.namedtuple("Case", "name heading set veery others")

# what the floor and the peers read, what Veery reads, and of how much, at which rate in Hz
Set = collections.namedtuple("Set", "list manifest clips files seconds rate")

LOG_MEL = (400, 160, 512, 80)
MUSIC_RATE = 22_050
PLAIN = "normalize.scope=none"


NAMES = ["a", "a-z", "b", "c-dct", "c-fft", "d", "e", "e-short", "f", "presets"]
if sys.platform == "linux":
    NAMES.append("slow")


class Maker:
    """Makes the cases for one pair of folders of recordings, one program and one number of jobs."""

    def __init__(self, work, veery, floor, speech, music, jobs, instructions):
        self.wide = instructions == "avx512"
        self.work, self.program, self.floor_program = work, veery, floor
        self.speech, self.music, self.jobs = speech, music, jobs
        self.all = {name: getattr(self, "case_" + name.replace("-", "_")) for name in NAMES}

    def set(self, name):
        source = self.music if name == "music" else self.speech
        script = pathlib.Path(__file__).resolve().parent / "sets.py"
        if subprocess.run([sys.executable, script, self.work, name, source]).returncode != 0:
            programs.fail(f"no recordings for {name}")
        record = json.loads((self.work / f"{name}.json").read_text())
        numbers = [record[key] for key in ("clips", "files", "seconds", "rate")]
        return Set(self.work / f"{name}.list", self.work / f"{name}.csv", *numbers)

    def veery(self, clips, *options, name="Veery", jobs=None, preset=None, environment=None):
        return programs.veery(
            name, self.program, clips.manifest, self.work / "features.h5", self.jobs if jobs is None else jobs, options,
            preset, environment)

    def floor(self, clips, name="floor", rate=0, frame=LOG_MEL, syncs=False):
        return programs.floor(
            name, self.floor_program, clips.list, self.work / "floor.bin", self.jobs, rate, frame, syncs)

    def peer(self, name, clips, jobs=None, **options):
        script = f"with_{name.replace('-', '_').replace(' ', '_').lower()}.py"
        return programs.Peer(name, script, clips.list, self.work / "peer.bin", jobs or self.jobs, **options)

    def native_fbank(self, clips):
        """kaldi-native-fbank without Python."""
        def command():
            return [native.kaldi_native_fbank(self.work), clips.list, self.work / "peer.bin", self.jobs]

        return programs.Built("kaldi-native-fbank in C++", command, self.work / "peer.bin", bins=80)

    def log_mel(self, clips, **options):
        """The preset without normalisation, which none of the others does."""
        return self.veery(clips, PLAIN, **options)

    def goal(self, with_avx512, otherwise):
        """The goal where Veery may take this multiple of the floor's time: the floor's time as a fraction of Veery's."""
        return 1 / (with_avx512 if self.wide else otherwise)

    def log_mel_peers(self, clips):
        return [
            (self.floor(clips), self.goal(1.0, 1.25)), (self.floor(clips, "floor to the disk", syncs=True), None),
            (self.peer("torchaudio", clips), 5), (self.peer("librosa", clips), 6), (self.peer("lhotse", clips), 7), (self.peer("audioflux", clips), None),
            (self.native_fbank(clips), None), (self.peer("kaldi-native-fbank", clips), None)]

    def case_a(self):
        clips = self.set("speech-wav")
        return Case(
            "a", "Speech, 16 kHz WAV, to log-mel 80", clips, self.log_mel(clips), self.log_mel_peers(clips) + [
                (self.log_mel(clips, name="Veery, one job", jobs=1), 1.85),
                (self.veery(clips, PLAIN, "transform.engine=fftw", name="Veery with FFTW's transform"), None)])

    def case_a_z(self):
        clips = self.set("speech-wav")
        return Case(
            "a-z", "Speech as in (a), normalised over the dataset", clips, self.veery(clips), [
                (self.floor(clips), self.goal(1.3, 1.5)), (self.floor(clips, "floor to the disk", syncs=True), None),
                (self.log_mel(clips, name="Veery, not normalised"), None)])

    def case_b(self):
        clips = self.set("speech-flac")
        return Case(
            "b", "Speech, 16 kHz FLAC, to log-mel 80", clips, self.log_mel(clips),
            [(self.floor(clips, "decoding FLAC", frame=None), None), (self.floor(clips), 1 / 1.1)]
            + self.log_mel_peers(clips)[1:-2])

    def music_case(self, name, heading, kind, bins, others):
        clips = self.set("music")
        options = [
            f"audio.sample_rate={MUSIC_RATE}", "frame.length=1024", "frame.hop=512", "frame.fft_length=1024",
            f"transform={{kind: {kind}}}", "scale.kind=db", "normalize.scope=none"]
        peers = [
            (self.peer(other, clips, kind=kind, rate=MUSIC_RATE, source_rate=clips.rate), None) for other in others]
        return Case(
            name, heading, clips, self.veery(clips, *options),
            [(self.floor(clips, "decoding and soxr", MUSIC_RATE, None), 1 / 1.15),
             (self.floor(clips, "floor", MUSIC_RATE, (1024, 512, 1024, bins)), None)] + peers)

    def case_c_dct(self):
        return self.music_case(
            "c-dct", "Clips of 1 to 8 s of music or bird song, 44.1 kHz WAV, resampled to 22.05 kHz, to DCT-II spectrograms in dB, "
            "1024 every 512", "dct", 1024, ["SciPy"])

    def case_c_fft(self):
        return self.music_case(
            "c-fft", "The same clips to FFT spectrograms in dB, 1024 every 512", "fft", 513, ["torchaudio", "librosa"])

    def case_d(self):
        clips = self.set("long")
        return Case(
            "d", "One recording of 6 hours, 16 kHz WAV, as 7,200 segments of 3 s, to log-mel 80", clips,
            self.log_mel(clips), self.log_mel_peers(clips))

    def case_e(self):
        clips = self.set("seconds")
        return Case(
            "e", "100,000 files of 1 s, 16 kHz WAV, to log-mel 80", clips,
            self.log_mel(clips), self.log_mel_peers(clips))

    def case_e_short(self):
        clips = self.set("short")
        return Case(
            "e-short", "100,000 files of 0.3 s, 16 kHz WAV, to log-mel 80", clips, self.log_mel(clips),
            [(self.floor(clips), 1 / 1.3), (self.floor(clips, "floor to the disk", syncs=True), None)])

    def case_presets(self):
        clips = self.set("speech-wav")
        goals = {"kaldi-fbank": 1.05, "librosa-mfcc": 1.05, "whisper": 1.05, "scrolling-dct": 1.3}
        others = [(self.veery(clips, PLAIN, preset=preset, name=preset), None) for preset in goals]
        return Case(
            "presets", "Speech as in (a), by presets; at most " + ", ".join(f"{goals[name]} for {name}" for name in goals),
            clips, self.log_mel(clips), others)

    def case_slow(self):
        clips = self.set("speech-wav")
        few = os.cpu_count()
        # As many as Veery has by default at most.
        most = max(32, 2 * few)
        disk = native.slow_disk(self.work / "speech-wav", 5000, 1000)
        return Case(
            "slow", "Speech as in (a), on a disk that takes 5 ms longer for every opening and 1 ms for every read", clips,
            self.log_mel(clips, jobs=0, environment=disk), [
                (self.log_mel(clips, name=f"Veery, --jobs {few}", jobs=few, environment=disk), None),
                (self.log_mel(clips, name=f"Veery, --jobs {most}", jobs=most, environment=disk), None),
                (self.log_mel(clips, name="Veery on the disk itself", jobs=0), None),
                (self.peer("torch DataLoader", clips, jobs=most, environment=disk), None)])

    def case_f(self):
        clips = self.set("speech-wav")
        half, packed = "store.type=float16", "store.compression=deflate"
        return Case(
            "f", "Speech as in (a), normalised over the dataset, float16, deflate", clips,
            self.veery(clips, half, packed),
            [(self.veery(clips, half, packed, name="the same, one job", jobs=1), 1.7),
             (self.veery(clips, packed, name="float32, deflate"), None),
             (self.veery(clips, half, name="float16, not compressed"), None),
             (self.veery(clips, name="float32, not compressed"), None),
             (self.floor(clips), None)])
