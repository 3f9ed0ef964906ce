import FeatureModel

extension FeatureConfiguration {
    /// Whether a file of this configuration holds enough to find the statistics of each of its clips again, to the last bit.
    var keepsStatisticsOfClips: Bool {
        switch normalize.scope {
        case .clip: true
        // Rows before normalisation; rounded ones do not tell, and those that were added, or grouped, are others.
        case .none: store.element == .float32 && patches.length == nil && (!rows.isActive || addsRowsEarly)
        case .dataset, .constant: false
        }
    }
}
