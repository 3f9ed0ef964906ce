import FeatureModel

/// A row as bytes: the values of all columns in one buffer, which is reused for the next row.
///
/// Slots are the raw values of `ManifestColumn`; those of the manifest's other columns follow in their order.
struct ManifestRow {
    /// Maximum length of a row in bytes, which bounds the memory where a quotation mark is not closed.
    static let limit = 1 << 20

    /// The first line of the row, counted from 1.
    private(set) var line = 1
    /// Why the row cannot be read; nil: it can.
    var problem: Note?
    /// Whether numbers have a decimal comma, as spreadsheets write them in tables with semicolons.
    var hasDecimalComma = false
    private(set) var bytes: [UInt8] = []
    private var ranges: [Range<Int>] = []
    private var holdsNull = false
    /// All bytes or-ed together: the highest bit is set if any is not ASCII.
    private var union: UInt8 = 0

    mutating func clear(line: Int, slots: Int) {
        self.line = line
        problem = nil
        bytes.removeAll(keepingCapacity: true)
        holdsNull = false
        union = 0
        if ranges.count < slots { ranges.append(contentsOf: repeatElement(0..<0, count: slots - ranges.count)) }
        for slot in ranges.indices { ranges[slot] = 0..<0 }
    }

    var isTooLong: Bool { bytes.count > Self.limit }

    mutating func append(_ piece: UnsafeRawBufferPointer) {
        for byte in piece {
            union |= byte
            if byte == 0 { holdsNull = true }
        }
        bytes.append(contentsOf: piece)
    }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Puts a text into a slot.
    mutating func set(slot: Int, to text: String) {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        set(slot: slot, to: start..<bytes.count)
    }

    /// Appends bytes through `body`, which is given the buffer.
    mutating func appendText<Failure>(_ body: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) {
        try body(&bytes)
    }

    /// Makes a range of the bytes the value of a slot.
    mutating func set(slot: Int, to range: Range<Int>) {
        while ranges.count <= slot { ranges.append(0..<0) }
        ranges[slot] = range
    }

    /// Turns the backslashes of a slot's value into slashes.
    mutating func replaceBackslashes(_ slot: Int) {
        for index in range(slot) where bytes[index] == Byte.backslash { bytes[index] = Byte.slash }
    }

    /// The range of a slot's value in `bytes`.
    func range(_ slot: Int) -> Range<Int> { slot < ranges.count ? ranges[slot] : 0..<0 }

    func range(_ column: ManifestColumn) -> Range<Int> { range(column.rawValue) }

    func width(_ slot: Int) -> Int { range(slot).count }

    /// A slot's value; empty where it was not given.
    func text(_ slot: Int) -> String { String(decoding: bytes[range(slot)], as: UTF8.self) }

    /// Gives the bytes of a slot's value to `body`.
    func withBytes<Result>(_ slot: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let range = range(slot)
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// What is wrong with the characters of the fields; nil: nothing. `fields` are given in the order of the file.
    func characterProblem(fields: [Range<Int>], isUTF16: Bool) -> Note? {
        if holdsNull { return Note(Self.nullByte) }
        guard union >= 0x80 else { return nil }
        for (position, field) in fields.enumerated() where String(validating: bytes[field], as: UTF8.self) == nil {
            return Note(Self.notUTF8("field \(position + 1)", bytes[field], isUTF16: isUTF16))
        }
        return nil
    }

    static let nullByte = "holds a NUL byte; is the file UTF-16? Save it as UTF-8; otherwise remove the byte"

    /// Why bytes are no text in UTF-8, which was converted from UTF-16 if `isUTF16` is true.
    static func notUTF8(_ what: String, _ bytes: some Collection<UInt8>, isUTF16: Bool) -> String {
        what + (isUTF16 && isHalfUTF16(Array(bytes)) ? halfUTF16 : otherEncoding)
    }

    /// Whether a problem is that a text may be in another encoding.
    static func isOfEncoding(_ problem: Note) -> Bool { problem.text { _, _ in "" }.hasSuffix(otherEncoding) }

    private static let otherEncoding =
        " is not valid UTF-8; is the file Latin-1 (ISO 8859-1) or Windows-1252? Save it as UTF-8"
    private static let halfUTF16 =
        " has half of a character in UTF-16: the file is damaged or cut off; write it again, best as UTF-8"

    /// Whether bytes hold half a surrogate pair, as `UTF16Bytes` writes what is not valid UTF-16.
    private static func isHalfUTF16(_ bytes: [UInt8]) -> Bool {
        zip(bytes, bytes.dropFirst()).contains { $0 == 0xED && $1 & 0xE0 == 0xA0 }
    }
}

/// The rows of a manifest, one after another, in any format.
protocol RowParser: AnyObject {
    var source: BlockReader { get }
    /// The other columns, in the order of their slots, as far as they are known.
    var extraColumns: [String] { get }
    /// Their number, without making strings: it is asked for every row.
    var extraSlots: Int { get }
    /// The name of the column that is read as `path`.
    var pathColumn: String { get }
    /// Takes note of likely mistakes in the rows read so far.
    func report(to account: inout Account, source: String)
    /// Whether the column has occurred.
    func has(_ column: ManifestColumn) -> Bool
    /// Reads the next row, which may have a `problem`; false at the end.
    func next(into row: inout ManifestRow) throws(ManifestError) -> Bool
}

/// Paths of Windows, with backslashes between folders: read as such where the first row has one, without a slash.
package struct WindowsPaths {
    private var isWindows: Bool?
    /// Paths whose backslashes became slashes.
    private(set) var count = 0

    mutating func convert(_ row: inout ManifestRow) {
        guard isWindows != false, row.problem == nil else { return }
        let path = ManifestColumn.path.rawValue
        let isOne = row.withBytes(path) { Self.isOne($0) }
        if isWindows == nil { isWindows = isOne }
        guard isOne else { return }
        row.replaceBackslashes(path)
        count += 1
    }

    /// Whether a path has backslashes, and no slash.
    static func isOne(_ path: some Sequence<UInt8>) -> Bool {
        path.contains(Byte.backslash) && !path.contains(Byte.slash)
    }

    /// A path with slashes between its folders.
    package static func slashed(_ path: String) -> String {
        isOne(path.utf8) ? path.replacing("\\", with: "/") : path
    }

    func report(to account: inout Account, source: String) { account.add(.windowsPaths, source: source, count: count) }
}

/// Opens a manifest and reads its header, if it has one.
///
/// - Parameter extraColumns: for JSON Lines, the columns whose order is known from an earlier reading.
func makeRowParser(
    _ input: ManifestInput, format: ManifestFormat, extraColumns: [String] = []
) throws(ManifestError) -> any RowParser {
    let source = try BlockReader(input, isTable: format.delimiter != nil)
    guard var delimiter = format.delimiter else {
        return JSONLinesRowParser(source: source, extraColumns: extraColumns)
    }
    // Spreadsheets write a CSV with semicolons where the decimal point is a comma.
    if format == .csv, HeaderDelimiter.found(in: source.firstLine)?.byte == Byte.semicolon {
        delimiter = Byte.semicolon
    }
    return try DelimitedRowParser(source: source, delimiter: delimiter, quoting: format.quoting)
}
