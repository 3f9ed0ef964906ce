/// The lines of a text in UTF-8, one after another, in any form that `BlockReader` reads.
package final class LineReader {
    let source: BlockReader
    /// The number of the line that was read last, from 1; 0 before the first.
    package private(set) var number = 0
    /// Its bytes, without the line feed and a carriage return before it.
    package private(set) var bytes: [UInt8] = []
    private var isFinished = false

    init(_ source: BlockReader) { self.source = source }

    /// Opens a text.
    ///
    /// - Throws: `ManifestError` where it cannot be opened, or holds something else than text.
    package convenience init(_ input: ManifestInput) throws(ManifestError) { self.init(try BlockReader(input)) }

    /// The same of a file.
    package convenience init(path: String) throws(ManifestError) { try self.init(ManifestInput(path: path)) }

    /// Whether the line is longer than `ManifestRow.limit`. It is the last one then.
    package private(set) var isTooLong = false

    /// Reads the next line; false at the end of the text.
    package func next() throws(ManifestError) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        guard !isFinished, try source.peek() != nil else { return false }
        number += 1
        while true {
            let unread = source.unread
            let length = unread.firstIndex(of: Byte.lineFeed)
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: unread[..<(length ?? unread.count)]))
            source.advance(length.map { $0 + 1 } ?? unread.count)
            if length != nil { break }
            if bytes.count > ManifestRow.limit {
                (isFinished, isTooLong) = (true, true)
                return true
            }
            guard try source.fill() else { break }
        }
        if bytes.last == Byte.carriageReturn { bytes.removeLast() }
        return true
    }

    /// Whether the line has blanks only.
    package var isBlank: Bool { bytes.allSatisfy { $0 == Byte.space || $0 == Byte.tab || $0 == Byte.carriageReturn } }

    /// What keeps the line from being read as text; nil: nothing.
    package var problem: String? {
        if isTooLong { return "is longer than \(ManifestRow.limit) bytes; the rows after it were not read" }
        if bytes.contains(0) { return ManifestRow.nullByte }
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        return ManifestRow.notUTF8("the line", bytes, isUTF16: source.isUTF16)
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
