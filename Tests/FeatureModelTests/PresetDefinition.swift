import FeatureModel

/// What a preset has to be, written out from the program that it reproduces, key by key.
struct PresetDefinition {
    /// The sections that are not the same in all, as JSON, every key of them.
    private let audio, frame, transform, scale: String
    /// All but the filter, and all but what is the same in all.
    private let condition, normalize: String
    /// The sections that most presets do not have, `rows` and `patches`, with their names; empty: none.
    private let grouping: String
    /// Values in a row at the preset's rate, or at 44,100 Hz.
    let bins: Int
    /// The unit of a stored value.
    let units: String
    /// What the values are.
    let longName: String

    private init(
        audio: String, frame: String, transform: String, scale: String, bins: Int, units: String,
        longName: String = "mel spectrogram", condition: String = #""remove_dc": false, "pre_emphasis": 0"#,
        normalize: String = #""scope": "none""#, grouping: String = ""
    ) {
        (self.audio, self.frame, self.transform, self.scale) = (audio, frame, transform, scale)
        (self.bins, self.units, self.longName) = (bins, units, longName)
        (self.condition, self.normalize, self.grouping) = (condition, normalize, grouping)
    }

    /// The whole configuration.
    var json: String {
        """
        {"version": 1, "audio": {\(audio)\(audio.contains("duration") ? "" : #", "duration": null"#)},
         "condition": {\(condition), "dct_filter": null}, "frame": {\(frame)},
         "transform": {\(transform)}, "scale": {\(scale)},
         "normalize": {\(normalize), "method": "zscore", "axis": "bin", "fit": "train"},
         \(grouping)\(grouping.isEmpty ? "" : ",")
         "store": {"layout": "packed", "type": "float32", "compression": "none"}}
        """
    }

