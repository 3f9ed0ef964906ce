import Annotations
import Essentials
import FeatureModel
import FileIO
import Manifests

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

    /// Endings that other files have, too: what is no annotation file by its content is skipped.
    private static let commonEndings = ["txt", "csv", "tsv", "tab", "jsonl", "xml"]

    /// - Parameters:
    ///   - given: Files and folders; none: those beside the recordings.
    ///   - isOptional: Whether there may be none at all.
    /// - Throws: Where there are no files; problems in files are kept.
    static func read(
        _ given: [String], of source: ClipsSource, format: String?, options: AnnotationOptions, isOptional: Bool
    ) throws -> ClipsTables {
        var found = ClipsTables(options: options, format: format, areGiven: source.table == nil && !given.isEmpty)
        if let table = source.table {
            found.add(table, besides: [], isNamed: true)
        } else if given.isEmpty {
            try found.findBeside(source)
            guard isOptional || !found.tables.isEmpty || !found.problems.isEmpty else {
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
        return found
    }

    private init(options: AnnotationOptions, format: String?, areGiven: Bool) {
        (self.options, self.format, self.areGiven) = (options, format, areGiven)
    }

    /// Whether a file was read as annotations, or has a remark that says why not.
    func hasSeen(_ file: UnclaimedFile) -> Bool { seen.contains(Self.identity(file.path)) }

    private static func identity(_ path: String) -> String { URL(filePath: path).absoluteURL.standardizedFileURL.path }

    // MARK: - Files that are given

    private mutating func take(_ path: String, except own: String) throws {
        guard FileStatus(path: path)?.isFolder == true else {
            try read(path, besides: [], isSure: true)
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
                    account.add(.tablesUnclaimed, source: path, location)
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
            try read(location, besides: [], isSure: false)
        }
        guard tables.count + problems.count > before else {
            throw FileRefusal(path: path, reason: "expected a folder with annotation files, found none in it")
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

    /// - Parameter isSure: Whether a file of no known format is a problem; otherwise, it is some other file.
    /// - Throws: A fault of the system. Any other error is a problem of the file, which --skip-problems leaves out.
    private mutating func read(_ path: String, besides: [Int], isSure: Bool) throws {
        seen.insert(Self.identity(path))
        do {
            let table = try AnnotationTable(unchecked: path, options: options, format: format)
            add(table, besides: besides, isNamed: isSure)
        } catch AnnotationError.unknownTable where !isSure {
            account.add(.tablesUnclaimed, source: Folder.containing(path), path)
        } catch ManifestError.invalidRows(_, let rows, let total) {
            problems += rows.map { ClipsProblem(path: path, line: $0.line, text: $0.text) }
            if total > rows.count { problems.append(.init(path: path, text: "\(total - rows.count) more problems")) }
        } catch  where error.isSystemFault {
            throw error
        } catch {
            let text = "\(error)"
            let start = path + ": "
            problems.append(
                ClipsProblem(path: path, text: text.hasPrefix(start) ? String(text.dropFirst(start.count)) : text))
        }
    }

    private mutating func add(_ table: AnnotationTable, besides: [Int], isNamed: Bool) {
        let content = table.content
        problems += content.problems.map { ClipsProblem(path: table.path, line: $0.line, text: $0.text) }
        if content.problemCount > content.problems.count {
            problems.append(
                ClipsProblem(path: table.path, text: "\(content.problemCount - content.problems.count) more problems"))
        }
        account.merge(table.account)
        tables.append(
            PlacedTable(
                table, folder: Self.absolute(Folder.containing(table.path)), besides: besides, isNamed: isNamed))
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
        var without = Account()
        for (position, location) in locations.enumerated() {
            let folder = Folder.containing(location)
            let known = folders[folder]
            let files = try known ?? FolderTables(folder, of: source.name, &account)
            if known == nil {
                folders[folder] = files
                for path in files.unmatched where path != source.name { reportUnmatched(path, in: folder) }
            }
            let candidates = files.tables(of: String(location.split(separator: "/").last ?? ""))
            if try !take(candidates.filter { $0 != source.name }, of: location, clips[location] ?? []) {
                without.add(.recordingsWithoutAnnotations, source: source.name, at: position, location)
            }
        }
        if let first = tables.first {
            let name = URL(filePath: first.table.path).lastPathComponent
            notes.append(
                tables.count == 1
                    ? "annotations: '\(name)' (\(first.table.kind.name)), beside its recording"
                    : "annotations: \(tables.count) files beside their recordings, such as '\(name)' (\(first.table.kind.name))"
            )
        }
        if !tables.isEmpty { account.merge(without) }
    }

    /// Takes note of annotations beside recordings that are of none there.
    private mutating func reportUnmatched(_ path: String, in folder: String) {
        guard FileStatus(path: path)?.isRegular == true, let start = AnnotationDocument(startOf: path),
            let kind = AnnotationTable.kind(of: start, options: options), kind != .manifest,
            seen.insert(Self.identity(path)).inserted
        else { return }
        account.add(.tablesUnclaimed, source: folder, path)
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
                    account.add(.tablesUnclaimed, source: Folder.containing(path), path)
                    continue
                }
                kept.append((path, try AnnotationTable(document: document, options: options, format: format)))
            } catch {
                try read(path, besides: clips, isSure: true)
                return true
            }
        }
        if kept.count > 1 {
            problems.append(
                ClipsProblem(
                    path: recording,
                    text: "expected one annotation file beside it, found \(kept.count): "
                        + kept.map { "'\(URL(filePath: $0.path).lastPathComponent)'" }.joined(separator: ", ")
                        + "; choose by --annotations-format, or give the files with --annotations"))
            return true
        }
        if let one = kept.first { add(one.table, besides: clips, isNamed: false) }
        return !kept.isEmpty
    }

    /// The annotation files of a folder by the names of their recordings.
    private struct FolderTables {
        private let folder: String
        private var files: [String: [String]] = [:]
        /// Paths of files that may hold annotations, and are named like no recording there.
        private(set) var unmatched: [String] = []

        init(_ folder: String, of source: String, _ account: inout Account) throws {
            self.folder = folder
            let names = try GivenFile.names(in: folder, of: source, &account).sorted()
            let recordings = names.filter(ClipsSource.isRecording)
            let known = Set(recordings).union(recordings.map(DefaultIdentifier.stem))
            for name in names where AnnotationFileName.isPossible(name) {
                guard let stem = AnnotationFileName.stems(of: name).first(where: known.contains) else {
                    if !OtherFile.isHarmlessName(name) { unmatched.append(path(name)) }
                    continue
                }
                files[stem, default: []].append(name)
            }
        }

        func tables(of recording: String) -> [String] {
            var names = files[recording] ?? []
            let stem = DefaultIdentifier.stem(recording)
            if stem != recording { names += files[stem] ?? [] }
            return names.map(path)
        }

        private func path(_ name: String) -> String { folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)" }
    }
}
