import Annotations
import Essentials
import FeatureModel
import FileIO
import Manifests
import Presentation

/// The annotation files of a source: those given, or those beside its recordings.
struct ClipsTables {
    private(set) var tables: [PlacedTable] = []
    private(set) var problems: [ClipsProblem] = []
    private(set) var account = Account()
    private(set) var notes: [String] = []
    /// Whether the files were given, and not found beside the recordings.
    let areGiven: Bool
    /// Absolute paths of all files that are read or have a remark of their own.
    private var seen: Set<String> = []
    private let options: AnnotationOptions
    private let format: String?
    /// The names of files that are taken; nil: all.
    private let named: NamePattern?
    /// The first file in a format without a reader.
    private var foreign: (path: String, format: ForeignAnnotations)?

    /// Endings that other files have, too: what is no annotation file by its content is skipped.
    private static let commonEndings = ["txt", "csv", "tsv", "tab", "jsonl", "xml"]

    /// - Parameters:
    ///   - given: Files and folders; none: those beside the recordings.
    ///   - named: The names of the files that are taken, of those beside recordings and in folders; nil: all.
    ///   - isOptional: Whether there may be none at all.
    /// - Throws: Where there are no files; problems in files are kept.
    static func read(
        _ given: [String], of source: ClipsSource, format: String?, named: NamePattern? = nil,
        options: AnnotationOptions, isOptional: Bool
    ) throws -> ClipsTables {
        var found = ClipsTables(
            options: options, format: format, named: named, areGiven: source.table == nil && !given.isEmpty)
        if let table = source.table {
            found.add(table)
        } else if given.isEmpty {
            try found.findBeside(source)
            guard isOptional || !found.tables.isEmpty || !found.problems.isEmpty else {
                if let (path, format) = found.foreign {
                    throw FileRefusal(
                        path: path, reason: "it is \(format.sentence(path: path)), and give it with --annotations")
                }
                let other = found.account.remarks.first { $0.kind == .tablesUnclaimed }?.first.first
                throw FileRefusal(
                    path: source.name,
                    reason: (other.map { "\($0) is not read as annotations, and " } ?? "")
                        + "there are no annotation files beside its recordings (such as day.Table.1.selections.txt, "
                        + "day.TextGrid or day.csv beside day.wav): give them with --annotations, or cut windows with --window"
                )
            }
        } else {
            // The manifest itself may be in the folder of the annotations.
            let own = identity(source.name)
            for path in given { try found.take(path, except: own) }
        }
        found.checkColumns()
        return found
    }

    private init(options: AnnotationOptions, format: String?, named: NamePattern?, areGiven: Bool) {
        (self.options, self.format, self.named, self.areGiven) = (options, format, named, areGiven)
    }

    /// A problem where an option names a column, and no file has columns.
    private mutating func checkColumns() {
        guard let (option, name) = options.namedColumns.first, let first = tables.first,
            !tables.contains(where: \.table.content.hasColumns)
        else { return }
        problems.append(
            ClipsProblem(
                path: first.table.path,
                text: "it is \(first.table.kind.title), which has no columns, and \(option) names the column '\(name)'")
        )
    }

    private func isTaken(_ path: String) -> Bool { named?.matches(URL(filePath: path).lastPathComponent) != false }

    /// Whether a file was read as annotations, or has a remark that says why not.
    func hasSeen(_ file: UnclaimedFile) -> Bool { seen.contains(Self.identity(file.path)) }

    private static func identity(_ path: String) -> String { URL(filePath: path).absoluteURL.standardizedFileURL.path }

    // MARK: - Files that are given

