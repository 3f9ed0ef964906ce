/// A text in Windows-1252 as UTF-8.
final class Windows1252Bytes: ByteSource {
    private let source: any ByteSource
    /// What was read and is not converted yet.
    private var pending: ArraySlice<UInt8> = []

    init(_ source: any ByteSource) { self.source = source }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ManifestError) -> Int {
        if pending.isEmpty {
            var piece = [UInt8](repeating: 0, count: BlockReader.blockSize / 4)
            let count = try piece.withUnsafeMutableBufferPointer { piece throws(ManifestError) in
                try source.read(into: UnsafeMutableRawBufferPointer(piece))
            }
            pending = piece[..<count]
        }
        var filled = 0
        // A letter has up to three bytes in UTF-8.
        while buffer.count - filled >= 3, let byte = pending.popFirst() {
            // The file may have changed since it was found to hold none of the others.
            for unit in UTF8.encode(Windows1252.scalar(byte) ?? "\u{FFFD}") ?? UTF8.EncodedScalar() {
                buffer[filled] = unit
                filled += 1
            }
        }
        return filled
    }
}
