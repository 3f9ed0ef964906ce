import FeatureModel
import Platform
import Testing

@testable import DatasetInspection

/// Clips at random points of a plane, whose labels follow from where they are.
private struct Plane {
    let points: ClipPoints
    let clips: LabelledClips

    init(_ count: Int, groups: Int, labels: Int = 3, several: Bool = false) {
        var state: UInt64 = 7
        func number() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 24) - 0.5
        }
        let values = (0..<2 * count).map { _ in 4 * number() }
        points = ClipPoints(axes: 2, values: values)
        var (all, starts): ([Int32], [Int]) = ([], [0])
        for clip in 0..<count {
            all.append(Int32(values[2 * clip] > 0 ? 0 : values[2 * clip + 1] > 0 ? 1 : labels - 1))
            if several, clip % 3 == 0, all.last != 0 { all.append(0) }
            starts.append(all.count)
        }
        clips = LabelledClips(
            labels: all, starts: starts, labelCount: labels, groups: (0..<count).map { Int32($0 % groups) },
            hasSeveralLabels: several)
    }

    func features(of clip: Int, _ features: KernelFeatures) -> [Double] {
        var row = [Double](repeating: 0, count: features.count)
        var scratch = [Float](repeating: 0, count: features.count)
        row.withUnsafeMutableBufferPointer { row in
            scratch.withUnsafeMutableBufferPointer { scratch in
                points.values.withUnsafeBufferPointer { values in
                    let own = UnsafeBufferPointer(rebasing: values[2 * clip..<2 * clip + 2])
                    features.write(of: own, into: row, scratch: scratch)
                }
            }
        }
        return row
    }
}

struct LabelModelTests {
    @Test func `features are those of the kernel where all points are landmarks`() throws {
        let plane = Plane(40, groups: 40)
        let features = try #require(KernelFeatures(plane.points, landmarks: Array(0..<40), variance: 0.8))
        let rows = (0..<40).map { plane.features(of: $0, features) }
        for one in 0..<40 {
            for other in 0..<40 where one != other {
                let product = zip(rows[one], rows[other]).reduce(0) { $0 + $1.0 * $1.1 }
                let squared = Double(plane.points.squaredDistance(one, other))
                #expect(abs(product - exp(-squared / 1.6)) < 1e-5)
            }
        }
    }