    private mutating func take(_ path: String, except own: String) throws {
        guard FileStatus(path: path)?.isFolder == true else {
            try read(path, isSure: true)
            return
        }
        let before = tables.count + problems.count
        for file in try files(in: path) {
            let name = URL(filePath: file).lastPathComponent
            let location = path.hasSuffix("/") ? path + file : "\(path)/\(file)"
            guard Self.identity(location) != own else { continue }
            guard AnnotationFileName.isPossible(name), !OtherFile.isHarmlessName(name) else {
                if OtherFile.mayDescribe(name) {
                    seen.insert(Self.identity(location))
                    addUnclaimed(location, in: path)
                }
                continue
            }
            guard isTaken(name) else { continue }
            guard FileStatus(path: location)?.isRegular == true else {
                account.add(.tablesUnclaimed, source: path, "\(location) (not a regular file)")
                continue
            }
            seen.insert(Self.identity(location))
            // Such as the one that clips were written to.
            if format == nil, let start = AnnotationDocument(startOf: location),
                AnnotationTable.kind(of: start, options: options) == .manifest
            {
                account.add(.manifestsSkipped, source: path, location)
                continue
            }
            try read(location, .inFolder, isSure: false)
        }
        guard tables.count + problems.count > before else {
            if let (path, format) = foreign {
                throw FileRefusal(
                    path: path, reason: "it is \(format.sentence(path: path)), and give it with --annotations")
            }
            throw FileRefusal(
                path: path,
                reason: "expected a folder with annotation files, found none in it"
                    + (named.map { " that is named \(quoted($0.text)) (--annotations-named)" } ?? ""))
        }
    }

    /// The files below a folder, sorted, without hidden ones. Links to folders are followed, and each folder is read once; folders
    /// without read permission have a remark.
    ///
    /// - Throws: A fault of the system, or `root` cannot be read.
    private mutating func files(in root: String) throws(FileRefusal) -> [String] {
        let top = root.hasSuffix("/") ? root : root + "/"
        var (found, folders) = ([String](), [String]())
        var known = Set([FileStatus(path: root)?.identity])
        func take(_ names: [String], in folder: String) {
            for name in names where !name.hasPrefix(".") {
                let path = folder + name
                guard let status = FileStatus(path: top + path), status.isFolder else {
                    found.append(path)
                    continue
                }
                if known.insert(status.identity).inserted { folders.append(path + "/") }
            }
        }
        take(try GivenFile.names(in: root), in: "")
        while let folder = folders.popLast() {
            take(try GivenFile.names(in: top + folder.dropLast(), of: root, &account), in: folder)
        }
        return found.sorted()
    }

    /// - Parameters:
    ///   - origin: How the file was found.
    ///   - isSure: Whether a file of no known format is a problem; otherwise, it is some other file.
    /// - Throws: A fault of the system. Any other error is a problem of the file, which --skip-problems leaves out.
    private mutating func read(_ path: String, _ origin: PlacedTable.Origin = .given, isSure: Bool) throws {
        seen.insert(Self.identity(path))
        do {
            let table = try AnnotationTable(unchecked: path, options: options, format: format)
            add(table, origin)
        } catch AnnotationError.unknownTable where !isSure {
            addUnclaimed(path, in: Folder.containing(path))
        } catch AnnotationError.noReader where !isSure {
            addUnclaimed(path, in: Folder.containing(path))
        } catch ManifestError.invalidRows(_, let rows, let total) {
            problems += rows.map { ClipsProblem(path: path, line: $0.line, text: $0.text) }
            if total > rows.count { problems.append(.init(path: path, text: "\(total - rows.count) more problems")) }
        } catch  where error.isSystemFault {
            throw error
        } catch let error as AnnotationError {
            problems.append(ClipsProblem(path: path, line: error.problem.line, text: error.problem.text))
        } catch {
            let text = "\(error)"
            let start = path + ": "
            problems.append(
                ClipsProblem(path: path, text: text.hasPrefix(start) ? String(text.dropFirst(start.count)) : text))
        }
    }

    /// Takes note of a file that nothing was read of.
    private mutating func addUnclaimed(_ path: String, in folder: String) {
        seen.insert(Self.identity(path))
        let start = FileStatus(path: path)?.isRegular == true ? AnnotationDocument(startOf: path) : nil
        guard let format = start?.foreign else {
            account.add(.tablesUnclaimed, source: folder, path)
            return
        }
        if foreign == nil { foreign = (path, format) }
        account.add(.tablesUnclaimed, source: folder, "\(path) (\(format.name), which has no reader)")
    }

