/// The content of a picture's file.
package struct PictureFile: Hashable, Sendable {
    /// The bytes.
    package let bytes: [UInt8]
    /// Annotations whose label found no room, and was left out.
    package let labelsWithoutRoom: Int

    /// Keeps the values.
    package init(bytes: [UInt8], labelsWithoutRoom: Int = 0) {
        self.bytes = bytes
        self.labelsWithoutRoom = labelsWithoutRoom
    }

    /// Writes the file. It is written under a temporary name in the same folder and then renamed, so that no half picture is
    /// left behind; a regular file of the name is replaced.
    package func write(to path: String) throws(PlotError) { try WholeFile.write(bytes, to: path) }
}
