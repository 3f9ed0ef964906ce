import FeatureModel
import Platform

/// What went wrong with a file: which operation, on which path, and what was found.
public enum StorageError: Error, Hashable, Sendable {
    /// The operating system refused; `code` is its `errno`.
    case system(operation: String, path: String, code: Int32)
    /// libhdf5 refused; `detail` is its innermost message, `code` the `errno` in it.
    case hdf5(operation: String, path: String, detail: String, code: Int32?)
    /// The file is not what this program writes, or of a version that it does not know.
    case notFeatures(path: String, found: String)
    /// The file's parts contradict each other.
    case damaged(path: String, found: String)
    /// A file that was just written has other contents, though no write failed.
    case lostWrites(path: String, found: String)
    /// Another process is writing the same output; `owner` is its process id, if known.
    case busy(path: String, owner: Int?)
    /// The file of that name is not the one that had it when the work began.
    case changedMeanwhile(path: String)
    /// Another program has the file open for writing.
    case inUse(path: String)
    /// A folder for finished clips, of a name that is ours to use, holds files that no run has made.
    case foreignFolder(path: String, found: String)
    /// Shards have left more files than a run can read.
    case tooManyFiles(folder: String, count: Int, maximum: Int)
    /// The file is not the index of a set of feature files.
    case notFeatureSet(path: String, found: String)
    /// A file that the index of a set names is not there.
    case missingFileOfSet(path: String, index: String)
    /// A file of a set is not the one that the index names.
    case changedFileOfSet(path: String, index: String, found: String)
    /// There is no clip of this name in the file.
    case noSuchClip(path: String, id: String)
    /// Values were normalised by a constant for each of `columns` columns of stacked rows, which rows of a clip do not tell any more.
    case notUndone(path: String, columns: Int)
    /// Values were raised to a minimum once they were normalised (`normalize.minimum`), so what they were is lost.
    case cutOff(path: String, minimum: Double)
    /// Clips were normalised one by one before their rows were resized, which cannot be undone.
    case resized(path: String)
}

extension StorageError {
    package init(_ error: AtomicFileError, path: String) {
        let operation =
            switch error {
            case .exists, .notRegular, .naming, .displaced: "naming the file"
            case .creating: "creating the file"
            case .writing: "writing"
            case .synchronizing, .closing: "writing to disk"
            }
        self = .system(operation: operation, path: path, code: error.system?.code ?? EEXIST)
    }
}

extension StorageError {
    /// Waits until the names in a folder are on the disk.
    ///
    /// - Throws: `.system` for a fault of the disk, which may have lost the names.
    package static func synchronize(folder: String) throws(StorageError) {
        do throws(SystemError) { try Folder.synchronize(folder) } catch {
            throw .system(operation: "writing the names in the folder to disk", path: folder, code: error.code)
        }
    }
}

extension StorageError: CustomStringConvertible {
    /// The error as one sentence for a person.
    public var description: String {
        switch self {
        case .system(let operation, let path, let code):
            "\(path): \(operation) failed: \(SystemError(code: code))"
        // libhdf5's own words have times and addresses in memory.
        case .hdf5(let operation, let path, _, let code?):
            "\(path): \(operation) failed: \(SystemError(code: code)) (HDF5)"
        case .hdf5(let operation, let path, let detail, nil):
            "\(path): \(operation) failed\(detail.isEmpty ? "" : ": \(detail)") (HDF5)"
        case .notFeatures(let path, let found):
            "\(path): expected a feature file written by veery, found \(found.withoutMiddle)"
        case .damaged(let path, let found):
            "\(path): the file is damaged: \(found.withoutMiddle)"
        case .lostWrites(let path, let found):
            "\(path): the disk or the file system has not kept what was written, and reported no error: \(found); "
                + "check the disk, or choose another for the output, and run the same command again"
        case .busy(let path, let owner):
            "\(path): another veery\(owner.map { " (process \($0))" } ?? "") is writing this output; "
                + "wait for it, stop it, or choose another output"
        case .changedMeanwhile(let path):
            "\(path): the file has come, gone or changed since this run began, so it is left as it is"
        case .inUse(let path):
            "\(path): another program, such as a Python session, has the file open for writing: close it there first"
        case .foreignFolder(let path, let found):
            "\(path): expected a folder made by veery, or none, found one with the file '\(found)' and without a lock: "
                + "it may be someone's, so nothing is written there; move it away, or choose another output"
        case .tooManyFiles(let folder, let count, let maximum):
            "\(folder): shards have \(count) files of clips, and a run can read \(maximum): use fewer shards, or fewer threads in each"
        case .notFeatureSet(let path, let found):
            "\(path): expected the index of a set of feature files, which 'veery extract' writes for several files, found \(found.withoutMiddle)"
        case .missingFileOfSet(let path, let index):
            "\(path): the file is missing: \(index) names it as one of its set; bring it back, or extract the set again"
        case .changedFileOfSet(let path, let index, let found):
            "\(path): the file is not the one that \(index) names: \(found.withoutMiddle) (a run that was to replace the set may have been "
                + "stopped: give its command again)"
        case .noSuchClip(let path, let id):
            "\(path): no clip with the id '\(id)' (ids are in /clips/id, those of failed clips in /failures/id)"
        case .notUndone(let path, let columns):
            "\(path): the values before normalisation are not to be had of single rows, since each of \(columns) columns of stacked rows "
                + "has constants of its own: multiply a stacked row by /statistics/constant_std and add /statistics/constant_mean"
        case .cutOff(let path, let minimum):
            "\(path): the values before normalisation are lost: what was below \(minimum) was raised to it (normalize.minimum); extract the "
                + "features again without it, or with normalize.scope=none"
        case .resized(let path):
            "\(path): the values before normalisation are lost: each clip was normalised before its rows were resized (rows.resize, "
                + "rows.resize_bins); extract the features again with normalize.scope=none"
        }
    }
}

extension String {
    /// The text of a finding, without its middle if that is long: it quotes what is in a file, which may be any text.
    package var withoutMiddle: String {
        let (first, last) = (400, 100)
        let scalars = unicodeScalars
        guard scalars.count > first + last else { return self }
        return String(scalars.prefix(first)) + " … " + String(scalars.suffix(last))
    }
}

extension StorageError {
    /// The file or folder that it is about.
    package var path: String {
        switch self {
        case .system(_, let path, _), .hdf5(_, let path, _, _), .notFeatures(let path, _), .damaged(let path, _),
            .lostWrites(let path, _), .busy(let path, _), .changedMeanwhile(let path), .inUse(let path),
            .foreignFolder(let path, _), .tooManyFiles(let path, _, _), .notFeatureSet(let path, _),
            .missingFileOfSet(let path, _), .changedFileOfSet(let path, _, _), .noSuchClip(let path, _),
            .notUndone(let path, _), .cutOff(let path, _), .resized(let path):
            path
        }
    }
}

extension StorageError: SystemFaultReporting {
    /// The system's `errno`; nil: the system refused nothing.
    package var systemCode: Int32? {
        switch self {
        case .system(_, _, let code), .hdf5(_, _, _, let code?): code
        default: nil
        }
    }

    /// Whether a file is not there, such as one that somebody has deleted.
    package var isAbsence: Bool { systemCode.map { SystemError(code: $0).isAbsence } ?? false }

    package var isSystemFault: Bool {
        if case .lostWrites = self { return true }
        return systemCode.map { SystemError(code: $0).isFault } ?? false
    }
}
