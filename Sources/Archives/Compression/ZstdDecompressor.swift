import CZstd

/// Unpacks what Zstandard compressed, in one frame or several (RFC 8878). libzstd checks the checksums of frames that have one.
package final class ZstdDecompressor: Decompressor {
    package private(set) var mayEnd = false
    package private(set) var verifiedCount = 0
    /// Bytes written by earlier calls.
    private var count = 0
    /// Damage after the written bytes; the next call throws it.
    private var failure: CompressionError?
    private let stream: OpaquePointer

    /// The first bytes of every frame of data.
    package static let signature: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    /// - Throws: `CompressionError.noMemory`.
    package init() throws(CompressionError) {
        guard let stream = ZSTD_createDStream() else { throw .noMemory }
        self.stream = stream
    }

    deinit { ZSTD_freeDStream(stream) }

    package func unpack(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> (taken: Int, written: Int) {
        if let failure { throw failure }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        // At the end of a frame all of its output has been written; within one, some may be left in libzstd.
        while target.pos < target.size, source.pos < source.size || !mayEnd {
            let (taken, written) = (source.pos, target.pos)
            let left = ZSTD_decompressStream(stream, &target, &source)
            guard ZSTD_isError(left) == 0 else {
                failure = Self.error(left)
                if written == 0 { throw Self.error(left) }
                // What the failed call wrote is not right.
                target.pos = written
                break
            }
            mayEnd = left == 0
            if mayEnd { verifiedCount = count + target.pos }
            if source.pos == taken, target.pos == written { break }
        }
        count += target.pos
        return (source.pos, target.pos)
    }

    private static func error(_ code: Int) -> CompressionError {
        switch ZSTD_getErrorCode(code) {
        case ZSTD_error_memory_allocation: .noMemory
        case ZSTD_error_frameParameter_windowTooLarge: .windowTooLarge
        case ZSTD_error_prefix_unknown: .followed
        default: .damaged(words: String(cString: ZSTD_getErrorName(code)))
        }
    }
}

extension ZstdDecompressor {
    /// Whether compressed data starts with these bytes: with a frame of data, or with one to skip, as parallel programs write.
    package static func starts(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: signature)
            || bytes.count >= 4 && bytes[0] & 0xF0 == 0x50 && bytes[1..<4].elementsEqual([0x2A, 0x4D, 0x18])
    }
}

/// Version of the libzstd in use.
package func zstdLibraryVersion() -> String { String(cString: ZSTD_versionString()) }
