import CZlib

/// What gzip compressed, in one member or several (RFC 1952). Every member's length and CRC-32 are checked.
final class GzipBytes: ByteSource {
    private let source: any ByteSource
    private let name: String
    private var stream = z_stream()
    private let input: UnsafeMutableRawBufferPointer
    /// Whether the next byte starts a member, or is after the last.
    private var isBetweenMembers = false
    private var isAtEnd = false

    static let signature: [UInt8] = [0x1F, 0x8B]

    /// - Parameters:
    ///   - source: The compressed bytes, from the first member's on.
    ///   - name: What messages call the file.
    init(_ source: any ByteSource, name: String) throws(ManifestError) {
        self.source = source
        self.name = name
        input = .allocate(byteCount: BlockReader.blockSize, alignment: 16)
        guard veery_gunzip_start(&stream) == Z_OK else {
            input.deallocate()
            throw .badCompression(path: name, reason: "there is no memory to unpack it with")
        }
    }

    deinit {
        inflateEnd(&stream)
        input.deallocate()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ManifestError) -> Int {
        stream.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(clamping: buffer.count)
        while Int(stream.avail_out) == buffer.count, !isAtEnd {
            if stream.avail_in == 0 { try refill() }
            if isBetweenMembers, try !startsMember() { continue }
            guard !isAtEnd else { break }
            switch inflate(&stream, Z_NO_FLUSH) {
            case Z_OK, Z_BUF_ERROR: break
            case Z_STREAM_END: isBetweenMembers = true
            default:
                let reason = stream.msg.map { String(cString: $0) } ?? "unknown"
                throw .badCompression(path: name, reason: "its compressed data is damaged (\(reason))")
            }
        }
        return buffer.count - Int(stream.avail_out)
    }

    /// Reads more compressed bytes.
    private func refill() throws(ManifestError) {
        let count = try source.read(into: input)
        stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_in = UInt32(clamping: count)
        guard count == 0 else { return }
        guard isBetweenMembers else {
            throw .badCompression(path: name, reason: "its compressed data is cut off: the end of the file is missing")
        }
        isAtEnd = true
    }

    /// Starts the next member; false: a zero byte was taken, with which tapes and some programs fill files up.
    private func startsMember() throws(ManifestError) -> Bool {
        guard !isAtEnd, let next = stream.next_in else { return false }
        switch next.pointee {
        case 0:
            stream.next_in = next + 1
            stream.avail_in -= 1
            return false
        case Self.signature[0]:
            inflateReset(&stream)
            isBetweenMembers = false
            return true
        default:
            throw .badCompression(path: name, reason: "something that is not compressed follows its compressed data")
        }
    }
}