    static let all: [Preset: PresetDefinition] = [
        .logMel: PresetDefinition(
            audio: #""sample_rate": 16000, "channels": "mix", "scale": "unit""#,
            frame: frame("400", "160", "512", "hann"),
            transform: mel(bins: 80, low: 0, high: "8000", "slaney", "slaney", "hertz"),
            scale: scale("ln"), bins: 80, units: "zscore of ln(power)", normalize: #""scope": "dataset""#),
        .spectrogram: PresetDefinition(
            audio: #""sample_rate": null, "channels": "mix", "scale": "unit""#,
            // Times follow each recording's rate: 1103 samples of 44,100 Hz, 2048 transformed.
            frame: frame("\"25 ms\"", "\"5 ms\"", "null", "hann", align: "center"),
            transform: #""kind": "fft", "bins": null, "step": 1"#, scale: scale("db"), bins: 1025, units: "dB",
            longName: "spectrogram (real FFT)"),
        .scrollingDCT: PresetDefinition(
            audio: #""sample_rate": null, "channels": "first", "scale": "int16""#,
            frame: frame("1024", "512", "1024", "hann"),
            transform: #""kind": "dct", "bins": null, "type": 2, "norm": "none""#,
            // 20 log10(|X|/1024), floored at −80 dB: 1e-8 · 1024² as a power.
            scale: scale("db", floor: "0.01048576", reference: "1048576"), bins: 1024, units: "dB",
            longName: "spectrogram (DCT-II)"),
        .mixerFFT: PresetDefinition(
            audio: #""sample_rate": null, "channels": "mix", "scale": "unit""#,
            frame: frame("512", "512", "512", "rectangular"), transform: #""kind": "fft", "bins": 256, "step": 1"#,
            scale: scale("magnitude", reference: "512"), bins: 256, units: "magnitude",
            longName: "spectrogram (real FFT)"),
        .musicalSpectrum: PresetDefinition(
            audio: #""sample_rate": 11025, "channels": "mix", "scale": "unit""#,
            frame: frame("4096", "1102", "4096", "hann"),
            transform: #""kind": "musical", "lowest": "C1", "notes": 89, "points_per_note": 8, "tuning": 440"#,
            scale: scale("magnitude"), bins: 712, units: "magnitude", longName: "musical spectrum"),
        .liveWaveform: PresetDefinition(
            audio: #""sample_rate": null, "channels": "first", "scale": "unit""#,
            frame: frame("8192", "8192", "8192", "rectangular"), transform: #""kind": "fft", "bins": 200, "step": 1"#,
            scale: scale("magnitude", limit: "100"), bins: 200, units: "magnitude", longName: "spectrogram (real FFT)"),
        .librosaLogMel: PresetDefinition(
            audio: #""sample_rate": null, "channels": "mix", "scale": "unit""#,
            frame: frame("2048", "512", "2048", "hann", align: "center", pad: "zero"),
            transform: mel(bins: 128, low: 0, high: "null", "slaney", "slaney", "hertz"),
            scale: scale("db", top: "80"), bins: 128, units: "dB", longName: "mel spectrogram"),
        .librosaMFCC: PresetDefinition(
            audio: #""sample_rate": null, "channels": "mix", "scale": "unit""#,
            frame: frame("2048", "512", "2048", "hann", align: "center", pad: "zero"),
            transform: mfcc(bins: 20, bands: 128, low: 0, high: "null", "slaney", "slaney", "hertz", "ortho"),
            scale: scale("db", top: "80"), bins: 20, units: "cepstrum of dB",
            longName: "mel-frequency cepstral coefficients"),
        .torchaudioLogMel: PresetDefinition(
            audio: #""sample_rate": null, "channels": "mix", "scale": "unit""#,
            frame: frame("400", "200", "400", "hann", align: "center"),
            transform: mel(bins: 128, low: 0, high: "null", "htk", "none", "hertz"),
            scale: scale("ln"), bins: 128, units: "ln(power)", longName: "mel spectrogram"),
        .torchaudioMFCC: PresetDefinition(
            audio: #""sample_rate": null, "channels": "mix", "scale": "unit""#,
            frame: frame("400", "200", "400", "hann", align: "center"),
            transform: mfcc(bins: 40, bands: 128, low: 0, high: "null", "htk", "none", "hertz", "ortho"),
            scale: scale("db", top: "80"), bins: 40, units: "cepstrum of dB",
            longName: "mel-frequency cepstral coefficients"),
        .kaldiFBank: PresetDefinition(
            audio: #""sample_rate": 16000, "channels": "first", "scale": "int16""#,
            frame: frame("400", "160", "512", "povey", symmetric: true, removeDC: true, preEmphasis: "0.97"),
            transform: mel(bins: 23, low: 20, high: "null", "htk", "none", "mel"),
            // 2^-23, FLT_EPSILON.
            scale: scale("ln", floor: "1.1920928955078125e-07"), bins: 23, units: "ln(power)",
            longName: "mel spectrogram"),
        .kaldiMFCC: PresetDefinition(
            audio: #""sample_rate": 16000, "channels": "first", "scale": "int16""#,
            frame: frame("400", "160", "512", "povey", symmetric: true, removeDC: true, preEmphasis: "0.97"),
            transform: mfcc(
                bins: 13, bands: 23, low: 20, high: "null", "htk", "none", "mel", "ortho", lifter: 22, zeroth: "energy"),
            scale: scale("ln", floor: "1.1920928955078125e-07"), bins: 13, units: "cepstrum of ln(power)",
            longName: "mel-frequency cepstral coefficients"),
        .htkMFCC: PresetDefinition(
            audio: #""sample_rate": 16000, "channels": "first", "scale": "int16""#,
            frame: frame("400", "160", "512", "hamming", symmetric: true),
            transform: mfcc(
                bins: 13, bands: 23, low: 0, high: "8000", "htk", "none", "mel", "htk", lifter: 22, zeroth: "last",
                deltas: 2),
            scale: scale("ln", floor: "1"), bins: 39, units: "cepstrum of ln(power)",
            longName: "mel-frequency cepstral coefficients with deltas and delta-deltas"),
        .whisper: PresetDefinition(
            audio: #""sample_rate": 16000, "channels": "mix", "scale": "unit""#,
            frame: frame("400", "160", "400", "hann", align: "center", dropLast: true),
            transform: mel(bins: 80, low: 0, high: "8000", "slaney", "slaney", "hertz"),
            // 8 powers of ten are 80 dB; (x + 4)/4.
            scale: scale("log10", top: "80", offset: "4", factor: "0.25"), bins: 80,
            units: "0.25 * (log10(power) + 4)", longName: "mel spectrogram"),
        .voxtral: PresetDefinition(
            audio: mix16k, frame: frame("400", "160", "400", "hann", align: "center", dropLast: true),
            transform: mel(bins: 128, low: 0, high: "8000", "slaney", "slaney", "hertz"),
            // max(log10 p, 1.5 − 8) is log10 max(p, 10^−6.5).
            scale: scale("log10", floor: "3.162277660168379e-07", offset: "4", factor: "0.25"), bins: 128,
            units: "0.25 * (log10(power) + 4)"),
        .parakeet: PresetDefinition(
            audio: mix16k,
            frame: frame("400", "160", "512", "hann", symmetric: true, align: "center", pad: "zero", dropLast: true),
            transform: mel(bins: 80, low: 0, high: "8000", "slaney", "slaney", "hertz"),
            // 2^−24, added, and the unit.
            scale: scale(
                "ln", floor: "5.9604644775390625e-08", reference: "5.9604644775390625e-08", guarding: "add"), bins: 80,
            units: "zscore of ln(power)",
            condition: #""remove_dc": false, "pre_emphasis": 0.97"#,
            normalize: #""scope": "clip", "ddof": 1, "epsilon": 1e-5"#),
        .lasr: PresetDefinition(
            audio: mix16k, frame: frame("400", "160", "512", "hann", symmetric: true),
            transform: mel(bins: 128, low: 125, high: "7500", "htk", "none", "mel"),
            scale: scale("ln", floor: "1e-5"), bins: 128, units: "ln(power)"),
        .qwen3ASR: PresetDefinition(
            audio: mix16k + #", "minimum": 0.5"#,
            frame: frame("400", "160", "400", "hann", align: "center", dropLast: true),
            transform: mel(bins: 128, low: 0, high: "8000", "slaney", "slaney", "hertz"),
            scale: scale("log10", top: "80", offset: "4", factor: "0.25"), bins: 128,
            units: "0.25 * (log10(power) + 4)", grouping: #""rows": {"multiple": 100}"#),
        .seamless: PresetDefinition(
            audio: #""sample_rate": 16000, "channels": "first", "scale": "int16""#,
            frame: frame("400", "160", "512", "povey", symmetric: true, removeDC: true, preEmphasis: "0.97"),
            transform: mel(bins: 80, low: 20, high: "8000", "htk", "none", "mel"),
            scale: scale("ln", floor: "1.1920928955078125e-07"), bins: 80, units: "zscore of ln(power)",
            normalize: #""scope": "clip", "ddof": 1, "epsilon": 1e-7, "epsilon_in": "variance""#,
            grouping: #""patches": {"length": 2, "rest": "fill", "stacked": true}"#),
        .gemma3n: PresetDefinition(
            audio: mix16k + #", "duration": 30, "fit": "keep", "multiple": 128"#,
            frame: frame("512", "160", "1024", "hann", preEmphasis: "0.97") + #", "lookahead": 1"#,
            transform: mel(bins: 128, low: 125, high: "7600", "htk", "none", "hertz", spectrum: "magnitude"),
            scale: scale("ln", floor: "1e-5"), bins: 128, units: "ln(magnitude)"),
        .wav2vec2: samples(
            16000, condition: #""remove_dc": false, "gain": {"kind": "zscore", "epsilon": 1e-7}, "pre_emphasis": 0"#),
        .moonshine: samples(16000),
        .encodec: samples(24000),
        .ast: kaldiLike("unit", "first", "hann", mean: "-4.2677393", std: "9.1379948", count: 1024),
        .astSpeechCommands: kaldiLike("unit", "first", "hann", mean: "-6.845978", std: "11.1309052", count: 128),
        .audioMAE: kaldiLike("unit", "first", "hann", mean: "-4.2677393", std: "9.1379948", count: 1024),
        .beats: kaldiLike("int16", "mix", "povey", mean: "15.41663", std: "13.11164"),
        .vggish: patches(guarding: "0.01", #""length": 96"#),
        .yamnet: patches(guarding: "0.001", #""length": 96, "hop": 48, "rest": "zeros""#),
        .clap: PresetDefinition(
            audio: #""sample_rate": 48000, "channels": "mix", "scale": "unit", "duration": 10, "fit": "repeat_pad""#,
            frame: frame("1024", "480", "1024", "hann", align: "center"),
            transform: mel(bins: 64, low: 50, high: "14000", "slaney", "slaney", "hertz"), scale: scale("db"), bins: 64,
            units: "dB", condition: #""remove_dc": false, "gain": "int16", "pre_emphasis": 0"#),
        .birdnetLow: birdnet("2048", "278", low: 0, high: "3000"),
        .birdnetHigh: birdnet("1024", "280", low: 500, high: "15000"),
        .pannsCNN14: PresetDefinition(
            audio: #""sample_rate": 32000, "channels": "mix", "scale": "unit""#,
            frame: frame("1024", "320", "1024", "hann", align: "center"),
            transform: mel(bins: 64, low: 50, high: "14000", "slaney", "slaney", "hertz"), scale: scale("db"), bins: 64,
            units: "dB", condition: #""remove_dc": false, "gain": "int16", "pre_emphasis": 0"#),
        .perch1: PresetDefinition(
            audio: #""sample_rate": 32000, "channels": "mix", "scale": "unit""#,
            frame: frame("640", "320", "1024", "hann", align: "center", pad: "zero", dropLast: true),
            transform: mel(bins: 160, low: 60, high: "10000", "htk", "none", "mel"),
            // The power of |X / 320|, 320 the sum of the window; square root, so power 0.5.
            scale: scale("pcen", reference: "102400")
                + #", "gain": 0.5, "bias": 2, "power": 0.5, "time_constant": 0.4, "eps": 1e-6, "smoothing": 0.1, "start": "first""#,
            bins: 160, units: "PCEN",
            condition: #""remove_dc": true, "gain": {"kind": "peak", "level": 0.25}, "pre_emphasis": 0"#),
        .espnet: PresetDefinition(
            audio: #""sample_rate": 16000, "channels": "first", "scale": "unit""#,
            frame: frame("512", "128", "512", "hann", align: "center"),
            transform: mel(bins: 80, low: 0, high: "8000", "slaney", "slaney", "hertz"), scale: scale("ln"), bins: 80,
            units: "ln(power)"),
        .icefall: lhotse,
        .lhotseFBank: lhotse,
        .speechbrainFBank: PresetDefinition(
            audio: mix16k, frame: frame("400", "160", "400", "hamming", align: "center", pad: "zero"),
            transform: mel(bins: 40, low: 0, high: "8000", "htk", "none", "symmetric"), scale: scale("db", top: "80"),
            bins: 40, units: "dB"),
    ]

    private static let mix16k = #""sample_rate": 16000, "channels": "mix", "scale": "unit""#

    /// `torchaudio.compliance.kaldi.fbank` of 128 bands, then (v − mean)/std.
    private static func kaldiLike(
        _ unit: String, _ channels: String, _ window: String, mean: String, std: String, count: Int? = nil
    ) -> PresetDefinition {
        PresetDefinition(
            audio: #""sample_rate": 16000, "channels": "\#(channels)", "scale": "\#(unit)""#,
            frame: frame("400", "160", "512", window, symmetric: true, removeDC: true, preEmphasis: "0.97"),
            transform: mel(bins: 128, low: 20, high: "8000", "htk", "none", "mel"),
            scale: scale("ln", floor: "1.1920928955078125e-07"), bins: 128, units: "normalised ln(power)",
            normalize: #""scope": "constant", "mean": \#(mean), "std": \#(std)"#,
            grouping: count.map { #""rows": {"count": \#($0), "fill_order": "before"}"# } ?? "")
    }

    private static func patches(guarding: String, _ patches: String) -> PresetDefinition {
        PresetDefinition(
            audio: mix16k, frame: frame("400", "160", "512", "hann"),
            transform: mel(bins: 64, low: 125, high: "7500", "htk", "none", "mel", spectrum: "magnitude"),
            scale: scale("ln", floor: guarding, guarding: "add"), bins: 64, units: "ln(magnitude)",
            grouping: #""patches": {\#(patches)}"#)
    }

    private static func birdnet(_ length: String, _ hop: String, low: Int, high: String) -> PresetDefinition {
        PresetDefinition(
            audio: #""sample_rate": 48000, "channels": "mix", "scale": "unit""#,
            frame: frame(length, hop, length, "hann"),
            transform: mel(bins: 96, low: low, high: high, "htk", "none", "mel", spectrum: "real")
                + #", "order": "descending""#,
            // 1 / (1 + e^1.23)
            scale: scale("power") + #", "exponent": 0.2261814257305462"#, bins: 96, units: "power^0.2261814257305462",
            condition: #""remove_dc": false, "gain": {"kind": "minmax", "epsilon": 1e-6}, "pre_emphasis": 0"#)
    }

    private static func samples(
        _ rate: Int, condition: String = #""remove_dc": false, "pre_emphasis": 0"#
    ) -> PresetDefinition {
        PresetDefinition(
            audio: #""sample_rate": \#(rate), "channels": "mix", "scale": "unit""#,
            frame: frame("1", "1", "1", "rectangular"),
            transform: #""kind": "raw""#, scale: scale("linear"), bins: 1, units: "amplitude", longName: "waveform",
            condition: condition)
    }

    private static let lhotse = PresetDefinition(
        audio: #""sample_rate": 16000, "channels": "first", "scale": "unit""#,
        frame: frame(
            "400", "160", "512", "povey", symmetric: true, align: "kaldi", removeDC: true, preEmphasis: "0.97"),
        transform: mel(bins: 80, low: 20, high: "7600", "htk", "none", "mel"),
        scale: scale("ln", floor: "1.1920928955078125e-07"), bins: 80, units: "ln(power)")

    private static func frame(
        _ length: String, _ hop: String, _ fftLength: String, _ window: String, symmetric: Bool = false,
        align: String = "start",
        pad: String = "reflect", dropLast: Bool = false, removeDC: Bool = false, preEmphasis: String = "0"
    ) -> String {
        """
        "length": \(length), "hop": \(hop), "fft_length": \(fftLength), "window": "\(window)", "symmetric": \(symmetric),
        "align": "\(align)", "pad": "\(pad)", "drop_last": \(dropLast), "remove_dc": \(removeDC),
        "pre_emphasis": \(preEmphasis)
        """
    }

    private static func bank(
        _ low: Int, _ high: String, _ scale: String, _ norm: String, _ triangles: String, spectrum: String = "power"
    ) -> String {
        """
        "low": \(low), "high": \(high), "mel_scale": "\(scale)", "mel_norm": "\(norm)", "triangles": "\(triangles)",
        "spectrum": "\(spectrum)"
        """
    }

    private static func mel(
        bins: Int, low: Int, high: String, _ scale: String, _ norm: String, _ triangles: String,
        spectrum: String = "power"
    ) -> String {
        #""kind": "mel", "bins": \#(bins), "deltas": 0, "delta_window": 2, "#
            + bank(low, high, scale, norm, triangles, spectrum: spectrum)
    }

    private static func mfcc(
        bins: Int, bands: Int, low: Int, high: String, _ scale: String, _ norm: String, _ triangles: String,
        _ cosineNorm: String, lifter: Int = 0, zeroth: String = "first", deltas: Int = 0
    ) -> String {
        """
        "kind": "mfcc", "bins": \(bins), "bands": \(bands), "dct_norm": "\(cosineNorm)", "lifter": \(lifter),
        "c0": "\(zeroth)", "deltas": \(deltas), "delta_window": 2, \(bank(low, high, scale, norm, triangles))
        """
    }

    private static func scale(
        _ kind: String, floor: String = "1e-10", reference: String = "1", top: String = "null", offset: String = "0",
        factor: String = "1", limit: String = "null", guarding: String? = nil
    ) -> String {
        """
        "kind": "\(kind)", "floor": \(floor), "reference": \(reference), "top_db": \(top), "offset": \(offset),
        "factor": \(factor), "limit": \(limit)\(guarding.map { ", \"guard\": \"\($0)\"" } ?? "")
        """
    }
}
