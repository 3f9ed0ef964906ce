import FileIO

/// The content of a picture's file.
package struct PictureFile: Hashable, Sendable {
    /// The bytes.
    package let bytes: [UInt8]
    /// What became of each panel's annotations.
    package let annotations: [AnnotationCount]

    /// Keeps the values.
    package init(bytes: [UInt8], annotations: [AnnotationCount] = []) {
        self.bytes = bytes
        self.annotations = annotations
    }

    /// Writes the file. It is written under a temporary name in the same folder and then renamed, so that no half picture is
    /// left behind; a regular file of the name is replaced.
    package func write(to path: String) throws(PlotError) {
        do throws(AtomicFileError) {
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw PlotError(error, path: path, byteCount: bytes.count)
        }
    }
}
