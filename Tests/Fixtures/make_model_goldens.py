"""Makes the folder `models`: what the presets of models and toolkits make of a short sound, and what the originals make of it.

    python make_model_goldens.py            writes the files
    python make_model_goldens.py --check    compares them with what it would write, and changes nothing

Presets whose originals take a sample rate have cases at 22,050 and 44,100 Hz, too (../Parity/rates.py).

For each case of `models.json` there are `CASE.npy`, the formula in float64 (../Parity/reference_models.py), rounded to float32
for storage, and `CASE.original.npy`, the rows of the original itself (../Parity/peers_models.py, versions in `models.json`). The
input is a mono WAV file of 16 bits. `make parity` installs the packages into .venv-parity.
"""

import io
import json
import random
import sys
from pathlib import Path

import numpy as np
import scipy.io.wavfile

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Parity"))

import peers_models  # noqa: E402
import peers_sound  # noqa: E402
import peers_voices  # noqa: E402
from rates import CASES as AT_RATES  # noqa: E402
from reference_models import MODELS, RATES, ast, audiomae, clap, panns_cnn14, parakeet, seamless  # noqa: E402
from reference_sound import SOUND, bird_mae, eat, ms_clap_2022, ms_clap_2023, passt  # noqa: E402
from reference_voices import VOICES, clvp, paraformer, vocos_same  # noqa: E402

# Greatest distance of an original from the formula, as a part of the range: what float32 explains on this sound.
LIMIT = 2e-3


