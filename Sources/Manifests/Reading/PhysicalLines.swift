/// The lines of the file that one row with quotation marks takes up.
///
/// A quotation mark that was not meant as one joins rows into one field, in silence if a later row happens to close it. The
/// lines in between then look like rows: they have as many fields as the header.
struct PhysicalLines {
    /// A line after the row's first; it begins inside a quoted field.
    private struct Line {
        let number: Int
        /// Fields that it would have if it were a row, its quotation marks taken literally.
        let fields: Int
        /// Whether a delimiter stands in the field that the line begins in.
        let isSplitInside: Bool
        /// Whether the field that it begins in goes on in the next line.
        let isInside: Bool
    }

    private var lines: [Line] = []
    /// Fields of the row's first line, as far as the line end.
    private var firstFields = 0
    private var number = 0
    private var fields = 1
    private var isFirst = true
    private var isBlank = true
    private var isInside = true
    private var isSplitInside = false

    /// Forgets the lines, for a row that begins on a line.
    mutating func begin(line: Int) {
        if !lines.isEmpty { lines.removeAll(keepingCapacity: true) }
        firstFields = 0
        isFirst = true
        startLine(line)
    }

    private mutating func startLine(_ line: Int) {
        number = line
        fields = 1
        isBlank = true
        isInside = true
        isSplitInside = false
    }

    /// Takes a delimiter that separates fields.
    mutating func takeDelimiter() {
        fields += 1
        isBlank = false
    }

    /// Takes bytes of a quoted field.
    mutating func take(_ bytes: UnsafeRawBufferPointer, delimiter: UInt8) {
        for byte in bytes {
            if byte == delimiter {
                takeDelimiter()
                if isInside { isSplitInside = true }
            } else if byte == Byte.lineFeed {
                endLine()
                startLine(number + 1)
                isFirst = false
            } else if byte != Byte.carriageReturn {
                isBlank = false
            }
        }
    }

    /// Takes the quotation mark that closes a field.
    mutating func takeClosingQuote() {
        isInside = false
        isBlank = false
    }

    private mutating func endLine() {
        if isFirst {
            firstFields = fields
        } else if !isBlank {
            lines.append(Line(number: number, fields: fields, isSplitInside: isSplitInside, isInside: isInside))
        }
    }

    /// The first line, of those after the row's first, that would be a row of so many fields; nil where there is none.
    ///
    /// The line in which a field ends, and others follow it, counts if the field itself is split there, or if the row's first
    /// line would be a row, too.
    mutating func lineLikeRow(fields expected: Int) -> Int? {
        guard !isFirst else { return nil }
        endLine()
        return lines.first {
            $0.fields == expected && ($0.isInside || $0.isSplitInside || firstFields == expected)
        }?.number
    }
}
