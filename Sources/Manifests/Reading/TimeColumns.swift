import FeatureModel

/// Columns that seem to give the clips' times, under names that are not read.
///
/// A clip whose `offset` is ignored is another part of its recording than its author meant, and nothing would show it later.
package struct TimeColumns {
    /// Why the clips would be wrong, which forbids storing them; nil: they are right.
    let problem: String?
    /// Columns that may be times, and what they would be.
    private var unread: [(name: String, role: ManifestColumn)] = []
    /// What to do if rows of one recording are parts of it; nil: no columns look like their times.
    let advice: Note?

    /// - Parameters:
    ///   - columns: The other columns.
    ///   - has: Whether the manifest has a column that is read.
    init(_ columns: [OtherColumn], has: (ManifestColumn) -> Bool) {
        let names = columns.map { UnitName($0.name) }
        func isTime(_ index: Int) -> Bool { columns[index].number != nil }
        func isStart(_ index: Int) -> Bool { names[index].isOne(of: TimeNames.starts) }
        // An offset is an end where something else is the start.
        let hasStart = has(.start) || names.indices.contains { isTime($0) && isStart($0) }
        func role(_ index: Int) -> ManifestColumn? {
            let name = names[index]
            if isStart(index) || TimeNames.isStartAlone(name) && !hasStart { return .start }
            if name.isOne(of: TimeNames.ends) { return .end }
            return name.isOne(of: TimeNames.durations) ? .duration : nil
        }
        var found: [ManifestColumn: String] = [:]
        for index in columns.indices where isTime(index) {
            guard let role = role(index), !has(role), found[role] == nil else { continue }
            found[role] = columns[index].name
        }
        // One of the two says where a clip ends.
        if has(.end) || has(.duration) { (found[.end], found[.duration]) = (nil, nil) }
        let start = found[.start]
        let end = found[.end].map { (name: $0, role: ManifestColumn.end) } ?? found[.duration].map { ($0, .duration) }
        let pair = has(.start) || has(.end) || start != nil && end != nil ? nil : Self.pair(columns, start, end)
        func mend(_ role: ManifestColumn) -> String {
            "rename it to '\(role.name)' (in seconds), or to something else if it is not"
        }
        var problem: String?
        switch (start, end) {
        case (let start?, _) where has(.end) || has(.duration):
            problem =
                "the column \(quoted(start)) seems to be where a clip starts, but only '\(has(.end) ? "end" : "duration")' is read: "
                + mend(.start)
        case (_, let end?) where has(.start):
            problem =
                "the column \(quoted(end.name)) seems to be \(end.role == .end ? "where a clip ends" : "how long a clip is"), "
                + "but only 'start' is read: " + mend(end.role)
        case (let start?, let end?):
            unread = [(start, .start), (end.name, end.role)]
        case (let start?, nil):
            unread = [(start, .start)]
        default: break
        }
        if let pair, problem == nil { unread = pair }
        self.problem = problem
        let single: [Column?] = [start.map { (name: $0, role: .start) }, end]
        advice = has(.start) ? nil : Self.advice(pair ?? single.compactMap(\.self))
    }

    private typealias Column = (name: String, role: ManifestColumn)

    /// A start, and an end or a length, at least one of them recognised only by the words of its name; nil: one is missing.
    private static func pair(_ columns: [OtherColumn], _ start: String?, _ end: Column?) -> [Column]? {
        let numbers = columns.filter { $0.number != nil }.map(\.name)
        func first(_ role: ManifestColumn) -> String? { numbers.first { TimeNames.role(byWordsOf: $0) == role } }
        let other: Column? =
            first(.end).map { (name: $0, role: .end) } ?? first(.duration).map { (name: $0, role: .duration) }
        guard let start = start ?? first(.start) ?? numbers.first(where: { $0.lowercased() == "time" }),
            let end = end ?? other
        else { return nil }
        return [(name: start, role: .start), end]
    }

    /// What to do if columns are the times of parts of recordings; nil: there are none.
    private static func advice(_ columns: [Column]) -> Note? {
        guard !columns.isEmpty else { return nil }
        var advice: Note = "if the rows are parts of a recording, "
        let units = Set(columns.map { UnitName($0.name).unit ?? .seconds })
        guard units.count == 1, let unit = units.first, !columns.contains(where: { TimeNames.isOfFrames($0.name) })
        else {
            let names = columns.map { "\(quoted($0.name)) as '\($0.role.name)'" }.joined(separator: ", ")
            return advice + "write the seconds of \(names)"
        }
        advice += "give"
        for column in columns { advice += " \(setting: .column(as: column.role.name), column.name)" }
        return unit == .seconds ? advice : advice + " \(setting: .timeUnit, unit.rawValue)"
    }

    func report(to account: inout Account, source: String) {
        for (name, role) in unread {
            account.add(
                .timesUnread, source: source, at: role.rawValue,
                note: "\(quoted(name)) (\(setting: .column(as: role.name), name))")
        }
    }

    /// The name of a column that seems to say how long a clip is, or where it ends; nil: there is none.
    package static func length(among columns: [(name: String, value: String)]) -> String? {
        columns.first { name, value in
            FieldValue.number(value) != nil && UnitName(name).isOne(of: TimeNames.durations + TimeNames.ends)
        }?.name
    }
}

