import FeatureModel
import FileIO
import Manifests
import Platform

/// The file or folder of a dataset, and what can be seen of it without reading it.
struct DatasetLocation {
    let input: ManifestInput
    /// As it was given.
    let path: String
    let isFolder: Bool
    /// The folder, or that of the file.
    let folder: String
    /// The names in the folder, sorted; of a file, none.
    let names: [String]
    /// The start of the file; nil: it is a folder.
    let start: ManifestStart?
    /// How its columns are to be read.
    let columns: ColumnMap

    /// - Throws: `ManifestError` where there is no such file or folder, or it cannot be opened.
    init(_ input: ManifestInput, columns: ColumnMap = ColumnMap()) throws(ManifestError) {
        (self.input, self.columns) = (input, columns)
        path = input.name
        isFolder = input.isFile && FileStatus(path: path)?.isFolder ?? false
        folder = !input.isFile ? "." : isFolder ? path.droppingSlashes : Folder.containing(path)
        start = isFolder ? nil : try ManifestStart(input)
        do throws(SystemError) {
            names = isFolder ? try DirectoryListing.names(in: folder).filter { !$0.hasPrefix(".") }.sorted() : []
        } catch {
            throw .systemError(path: path, operation: "open it", error.code)
        }
    }

    /// The file's name; nil for a folder.
    var fileName: String? { isFolder ? nil : path.lastName }

    /// The folder's name, also where it was given as `.`.
    var folderName: String {
        let name = folder.lastName
        guard name == "." || name == "..", let resolved = RelativeFolder.resolved(folder) else { return name }
        return resolved.lastName
    }

    /// The path of a file in the folder.
    func path(of name: String) -> String { folder + "/" + name }

    /// A file in the folder; the one that was given, by its own name.
    func input(of name: String) -> ManifestInput { name == fileName ? input : ManifestInput(path: path(of: name)) }

    /// The start of a file in the folder; nil: it is not text that can be read.
    ///
    /// - Throws: `ManifestError.systemError`: what describes the recordings must not be missed because it cannot be read.
    func start(of name: String) throws(ManifestError) -> ManifestStart? {
        do throws(ManifestError) { return try ManifestStart(input(of: name)) } catch {
            if error.isSystemFault { throw error }
            return nil
        }
    }

    /// Whether there is such a file in the folder.
    func hasFile(_ name: String) -> Bool { FileStatus(path: path(of: name))?.isRegular ?? false }

    func hasFolder(_ name: String) -> Bool { FileStatus(path: path(of: name))?.isFolder ?? false }

    /// The folders in the folder, sorted.
    var folders: [String] { names.filter(hasFolder) }

    /// Whether the file is a table with these columns.
    func hasColumns(_ columns: String...) -> Bool {
        guard let start, start.firstObject == nil else { return false }
        return columns.allSatisfy(start.has)
    }

    /// The names in a folder; empty if the folder does not exist or may not be read.
    ///
    /// - Parameter refused: Called with the error if permission to read the folder is denied.
    /// - Throws: `ManifestError.systemError` for a fault of the system.
    static func names(
        in folder: String, refused: (SystemError) -> Void = { _ in }
    ) throws(ManifestError) -> [String] {
        do throws(SystemError) { return try DirectoryListing.foundNames(in: folder) } catch {
            guard !error.isFault else { throw .systemError(path: folder, operation: "read it", error.code) }
            refused(error)
            return []
        }
    }

    /// The folder, and those above it; where it is a link, also those above its target.
    static func above(_ folder: String, levels: Int) -> [String] {
        func chain(_ folder: String) -> [String] {
            (0..<levels).reduce(into: [folder]) { folders, _ in folders.append(parent(of: folders.last ?? folder)) }
        }
        let plain = chain(folder)
        guard let target = RelativeFolder.resolved(folder),
            target != RelativeFolder.resolved(plain[1]).map({ $0 + "/" + folder.lastName })
        else { return plain }
        return plain + chain(target).dropFirst()
    }

    /// The folder that holds a folder.
    static func parent(of folder: String) -> String {
        let name = folder.lastName
        return name == "." || name == ".." || name == "/" ? folder + "/.." : Folder.containing(folder.droppingSlashes)
    }
}

extension String {
    /// Whether the extension is that of a recording.
    var isRecording: Bool { RecordingName.isRecording(self) }

    var droppingSlashes: String {
        var path = self
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// The name without the extension, and without `.gz` after it.
    var stem: String {
        let name = hasSuffix(".gz") ? String(dropLast(3)) : self
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}