    private mutating func add(_ table: AnnotationTable, _ origin: PlacedTable.Origin = .given) {
        let content = table.content
        problems += content.problems.map { ClipsProblem(path: table.path, line: $0.line, text: $0.text) }
        if content.problemCount > content.problems.count {
            problems.append(
                ClipsProblem(path: table.path, text: "\(content.problemCount - content.problems.count) more problems"))
        }
        account.merge(table.account)
        tables.append(Self.placed(table, origin))
    }

    private static func placed(_ table: AnnotationTable, _ origin: PlacedTable.Origin) -> PlacedTable {
        PlacedTable(table, folder: absolute(Folder.containing(table.path)), origin: origin)
    }

    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    // MARK: - Files beside recordings

    private mutating func findBeside(_ source: ClipsSource) throws {
        var folders: [String: FolderTables] = [:]
        var clips: [String: [Int]] = [:]
        var locations: [String] = []
        for (index, clip) in source.clips.enumerated() {
            let location = source.location(clip)
            if clips[location] == nil { locations.append(location) }
            clips[location, default: []].append(index)
        }
        /// Recordings that have a table of their own, or a problem with it.
        var own: Set<String> = []
        let rowTables = Set(source.rowTables.map(Self.identity))
        let isTaken = { [named] (path: String) in named?.matches(URL(filePath: path).lastPathComponent) != false }
        var others: [String] = []
        for location in locations {
            let folder = Folder.containing(location)
            let known = folders[folder]
            let files = try known ?? FolderTables(folder, of: source.name, isTaken, &account)
            if known == nil {
                folders[folder] = files
                others += files.others.filter { $0 != source.name && !rowTables.contains(Self.identity($0)) }
                problems += files.problems
            }
            let name = String(location.split(separator: "/").last ?? "")
            let candidates = files.tables(of: name).filter { $0 != source.name }
            if try take(candidates, of: location, clips[location] ?? []) {
                own.insert(location)
                if let loose = files.loose[name], let table = tables.last, loose == table.table.path {
                    account.add(.tablesMatched, source: source.name, "\(quoted(loose)) for \(quoted(name))")
                }
            }
        }
        if FileStatus(path: source.name)?.isFolder == true, folders[source.name] == nil {
            others += try FolderTables(source.name, of: source.name, isTaken, &account).others
                .filter { !rowTables.contains(Self.identity($0)) }
        }
        try takeOthers(others, of: source, locations, clips, &own)
        noteTables()
        guard !tables.isEmpty else { return }
        for (position, location) in locations.enumerated() where !own.contains(location) {
            account.add(.recordingsWithoutAnnotations, source: source.name, at: position, location)
        }
    }

    private mutating func noteTables() {
        guard let first = tables.first else { return }
        let name = URL(filePath: first.table.path).lastPathComponent
        let isOfFolder = if case .ofFolder = first.origin { true } else { false }
        notes.append(
            tables.count == 1
                ? "annotations: '\(name)' (\(first.table.kind.name)), \(isOfFolder ? "of several recordings" : "beside its recording")"
                : "annotations: \(tables.count) files beside their recordings, such as '\(name)' (\(first.table.kind.name))"
        )
    }

    /// Reads the tables that are named like no recording beside them: combined ones, whose rows name recordings, and those of
    /// recordings elsewhere below the folder. Recordings with a table of their own have that.
    private mutating func takeOthers(
        _ paths: [String], of source: ClipsSource, _ locations: [String], _ clips: [String: [Int]],
        _ own: inout Set<String>
    ) throws {
        let index = RecordingIndex(source.clips.map { Self.absolute(source.location($0)) })
        let root = Self.absolute(source.root)
        var found: [(table: AnnotationTable, recordings: Set<String>)] = []
        for path in paths where !seen.contains(Self.identity(path)) {
            guard let table = try other(path) else { continue }
            let placed = Self.placed(table, .ofFolder(except: []))
            let named = Set(table.content.rows.compactMap(\.recording)).sorted()
            let matches =
                named.isEmpty
                ? [index.find(besides: URL(filePath: path).lastPathComponent, folder: placed.folder).match]
                : named.map { index.find($0, folders: [placed.folder, root]) }
            let recordings = matches.flatMap { match -> [String] in
                if case .found(let clips, _) = match { clips.map { source.location(source.clips[$0]) } } else { [] }
            }
            if recordings.isEmpty {
                addUnclaimed(path, in: Folder.containing(path))
            } else {
                found.append((table, Set(recordings)))
            }
        }
        for location in locations where !own.contains(location) {
            let several = found.filter { $0.recordings.contains(location) }
            guard several.count > 1 else { continue }
            let rest =
                locations.count { one in several.allSatisfy { $0.recordings.contains(one) } && !own.contains(one) } - 1
            problems.append(
                Self.choice(
                    location, several.map(\.table.path), rest: rest > 0 ? Wording.count(rest, "recording") : nil))
            own.formUnion(locations)
            return
        }
        let before = own
        for (table, recordings) in found {
            seen.insert(Self.identity(table.path))
            guard !recordings.subtracting(before).isEmpty else {
                addUnclaimed(table.path, in: Folder.containing(table.path))
                continue
            }
            own.formUnion(recordings)
            let except = Set(recordings.intersection(before).flatMap { clips[$0] ?? [] })
            let isNamed = table.content.rows.contains { $0.recording != nil }
            add(table, isNamed ? .ofFolder(except: except) : .beside(recordings.flatMap { clips[$0] ?? [] }))
        }
    }

