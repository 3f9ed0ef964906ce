import CZlib

/// Unpacks what gzip compressed, in one member or several (RFC 1952). zlib checks every member's length and CRC-32.
package final class GzipDecompressor: Decompressor {
    package private(set) var mayEnd = false
    package private(set) var verifiedCount = 0
    /// Bytes written by earlier calls.
    private var count = 0
    /// Damage after the written bytes; the next call throws it.
    private var failure: CompressionError?
    private var stream = z_stream()

    /// The first bytes of every member.
    package static let signature: [UInt8] = [0x1F, 0x8B]

    /// - Throws: `CompressionError.noMemory`.
    package init() throws(CompressionError) {
        guard veery_gunzip_start(&stream) == Z_OK else { throw .noMemory }
    }

    deinit { inflateEnd(&stream) }

    package func unpack(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> (taken: Int, written: Int) {
        if let failure { throw failure }
        stream.setBuffers(input, output)
        do throws(CompressionError) {
            try unpack(into: output)
        } catch {
            failure = error
            if Int(stream.avail_out) == output.count { throw error }
        }
        let written = output.count - Int(stream.avail_out)
        count += written
        return (input.count - Int(stream.avail_in), written)
    }

    private func unpack(into output: UnsafeMutableRawBufferPointer) throws(CompressionError) {
        while stream.avail_in > 0, stream.avail_out > 0 {
            if mayEnd, try !startsMember() { continue }
            switch inflate(&stream, Z_NO_FLUSH) {
            case Z_OK, Z_BUF_ERROR: break
            case Z_STREAM_END: end(output)
            default: throw .damaged(words: stream.words)
            }
        }
        // All input is taken, but some of its output may still be in zlib's window.
        if stream.avail_out > 0, !mayEnd, inflate(&stream, Z_NO_FLUSH) == Z_STREAM_END { end(output) }
    }

    /// Takes note of the end of a member.
    private func end(_ output: UnsafeMutableRawBufferPointer) {
        mayEnd = true
        verifiedCount = count + output.count - Int(stream.avail_out)
    }

    /// Starts the next member; false: a zero byte was taken, of the padding that tapes and some programs add.
    private func startsMember() throws(CompressionError) -> Bool {
        guard let next = stream.next_in else { return false }
        switch next.pointee {
        case 0:
            stream.next_in = next + 1
            stream.avail_in -= 1
            return false
        case Self.signature[0]:
            inflateReset(&stream)
            mayEnd = false
            return true
        default: throw .followed
        }
    }
}

/// Unpacks one member of a zip: compressed data without a header.
package final class DeflateDecompressor: Decompressor {
    package private(set) var mayEnd = false
    /// The checksum of a member is in the zip's list.
    package var verifiedCount: Int { 0 }
    private var stream = z_stream()

    /// - Throws: `CompressionError.noMemory`.
    package init() throws(CompressionError) {
        guard veery_inflate_start(&stream) == Z_OK else { throw .noMemory }
    }

    deinit { inflateEnd(&stream) }

    package func unpack(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> (taken: Int, written: Int) {
        guard !mayEnd || input.isEmpty else { throw .followed }
        stream.setBuffers(input, output)
        while stream.avail_out > 0, !mayEnd {
            switch inflate(&stream, Z_NO_FLUSH) {
            case Z_OK: if stream.avail_in == 0, stream.avail_out > 0 { continue }
            case Z_BUF_ERROR: return (input.count - Int(stream.avail_in), output.count - Int(stream.avail_out))
            case Z_STREAM_END: mayEnd = true
            default: throw .damaged(words: stream.words)
            }
        }
        return (input.count - Int(stream.avail_in), output.count - Int(stream.avail_out))
    }
}

/// The CRC-32 of zip and gzip.
package struct CRC32: Hashable, Sendable {
    package private(set) var value: UInt32 = 0

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
            let start = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            value = UInt32(truncatingIfNeeded: crc32(uLong(value), start, uInt(piece.count)))
            rest = rest.dropFirst(piece.count)
        }
    }
}

extension z_stream {
    /// zlib's words for its last error.
    fileprivate var words: String { msg.map { String(cString: $0) } ?? "unknown" }

    fileprivate mutating func setBuffers(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) {
        // zlib reads the input only, though its type says otherwise.
        next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        avail_in = uInt(clamping: input.count)
        next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        avail_out = uInt(clamping: output.count)
    }
}

/// Version of the zlib in use.
package func gzipLibraryVersion() -> String { String(cString: zlibVersion()) }
