import FeatureStorage
import Foundation
import Manifests

/// A file that was given in the place of another kind.
enum GivenFile {
    /// Makes sure that a path is not evidently another file than a feature file: what HDF5 says of it would be of no use.
    ///
    /// - Throws: `PictureError`.
    static func requireFeatures(_ path: String, for purpose: String = "") throws {
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            !HDF5Signature.begins(path), let kind = kind(path)
        else { return }
        throw PictureError(
            path: path,
            reason: "expected a feature file\(purpose), which 'veery extract' makes; this is \(kind.name): \(kind.use)")
    }

    /// Makes sure that a path is no manifest, where a recording or a feature file is expected.
    ///
    /// - Throws: `PictureError`.
    static func refuseManifest(_ path: String) throws {
        guard ManifestFormat(path: path) != nil, let kind = kind(path), FileManager.default.fileExists(atPath: path)
        else {
            return
        }
        throw PictureError(
            path: path, reason: "expected a feature file or a recording; this is \(kind.name): \(kind.use)")
    }

    /// What a name says that its file is.
    private static func kind(_ path: String) -> (name: String, use: String)? {
        if ManifestFormat(path: path) != nil {
            return ("a manifest by its name", "'veery check' reads one, and 'veery extract' makes a feature file of it")
        }
        let dot = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
        return DirectoryCrawler.extensions.contains(dot)
            ? ("a recording by its name", "'veery render' draws one, without --clip") : nil
    }
}
