import FeatureModel
import FileIO

/// A number for each column of rows, from a file: what `normalize.mean` and `normalize.std` may name.
///
/// An NPY file of one axis that is longer than 1; a text of numbers, with or without the brackets of a Kaldi vector; or FunASR's `am.mvn`
/// (`ShiftAndScale`).
package enum ColumnFile {
    /// Which numbers of a file that has both.
    package enum Part: Sendable {
        case mean, std

        /// The numbers that it may have.
        fileprivate var range: ClosedRange<Double> {
            self == .mean ? NormalizeConfiguration.means : NormalizeConfiguration.deviations
        }
    }

    /// The longest file, in bytes.
    private static let maximumBytes = 16 << 20
    /// The files that it reads, in words.
    private static let kinds = "an NPY file, numbers, or FunASR's am.mvn"
    /// How a ZIP archive starts, which NumPy's `.npz` is.
    private static let archiveSignature: [UInt8] = [0x50, 0x4B, 3, 4]

    /// Reads the numbers of a file.
    ///
    /// - Throws: `ArrayFileError` where it cannot be read, is none of these, or has too many numbers, or one that a mean or a standard
    ///   deviation cannot be.
    package static func numbers(path: String, _ part: Part) throws(ArrayFileError) -> [Double] {
        try contents(path: path, part).numbers
    }

    /// Reads the numbers of a file, and the XXH3-128 of its bytes.
    ///
    /// - Throws: As `numbers`.
    package static func contents(
        path: String, _ part: Part
    ) throws(ArrayFileError) -> (numbers: [Double], checksum: Checksum128) {
        let bytes = try ArrayBytes(path: path)
        func damaged(_ expected: String, _ found: String) -> ArrayFileError {
            .content(path: path, name: nil, expected: expected, found: found)
        }
        guard bytes.count <= maximumBytes else {
            throw damaged("a number for each column, in at most \(maximumBytes) bytes", "\(bytes.count) bytes")
        }
        let content = try bytes.bytes(at: 0, bytes.count)
        let isArray = content.starts(with: NPYArray.signature)
        // An archive of arrays (.npz), or numbers without a header.
        guard isArray || !content.starts(with: archiveSignature) && !content.contains(0) else {
            throw damaged(kinds, "a file of bytes that is no NPY array")
        }
        let text = isArray ? "" : String(decoding: content, as: UTF8.self)
        let isOfNetwork = ShiftAndScale.isPart(of: text)
        let numbers =
            isArray
            ? try array(bytes, content)
            : isOfNetwork ? try network(text, part, damaged) : try words(text, damaged)
        let limit = ColumnConstants.maximumColumns
        guard (1...limit).contains(numbers.count) else { throw damaged("1 to \(limit) numbers", "\(numbers.count)") }
        // Those of a network are checked as it has them.
        let range = part.range
        if !isOfNetwork, let outside = ColumnConstants.firstOutside(range, numbers) {
            let what = part == .mean ? "means" : "standard deviations"
            throw damaged("\(what) from \(range.lowerBound) to \(range.upperBound)", outside)
        }
        return (numbers, content.withUnsafeBytes { XXH3Hash128.checksum(of: $0) })
    }

    private static func array(_ bytes: ArrayBytes, _ content: [UInt8]) throws(ArrayFileError) -> [Double] {
        let header = try NPYArray.header(bytes)
        let count = NumericArray.count(header.shape) ?? 0
        guard count > 0, header.shape.filter({ $0 != 1 }).count <= 1 else {
            throw .content(
                path: bytes.path, name: nil, expected: "an array of one axis, a number for each column",
                found: "one of shape \(header.shape.shapeText)")
        }
        guard content.count - header.offset >= count * header.type.size else {
            throw .content(
                path: bytes.path, name: nil, expected: "\(count * header.type.size) bytes of numbers",
                found: "\(max(content.count - header.offset, 0))")
        }
        return content.withUnsafeBytes { content in
            let values = UnsafeRawBufferPointer(rebasing: content[header.offset...])
            return (0..<count).map { header.type.exactNumber(values, $0) }
        }
    }

    private static func network(
        _ text: String, _ part: Part, _ damaged: (String, String) -> ArrayFileError
    ) throws(ArrayFileError) -> [Double] {
        do { return try part == .mean ? ShiftAndScale.mean(in: text) : ShiftAndScale.std(in: text) } catch {
            throw damaged(error.expected, error.found)
        }
    }

    private static func words(
        _ text: String, _ damaged: (String, String) -> ArrayFileError
    ) throws(ArrayFileError) -> [Double] {
        var numbers: [Double] = []
        for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "," }) where word != "[" && word != "]" {
            guard let number = Double(word) else {
                throw damaged(kinds, "'\(String(word).excerpt)' among its words")
            }
            numbers.append(number)
        }
        return numbers
    }
}
