/// The header of a frame of MPEG audio (MP3 and the older layers): four bytes, without a checksum.
struct MPEGFrameHeader: Equatable {
    /// What cannot change within a recording.
    struct Kind: Hashable {
        enum Version: Hashable { case one, two, twoAndHalf }

        let version: Version
        /// 1, 2 or 3.
        let layer: Int
        /// In Hz.
        let sampleRate: Int
        /// 1 or 2.
        let channels: Int

        /// Samples of each channel in a frame.
        var frameSamples: Int {
            switch layer {
            case 1: 384
            case 2: 1152
            default: version == .one ? 1152 : 576
            }
        }

        /// Bytes between the end of a frame's header and the end of its side information, where `Xing` or `Info` begins.
        var sideBytes: Int {
            switch (version, channels) {
            case (.one, 2): 32
            case (.one, _), (_, 2): 17
            default: 9
            }
        }
    }

    /// Bytes of a header.
    static let byteCount = 4
    /// Maximum bytes of a frame: layer 2 with 384 kbit/s at 32 kHz, less than the longest one of a free format.
    static let maximumFrameBytes = 4096

    let kind: Kind
    /// Bytes of the frame; nil: a free format, whose frames all have a length that no header gives.
    let frameBytes: Int?
    /// Bytes that a frame of a free format has more than others.
    let padding: Int

    /// Reads a header; nil where these are not the first bytes of a frame.
    init?(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        guard first == 0xFF, second & 0xE0 == 0xE0 else { return nil }
        let version: Kind.Version
        switch second >> 3 & 3 {
        case 0: version = .twoAndHalf
        case 2: version = .two
        case 3: version = .one
        default: return nil
        }
        let layer = 4 - Int(second >> 1 & 3)
        let (bits, rate) = (Int(third >> 4), Int(third >> 2 & 3))
        // 2 of emphasis is reserved: a frame never has it.
        guard layer < 4, bits < 15, rate < 3, fourth & 3 != 2 else { return nil }
        let divisor = version == .one ? 1 : version == .two ? 2 : 4
        let sampleRate = [44_100, 48_000, 32_000][rate] / divisor
        kind = Kind(version: version, layer: layer, sampleRate: sampleRate, channels: fourth >> 6 == 3 ? 1 : 2)
        let slot = layer == 1 ? 4 : 1
        padding = Int(third >> 1 & 1) * slot
        guard bits > 0 else {
            frameBytes = nil
            return
        }
        let bitRate = 1000 * Self.bitRates(version, layer)[bits - 1]
        frameBytes = kind.frameSamples / 8 / slot * bitRate / sampleRate * slot + padding
    }

    /// In kbit/s, of the index from 1 on.
    private static func bitRates(_ version: Kind.Version, _ layer: Int) -> [Int] {
        switch (version, layer) {
        case (.one, 1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
        case (.one, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
        case (.one, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        case (_, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
        default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        }
    }
}
