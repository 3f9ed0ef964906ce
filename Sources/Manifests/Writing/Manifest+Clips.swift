import FeatureModel

extension Manifest {
    /// Clips that no manifest names, such as the inputs of a live recording, as the manifest that would hold them: CSV, or JSON
    /// Lines where a name has line ends that CSV cannot tell from rows. There are no remarks on it.
    ///
    /// - Parameters:
    ///   - clips: At least one, without `extra` values.
    ///   - name: What messages call them.
    ///   - folder: Where the manifest is kept, in a file without a name.
    /// - Throws: `ManifestError.unwritableClip` where a value cannot stand in any manifest; `.systemError`, such as for a full disk.
    package init(of clips: [Clip], named name: String, in folder: String) throws(ManifestError) {
        let kept = try KeptBytes(name: name, in: folder)
        var format = ManifestFormat.csv
        do throws(ManifestError) { try kept.append(ManifestWriter(format: format).bytes(of: clips)) } catch {
            guard case .unwritableClip = error else { throw error }
            format = .jsonLines
            try kept.append(ManifestWriter(format: format).bytes(of: clips))
        }
        self = try .scan(ManifestInput(name: name, kept: kept), format: format, idsMayRepeat: true)
        rowsAccount = Account()
    }
}
