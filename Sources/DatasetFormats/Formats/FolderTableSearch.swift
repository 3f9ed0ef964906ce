import FeatureModel
import Manifests

/// Finds the table of a folder's recordings among files that are named like one, and says why the others are not read.
enum FolderTableSearch {
    /// A file that is named like a table of recordings.
    struct Candidate {
        let name: String
        let format: ManifestFormat
    }

    /// What a file is.
    enum Finding {
        case read(FolderTable)
        /// It says only what the folders say.
        case own
        /// It is not read; why, in words.
        case other(Note)
    }

    /// The names of such files, in lower case. The first that fits is read.
    private static let files = ["labels", "metadata", "annotations"].flatMap { name in
        [("csv", ManifestFormat.csv), ("tsv", .tsv), ("jsonl", .jsonLines)].map { ("\(name).\($0)", $1) }
    }
    /// How many rows are looked at for a recording.
    private static let triedRows = 20

    /// Files that may be the table, likelier ones first.
    static func candidates(in location: DatasetLocation) -> [Candidate] {
        files.compactMap { file, format in
            guard let found = location.names.first(where: { $0.lowercased() == file }), location.hasFile(found)
            else { return nil }
            return Candidate(name: found, format: format)
        }
    }

    /// What a candidate is.
    ///
    /// - Throws: `ManifestError` for a fault of the system.
    /// - Complexity: Reads the table and lists the folder, unless the header says enough.
    static func examine(_ candidate: Candidate, in location: DatasetLocation) throws(ManifestError) -> Finding {
        let columns: [String]
        let rows: Rows
        let path: String
        do throws(ManifestError) {
            let start = try ManifestStart(location.input(of: candidate.name))
            if start.isEmpty { return .other("it is empty") }
            columns = start.columns
            guard let found = location.columns.pathColumn(among: columns) else {
                return .other(reason(ofColumns: columns, candidate, in: location))
            }
            if isOfAnnotations(candidate, columns, in: location) {
                return .other("it marks parts of recordings, which 'veery clips' reads")
            }
            path = found
            rows = try Rows(of: candidate, column: path, columns, in: location)
        } catch {
            if error.isSystemFault { throw error }
            return .other(reason(error, location.path(of: candidate.name)))
        }
        if let refusal = rows.refusal { return .other(refusal) }
        var below = try RecordingsBelow(location.folder)
        let tried = rows.paths.prefix(triedRows).map { below.find($0) }
        guard tried.contains(where: { if case .found = $0 { true } else { false } }) else {
            return .other(reason(ofPaths: rows.paths, tried, below))
        }
        guard !OwnManifest.isOne(location.path(of: candidate.name)) else { return .own }
        return .read(
            FolderTable(candidate, in: location, pathColumn: path, names: columns, paths: rows.paths, &below))
    }

    /// Why the tables in a folder that is read without them, or by another one, are not read: by their names there.
    ///
    /// - Parameter read: The files that are read.
    static func reasons(in location: DatasetLocation, read: [String]) throws(ManifestError) -> [String: Note] {
        var reasons: [String: Note] = [:]
        let table = read.first { ManifestFormat(path: $0) != nil }
        for candidate in candidates(in: location) where !read.contains(candidate.name) {
            switch try examine(candidate, in: location) {
            case .read, .own: reasons[candidate.name] = table.map { "\(quoted($0)) is read" }
            case .other(let reason): reasons[candidate.name] = reason
            }
        }
        return reasons
    }

    /// Whether a file, wherever it is, is named like a table of recordings.
    static func isCandidate(_ path: String) -> Bool {
        let name = path.lastName.lowercased()
        return files.contains { $0.0 == name }
    }

    // MARK: - Rows

    /// The recordings that the rows of a table name.
    private struct Rows {
        /// With slashes, and with the extension that an option gives.
        private(set) var paths: [String] = []
        /// Why the table is not one of clips, in words; nil if it may be one.
        private(set) var refusal: Note?

        init(
            of candidate: Candidate, column: String, _ columns: [String], in location: DatasetLocation
        ) throws(ManifestError) {
            let areParts = location.columns.columns(among: columns).contains(.start)
            var known: Set<String> = []
            var problem: Note?
            let rows = try TableReader(location.input(of: candidate.name), quoting: candidate.format.quoting)
            while try rows.next() {
                if let text = rows.problem {
                    if problem == nil { problem = "line \(rows.line): \(text)" }
                    guard rows.isInOtherEncoding else { continue }
                    refusal = "line \(rows.line): \(text)"
                    return
                }
                guard let value = rows[column], !value.isEmpty else { continue }
                let path = WindowsPaths.slashed(location.columns.path(of: value))
                guard areParts || known.insert(path).inserted else {
                    refusal = "line \(rows.line) names \(quoted(path)) again, and there is no column 'start'"
                    return
                }
                paths.append(path)
            }
            if paths.isEmpty { refusal = problem ?? "no row names a recording" }
        }
    }

    /// Whether a table marks parts of recordings: annotations by its name, or by columns of times that manifests do not have.
    private static func isOfAnnotations(
        _ candidate: Candidate, _ columns: [String], in location: DatasetLocation
    ) -> Bool {
        let names = columns.map(UnitName.init)
        guard names.contains(where: { $0.isOne(of: TimeNames.starts) }),
            names.contains(where: { $0.isOne(of: TimeNames.ends + TimeNames.durations) })
        else { return false }
        let known = location.columns.columns(among: columns)
        return candidate.name.lowercased().hasPrefix("annotation") && !location.columns.isNamed(.start)
            || !known.contains(.start) || !known.contains(.end) && !known.contains(.duration)
    }

    // MARK: - Reasons

    /// That a path is one of several recordings.
    static func ambiguity(_ path: String, _ recordings: [String]) -> String {
        let names = recordings.prefix(Remark.maximumNames).map(quoted).joined(separator: ", ")
        return "\(quoted(path)) is the name of \(recordings.count) recordings: \(names)"
            + (recordings.count > Remark.maximumNames ? ", …" : "") + "; write their folders in the table"
    }

    private static func reason(
        ofColumns columns: [String], _ candidate: Candidate, in location: DatasetLocation
    ) -> Note {
        if let name = location.columns.namedPath {
            return "there is no column \(quoted(name)) (\(setting: .column(as: "path"), ""))"
        }
        return UnreadTable(columns: columns, isTSV: candidate.format == .tsv).map { Note($0.summary) }
            ?? "no column is named like recordings, such as 'path' or 'file'"
    }

    private static func reason(
        ofPaths paths: [String], _ tried: [RecordingsBelow.Match], _ below: RecordingsBelow
    ) -> Note {
        for (path, match) in zip(paths, tried) {
            if case .several(let found) = match { return Note(ambiguity(path, found)) }
        }
        let first = paths.first ?? ""
        if let ending = below.missingExtension(of: first) {
            return "its recordings are named without their extension: \(setting: .recordingExtension, ending)"
        }
        let rows = paths.count > triedRows ? "none of its first \(triedRows) rows" : "no row of it"
        return "\(rows) names a recording that is there: \(quoted(first))"
    }

    /// An error without the path of its table.
    private static func reason(_ error: ManifestError, _ path: String) -> Note {
        let text = "\(error)"
        guard text.hasPrefix(path) else { return Note(text) }
        return Note(String(text.dropFirst(path.count).drop { $0 == ":" || $0 == "," || $0 == " " }))
    }
}