    /// A table that is named like no recording beside it; nil: it is no table of annotations.
    private mutating func other(_ path: String) throws -> AnnotationTable? {
        guard FileStatus(path: path)?.isRegular == true, let start = AnnotationDocument(startOf: path) else {
            return nil
        }
        guard let kind = AnnotationTable.kind(of: start, options: options) else {
            if start.foreign != nil { addUnclaimed(path, in: Folder.containing(path)) }
            return nil
        }
        let name = URL(filePath: path).lastPathComponent
        // Such as the one that clips were written to.
        if kind == .manifest, !AnnotationFileName.isOfAll(name) || OwnManifest.isOne(path) { return nil }
        guard format == nil || format == kind.name else { return nil }
        // A table without rows, or with problems, says nothing of which recordings it is.
        guard let table = try? AnnotationTable(unchecked: path, options: options, format: format), table.count > 0,
            table.content.problemCount == 0 || table.content.rows.contains(where: { $0.recording != nil })
        else {
            addUnclaimed(path, in: Folder.containing(path))
            return nil
        }
        return table
    }

    /// Reads the one annotation file among candidates; false: there is none.
    private mutating func take(_ candidates: [String], of recording: String, _ clips: [Int]) throws -> Bool {
        var kept: [(path: String, table: AnnotationTable)] = []
        for path in candidates {
            seen.insert(Self.identity(path))
            do {
                let document = try AnnotationDocument(path: path)
                let kind = AnnotationTable.kind(of: document, options: options)
                if let format, kind?.name != format, candidates.count > 1 { continue }
                if kind == nil, format == nil, document.isText,
                    Self.commonEndings.contains(URL(filePath: path).pathExtension.lowercased())
                {
                    addUnclaimed(path, in: Folder.containing(path))
                    continue
                }
                kept.append((path, try AnnotationTable(document: document, options: options, format: format)))
            } catch {
                try read(path, .beside(clips), isSure: true)
                return true
            }
        }
        if kept.count > 1 {
            problems.append(Self.choice(recording, kept.map(\.path), rest: nil))
            return true
        }
        if let one = kept.first { add(one.table, .beside(clips)) }
        return !kept.isEmpty
    }

    /// That a recording has several tables, and how to choose.
    private static func choice(_ recording: String, _ paths: [String], rest: String?) -> ClipsProblem {
        let names = paths.map { URL(filePath: $0).lastPathComponent }
        let stem = DefaultIdentifier.stem(URL(filePath: recording).lastPathComponent)
        let patterns = names.map { name in
            quoted(name.hasPrefix(stem) ? "*" + name.dropFirst(stem.count) : name)
        }
        return ClipsProblem(
            path: recording,
            text: "expected one annotation file for it\(rest.map { " and \($0) more" } ?? ""), found \(names.count): "
                + names.map(quoted).joined(separator: ", ")
                + "; move all but one elsewhere, or choose for all recordings by "
                + "--annotations-named " + patterns.joined(separator: " or ") + ", or give the files with --annotations"
        )
    }
}
