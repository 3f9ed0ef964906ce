import Essentials
import FeatureModel
import FileIO
import Manifests

/// The annotation files of a source: those given, or those next to its recordings.
package struct AnnotationTables {
    private(set) var tables: [FoundTable] = []
    var problems: [SourceProblem] = []
    var account = Account()
    var notes: [SourceNote] = []
    /// Whether the files were given, and not found next to the recordings.
    let areGiven: Bool
    /// Absolute paths of all files that are read or have a remark of their own.
    var seen: Set<String> = []
    /// Files that are not read because of a problem, and how they were found.
    var unread: [(path: String, origin: FoundTable.Origin)] = []
    let options: AnnotationOptions
    let format: String?
    private let places: NamedPlaces
    /// The names of files that are taken; nil: all.
    let named: NamePattern?
    /// The annotators of all files, where those of one are asked for.
    private var annotators: (names: Set<String>, path: String)?
    /// The first file in a format without a reader.
    private var foreign: (path: String, format: ForeignAnnotations)?

    /// Endings that other files have, too: what is not an annotation file by its content is skipped.
    static let commonEndings = ["txt", "csv", "tsv", "tab", "jsonl", "xml"]

    /// - Parameters:
    ///   - given: Files and folders; none: those next to the recordings.
    ///   - named: The names of the files that are taken, of those next to recordings and in folders; nil: all.
    ///   - isOptional: Whether there may be none at all.
    /// - Throws: Where there are no files; problems in files are kept.
    package init(
        _ given: [String], of source: RecordingSource, format: String?, named: NamePattern? = nil,
        options: AnnotationOptions, isOptional: Bool
    ) throws {
        (self.options, self.format, self.named, places) = (options, format, named, NamedPlaces(source))
        areGiven = source.table == nil && !given.isEmpty
        if let table = source.table {
            add(try places.located(table))
        } else if given.isEmpty {
            try search(source)
            guard isOptional || !tables.isEmpty || !problems.isEmpty else {
                if let foreign { throw RecordingSourceError.noReader(path: foreign.path, foreign.format) }
                throw RecordingSourceError.noTables(path: source.name, account: account, named: named)
            }
        } else {
            // The manifest itself may be in the folder of the annotations.
            let own = Self.identity(source.name)
            for path in given { try take(path, except: own) }
        }
        checkColumns()
    }

    /// Adds the problems that the options have with all files together.
    private mutating func checkColumns() {
        if let annotators, let problem = AnnotationTable.annotatorProblem(options, annotators.names) {
            problems.append(SourceProblem(annotators.path, problem))
        }
        guard let (setting, name) = options.namedColumns.first, let first = tables.first,
            !tables.contains(where: \.table.content.hasColumns)
        else { return }
        problems.append(
            SourceProblem(
                first.table.path,
                .stated(
                    "it is read as \(first.table.kind.name), which has no columns, and \(setting: setting) names the column \(quoted(name))"
                )))
    }

    /// Which rows are of which clip, and what is wrong with tables and rows.
    func bound(
        to index: RecordingIndex, of source: RecordingSource
    ) -> (binding: AnnotationBinding, problems: [SourceProblem]) {
        var binding = AnnotationBinding(
            tables, to: index, clipCount: source.clips.count, root: Self.absolute(source.root), dataset: source.name)
        for (path, origin) in unread {
            let file = Self.absolute(path)
            binding.addUnread(index.clips(ofFile: file, folder: Folder.containing(file), beside: origin.clipsBeside))
        }
        let found = binding.problems.map {
            SourceProblem(tables[$0.table].table.path, line: $0.line, .stated($0.text))
        }
        return (binding, problems + found)
    }

    /// Takes note of whose the annotations of a table are.
    mutating func noteAnnotators(_ table: AnnotationTable) {
        guard let names = table.content.annotators else { return }
        annotators = ((annotators?.names ?? []).union(names), annotators?.path ?? table.path)
    }

    /// Whether there are annotation files, read or not.
    var hasAnnotations: Bool { !tables.isEmpty || !unread.isEmpty }

    func isTaken(_ path: String) -> Bool { named?.matches(path.lastName) != false }

    /// Whether nothing need be reported of a file: it was read as annotations, has a remark already, or was not named by the user.
    func hasSeen(_ file: UnclaimedFile) -> Bool { seen.contains(Self.identity(file.path)) || !isTaken(file.path) }

    package static func identity(_ path: String) -> String { URL(filePath: path).absoluteURL.standardizedFileURL.path }

    // MARK: - Files that are given

    private mutating func take(_ path: String, except own: String) throws {
        guard FileStatus(path: path)?.isFolder == true else {
            try read(path, isSure: true)
            return
        }
        let before = tables.count + problems.count
        for file in try files(in: path) {
            let name = file.lastName
            let location = path.hasSuffix("/") ? path + file : "\(path)/\(file)"
            guard Self.identity(location) != own else { continue }
            guard isTaken(name) else { continue }
            guard AnnotationFileName.isPossible(name), !OtherFile.isHarmlessName(name) else {
                if OtherFile.mayDescribe(name) {
                    seen.insert(Self.identity(location))
                    addUnclaimed(location, in: path)
                }
                continue
            }
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
            if let foreign { throw RecordingSourceError.noReader(path: foreign.path, foreign.format) }
            throw RecordingSourceError.noTablesInFolder(path: path, named: named)
        }
    }

    /// The files below a folder, sorted, without hidden ones. Links to folders are followed, and each folder is read once; folders
    /// without read permission have a remark.
    ///
    /// - Throws: A fault of the system, or `root` cannot be read.
    private mutating func files(in root: String) throws(RecordingSourceError) -> [String] {
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
        take(try SourceFolder.names(in: root), in: "")
        while let folder = folders.popLast() {
            take(try SourceFolder.names(in: top + folder.dropLast(), of: root, &account), in: folder)
        }
        return found.sorted()
    }

    /// - Parameters:
    ///   - origin: How the file was found.
    ///   - isSure: Whether a file of no known format is a problem; otherwise, it is some other file.
    /// - Throws: A fault of the system. Any other error is a problem of the file.
    mutating func read(_ path: String, _ origin: FoundTable.Origin = .given, isSure: Bool) throws {
        seen.insert(Self.identity(path))
        do {
            add(try table(AnnotationDocument(path: path)), origin)
        } catch AnnotationError.unknownTable where !isSure {
            addUnclaimed(path, in: Folder.containing(path))
        } catch AnnotationError.noReader where !isSure {
            addUnclaimed(path, in: Folder.containing(path))
        } catch ManifestError.invalidRows(_, let rows, let total) {
            unread.append((path, origin))
            problems += rows.map { SourceProblem(path, line: $0.line, .stated($0.text)) }
            if total > rows.count { problems.append(SourceProblem(path, .more(total - rows.count))) }
        } catch  where error.isSystemFault {
            throw error
        } catch {
            unread.append((path, origin))
            problems.append(SourceProblem(path, line: (error as? AnnotationError)?.line, .unread(error)))
        }
    }

    /// Reads a table, whose content may have problems.
    func table(_ document: AnnotationDocument) throws -> AnnotationTable {
        try places.located(AnnotationTable(document: document, options: options, format: format))
    }

    /// Takes note of a file that nothing was read of.
    ///
    /// - Parameters:
    ///   - reason: Why; nil: its columns, or its format, say it.
    ///   - kind: That of the remark.
    mutating func addUnclaimed(
        _ path: String, in folder: String, because reason: Note? = nil, as kind: Remark.Kind = .tablesUnclaimed
    ) {
        seen.insert(Self.identity(path))
        func add(_ reason: Note?) {
            account.add(kind, source: folder, note: "\(quoted(path))" + (reason.map { " (\($0))" } ?? ""))
        }
        if let reason { return add(reason) }
        let start = FileStatus(path: path)?.isRegular == true ? AnnotationDocument(startOf: path) : nil
        guard let format = start?.foreign else {
            return add(start.flatMap { AnnotationTable.missingColumns($0, options) })
        }
        addForeign(path, format, in: folder)
    }

    /// Takes note of a file in a format without a reader.
    mutating func addForeign(_ path: String, _ format: ForeignAnnotations, in folder: String) {
        if foreign == nil { foreign = (path, format) }
        addUnclaimed(path, in: folder, because: "\(format.name), which has no reader")
    }

    mutating func add(_ table: AnnotationTable, _ origin: FoundTable.Origin = .given) {
        let content = table.content
        problems += content.problems.map { SourceProblem(table.path, $0) }
        let others = content.problemCount - content.problems.count
        if others > 0 { problems.append(SourceProblem(table.path, .more(others))) }
        noteAnnotators(table)
        account.merge(table.account)
        tables.append(Self.foundTable(table, origin))
    }

    static func foundTable(_ table: AnnotationTable, _ origin: FoundTable.Origin) -> FoundTable {
        FoundTable(table, folder: absolute(Folder.containing(table.path)), origin: origin)
    }

    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
