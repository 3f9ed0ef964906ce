@testable import LiveAnalysis

/// WAV headers that come through a pipe, piece by piece.
enum WaveStreamFuzzing {
    static func take(_ bytes: UnsafeRawBufferPointer) {
        let bytes = Array(bytes)
        let whole = Result { () throws(WaveStreamProblem) in try WaveStreamHeader.read(bytes) }
        if case .success(let header?) = whole {
            law(header.byteCount <= bytes.count, "a header is no longer than what was read")
            law(header.dataBytes.map { $0 >= 0 } ?? true, "no negative length")
        }
        _ = try? WaveStreamHeader.read(bytes, fileBytes: bytes.count)
        var isKnown = false
        for count in Set([0, 8, 11, 12, 20, 36, 44] + stride(from: 0, to: bytes.count, by: 1 + bytes.count / 16))
            .sorted()
        where count <= bytes.count {
            let part = Result { () throws(WaveStreamProblem) in try WaveStreamHeader.read(Array(bytes[..<count])) }
            if case .success(nil) = part {
                law(!isKnown, "no part of a header that was known is unknown later")
                continue
            }
            isKnown = true
            law(part == whole, "more bytes do not make another header")
        }
    }
}
