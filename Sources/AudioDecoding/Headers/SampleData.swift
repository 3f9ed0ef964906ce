/// Where a file has its samples, and how many bytes of them its header promises.
struct SampleData: Equatable {
    /// A number in the header by which a reader would know how many bytes or frames there are.
    struct Field: Equatable {
        /// What it counts.
        enum Meaning: Equatable {
            /// Bytes of sample data, and so many more.
            case data(plus: Int)
            /// Bytes of the file behind this place.
            case file(behind: Int)
            /// Frames.
            case frames
        }

        let place: Int
        /// Bytes: 4 or 8.
        let width: Int
        let isBigEndian: Bool
        let meaning: Meaning
    }

    /// Where the samples begin, in bytes.
    let offset: Int
    /// Bytes of them that the header promises; nil: it does not say, and the samples reach to the end of the file.
    let promised: Int?
    /// Bytes from there to the end of the file.
    let present: Int
    /// Whether the file's own beginning stands where its samples should.
    let isRestarted: Bool
    /// The numbers that say how long the data are.
    let fields: [Field]

    /// From here on a size of 32 bits is one that a program writes into a pipe, where it cannot know it: SoX 0x7FFFF000,
    /// arecord 0x7FFFFFFF less a header, ffmpeg 0xFFFFFFFF. Unless that much may really have been there.
    private static let pipeSize = 0x7F00_0000
    private static let enough = 1 << 30
    /// No recording is that long: ffmpeg writes 2^63 − 1 into a pipe.
    private static let endless = 1 << 40

    /// - Parameters:
    ///   - file: The file.
    ///   - offset: Where the samples begin.
    ///   - size: Their number of bytes as the header has it.
    ///   - overhead: How many bytes more than the samples that counts.
    ///   - isEmpty: Whether a size that leaves nothing for samples means that there are none.
    init(
        _ file: HeaderBytes, offset: Int, size: UInt64, overhead: Int = 0, isEmpty: @autoclosure () -> Bool,
        fields: [Field]
    ) {
        self.offset = offset
        present = max(file.fileSize - offset, 0)
        self.fields = fields
        isRestarted = file.bytes(at: offset, 16).map { $0.elementsEqual(file.bytes(at: 0, 16) ?? []) } ?? false
        let size = Int(clamping: size)
        let isOfPipe =
            size >= Self.endless || size == 0xFFFF_FFFF
            || (Self.pipeSize...0xFFFF_FFFF).contains(size) && present < Self.enough
        promised = isOfPipe || size < overhead || size == overhead && !isEmpty() ? nil : size - overhead
    }

    /// What has to stand in the header for a reader to read to the end of the file.
    ///
    /// - Parameter frameSize: Bytes of a frame; nil: that is not known, and numbers of frames stay as they are.
    /// - Returns: Places and bytes; nil where a number does not fit.
    func corrections(frameSize: Int?) -> [(place: Int, bytes: [UInt8])]? {
        let whole = frameSize.map { present / $0 * $0 } ?? present
        var corrections: [(place: Int, bytes: [UInt8])] = []
        for field in fields {
            let value: Int
            switch field.meaning {
            case .data(let more): value = whole + more
            case .file(let place): value = offset + present - place
            case .frames:
                guard let frameSize else { continue }
                value = whole / frameSize
            }
            guard field.width == 8 || value <= Int(UInt32.max) else { return nil }
            let bytes = (0..<field.width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            corrections.append((field.place, field.isBigEndian ? bytes.reversed() : bytes))
        }
        return corrections
    }
}
