/// Names that users know and that mean more than one preset, or nearly one; those that mean one are its aliases.
enum ModelNames {
    /// Names of models or of features, presets, and why these, as an addition to a name.
    private struct Entry {
        let names: [String]
        let presets: [Preset]
        let reason: String
    }

    private static let table: [Entry] = [
        Entry(
            names: ["conformer"], presets: [.espnet, .icefall, .parakeet],
            reason: "by the toolkit that it was trained with"),
        Entry(names: ["k2", "sherpa"], presets: [.icefall], reason: "features of icefall"),
        Entry(names: ["fun-asr", "funasr"], presets: [.paraformer], reason: ""),
        Entry(names: ["filterbank"], presets: [.kaldiFBank], reason: "the filter bank of Kaldi"),
        Entry(names: ["perch"], presets: [.perch1, .perch2], reason: ""),
        Entry(names: ["surfperch"], presets: [.perch1], reason: "the first version of Perch"),
        Entry(names: ["avex"], presets: [.eat, .avexEffNet, .beats], reason: "by the model's kind"),
        Entry(names: ["biolingual"], presets: [.clap], reason: "features of CLAP"),
        Entry(names: ["bigvgan"], presets: [.hifiGAN22k, .bigVGAN24k, .bigVGAN44k], reason: "by its rate"),
        Entry(names: ["discogs-effnet"], presets: [.musicnn], reason: "nearly the same, with a symmetric window"),
        Entry(names: ["speaker-embedding"], presets: [.wespeaker, .threeDSpeaker, .ecapa, .resemblyzer], reason: ""),
        Entry(names: ["logmel"], presets: [.logMel, .wideLogMel], reason: ""),
        Entry(
            names: ["log-mel-spectrogram", "melspectrogram", "mel-spectrogram"],
            presets: [.logMel, .wideLogMel, .librosaLogMel], reason: ""),
        Entry(names: ["stft", "fft", "spectrum"], presets: [.spectrogram], reason: ""),
        Entry(names: ["dct"], presets: [.scrollingDCT], reason: ""),
        Entry(
            names: ["cqt", "chroma", "constant-q"], presets: [.musicalSpectrum],
            reason: "points at semitones, from an FFT"),
    ]

    /// What a name means: names of presets or aliases, and why; nil: no name of the table, and no alias, begins it.
    ///
    /// - Parameter name: In small letters, with `-` between words.
    /// - Complexity: O(bytes of `presets.txt`) for each preset.
    static func meaning(of name: String) -> (names: [String], reason: String)? {
        // As Hugging Face has it: facebook/hubert-base-ls960.
        let own = name.split(separator: "/").last.map(String.init) ?? name
        var best: (length: Int, names: [String], reason: String)?
        func take(_ known: String, _ names: [String], _ reason: String) {
            guard own == known || own.hasPrefix(known + "-"), known.utf8.count > best?.length ?? 0 else { return }
            best = (known.utf8.count, names, reason)
        }
        for entry in table {
            for known in entry.names { take(known, entry.presets.map(\.rawValue), entry.reason) }
        }
        for preset in Preset.allCases {
            for alias in preset.aliases {
                take(
                    alias.name, [alias.name],
                    "\(([preset.rawValue] + alias.settings.map(\.assignment)).joined(separator: ", "))")
            }
        }
        return best.map { ($0.names, $0.reason) }
    }
}
