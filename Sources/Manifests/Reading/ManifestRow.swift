/// A row as bytes: the values of all columns one after another in one buffer, which is used again for the next row.
///
/// Slots are the raw values of `ManifestColumn`; those of the manifest's other columns follow in their order.
struct ManifestRow {
    /// The greatest length of a row in bytes. It bounds the memory where a quotation mark is not closed.
    static let limit = 1 << 20

    /// The line, from 1, on which the row begins.
    private(set) var line = 1
    /// Why the row cannot be read; nil: it can.
    var problem: String?
    private(set) var bytes: [UInt8] = []
    private var ranges: [Range<Int>] = []
    private var holdsNull = false
    /// All bytes or-ed together: the highest bit tells whether any of them is not ASCII.
    private var union: UInt8 = 0

    /// Forgets the row.
    mutating func clear(line: Int, slots: Int) {
        self.line = line
        problem = nil
        bytes.removeAll(keepingCapacity: true)
        holdsNull = false
        union = 0
        if ranges.count < slots { ranges.append(contentsOf: repeatElement(0..<0, count: slots - ranges.count)) }
        for slot in ranges.indices { ranges[slot] = 0..<0 }
    }

    /// Whether the row is longer than can be sensible.
    var isTooLong: Bool { bytes.count > Self.limit }

    mutating func append(_ piece: UnsafeRawBufferPointer) {
        for byte in piece {
            union |= byte
            if byte == 0 { holdsNull = true }
        }
        bytes.append(contentsOf: piece)
    }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Appends bytes through `body`, which is given the buffer.
    mutating func appendText<Failure>(_ body: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) {
        try body(&bytes)
    }

    /// Makes a stretch of the bytes the value of a slot.
    mutating func set(slot: Int, to range: Range<Int>) {
        while ranges.count <= slot { ranges.append(0..<0) }
        ranges[slot] = range
    }

    /// Where a slot's value lies in `bytes`.
    func range(_ slot: Int) -> Range<Int> { slot < ranges.count ? ranges[slot] : 0..<0 }

    /// Where a column's value lies in `bytes`.
    func range(_ column: ManifestColumn) -> Range<Int> { range(column.rawValue) }

    /// Number of bytes of a slot's value.
    func width(_ slot: Int) -> Int { range(slot).count }

    /// A slot's value; empty where it was not given.
    func text(_ slot: Int) -> String { String(decoding: bytes[range(slot)], as: UTF8.self) }

    /// Gives the bytes of a slot's value to `body`.
    func withBytes<Result>(_ slot: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let range = range(slot)
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// What is wrong with the characters of the fields; nil: nothing. `fields` are given in the order of the file.
    func characterProblem(fields: [Range<Int>]) -> String? {
        if holdsNull { return "holds a NUL byte; is the file UTF-16? Save it as UTF-8" }
        guard union >= 0x80 else { return nil }
        for (position, field) in fields.enumerated() where String(validating: bytes[field], as: UTF8.self) == nil {
            return Self.notUTF8("field \(position + 1)")
        }
        return nil
    }

    static func notUTF8(_ what: String) -> String {
        "\(what) is not valid UTF-8; is the file Latin-1 (ISO 8859-1) or Windows-1252? Save it as UTF-8"
    }
}
