import FeatureModel

/// The column `labels` of a manifest: all labels of a clip, as names between `|`, or as a list in JSON or of Python.
///
/// Names are taken as they are, blanks included. Empty names are left out; a name that is repeated counts once.
package enum LabelList {
    /// The name of the column.
    package static let column = "labels"
    /// Whether a name of a header, or of an object, is that of the column: it is equal, or equal except for capitals and
    /// blanks, and no other name is likelier.
    static func isColumn(_ name: String, among names: [String]) -> Bool {
        func isSpelled(_ name: String) -> Bool { name.lowercased().trimmingBlanks() == column }
        return name == column || isSpelled(name) && name == names.first(where: isSpelled) && !names.contains(column)
    }

    /// Between names, unless they are a list.
    package static let separator: Character = "|"
    /// Maximum number of distinct labels of a manifest with this column.
    static let maximumLabels = 65_536

    /// Why a value is not a list of labels, in words.
    package struct Failure: Error { package let text: String }

    /// The names in a value, in its order, each once.
    ///
    /// - Throws: `Failure` where the value looks like a list and is not one.
    package static func names(_ value: some Collection<UInt8>) throws(Failure) -> [String] {
        var names: [[UInt8]] = []
        var known: Set<[UInt8]> = []
        func add(_ name: some Collection<UInt8>) {
            let name = Array(name)
            if !name.isEmpty, known.insert(name).inserted { names.append(name) }
        }
        if let elements = try elements(value) {
            for name in elements { add(Array(name.utf8)) }
        } else {
            for name in value.split(separator: UInt8(ascii: "|")) { add(name) }
        }
        return names.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value that has these names: a list in JSON, or nothing.
    package static func text(_ names: [String]) -> String {
        names.isEmpty ? "" : JSONValue.array(names.map(JSONValue.string)).text
    }

    /// The names in a list; nil if the value is not a list.
    ///
    /// - Throws: `Failure` where the value looks like one.
    package static func elements(_ value: some Collection<UInt8>) throws(Failure) -> [String]? {
        if let names = ListText.names(value) { return names }
        let text = Array(value)[...].trimmingBlanks
        guard looksLikeList(text) else { return nil }
        if JSONValue(json: text) != nil { throw Failure(text: "labels is \(shown(text)); expected a list of names") }
        throw Failure(
            text: "labels is \(shown(text)), which is a list neither in JSON nor as Python prints one; expected "
                + "[\"a\", \"b\"], ['a', 'b'] or a|b")
    }

    /// Whether a value looks like a list, a set or a tuple: brackets around names in quotation marks, or around several names. A
    /// single name in brackets without quotation marks is not a list.
    package static func looksLikeList(_ value: some Collection<UInt8>) -> Bool {
        let text = Array(value)[...].trimmingBlanks
        let closing: Unicode.Scalar
        switch text.first.map(Unicode.Scalar.init) {
        case "[": closing = "]"
        case "{": closing = "}"
        case "(": closing = ")"
        default: return false
        }
        guard text.last == UInt8(ascii: closing) else { return false }
        let inner = text.dropFirst().dropLast().trimmingBlanks
        if inner.first == Byte.quote || inner.first == UInt8(ascii: "'") { return true }
        guard closing == "]" else { return false }
        let hasSeveral =
            inner.contains(Byte.comma) && !inner.contains(UInt8(ascii: "]")) && !inner.contains(UInt8(ascii: "|"))
        return hasSeveral || JSONValue(json: text) != nil
    }

    private static func shown(_ text: some Collection<UInt8>) -> String {
        quoted(String(decoding: text.prefix(60), as: UTF8.self) + (text.count > 60 ? "…" : ""))
    }
}

/// What a first reading found in the column `labels`.
struct LabelListTally {
    /// Where the values are in a row; nil: there is no such column.
    private(set) var slot: Int?
    private var knownSlots = 0
    /// Whether an option names the columns of labels. Otherwise, a row without any, such as a window without calls, says so by design.
    var areNamed = false
    /// Rows whose label is not one of their labels.
    private var strayLabels = 0
    private var firstStray = 0
    /// Single names that contain a character that often separates names: how many, and the first.
    private var joined: [UInt8: (count: Int, first: String)] = [:]
    private static let separators = [Byte.comma, Byte.semicolon]
    private var hasSeparator = false

    /// Looks for the column among those that are known now.
    mutating func find(in parser: any RowParser) {
        guard parser.extraSlots != knownSlots else { return }
        knownSlots = parser.extraSlots
        slot = parser.extraColumns.firstIndex(of: LabelList.column).map { ManifestColumn.allCases.count + $0 }
    }

    /// Counts the row of a clip with these labels.
    mutating func take(_ names: [String], of row: ManifestRow) {
        if let slot, row.bytes[row.range(slot)].trimmingBlanks.first != UInt8(ascii: "[") {
            if names.count > 1 { hasSeparator = true }
            if names.count == 1, let character = names[0].utf8.first(where: Self.separators.contains) {
                joined[character, default: (0, names[0])].count += 1
            }
        }
        let label = row.range(.label)
        guard !label.isEmpty, areNamed || !names.isEmpty,
            !names.contains(where: { $0.utf8.elementsEqual(row.bytes[label]) })
        else { return }
        if strayLabels == 0 { firstStray = row.line }
        strayLabels += 1
    }

    /// - Parameter location: Where a row is, in words.
    func report(to account: inout Account, source: String, location: (Int) -> String) {
        account.add(.labelsUnlisted, source: source, at: firstStray, location(firstStray), count: strayLabels)
        guard !hasSeparator else { return }
        for (index, character) in Self.separators.enumerated() {
            guard let (count, first) = joined[character] else { continue }
            account.add(
                .labelsJoined, source: source, at: index,
                note: "\(quoted(first)) (\(setting: .labelSeparator, "'\(Unicode.Scalar(character))'"))", count: count)
        }
    }
}

extension ClipSource {
    /// The index of the column `labels` among the other columns; nil: clips have one label at most.
    package var labelsColumn: Int? { extraColumns.firstIndex(of: LabelList.column) }

    /// The names of all labels of a clip, each once: its label, and those of the column `labels`. None: it has no label.
    ///
    /// - Throws: as `labelIndices`.
    package func labelNames(of clip: Clip) throws(ManifestError) -> [String] {
        let own = clip.label.isEmpty ? [] : [clip.label]
        guard let column = labelsColumn else { return own }
        return own + (try list(clip.extra[column])).filter { !$0.utf8.elementsEqual(clip.label.utf8) }
    }

    /// The indices in `labels` of all labels of a clip, ascending; nil: there is no such column.
    ///
    /// - Throws: `ManifestError.changedWhileReading` where the first reading cannot have found this value.
    package func labelIndices(of clip: Clip) throws(ManifestError) -> [Int]? {
        guard let column = labelsColumn else { return nil }
        return try list(clip.extra[column]).compactMap(labelIndex(of:)).sorted()
    }

    private func list(_ text: String) throws(ManifestError) -> [String] {
        do throws(LabelList.Failure) { return try LabelList.names(text.utf8) } catch {
            throw .changedWhileReading(path: path, detail: error.text)
        }
    }
}
