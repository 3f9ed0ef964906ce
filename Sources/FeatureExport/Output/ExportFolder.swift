import Essentials
import FileIO
import Platform

/// The folder of an export, which has a temporary name until it is complete.
final class ExportFolder {
    /// The path as it was given, without slashes at its end.
    let path: String
    /// Names of the finished files.
    private(set) var files: [String] = []
    /// Bytes of the finished files.
    private(set) var bytes = 0

    private let folder: AtomicFolder
    private let overwrite: Bool

    /// Checks that the folder can be made, and makes it under its temporary name.
    ///
    /// - Throws: `ExportError`: `.exists`, `.foreignFolder`, `.notFolder`, `.notName`; `StorageError.system`.
    init(_ path: String, overwrite: Bool) throws {
        self.path = try Self.name(path)
        self.overwrite = overwrite
        try Self.check(self.path, overwrite: overwrite)
        do throws(AtomicFileError) {
            folder = try AtomicFolder(path: self.path)
        } catch {
            throw ExportError.of(error, path: self.path)
        }
    }

    func file(_ name: String) throws -> ExportFile {
        try ExportFile("\(folder.temporaryPath)/\(name)", path: "\(path)/\(name)")
    }

    /// Makes a file that is written from its beginning to its end.
    ///
    /// - Parameter capacity: Bytes that are collected before they are written.
    func region(_ name: String, capacity: Int = 1 << 20) throws -> ExportRegion {
        try file(name).region(capacity: capacity)
    }

    /// Flushes a complete file, and adds it to `files` and `bytes`.
    func finish(_ region: ExportRegion) throws {
        try region.flush()
        try finish(region.file)
    }

    /// Waits until a complete file is on the disk, and adds it to `files` and `bytes`.
    func finish(_ file: ExportFile) throws {
        try file.descriptor.synchronizeData()
        bytes += file.descriptor.regularSize ?? 0
        files.append(String(file.path.dropFirst(path.count + 1)))
    }

    /// Deletes a file that does not belong to the export.
    func remove(_ file: ExportFile) throws {
        guard unlink(folder.temporaryPath + file.path.dropFirst(path.count)) == 0 else {
            throw StorageError.system(
                operation: "deleting a file that was needed meanwhile", path: file.path, code: errno)
        }
    }

    /// Gives the folder its name.
    func commit() throws {
        try Self.check(path, overwrite: overwrite)
        do throws(AtomicFileError) {
            try folder.commit(replacing: overwrite)
        } catch {
            throw ExportError.of(error, path: path)
        }
    }

    private static func name(_ given: String) throws -> String {
        var path = given[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        let last = path.split(separator: "/").last ?? ""
        guard !last.isEmpty, last != ".", last != ".." else { throw ExportError.notName(path: given) }
        return String(path)
    }

    /// The part of an export's description that lists its files.
    private struct Description: Decodable {
        let generator: String
        let files: [String]
    }

    /// Checks that the folder does not exist, is empty, or is an export that may be replaced.
    private static func check(_ path: String, overwrite: Bool) throws {
        guard let status = FileStatus(path: path) else {
            guard FileStatus(path: path, followingLink: false) == nil else {
                throw ExportError.linkToNothing(path: path)
            }
            return
        }
        guard status.isFolder else { throw ExportError.notFolder(path: path) }
        let names: [String]
        let json: [UInt8]
        do throws(SystemError) {
            names = try DirectoryListing.names(in: path).sorted()
            let description = "\(path)/\(ExportFile.description)"
            json = FileStatus(path: description)?.isRegular == true ? try SharedFile.contents(of: description) : []
        } catch {
            throw StorageError.system(operation: "reading the folder", path: path, code: error.code)
        }
        guard let first = names.first else { return }
        guard overwrite else { throw ExportError.exists(path: path) }
        guard let description = try? JSONDecoder().decode(Description.self, from: Data(json)),
            description.generator.hasPrefix("veery ")
        else { throw ExportError.foreignFolder(path: path, found: first) }
        if let foreign = names.first(where: { !description.files.contains($0) }) {
            throw ExportError.foreignFolder(path: path, found: foreign)
        }
    }
}

extension ExportFile {
    /// Name of the file that describes an export.
    static let description = "export.json"
}
