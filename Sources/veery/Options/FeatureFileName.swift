import ArgumentParser
import FeatureModel
import Foundation
import Manifests

/// The name of a feature file that is to be written.
enum FeatureFileName {
    /// Extensions that promise something else than HDF5. Others may be anything: `run.1`, `features.new`.
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
                "\(path): is the name of a folder; expected that of the feature file, such as \(path)features.h5.")
        }
        let name = URL(filePath: path)
        guard others.contains(name.pathExtension.lowercased()) else { return }
        let better = name.deletingPathExtension().lastPathComponent + ".h5"
        throw ValidationError(
            "\(path): features are stored as HDF5; expected a name that ends in .h5, .hdf5, .hdf or .he5, or has no extension,"
                + " such as \(better).")
    }
}
