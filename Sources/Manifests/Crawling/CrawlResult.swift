import FeatureModel

/// What was found below a folder.
package struct CrawlResult: Sendable {
    /// A clip for every recording, in the order of the paths' bytes.
    package let clips: [Clip]
    /// Names of the clips' `extra` values: the pattern's groups but `label`, `split` and `id`.
    package let extraColumns: [String]
    /// What was passed over though it may be a recording, and folders that could not be read; in words.
    package let warnings: [String]
    /// Regular files whose extension is none of a recording.
    package let skippedFiles: Int
    /// Recordings that were left out since the pattern for labels does not match their path: the first ones.
    package var unmatched: [String] = []
    /// Their number.
    package var unmatchedCount = 0
}
