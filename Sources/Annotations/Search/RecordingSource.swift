import Essentials
import FeatureModel
import FileIO
import Manifests

/// The recordings that clips are made of.
package struct RecordingSource {
    /// What messages call it.
    let name: String
    package let clips: [Clip]
    package let extraColumns: [String]
    /// The folder that relative paths start from.
    package let root: String
    /// The annotation file, where the source is one.
    package private(set) var table: AnnotationTable?
    /// What was not used of the source, apart from `unclaimed`.
    private(set) var account = Account()
    /// Files of the source that may say something of its recordings, such as annotations.
    private(set) var unclaimed: [UnclaimedFile] = []
    /// Paths of tables in the source's folder that its rows are read from.
    private(set) var rowTables: [String] = []
    /// Its names of recordings that are not their paths.
    var names = NamedRecordings()
    /// Where its clips come from, if that is a manifest or a dataset.
    var manifest: Manifest?

    init(name: String, clips: [Clip], extraColumns: [String] = [], root: String) {
        (self.name, self.clips, self.extraColumns, self.root) = (name, clips, extraColumns, root)
    }

    /// The path of a clip's recording.
    func location(_ clip: Clip) -> String { Clip.location(of: clip.path, root: root) }

    /// The recordings of a manifest.
    ///
    /// - Parameter areAnnotations: Whether its rows are given as annotations, too: then the recordings are taken as a whole.
    package init(_ manifest: Manifest, root: String, areAnnotations: Bool) throws {
        let reader = try manifest.reader()
        var clips: [Clip] = []
        while let clip = try reader.next() { clips.append(clip) }
        if areAnnotations { clips = Self.wholeRecordings(clips) }
        self.init(name: manifest.path, clips: clips, extraColumns: manifest.extraColumns, root: root)
        account = manifest.account { _ in true }
        (unclaimed, rowTables) = (manifest.unclaimed, manifest.tables)
        (names, self.manifest) = (manifest.names, manifest)
    }

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
    package func refuseClips() throws(RecordingSourceError) {
        guard clips.contains(where: { $0.segment?.isLengthAlone == false && !$0.label.isEmpty }) else { return }
        throw .clipsAlready(path: name)
    }

    /// A single recording; nil: the path is not that of one.
    package init?(recording path: String) {
        guard RecordingName.isFile(path) else { return nil }
        let clip = Clip(index: 0, id: DefaultIdentifier.stem(path.lastName), path: path.lastName)
        self.init(name: path, clips: [clip], root: Folder.containing(path))
    }

    // MARK: - Annotation files

    /// The recordings of an annotation file; nil: the path is that of another file.
    ///
    /// - Parameters:
    ///   - root: The folder that relative paths start from; nil: that of the file.
    ///   - format: The name of its format; nil: by its content and name.
    package init?(annotations path: String, root: String?, _ options: AnnotationOptions, format: String?) throws {
        guard path != "-", FileStatus(path: path)?.isRegular == true else { return nil }
        let start = AnnotationDocument(startOf: path)
        let kind = start.flatMap { AnnotationTable.kind(of: $0, options: options) }
        if kind == nil, format == nil, let foreign = start?.foreign {
            throw AnnotationError.noReader(path: path, foreign)
        }
        guard format != nil || kind != nil && (kind != .manifest || MarkedParts.isTable(path, options)) else {
            guard let reason = AnnotationTable.missingTimes(path, options) else { return nil }
            throw RecordingSourceError.missingTimes(path: path, reason)
        }
        let table = try AnnotationTable(unchecked: path, options: options, format: format)
        let root = root ?? Folder.containing(path)
        let names = table.recordingNames
        var paths = try Self.locate(names.map(table.fileName), in: root)
        if names.isEmpty {
            guard let own = try Self.recording(of: path, root: root) else {
                // A table of another kind may have columns of times.
                if kind == .times, ManifestFormat(path: path) != nil, format == nil { return nil }
                throw RecordingSourceError.noRecording(path: path, folder: root)
            }
            paths = [own]
        }
        let clips = paths.enumerated().map { Clip(index: $0, id: DefaultIdentifier.stem($1), path: $1) }
        self.init(name: path, clips: clips, root: root)
        self.table = table
    }

    /// The path, from the root, of the recording that an annotation file is named after; nil: there is none.
    private static func recording(of path: String, root: String) throws(RecordingSourceError) -> String? {
        var folders = [("", root)]
        let folder = URL(filePath: root).absoluteURL.standardizedFileURL
        if AnnotationFileName.isFolder(folder.lastPathComponent) { folders.append(("../", root + "/..")) }
        for (prefix, folder) in folders {
            let recordings = try SourceFolder.names(in: folder).filter(RecordingName.isRecording).sorted()
            let index = RecordingIndex(recordings.map { "/" + $0 })
            switch index.find(forFile: path.lastName, folder: "/").match {
            case .found(let found, _): return found.first.map { prefix + index.location($0).dropFirst() }
            case .ambiguous(let locations):
                let names = locations.map { String($0.dropFirst()) }
                throw .severalRecordings(path: path, ambiguity: AnnotationFileName.ambiguity(of: path.lastName, names))
            case .none: continue
            }
        }
        return nil
    }

    /// The recordings of these names: where the names say, or anywhere below the folder. Those that are missing are problems when
    /// the rows are matched.
    private static func locate(_ names: [String], in root: String) throws -> [String] {
        let plain = names.map { $0.replacing("\\", with: "/") }
        func isThere(_ name: String) -> Bool {
            FileStatus(path: Clip.location(of: name, root: root))?.isRegular == true
        }
        if plain.allSatisfy(isThere) { return plain }
        let paths = try DirectoryCrawler(root: root).crawl().clips.map(\.path)
        let index = RecordingIndex(paths.map { "/" + $0 })
        var seen: Set<String> = []
        return plain.flatMap { name in
            if isThere(name) { return [name] }
            return switch index.find(name, folders: ["/"]) {
            case .found(let found, _): found.map { paths[$0] }
            case .ambiguous(let locations): locations.map { String($0.dropFirst()) }
            case .none: []
            }
        }.filter { seen.insert($0).inserted }
    }
}

/// Tables in the form of a manifest whose rows are clips already: each is a part of a recording with a label, as an annotation is.
package enum MarkedParts {
    /// Whether a file is such a table, by its header or first row. Parts without a label are recordings, of which the annotations in
    /// other files are taken; so are those with a split, which annotations do not have.
    package static func isTable(_ path: String, _ options: AnnotationOptions) -> Bool {
        guard ManifestFormat(path: path) != nil, let columns = try? ManifestStart(ManifestInput(path: path)).columns
        else {
            return false
        }
        let known = Set(columns.compactMap(ManifestColumn.init(spelled:)))
        guard known.contains(.start), known.contains(.end) || known.contains(.duration), !known.contains(.split) else {
            return false
        }
        return known.contains(.label) || options.label != nil || options.labelColumn != nil
            || columns.contains { UnitName($0).isOne(of: ColumnNames.labels) }
    }
}
