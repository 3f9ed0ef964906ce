import ArgumentParser
import ClipFeatures
import ClipSpool
import DatasetExtraction
import Essentials
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Messages
import Platform
import Plotting

enum GivenFile {
    /// Throws if a path is evidently not a feature file, for a better error than HDF5's.
    static func requireFeatures(_ path: String, for purpose: String = "") throws {
        guard let status = FileStatus(path: path) else {
            // If the status is not available, opening the file reports why.
            guard errno == ENOENT || errno == ENOTDIR else { return }
            try suggestIndex(insteadOf: path)
            throw FileRefusal(path: path, reason: "there is no such file; check the path")
        }
        guard !status.isFolder else {
            let run = unfinishedRun(path).map { "; \($0)" } ?? ""
            throw FileRefusal(path: path, reason: "is a folder; expected a feature file\(purpose)\(run)")
        }
        guard !areFeatures(path) else { return }
        try refuse(path, expected: "a feature file\(purpose), which 'veery extract' makes")
    }

    /// What a folder of finished clips is, and how the run that it is of goes on; nil: it is another folder.
    private static func unfinishedRun(_ folder: String) -> String? {
        func has(_ note: SpoolNote) -> Bool { (try? note.text(in: folder)) != nil }
        if has(.live), folder.hasSuffix(".spool") {
            return "it has what an interrupted recording has received. To complete it: "
                + ExtractionError.recovery(of: String(folder.dropLast(".spool".count)))
        }
        return has(.identity)
            ? "it has the finished clips of a run of 'veery extract' that has not ended: give the same command again, which "
                + "resumes it" : nil
    }

    /// Whether a path is a feature file, or may be the index of a set of them, by its first bytes.
    static func areFeatures(_ path: String) -> Bool {
        HDF5Signature.begins(path) || FeatureSetIndex.begins(path) && kind(path) == nil
    }

    /// Whether a path is a feature file, by its first bytes, or the index of a set of them. Another file of JSON is none.
    static func haveConfiguration(_ path: String) -> Bool {
        HDF5Signature.begins(path) || FeatureSetIndex.exists(at: path)
    }

    /// Throws if there is no file of this name, but the index of a set with this name.
    private static func suggestIndex(insteadOf path: String) throws {
        let index = FeatureSetPaths(output: path).index
        guard FeatureSetIndex.exists(at: index) else { return }
        throw FileRefusal(
            path: path, reason: "there is no such file, but the index of a set of feature files: give \(index)")
    }

    static func refuseManifest(_ path: String) throws {
        guard ManifestFormat(path: path) != nil, FileManager.default.fileExists(atPath: path) else { return }
        try refuse(path, expected: "a feature file or a recording")
    }

    /// Throws if a path is by its name a file of another kind.
    private static func refuse(_ path: String, expected: String) throws {
        guard let kind = kind(path) else { return }
        throw FileRefusal(path: path, reason: "expected \(expected); this is \(kind.name): \(kind.use)")
    }

    private static func kind(_ path: String) -> (name: String, use: String)? {
        if ManifestFormat(path: path) != nil {
            return ("a manifest by its name", "'veery check' reads one, and 'veery extract' makes a feature file of it")
        }
        let dot = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
        return RecordingName.extensions.contains(dot) || MediaFile.extensions.contains(dot)
            ? ("a recording by its name", "'veery render' draws one, without --clip") : nil
    }
}

enum FeatureFileName {
    /// Extensions of other kinds of files. Unknown ones are allowed: `run.1`, `features.new`.
    private static let others = RecordingName.extensions.union(MediaFile.extensions).union(
        """
        csv tsv tab jsonl ndjson json yaml yml toml xml txt md log html htm pdf png jpg jpeg gif svg webp bmp tif tiff \
        npy npz pt pth pkl pickle parquet arrow feather safetensors tfrecord zarr ark scp \
        mat nc zip gz bz2 xz zst tar tgz 7z db sqlite doc docx xls xlsx py swift sh ipynb
        """.split(separator: " ").map(String.init))

    static func check(_ path: String) throws {
        guard path != "-" else {
            throw ValidationError("-: features cannot be written to standard output; give the name of a file.")
        }
        guard !path.hasSuffix("/") else {
            throw ValidationError(
                "\(path): is a folder; expected the name of the feature file, such as \(path)features.h5.")
        }
        guard !FeatureSetIndex.exists(at: path) else {
            throw ValidationError(
                "\(path): is the index of a set of feature files; expected the name of the feature file.")
        }
        let name = URL(filePath: path)
        guard others.contains(name.pathExtension.lowercased()) else { return }
        let better = name.deletingPathExtension().lastPathComponent + ".h5"
        throw ValidationError(
            "\(path): features are stored as HDF5; expected a name that ends in .h5, .hdf5, .hdf or .he5, or has no extension,"
                + " such as \(better).")
    }
}

/// A file, folder or recording that a command cannot use.
struct FileRefusal: SystemFaultReporting, CustomStringConvertible {
    let path: String
    let reason: String
    let isSystemFault: Bool

    init(path: String, reason: String) { (self.path, self.reason, isSystemFault) = (path, reason, false) }

    /// - Parameter advice: What the command says of a recording that is broken; nil: it reads none.
    init(path: String, _ error: any Error, _ advice: RecordingAdvice? = nil) {
        self.path = path
        reason = (error as? ClipFailure).map { advice?.reason($0) ?? $0.reason } ?? "\(error)"
        isSystemFault = error.isSystemFault
    }

    /// The system refused.
    init(path: String, _ what: String, _ error: SystemError) {
        (self.path, reason, isSystemFault) = (path, "\(what): \(error)", error.isFault)
    }

    var description: String { "\(path): \(reason)" }

    /// The result of a body; its errors of recordings and pictures are converted to a refusal of the file.
    static func naming<Value>(
        _ path: String, _ advice: RecordingAdvice? = nil, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error where error is ClipFailure || error is PlotError {
            throw FileRefusal(path: path, error, advice)
        } catch SamplesError.recording(let path, let failure) {
            throw FileRefusal(path: path, failure, advice)
        } catch FilteringError.recording(let path, let failure) {
            throw FileRefusal(path: path, failure, advice)
        }
    }
}
