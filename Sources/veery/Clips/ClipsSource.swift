import Annotations
import ArgumentParser
import FeatureModel
import FileIO
import Foundation
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
    var warnings: [String] = []

    /// The path of a clip's recording.
    func location(_ clip: Clip) -> String { Clip.location(of: clip.path, root: root) }

    /// - Parameter isAnnotated: Whether annotation files are given, so that the source is none.
    static func read(_ input: ManifestArguments, tables: ClipsTableOptions, isAnnotated: Bool) throws -> ClipsSource {
        if let found = try recordings(input.manifest) { return found }
        if !isAnnotated, input.format == nil, let found = try annotations(input, tables) { return found }
        try input.checkFormat()
        let source = try input.source()
        let reader = try source.reader()
        var clips: [Clip] = []
        while let clip = try reader.next() { clips.append(clip) }
        return ClipsSource(
            name: source.path, clips: clips, extraColumns: source.extraColumns, root: input.resolvedRoot,
            warnings: source.warnings)
    }

    /// A folder of recordings, or a recording; nil: the path is neither.
    private static func recordings(_ path: String) throws -> ClipsSource? {
        guard path != "-", let status = FileStatus(path: path) else { return nil }
        if status.isFolder {
            let found = try DirectoryCrawler(root: path).crawl()
            guard !found.clips.isEmpty else {
                throw FileRefusal(
                    path: path, reason: "expected a manifest or a folder with recordings, found none in it")
            }
            return ClipsSource(
                name: path, clips: found.clips, extraColumns: [], root: path, warnings: found.warnings)
        }
        guard isRecording(path) else { return nil }
        let file = URL(filePath: path).lastPathComponent
        let clip = Clip(index: 0, id: DefaultIdentifier.stem(file), path: file)
        return ClipsSource(name: path, clips: [clip], extraColumns: [], root: Folder.containing(path))
    }

    static func isRecording(_ path: String) -> Bool {
        path.lastIndex(of: ".").map {
            DirectoryCrawler.extensions.contains(path[path.index(after: $0)...].lowercased())
        } ?? false
    }

    // MARK: - Annotation files

    /// The recordings of an annotation file; nil: the path is that of another file.
    private static func annotations(_ input: ManifestArguments, _ tables: ClipsTableOptions) throws -> ClipsSource? {
        let path = input.manifest
        guard path != "-", !path.lowercased().hasSuffix(".gz"), FileStatus(path: path)?.isRegular == true else {
            return nil
        }
        var options = tables.options
        options.quoting = input.quoting.quoting
        let kind = AnnotationDocument(startOf: path).flatMap { AnnotationTable.kind(of: $0, options: options) }
        guard tables.annotationsFormat != nil || kind != nil && kind != .manifest else { return nil }
        let table = try AnnotationTable(unchecked: path, options: options, format: tables.annotationsFormat)
        let root = input.root ?? Folder.containing(path)
        let names = Self.recordingNames(table)
        if names.isEmpty {
            guard let beside = recording(beside: path, root: root) else {
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

    private static func recording(beside path: String, root: String) -> String? {
        let names = ((try? DirectoryListing.names(in: root)) ?? []).filter(isRecording).sorted()
        for stem in AnnotationFileName.stems(of: URL(filePath: path).lastPathComponent) {
            if let name = names.first(where: { $0 == stem || DefaultIdentifier.stem($0) == stem }) { return name }
        }
        return nil
    }

    /// The recordings of these names: where the names say, or anywhere below the folder. Those that are missing are told when
    /// the rows are matched.
    private static func locate(_ names: [String], in root: String) throws -> [String] {
        let plain = names.map { $0.replacing("\\", with: "/") }
        let direct = plain.filter { FileStatus(path: Clip.location(of: $0, root: root))?.isRegular == true }
        if direct.count == plain.count { return direct }
        var below: [String: [String]] = [:]
        for path in try DirectoryCrawler(root: root).crawl().clips.map(\.path) {
            below[URL(filePath: path).lastPathComponent, default: []].append(path)
        }
        var seen: Set<String> = []
        return plain.flatMap { name in
            FileStatus(path: Clip.location(of: name, root: root))?.isRegular == true
                ? [name] : below[URL(filePath: name).lastPathComponent] ?? []
        }.filter { seen.insert($0).inserted }
    }
}

/// Paths of recordings, as they are written.
struct ClipsPaths {
    /// What stands before a relative path; nil: nothing.
    private let prefix: String

    /// - Parameters:
    ///   - root: The folder that paths start from.
    ///   - manifest: The manifest to write; nil: standard output, whose paths stay as they are.
    init(from root: String, to manifest: String?) throws {
        guard let manifest else {
            prefix = ""
            return
        }
        let top = try Self.real(root)
        let folder = try Self.real(Folder.containing(manifest))
        let above = folder == "/" ? "/" : folder + "/"
        prefix =
            top == folder
            ? "" : (top.hasPrefix(above) ? String(top.dropFirst(above.count)) : top == "/" ? "" : top) + "/"
    }

    private static func real(_ path: String) throws -> String {
        guard let resolved = realpath(path.isEmpty ? "." : path, nil) else {
            throw FileRefusal(path: path, reason: "there is no such folder; check the path")
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    func moved(_ clip: Clip) -> Clip {
        guard !prefix.isEmpty, !clip.path.hasPrefix("/") else { return clip }
        return Clip(
            index: clip.index, id: clip.id, path: prefix + clip.path, label: clip.label, split: clip.split,
            segment: clip.segment, channel: clip.channel, extra: clip.extra)
    }
}
