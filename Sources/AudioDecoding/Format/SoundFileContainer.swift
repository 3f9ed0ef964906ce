import CSndfile

/// The containers of sound files that can be written, as far as libsndfile was built with them.
package enum SoundFileContainer: CaseIterable, Sendable {
    case wav, rf64, w64, aiff, au, caf, flac, ogg, opus, mp3

    /// The container of a name's extension; nil: no extension, or an unknown one.
    package init?(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        guard let found = Self.allCases.first(where: { $0.properties.extensions.contains(ending) }) else { return nil }
        self = found
    }

    struct Properties {
        /// The extensions of names, without a dot, the usual one first.
        let extensions: [String]
        /// libsndfile's numbers of the containers with these extensions; that of new files first.
        let codes: [Int32]
        /// The encodings of a container for certain codecs; empty: any.
        let codecs: [SoundEncoding]
        /// Maximum bytes of samples, where the size has 32 bits; nil: no limit.
        let maximumBytes: Int?
        /// Restrictions of rate and channels, in words; nil: none in practice.
        let demands: String?

        init(
            _ extensions: [String], _ codes: Int..., codecs: [SoundEncoding] = [], has32BitSize: Bool = false,
            demands: String? = nil
        ) {
            (self.extensions, self.codes, self.codecs) = (extensions, codes.map { Int32($0) }, codecs)
            (maximumBytes, self.demands) = (has32BitSize ? Int(UInt32.max) - 0x1_0000 : nil, demands)
        }
    }

    /// What libsndfile demands of rate and channels, in words; nil: nothing.
    package var demands: String? { properties.demands }

    var properties: Properties {
        switch self {
        // A .wav that is read may be RF64, where it is long, or WAVEX.
        case .wav:
            Properties(
                ["wav", "wave"], Int(SF_FORMAT_WAV), Int(SF_FORMAT_WAVEX), Int(SF_FORMAT_RF64), has32BitSize: true)
        case .rf64: Properties(["rf64"], Int(SF_FORMAT_RF64))
        case .w64: Properties(["w64"], Int(SF_FORMAT_W64))
        case .aiff: Properties(["aiff", "aif", "aifc"], Int(SF_FORMAT_AIFF), has32BitSize: true)
        case .au: Properties(["au", "snd"], Int(SF_FORMAT_AU), has32BitSize: true)
        case .caf: Properties(["caf"], Int(SF_FORMAT_CAF))
        case .flac: Properties(["flac"], Int(SF_FORMAT_FLAC), demands: "FLAC takes up to 8 channels and 655350 Hz")
        case .ogg:
            Properties(
                ["ogg", "oga"], Int(SF_FORMAT_OGG), codecs: [.vorbis, .opus],
                demands: "Vorbis takes up to 255 channels and 200000 Hz")
        case .opus:
            Properties(
                ["opus"], Int(SF_FORMAT_OGG), codecs: [.opus],
                demands: "Opus takes 8000, 12000, 16000, 24000 and 48000 Hz only")
        // SF_FORMAT_MPEG, which headers before 1.1 lack.
        case .mp3:
            Properties(
                ["mp3"], 0x23_0000, codecs: [.mpegLayer3],
                demands:
                    "MP3 takes one or two channels at 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100 or 48000 Hz"
            )
        }
    }

    /// libsndfile's numbers of the containers; that of new files first.
    var codes: [Int32] { properties.codes }

    /// The encodings for the sound of an input, the nearest first.
    func encodings(like input: SoundEncoding?) -> [SoundEncoding] {
        properties.codecs.first.map { [$0] } ?? (input ?? .pcm16).plainEncodings
    }

    /// The usual extensions of the containers that this library can write, each with its dot.
    package static var writableExtensions: [String] {
        let plain = SoundFileFormat(code: Int32(SF_FORMAT_WAV) | SoundEncoding.pcm16.rawValue)
        return allCases.compactMap { container in
            SoundFileFormat.output(container, like: plain, sampleRate: 48_000, channels: 1) == nil
                ? nil : "." + container.properties.extensions[0]
        }
    }
}
