import FileIO

/// A part of a spool's file that one call has read, because several of its records will be needed.
struct SpoolWindow: ~Copyable {
    private var bytes = ByteBuffer(capacity: 1 << 16)
    private var file = -1
    private var start = 0
    /// The records that will be needed, in this order.
    private var expected: [Expected] = []

    /// A record that will be needed.
    struct Expected {
        let position: SpoolPosition
        /// Bytes of the records of rows before it that will be needed with it.
        let before: Int
    }

    /// Bytes to read from the start of the last record on: more than most records without rows have.
    private static let behind = 4096
    /// The maximum size of a window, and the maximum gap between two of its records: bytes in a gap are read for nothing.
    private static let (largest, farthest) = (1 << 19, 1 << 13)

    /// Says which records will be needed.
    mutating func expect(_ records: [Expected]) { expected = records }

    /// Copies a record, if it is in the window now.
    ///
    /// - Returns: Whether all of it is.
    mutating func copy(_ position: SpoolPosition, of source: SpoolFile, into buffer: inout ByteBuffer)
        throws(StorageError)
        -> Bool
    {
        if copy(position, into: &buffer) { return true }
        guard try fill(from: position, of: source) else { return false }
        return copy(position, into: &buffer)
    }

    private func copy(_ position: SpoolPosition, into buffer: inout ByteBuffer) -> Bool {
        let offset = position.offset - start
        guard file == position.file, offset >= 0, offset < bytes.count,
            let header = SpoolRecord.header(UnsafeRawBufferPointer(rebasing: bytes.bytes[offset...])),
            header.byteCount <= bytes.count - offset - SpoolRecord.headerSize
        else { return false }
        buffer.truncate(to: 0)
        buffer.append(
            UnsafeRawBufferPointer(
                rebasing: bytes.bytes[offset..<offset + SpoolRecord.headerSize + header.byteCount]))
        return true
    }

    /// Reads a record together with the expected ones that follow it in the file.
    ///
    /// - Returns: False if there are none, and nothing was read.
    private mutating func fill(from position: SpoolPosition, of source: SpoolFile) throws(StorageError) -> Bool {
        guard let first = expected.firstIndex(where: { $0.position == position }) else { return false }
        let begin = max(position.offset - expected[first].before, 0)
        var last = position.offset
        var next = first + 1
        while next < expected.count {
            let (other, before) = (expected[next].position, expected[next].before)
            guard other.file == position.file, other.offset > last, other.offset - before - last <= Self.farthest,
                other.offset - begin <= Self.largest
            else { break }
            last = other.offset
            next += 1
        }
        guard next > first + 1 || expected[first].before > 0 else { return false }
        guard last + Self.behind - begin <= 2 * Self.largest else { return false }
        file = -1
        try bytes.fill(upTo: last + Self.behind - begin) { bytes throws(StorageError) in
            try source.file.readSome(into: bytes, at: begin)
        }
        (file, start) = (position.file, begin)
        return true
    }
}
