/// Offset of a file's samples, and their size by the header.
struct SampleData: Equatable {
    /// A number in the header that gives bytes or frames.
    struct Field: Equatable {
        enum Meaning: Equatable {
            /// Bytes of sample data, and a constant.
            case data(plus: Int)
            /// Bytes of the file after an offset.
            case file(behind: Int)
            case frames
        }

        let offset: Int
        /// Bytes: 4 or 8.
        let width: Int
        let isBigEndian: Bool
        let meaning: Meaning
    }

    let offset: Int
    /// Their bytes by the header; nil: not given, and the samples reach to the end of the file.
    let promised: Int?
    /// Bytes from `offset` to the end of the file.
    let present: Int
    /// Whether the file's header is repeated where samples belong.
    let isRestarted: Bool
    /// The numbers that give the length of the data.
    let fields: [Field]

    /// Sizes of 32 bits that programs write into pipes, where the size is unknown: SoX 0x7FFFF000, arecord 0x7FFFFFFF less a
    /// header, ffmpeg 0xFFFFFFFF. With `enough` bytes present, the size may be real.
    private static let pipeSizes = 0x7F00_0000...0xFFFF_FFFF
    private static let enough = 1 << 30
    /// SoX's sizes in WAV and AIFF.
    private static let sizesOfSoX = [0x7FFF_F000, 0x7F00_0008]
    /// Longer than any recording: ffmpeg writes 2^63 − 1 into a pipe.
    private static let endless = 1 << 40

    /// - Parameters:
    ///   - size: The bytes of the samples by the header, `overhead` included.
    ///   - isWellFormed: Whether the file from an offset on is valid as the part after the samples.
    init(
        _ file: HeaderBytes, offset: Int, size: UInt64, overhead: Int = 0, isWellFormed: (Int) -> Bool, fields: [Field]
    ) {
        self.offset = offset
        present = max(file.fileSize - offset, 0)
        self.fields = fields
        isRestarted = file.bytes(at: offset, 16).map { $0.elementsEqual(file.bytes(at: 0, 16) ?? []) } ?? false
        let size = Int(clamping: size)
        promised =
            Self.isOfPipe(size, present: present) || size < overhead || size == overhead && !isWellFormed(offset)
                // The sound from SoX's pipe may be longer than the size in its header.
                || (Self.sizesOfSoX.contains(size) && size - overhead < present
                    && !isWellFormed(offset + size - overhead))
            ? nil : size - overhead
    }

    /// Whether the size was written into a pipe, where it was unknown.
    private static func isOfPipe(_ size: Int, present: Int) -> Bool {
        size >= endless || size == 0xFFFF_FFFF || pipeSizes.contains(size) && present < enough
    }

    /// Corrections of the header that let a reader read to the end of the file.
    ///
    /// - Parameter frameSize: Bytes of a frame; nil: unknown, and numbers of frames are not corrected.
    /// - Returns: Offsets and bytes; nil where a number does not fit.
    func corrections(frameSize: Int?) -> [(offset: Int, bytes: [UInt8])]? {
        let whole = frameSize.map { present / $0 * $0 } ?? present
        var corrections: [(offset: Int, bytes: [UInt8])] = []
        for field in fields {
            let value: Int
            switch field.meaning {
            case .data(let more): value = whole + more
            case .file(let start): value = offset + present - start
            case .frames:
                guard let frameSize else { continue }
                value = whole / frameSize
            }
            guard field.width == 8 || value <= Int(UInt32.max) else { return nil }
            let bytes = (0..<field.width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            corrections.append((field.offset, field.isBigEndian ? bytes.reversed() : bytes))
        }
        return corrections
    }
}
