/// Names that users know, and the presets that they mean: by what a model takes, not by its letters.
enum ModelNames {
    /// Names of models or of features, presets, and why these, as an addition to a name.
    private struct Entry {
        let names: [String]
        let presets: [Preset]
        let reason: String
    }

    private static let table: [Entry] = [
        Entry(
            names: ["hubert", "wavlm", "data2vec", "unispeech", "xlsr", "xls-r", "mms"], presets: [.wav2vec2],
            reason: "it takes samples, as wav2vec 2.0 does"),
        Entry(
            names: ["w2v-bert", "wav2vec2-bert", "seamless-m4t", "seamlessm4t"], presets: [.seamless],
            reason: "features of SeamlessM4T"),
        Entry(
            names: ["whisper-large-v3", "distil-large-v3", "qwen2-audio", "qwen2.5-omni", "ultravox"],
            presets: [.whisper],
            reason: "with transform.bins=128"),
        Entry(
            names: ["distil-whisper", "distil-small", "distil-medium"], presets: [.whisper],
            reason: "features of Whisper"),
        Entry(
            names: ["fastconformer", "stt-en-conformer", "nemo"], presets: [.parakeet],
            reason: "features of NeMo, of 80 bands"),
        Entry(names: ["canary"], presets: [.parakeet], reason: "with transform.bins=128"),
        Entry(
            names: ["conformer"], presets: [.espnet, .icefall, .parakeet],
            reason: "by the toolkit that it was trained with"),
        Entry(names: ["zipformer", "k2", "sherpa"], presets: [.icefall], reason: "features of icefall"),
        Entry(names: ["ecapa", "ecapa-tdnn"], presets: [.speechbrainFBank], reason: "features of SpeechBrain"),
        Entry(names: ["ssast"], presets: [.ast], reason: "features of AST"),
        Entry(names: ["wenet", "filterbank"], presets: [.kaldiFBank], reason: "the filter bank of Kaldi"),
        Entry(names: ["perch", "surfperch"], presets: [.perch1], reason: "the first version of Perch"),
        Entry(names: ["panns", "cnn14"], presets: [.pannsCNN14], reason: ""),
        Entry(names: ["logmel"], presets: [.logMel], reason: ""),
        Entry(
            names: ["log-mel-spectrogram", "melspectrogram", "mel-spectrogram"], presets: [.logMel, .librosaLogMel],
            reason: ""),
        Entry(names: ["stft", "fft", "spectrum"], presets: [.spectrogram], reason: ""),
        Entry(names: ["dct"], presets: [.scrollingDCT], reason: ""),
        Entry(
            names: ["cqt", "chroma", "constant-q"], presets: [.musicalSpectrum],
            reason: "points at semitones, from an FFT"),
    ]

    /// What a name means: the presets, and why; nil: no name of the table begins it.
    ///
    /// - Parameter name: In small letters, with `-` between words.
    static func meaning(of name: String) -> (presets: [Preset], reason: String)? {
        // As Hugging Face has it: facebook/hubert-base-ls960.
        let own = name.split(separator: "/").last.map(String.init) ?? name
        var best: (length: Int, entry: Entry)?
        for entry in table {
            for known in entry.names where own == known || own.hasPrefix(known + "-") {
                if known.utf8.count > best?.length ?? 0 { best = (known.utf8.count, entry) }
            }
        }
        return best.map { ($0.entry.presets, $0.entry.reason) }
    }
}
