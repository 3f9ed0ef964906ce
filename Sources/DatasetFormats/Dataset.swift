import Archives
import FeatureModel
import FileIO
import Manifests

/// A dataset in any format, as a manifest.
package struct Dataset: Sendable {
    package let manifest: Manifest
    /// The folder that relative paths start from, unless the user names one.
    package let root: String
    /// How it was read; nil: as the manifest that it is.
    package let note: String?

    /// Opens a dataset.
    ///
    /// - Parameters:
    ///   - input: A file, a folder or standard input.
    ///   - format: Its format; nil: it is recognised by names and content.
    ///   - quoting: What quotation marks mean in a TSV; nil: they are literal.
    ///   - columns: Columns that are read as others.
    /// - Throws: `ManifestError`: all problems of all rows at once.
    /// - Complexity: A manifest is read once. Another format is read once, and written as a manifest into a file without a name.
    package static func open(
        _ input: ManifestInput, format: DatasetFormat? = nil, quoting: ManifestFormat.Quoting? = nil,
        columns: ColumnMap = ColumnMap()
    ) throws(ManifestError) -> Dataset {
        if let format, format.manifestFormat != nil {
            return try open(input, as: format.manifestFormat, quoting, columns)
        }
        let isFolder = input.isFile && FileStatus(path: input.name)?.isFolder ?? false
        if input.isFile, !isFolder, format == nil || format == .folder, MemberPath.isArchive(input.name),
            FileStatus(path: input.name) != nil
        {
            let reader = PlainFolder(archive: input.name)
            let builder = try builder(reader, named: input.name, columns)
            try explain(&builder.unclaimed, in: nil, read: [], asked: nil)
            return Dataset(
                manifest: try builder.finish(), root: Folder.containing(input.name),
                note: "\(input.name): read as an archive of recordings")
        }
        if input.isFile, format == nil || format == .folder, RecordingName.isFile(input.name) {
            return try recording(input.name, columns)
        }
        if format == nil, input.isFile, !isFolder, let foreign = Self.foreignAnnotations(input.name) {
            throw .foreignAnnotations(path: input.name, foreign)
        }
        let start: ManifestStart?
        do throws(ManifestError) { start = isFolder || format != nil ? nil : try ManifestStart(input) } catch {
            guard SingleRecording.isReason(error) else { throw error }
            return try recording(input.name, columns)
        }
        if let start, start.hasPath, !CommonVoice.isTable(start, in: Folder.containing(input.name)) {
            return try open(
                input, as: (input.isFile ? ManifestFormat(path: input.name) : nil) ?? start.format, quoting, columns)
        }
        let location = try DatasetLocation(input, columns: columns)
        let known: (any DatasetReader)? =
            if let format { try format.reader(of: location) } else { try DatasetFormat.reader(of: location) }
        guard let reader = known else {
            if start?.isEmpty == true { throw .empty(path: input.name) }
            let format = (input.isFile ? ManifestFormat(path: input.name) : nil) ?? start?.format
            if format == nil, let table = start?.withoutHeader { throw .unreadTable(path: input.name, table) }
            return try open(input, as: format, quoting, columns)
        }
        let manifest = try read(reader, in: location, asked: format)
        let files = reader.files.isEmpty ? "" : " (\(reader.files.joined(separator: ", ")))"
        return Dataset(
            manifest: manifest, root: try root(of: manifest, reader.roots),
            note: "\(input.name): read as \(type(of: reader).format.title)\(files)")
    }

    private static func recording(_ path: String, _ columns: ColumnMap) throws(ManifestError) -> Dataset {
        let manifest = try read(SingleRecording(path), named: path, columns)
        return Dataset(manifest: manifest, root: Folder.containing(path), note: "\(path): read as a recording")
    }

    /// The format of annotations that a file has, if it has no reader; nil: it is another file.
    private static func foreignAnnotations(_ path: String) -> ForeignAnnotations? {
        guard ForeignAnnotations.isPossible(path),
            let bytes = try? SharedFile.contents(of: path, maximum: ForeignAnnotations.startLength)
        else {
            return nil
        }
        return ForeignAnnotations(fileName: path, start: bytes)
    }

    /// The format of a folder or an archive, by its names; nil: it is a folder of recordings, or an archive.
    package static func format(of input: ManifestInput) throws(ManifestError) -> DatasetFormat? {
        guard FileStatus(path: input.name)?.isFolder == true else { return nil }
        let format = try DatasetFormat.reader(of: DatasetLocation(input)).map { type(of: $0).format }
        return format == .folder ? nil : format
    }

    /// The path of the table that says what the recordings of a folder are; nil: it is another folder, or a file.
    package static func table(of input: ManifestInput) throws(ManifestError) -> String? {
        guard input.isFile, FileStatus(path: input.name)?.isFolder == true else { return nil }
        let location = try DatasetLocation(input)
        guard let reader = try DatasetFormat.reader(of: location) as? FolderTable else { return nil }
        return location.path(of: reader.table)
    }

    /// Opens a manifest of ours.
    private static func open(
        _ input: ManifestInput, as format: ManifestFormat?, _ quoting: ManifestFormat.Quoting?, _ columns: ColumnMap
    ) throws(ManifestError) -> Dataset {
        guard var format else { throw .unknownFormat(path: input.name, isFile: input.isFile) }
        if let quoting {
            guard let quoted = format.quoted(by: quoting) else {
                throw .fixedQuoting(path: input.name, quoting, format)
            }
            format = quoted
        }
        let manifest =
            columns.isEmpty
            ? try Manifest.scan(input, format: format)
            : try read(RenamedTable(input: input, format: format), named: input.name, columns)
        return Dataset(manifest: manifest, root: input.isFile ? Folder.containing(input.name) : ".", note: nil)
    }

    private static func read(
        _ reader: some ClipDescribing, named name: String, _ columns: ColumnMap
    ) throws(ManifestError) -> Manifest {
        try builder(reader, named: name, columns).finish()
    }

    private static func builder(
        _ reader: some ClipDescribing, named name: String, _ columns: ColumnMap
    ) throws(ManifestError) -> ManifestBuilder {
        let builder = try ManifestBuilder(name: name, columns: columns, isTable: reader.isTable)
        if let folders = reader.folders { builder.used = UsedFiles(root: folders.root) }
        try reader.read(into: builder)
        if let folders = reader.folders {
            try builder.reportUnused(in: folders.root, folders.searched, hasRecordings: folders.hasRecordings)
        }
        return builder
    }

    /// Reads a dataset in a format of its own.
    ///
    /// - Parameter format: The format that was asked for; nil: it was recognised.
    private static func read(
        _ reader: some DatasetReader, in location: DatasetLocation, asked format: DatasetFormat?
    ) throws(ManifestError) -> Manifest {
        do throws(ManifestError) {
            let builder = try builder(reader, named: location.path, location.columns)
            try explain(&builder.unclaimed, in: location, read: reader.files, asked: format)
            return try builder.finish()
        } catch {
            guard location.isFolder, reader.isTable, case .invalidRows(let path, let problems, let total) = error else {
                throw error
            }
            throw .invalidTable(path: path, problems: problems, total: total)
        }
    }

    /// Says why tables in a folder or an archive are not read, where the reason is known.
    ///
    /// - Parameters:
    ///   - path: The folder or archive, as it was given.
    ///   - format: The format that was asked for; nil: it was recognised.
    package static func explain(
        _ files: inout [UnclaimedFile], in path: String, asked format: DatasetFormat?
    ) throws(ManifestError) {
        let isFolder = FileStatus(path: path)?.isFolder == true
        let location = isFolder ? try DatasetLocation(ManifestInput(path: path)) : nil
        try explain(&files, in: location, read: [], asked: format)
    }

    private static func explain(
        _ files: inout [UnclaimedFile], in location: DatasetLocation?, read: [String], asked format: DatasetFormat?
    ) throws(ManifestError) {
        guard files.contains(where: \.isTable) else { return }
        let folder = location?.folder ?? "."
        let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
        let isOfTop = { (path: String) in !path.dropFirst(prefix.count).contains("/") }
        // Who asks for the folder leaves the table of its recordings out.
        if format == .folder {
            files.removeAll { $0.isTable && isOfTop($0.path) && FolderTableSearch.isCandidate($0.path) }
        }
        let reasons =
            try location.map { location throws(ManifestError) in
                try FolderTableSearch.reasons(in: location, read: read)
            } ?? [:]
        for index in files.indices where files[index].isTable {
            let path = files[index].path
            files[index].reason =
                if path.contains(MemberPath.separator) {
                    "it is in an archive: unpack it"
                } else if isOfTop(path) {
                    reasons[path.lastName] ?? ""
                } else if FolderTableSearch.isCandidate(path) {
                    "it is not in the folder itself: give \(ShellText.word(Folder.containing(path)))"
                } else {
                    ""
                }
        }
    }

    /// How many recordings decide which folder paths start from, and of how many clips at most.
    private static let (tried, searched) = (20, 10_000)

    /// The folder in which most of the first recordings exist; of equal ones, the first.
    private static func root(of manifest: Manifest, _ roots: [String]) throws(ManifestError) -> String {
        guard roots.count > 1 else { return roots.first ?? "." }
        var paths: Set<String> = []
        let reader = try manifest.reader()
        for _ in 0..<searched {
            guard paths.count < tried, let clip = try reader.next() else { break }
            paths.insert(clip.path)
        }
        var (best, most) = (roots[0], 0)
        for root in roots {
            let count = paths.count { FileStatus(path: Clip.location(of: $0, root: root)) != nil }
            if count > most { (best, most) = (root, count) }
            if count == paths.count { break }
        }
        return best
    }
}
