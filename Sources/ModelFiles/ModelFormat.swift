/// The programs whose configuration files are read, with the version whose constructors and defaults were read.
package enum ModelFormat: String, CaseIterable, Sendable {
    case transformers, nemo, kaldi, lhotse, htk, espnet, funasr, wenet, wespeaker, torchaudio, librosa

    /// The program and the versions, for people.
    package var title: String {
        switch self {
        case .transformers: "transformers 5.23 and 5.24"
        case .nemo: "NeMo 3.0"
        case .kaldi: "Kaldi 5.5"
        case .lhotse: "lhotse 1.33"
        case .htk: "HTK 3.4"
        case .espnet: "ESPnet 202511"
        case .funasr: "FunASR 1.4"
        case .wenet: "WeNet of December 2025"
        case .wespeaker: "WeSpeaker of July 2026"
        case .torchaudio: "torchaudio 2.11"
        case .librosa: "librosa 0.11"
        }
    }

    /// How values are written in its files.
    var notation: Notation {
        switch self {
        case .transformers, .torchaudio, .librosa: .json
        case .lhotse, .espnet, .wenet, .wespeaker: .yaml
        case .nemo, .funasr: .omegaConf
        case .kaldi, .htk: .words
        }
    }

    /// What a value's text may stand for.
    enum Notation: Sendable {
        /// Numbers are numbers.
        case json
        /// Numbers are numbers, but for `1e-05`, which YAML 1.1 reads as a text.
        case yaml
        /// As YAML; `1e-05` is a number.
        case omegaConf
        /// Every value is a word.
        case words
    }
}
