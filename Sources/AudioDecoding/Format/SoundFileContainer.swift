import CSndfile

/// The kinds of sound file that can be written, as far as libsndfile was built with them.
package enum SoundFileContainer: CaseIterable, Sendable {
    case wav, rf64, w64, aiff, au, caf, flac, ogg, opus, mp3

    /// The container that a name's extension stands for; nil: none, or one that is not known.
    package init?(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        guard let found = Self.allCases.first(where: { $0.extensions.contains(ending) }) else { return nil }
        self = found
    }

    /// The extensions of names, without a dot, the usual one first.
    package var extensions: [String] {
        switch self {
        case .wav: ["wav", "wave"]
        case .rf64: ["rf64"]
        case .w64: ["w64"]
        case .aiff: ["aiff", "aif", "aifc"]
        case .au: ["au", "snd"]
        case .caf: ["caf"]
        case .flac: ["flac"]
        case .ogg: ["ogg", "oga"]
        case .opus: ["opus"]
        case .mp3: ["mp3"]
        }
    }

    /// The extensions that this library can write, the usual ones, each with its dot.
    package static var writableExtensions: [String] {
        let plain = SoundFileFormat(code: Int32(SF_FORMAT_WAV) | SoundEncoding.pcm16.rawValue)
        return allCases.compactMap { container in
            SoundFileFormat.output(container, like: plain, sampleRate: 48_000, channels: 1) == nil
                ? nil : "." + container.extensions[0]
        }
    }

    /// libsndfile's numbers of the containers whose files have such names; that of a new file first.
    var codes: [Int32] {
        switch self {
        // Long recordings are RF64 and called .wav; WAVEX is how WAV of many channels is written.
        case .wav: [Int32(SF_FORMAT_WAV), Int32(SF_FORMAT_WAVEX), Int32(SF_FORMAT_RF64)]
        case .rf64: [Int32(SF_FORMAT_RF64)]
        case .w64: [Int32(SF_FORMAT_W64)]
        case .aiff: [Int32(SF_FORMAT_AIFF)]
        case .au: [Int32(SF_FORMAT_AU)]
        case .caf: [Int32(SF_FORMAT_CAF)]
        case .flac: [Int32(SF_FORMAT_FLAC)]
        case .ogg, .opus: [Int32(SF_FORMAT_OGG)]
        // SF_FORMAT_MPEG, which a header older than 1.1 lacks.
        case .mp3: [0x23_0000]
        }
    }

    /// The encodings of a container that is about them; empty: any that fits.
    var codecs: [SoundEncoding] {
        switch self {
        case .ogg: [.vorbis, .opus]
        case .opus: [.opus]
        case .mp3: [.mpegLayer3]
        default: []
        }
    }

    /// The encodings for the sound of an input in another one, the nearest first.
    func encodings(like input: SoundEncoding?) -> [SoundEncoding] {
        codecs.isEmpty ? (input ?? .pcm16).plainEncodings : [codecs[0]]
    }

    /// The most bytes of samples, where the size is written with 32 bits.
    var maximumBytes: Int? {
        switch self {
        case .wav, .aiff, .au: Int(UInt32.max) - 0x1_0000
        default: nil
        }
    }

    /// What it asks of rate and channels; nil: nothing that matters.
    var demands: String? {
        switch self {
        case .opus: "Opus takes 8000, 12000, 16000, 24000 and 48000 Hz only"
        case .mp3: "MP3 takes one or two channels at 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100 or 48000 Hz"
        case .flac: "FLAC takes up to 8 channels and 655350 Hz"
        case .ogg: "Vorbis takes up to 255 channels and 200000 Hz"
        default: nil
        }
    }
}
