import FileIO

/// Manifests that Veery wrote itself.
package enum OwnManifest {
    /// Whether a file starts as `ManifestWriter` starts one: with the columns `path`, `id` and `label`.
    ///
    /// Other manifests may say more of the recordings than their folders do.
    package static func isOne(_ path: String) -> Bool {
        guard let bytes = try? SharedFile.contents(of: path, maximum: 4096) else { return false }
        let line = String(decoding: bytes.prefix { $0 != Byte.lineFeed }, as: UTF8.self)
        return line.hasPrefix("path,id,label") || line.hasPrefix("path\tid\tlabel")
            || line.hasPrefix("{\"path\":") && line.contains("\"id\":") && line.contains("\"label\":")
    }
}
