import CZlib

/// Packs bytes into one member of gzip (RFC 1952) without a name or a time: equal bytes give equal results.
package final class GzipCompressor {
    private var stream = z_stream()
    private var output = [UInt8](repeating: 0, count: 1 << 16)

    /// - Throws: `CompressionError.noMemory`.
    package init() throws(CompressionError) {
        guard veery_gzip_start(&stream, 6) == Z_OK else { throw .noMemory }
    }

    deinit { deflateEnd(&stream) }

    /// Packs bytes, and calls `write` with what is ready.
    ///
    /// - Parameter isLast: Whether no more bytes follow.
    package func pack<Failure: Error>(
        _ bytes: [UInt8], isLast: Bool, write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var taken = 0
        var isDone = false
        while !isDone {
            let piece = min(bytes.count - taken, 1 << 30)
            let count = pack(bytes[taken..<taken + piece], isLast: isLast && taken + piece == bytes.count)
            taken += piece - Int(stream.avail_in)
            // zlib filled the whole buffer: there may be more.
            isDone = count < output.count && taken == bytes.count
            try output[..<count].withUnsafeBufferPointer { bytes throws(Failure) in
                try write(UnsafeRawBufferPointer(bytes))
            }
        }
    }

    /// Packs until the input is taken or `output` is full; returns the number of bytes in `output`.
    private func pack(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> Int {
        bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { buffer in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = uInt(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = uInt(buffer.count)
                deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                return buffer.count - Int(stream.avail_out)
            }
        }
    }
}
