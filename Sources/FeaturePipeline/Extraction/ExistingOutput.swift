import FeatureModel
import FeatureStorage
import Foundation
import Manifests
import SignalProcessing

/// A file that stands where the output is to come.
enum ExistingOutput {
    /// Decides what becomes of it.
    ///
    /// - Returns: A summary where the file is up to date: same configuration, same manifest, same samples in every
    ///   recording. Nil where there is no file, or it may be replaced.
    /// - Throws: `ExtractionError.outputExists` where it differs and `overwrite` is false; `ManifestError`.
    static func check(
        _ options: ExtractionOptions, manifest: Manifest, plan: FeaturePlan, configuration: String,
        overwrite: Bool, cancellation: Cancellation
    ) throws -> ExtractionSummary? {
        guard FileManager.default.fileExists(atPath: options.output) else { return nil }
        let begin = ContinuousClock.now
        let file: FeatureReader
        do {
            file = try FeatureReader(path: options.output)
        } catch {
            // A mistyped name must not cost anyone a manifest or a recording, not even with --overwrite.
            guard isReplaceable(options.output) else { throw ExtractionError.notReplaceable(path: options.output) }
            if overwrite { return nil }
            throw ExtractionError.outputExists(
                path: options.output, difference: "is not a complete feature file")
        }
        guard let difference = try difference(file, options, manifest, plan, configuration, cancellation) else {
            let failures = try file.failures(0..<min(5, file.failureCount))
            return ExtractionSummary(
                wasUpToDate: true, output: options.output, clips: file.clipCount, failures: file.failureCount,
                firstFailures: failures.map { "\($0.path): \($0.failure)" }, rows: file.rows, bins: file.bins,
                bytes: try size(options.output), audioSeconds: nil,
                elapsedSeconds: begin.duration(to: .now) / .seconds(1))
        }
        if overwrite { return nil }
        throw ExtractionError.outputExists(path: options.output, difference: difference)
    }

    private static func difference(
        _ file: FeatureReader, _ options: ExtractionOptions, _ manifest: Manifest, _ plan: FeaturePlan,
        _ configuration: String, _ cancellation: Cancellation
    ) throws -> String? {
        if file.configuration != configuration { return "was made with another configuration (see 'veery inspect')" }
        if file.manifestChecksum != manifest.sha256 { return "was made from another manifest" }
        if file.statisticsSource != options.statistics?.source ?? "" { return "was normalised by other statistics" }
        if file.software != SoftwareVersions.json { return "was made by other versions of the software" }
        let comparison = InputComparison(
            manifest: manifest, plan: plan, root: options.root, jobs: options.jobs, cancellation: cancellation)
        guard let changed = try comparison.firstDifference(from: file) else { return nil }
        return "the recording \(changed) is not what it was made from"
    }

    /// Whether a file is an HDF5 file, be it a damaged one, or has nothing in it.
    private static func isReplaceable(_ path: String) -> Bool {
        guard !HDF5Signature.begins(path) else { return true }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeRegular && attributes?[.size] as? Int == 0
    }

    private static func size(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
}
