import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Synchronization

/// What must not vouch for a clip: the other clips of its recording, only itself, or those with the same value in a column.
package enum SuspicionGroup: Hashable, Sendable {
    case recording
    case clip
    /// The name of a column of the manifest, such as `speaker`.
    case column(String)
}

extension Suspicion {
    /// From this factor on, a clip is unlike all of its label.
    private static let unlikeFactor: Float = 3
    /// Clips that the principal axes are computed of.
    private static let sampleSize = 4096
    private static let blockSize = 4096
    private static let seed: UInt64 = 0

    /// Searches a feature file, or a set of them.
    ///
    /// - Parameters:
    ///   - group: What is left out where a clip is judged.
    ///   - duplicates: Clips with equal samples or values.
    ///   - clipping: Clips with clipped samples; nil: recordings were not read.
    ///   - jobs: Number of threads; the result does not depend on it.
    ///   - progress: Called on the caller's thread with the share that is done, from 0 to 1, which rises.
    ///   - cancellation: Asked as often.
    /// - Throws: `StorageError`, `.damaged` where a value is infinite or not a number: clips would be compared with what is left
    ///   of others; `SuspicionError`.
    package static func take(
        _ reader: FeatureReader, group: SuspicionGroup = .recording, duplicates: Duplicates,
        clipping: ClippingSearch? = nil, jobs: Int, progress: @Sendable (Double) -> Void = { _ in },
        cancellation: Cancellation = Cancellation()
    ) throws -> Suspicion {
        func report(_ share: Double) throws {
            guard !cancellation.isCancelled else { throw SuspicionError.cancelled }
            progress(share)
        }
        try report(0)
        let count = reader.clipCount
        let labels = try ClipLabels(reader)
        var (groups, notes) = (try groups(of: reader, by: group), [Note]())
        if count > 1, groups.allSatisfy({ $0 == groups.first }) {
            notes.append(.oneGroup)
            groups = (0..<count).map { Int32($0) }
        }
        let order = SeededOrder(seed: seed).first(count, of: Array(0..<count))
        // Reading takes longest.
        let points = try ClipPoints.take(reader, sample: Array(order.prefix(sampleSize)).sorted(), jobs: jobs) {
            try report(0.7 * $0)
        }
        let clips = LabelledClips(
            labels: labels.labels, starts: labels.starts, labelCount: reader.labels.count, groups: groups,
            hasSeveralLabels: labels.hasSeveral)
        let scores = try LabelScores.take(points.points, clips, order: order, jobs: jobs)
        try report(0.85)
        notes += limits(clips, scores)
        let unlike = points.points.factors(clips)
        let suspects = try suspects(
            reader, scores, unlike: unlike, silent: points.isSilent, duplicates, clipping, labels: labels)
        let census = try ClipCensus.take(reader)
        let search = SimilarPairs(
            points: points.withoutLevel, splits: census.splitOf.map { census.splits[Int($0)].isEmpty ? -1 : $0 },
            recordings: try Self.groups(of: reader, by: .recording), isSilent: points.isSilent, duplicates: duplicates)
        let pairs = try search.pairs(jobs: jobs)
        try report(1)
        var suggestions: [Int: Int] = [:]
        for suspect in suspects {
            for case .otherLabel(_, let fitting, _) in suspect.reasons { suggestions[suspect.clipIndex] = fitting }
        }
        return Suspicion(
            suspects: suspects, scores: scores.judgements.map { $0?.score }, pairs: pairs,
            floorShares: points.floorShares, method: scores.method, notes: notes, suggestions: suggestions)
    }

    private static func limits(_ clips: LabelledClips, _ scores: LabelScores) -> [Note] {
        guard !clips.labels.isEmpty else { return [.noLabels] }
        var notes: [Note] = []
        var perLabel = [Int](repeating: 0, count: clips.labelCount)
        for label in clips.labels { perLabel[Int(label)] += 1 }
        let small = perLabel.count { $0 > 0 && $0 < LabelScores.leastClips }
        if scores.method == .nearest {
            notes.append(.fewClips(least: LabelScores.leastClips))
        } else if small > 0 {
            notes.append(.smallLabels(count: small, least: LabelScores.leastClips))
        }
        let unknown = (0..<clips.count).count { scores.judgements[$0] == nil && !clips.labels(of: $0).isEmpty }
        if unknown > 0 { notes.append(.notComparable(clips: unknown)) }
        return notes
    }

