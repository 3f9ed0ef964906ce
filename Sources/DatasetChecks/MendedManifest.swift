import Essentials
import FeatureModel
import Manifests
import Platform

/// A manifest without the clips that cannot be used, and one of these with the reasons.
package struct MendedManifest: Sendable {
    /// The manifest of the clips that can be used.
    package let path: String
    /// The manifest of the others.
    package let rejectedPath: String
    private let format: ManifestFormat
    private let isOverwriting: Bool

    /// - Throws: `outputExists`, unless existing files may be replaced.
    package init(path: String, format: ManifestFormat, overwriting: Bool) throws(ManifestError) {
        self.path = path
        self.format = format
        isOverwriting = overwriting
        rejectedPath = Self.rejectedPath(path)
        guard !overwriting else { return }
        for path in [path, rejectedPath] where FileManager.default.fileExists(atPath: path) {
            throw .outputExists(path: path)
        }
    }

    /// `calls.csv` → `calls.rejected.csv`
    static func rejectedPath(_ path: String) -> String {
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[name...].lastIndex(of: "."), dot > name else { return path + ".rejected" }
        return path[..<dot] + ".rejected" + path[dot...]
    }

    /// Writes both, each whole or not at all; the one of rejected clips only where there are some, and the other only where some
    /// are left. Neither is renamed to its final name before both are written: on a full disk, existing ones are untouched,
    /// and there are no new ones.
    ///
    /// Relative paths start from the folder of the new manifests.
    ///
    /// - Parameter root: Folder that relative paths of `source` start from.
    /// - Returns: Whether each was written.
    package func write(
        _ source: Manifest, root: String, rejections: [Int: DatasetCheck.Rejection]
    ) throws(ManifestError) -> (mended: Bool, rejected: Bool) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let paths = try RelocatedPaths(from: root, to: folder)
        let hasRest = rejections.count < source.clipCount
        // Either may replace the source itself, so both are open before one is written.
        let (clips, rejected) = (try source.reader(), try source.reader())
        guard hasRest else {
            try finishedRejected(source, rejected, paths, rejections).commit()
            return (false, true)
        }
        func finishedMended() throws(ManifestError) -> FinishedManifest {
            try ManifestWriter(format: format, extraColumns: source.extraColumns).finished(
                columns: source.columns, to: path, overwriting: isOverwriting
            ) { () throws(ManifestError) in
                while let clip = try clips.next() {
                    if rejections[clip.index] == nil { return clip.at(paths.path(clip.path)) }
                }
                return nil
            }
        }
        guard !rejections.isEmpty else {
            try finishedMended().commit()
            return (true, false)
        }
        let first = try finishedRejected(source, rejected, paths, rejections)
        let second = try finishedMended()
        try first.commit()
        do throws(ManifestError) { try second.commit() } catch {
            // With one of them left, the same command would fail when it is given again.
            if !isOverwriting { unlink(rejectedPath) }
            throw error
        }
        return (true, true)
    }

    private func finishedRejected(
        _ source: Manifest, _ clips: any ClipReader, _ paths: RelocatedPaths,
        _ rejections: [Int: DatasetCheck.Rejection]
    ) throws(ManifestError) -> FinishedManifest {
        // A manifest of rejected clips that was given back has both columns, which get new values. A column of the user's own that
        // has one of the names keeps its values.
        let isGivenBack = ["kind", "reason"].allSatisfy(source.extraColumns.contains)
        let isTaken = ["kind", "reason"].contains(where: source.extraColumns.contains)
        let names = isTaken && !isGivenBack ? ["problem_kind", "problem_reason"] : ["kind", "reason"]
        let kept = source.extraColumns.indices.filter { !names.contains(source.extraColumns[$0]) }
        return try ManifestWriter(format: format, extraColumns: kept.map { source.extraColumns[$0] } + names).finished(
            columns: source.columns, to: rejectedPath, overwriting: isOverwriting
        ) { () throws(ManifestError) in
            while let clip = try clips.next() {
                guard let rejection = rejections[clip.index] else { continue }
                return clip.with(
                    path: paths.path(clip.path),
                    extra: kept.map { clip.extra[$0] } + [rejection.kind.rawValue, Self.line(rejection.reason)])
            }
            return nil
        }
    }

    /// The text in one line, which every format can hold.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: { $0.isNewline || $0 == "\t" }).joined(separator: " ").replacing("\0", with: "")
    }
}
