import FeatureModel

/// Columns that seem to give the clips' times, under names that are not read.
///
/// A clip whose `offset` is ignored is another part of its recording than its author meant, and nothing would show it later.
package struct TimeColumns {
    /// Common names, in lower case, without blanks and units, and the columns that they mean.
    private static let known: [(role: ManifestColumn, names: [String])] = [
        (
            .start,
            [
                "start", "begin", "beginning", "onset", "offset", "start_time", "begin_time", "onset_time",
                "time_start", "start_offset", "segment_start", "clip_start", "t_start", "tstart", "t_min", "tmin",
                "xmin", "t0",
            ]
        ),
        (
            .end,
            [
                "end", "stop", "offset", "end_time", "stop_time", "offset_time", "time_end", "end_offset",
                "segment_end", "clip_end", "t_end", "tend", "t_max", "tmax", "xmax", "t1",
            ]
        ),
        (.duration, ["duration", "dur", "segment_duration", "clip_duration"]),
    ]

    private static let units = [
        "(s)", "(sec)", "(ms)", "_s", "_sec", "_secs", "_seconds", "_ms", "_msec", "_milliseconds",
    ]

    /// Why the clips would be wrong, so that none may be stored; nil: they are not.
    let problem: String?
    /// Columns that may be times, and what they would be.
    private var unread: [(name: String, role: ManifestColumn)] = []
    /// What to do if rows of one recording are parts of it; nil: no columns look like their times.
    let advice: String?

    /// - Parameters:
    ///   - columns: Names and first values of the other columns.
    ///   - has: Whether the manifest has a column that is read.
    init(_ columns: [(name: String, value: String)], has: (ManifestColumn) -> Bool) {
        let names = columns.map { Self.plain($0.name) }
        let hasOnset = names.contains { $0.hasPrefix("onset") }
        var found: [ManifestColumn: String] = [:]
        for (column, name) in zip(columns, names) where Double(column.value).map(\.isFinite) == true {
            let role = Self.known.first { role, names in
                // Beside an onset, an offset is an end; otherwise it is a start, as in NeMo's and lhotse's manifests.
                names.contains(name) && !(name.hasPrefix("offset") && hasOnset && role == .start)
            }?.role
            guard let role, !has(role), found[role] == nil else { continue }
            found[role] = column.name
        }
        // One of the two says where a clip ends.
        if has(.end) || has(.duration) { (found[.end], found[.duration]) = (nil, nil) }
        let start = found[.start]
        let end = found[.end].map { (name: $0, role: ManifestColumn.end) } ?? found[.duration].map { ($0, .duration) }
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
        self.problem = problem
        let options = [start.map { "--column start=\($0)" }, end.map { "--column \($0.role.name)=\($0.name)" }]
            .compactMap(\.self)
        advice =
            options.isEmpty || has(.start)
            ? nil : "if the rows are parts of a recording, give " + options.joined(separator: " ")
    }

    func report(to account: inout Account, source: String) {
        for (name, role) in unread {
            account.add(.timesUnread, source: source, at: role.rawValue, "\(quoted(name)) ('\(role.name)')")
        }
    }

    /// The index of another column that says where a clip ends, by its name; nil: there is none.
    static func end(among columns: [(name: String, value: String)]) -> Int? {
        let names = columns.map { plain($0.name) }
        let ends = known.first { $0.role == .end }?.names ?? []
        return columns.indices.first { index in
            // An offset may be a start.
            ends.contains(names[index]) && !names[index].hasPrefix("offset")
                && Double(columns[index].value).map(\.isFinite) == true
        }
    }

    /// The name of a column that seems to say how long a clip is, or where it ends; nil: there is none.
    package static func length(among columns: [(name: String, value: String)]) -> String? {
        let names = known.filter { $0.role != .start }.flatMap(\.names)
        return columns.first { Double($0.value).map(\.isFinite) == true && names.contains(plain($0.name)) }?.name
    }

    /// A name in lower case, without blanks at its ends and without its unit.
    private static func plain(_ name: String) -> String {
        var plain = name.lowercased().trimmingBlanks()
        if let unit = units.first(where: { plain.hasSuffix($0) && $0.utf8.count < plain.utf8.count }) {
            plain.removeLast(unit.count)
        }
        return plain.trimmingBlanks().replacing(" ", with: "_").replacing("-", with: "_")
    }
}

/// A column such as `stop` beside a duration: both say where a clip ends, and may disagree.
struct SecondEnd {
    /// The slot of the column in a row.
    private let slot: Int
    private let name: String
    private var count = 0
    private var first: (line: Int, found: String, end: Double, isWhole: Bool)?

    /// By how much the two may differ, in seconds: both may be rounded.
    private static let tolerance = 0.002

    /// - Parameter columns: Names and first values of the other columns.
    /// - Returns: Nil: there is no such column.
    init?(_ columns: [(name: String, value: String)]) {
        guard let index = TimeColumns.end(among: columns) else { return nil }
        (slot, name) = (ManifestColumn.allCases.count + index, columns[index].name)
    }

    mutating func take(_ row: ManifestRow, _ segment: Segment?) {
        guard let end = segment?.end, let found = Double(row.text(slot)), found.isFinite,
            abs(found - end) > Self.tolerance
        else { return }
        count += 1
        if first == nil { first = (row.line, row.text(slot), end, found == found.rounded() && found > 2 * end) }
    }

    /// A sentence about rows in which the two disagree; nil: there is none. The line of the first.
    var problem: (line: Int, text: String)? {
        guard let first else { return nil }
        let rows = count == 1 ? "" : ", and \(count - 1) more rows disagree"
        let unit = first.isWhole ? " (with --time-unit samples or --time-unit ms if that is not in seconds)" : ""
        return (
            first.line,
            "\(quoted(name)) is \(first.found), and by its duration the clip ends at \(first.end) s\(rows): if the clip ends at "
                + "\(quoted(name)), give --column end=\(name)\(unit); if it means something else, rename it"
        )
    }
}
