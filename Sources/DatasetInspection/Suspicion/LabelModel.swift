import Concurrency
import FeatureModel
import Platform

/// A ridge regression of clips' labels (1 where a clip has the label, 0 elsewhere) on their kernel features, which predicts the labels of
/// each group from the clips of all other groups, exactly as if it had been fitted without the group.
///
/// With features Φ and A = ΦᵀΦ + λI = R·Rᵀ, predictions are Ŷ = ΦA⁻¹ΦᵀY, and u = R⁻¹φ. Without a group G the residuals of its clips are
/// (I − U·Uᵀ)⁻¹(Y − Ŷ), where U are the rows u of its clips: of one clip, (y − ŷ)/(1 − |u|²).
struct LabelModel: Sendable {
    private let points: ClipPoints
    private let clips: LabelledClips
    /// Indices of the clips that it is fitted to, rising.
    private let fitted: [Int]
    private let features: KernelFeatures
    private let factor: CholeskyFactor
    /// A⁻¹ΦᵀY: `features.count` × `labelCount`.
    let weights: [Double]

    private struct Sums: Sendable {
        var gram: [Double]
        var products: [Double]
    }

    /// Nil: rounding made the equations singular.
    init?(
        _ points: ClipPoints, _ clips: LabelledClips, _ fitted: [Int], _ features: KernelFeatures,
        _ regularisation: Double, jobs: Int
    ) throws {
        let (size, labels) = (features.count, clips.labelCount)
        // Sums depend on the number of parts, which so depends on the data alone.
        let parts = max(1, min(16, (1 << 22) / (size * (size + labels)), fitted.count / 64))
        let sums = try WorkerPool.map(parts, jobs: jobs, worker: {}) { _, part in
            Self.sums(
                fitted[part * fitted.count / parts..<(part + 1) * fitted.count / parts], points, clips, features)
        }
        guard var all = sums.first else { return nil }
        for other in sums.dropFirst() {
            for index in all.gram.indices { all.gram[index] += other.gram[index] }
            for index in all.products.indices { all.products[index] += other.products[index] }
        }
        for index in 0..<size { all.gram[index * size + index] += regularisation }
        guard let factor = CholeskyFactor(all.gram, size: size) else { return nil }
        factor.solve(&all.products, columns: labels)
        (self.points, self.clips, self.fitted, self.features) = (points, clips, fitted, features)
        (self.factor, weights) = (factor, all.products)
    }

    /// ΦᵀΦ, from the diagonal to the right, and ΦᵀY of some clips.
    private static func sums(
        _ part: ArraySlice<Int>, _ points: ClipPoints, _ clips: LabelledClips, _ features: KernelFeatures
    ) -> Sums {
        let (size, labels) = (features.count, clips.labelCount)
        var sums = Sums(
            gram: Array(repeating: 0, count: size * size), products: Array(repeating: 0, count: size * labels))
        // Four clips at a time, so that the sums are read and written less often.
        let step = 4
        var block = [Double](repeating: 0, count: step * size)
        var scratch = [Float](repeating: 0, count: size)
        for start in stride(from: part.startIndex, to: part.endIndex, by: step) {
            let own = part[start..<min(start + step, part.endIndex)]
            block.withUnsafeMutableBufferPointer { block in
                scratch.withUnsafeMutableBufferPointer { scratch in
                    for index in own.count * size..<step * size { block[index] = 0 }
                    for (row, clip) in own.enumerated() {
                        write(features, points, clip, block, at: row * size, scratch)
                    }
                    sums.gram.withUnsafeMutableBufferPointer { gram in
                        for row in 0..<size {
                            let (a, b, c, d) = (
                                block[row], block[size + row], block[2 * size + row], block[3 * size + row]
                            )
                            for column in row..<size {
                                gram[row * size + column] +=
                                    (a * block[column] + b * block[size + column])
                                    + (c * block[2 * size + column] + d * block[3 * size + column])
                            }
                        }
                    }
                    for (row, clip) in own.enumerated() {
                        for label in clips.labels(of: clip) {
                            for index in 0..<size {
                                sums.products[index * labels + Int(label)] += block[row * size + index]
                            }
                        }
                    }
                }
            }
        }
        return sums
    }

    private static func write(
        _ features: KernelFeatures, _ points: ClipPoints, _ clip: Int, _ target: UnsafeMutableBufferPointer<Double>,
        at start: Int, _ scratch: UnsafeMutableBufferPointer<Float>
    ) {
        points.values.withUnsafeBufferPointer { values in
            features.write(
                of: UnsafeBufferPointer(rebasing: values[clip * points.axes..<(clip + 1) * points.axes]),
                into: UnsafeMutableBufferPointer(rebasing: target[start..<start + features.count]), scratch: scratch)
        }
    }
}

extension LabelModel {
    /// What a thread needs.
    private struct Buffers {
        /// u of one clip after another.
        var rows: [Double]
        var scratch: [Float]
        /// Predictions, then residuals, of one clip after another.
        var values: [Double]
    }

