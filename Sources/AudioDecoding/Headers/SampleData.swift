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

    /// What the file has after the samples.
    enum Rest: Equatable {
        /// Nothing, chunks, tags or zeros, or the header does not say where the samples end.
        case harmless
        /// Another recording, with a header like that of the first.
        case recording
        /// The end of the samples is there, whose size has more than the 32 bits of the header.
        case samples(bytes: Int)
        /// Other bytes, maybe samples.
        case other
    }

    let offset: Int
    /// Their bytes by the header; nil: not given, and the samples reach to the end of the file.
    let promised: Int?
    /// Bytes from `offset` to the end of the file.
    let present: Int
    /// Whether the file's header is repeated where samples belong.
    let isRestarted: Bool
    let rest: Rest
    /// The numbers that give the length of the data.
    let fields: [Field]

    /// SoX's sizes in WAV and AIFF, and that of recorders that count no further.
    private static let cappedSizes = [0x7FFF_F000, 0x7F00_0008, 0x7FFF_FFFF]

    /// - Parameters:
    ///   - size: The bytes of the samples by the header, `overhead` included.
    ///   - alignment: Chunks after the samples start at multiples of it.
    ///   - isWellFormed: Whether the file from an offset on is valid as the part after the samples.
    init(
        _ file: HeaderBytes, offset: Int, size: UInt64, overhead: Int = 0, alignment: Int = 1,
        isWellFormed: (Int) -> Bool, fields: [Field]
    ) {
        self.offset = offset
        present = max(file.fileSize - offset, 0)
        self.fields = fields
        isRestarted = file.bytes(at: offset, 16).map { $0.elementsEqual(file.bytes(at: 0, 16) ?? []) } ?? false
        let size = Int(clamping: size)
        promised =
            PipeSize.isOne(size, present: present) || size < overhead || size == overhead && !isWellFormed(offset)
                // The sound may be longer than such a size.
                || (Self.cappedSizes.contains(size) && size - overhead < present
                    && !isWellFormed(offset + size - overhead))
            ? nil : size - overhead
        rest =
            promised.map { promised in
                let limit = fields.contains { $0.width == 4 && $0.meaning == .data(plus: overhead) } ? 1 << 32 : nil
                return Self.rest(
                    file, offset: offset, promised: promised, alignment: alignment, limit: limit,
                    isWellFormed: isWellFormed)
            } ?? .harmless
    }

    /// What follows the samples.
    ///
    /// - Parameter limit: What is lost of a size that does not fit into the header is a multiple of it; nil: none is lost.
    private static func rest(
        _ file: HeaderBytes, offset: Int, promised: Int, alignment: Int, limit: Int?, isWellFormed: (Int) -> Bool
    ) -> Rest {
        func starts(_ size: Int) -> [Int] {
            let end = offset + size
            return [end, (end + alignment - 1) / alignment * alignment]
        }
        guard offset + promised < file.fileSize else { return .harmless }
        for start in starts(promised) {
            if isSameKind(file, at: start) { return .recording }
            if isWellFormed(start) { return .harmless }
            if tags.contains(where: { file.has($0, at: start) }) { return .harmless }
        }
        if let limit, file.fileSize - offset - promised >= limit {
            let size = promised + (file.fileSize - offset - promised) / limit * limit
            if starts(size).contains(where: isWellFormed) { return .samples(bytes: size) }
        }
        return file.isZero(from: offset + promised) ? .harmless : .other
    }

    /// Whether bytes start like the file.
    private static func isSameKind(_ file: HeaderBytes, at offset: Int) -> Bool {
        guard let own = file.bytes(at: 0, 16), let found = file.bytes(at: offset, 16) else { return false }
        func isEqual(_ range: Range<Int>) -> Bool {
            own.dropFirst(range.lowerBound).prefix(range.count)
                .elementsEqual(found.dropFirst(range.lowerBound).prefix(range.count))
        }
        guard !file.has("riff", at: 0) else { return isEqual(0..<16) }
        // Between the name of a chunk and that of its kind, there is a size.
        let isChunk = ["RIFF", "RIFX", "RF64", "BW64", "FORM"].contains { file.has($0, at: 0) }
        return isEqual(0..<4) && (!isChunk || isEqual(8..<12))
    }

    /// Tags that programs append to any file.
    private static let tags = ["TAG", "ID3", "APETAGEX", "LYRICS"]

    /// A WAV with sizes of 64 bits around the samples of a file whose sizes have lost their upper bits.
    ///
    /// - Parameter count: Bytes of the samples.
    func layoutOfLongWave(bytes count: Int) -> SourceLayout? {
        // The name and the size of the chunk end where the samples start.
        let sizeField = offset - 4
        guard fields.contains(Field(offset: sizeField, width: 4, isBigEndian: false, meaning: .data(plus: 0))) else {
            return nil
        }
        func number(_ value: Int, _ width: Int) -> [UInt8] {
            (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let unknown = number(0xFFFF_FFFF, 4)
        var start = Array("RF64".utf8) + unknown + Array("WAVEds64".utf8) + number(28, 4)
        start += number(offset + count + 28, 8) + number(count, 8) + number(0, 8) + number(0, 4)
        return SourceLayout(
            inserting: start, before: 12..<offset + count,
            patches: [SourceLayout.Patch(offset: sizeField, bytes: unknown)])
    }

    /// The file with a header that lets a reader read to its end.
    ///
    /// - Parameter frameSize: Bytes of a frame; nil: unknown, and numbers of frames are not corrected.
    /// - Returns: Nil where a number does not fit into the header, and the format has none that is longer.
    func correctedLayout(frameSize: Int?) -> SourceLayout? {
        let whole = frameSize.map { present / $0 * $0 } ?? present
        guard let corrections = corrections(whole, frameSize: frameSize) else { return layoutOfLongWave(bytes: whole) }
        return SourceLayout(size: offset + present, patches: corrections)
    }

    private func corrections(_ whole: Int, frameSize: Int?) -> [SourceLayout.Patch]? {
        var corrections: [SourceLayout.Patch] = []
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
            corrections.append(
                SourceLayout.Patch(offset: field.offset, bytes: field.isBigEndian ? bytes.reversed() : bytes))
        }
        return corrections
    }
}

/// Sizes of samples that programs write into pipes, where the size is unknown.
package enum PipeSize {
    /// Of 32 bits: SoX 0x7FFFF000, arecord 0x7FFFFFFF less a header, ffmpeg 0xFFFFFFFF. With `enough` bytes present, the size
    /// may be real.
    private static let sizes = 0x7F00_0000...0xFFFF_FFFF
    private static let enough = 1 << 30
    /// Longer than any recording: ffmpeg writes 2^63 − 1.
    private static let endless = 1 << 40

    /// Whether a size says nothing.
    ///
    /// - Parameter present: Bytes that are there.
    package static func isOne(_ size: Int, present: Int) -> Bool {
        size >= endless || size == 0xFFFF_FFFF || sizes.contains(size) && present < enough
    }
}