    /// A model that is fitted to all but one group predicts what the formula says, for groups of fewer and of more clips than features.
    @Test(arguments: [(90, 90, 30), (90, 9, 30), (90, 3, 20), (90, 2, 90)])
    func `leaving out a group is the same as never having seen it`(count: Int, groups: Int, landmarks: Int) throws {
        let plane = Plane(count, groups: groups)
        let features = try #require(
            KernelFeatures(plane.points, landmarks: Array(0..<landmarks), variance: 0.8))
        let all = Array(0..<count)
        let model = try #require(try LabelModel(plane.points, plane.clips, all, features, 0.1, jobs: 2))
        var predicted = [[Double]](repeating: [], count: count)
        model.predict((0..<groups).map { group in all.filter { Int(plane.clips.groups[$0]) == group } }) {
            predicted[$0] = Array($1)
        }
        for group in [0, groups - 1] {
            let rest = all.filter { Int(plane.clips.groups[$0]) != group }
            let without = try #require(try LabelModel(plane.points, plane.clips, rest, features, 0.1, jobs: 1))
            for clip in all where Int(plane.clips.groups[clip]) == group {
                let row = plane.features(of: clip, features)
                for label in 0..<3 {
                    let expected = row.indices.reduce(0.0) { $0 + row[$1] * without.weights[3 * $1 + label] }
                    #expect(abs(predicted[clip][label] - expected) < 1e-8)
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `judgements do not depend on the number of threads`(several: Bool) throws {
        let plane = Plane(700, groups: 350, several: several)
        let order = Array(0..<700).reversed() as [Int]
        let one = try LabelScores.take(plane.points, plane.clips, order: order, jobs: 1)
        for jobs in [2, 5] {
            #expect(
                try LabelScores.take(plane.points, plane.clips, order: order, jobs: jobs).judgements == one.judgements)
        }
        #expect(one.method == .kernel && one.judgements.count { $0 != nil } == 700)
    }

    @Test func `a wrong label has the highest score, and the right one is named`() throws {
        let plane = Plane(300, groups: 300)
        let wrong = [17, 131, 250]
        var labels = plane.clips.labels
        for clip in wrong { labels[clip] = (labels[clip] + 1) % 3 }
        let clips = LabelledClips(
            labels: labels, starts: plane.clips.starts, labelCount: 3, groups: plane.clips.groups,
            hasSeveralLabels: false)
        let found = try LabelScores.take(plane.points, clips, order: Array(0..<300), jobs: 2)
        let ranked = (0..<300).sorted { found.judgements[$0]?.score ?? -2 > found.judgements[$1]?.score ?? -2 }
        #expect(Set(ranked.prefix(8)).isSuperset(of: wrong))
        for clip in wrong { #expect(found.judgements[clip]?.other == plane.clips.labels[clip]) }
    }

    @Test func `a label of one group is not judged, and one of few clips by the nearest`() throws {
        let plane = Plane(60, groups: 60, labels: 4)
        let groups = (0..<60).map { clip in plane.clips.labels[clip] == 0 ? 0 : Int32(clip + 1) }
        let clips = LabelledClips(
            labels: plane.clips.labels, starts: plane.clips.starts, labelCount: 4, groups: groups,
            hasSeveralLabels: false)
        let found = try LabelScores.take(plane.points, clips, order: Array(0..<60), jobs: 1)
        for clip in 0..<60 { #expect((found.judgements[clip] == nil) == (clips.labels[clip] == 0)) }
        let few = Plane(30, groups: 30)
        let nearest = try LabelScores.take(few.points, few.clips, order: Array(0..<30), jobs: 1)
        #expect(nearest.method == .nearest && nearest.judgements.count { $0?.score ?? 1 < 0 } > 20)
    }
}

struct SymmetricMatrixTests {
    /// A symmetric matrix with known eigenvalues: a rotation of a diagonal one.
    private static func matrix(_ values: [Double]) -> [Double] {
        let size = values.count
        // A reflection I − 2vvᵀ with |v| = 1.
        let raw = (0..<size).map { 1 + sin(Double(3 * $0)) }
        let norm = raw.reduce(0) { $0 + $1 * $1 }.squareRoot()
        let v = raw.map { $0 / norm }
        func reflection(_ row: Int, _ column: Int) -> Double { (row == column ? 1 : 0) - 2 * v[row] * v[column] }
        return (0..<size * size).map { index in
            let (row, column) = (index / size, index % size)
            return values.indices.reduce(0) { $0 + reflection(row, $1) * values[$1] * reflection($1, column) }
        }
    }

    @Test func `eigenvalues are found, by rotations and by subspaces`() {
        let values = (0..<60).map { 100 * pow(0.7, Double($0)) }
        let matrix = Self.matrix(values)
        let all = SymmetricEigen(matrix, size: 60)
        for (found, expected) in zip(all.values, values) { #expect(abs(found - expected) < 1e-10) }
        let some = SymmetricEigen(greatest: 10, of: matrix, size: 60)
        #expect(some.values.count == 10 && some.vectors.count == 600)
        for (found, expected) in zip(some.values, values) { #expect(abs(found / expected - 1) < 1e-10) }
        // A·v = λ·v.
        for axis in 0..<10 {
            for row in 0..<60 {
                let product = (0..<60).reduce(0.0) { $0 + matrix[row * 60 + $1] * some.vectors[$1 * 10 + axis] }
                #expect(abs(product - some.values[axis] * some.vectors[row * 10 + axis]) < 1e-8)
            }
        }
    }

    @Test func `a factor solves equations, and there is none of an indefinite matrix`() throws {
        let matrix = Self.matrix([4, 3, 2, 1, 0.5])
        let factor = try #require(CholeskyFactor(matrix, size: 5))
        let solution: [Double] = [1, -2, 3, 0.5, 7]
        var sides = (0..<5).map { (row: Int) -> Double in
            (0..<5).reduce(0) { (sum: Double, column: Int) in sum + matrix[row * 5 + column] * solution[column] }
        }
        factor.solve(&sides, columns: 1)
        for (found, expected) in zip(sides, solution) { #expect(abs(found - expected) < 1e-12) }
        #expect(CholeskyFactor(Self.matrix([1, 1, -0.1]), size: 3) == nil)
    }
}

struct ClipVectorTests {
    private static func vector(_ frames: [[Float]], cut: Int) -> [Float] {
        var builder = ClipVectorBuilder(bins: frames[0].count)
        builder.start(frames: frames.count)
        for range in (0..<frames.count).blocks(of: cut) {
            frames[range].flatMap(\.self).withUnsafeBufferPointer { builder.add($0) }
        }
        var vector = [Float](repeating: 9, count: builder.dimension)
        vector.withUnsafeMutableBufferPointer { builder.finish(into: $0) }
        return vector
    }

    @Test(arguments: [1, 2, 3, 4, 5, 11])
    func `means of four parts, deviation and length, however the frames are cut`(count: Int) {
        let frames = (0..<count).map { frame in (0..<3).map { Float(frame * frame) + Float($0) } }
        let found = Self.vector(frames, cut: count)
        for cut in 1...count { #expect(Self.vector(frames, cut: cut) == found) }
        for part in 0..<4 {
            let start = part * count / 4
            let own = frames[start..<max(start + 1, (part + 1) * count / 4)]
            for bin in 0..<3 {
                let sum: Float = own.map { $0[bin] }.reduce(0, +)
                #expect(abs(found[3 * part + bin] - sum / Float(own.count)) < 1e-4)
            }
        }
        let mean: Float = frames.map { $0[1] }.reduce(0, +) / Float(count)
        let squares = frames.map { (frame: [Float]) -> Float in (frame[1] - mean) * (frame[1] - mean) }
        let deviation = (squares.reduce(0, +) / Float(count)).squareRoot()
        #expect(abs(found[13] - deviation) < 1e-3)
        #expect(abs(found[15] - log(Float(count))) < 1e-6)
    }

    @Test func `many bins become groups of neighbours`() {
        let frames = [(0..<257).map { Float($0) }]
        let found = Self.vector(frames, cut: 1)
        #expect(ClipVectorBuilder(bins: 257).dimension == 5 * 86 + 1)
        #expect(found[0] == 1 && found[1] == 4 && found[85] == 255.5)
    }
}
