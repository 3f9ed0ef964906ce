import FeatureModel

/// What the start of a file shows about its rows.
package struct ManifestStart: Sendable {
    /// The first object of JSON Lines; nil: they are none.
    package private(set) var firstObject: JSONValue?
    /// The manifest's format by the first line; nil: it is that of none.
    package let format: ManifestFormat?
    /// Whether there are only blank lines.
    package private(set) var isEmpty = true
    /// The names of a table's header. As bytes, since every run of the program looks at them.
    private var header: [ArraySlice<UInt8>] = []
    private var isTSV = false
    /// The number of the first line that is not blank.
    private var number = 1
    private let text: StoredText

    /// Reads the first line that is not blank.
    ///
    /// - Throws: `ManifestError` where the file cannot be opened, or is not a text.
    package init(_ input: ManifestInput) throws(ManifestError) {
        let source = try BlockReader(input, isTable: true)
        format = ManifestFormat(firstLine: source.firstLine)
        text = source.text
        let lines = LineReader(source)
        repeat { guard try lines.next() else { return } } while lines.isBlank
        isEmpty = false
        number = lines.number
        let line = lines.bytes
        if line.first(where: { $0 > Byte.space }) == UInt8(ascii: "{") {
            firstObject = try? JSONValue(line: line)
        } else {
            let delimiter = HeaderDelimiter.byte(of: line)
            isTSV = delimiter == Byte.tab
            header = line.split(separator: delimiter, omittingEmptySubsequences: false).map { name in
                let name = name.trimmingBlanks
                let isQuoted = name.count > 1 && name.first == Byte.quote && name.last == Byte.quote
                return isQuoted ? name.dropFirst().dropLast() : name
            }
        }
    }

    /// Whether there is a column of this name.
    package func has(_ name: String) -> Bool {
        if let firstObject { return firstObject.members.contains { $0.name == name } }
        return header.contains { $0.elementsEqual(name.utf8) }
    }

    /// The names of the columns, or those in the first object.
    package var columns: [String] {
        firstObject?.members.map(\.name) ?? header.map { String(decoding: $0, as: UTF8.self) }
    }

    /// A table whose first line is a row, with a recording; nil: the line may be a header.
    package var withoutHeader: UnreadTable? {
        firstObject == nil ? UnreadTable(header: columns, line: number, next: "", isTSV: isTSV, text) : nil
    }

    /// Whether there is a column `path`, as a manifest has.
    package var hasPath: Bool {
        has(ManifestColumn.path.name) || columns.contains { ManifestColumn(spelled: $0) == .path }
    }
}
