/// Clips chosen for a look at each label.
///
/// How far a clip is from its label: d = √(1/B · Σ ((m_b − M_b) / S_b)²), the sum over the B bins, where m_b is the mean of
/// bin b over the clip's frames as stored, M_b the mean of m_b over the label's profiled clips and S_b their standard deviation
/// (of the population). Bins with S_b = 0 add nothing. So d = 1 for a clip that differs from the mean as much as clips of its
/// label do on average, for any scale and number of bins; d = 0 for a label's only clip.
package struct ClipSelection: Hashable, Sendable {
    package enum Method: Hashable, Sendable {
        /// At random, by a seed; the order in which they come is random, too.
        case random(seed: UInt64)
        case typical
        case extreme
    }

    package struct Choice: Hashable, Sendable {
        /// The index of the clip in the file.
        package let clipIndex: Int
        package let distance: Double
    }

    /// The label; empty: clips without one.
    package let label: String
    /// The index of the label in the file; −1: clips without one.
    package let labelIndex: Int
    package let clips: Int
    /// Number of profiled clips, from which clips are chosen.
    package let profiled: Int
    package let choices: [Choice]

    /// Chooses up to `count` clips of each label; clips of equal distance are in the file's order.
    package static func choose(_ count: Int, from profiles: ClipProfiles, method: Method) -> [ClipSelection] {
        profiles.labels.map { label in
            let all = profiles.distances(of: label)
            let sorted: [Choice] =
                switch method {
                case .typical: all.sorted { ($0.distance, $0.clipIndex) < ($1.distance, $1.clipIndex) }
                case .extreme: all.sorted { ($1.distance, $0.clipIndex) < ($0.distance, $1.clipIndex) }
                case .random(let seed): all.sorted { SeededOrder(seed: seed).precedes($0.clipIndex, $1.clipIndex) }
                }
            return ClipSelection(
                label: label.label, labelIndex: label.labelIndex, clips: label.clips, profiled: all.count,
                choices: Array(sorted.prefix(max(count, 0))))
        }
    }
}

extension ClipProfiles {
    /// How far each profiled clip of a label is from the label's mean, in the file's order: see `ClipSelection`.
    package func distances(of label: LabelSample) -> [ClipSelection.Choice] {
        let members = label.clipIndices.compactMap(index)
        let (mean, deviation) = spread(of: members)
        return members.map { member in
            ClipSelection.Choice(
                clipIndex: profiles[member].clipIndex, distance: distance(member, from: { mean[$0] }, deviation))
        }
    }

    /// Mean and standard deviation (of the population) of each bin over some profiles' means.
    func spread(of members: some Collection<Int>) -> (mean: [Double], deviation: [Double]) {
        var (mean, deviation) = (Array(repeating: 0.0, count: means.bins), Array(repeating: 0.0, count: means.bins))
        guard !members.isEmpty else { return (mean, deviation) }
        for member in members {
            for bin in 0..<means.bins { mean[bin] += Double(means.values[member * means.bins + bin]) }
        }
        for bin in mean.indices { mean[bin] /= Double(members.count) }
        for member in members {
            for bin in 0..<means.bins {
                let difference = Double(means.values[member * means.bins + bin]) - mean[bin]
                deviation[bin] += difference * difference
            }
        }
        for bin in deviation.indices {
            deviation[bin] = (deviation[bin] / Double(members.count)).squareRoot()
            // The deviation of equal means may be a rounding error.
            if deviation[bin] <= 1e-9 * mean[bin].magnitude { deviation[bin] = 0 }
        }
        return (mean, deviation)
    }

    /// The root of the mean over the bins of a profile's squared distances from `origin`, in units of `deviation`.
    func distance(_ member: Int, from origin: (Int) -> Double, _ deviation: [Double]) -> Double {
        var sum = 0.0
        for bin in deviation.indices where deviation[bin] > 0 {
            let difference = (Double(means.values[member * means.bins + bin]) - origin(bin)) / deviation[bin]
            sum += difference * difference
        }
        return (sum / Double(deviation.count)).squareRoot()
    }
}
