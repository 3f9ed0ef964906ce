/// The names of the files of a set: `speech-00002-of-00008.h5` and `speech.index.json` for the output `speech.h5`.
public struct FeatureSetPaths: Hashable, Sendable {
    /// The output without its extension.
    private let stem: String
    /// `.h5`, or whatever the output has; empty: none.
    private let fileExtension: String

    /// What the name of an index ends in.
    public static let indexSuffix = ".index.json"
    /// Maximum number of files.
    public static let maximumCount = 99_999

    /// - Parameter output: The path that one file would have.
    public init(output: String) {
        let slash = output.lastIndex(of: "/").map { output.index(after: $0) } ?? output.startIndex
        let dot = output[slash...].lastIndex(of: ".").flatMap { $0 > slash ? $0 : nil } ?? output.endIndex
        (stem, fileExtension) = (String(output[..<dot]), String(output[dot...]))
    }

    /// The path of the index.
    public var index: String { stem + Self.indexSuffix }

    /// The path of the file number `number` of `count`, from 1.
    public func file(_ number: Int, of count: Int) -> String {
        "\(stem)-\(number.padded(to: 5))-of-\(count.padded(to: 5))\(fileExtension)"
    }
}
