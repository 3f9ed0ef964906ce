import CSndfile

/// Container, encoding and byte order of a sound file.
package struct SoundFileFormat: Hashable, Sendable {
    /// libsndfile's number: container, encoding and byte order in one.
    let code: Int32

    var container: Int32 { code & Int32(SF_FORMAT_TYPEMASK) }
    /// How a sample is written.
    var encoding: SoundEncoding? { SoundEncoding(rawValue: code & Int32(SF_FORMAT_SUBMASK)) }

    /// Whether it is FLAC, not in Ogg.
    var isFLAC: Bool { container == Int32(SF_FORMAT_FLAC) }
    /// Whether it is MP3 or an older MPEG layer.
    var isMPEG: Bool { SoundFileContainer.mp3.codes.contains(container) }
    /// Whether it is MP3 or an older MPEG layer in another container.
    var containsMPEG: Bool { !isMPEG && (0x80...0x82).contains(code & Int32(SF_FORMAT_SUBMASK)) }
    /// Whether it is Ogg, with any codec.
    var isOgg: Bool { container == Int32(SF_FORMAT_OGG) }

    /// Whether this libsndfile has an encoder of MP3, which LAME is.
    package static var hasEncoderOfMP3: Bool {
        var count: Int32 = 0
        let size = Int32(MemoryLayout<Int32>.size)
        sf_command(nil, Int32(SFC_GET_SIMPLE_FORMAT_COUNT), &count, size)
        return (0..<count).contains { index in
            var info = SF_FORMAT_INFO()
            info.format = index
            sf_command(nil, Int32(SFC_GET_SIMPLE_FORMAT), &info, Int32(MemoryLayout<SF_FORMAT_INFO>.size))
            return SoundFileContainer.mp3.codes.contains(info.format & Int32(SF_FORMAT_TYPEMASK))
        }
    }

    /// Whether this library writes such files.
    func isWritable(sampleRate: Int, channels: Int) -> Bool {
        // libsndfile reports this only at the first sample.
        if encoding == .vorbis, sampleRate > 200_000 { return false }
        // The check below answers yes without an encoder, too.
        if isMPEG, !Self.hasEncoderOfMP3 { return false }
        var info = SF_INFO()
        info.format = code
        info.channels = Int32(clamping: channels)
        info.samplerate = Int32(clamping: sampleRate)
        return sf_format_check(&info) == SF_TRUE
    }

    /// Samples of 32-bit floating point in a container; nil: libsndfile does not write such files.
    package static func float(in container: SoundFileContainer, sampleRate: Int, channels: Int) -> SoundFileFormat? {
        let format = SoundFileFormat(code: container.codes[0] | SoundEncoding.float.rawValue)
        return format.isWritable(sampleRate: sampleRate, channels: channels) ? format : nil
    }

    /// The format for the sound of an input in a container: that of the input where the container is the same, else the
    /// nearest encoding.
    ///
    /// Encodings in blocks of samples, such as ADPCM, become 16-bit PCM: whole blocks would be longer than the sound.
    ///
    /// - Returns: Nil where libsndfile does not write such files.
    package static func output(
        _ container: SoundFileContainer, like input: SoundFileFormat, sampleRate: Int, channels: Int
    ) -> SoundFileFormat? {
        let isSame = container.codes.contains(input.container)
        let base = isSame ? input.code & ~Int32(SF_FORMAT_SUBMASK) : container.codes[0]
        var encodings = container.encodings(like: input.encoding)
        let codecs = container.properties.codecs
        if isSame, let own = input.encoding, codecs.isEmpty || codecs.contains(own) { encodings.insert(own, at: 0) }
        let candidates = encodings.map { SoundFileFormat(code: base | $0.rawValue) }
        return candidates.first { $0.isWritable(sampleRate: sampleRate, channels: channels) }
    }
}

extension SoundFileFormat: CustomStringConvertible {
    /// `WAV, signed 16 bit PCM`: libsndfile's names without its remarks in brackets.
    package var description: String {
        func name(_ code: Int32) -> String {
            var info = SF_FORMAT_INFO()
            info.format = code
            let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
            guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, size) == 0, let name = info.name else {
                return "?"
            }
            let text = String(cString: name)
            return text.firstRange(of: " (").map { String(text[..<$0.lowerBound]) } ?? text
        }
        let encoding = name(code & Int32(SF_FORMAT_SUBMASK))
        let isSigned = ["Signed", "Unsigned"].contains(where: encoding.hasPrefix)
        return "\(name(container)), \(isSigned ? encoding.prefix(1).lowercased() + encoding.dropFirst() : encoding)"
    }
}

/// Text tags of a sound file, without the name of the program that made it: that is not a property of the sound.
package enum SoundFileTag: String, CaseIterable, Sendable {
    case title
    case artist
    case album
    case trackNumber = "track number"
    case date
    case genre
    case comment
    case copyright
    case license

    /// libsndfile's number.
    var code: Int32 {
        switch self {
        case .title: Int32(SF_STR_TITLE)
        case .artist: Int32(SF_STR_ARTIST)
        case .album: Int32(SF_STR_ALBUM)
        case .trackNumber: Int32(SF_STR_TRACKNUMBER)
        case .date: Int32(SF_STR_DATE)
        case .genre: Int32(SF_STR_GENRE)
        case .comment: Int32(SF_STR_COMMENT)
        case .copyright: Int32(SF_STR_COPYRIGHT)
        case .license: Int32(SF_STR_LICENSE)
        }
    }
}
