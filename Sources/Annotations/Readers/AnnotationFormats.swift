import Manifests

/// All formats of annotation files.
package enum AnnotationFormats {
    /// In the order in which a file is compared with them.
    static let all: [any AnnotationFormat.Type] = [
        TextGrid.self, BirdsongAnnotation.self, ManifestAnnotations.self, BirdNETResults.self, RavenTable.self,
        TimesTable.self, RTTMTurns.self, CTMWords.self, AudacityLabels.self,
    ]

    /// The values of `--annotations-format`.
    package static var names: [String] { all.map { $0.kind.name } }

    /// The format of a file; nil: its content is that of none.
    ///
    /// - Parameter name: The format that the user names; nil: by content and name.
    static func format(of document: AnnotationDocument, _ options: AnnotationOptions, named name: String?) -> (
        any AnnotationFormat.Type
    )? {
        if let name { return all.first { $0.kind.name == name } }
        // A table of AudioSet has columns of times, too.
        guard document.foreign == nil else { return nil }
        return all.first { $0.matches(document, options) }
    }
}
