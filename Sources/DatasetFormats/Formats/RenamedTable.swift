import Manifests

/// A manifest of which some columns are read as others.
struct RenamedTable: ClipDescribing {
    let input: ManifestInput
    let format: ManifestFormat
    let isTable = true

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        try clips.add(tableOf: input, format: format)
    }
}
