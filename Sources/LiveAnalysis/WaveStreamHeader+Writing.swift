extension WaveStreamHeader {
    /// A header for an unknown number of samples.
    static func open(_ format: LiveFormat) -> [UInt8] {
        let isFloat = format.encoding == .f32le || format.encoding == .f64le
        let chunk: [[UInt8]] = [
            bytes(isFloat ? 3 : 1, 2), bytes(format.channels, 2), bytes(format.sampleRate, 4),
            bytes(format.sampleRate * format.frameBytes, 4), bytes(format.frameBytes, 2),
            bytes(8 * format.encoding.bytes, 2),
        ]
        return Array("RIFF".utf8) + bytes(allOnes, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4) + chunk.joined()
            + Array("data".utf8) + bytes(allOnes, 4)
    }

    /// A header with the true length of the samples after it.
    ///
    /// - Parameters:
    ///   - header: All that stands before the samples.
    ///   - dataBytes: Of the samples.
    /// - Returns: The header, as long as before; nil where it has no room for the length.
    static func closed(_ header: [UInt8], _ format: LiveFormat, dataBytes: Int) -> [UInt8]? {
        guard isWave(header) else { return nil }
        let fileBytes = header.count - 8 + dataBytes + dataBytes % 2
        let frames = dataBytes / format.frameBytes
        var result = header
        func put(_ number: Int, at offset: Int, bytes count: Int) {
            result.replaceSubrange(offset..<offset + count, with: bytes(number, count))
        }
        var isLong = false
        var offset = signatureBytes
        while offset + 8 <= header.count - 8 {
            let (start, size) = (offset + 8, number(header, offset + 4, bytes: 4))
            guard start + size <= header.count else { return nil }
            let name = header[offset..<offset + 4]
            if name.elementsEqual("fact".utf8), size >= 4 {
                put(min(frames, allOnes), at: start, bytes: 4)
            } else if name.elementsEqual("ds64".utf8), size >= 24, header.starts(with: "RF64".utf8) {
                for (index, number) in [fileBytes, dataBytes, frames].enumerated() {
                    put(number, at: start + 8 * index, bytes: 8)
                }
                isLong = true
            }
            offset = start + size + size % 2
        }
        guard isLong || fileBytes < allOnes else { return nil }
        put(isLong ? allOnes : fileBytes, at: 4, bytes: 4)
        put(isLong ? allOnes : dataBytes, at: header.count - 4, bytes: 4)
        return result
    }

    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
