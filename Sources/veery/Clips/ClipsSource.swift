import Annotations
import ArgumentParser
import Concurrency
import DatasetFormats
import Essentials
import FeatureModel
import FileIO
import Manifests

/// The recordings that clips are made of.
struct ClipsSource {
    /// What messages call it.
    let name: String
    let clips: [Clip]
    let extraColumns: [String]
    /// The folder that relative paths start from.
    let root: String
    /// The annotation file, where the source is one.
    var table: AnnotationTable?
    /// What was not used of the source, apart from `unclaimed`.
    var account = Account()
    /// Files of the source that may say something of its recordings, such as annotations.
    var unclaimed: [UnclaimedFile] = []
    /// Paths of tables in the source's folder that its rows are read of.
    var rowTables: [String] = []

    /// The path of a clip's recording.
    func location(_ clip: Clip) -> String { Clip.location(of: clip.path, root: root) }

    /// - Parameter given: Annotation files; if there are others than the source, that is none.
    static func read(
        _ input: ManifestArguments, tables: ClipsTableOptions, given: [String], isWindowed: Bool, isQuiet: Bool,
        workers: WorkerRange
    ) throws -> ClipsSource {
        if let found = try recording(input.manifest) {
            try refuse(input.columnOptions, input.manifest, "is a recording")
            return found
        }
        let isGiven = given.contains { ClipsTables.identity($0) == ClipsTables.identity(input.manifest) }
        if given.isEmpty || isGiven && given.count == 1, input.format == nil,
            let found = try annotations(input, tables)
        {
            try refuse(
                input.columnOptions, input.manifest,
                "is read as annotations (\(found.table?.kind.name ?? "")), whose columns --path-column, --label-column, "
                    + "--start-column and --end-column name; to read it as a manifest, give --format")
            return found
        }
        var input = input
        let isDetected = input.format == nil
        let options = tables.options(nil)
        if isDetected, input.manifest != "-",
            let table = try Dataset.table(of: ManifestInput(path: input.manifest)), MarkedParts.isTable(table, options)
        {
            // The rows are annotations of the recordings in the folder.
            input.format = .folder
        }
        // The unit is that of annotations.
        let (source, root) = try input.dataset(isQuiet: isQuiet, hasUnit: false)
        let reader = try source.reader()
        var clips: [Clip] = []
        while let clip = try reader.next() { clips.append(clip) }
        if isGiven { clips = wholeRecordings(clips) }
        if given.isEmpty, isDetected, FileStatus(path: input.manifest)?.isFolder != true {
            if !isWindowed { try refuseClips(clips, source.path) }
            try UnreadTimes.refuse(source.path, clips, source.extraColumns, root: root, workers: workers)
        }
        return ClipsSource(
            name: source.path, clips: clips, extraColumns: source.extraColumns, root: root,
            account: source.account { _ in true }, unclaimed: source.unclaimed,
            rowTables: source.tables)
    }

    /// The recordings of rows that are given as annotations, too.
    private static func wholeRecordings(_ clips: [Clip]) -> [Clip] {
        guard clips.contains(where: { $0.segment != nil }) else { return clips }
        var seen: Set<String> = []
        return clips.filter { seen.insert($0.path).inserted }.enumerated().map { index, clip in
            Clip(
                index: index, id: DefaultIdentifier.stem(clip.path), path: clip.path, split: clip.split,
                extra: clip.extra)
        }
    }

    /// Refuses labelled parts of recordings, of which the labels of other files would be taken.
    private static func refuseClips(_ clips: [Clip], _ name: String) throws {
        guard clips.contains(where: { $0.segment?.isLengthAlone == false && !$0.label.isEmpty }) else { return }
        throw FileRefusal(
            path: name,
            reason:
                "its rows are parts of recordings with labels, which are clips already: give it to 'veery extract'. For windows "
                + "of them, give --window; for what other tables mark in them, give those with --annotations")
    }

    /// Refuses options that say what a manifest's columns mean, for another source.
    private static func refuse(_ options: [String], _ path: String, _ what: String) throws {
        guard let option = options.first else { return }
        throw ValidationError("--\(option) is for a manifest, and \(quoted(path)) \(what).")
    }

    /// A recording; nil: the path is not that of one.
    private static func recording(_ path: String) throws -> ClipsSource? {
        guard path != "-", isRecording(path), FileStatus(path: path)?.isRegular == true else { return nil }
        let file = URL(filePath: path).lastPathComponent
        let clip = Clip(index: 0, id: DefaultIdentifier.stem(file), path: file)
        return ClipsSource(name: path, clips: [clip], extraColumns: [], root: Folder.containing(path))
    }

    static func isRecording(_ path: String) -> Bool {
        path.lastIndex(of: ".").map {
            RecordingName.extensions.contains(path[path.index(after: $0)...].lowercased())
        } ?? false || MediaFile.isNamed(path)
    }

    // MARK: - Annotation files

