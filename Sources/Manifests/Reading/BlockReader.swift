/// The text of a manifest in UTF-8, block by block. What is compressed by gzip, in UTF-16
/// or in Windows-1252, is unpacked and converted.
final class BlockReader {
    /// Bytes asked for at a time.
    static let blockSize = 1 << 18

    /// What messages call the file.
    let path: String
    private let stored: StoredBytes
    /// How the text is stored.
    let text: StoredText
    /// Whether it is converted from UTF-16.
    let isUTF16: Bool
    private let bytes: any ByteSource
    private let buffer: UnsafeMutableRawBufferPointer
    private var position = 0
    private var end = 0
    /// The first line without its end, or the first part of a long one.
    private(set) var firstLine: [UInt8] = []

    /// Lines before the header that were skipped.
    private(set) var skippedLines = 0

    /// Opens the file, which has to be a regular one.
    ///
    /// - Parameter isTable: Whether lines that start with `#` before a table's header are skipped.
    init(_ input: ManifestInput, isTable: Bool = false) throws(ManifestError) {
        path = input.name
        stored = try StoredBytes(input)
        buffer = .allocate(byteCount: Self.blockSize, alignment: 16)
        var bytes: any ByteSource = stored
        var text = StoredText(path: input.isFile ? input.name : nil)
        var order: Bool?
        do {
            if try stored.start(2) == GzipBytes.signature {
                bytes = try GzipBytes(stored, name: input.name)
                text.add(.gzip)
            }
            if input.isWindows1252 {
                bytes = Windows1252Bytes(bytes)
                text.add(.windows1252)
            }
            end = try bytes.read(into: buffer)
            let start = buffer[..<end]
            if let isBigEndian = UTF16Bytes.isBigEndian(start) {
                bytes = UTF16Bytes(bytes, start: Array(start), isBigEndian: isBigEndian)
                end = try bytes.read(into: buffer)
                order = isBigEndian
            }
        } catch {
            buffer.deallocate()
            throw error
        }
        self.bytes = bytes
        isUTF16 = order != nil
        // Programs that add a mark to a text that has one make two of it.
        var marks = 0
        while buffer[(3 * marks)..<end].starts(with: [0xEF, 0xBB, 0xBF]) { marks += 1 }
        let isMarked = marks > 0
        if let order { text.add(.utf16(isBigEndian: isMarked ? nil : order)) } else if isMarked { text.add(.marked) }
        self.text = text
        advance(3 * marks)
        if let content = ForeignContent(unread) { throw .otherContent(path: path, found: content, text) }
        if isTable, let comments = LeadingComments(unread) {
            advance(comments.byteCount)
            skippedLines = comments.lineCount
        }
        firstLine = Array(unread.prefix(1 << 16).prefix { $0 != Byte.lineFeed && $0 != Byte.carriageReturn })
    }

    deinit { buffer.deallocate() }

    /// Length of the file in bytes, as far as it was read.
    var byteCount: Int { stored.byteCount }

    /// SHA-256, in hexadecimal, of the file as it is stored, as far as it was read.
    var sha256: String { stored.sha256 }

    /// The unread bytes of the block; empty at its end.
    var unread: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[position..<end]) }

    /// The line that starts at the next byte, as far as it is in the block.
    var lineAhead: String { String(decoding: unread.prefix { $0 != Byte.lineFeed }, as: UTF8.self) }

    /// Advances past bytes.
    ///
    /// - Precondition: There are at least `count` unread bytes.
    func advance(_ count: Int = 1) { position += count }

    /// The next byte, without advancing; nil at the end of the file.
    func peek() throws(ManifestError) -> UInt8? {
        if position == end { guard try fill() else { return nil } }
        return buffer[position]
    }

    /// Reads the next block over the current one; false at the end of the file.
    func fill() throws(ManifestError) -> Bool {
        position = 0
        end = 0
        end = try bytes.read(into: buffer)
        return end > 0
    }
}
