import FeatureModel

/// The lines of a file of corrections, or of its end, that are complete.
///
/// A line is torn if the program was killed while it wrote it: it is the last one, and lacks its line end or its closing quotation mark.
/// `CorrectionLog` ends such a line with `mark` before it writes others. Torn lines say nothing.
struct CorrectionText {
    /// The last field of a line that was torn and ended later.
    static let mark = "#torn"

    /// The complete lines. Torn ones among them are empty, so that all lines keep their numbers.
    private(set) var bytes: [UInt8] = []
    /// How many of the given bytes these are; a torn line at the end is not among them.
    private(set) var byteCount = 0
    /// The numbers of the torn lines.
    private(set) var torn: [Int] = []
    /// The number of the line after the complete ones.
    private(set) var nextLine: Int

    /// - Parameters:
    ///   - text: The bytes from the start of a line on.
    ///   - firstLine: Its number.
    init(_ text: [UInt8], firstLine: Int = 1) {
        nextLine = firstLine
        /// Whether a quotation mark is open at the start of the line, and here.
        var (startsQuoted, isQuoted) = (false, false)
        /// Where the line before starts in `bytes`.
        var previous = 0
        for index in text.indices {
            if text[index] == Byte.quote { isQuoted.toggle() }
            guard text[index] == Byte.lineFeed else { continue }
            // A quotation mark that the last line leaves open was torn; one in another line is a mistake, which the reader reports.
            if isQuoted, !startsQuoted, index == text.count - 1 { break }
            let line = text[byteCount..<index]
            let start = bytes.count
            if !isQuoted, Self.isMarked(line) {
                if startsQuoted { bytes.replaceSubrange(previous..., with: [Byte.lineFeed]) }
                torn.append(startsQuoted ? nextLine - 1 : nextLine)
            } else {
                bytes += line
            }
            bytes.append(Byte.lineFeed)
            (previous, byteCount, nextLine, startsQuoted) = (
                min(start, bytes.count - 1), index + 1, nextLine + 1, isQuoted
            )
        }
        if byteCount < text.count { torn.append(nextLine) }
    }

    private static func isMarked(_ line: ArraySlice<UInt8>) -> Bool {
        let line = line.last == Byte.carriageReturn ? line.dropLast() : line
        guard line.suffix(mark.utf8.count).elementsEqual(mark.utf8) else { return false }
        let before = line.dropLast(mark.utf8.count).last
        return before == nil || before == Byte.comma || before == Byte.semicolon || before == Byte.tab
    }

    /// What ends a torn line at the end of a file, so that the next one is whole; empty: the last line is complete.
    static func ending(of text: [UInt8]) -> [UInt8] {
        let rest = text[CorrectionText(text).byteCount...]
        guard !rest.isEmpty else { return [] }
        let isQuoted = rest.count { $0 == Byte.quote } % 2 == 1
        return (isQuoted ? [Byte.quote] : []) + Array(",\(mark)\n".utf8)
    }
}