    /// The recordings of an annotation file; nil: the path is that of another file.
    private static func annotations(_ input: ManifestArguments, _ tables: ClipsTableOptions) throws -> ClipsSource? {
        let path = input.manifest
        guard path != "-", FileStatus(path: path)?.isRegular == true else { return nil }
        var options = tables.options(input.unit.timeUnit)
        options.quoting = input.quoting.quoting
        let start = AnnotationDocument(startOf: path)
        let kind = start.flatMap { AnnotationTable.kind(of: $0, options: options) }
        if kind == nil, tables.annotationsFormat == nil, let foreign = start?.foreign {
            throw AnnotationError.noReader(path: path, foreign)
        }
        guard
            tables.annotationsFormat != nil || kind != nil && kind != .manifest
                || kind == .manifest && MarkedParts.isTable(path, options)
        else {
            guard let reason = AnnotationTable.missingTimes(path, options) else { return nil }
            throw FileRefusal(path: path, reason: "\(reason)")
        }
        let table = try AnnotationTable(unchecked: path, options: options, format: tables.annotationsFormat)
        let root = input.root ?? Folder.containing(path)
        let names = Self.recordingNames(table)
        if names.isEmpty {
            guard let beside = try recording(beside: path, root: root) else {
                // A table of another kind may have columns of times.
                if kind == .times, ManifestFormat(path: path) != nil, tables.annotationsFormat == nil { return nil }
                throw FileRefusal(
                    path: path,
                    reason:
                        "it names no recording, and there is no recording of that name in \(root): give the recording "
                        + "or a manifest as the source, and this file with --annotations")
            }
            return source(path, [beside], root, table)
        }
        return source(path, try locate(names, in: root), root, table)
    }

    private static func source(_ path: String, _ paths: [String], _ root: String, _ table: AnnotationTable)
        -> ClipsSource
    {
        let clips = paths.enumerated().map { Clip(index: $0, id: DefaultIdentifier.stem($1), path: $1) }
        return ClipsSource(name: path, clips: clips, extraColumns: [], root: root, table: table)
    }

    /// The names of recordings in the file, in its order.
    private static func recordingNames(_ table: AnnotationTable) -> [String] {
        var seen: Set<String> = []
        return table.content.rows.compactMap(\.recording).filter { seen.insert($0).inserted }
    }

    /// The path of the recording beside an annotation file, from the root; nil: there is none.
    private static func recording(beside path: String, root: String) throws -> String? {
        var folders = [("", root)]
        let folder = URL(filePath: root).absoluteURL.standardizedFileURL
        if AnnotationFileName.isFolder(folder.lastPathComponent) { folders.append(("../", root + "/..")) }
        for (prefix, folder) in folders {
            let index = RecordingIndex(try GivenFile.names(in: folder).filter(isRecording).sorted().map { "/" + $0 })
            let (match, _) = index.find(besides: URL(filePath: path).lastPathComponent, folder: "/")
            switch match {
            case .found(let found, _): return found.first.map { prefix + index.location($0).dropFirst() }
            case .ambiguous(let locations):
                let name = URL(filePath: path).lastPathComponent
                let ambiguity = AnnotationFileName.ambiguity(of: name, locations.map { String($0.dropFirst()) })
                throw FileRefusal(path: path, reason: "it names no recording, and \(ambiguity)")
            case .none: continue
            }
        }
        return nil
    }

    /// The recordings of these names: where the names say, or anywhere below the folder. Those that are missing are told when
    /// the rows are matched.
    private static func locate(_ names: [String], in root: String) throws -> [String] {
        let plain = names.map { $0.replacing("\\", with: "/") }
        let direct = plain.filter { FileStatus(path: Clip.location(of: $0, root: root))?.isRegular == true }
        if direct.count == plain.count { return direct }
        let paths = try DirectoryCrawler(root: root).crawl().clips.map(\.path)
        let index = RecordingIndex(paths.map { "/" + $0 })
        var seen: Set<String> = []
        return plain.flatMap { name in
            if FileStatus(path: Clip.location(of: name, root: root))?.isRegular == true { return [name] }
            return switch index.find(name, folders: ["/"]) {
            case .found(let found, _): found.map { paths[$0] }
            case .ambiguous(let locations): locations.map { String($0.dropFirst()) }
            case .none: []
            }
        }.filter { seen.insert($0).inserted }
    }
}

/// Tables in the form of a manifest whose rows are clips already: each is a part of a recording with a label, as an annotation is.
enum MarkedParts {
    /// Whether a file is such a table, by its header or first row. Parts without a label are recordings, of which the annotations in
    /// other files are taken; so are those with a split, which annotations do not have.
    static func isTable(_ path: String, _ options: AnnotationOptions) -> Bool {
        guard ManifestFormat(path: path) != nil, let columns = try? ManifestStart(ManifestInput(path: path)).columns
        else {
            return false
        }
        let known = Set(columns.compactMap(ManifestColumn.init(spelled:)))
        guard known.contains(.start), known.contains(.end) || known.contains(.duration), !known.contains(.split) else {
            return false
        }
        let names = columns.map { UnitName($0) }
        return known.contains(.label) || options.label != nil || options.labelColumn != nil
            || names.contains { $0.isOne(of: ColumnNames.labels) }
    }
}