    /// The number of each clip's group.
    private static func groups(of reader: FeatureReader, by group: SuspicionGroup) throws -> [Int32] {
        var numbers: [UInt64: Int32] = [:]
        var groups: [Int32] = []
        groups.reserveCapacity(reader.clipCount)
        func add(_ texts: [String]) {
            for text in texts {
                let hash = Array(text.utf8).withUnsafeBytes { xxh3($0) }
                let number = numbers[hash] ?? Int32(numbers.count)
                numbers[hash] = number
                groups.append(number)
            }
        }
        switch group {
        case .clip: return (0..<reader.clipCount).map { Int32($0) }
        case .recording:
            for range in (0..<reader.clipCount).blocks(of: blockSize) { add(try reader.texts(.path, ofClips: range)) }
        case .column(let name):
            guard let column = reader.extraColumns.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                throw SuspicionError.noColumn(path: reader.path, name: name, columns: reader.extraColumns)
            }
            for range in (0..<reader.clipCount).blocks(of: blockSize) {
                add(try reader.clips(range).map { $0.extra[column] })
            }
        }
        return groups
    }

    /// The clips with reasons, ranked.
    private static func suspects(
        _ reader: FeatureReader, _ scores: LabelScores, unlike: [(label: Int32, factor: Float)?], silent: [Bool],
        _ duplicates: Duplicates, _ clipping: ClippingSearch?, labels: ClipLabels
    ) throws -> [Suspect] {
        var reasons: [Int: [Reason]] = [:]
        for group in duplicates.groups where group.isContradiction {
            for clip in group.clipIndices {
                guard let other = group.clipIndices.first(where: { labels[$0] != labels[clip] }) else { continue }
                reasons[clip, default: []].append(.equal(clip: other, isAudio: group.isAudio))
            }
        }
        for clip in silent.indices where silent[clip] { reasons[clip, default: []].append(.silent) }
        for (clip, judgement) in scores.judgements.enumerated() {
            guard let judgement, judgement.score > 0 else { continue }
            let label = Int(judgement.label)
            reasons[clip, default: []].append(
                judgement.other >= 0
                    ? .otherLabel(given: label, fitting: Int(judgement.other), margin: judgement.score)
                    : labels[clip].contains(judgement.label)
                        ? .surplusLabel(label, margin: judgement.score) : .lackingLabel(label, margin: judgement.score))
        }
        for (clip, found) in unlike.enumerated() {
            guard let found, found.factor >= unlikeFactor else { continue }
            reasons[clip, default: []].append(.unlike(label: Int(found.label), factor: found.factor))
        }
        for finding in clipping?.findings ?? [] {
            reasons[finding.clipIndex, default: []].append(
                .clipped(share: Double(finding.clipped) / Double(max(finding.samples, 1))))
        }
        if reader.storesTruncated {
            try reader.eachClip { clip, figures in
                if figures.isTruncated { reasons[clip, default: []].append(.cutOff) }
            }
        }
        func precedes(_ one: Reason, _ other: Reason) -> Bool {
            one.rank.tier != other.rank.tier ? one.rank.tier < other.rank.tier : one.rank.weight > other.rank.weight
        }
        return reasons.map { clip, found in Suspect(clipIndex: clip, reasons: found.sorted(by: precedes)) }
            .sorted { one, other in
                let (first, second) = (one.reasons[0], other.reasons[0])
                if precedes(first, second) { return true }
                return precedes(second, first) ? false : one.clipIndex < other.clipIndex
            }
    }
}

package enum SuspicionError: Error, Hashable, Sendable {
    /// The file has no such column of the manifest.
    case noColumn(path: String, name: String, columns: [String])
    case cancelled
}

/// The labels of all clips: their label, and those of the label matrix.
struct ClipLabels: Sendable {
    private(set) var labels: [Int32] = []
    private(set) var starts = [0]
    let hasSeveral: Bool

    init(_ reader: FeatureReader) throws(StorageError) {
        hasSeveral = reader.storesLabelMatrix
        var (labels, starts) = ([Int32](), [0])
        let count = reader.labels.count
        try reader.eachLabels(split: nil) { _, own in
            labels += own.filter { 0..<count ~= $0 }.map { Int32($0) }
            starts.append(labels.count)
        }
        (self.labels, self.starts) = (labels, starts)
    }

    subscript(clip: Int) -> ArraySlice<Int32> { labels[starts[clip]..<starts[clip + 1]] }
}
