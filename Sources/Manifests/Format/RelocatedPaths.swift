import FeatureModel
import FileIO
import Platform

/// Paths of one folder as a manifest in another gives them: relative, so that both can be moved together, and absolute where the two
/// have no folder in common but that of the whole system.
package struct RelocatedPaths: Sendable {
    /// The prefix of relative paths.
    let prefix: String

    /// - Parameters:
    ///   - root: The folder that the paths start from.
    ///   - folder: The folder that they are to start from; nil: they are not changed.
    /// - Throws: `ManifestError.notFound` where one of the folders does not exist.
    package init(from root: String, to folder: String?) throws(ManifestError) {
        guard let folder else {
            prefix = ""
            return
        }
        let (top, target) = (try Self.resolved(root), try Self.resolved(folder))
        let above = target == "/" ? "/" : target + "/"
        if top == target {
            prefix = ""
        } else if top.utf8.starts(with: above.utf8) {
            prefix = (String(top.utf8.dropFirst(above.utf8.count)) ?? top) + "/"
        } else if top.split(separator: "/").first != target.split(separator: "/").first {
            prefix = top == "/" ? "/" : top + "/"
        } else {
            prefix = RelativeFolder.path(to: top, from: target).map { $0 + "/" } ?? top + "/"
        }
    }

    /// The path in the other folder.
    package func path(_ path: String) -> String { path.hasPrefix("/") ? path : prefix + path }

    private static func resolved(_ path: String) throws(ManifestError) -> String {
        guard let resolved = RelativeFolder.resolved(path) else {
            throw errno == ENOENT ? .notFound(path: path) : .systemError(path: path, operation: "resolve it", errno)
        }
        return resolved
    }
}

extension Clip {
    /// The same clip of a recording at another path.
    package func at(_ path: String) -> Clip { with(path: path) }
}
