/// The lines of the file that one row with quotation marks spans.
///
/// A stray quotation mark joins rows into one field, silently if a later row happens to close it. The lines in between then
/// look like rows: they have as many fields as the header.
struct PhysicalLines {
    /// A line after the row's first; it starts inside a quoted field.
    private struct Line {
        let number: Int
        /// Fields that it would have if it were a row, its quotation marks taken literally.
        let fields: Int
        /// Whether the field in which the line starts contains a delimiter.
        let isSplitInside: Bool
        /// Whether the field in which it starts continues on the next line.
        let isInside: Bool
    }

    private var lines: [Line] = []
    /// Fields of the row's first line.
    private var firstFields = 0
    private var number = 0
    private var fields = 1
    private var isFirst = true
    private var isBlank = true
    private var isInside = true
    private var isSplitInside = false

    mutating func start(line: Int) {
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

    /// The first line after the row's first that would be a row of this number of fields; nil where there is none.
    ///
    /// A line on which the field ends counts only if the field contains a delimiter there, or if the row's first line would be
    /// a row, too.
    mutating func lineLikeRow(fields expected: Int) -> Int? {
        guard !isFirst else { return nil }
        endLine()
        return lines.first {
            $0.fields == expected && ($0.isInside || $0.isSplitInside || firstFields == expected)
        }?.number
    }
}
