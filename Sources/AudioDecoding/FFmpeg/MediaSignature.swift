import FileIO

/// The format of a recording that ffmpeg decodes, recognised by its first bytes.
enum MediaSignature: String {
    case mp4 = "MP4"
    case asf = "ASF (WMA)"
    case amr = "AMR"
    case matroska = "Matroska or WebM"
    case avi = "AVI"
    case flv = "FLV"
    case adts = "AAC"
    case sphere = "SPHERE compressed by shorten"

    private static let asfStart: [UInt8] = [
        0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    private static let firstBoxes = ["ftyp", "moov", "mdat", "wide", "free", "skip"]

    /// Nil if the file has another format.
    init?(_ file: HeaderBytes) {
        func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
            file.bytes(at: offset, bytes.count)?.elementsEqual(bytes) ?? false
        }
        if Self.firstBoxes.contains(where: { file.has($0, at: 4) }) {
            self = .mp4
        } else if has(Self.asfStart) {
            self = .asf
        } else if file.has("#!AMR", at: 0) {
            self = .amr
        } else if has([0x1A, 0x45, 0xDF, 0xA3]) {
            self = .matroska
        } else if file.has("RIFF", at: 0), file.has("AVI ", at: 8) {
            self = .avi
        } else if file.has("FLV\u{1}", at: 0) {
            self = .flv
        } else if Self.isADTS(file) {
            self = .adts
        } else if Self.isCompressedSphere(file) {
            self = .sphere
        } else {
            return nil
        }
    }

    /// Whether the file starts with an ADTS frame of AAC, after any leading tags. MP3 has the same sync word, but its two
    /// layer bits are never both 0.
    private static func isADTS(_ file: HeaderBytes) -> Bool {
        guard let bytes = file.bytes(at: file.leadingTagsSize, 2), let first = bytes.first, let second = bytes.last
        else { return false }
        return first == 0xFF && second & 0xF6 == 0xF0
    }

    /// Whether ffmpeg reads the samples of a SPHERE file that libsndfile does not. It has no μ-law that shorten compressed.
    private static func isCompressedSphere(_ file: HeaderBytes) -> Bool {
        guard file.has("NIST_1A\n", at: 0), let start = file.bytes(at: 0, min(file.fileSize, ForeignContent.searched))
        else { return false }
        return ForeignContent.sphereCoding(Array(start))?.hasPrefix("pcm,embedded-shorten") == true
    }

    /// Whether the bytes can be read once, forward, as from a pipe.
    func isStream(_ file: HeaderBytes) -> Bool {
        switch self {
        case .asf, .amr, .matroska, .flv, .adts, .sphere: true
        case .avi: false
        case .mp4: Self.startsWithIndex(file)
        }
    }

    /// Whether the box with the index of an MP4 comes before the one with the samples.
    private static func startsWithIndex(_ file: HeaderBytes) -> Bool {
        var offset = 0
        for _ in 0..<64 {
            if file.has("moov", at: offset + 4) { return true }
            guard !file.has("mdat", at: offset + 4),
                var size = file.number(at: offset, 4, isBigEndian: true)
            else { return false }
            if size == 1, let long = file.number(at: offset + 8, 8, isBigEndian: true) { size = long }
            guard size >= 8, size < UInt64(file.fileSize - offset) else { return false }
            offset += Int(size)
        }
        return false
    }
}
