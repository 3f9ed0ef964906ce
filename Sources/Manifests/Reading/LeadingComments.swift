/// Lines before a table's header that start with `#`, as those of AudioSet, or name the delimiter for Excel: `sep=;`.
package struct LeadingComments {
    /// The bytes and lines that are not part of the table.
    package private(set) var (byteCount, lineCount) = (0, 0)

    /// The last line with `#` is the header, except for that, where the one after it is a row: it has as many fields, a number or a
    /// recording among them, and no name of a column of recordings. The mark is the first name where nothing else is.
    ///
    /// - Parameter start: The start of a text.
    /// - Returns: Nil where the first line is neither a comment nor the name of a delimiter.
    package init?(_ start: UnsafeRawBufferPointer) {
        let first = Array(start.prefix(16).prefix { $0 != Byte.lineFeed && $0 != Byte.carriageReturn })
        let namesDelimiter = Self.namesDelimiter(first)
        guard first.first == UInt8(ascii: "#") || namesDelimiter else { return nil }
        var last: (offset: Int, line: Int, text: ArraySlice<UInt8>)?
        var next: ArraySlice<UInt8> = []
        while byteCount < start.count {
            let end = start[byteCount...].firstIndex(of: Byte.lineFeed) ?? start.count
            let text = Array(start[byteCount..<end])[...].trimmingBlanks
            next = text.last == Byte.carriageReturn ? text.dropLast() : text
            if next.first == UInt8(ascii: "#") {
                last = (byteCount, lineCount, next)
            } else if !next.isEmpty, !namesDelimiter || lineCount > 0 {
                break
            }
            byteCount = min(end + 1, start.count)
            lineCount += 1
        }
        guard let last, byteCount < start.count, Self.isHeader(last.text.dropFirst(), of: next) else { return }
        let isMark: (UInt8) -> Bool = { $0 == UInt8(ascii: "#") || $0 == Byte.space }
        let marks = start[last.offset...].prefix(while: isMark).count
        let isName = last.text.dropFirst(marks).first == HeaderDelimiter.byte(of: Array(last.text))
        byteCount = last.offset + (isName ? 0 : marks)
        lineCount = last.line
    }

    /// Whether a line is `sep=` and a character, also between quotation marks. The header says which one it is.
    private static func namesDelimiter(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line, as: UTF8.self).trimmingQuotes().lowercased()
        return text.hasPrefix("sep=") && text.utf8.count <= 5
    }

    private static func isHeader(_ line: ArraySlice<UInt8>, of row: ArraySlice<UInt8>) -> Bool {
        let delimiter = HeaderDelimiter.byte(of: Array(line))
        let names = line.split(separator: delimiter, omittingEmptySubsequences: false)
        let fields = Self.fields(row, delimiter)
        guard names.count == fields.count, !fields.contains(where: HeaderDelimiter.isPath) else { return false }
        if names.contains(where: HeaderDelimiter.isPath) { return true }
        return names.count > 1
            && fields.contains { field in
                let text = String(decoding: field, as: UTF8.self).trimmingBlanks()
                return Double(text) != nil || RecordingName.isRecording(text)
            }
    }

    /// The fields of a row: delimiters between quotation marks do not count.
    private static func fields(_ row: ArraySlice<UInt8>, _ delimiter: UInt8) -> [ArraySlice<UInt8>] {
        var (fields, start, isQuoted) = ([ArraySlice<UInt8>](), row.startIndex, false)
        for (index, byte) in zip(row.indices, row) {
            if byte == Byte.quote { isQuoted.toggle() }
            guard byte == delimiter, !isQuoted else { continue }
            fields.append(row[start..<index])
            start = index + 1
        }
        return fields + [row[start...]]
    }
}
