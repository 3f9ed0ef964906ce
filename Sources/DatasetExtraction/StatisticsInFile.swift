import FeatureModel

extension FeatureConfiguration {
    /// Whether a file of this configuration holds enough to find the statistics of each of its clips again, to the last bit.
    var keepsStatisticsOfClips: Bool {
        switch rowNormalization.scope {
        case .clip: true
        // The statistics are those of the rows, unless the file has rounded, added or grouped ones.
        case .none: store.element == .float32 && patches.length == nil && (!rows.isActive || addsRowsEarly)
        case .dataset, .constant: false
        }
    }
}
