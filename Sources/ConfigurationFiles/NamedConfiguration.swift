import FeatureModel
import FileIO
import ModelFiles

/// What the name of a preset means: a preset, a model with a preset, or a model's own file. Names are looked up here alone.
package enum NamedConfiguration: Sendable {
    case preset(NamedPreset)
    /// A file, or a folder that holds one.
    case path(String)

    /// Looks a name up, without reading a file. A preset wins over a file of its name, but not over one with a folder in front.
    ///
    /// - Throws: `UnknownPresetError` where there is neither.
    package init(_ name: String) throws(UnknownPresetError) {
        if name.contains("/"), FileStatus(path: name) != nil {
            self = .path(name)
        } else if let named = NamedPreset(name) {
            self = .preset(named)
        } else if !name.isEmpty, FileStatus(path: name) != nil {
            self = .path(name)
        } else {
            throw UnknownPresetError(name: name)
        }
    }
}

/// There is no preset, and no file, of a name.
package struct UnknownPresetError: Error, Hashable, Sendable {
    package let name: String

    /// Whether the name is rather that of a file.
    package var isPath: Bool {
        let ends = [".json", ".yaml", ".yml", ".conf", ".config", ".nemo"]
        return name.contains("/") || name.contains("\\") || ends.contains { name.lowercased().hasSuffix($0) }
            || name.hasPrefix("~")
    }
}
