import Archives
import FeatureModel
import FileIO

/// The arrays of a file, or of a folder of `ID.npy`, by their names.
package struct ArrayCollection: Sendable {
    /// The path as given.
    package let path: String
    /// The names, in the order of the file; that of an NPY file is empty.
    package let names: [String]
    private let content: Content

    private enum Content: Sendable {
        case npy(ArrayBytes)
        case npz(Archive, members: [String])
        case safetensors(SafetensorsFile)
        case kaldi([NumericArray])
        case folder
    }

    /// Opens a file by its first bytes, or a folder.
    ///
    /// - Throws: `ArrayFileError` where it is neither of the formats, or damaged.
    package init(path: String) throws(ArrayFileError) {
        self.path = path
        if FileStatus(path: path)?.isFolder == true {
            (names, content) = (try Self.names(inFolder: path), .folder)
            return
        }
        let bytes = try ArrayBytes(path: path)
        let start = try bytes.bytes(at: 0, 8192)
        if start.starts(with: NPYArray.signature) {
            (names, content) = ([""], .npy(bytes))
        } else if start.starts(with: [0x50, 0x4B, 3, 4]) || start.starts(with: [0x50, 0x4B, 5, 6]) {
            (names, content) = try Self.npz(path)
        } else if SafetensorsFile.mayStart(start) {
            let file = try SafetensorsFile(bytes)
            (names, content) = (file.names, .safetensors(file))
        } else if KaldiArchive.mayStart(start) {
            let entries = try KaldiArchive(bytes).entries
            (names, content) = (entries.map(\.name), .kaldi(entries.map(\.array)))
        } else {
            throw .content(
                path: path, name: nil,
                expected: "an array of NumPy (.npy, .npz), a safetensors file, or an archive of Kaldi",
                found: bytes.count == 0 ? "an empty file" : "other bytes at its start")
        }
    }

    /// The array of a name.
    ///
    /// - Throws: `ArrayFileError` where there is none, or it is damaged.
    package func array(named name: String) throws(ArrayFileError) -> NumericArray {
        guard let index = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            // Ids such as speaker/7 are files of folders.
            if case .folder = content, FileStatus(path: file(name))?.isRegular == true {
                return try NPYArray.read(ArrayBytes(path: file(name)))
            }
            throw .noSuchArray(path: path, name: name, names: names)
        }
        return try array(index)
    }

    /// The only array.
    ///
    /// - Throws: `ArrayFileError` where there are several or none, or it is damaged.
    package func onlyArray() throws(ArrayFileError) -> NumericArray {
        guard names.count == 1 else { throw .severalArrays(path: path, names: names) }
        return try array(0)
    }

    private func array(_ index: Int) throws(ArrayFileError) -> NumericArray {
        switch content {
        case .npy(let bytes): return try NPYArray.read(bytes)
        case .npz(let archive, let members):
            let part: FilePart
            do throws(ArchiveError) {
                part = try archive.part(members[index])
            } catch {
                throw Self.error(error, path, name: names[index])
            }
            return try NPYArray.read(ArrayBytes(part, path: path), name: names[index])
        case .safetensors(let file): return try file.array(index)
        case .kaldi(let arrays): return arrays[index]
        case .folder: return try NPYArray.read(ArrayBytes(path: file(names[index])))
        }
    }

    private static let suffix = ".npy"

    private func file(_ name: String) -> String { "\(path)/\(name)\(Self.suffix)" }

    private static func npz(_ path: String) throws(ArrayFileError) -> ([String], Content) {
        let archive: Archive
        do throws(ArchiveError) { archive = try Archive(path: path) } catch { throw Self.error(error, path, name: nil) }
        var members: [String] = []
        archive.forEach { name, _, _, _ in if let name, name.hasSuffix(suffix) { members.append(name) } }
        guard !members.isEmpty else {
            throw .content(
                path: path, name: nil, expected: "arrays that numpy.savez wrote",
                found: "a zip without members NAME.npy; of a file of torch.save, save the array by numpy.save")
        }
        return (members.map { String($0.dropLast(suffix.count)) }, .npz(archive, members: members))
    }

    private static func names(inFolder path: String) throws(ArrayFileError) -> [String] {
        do throws(SystemError) {
            return try DirectoryListing.names(in: path).filter { $0.hasSuffix(suffix) && $0 != suffix }.sorted()
                .map { String($0.dropLast(suffix.count)) }
        } catch {
            throw .system(path: path, error)
        }
    }

    private static func error(_ error: ArchiveError, _ path: String, name: String?) -> ArrayFileError {
        if case .system(let system) = error.cause { return .system(path: path, system) }
        return .content(path: path, name: name, expected: "a sound zip of arrays", found: "that \(error)")
    }
}
