import FeatureModel
import FileIO

/// Tables that Veery wrote for the recordings of a folder, and that are not to be read with it: manifests that say nothing more than the
/// names of its folders, and corrections of a manifest.
///
/// The columns of a manifest alone do not show this: people use the same ones for their own labels.
package enum OwnManifest {
    /// Whether a file is of corrections, or starts as `ManifestWriter` starts one, with the columns `path`, `id` and `label`, and in every row the id is
    /// that which Veery gives the clip, and label and split are names of its folders.
    ///
    /// - Complexity: Reads all of a file that starts so.
    package static func isOne(_ path: String) -> Bool {
        CorrectionFile.isOne(path) || holds(path, extraColumns: false, isOfFolders)
    }

    /// Whether a file starts as `ManifestWriter` starts one, and in every row the id ends as `veery clips` ends that of a part of a
    /// recording, whose own id comes before: it was made of annotations, and is not an annotation file itself.
    ///
    /// - Complexity: As `isOne`.
    package static func isOfClips(_ path: String) -> Bool {
        holds(path, extraColumns: true) { clip in
            guard let segment = clip.segment, !segment.isLengthAlone else { return false }
            // Clips of the same time differ by a number.
            let number = clip.id.reversed().prefix(while: \.isNumber).count
            let isNumbered = number > 0 && clip.id.dropLast(number).last == "~"
            return clip.id.dropLast(isNumbered ? number + 1 : 0).hasSuffix(DefaultIdentifier.suffix(segment))
        }
    }

    private static func holds(_ path: String, extraColumns: Bool, _ isOwn: (Clip) -> Bool) -> Bool {
        guard startsSo(path), let format = ManifestFormat(path: path) else { return false }
        do throws(ManifestError) {
            let manifest = try Manifest.scan(path: path, format: format)
            guard extraColumns || manifest.extraColumns.isEmpty else { return false }
            let reader = try manifest.reader()
            while let clip = try reader.next() { guard isOwn(clip) else { return false } }
            return true
        } catch {
            return false
        }
    }

    private static func startsSo(_ path: String) -> Bool {
        guard let bytes = try? SharedFile.contents(of: path, maximum: 4096) else { return false }
        let line = String(decoding: bytes.prefix { $0 != Byte.lineFeed }, as: UTF8.self)
        return line.hasPrefix("path,id,label") || line.hasPrefix("path\tid\tlabel")
            || line.hasPrefix("{\"path\":") && line.contains("\"id\":") && line.contains("\"label\":")
    }

    private static func isOfFolders(_ clip: Clip) -> Bool {
        // In a manifest of a folder above, the paths have more folders than the ids.
        let id = DefaultIdentifier.id(of: clip)
        guard clip.id == id || id.hasSuffix("/" + clip.id) else { return false }
        let folders = clip.path.split(separator: "/").dropLast()
        return (clip.label.isEmpty || folders.contains { $0 == clip.label })
            && (clip.split.isEmpty || folders.contains { $0 == clip.split || SplitName.of(String($0)) == clip.split })
    }
}
