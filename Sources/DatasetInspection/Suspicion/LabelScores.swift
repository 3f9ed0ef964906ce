import Concurrency
import Platform

/// The labels of clips, and what must be left out to judge each.
struct LabelledClips: Sendable {
    /// The labels of all clips, one clip after another, by index.
    let labels: [Int32]
    /// For each clip the index of its first label in `labels`, and last the number of labels.
    let starts: [Int]
    let labelCount: Int
    /// For each clip the number of its group, such as its recording, from 0.
    let groups: [Int32]
    /// Whether clips may have several labels: then each label is judged by itself.
    let hasSeveralLabels: Bool

    var count: Int { groups.count }

    func labels(of clip: Int) -> ArraySlice<Int32> { labels[starts[clip]..<starts[clip + 1]] }
}

/// How far each clip's label disagrees with the clips that are like it.
package struct LabelScores: Sendable {
    /// How clips were compared.
    package enum Method: Hashable, Sendable {
        /// A ridge regression of the labels with a Gaussian kernel.
        case kernel
        /// The distance of the nearest clips with the label, compared with that of the nearest with another.
        case nearest
    }

    /// What was found of a clip's label.
    package struct Judgement: Hashable, Sendable {
        /// From −1, the label fits, to 1, another fits; 0: both fit as well.
        package let score: Float
        /// The label that is in doubt: one of the clip's, or with several labels one that it seems to lack.
        package let label: Int32
        /// The label that fits best of the others; with several labels −1.
        package let other: Int32
    }

    package let method: Method
    /// For each clip; nil: it has no label, or no clip of another group has its label.
    package let judgements: [Judgement?]
}

extension LabelScores {
    private static let regularisation = 0.1
    static let leastClips = 20
    /// Maximum number of clips that are compared with all others.
    static let maximumNearest = 20_000

    /// - Parameters:
    ///   - points: The clips' coordinates.
    ///   - order: The clips that may be landmarks, in an order that is random.
    ///   - jobs: Number of threads; the result does not depend on it.
    static func take(_ points: ClipPoints, _ clips: LabelledClips, order: [Int], jobs: Int) throws -> LabelScores {
        let known = order.filter { !clips.labels(of: $0).isEmpty }
        var perLabel = [Int](repeating: 0, count: clips.labelCount)
        for label in clips.labels { perLabel[Int(label)] += 1 }
        let isCertain = isComparable(clips)
        // Where most clips are of labels with few, each is compared with the nearest.
        let few = clips.labels.count { perLabel[Int($0)] < leastClips }
        if 2 * few > clips.labels.count, known.count <= maximumNearest {
            return LabelScores(
                method: .nearest, judgements: try NearestLabels(points, clips, isCertain).judgements(jobs: jobs))
        }
        let sample = Array(known.prefix(2048))
        let wanted = min(known.count, min(512, max(256, 2 * clips.labelCount)))
        guard known.count > 1, points.axes > 0,
            let features = KernelFeatures(
                points, landmarks: landmarks(of: clips, known, count: wanted),
                variance: KernelFeatures.variance(of: points, sample: sample)),
            let model = try LabelModel(points, clips, known.sorted(), features, regularisation, jobs: jobs)
        else { return LabelScores(method: .kernel, judgements: Array(repeating: nil, count: clips.count)) }
        return LabelScores(method: .kernel, judgements: try model.judgements(isCertain, jobs: jobs))
    }

    /// For each label whether clips of two groups have it, so that a clip of it can be judged by others.
    private static func isComparable(_ clips: LabelledClips) -> [Bool] {
        var first = [Int32](repeating: -1, count: clips.labelCount)
        var result = [Bool](repeating: false, count: clips.labelCount)
        for clip in 0..<clips.count {
            for label in clips.labels(of: clip).map({ Int($0) }) {
                if first[label] == -1 { first[label] = clips.groups[clip] }
                if first[label] != clips.groups[clip] { result[label] = true }
            }
        }
        return result
    }

    /// Clips of all labels in turn, as long as each has some.
    private static func landmarks(of clips: LabelledClips, _ order: [Int], count: Int) -> [Int] {
        guard count < order.count else { return order }
        var byLabel = [[Int]](repeating: [], count: clips.labelCount)
        for clip in order.reversed() { byLabel[Int(clips.labels(of: clip).first ?? 0)].append(clip) }
        var chosen: [Int] = []
        while chosen.count < count {
            for label in byLabel.indices where chosen.count < count {
                if let clip = byLabel[label].popLast() { chosen.append(clip) }
            }
        }
        return chosen
    }
}

/// Compares each clip with the nearest clips of other groups, of its label and of others.
private struct NearestLabels: Sendable {
    let points: ClipPoints
    let clips: LabelledClips
    let isComparable: [Bool]
    /// Clips whose mean distance counts.
    private static let neighbours = 3

    init(_ points: ClipPoints, _ clips: LabelledClips, _ isComparable: [Bool]) {
        (self.points, self.clips, self.isComparable) = (points, clips, isComparable)
    }

    func judgements(jobs: Int) throws -> [LabelScores.Judgement?] {
        try WorkerPool.map(clips.count, jobs: jobs, worker: {}) { _, clip in judgement(of: clip) }
    }

    private func judgement(of clip: Int) -> LabelScores.Judgement? {
        let own = clips.labels(of: clip)
        guard let label = own.first(where: { isComparable[Int($0)] }) else { return nil }
        var distances = [(distance: Float, clip: Int)]()
        for other in 0..<clips.count where clips.groups[other] != clips.groups[clip] {
            guard !clips.labels(of: other).isEmpty else { continue }
            distances.append((points.squaredDistance(clip, other).squareRoot(), other))
        }
        distances.sort { ($0.distance, $0.clip) < ($1.distance, $1.clip) }
        func mean(withLabel: Bool) -> (distance: Float, first: Int)? {
            let found = distances.lazy.filter { clips.labels(of: $0.clip).contains(label) == withLabel }
                .prefix(Self.neighbours)
            guard let first = found.first else { return nil }
            return (found.reduce(0) { $0 + $1.distance } / Float(found.count), first.clip)
        }
        guard let same = mean(withLabel: true), let other = mean(withLabel: false) else { return nil }
        let sum = same.distance + other.distance
        return LabelScores.Judgement(
            score: sum > 0 ? (same.distance - other.distance) / sum : 0, label: label,
            other: clips.hasSeveralLabels ? -1 : clips.labels(of: other.first).first ?? -1)
    }
}
