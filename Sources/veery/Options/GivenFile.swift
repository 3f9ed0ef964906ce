import ArgumentParser
import FeatureModel
import FeatureStorage
import Foundation
import Manifests

enum GivenFile {
    /// Throws where a path is evidently no feature file: HDF5's own error would be of no use.
    static func requireFeatures(_ path: String, for purpose: String = "") throws {
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            !HDF5Signature.begins(path), let kind = kind(path)
        else { return }
        throw PictureError(
            path: path,
            reason: "expected a feature file\(purpose), which 'veery extract' makes; this is \(kind.name): \(kind.use)")
    }

    /// Throws where a path is a manifest, and a recording or a feature file is expected.
    static func refuseManifest(_ path: String) throws {
        guard ManifestFormat(path: path) != nil, let kind = kind(path), FileManager.default.fileExists(atPath: path)
        else {
            return
        }
        throw PictureError(
            path: path, reason: "expected a feature file or a recording; this is \(kind.name): \(kind.use)")
    }

    /// The kind of a file by its name.
    private static func kind(_ path: String) -> (name: String, use: String)? {
        if ManifestFormat(path: path) != nil {
            return ("a manifest by its name", "'veery check' reads one, and 'veery extract' makes a feature file of it")
        }
        let dot = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
        return DirectoryCrawler.extensions.contains(dot)
            ? ("a recording by its name", "'veery render' draws one, without --clip") : nil
    }
}

/// The name of a feature file to write.
enum FeatureFileName {
    /// Extensions that promise something other than HDF5. Any other is allowed: `run.1`, `features.new`.
    private static let others: Set<String> = DirectoryCrawler.extensions.union([
        "csv", "tsv", "tab", "jsonl", "ndjson", "json", "yaml", "yml", "toml", "xml", "txt", "md", "log", "html", "htm",
        "pdf",
        "png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "tif", "tiff", "m4a", "aac", "wma", "mp4", "mkv", "webm",
        "avi",
        "npy", "npz", "pt", "pth", "pkl", "pickle", "parquet", "arrow", "feather", "safetensors", "tfrecord", "zarr",
        "ark",
        "scp", "mat", "nc", "zip", "gz", "bz2", "xz", "zst", "tar", "tgz", "7z", "db", "sqlite", "doc", "docx", "xls",
        "xlsx",
        "py", "swift", "sh", "ipynb",
    ])

    /// - Throws: `ValidationError` where the extension is that of another kind of file.
    static func check(_ path: String) throws {
        guard !path.hasSuffix("/") else {
            throw ValidationError(
                "\(path): is a folder; expected the name of the feature file, such as \(path)features.h5.")
        }
        let name = URL(filePath: path)
        guard others.contains(name.pathExtension.lowercased()) else { return }
        let better = name.deletingPathExtension().lastPathComponent + ".h5"
        throw ValidationError(
            "\(path): features are stored as HDF5; expected a name that ends in .h5, .hdf5, .hdf or .he5, or has no extension,"
                + " such as \(better).")
    }
}

/// A recording, or a clip of a feature file, that cannot be drawn.
struct PictureError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }
}
