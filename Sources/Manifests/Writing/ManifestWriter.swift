import FeatureModel
import Foundation

/// Writes clips as a manifest that reads back as the same clips.
package struct ManifestWriter: Sendable {
    /// How rows are written.
    package let format: ManifestFormat
    /// Names of the columns that the clips' `extra` values belong to.
    package let extraColumns: [String]

    /// Keeps the values.
    package init(format: ManifestFormat, extraColumns: [String] = []) {
        self.format = format
        self.extraColumns = extraColumns
    }

    /// Writes the clips to a file, which appears complete or not at all; to standard output if the path is `-`.
    ///
    /// There are always the columns `path`, `id` and `label`; `split`, `start`, `end` and `channel` if a clip needs them.
    ///
    /// - Throws: `outputExists` if there is such a file and `overwriting` is false.
    /// - Precondition: every clip has a value for every extra column.
    package func write(
        _ clips: some Collection<Clip>, to path: String, overwriting: Bool = false
    ) throws(ManifestError) {
        let columns = columns(of: clips)
        let output = try OutputFile(path: path, overwriting: overwriting)
        if let delimiter = format.delimiter {
            try output.append(line(columns.map(\.name) + extraColumns, delimiter))
        }
        for (index, clip) in clips.enumerated() {
            let values = try columns.map { column throws(ManifestError) in Self.value(column, clip) } + clip.extra
            precondition(clip.extra.count == extraColumns.count, "a clip needs a value for every extra column")
            try check(clip, index, values)
            if let delimiter = format.delimiter {
                try output.append(line(values, delimiter))
            } else {
                try output.append(object(columns, values))
            }
        }
        try output.finish()
    }

    // MARK: - Values

    private func columns(of clips: some Collection<Clip>) -> [ManifestColumn] {
        var columns: Set<ManifestColumn> = [.path, .id, .label]
        for clip in clips {
            if !clip.split.isEmpty { columns.insert(.split) }
            if clip.segment != nil { columns.insert(.start) }
            if clip.segment?.end != nil { columns.insert(.end) }
            if clip.channel != nil { columns.insert(.channel) }
        }
        return ManifestColumn.allCases.filter(columns.contains)
    }

    private static func value(_ column: ManifestColumn, _ clip: Clip) -> String {
        switch column {
        case .path: clip.path
        case .id: clip.id
        case .label: clip.label
        case .split: clip.split
        case .start: clip.segment.map { "\($0.start)" } ?? ""
        case .end: clip.segment?.end.map { "\($0)" } ?? ""
        case .duration: ""
        case .channel: clip.channel.map { "\($0)" } ?? ""
        }
    }

    private func check(_ clip: Clip, _ index: Int, _ values: [String]) throws(ManifestError) {
        if clip.path.isEmpty { throw .unwritableClip(index: index, reason: "its path is empty") }
        if clip.id.isEmpty { throw .unwritableClip(index: index, reason: "its id is empty") }
        if values.contains(where: { $0.utf8.contains(0) }) {
            throw .unwritableClip(index: index, reason: "a value holds a NUL character")
        }
    }

    // MARK: - Rows

    private func line(_ values: [String], _ delimiter: UInt8) -> [UInt8] {
        var line: [UInt8] = []
        for (position, value) in values.enumerated() {
            if position > 0 { line.append(delimiter) }
            Self.append(value, delimiter, to: &line)
        }
        line.append(Byte.lineFeed)
        return line
    }

    /// Appends a field, in quotation marks where it would not read back, or where another program might take off blanks.
    private static func append(_ value: String, _ delimiter: UInt8, to line: inout [UInt8]) {
        let blanks = [Byte.space, Byte.tab]
        let needsQuotes =
            value.utf8.contains { [delimiter, Byte.quote, Byte.lineFeed, Byte.carriageReturn].contains($0) }
            || value.utf8.first.map(blanks.contains) == true || value.utf8.last.map(blanks.contains) == true
            // A byte order mark at the beginning of a file is not part of its first field.
            || value.utf8.first == 0xEF
        guard needsQuotes else {
            line.append(contentsOf: value.utf8)
            return
        }
        line.append(Byte.quote)
        for byte in value.utf8 {
            if byte == Byte.quote { line.append(Byte.quote) }
            line.append(byte)
        }
        line.append(Byte.quote)
    }

    private func object(_ columns: [ManifestColumn], _ values: [String]) -> [UInt8] {
        var line: [UInt8] = [UInt8(ascii: "{")]
        for (position, value) in values.enumerated() {
            let column = position < columns.count ? columns[position] : nil
            let name = column?.name ?? extraColumns[position - columns.count]
            if position > 0 { line.append(contentsOf: ", ".utf8) }
            JSONText.append(name.utf8, to: &line)
            line.append(contentsOf: ": ".utf8)
            if column == .start || column == .end || column == .channel {
                line.append(contentsOf: (value.isEmpty ? "null" : value).utf8)
            } else {
                JSONText.append(value.utf8, to: &line)
            }
        }
        line.append(contentsOf: "}\n".utf8)
        return line
    }
}
