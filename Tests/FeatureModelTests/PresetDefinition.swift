import FeatureModel

/// What a preset has to be, written out from the program that it reproduces, key by key.
struct PresetDefinition {
    /// The sections that are not the same in all, as JSON, every key of them.
    private let audio, frame, transform, scale: String
    /// Normalisation: over the dataset, or none.
    private var isNormalized = false
    /// Values in a row at the preset's rate, or at 44,100 Hz.
    let bins: Int
    /// The unit of a stored value.
    let units: String
    /// What the values are.
    let longName: String

    private init(
        audio: String, frame: String, transform: String, scale: String, bins: Int, units: String, longName: String,
        isNormalized: Bool = false
    ) {
        (self.audio, self.frame, self.transform, self.scale) = (audio, frame, transform, scale)
        (self.bins, self.units, self.longName, self.isNormalized) = (bins, units, longName, isNormalized)
    }

    /// The whole configuration.
    var json: String {
        """
        {"version": 1, "audio": {\(audio), "duration": null},
         "condition": {"remove_dc": false, "dct_filter": null, "pre_emphasis": 0}, "frame": {\(frame)},
         "transform": {\(transform)}, "scale": {\(scale)},
         "normalize": {"scope": "\(isNormalized ? "dataset" : "none")", "method": "zscore", "axis": "bin", "fit": "train"},
         "store": {"layout": "packed", "type": "float32", "compression": "none"}}
        """
    }

    static let all: [Preset: PresetDefinition] = [
        .logMel: PresetDefinition(
            audio: #""sample_rate": 16000, "channels": "mix", "scale": "unit""#,
            frame: frame("400", "160", "512", "hann"),
            transform: mel(bins: 80, low: 0, high: "8000", "slaney", "slaney", "hertz"),
            scale: scale("ln"), bins: 80, units: "zscore of ln(power)", longName: "mel spectrogram", isNormalized: true),
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
    ]

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

    private static func bank(_ low: Int, _ high: String, _ scale: String, _ norm: String, _ triangles: String) -> String
    {
        """
        "low": \(low), "high": \(high), "mel_scale": "\(scale)", "mel_norm": "\(norm)", "triangles": "\(triangles)",
        "spectrum": "power"
        """
    }

    private static func mel(
        bins: Int, low: Int, high: String, _ scale: String, _ norm: String, _ triangles: String
    ) -> String {
        #""kind": "mel", "bins": \#(bins), "deltas": 0, "delta_window": 2, "#
            + bank(low, high, scale, norm, triangles)
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
        factor: String = "1", limit: String = "null"
    ) -> String {
        """
        "kind": "\(kind)", "floor": \(floor), "reference": \(reference), "top_db": \(top), "offset": \(offset),
        "factor": \(factor), "limit": \(limit)
        """
    }
}
