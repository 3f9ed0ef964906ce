/// The start of recordings that `veery live` reads by their names and not as a stream: as raw samples they would be noise.
enum RecordingStart {
    private static let starts: [(kind: String, bytes: [UInt8], offset: Int)] = [
        ("a FLAC file", Array("fLaC".utf8), 0), ("an Ogg file", Array("OggS".utf8), 0),
        ("an MP3 file", Array("ID3".utf8), 0),
        ("an AIFF file", Array("FORM".utf8), 0), ("an AU file", Array(".snd".utf8), 0),
        ("a SPHERE file", Array("NIST_1A".utf8), 0), ("a CAF file", Array("caff".utf8), 0),
        ("a W64 file", Array("riff".utf8), 0), ("a WavPack file", Array("wvpk".utf8), 0),
        ("an MP4 file", Array("ftyp".utf8), 4), ("a Matroska or WebM file", [0x1A, 0x45, 0xDF, 0xA3], 0),
        ("an AMR file", Array("#!AMR".utf8), 0), ("a WMA file", [0x30, 0x26, 0xB2, 0x75], 0),
    ]

    /// The kind of a recording, in words; nil: it may be raw samples.
    ///
    /// - Parameter mayBeSamples: Whether the format of raw samples is given, so that two bytes are not enough to call it an MP3.
    static func kind(of bytes: [UInt8], mayBeSamples: Bool) -> String? {
        if let known = starts.first(where: { bytes.dropFirst($0.offset).starts(with: $0.bytes) }) { return known.kind }
        guard !mayBeSamples, bytes.count > 1, bytes[0] == 0xFF else { return nil }
        // The sync word of a frame, and the bits of layer III.
        return bytes[1] & 0xE6 == 0xE2 ? "an MP3 file" : nil
    }
}
