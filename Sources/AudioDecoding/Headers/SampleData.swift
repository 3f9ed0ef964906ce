/// The offset of a file's samples, and how many bytes of them the header promises.
struct SampleData: Equatable {
    /// A number in the header by which a reader would know how many bytes or frames there are.
    struct Field: Equatable {
        /// What it counts.
        enum Meaning: Equatable {
            /// Bytes of sample data, and a constant.
            case data(plus: Int)
            /// Bytes of the file after this offset.
            case file(behind: Int)
            /// Frames.
            case frames
        }

        let offset: Int
        /// Bytes: 4 or 8.
        let width: Int
        let isBigEndian: Bool
        let meaning: Meaning
    }

    /// Offset of the samples in bytes.
    let offset: Int
    /// Bytes of them that the header promises; nil: it does not say, and the samples reach to the end of the file.
    let promised: Int?
    /// Bytes from there to the end of the file.
    let present: Int
    /// Whether the file's header stands where its samples should.
    let isRestarted: Bool
    /// The numbers that say how long the data are.
    let fields: [Field]

    /// From here on a size of 32 bits is one that a program writes into a pipe, where it cannot know it: SoX 0x7FFFF000,
    /// arecord 0x7FFFFFFF less a header, ffmpeg 0xFFFFFFFF. Unless that much may really have been there.
    private static let pipeSizes = 0x7F00_0000...0xFFFF_FFFF
    private static let enough = 1 << 30
    /// Those of its WAV and its AIFF.
    private static let sizesOfSoX = [0x7FFF_F000, 0x7F00_0008]
    /// No recording is that long: ffmpeg writes 2^63 − 1 into a pipe.
    private static let endless = 1 << 40

    /// - Parameters:
    ///   - file: The file.
    ///   - offset: Offset of the samples.
    ///   - size: Their number of bytes as the header has it.
    ///   - overhead: How many bytes more than the samples that counts.
    ///   - isWellFormed: Whether only what may follow samples stands from an offset on.
    init(
        _ file: HeaderBytes, offset: Int, size: UInt64, overhead: Int = 0, isWellFormed: (Int) -> Bool, fields: [Field]
    ) {
        self.offset = offset
        present = max(file.fileSize - offset, 0)
        self.fields = fields
        isRestarted = file.bytes(at: offset, 16).map { $0.elementsEqual(file.bytes(at: 0, 16) ?? []) } ?? false
        let size = Int(clamping: size)
        promised =
            Self.isOfPipe(size, present: present) || size < overhead
                || size == overhead && !isWellFormed(offset)
                // What came through SoX's pipe may have been longer than its header dared to say.
                || (Self.sizesOfSoX.contains(size) && size - overhead < present
                    && !isWellFormed(offset + size - overhead))
            ? nil : size - overhead
    }

    /// Whether only a program that did not know the size would have written it.
    private static func isOfPipe(_ size: Int, present: Int) -> Bool {
        size >= endless || size == 0xFFFF_FFFF || pipeSizes.contains(size) && present < enough
    }

    /// What has to stand in the header for a reader to read to the end of the file.
    ///
    /// - Parameter frameSize: Bytes of a frame; nil: that is not known, and numbers of frames stay as they are.
    /// - Returns: Places and bytes; nil where a number does not fit.
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
