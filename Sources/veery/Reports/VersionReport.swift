import Archives
import DatasetExtraction
import FeatureModel
import Plotting
import SignalProcessing

/// What `veery --version` prints.
enum VersionReport {
    /// The program in the first line, then its libraries, a line each.
    static var text: String {
        let transform = "\(ownTransformVersion()), with \(instructionSet())"
        let others = [
            ("cairo", drawingLibraryVersion()), ("libpng", thumbnailLibraryVersion()),
            ("zlib", gzipLibraryVersion()), ("libzstd", zstdLibraryVersion()),
        ]
        return (SoftwareVersions.all(transform: transform, usesFFTW: true) + others).map { "\($0.0) \($0.1)" }.joined(
            separator: "\n")
    }
}
