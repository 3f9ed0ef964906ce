import Annotations
import Essentials
import FeatureModel
import FileIO
import Manifests
import Messages
import Presentation

/// The annotation files of a source: those given, or those beside its recordings.
struct ClipsTables {
    private(set) var tables: [PlacedTable] = []
    var problems: [ClipsProblem] = []
    var account = Account()
    var notes: [String] = []
    /// Whether the files were given, and not found beside the recordings.
    let areGiven: Bool
    /// Absolute paths of all files that are read or have a remark of their own.
    var seen: Set<String> = []
    let options: AnnotationOptions
    let format: String?
    /// The names of files that are taken; nil: all.
    let named: NamePattern?
    /// The annotators of all files, where those of one are asked for.
    private var annotators: (names: Set<String>, path: String)?
    /// The first file in a format without a reader.
    private var foreign: (path: String, format: ForeignAnnotations)?

    /// Endings that other files have, too: what is no annotation file by its content is skipped.
    static let commonEndings = ["txt", "csv", "tsv", "tab", "jsonl", "xml"]

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
                let other = found.account.inWords.remarks.first { $0.kind == .tablesUnclaimed }?.first.first
                throw FileRefusal(
                    path: source.name,
                    reason: (other.map { "\($0) is not read as annotations, and " } ?? "")
                        + "there are no annotation files"
                        + (named.map { " named \(quoted($0.text)) (--annotations-named)" } ?? "")
                        + " beside its recordings (such as day.Table.1.selections.txt, "
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

    /// Adds the problems that the options have with all files together.
    private mutating func checkColumns() {
        if let annotators, let problem = AnnotationTable.annotatorProblem(options, annotators.names) {
            problems.append(ClipsProblem(path: annotators.path, text: "\(problem.text)"))
        }
        guard let (setting, name) = options.namedColumns.first, let first = tables.first,
            !tables.contains(where: \.table.content.hasColumns)
        else { return }
        problems.append(
            ClipsProblem(
                path: first.table.path,
                text:
                    "it is read as \(first.table.kind.name), which has no columns, and \(setting.option()) names the column \(quoted(name))"
            )
        )
    }

    /// Takes note of whose the annotations of a table are.
    /// Which rows are of which clip, and what is wrong with tables and rows.
    func bound(
        to index: RecordingIndex, of source: ClipsSource
    ) -> (binding: AnnotationBinding, problems: [ClipsProblem]) {
        let binding = AnnotationBinding(
            tables, to: index, clipCount: source.clips.count, root: Self.absolute(source.root), dataset: source.name)
        let found = binding.problems.map {
            ClipsProblem(path: tables[$0.table].table.path, line: $0.line, text: "\($0.text)")
        }
        return (binding, problems + found)
    }

    mutating func noteAnnotators(_ table: AnnotationTable) {
        guard let names = table.content.annotators else { return }
        annotators = ((annotators?.names ?? []).union(names), annotators?.path ?? table.path)
    }

    func isTaken(_ path: String) -> Bool { named?.matches(URL(filePath: path).lastPathComponent) != false }

    /// Whether a file was read as annotations, has a remark that says why not, or is none of those that the user named.
    func hasSeen(_ file: UnclaimedFile) -> Bool { seen.contains(Self.identity(file.path)) || !isTaken(file.path) }

    static func identity(_ path: String) -> String { URL(filePath: path).absoluteURL.standardizedFileURL.path }

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
    mutating func read(_ path: String, _ origin: PlacedTable.Origin = .given, isSure: Bool) throws {
        seen.insert(Self.identity(path))
        do {
            let table = try AnnotationTable(unchecked: path, options: options, format: format)
            add(table, origin)
        } catch AnnotationError.unknownTable where !isSure {
            addUnclaimed(path, in: Folder.containing(path))
        } catch AnnotationError.noReader where !isSure {
            addUnclaimed(path, in: Folder.containing(path))
        } catch ManifestError.invalidRows(_, let rows, let total) {
            problems += rows.map { ClipsProblem(path: path, line: $0.line, text: "\($0.text)") }
            if total > rows.count { problems.append(.init(path: path, text: "\(total - rows.count) more problems")) }
        } catch  where error.isSystemFault {
            throw error
        } catch let error as AnnotationError {
            problems.append(ClipsProblem(path: path, line: error.problem.line, text: "\(error.problem.text)"))
        } catch {
            let text = "\(error)"
            let start = path + ": "
            problems.append(
                ClipsProblem(path: path, text: text.hasPrefix(start) ? String(text.dropFirst(start.count)) : text))
        }
    }

    /// Takes note of a file that nothing was read of.
    ///
    /// - Parameter reason: Why; nil: its columns, or its format, say it.
    mutating func addUnclaimed(_ path: String, in folder: String, because reason: Note? = nil) {
        seen.insert(Self.identity(path))
        func add(_ reason: Note?) {
            account.add(.tablesUnclaimed, source: folder, note: "\(quoted(path))" + (reason.map { " (\($0))" } ?? ""))
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

    mutating func add(_ table: AnnotationTable, _ origin: PlacedTable.Origin = .given) {
        let content = table.content
        problems += content.problems.map { ClipsProblem(path: table.path, line: $0.line, text: "\($0.text)") }
        if content.problemCount > content.problems.count {
            problems.append(
                ClipsProblem(path: table.path, text: "\(content.problemCount - content.problems.count) more problems"))
        }
        noteAnnotators(table)
        account.merge(table.account)
        tables.append(Self.placed(table, origin))
    }

    static func placed(_ table: AnnotationTable, _ origin: PlacedTable.Origin) -> PlacedTable {
        PlacedTable(table, folder: absolute(Folder.containing(table.path)), origin: origin)
    }

    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}

/// The annotation files of a folder by the names of their recordings.
struct FolderTables {
    private var files: [String: [String]] = [:]
    /// Files whose names have a word more, by their recordings.
    private(set) var loose: [String: String] = [:]
    /// Paths of files that may hold annotations, and are named like no recording there, or like several.
    private(set) var others: [String] = []

    /// - Parameter isTaken: Whether a file of a path is to be read.
    init(_ folder: String, of source: String, _ isTaken: (String) -> Bool, _ account: inout Account) throws {
        let names = try GivenFile.names(in: folder, of: source, &account).sorted()
        let recordings = names.filter(ClipsSource.isRecording)
        let index = RecordingIndex(recordings.map { "/" + $0 })
        func path(_ name: String) -> String { folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)" }
        var tables: [String] = names
        for name in names where AnnotationFileName.isFolder(name) {
            guard FileStatus(path: path(name))?.isFolder == true else { continue }
            let inside = try GivenFile.names(in: path(name), of: source, &account).sorted()
            if !inside.contains(where: ClipsSource.isRecording) { tables += inside.map { "\(name)/\($0)" } }
        }
        for table in tables where isTaken(table) {
            let name = String(table.split(separator: "/").last ?? "")
            guard !OtherFile.isHarmlessName(name), !name.hasPrefix(".") else { continue }
            guard AnnotationFileName.isPossible(name) else {
                if ForeignAnnotations.isPossible(name) { others.append(path(table)) }
                continue
            }
            let (match, isLoose) = index.find(besides: name, folder: "/")
            switch match {
            // Of recordings that differ in capitals or extensions, the rows may name one, or the source may have only one.
            case .none, .ambiguous: others.append(path(table))
            case .found(let found, _):
                for recording in found {
                    files[recordings[recording], default: []].append(path(table))
                    if isLoose { loose[recordings[recording]] = path(table) }
                }
            }
        }
    }

    func tables(of recording: String) -> [String] { files[recording] ?? [] }
}