    /// The judgement of each clip by the clips of other groups.
    ///
    /// - Parameter isComparable: For each label whether clips of several groups have it.
    func judgements(_ isComparable: [Bool], jobs: Int) throws -> [LabelScores.Judgement?] {
        let means = clips.hasSeveralLabels ? try labelMeans(jobs: jobs) : []
        let found = try eachPart(jobs: jobs) { part in
            var found: [(clip: Int, judgement: LabelScores.Judgement)] = []
            predict(part) { clip, values in
                if let judgement = judgement(of: clip, values, isComparable, means) { found.append((clip, judgement)) }
            }
            return found
        }
        var judgements = [LabelScores.Judgement?](repeating: nil, count: clips.count)
        for (clip, judgement) in found.joined() { judgements[clip] = judgement }
        return judgements
    }

    private func judgement(
        of clip: Int, _ values: UnsafeMutableBufferPointer<Double>, _ isComparable: [Bool], _ means: [LabelMeans]
    ) -> LabelScores.Judgement? {
        let own = clips.labels(of: clip)
        guard clips.hasSeveralLabels else {
            guard let label = own.first, isComparable[Int(label)] else { return nil }
            var best: (value: Double, label: Int32)?
            for (index, value) in values.enumerated() where Int32(index) != label && value > best?.value ?? -.infinity {
                best = (value, Int32(index))
            }
            guard let best else { return nil }
            return LabelScores.Judgement(
                score: Float(min(max(best.value - values[Int(label)], -1), 1)), label: label, other: best.label)
        }
        // Each label against the rest, on the scale of its own means, so that a rare one counts as much as a frequent one.
        var worst: (score: Double, label: Int)?
        for label in values.indices where isComparable[label] {
            let share = means[label].share(values[label])
            let score = own.contains(Int32(label)) ? 1 - 2 * share : 2 * share - 1
            if score > worst?.score ?? -.infinity { worst = (score, label) }
        }
        return worst.map {
            LabelScores.Judgement(score: Float(min(max($0.score, -1), 1)), label: Int32($0.label), other: -1)
        }
    }

    /// The means of the predictions of a label over the clips that have it, and over those that do not.
    private struct LabelMeans {
        var (with, without) = (0.0, 0.0)
        var (clipsWith, clipsWithout) = (0.0, 0.0)

        /// 0 at the mean of the clips without the label, 1 at that of the clips with it.
        func share(_ value: Double) -> Double {
            let (low, high) = (without / max(clipsWithout, 1), with / max(clipsWith, 1))
            return high > low ? (value - low) / (high - low) : 0.5
        }
    }

    private func labelMeans(jobs: Int) throws -> [LabelMeans] {
        let parts = try eachPart(jobs: jobs) { part in
            var means = [LabelMeans](repeating: LabelMeans(), count: clips.labelCount)
            predict(part) { clip, values in
                let own = clips.labels(of: clip)
                for label in values.indices {
                    if own.contains(Int32(label)) {
                        means[label].with += values[label]
                        means[label].clipsWith += 1
                    } else {
                        means[label].without += values[label]
                        means[label].clipsWithout += 1
                    }
                }
            }
            return means
        }
        return parts.dropFirst().reduce(into: parts.first ?? []) { all, part in
            for label in all.indices {
                all[label].with += part[label].with
                all[label].without += part[label].without
                all[label].clipsWith += part[label].clipsWith
                all[label].clipsWithout += part[label].clipsWithout
            }
        }
    }

    /// Calls a closure with the groups of a part of the fitted clips, on several threads.
    private func eachPart<Value: Sendable>(
        jobs: Int, _ body: @escaping @Sendable ([[Int]]) -> Value
    ) throws -> [Value] {
        let sorted = fitted.sorted { (clips.groups[$0], $0) < (clips.groups[$1], $1) }
        var groups: [[Int]] = []
        for clip in sorted {
            if let last = groups.last?.last, clips.groups[last] == clips.groups[clip] {
                groups[groups.count - 1].append(clip)
            } else {
                groups.append([clip])
            }
        }
        let parts = max(1, min(64, groups.count / 16))
        let all = groups
        return try WorkerPool.map(parts, jobs: jobs, worker: {}) { _, part in
            body(Array(all[part * all.count / parts..<(part + 1) * all.count / parts]))
        }
    }

    /// Calls a closure with each clip of some groups, and the predictions of its labels from the clips of all other groups.
    func predict(_ groups: [[Int]], _ body: (Int, UnsafeMutableBufferPointer<Double>) -> Void) {
        var buffers = Buffers(rows: [], scratch: Array(repeating: 0, count: features.count), values: [])
        for group in groups {
            if group.count <= features.count {
                predictSmall(group, &buffers, body)
            } else {
                predictLarge(group, &buffers, body)
            }
        }
    }

