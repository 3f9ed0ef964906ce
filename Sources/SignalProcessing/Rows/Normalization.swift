import FeatureModel

/// What normalises the rows of a dataset's clips: tells the scopes of `NormalizeConfiguration` apart.
package enum Normalization: Sendable {
    /// Nothing: values stay as they are.
    case none
    /// The same for all clips.
    case dataset(Normalizer)
    /// Each clip's own statistics.
    case clip(NormalizeConfiguration)

    /// - Parameters:
    ///   - configuration: Scope, method and axis.
    ///   - dataset: Statistics of the dataset, before normalisation.
    package init(_ configuration: NormalizeConfiguration, dataset: BinStatistics) {
        self =
            switch configuration.scope {
            case .none: .none
            case .dataset:
                .dataset(Normalizer(configuration.method, axis: configuration.axis, statistics: dataset))
            case .clip: .clip(configuration)
            }
    }

    /// What normalises a clip with these statistics; nil: nothing.
    package func normalizer(for clip: BinStatistics) -> Normalizer? {
        switch self {
        case .none: nil
        case .dataset(let normalizer): normalizer
        case .clip(let configuration):
            Normalizer(configuration.method, axis: configuration.axis, statistics: clip)
        }
    }
}
