import FeatureModel

extension FeatureFile {
    /// What this file has otherwise than another of the same set, in words that "than X" follows; nil: nothing.
    ///
    /// All of a set have equal headers, but for the numbers of their clips, rows and failures.
    func contradiction(to other: FeatureFile) -> String? {
        let (own, others) = (header, other.header)
        let equalities: [(String, Bool)] = [
            ("another layout", shape.layout == other.shape.layout),
            ("another type of values", shape.element == other.shape.element),
            ("another number of frames for each clip", shape.frames == other.shape.frames),
            ("another number of bins", bins == other.bins),
            ("other channels", shape.channels == other.shape.channels),
            ("other patches", shape.patch == other.shape.patch),
            // A tensor without rows has no chunks.
            ("other chunks", rows == 0 || other.rows == 0 || shape.chunkRows == other.shape.chunkRows),
            ("another configuration", own.configuration == others.configuration),
            ("another axis", own.axis == others.axis),
            ("other units", own.units == others.units),
            ("another long_name", own.longName == others.longName),
            (
                "other times of frames",
                own.framePeriod.bitPattern == others.framePeriod.bitPattern
                    && own.firstFrameTime.bitPattern == others.firstFrameTime.bitPattern
            ),
            ("other labels", own.labels == others.labels),
            ("other labels of frames", own.frameLabelNames == others.frameLabelNames),
            ("other annotations", own.annotationsChecksum == others.annotationsChecksum),
            ("other statistics", own.statistics.hasBits(of: others.statistics)),
            (
                "another normalisation",
                own.normalize == others.normalize && own.fit == others.fit
                    && own.statisticsSource == others.statisticsSource
            ),
            ("other columns of clips", own.table == others.table),
            ("other columns of failures", storesFailureKind == other.storesFailureKind),
            ("other software", own.software == others.software && generator == other.generator),
            ("another version of the format", formatVersion == other.formatVersion),
        ]
        return equalities.first { !$0.1 }?.0
    }
}

extension BinStatistics {
    /// Whether all figures are equal to the bit: those of no values are not numbers.
    fileprivate func hasBits(of other: BinStatistics) -> Bool {
        func bits(_ statistics: BinStatistics) -> [[UInt64]] {
            [
                statistics.mean.map(\.bitPattern), statistics.squaredDistance.map(\.bitPattern),
                statistics.minimum.map { UInt64($0.bitPattern) }, statistics.maximum.map { UInt64($0.bitPattern) },
            ]
        }
        return count == other.count && bits(self) == bits(other)
    }
}