def sound(rate, seconds):
    """A chirp, three tones, noise and a mean, from faint to loud; a twelfth of silence; the last samples at full scale."""
    count = round(seconds * rate)
    time = np.arange(count) / rate
    numbers = random.Random(rate)
    noise = np.array([2 * numbers.random() - 1 for _ in range(count)])
    signal = 0.3 * np.sin(2 * np.pi * (60 * time + (0.45 * rate - 60) / (2 * seconds) * time**2)) + 0.05 * noise + 0.01
    signal += sum(0.15 * np.sin(2 * np.pi * f * time + f) for f in (220, 1000, 3000))
    signal *= 0.01 + (time / seconds) ** 2
    signal[count // 2:round(count * 0.35 / 0.6)] = 0
    signal[-rate // 50:] = np.sign(noise[-rate // 50:])
    return np.clip(np.round(signal * 32768), -32768, 32767).astype(np.int16)


INPUTS = {
    "sound-16k.wav": (16000, 0.6), "sound-16k-long.wav": (16000, 1.2), "sound-24k.wav": (24000, 0.6), "sound-32k.wav": (32000, 0.6),
    "sound-48k.wav": (48000, 0.6), "sound-22k.wav": (22050, 0.3), "sound-44k.wav": (44100, 0.3), "sound-16k-short.wav": (16000, 0.3),
    "sound-24k-short.wav": (24000, 0.3), "sound-32k-short.wav": (32000, 0.3), "sound-48k-short.wav": (48000, 0.3),
    "sound-256k-short.wav": (256000, 0.05)}
# Patches take more than the others; without a line here it is the sound at the preset's rate.
FILES = {"vggish": "sound-16k-long.wav", "yamnet": "sound-16k-long.wav"}
# The first of a sound is enough for these, whose rows are long; those of SOUND and VOICES have the shorter sounds.
CUT = {"mt3": 3200, "openl3": 9000}
# Fewer rows than the model has, for small files.
SHORT = {
    "ast": ({"rows.count": 64}, lambda x: ast(x, count=64), lambda x: peers_models.ast(x, 64)),
    "audiomae": ({"rows.count": 64}, lambda x: audiomae(x, 64), lambda x: peers_models.audiomae(x, 64)),
    "clap": ({"audio.duration": 2}, lambda x: clap(x, seconds=2), lambda x: peers_models.clap(x, 2)),
    "eat": ({"rows.count": 32}, lambda x: eat(x, 32), lambda x: peers_sound.eat(x, 32)),
    "bird-mae": ({"audio.duration": 0.36, "rows.count": 38}, lambda x: bird_mae(x, 38, 0.36), lambda x: peers_sound.bird_mae(x, 38, 0.36)),
    "ms-clap-2022": ({"audio.duration": 0.32}, lambda x: ms_clap_2022(x, 0.32), lambda x: peers_sound.ms_clap_2022(x, 0.32)),
    "ms-clap-2023": ({"audio.duration": 0.32}, lambda x: ms_clap_2023(x, 0.32), lambda x: peers_sound.ms_clap_2023(x, 0.32)),
    "clvp": ({"audio.duration": 1}, lambda x: clvp(x, 1), lambda x: peers_voices.clvp(x, 1))}


STEREO = {
    "seamless": (peers_models.seamless_stereo, "SeamlessM4TFeatureExtractor, two channels"),
    "audiomae": (lambda x: peers_models.audiomae(x, 64), "torchaudio as dataset.py calls it, two channels"),
    "ast": (lambda x: peers_models.audiomae(x, 64), "torchaudio as dataloader.py calls it, two channels"),
    "espnet": (peers_models.espnet, "ESPnet, two channels"),
    "lhotse-fbank": (lambda x: peers_models.lhotse_fbank(x[0]), "lhotse, channel 0 of a MonoCut")}


def changed(x, change):
    """The clip of a case: cut, quieter, repeated, or with itself backwards as the second channel."""
    x = np.tile(x[:change.get("samples")] * np.float32(change.get("gain", 1)), change.get("repeat", 1))
    return np.stack([x, x[::-1]]) if change.get("stereo") else x


def cases():
    """Name, preset, settings, formula, original and its name; and what is done to the sound, if anything."""
    found = []
    for name in MODELS:
        original, program = peers_models.ORIGINALS.get(name, (None, None))
        settings, formula, original = SHORT.get(name, ({}, MODELS[name], original))
        found.append((name, name, settings, formula, original, program, *([{"samples": CUT[name]}] if name in CUT else [])))
    found.append(("parakeet-128", "parakeet", {"transform.bins": 128}, lambda x: parakeet(x, 128),
                  lambda x: peers_models.parakeet(x, 128), peers_models.ORIGINALS["parakeet"][1]))
    found.append(("parakeet-nemo", "parakeet", {}, MODELS["parakeet"], peers_models.parakeet_nemo, "NeMo's FilterbankFeatures"))
    found.append(("ast-numpy", "ast", {"rows.count": 64}, lambda x: ast(x, count=64), lambda x: peers_models.ast_without_torchaudio(x, 64),
                  "ASTFeatureExtractor, NumPy"))
    found.append(("clap-fused", "clap", {"audio.duration": 2, "transform.mel_scale": "htk", "transform.mel_norm": "none"},
                  lambda x: clap(x, seconds=2, is_fused=True), lambda x: peers_models.clap(x, 2, True), peers_models.ORIGINALS["clap"][1]))
    # The sound is cut, repeated or made quieter for presets with constants that otherwise have no effect.
    for name, change in (("qwen3-asr", {"samples": 5000}), ("gemma3n", {"samples": 9250}), ("seamless", {"samples": 9500}),
                         ("wav2vec2", {"gain": 2.0**-10}), ("vggish", {"repeat": 4}), ("clap", {"repeat": 5})):
        settings, formula, original = SHORT.get(name, ({}, MODELS[name], peers_models.ORIGINALS[name][0]))
        found.append((f"{name}-{'-'.join(change)}", name, settings, formula, original, peers_models.ORIGINALS[name][1], change))
    # Two channels, given to the original as its own code loads them.
    first = {name: (lambda of: lambda x: of(x[0]))(SHORT.get(name, ({}, MODELS[name]))[1]) for name in STEREO}
    for name, (original, program) in STEREO.items():
        found.append((f"{name}-stereo", name, SHORT.get(name, ({},))[0], first[name], original, program, {"stereo": True}))
    found.append(("clap-float", "clap", {"audio.duration": 2, "condition.gain": "none"}, lambda x: clap(x, False, 2),
                  lambda x: peers_models.clap(x, 2, is_quantized=False), "ClapFeatureExtractor"))
    found.append(("seamless-w2v-bert", "seamless", {"rows.fill": 1}, lambda x: seamless(x, 1.0), lambda x: peers_models.seamless(x, 1.0),
                  "SeamlessM4TFeatureExtractor, padding_value 1", {"samples": 9500}))
    found += variants_of_voices()
    found += cases_at_rates()
    found.append(("panns-cnn14-float", "panns-cnn14", {"condition.gain": "none"}, lambda x: panns_cnn14(x, False), None, None))
    return found


def variants_of_voices():
    """Settings that notes and other names of models promise."""
    half = {"normalize.scope": "constant", "normalize.mean": list(range(560)), "normalize.std": [1 + j / 560 for j in range(560)]}
    mean, std = np.arange(560.0), 1 + np.arange(560) / 560
    yield ("paraformer-constants", "paraformer", half, lambda x: paraformer(x, mean=mean, std=std),
           lambda x: peers_voices.paraformer_normed(x, -mean, 1 / std), "FunASR, with an am.mvn")
    yield ("fun-asr-nano", "paraformer", {"audio.scale": "unit"}, lambda x: paraformer(x, 1.0), peers_voices.fun_asr,
           "FunAsrNanoFeatureExtractor")
    yield ("avex-eat", "eat", {"rows.count": 32, "normalize.mean": -5.553, "normalize.std": 9.212}, lambda x: eat(x, 32, -5.553, 4.606),
           lambda x: peers_sound.eat_of_avex(x, 32), "avex")
    yield ("univnet", "bigvgan-24k", {}, MODELS["bigvgan-24k"], peers_voices.univnet, "UnivNetFeatureExtractor")
    yield ("passt-15500", "passt", {"transform.high": 15500}, lambda x: passt(x, 15500), lambda x: peers_sound.passt(x, 15500), "hear21passt")
    yield ("vocos-same", "vocos", {"frame.align": "half"}, vocos_same, lambda x: peers_voices.vocos(x, "same"), "vocos, padding same")


def cases_at_rates():
    """For presets that have a fixed number of rows, 16 of them."""
    for case in AT_RATES:
        count = 16 if case.preset in ("ast", "ast-speech-commands", "audiomae") else None
        for file in "sound-22k.wav", "sound-44k.wav":
            rate = INPUTS[file][0]
            settings = {"audio.sample_rate": rate, **({"rows.count": count} if count else {})}
            settings |= {key: json.loads(value) for key, value in (text.split("=") for text in case.settings(rate))}

            def rows(function, rate=rate, count=count):
                return lambda x: function(x, rate)[:count]

            yield (f"{case.preset}-{rate}", case.preset, settings, rows(case.formula), rows(case.original), case.program, {"file": file})


def bytes_of(write, *parts):
    buffer = io.BytesIO()
    write(buffer, *parts)
    return buffer.getvalue()


def files():
    made, index = {}, []
    sounds = {name: (rate, sound(rate, seconds)) for name, (rate, seconds) in INPUTS.items()}
    for name, (rate, samples) in sounds.items():
        made[name] = bytes_of(scipy.io.wavfile.write, rate, samples)
    for name, preset, settings, formula, original, program, *change in cases():
        change = change[0] if change else {}
        rate = RATES.get(preset, 16000)
        is_short = preset in {**SOUND, **VOICES} and rate not in (22050, 44100)
        file = change.get("file") or FILES.get(preset, f"sound-{rate // 1000}k{'-short' if is_short else ''}.wav")
        x = changed((sounds[file][1] / 32768).astype(np.float32), change)
        values = formula(x)
        made[f"{name}.npy"] = bytes_of(np.save, values.astype(np.float32))
        case = {"name": name, "preset": preset, "set": settings, "file": file, "rows": len(values), "bins": values.shape[-1],
                "shape": values.shape, **change}
        if original is not None:
            theirs = np.asarray(original(x)).astype(np.float32)
            if theirs.shape != values.shape:
                sys.exit(f"{name}: shapes {values.shape} and {theirs.shape}")
            distance = float(np.abs(theirs - values).max() / np.ptp(values))
            if not distance <= LIMIT:
                sys.exit(f"{name}: {program} is {distance:.3g} of the range from the formula")
            made[f"{name}.original.npy"] = bytes_of(np.save, theirs)
            case |= {"original": program, "distance": float(f"{distance:.3g}")}
        index.append(case)
    lines = ",\n".join("    " + json.dumps(case) for case in index)
    generator = json.dumps({"script": Path(__file__).name, **peers_models.VERSIONS})
    made["models.json"] = f'{{\n  "generator": {generator},\n  "cases": [\n{lines}\n  ]\n}}\n'.encode()
    return made


# How much farther from the formula an original may be on another processor, whose sums in single precision have another order: 4.3 times
# were seen (audiomae-44100).
NOISE = 10


def is_equal(path, content, index):
    """Equal bytes; of an original, values equal to what single precision explains, where the versions are the same."""
    if not path.exists():
        return False
    stored = path.read_bytes()
    if stored == content:
        return True
    old, new = json.loads((path.parent / "models.json").read_text()), json.loads(index)
    if old["generator"] != new["generator"] or not path.name.endswith((".original.npy", ".json")):
        return False
    if path.name == "models.json":
        # The distance of an original has its noise.
        def plain(case):
            return {key: value for key, value in case.items() if key != "distance"}
        return list(map(plain, old["cases"])) == list(map(plain, new["cases"]))
    before, now = (next(case.get("distance", 0) for case in cases if path.name == f"{case['name']}.original.npy")
                   for cases in (old["cases"], new["cases"]))
    one, other = np.load(path).astype(np.float64), np.load(io.BytesIO(content)).astype(np.float64)
    return (now <= max(NOISE * before, 1e-6) and one.shape == other.shape
            and np.abs(one - other).max() <= max(before + now, 2e-6) * np.ptp(other))


def main():
    folder = FOLDER / "models"
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    made = files()
    if sys.argv[1:]:
        different = [name for name, content in made.items() if not is_equal(folder / name, content, made["models.json"])]
        sys.exit(f"differ: {', '.join(different)}" if different else 0)
    folder.mkdir(exist_ok=True)
    for name, content in made.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
