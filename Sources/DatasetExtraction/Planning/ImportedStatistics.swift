import Essentials
import FeatureModel
import FeatureStorage
import FileIO
import SignalProcessing

/// The statistics of an older feature file, to be applied to new clips: `veery extract --stats-from`.
package struct ImportedStatistics: Sendable {
    /// Path of the file.
    package let path: String
    /// The statistics of its values before normalisation.
    let statistics: BinStatistics
    /// The split that they were taken from; empty: all clips.
    let fit: String
    /// The file's `metadata_xxh3`, which identifies it.
    let source: String
    private let configuration: FeatureConfiguration
    private let axis: FeatureAxis
    private let frameTimes: [Double]
    /// Rate of the first recording in Hz.
    private let sampleRate: Int?

    /// Reads the file.
    ///
    /// - Throws: `StorageError`; `ExtractionError.unusableStatistics` if it is not normalised over a dataset, or has no
    ///   statistics.
    package init(path: String) throws {
        let file = try FeatureReader(path: path)
        try file.checkMetadata()
        self.path = path
        statistics = file.statistics
        fit = file.fit
        source = file.metadataChecksum
        axis = file.axis
        frameTimes = [file.framePeriod, file.firstFrameTime]
        sampleRate = try file.clips(0..<min(1, file.clipCount)).first?.sampleRate
        do {
            configuration = try JSONDecoder().decode(FeatureConfiguration.self, from: Data(file.configuration.utf8))
        } catch {
            throw StorageError.damaged(path: path, found: "/provenance/configuration cannot be read: \(error)")
        }
        guard configuration.normalize.scope == .dataset, file.normalize.scope == .dataset else {
            throw ExtractionError.unusableStatistics(
                path: path, difference: "it has normalize.scope: \(file.normalize.scope.rawValue) instead of dataset")
        }
        guard statistics.count > 0, (statistics.mean + statistics.squaredDistance).allSatisfy(\.isFinite) else {
            throw ExtractionError.unusableStatistics(path: path, difference: "it holds statistics of no frames")
        }
    }

    /// A configuration with the file's normalisation instead of its own.
    ///
    /// - Throws: `ExtractionError.unusableStatistics` if the two do not compute the same features; `ConfigurationError`.
    package func applied(to other: FeatureConfiguration) throws -> FeatureConfiguration {
        guard other.normalize.scope == .dataset else {
            throw ExtractionError.unusableStatistics(
                path: path,
                difference:
                    "the configuration has normalize.scope: \(other.normalize.scope.rawValue) instead of dataset")
        }
        let differing = [
            ("audio", configuration.audio.signal == other.audio.signal),
            ("condition", configuration.condition == other.condition),
            ("frame", configuration.frame == other.frame), ("transform", configuration.transform == other.transform),
            ("scale", configuration.scale == other.scale),
        ].filter { !$0.1 }.map(\.0)
        guard differing.isEmpty else {
            throw ExtractionError.unusableStatistics(
                path: path, difference: "its configuration differs in \(differing.joined(separator: ", "))")
        }
        // The file's method is applied; a user who asked for another would not notice.
        let (own, asked) = (configuration.normalize, other.normalize)
        let standard = NormalizeConfiguration()
        for (key, file, wanted, usual) in [
            ("method", own.method.rawValue, asked.method.rawValue, standard.method.rawValue),
            ("axis", own.axis.rawValue, asked.axis.rawValue, standard.axis.rawValue),
            ("ddof", "\(own.ddof)", "\(asked.ddof)", "\(standard.ddof)"),
            ("epsilon", "\(own.epsilon)", "\(asked.epsilon)", "\(standard.epsilon)"),
            (
                "epsilon_in", own.epsilonPlacement.rawValue, asked.epsilonPlacement.rawValue,
                standard.epsilonPlacement.rawValue
            ),
        ] where wanted != file && wanted != usual {
            throw ExtractionError.unusableStatistics(
                path: path, difference: "it has normalize.\(key): \(file), and the configuration \(wanted)")
        }
        return try other.with(normalize: configuration.normalize)
    }

    /// Checks what a configuration alone does not say: that the columns are the same.
    ///
    /// - Throws: `ExtractionError.unusableStatistics`.
    func check(_ plan: FeaturePlan) throws(ExtractionError) {
        guard statistics.bins == plan.columns else {
            throw .unusableStatistics(
                path: path, difference: "it has \(statistics.bins) bins instead of \(plan.columns)")
        }
        guard axis == plan.axis, frameTimes == [plan.framePeriod, plan.firstRowTime],
            plan.configuration.audio.sampleRate != nil || sampleRate.map({ Double($0) == plan.sampleRate }) ?? true
        else {
            throw .unusableStatistics(
                path: path,
                difference:
                    "its recordings have another sample rate (\(sampleRate ?? 0) Hz, not \(Int(plan.sampleRate)) Hz)")
        }
    }
}