/// A column without a meaning.
struct OtherColumn {
    let name: String
    /// The first value that is not blank; empty: all are.
    let text: String
    /// The same as a number; nil if it is not one.
    let number: Double?
}

/// The first values of the other columns that are not blank.
struct FirstValues {
    private var values: [(text: String, number: Double?)] = []
    /// Indices of columns of which all values so far are blank.
    private var blank: [Int] = []

    /// - Parameter count: How many other columns there are so far.
    mutating func take(_ row: ManifestRow, count: Int) {
        while values.count < count {
            blank.append(values.count)
            values.append(("", nil))
        }
        guard !blank.isEmpty else { return }
        blank.removeAll { index in
            let field = row.bytes[row.range(ManifestColumn.allCases.count + index)].trimmingBlanks
            guard !field.isEmpty else { return false }
            let number = FieldValue.number(field, decimalComma: row.hasDecimalComma)
            values[index] = (String(decoding: field, as: UTF8.self), number)
            return true
        }
    }

    func columns(_ names: [String]) -> [OtherColumn] {
        names.enumerated().map { index, name in
            let (text, number) = index < values.count ? values[index] : (text: "", number: nil)
            return OtherColumn(name: name, text: text, number: number)
        }
    }
}

/// A column such as `stop` in a table with durations: both say where a clip ends, and may disagree.
struct SecondEnd {
    /// The slot of the column in a row; nil: there is no such column so far.
    private var slot: Int?
    private var name = ""
    /// Seconds in the unit of the column.
    private var unit = 1.0
    private var knownColumns = 0
    private var count = 0
    private var first: (line: Int, found: String, end: Double, isWhole: Bool)?

    /// By how much the two may differ, in seconds: both may be rounded.
    private static let tolerance = 0.002

    /// - Parameter parser: The parser of the row, which knows the columns so far.
    mutating func take(_ row: ManifestRow, _ segment: Segment?, _ parser: any RowParser) {
        if parser.extraSlots != knownColumns, slot == nil { find(in: parser) }
        guard let slot, parser.has(.duration), !parser.has(.end), let end = segment?.end,
            let found = FieldValue.number(row.bytes[row.range(slot)], decimalComma: row.hasDecimalComma),
            abs(found * unit - end) > Self.tolerance
        else { return }
        count += 1
        if first == nil { first = (row.line, row.text(slot), end, found == found.rounded() && found > 2 * end) }
    }

    private mutating func find(in parser: any RowParser) {
        knownColumns = parser.extraSlots
        for (index, column) in parser.extraColumns.enumerated() {
            let parts = UnitName(column)
            // An offset may be a start, and samples have no rate here.
            guard parts.isOne(of: TimeNames.ends), !TimeNames.isStartAlone(parts), parts.unit != .samples
            else { continue }
            (slot, name) = (ManifestColumn.allCases.count + index, column)
            unit = parts.unit == .milliseconds ? 0.001 : 1
            return
        }
    }

    /// A sentence about rows in which the two disagree; nil: there is none. The line of the first.
    var problem: (line: Int, text: Note)? {
        guard let first else { return nil }
        let rows = count == 1 ? "" : ", and \(count - 1) more rows disagree"
        let unit: Note =
            first.isWhole
            ? " (with \(setting: .timeUnit, "samples") or \(setting: .timeUnit, "ms") if that is not in seconds)" : ""
        return (
            first.line,
            "\(quoted(name)) is \(first.found), and by its duration the clip ends at \(first.end) s\(rows): if the clip ends at "
                + "\(quoted(name)), give \(setting: .column(as: "end"), name)\(unit); if it means something else, rename it"
        )
    }
}
