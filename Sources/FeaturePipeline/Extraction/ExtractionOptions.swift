import FeatureModel
import Manifests

/// What an extraction is given besides the configuration.
package struct ExtractionOptions: Sendable {
    /// Path of the manifest.
    package var manifest: String
    /// Its format.
    package var format: ManifestFormat
    /// Path of the feature file.
    package var output: String
    /// Folder that relative paths begin at.
    package var root: String
    /// Number of threads, at least 1.
    package var jobs: Int
    /// Folder for finished clips until the file is put together; nil: beside the output.
    package var scratch: String?
    /// Whether an existing output may be replaced.
    package var overwrite: Bool
    /// The statistics to normalise by; nil: those of the clips themselves.
    package var statistics: GivenStatistics?

    /// Keeps the values.
    package init(
        manifest: String, format: ManifestFormat, output: String, root: String, jobs: Int, scratch: String? = nil,
        overwrite: Bool = false, statistics: GivenStatistics? = nil
    ) {
        self.manifest = manifest
        self.format = format
        self.output = output
        self.root = root
        self.jobs = max(jobs, 1)
        self.scratch = scratch
        self.overwrite = overwrite
        self.statistics = statistics
    }

    /// The folder of the spool. In a shared scratch folder the name tells outputs of equal names apart.
    var spoolFolder: String {
        guard let scratch else { return output + ".spool" }
        let name = output.split(separator: "/").last.map(String.init) ?? "features"
        let place = OutputFolder.absolute(output).utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3  // FNV-1a
        }
        return "\(scratch)/\(name)-\(String(place, radix: 16)).spool"
    }
}