    /// Writes u and the residuals y − ŷ of clips to the buffers.
    private func prepare(_ group: some Collection<Int>, _ buffers: inout Buffers) {
        let (size, labels) = (features.count, clips.labelCount)
        let count = group.count
        if buffers.rows.count < count * size { buffers.rows = Array(repeating: 0, count: count * size) }
        if buffers.values.count < count * labels { buffers.values = Array(repeating: 0, count: count * labels) }
        buffers.rows.withUnsafeMutableBufferPointer { rows in
            buffers.values.withUnsafeMutableBufferPointer { values in
                buffers.scratch.withUnsafeMutableBufferPointer { scratch in
                    weights.withUnsafeBufferPointer { weights in
                        for (index, clip) in group.enumerated() {
                            Self.write(features, points, clip, rows, at: index * size, scratch)
                            let start = index * labels
                            for label in 0..<labels { values[start + label] = 0 }
                            // Four features at a time, so that the sums are read and written less often.
                            var feature = 0
                            while feature + 4 <= size {
                                let row = index * size + feature
                                let (a, b, c, d) = (rows[row], rows[row + 1], rows[row + 2], rows[row + 3])
                                let first = feature * labels
                                for label in 0..<labels {
                                    values[start + label] -=
                                        (a * weights[first + label] + b * weights[first + labels + label])
                                        + (c * weights[first + 2 * labels + label]
                                            + d * weights[first + 3 * labels + label])
                                }
                                feature += 4
                            }
                            for feature in feature..<max(size, feature) {
                                let value = rows[index * size + feature]
                                for label in 0..<labels {
                                    values[start + label] -= value * weights[feature * labels + label]
                                }
                            }
                            for label in clips.labels(of: clip) { values[start + Int(label)] += 1 }
                            factor.solveLower(
                                UnsafeMutableBufferPointer(rebasing: rows[index * size..<(index + 1) * size]))
                        }
                    }
                }
            }
        }
    }

    /// Calls the closure with y − r for each clip.
    private func report(
        _ group: some Collection<Int>, _ buffers: inout Buffers,
        _ body: (Int, UnsafeMutableBufferPointer<Double>) -> Void
    ) {
        let labels = clips.labelCount
        buffers.values.withUnsafeMutableBufferPointer { values in
            for (index, clip) in group.enumerated() {
                let own = UnsafeMutableBufferPointer(rebasing: values[index * labels..<(index + 1) * labels])
                for label in 0..<labels { own[label] = -own[label] }
                for label in clips.labels(of: clip) { own[Int(label)] += 1 }
                body(clip, own)
            }
        }
    }

    /// A group of fewer clips than features: the equations of its clips.
    private func predictSmall(
        _ group: [Int], _ buffers: inout Buffers, _ body: (Int, UnsafeMutableBufferPointer<Double>) -> Void
    ) {
        let (size, count, labels) = (features.count, group.count, clips.labelCount)
        prepare(group, &buffers)
        var matrix = [Double](repeating: 0, count: count * count)
        for row in 0..<count {
            for column in row..<count {
                var sum = 0.0
                for index in 0..<size { sum += buffers.rows[row * size + index] * buffers.rows[column * size + index] }
                matrix[row * count + column] = (row == column ? 1 : 0) - sum
            }
        }
        // λ keeps |u|² below 1, but rounding may reach it.
        if let own = CholeskyFactor(matrix, size: count) {
            var residuals = Array(buffers.values.prefix(count * labels))
            own.solve(&residuals, columns: labels)
            buffers.values.replaceSubrange(0..<count * labels, with: residuals)
        }
        report(group, &buffers, body)
    }

    /// A group of more clips than features: (I − U·Uᵀ)⁻¹R = R + U·(I − Uᵀ·U)⁻¹·Uᵀ·R, in two passes over its clips.
    private func predictLarge(
        _ group: [Int], _ buffers: inout Buffers, _ body: (Int, UnsafeMutableBufferPointer<Double>) -> Void
    ) {
        let (size, labels, step) = (features.count, clips.labelCount, 64)
        var gram = [Double](repeating: 0, count: size * size)
        var products = [Double](repeating: 0, count: size * labels)
        for range in (0..<group.count).blocks(of: step) {
            prepare(group[range], &buffers)
            for clip in 0..<range.count {
                for row in 0..<size {
                    let value = buffers.rows[clip * size + row]
                    for column in row..<size { gram[row * size + column] -= value * buffers.rows[clip * size + column] }
                    for label in 0..<labels {
                        products[row * labels + label] += value * buffers.values[clip * labels + label]
                    }
                }
            }
        }
        for index in 0..<size { gram[index * size + index] += 1 }
        let own = CholeskyFactor(gram, size: size)
        own?.solve(&products, columns: labels)
        for range in (0..<group.count).blocks(of: step) {
            prepare(group[range], &buffers)
            if own != nil {
                for clip in 0..<range.count {
                    for feature in 0..<size {
                        let value = buffers.rows[clip * size + feature]
                        for label in 0..<labels {
                            buffers.values[clip * labels + label] += value * products[feature * labels + label]
                        }
                    }
                }
            }
            report(group[range], &buffers, body)
        }
    }
}
