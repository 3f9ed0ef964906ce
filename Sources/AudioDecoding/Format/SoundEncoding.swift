import CSndfile

/// Encodings of samples, by libsndfile's numbers: its headers before 1.1 lack some of the names.
enum SoundEncoding: Int32 {
    case signed8 = 0x01
    case pcm16 = 0x02
    case pcm24 = 0x03
    case pcm32 = 0x04
    case unsigned8 = 0x05
    case float = 0x06
    case double = 0x07
    case muLaw = 0x10
    case aLaw = 0x11
    case vorbis = 0x60
    case opus = 0x64
    case alac16 = 0x70
    case alac20 = 0x71
    case alac24 = 0x72
    case alac32 = 0x73
    case mpegLayer3 = 0x82

    /// The width of the integers that samples are rounded to before writing; nil: they are not rounded. A-law and µ-law encode
    /// 16 bits.
    var integerBits: Int? {
        switch self {
        case .signed8, .unsigned8: 8
        case .pcm16, .alac16, .muLaw, .aLaw: 16
        case .alac20: 20
        case .pcm24, .alac24: 24
        case .pcm32, .alac32: 32
        case .float, .double, .vorbis, .opus, .mpegLayer3: nil
        }
    }

    /// Bytes of a sample in the file; nil: it varies.
    var bytes: Int? {
        switch self {
        case .signed8, .unsigned8, .muLaw, .aLaw: 1
        case .pcm16: 2
        case .pcm24: 3
        case .pcm32, .float: 4
        case .double: 8
        case .vorbis, .opus, .mpegLayer3, .alac16, .alac20, .alac24, .alac32: nil
        }
    }

    /// Encodings without blocks for sound in this encoding, the nearest first.
    var plainEncodings: [SoundEncoding] {
        switch self {
        case .signed8: [.signed8, .unsigned8, .pcm16]
        case .unsigned8: [.unsigned8, .signed8, .pcm16]
        case .muLaw, .aLaw: [self, .pcm16]
        case .pcm16, .alac16, .vorbis, .opus, .mpegLayer3: [.pcm16]
        case .pcm24, .alac20, .alac24: [.pcm24, .pcm32, .pcm16]
        case .pcm32, .alac32: [.pcm32, .pcm24, .pcm16]
        case .float: [.float, .pcm24, .pcm16]
        case .double: [.double, .float, .pcm24, .pcm16]
        }
    }
}
