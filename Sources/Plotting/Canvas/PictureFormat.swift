/// A kind of picture file.
package enum PictureFormat: String, CaseIterable, Sendable {
    /// Pixels.
    case png
    /// Lines, areas and letters as shapes (Cairo writes no text there), spectrograms as embedded pixels; for web pages.
    case svg
    /// The same on a page of the picture's size, with text as text, its fonts embedded; for papers.
    case pdf

    /// The format that a file's extension tells, in any case; nil for another or none.
    package init?(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), let format = Self(rawValue: name[dot...].dropFirst().lowercased())
        else { return nil }
        self = format
    }

    /// The name in a sentence, such as "PNG".
    package var name: String { rawValue.uppercased() }
}
