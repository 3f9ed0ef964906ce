import FeatureModel

/// Writes clips as a manifest that reads back as the same clips; except for a first path with backslashes and without a slash, which
/// gets `./` at its start, so that no path is taken for one of Windows.
package struct ManifestWriter: Sendable {
    /// How rows are written.
    package let format: ManifestFormat
    /// Names of the columns that the clips' `extra` values belong to.
    package let extraColumns: [String]
    /// The name of that column among them whose values are JSON already, such as a list, which JSON Lines hold unchanged; nil: none.
    package let jsonColumn: String?

    package init(format: ManifestFormat, extraColumns: [String] = [], jsonColumn: String? = nil) {
        self.format = format
        self.extraColumns = extraColumns
        self.jsonColumn = jsonColumn
    }

    /// Writes the clips to a file, whole or not at all; to standard output if the path is `-`.
    ///
    /// `shown` changes lines for a terminal.
    ///
    /// There are always the columns `path`, `id` and `label`; `split`, `start`, `end` and `channel` if a clip needs them.
    ///
    /// - Throws: `outputExists` if there is such a file and `overwriting` is false; `unwritableClip` or `unwritableColumn` where a
    ///   value cannot be read back from the format: in a literal TSV a tab or a line end, in CSV a line end such that a line
    ///   would look like a row.
    /// - Precondition: every clip has a value for every extra column.
    package func write(
        _ clips: some Collection<Clip>, to path: String, overwriting: Bool = false, shown: ((String) -> String)? = nil
    ) throws(ManifestError) {
        let columns = columns(of: clips)
        var rest = clips.makeIterator()
        try write(columns: columns, to: path, overwriting: overwriting, shown: shown) { rest.next() }
    }

    /// The same of clips that are not in memory.
    ///
    /// - Parameters:
    ///   - columns: Those that a clip needs; `path`, `id` and `label` are always there.
    ///   - next: The next clip; nil after the last.
    package func write(
        columns: some Collection<ManifestColumn>, to path: String, overwriting: Bool = false,
        shown: ((String) -> String)? = nil,
        next: () throws(ManifestError) -> Clip?
    ) throws(ManifestError) {
        try finished(columns: columns, to: path, overwriting: overwriting, shown: shown, next: next).commit()
    }

    /// The same, but that the file has not got its name yet.
    package func finished(
        columns: some Collection<ManifestColumn>, to path: String, overwriting: Bool = false,
        shown: ((String) -> String)? = nil,
        next: () throws(ManifestError) -> Clip?
    ) throws(ManifestError) -> FinishedManifest {
        if format == .tsv, let name = extraColumns.first(where: Self.isUnwritableLiterally) {
            throw .unwritableColumn(name: name)
        }
        let output = try OutputFile(path: path, overwriting: overwriting, shown: shown)
        try lines(columns: completed(columns), next) { line throws(ManifestError) in try output.append(line) }
        try output.finish()
        return FinishedManifest(file: output)
    }

    /// The bytes that `write` would write.
    ///
    /// - Throws: As `write`.
    package func bytes(of clips: some Collection<Clip>) throws(ManifestError) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = clips.makeIterator()
        try lines(columns: columns(of: clips), { rest.next() }, { bytes += $0 })
        return bytes
    }

    private func lines(
        columns: [ManifestColumn], _ next: () throws(ManifestError) -> Clip?,
        _ receive: ([UInt8]) throws(ManifestError) -> Void
    ) throws(ManifestError) {
        if let delimiter = format.delimiter {
            let names = columns.map(\.name) + extraColumns
            if hidesRow(names, delimiter) {
                throw .unwritableColumn(name: extraColumns.first(where: Self.hasLineEnd) ?? "")
            }
            try receive(line(names, delimiter))
        }
        var index = 0
        while let clip = try next() {
            defer { index += 1 }
            var values = columns.map { Self.value($0, clip) } + clip.extra
            if index == 0, WindowsPaths.isOne(clip.path.utf8) { values[0] = "./" + values[0] }
            precondition(clip.extra.count == extraColumns.count, "a clip needs a value for every extra column")
            try check(clip, index, values)
            if let delimiter = format.delimiter {
                try receive(line(values, delimiter))
            } else {
                try receive(object(columns, values))
            }
        }
    }

    // MARK: - Values

    private func columns(of clips: some Collection<Clip>) -> [ManifestColumn] {
        var columns: Set<ManifestColumn> = [.path, .id, .label]
        for clip in clips {
            if !clip.split.isEmpty { columns.insert(.split) }
            if let segment = clip.segment {
                if segment.isLengthAlone {
                    columns.insert(.duration)
                } else {
                    columns.insert(.start)
                    if segment.end != nil { columns.insert(.end) }
                }
                if segment.overshoot != nil { columns.insert(.overshoot) }
            }
            if clip.channel != nil { columns.insert(.channel) }
            if clip.declared?.duration != nil { columns.insert(.recordingDuration) }
            if clip.declared?.sampleCount != nil { columns.insert(.recordingSamples) }
            if clip.declared?.sampleRate != nil { columns.insert(.recordingRate) }
        }
        return completed(columns)
    }

    private func completed(_ columns: some Collection<ManifestColumn>) -> [ManifestColumn] {
        // Without these, a column of almost the same name would be read as theirs.
        let spelled = extraColumns.compactMap(ManifestColumn.init(spelled:))
        return ManifestColumn.allCases.filter {
            columns.contains($0) || spelled.contains($0) || [.path, .id, .label].contains($0)
        }
    }

    private static func value(_ column: ManifestColumn, _ clip: Clip) -> String {
        switch column {
        case .path: clip.path
        case .id: clip.id
        case .label: clip.label
        case .split: clip.split
        case .start: clip.segment.map { $0.isLengthAlone ? "" : "\($0.start)" } ?? ""
        case .end: clip.segment.flatMap { $0.isLengthAlone ? nil : $0.end }.map { "\($0)" } ?? ""
        case .duration: clip.segment.flatMap { $0.isLengthAlone ? $0.end : nil }.map { "\($0)" } ?? ""
        case .channel: clip.channel.map { ChannelName.text($0, acceptsMono: clip.acceptsMono) } ?? ""
        case .overshoot: clip.segment?.overshoot.map { "\($0)" } ?? ""
        case .recordingDuration: clip.declared?.durationText ?? ""
        case .recordingSamples: clip.declared?.sampleCount.map { "\($0)" } ?? ""
        case .recordingRate: clip.declared?.sampleRate.map { "\($0)" } ?? ""
        }
    }

    private func check(_ clip: Clip, _ index: Int, _ values: [String]) throws(ManifestError) {
        if clip.path.isEmpty { throw .unwritableClip(index: index, reason: "its path is empty") }
        if clip.id.isEmpty { throw .unwritableClip(index: index, reason: "its id is empty") }
        if values.contains(where: { $0.utf8.contains(0) }) {
            throw .unwritableClip(index: index, reason: "a value holds a NUL character")
        }
        guard let delimiter = format.delimiter else { return }
        if format == .tsv, let value = values.first(where: Self.isUnwritableLiterally) {
            throw .unwritableClip(
                index: index,
                reason:
                    "\(quoted(value)) holds a tab or a line end, which no field of a TSV can; write CSV or JSON Lines")
        }
        if hidesRow(values, delimiter) {
            let value = values.first(where: Self.hasLineEnd) ?? ""
            throw .unwritableClip(
                index: index,
                reason: "\(quoted(value)) holds a line end, and what follows it would look like a row; write JSON Lines"
            )
        }
    }

    private static func isUnwritableLiterally(_ value: String) -> Bool {
        value.utf8.contains { $0 == Byte.tab || $0 == Byte.lineFeed || $0 == Byte.carriageReturn }
    }

    private static func hasLineEnd(_ value: String) -> Bool { value.utf8.contains(Byte.lineFeed) }

    /// Whether one of the row's lines would be read as a row.
    private func hidesRow(_ values: [String], _ delimiter: UInt8) -> Bool {
        guard format != .tsv, values.contains(where: Self.hasLineEnd) else { return false }
        var lines = PhysicalLines()
        lines.start(line: 1)
        for (position, value) in values.enumerated() {
            if position > 0 { lines.takeDelimiter() }
            guard Self.needsQuotes(value, delimiter) else { continue }
            Array(value.utf8).withUnsafeBytes { lines.take($0, delimiter: delimiter) }
            lines.takeClosingQuote()
        }
        return lines.lineLikeRow(fields: values.count) != nil
    }

    // MARK: - Rows

    /// A row of CSV (RFC 4180) with its line end.
    package static func csv(_ values: [String]) -> [UInt8] {
        ManifestWriter(format: .csv).line(values, UInt8(ascii: ","))
    }

    private func line(_ values: [String], _ delimiter: UInt8) -> [UInt8] {
        var line: [UInt8] = []
        for (position, value) in values.enumerated() {
            if position > 0 { line.append(delimiter) }
            append(value, delimiter, to: &line)
        }
        line.append(Byte.lineFeed)
        return line
    }

    /// Whether a field needs quotation marks to read back, or to keep its blanks in other programs.
    private static func needsQuotes(_ value: String, _ delimiter: UInt8) -> Bool {
        func isBlank(_ byte: UInt8?) -> Bool { byte == Byte.space || byte == Byte.tab }
        let utf8 = value.utf8
        // A byte order mark at the start of a file is not part of its first field.
        if isBlank(utf8.first) || isBlank(utf8.last) || utf8.first == 0xEF { return true }
        for byte in utf8
        where byte == delimiter || byte == Byte.quote || byte == Byte.lineFeed || byte == Byte.carriageReturn {
            return true
        }
        return false
    }

    /// Appends a field, in quotation marks where it needs them and the format has them.
    private func append(_ value: String, _ delimiter: UInt8, to line: inout [UInt8]) {
        guard format != .tsv, Self.needsQuotes(value, delimiter) else {
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
            if let column, ManifestColumn.numbers.contains(column), !value.hasSuffix("?") {
                line.append(contentsOf: (value.isEmpty ? "null" : value).utf8)
            } else if column == nil, name == jsonColumn {
                line.append(contentsOf: value.utf8)
            } else {
                JSONText.append(value.utf8, to: &line)
            }
        }
        line.append(contentsOf: "}\n".utf8)
        return line
    }
}
