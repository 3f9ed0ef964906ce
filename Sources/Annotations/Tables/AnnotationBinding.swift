import FeatureModel
import Manifests

/// An annotation file, its folder, and how it was found.
package struct FoundTable: Sendable {
    package let table: AnnotationTable
    /// Its absolute folder.
    package let folder: String
    package let origin: Origin

    /// How it was found.
    package enum Origin: Sendable {
        /// The user named it: it may belong to the only recording of a dataset, even if their names differ.
        case given
        /// It lies in a folder that the user named.
        case inFolder
        /// It is next to a recording, whose clips these are.
        case beside([Int])
        /// It lies in a folder of recordings, which its rows name. The annotations of these clips come from other files.
        case ofFolder(except: Set<Int>)
    }

    package init(_ table: AnnotationTable, folder: String, origin: Origin = .given) {
        (self.table, self.folder, self.origin) = (table, folder, origin)
    }

    /// Clips of the recording that it lies beside.
    var clipsBeside: [Int] { origin.clipsBeside }
}

extension FoundTable.Origin {
    /// Clips of the recording that a file lies beside.
    var clipsBeside: [Int] {
        guard case .beside(let clips) = self else { return [] }
        return clips
    }
}

/// Which rows of annotation files belong to which clips of a dataset.
package struct AnnotationBinding: Sendable {
    /// A row, by the index of its table and its own.
    package struct Row: Hashable, Sendable {
        package let table, row: Int
    }

    /// A problem of a file.
    package struct Problem: Sendable {
        package let table: Int
        package let line: Int?
        package let text: Note
    }

    /// The rows of each clip, in the order of the files.
    package private(set) var rows: [[Row]]
    package private(set) var problems: [Problem] = []
    /// How files and rows were matched where that is not plain, and what is of no recording.
    package private(set) var account = Account()
    /// Where annotations are that are not read, or whose recording is not known.
    private(set) var unread = UnreadParts()
    private let index: RecordingIndex
    /// What messages call the dataset.
    private let dataset: String

    /// - Parameters:
    ///   - tables: The files.
    ///   - index: The recordings of all clips.
    ///   - clipCount: Their number.
    ///   - root: The folder that the dataset's relative paths start from.
    ///   - dataset: What messages call the dataset.
    package init(_ tables: [FoundTable], to index: RecordingIndex, clipCount: Int, root: String, dataset: String) {
        self.index = index
        self.dataset = dataset
        rows = Array(repeating: [], count: clipCount)
        for (number, table) in tables.enumerated() { bind(table, number, root) }
    }

    private mutating func bind(_ file: FoundTable, _ number: Int, _ root: String) {
        let path = file.table.path
        let content = file.table.content
        var owners: [String: [Int]] = [:]
        var names: [(name: String, line: Int, count: Int)] = []
        var positions: [String: Int] = [:]
        var nameless: (line: Int, count: Int)?
        for row in content.rows {
            guard let name = row.recording else {
                nameless = (nameless?.line ?? row.line, (nameless?.count ?? 0) + 1)
                continue
            }
            if let position = positions[name] {
                names[position].count += 1
            } else {
                positions[name] = names.count
                names.append((name, row.line, 1))
            }
        }
        if let (line, count) = nameless, !names.isEmpty {
            problems.append(
                Problem(
                    table: number, line: line, text: "names no recording\(Self.rows(count)), and other rows name one"))
            for (name, _, _) in names { unread.add(clips(named: name, file, root)) }
            return
        }
        // Two names for one recording are two recordings where one of them fits it better.
        var taken: [Int: (score: Int, name: String)] = [:]
        var found: [(name: String, line: Int, count: Int, clips: [Int], score: Int)] = []
        for (name, line, count) in names {
            switch index.find(name, folders: [file.folder, root], preferred: file.clipsBeside) {
            case .none: addUnknown(file, number, name, line, count)
            case .ambiguous(let locations):
                problems.append(
                    Problem(
                        table: number, line: line,
                        text: "names the recording \(quoted(name))\(Self.rows(count)), which may be "
                            + Note(locations.prefix(3).map(quoted).joined(separator: " or "))
                            + (locations.count > 3 ? " …" : "")))
                unread.add(index.clips(at: locations))
            case .found(let clips, let score):
                found.append((name, line, count, clips, score))
                guard let first = clips.first else { continue }
                if score > taken[first]?.score ?? -1 { taken[first] = (score, name) }
            }
        }
        for (name, line, count, clips, score) in found {
            guard let first = clips.first, let best = taken[first] else { continue }
            guard score >= best.score else {
                addUnknown(file, number, name, line, count)
                continue
            }
            if case .ofFolder(let others) = file.origin, others.contains(first) {
                let location = quoted(index.location(first))
                account.add(
                    .annotationsUnused, source: path, at: line,
                    "those of \(location), which has a table of its own", count: count)
                continue
            }
            if index.isConverted(first, name) {
                account.add(
                    .recordingsConverted, source: path, at: line,
                    "\(quoted(name)) as \(quoted(index.location(first).split(separator: "/").last.map(String.init) ?? ""))"
                )
            }
            owners[name] = clips
        }
        let own = ownRecording(file, number)
        bindRows(content, owners, own, number)
        leaveUnread(of: file, Set(owners.values.joined()).union(own), root)
    }

    /// Takes note of the rows of a file that are not read.
    ///
    /// - Parameter clips: Those of its other rows.
    private mutating func leaveUnread(of file: FoundTable, _ clips: Set<Int>, _ root: String) {
        let content = file.table.content
        var rows = content.unread
        // A problem of no row is one of all.
        if content.areTimesDoubtful || rows.isEmpty && content.problemCount > 0 { rows.append(UnreadRow()) }
        for row in rows {
            if let name = row.recording {
                unread.add(self.clips(named: name, file, root), at: row.times)
            } else {
                unread.add(
                    clips.isEmpty
                        ? index.clips(ofFile: file.table.path, folder: file.folder, beside: file.clipsBeside)
                        : Array(clips), at: row.times)
            }
        }
    }

    /// The clips of all recordings that a name in a file may be of.
    private func clips(named name: String, _ file: FoundTable, _ root: String) -> [Int] {
        let clips =
            switch index.find(name, folders: [file.folder, root], preferred: file.clipsBeside) {
            case .none: [Int]()
            case .found(let clips, _): clips
            case .ambiguous(let locations): index.clips(at: locations)
            }
        guard case .ofFolder(let others) = file.origin else { return clips }
        return clips.filter { !others.contains($0) }
    }

    private mutating func bindRows(
        _ content: AnnotationContent, _ owners: [String: [Int]], _ own: [Int], _ number: Int
    ) {
        for (position, row) in content.rows.enumerated() {
            let clips = row.recording.map { owners[$0] ?? [] } ?? own
            for clip in clips { rows[clip].append(Row(table: number, row: position)) }
        }
    }

    /// The clips of rows that name no recording.
    private mutating func ownRecording(_ file: FoundTable, _ number: Int) -> [Int] {
        guard file.table.content.rows.contains(where: { $0.recording == nil }) else { return [] }
        if !file.clipsBeside.isEmpty { return file.clipsBeside }
        let name = file.table.path.split(separator: "/").last.map(String.init) ?? ""
        let (match, isLoose) = index.find(forFile: name, folder: file.folder)
        switch match {
        case .found(let clips, _):
            if isLoose, let first = clips.first { addLoose(file, first) }
            return clips
        case .ambiguous(let locations):
            let ambiguity = AnnotationFileName.ambiguity(of: name, locations)
            problems.append(Problem(table: number, line: nil, text: "its rows name no recording, and \(ambiguity)"))
            unread.add(index.clips(at: locations))
            return []
        case .none:
            if index.recordingCount == 1, case .given = file.origin { return Array(rows.indices) }
            let stem = AnnotationFileName.stem(of: name)
            problems.append(
                Problem(
                    table: number, line: nil,
                    text: "its rows name no recording, and no recording of \(dataset) is named \(quoted(stem))"
                        + (file.table.content.hasOtherColumns
                            ? "; \(setting: .pathColumn) names the column of recordings, if it has one" : "")))
            return []
        }
    }

    /// Takes note of a file whose name has one more word than that of its recording.
    package mutating func addLoose(_ file: FoundTable, _ clip: Int) {
        let name = file.table.path.split(separator: "/").last.map(String.init) ?? ""
        account.add(
            .tablesMatched, source: dataset,
            "\(quoted(name)) for \(quoted(index.location(clip).split(separator: "/").last.map(String.init) ?? ""))")
    }

    /// Takes note of clips whose annotations are in a file that is not read.
    mutating func addUnread(_ clips: [Int]) { unread.add(clips) }

    private mutating func addUnknown(
        _ file: FoundTable, _ table: Int, _ name: String, _ line: Int, _ count: Int
    ) {
        if case .ofFolder = file.origin {
            account.add(
                .annotationsUnused, source: file.table.path, at: line, "those of \(quoted(name))", count: count)
            return
        }
        problems.append(
            Problem(
                table: table, line: line,
                text: "names the recording \(quoted(name))\(Self.rows(count)), which is not one of \(dataset)"))
    }

    private static func rows(_ count: Int) -> String { count > 1 ? " in \(count) rows" : "" }
}
