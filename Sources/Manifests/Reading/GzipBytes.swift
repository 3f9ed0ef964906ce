import Archives

/// What gzip compressed, in one member or several (RFC 1952). Every member's length and CRC-32 are checked.
final class GzipBytes: ByteSource {
    private let source: any ByteSource
    private let name: String
    private let decompressor: GzipDecompressor
    private let input: UnsafeMutableRawBufferPointer
    /// The bytes of `input` that are not unpacked yet.
    private var rest: UnsafeRawBufferPointer
    private var isAtEnd = false

    static let signature = GzipDecompressor.signature

    /// - Parameters:
    ///   - source: The compressed bytes, from the first member's on.
    ///   - name: What messages call the file.
    init(_ source: any ByteSource, name: String) throws(ManifestError) {
        do throws(CompressionError) { decompressor = try GzipDecompressor() } catch {
            throw .badCompression(path: name, reason: "\(error)")
        }
        self.source = source
        self.name = name
        input = .allocate(byteCount: BlockReader.blockSize, alignment: 16)
        rest = UnsafeRawBufferPointer(rebasing: input[..<0])
    }

    deinit { input.deallocate() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ManifestError) -> Int {
        while true {
            if rest.isEmpty, !isAtEnd { try refill() }
            do throws(CompressionError) {
                let step = try decompressor.unpack(rest, into: buffer)
                rest = UnsafeRawBufferPointer(rebasing: rest[step.taken...])
                if step.written > 0 { return step.written }
            } catch {
                throw .badCompression(path: name, reason: "\(error)")
            }
            guard !isAtEnd else { break }
        }
        guard decompressor.mayEnd else {
            throw .badCompression(path: name, reason: "its compressed data is cut off: the end of the file is missing")
        }
        return 0
    }

    /// Reads more compressed bytes.
    private func refill() throws(ManifestError) {
        let count = try source.read(into: input)
        rest = UnsafeRawBufferPointer(rebasing: input[..<count])
        isAtEnd = count == 0
    }
}
