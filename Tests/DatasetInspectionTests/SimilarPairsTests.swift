import FeatureModel
import Testing

@testable import DatasetInspection

/// Clips at random points, some of them near copies of others.
private struct Copies {
    var values: [Float] = []
    var splits: [Int32] = []
    private var state: UInt64 = 5
    static let axes = 19

    mutating func number() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(state >> 40) / Float(1 << 24) - 0.5
    }

    init(_ count: Int) {
        for clip in 0..<count {
            for _ in 0..<Self.axes { values.append(number()) }
            splits.append(Int32(clip % 3) - 1)
        }
    }

    /// Appends a clip that differs from another by so much of a typical distance.
    mutating func copy(_ clip: Int, split: Int32, noise: Float) {
        for axis in 0..<Self.axes { values.append(values[clip * Self.axes + axis] + noise * number()) }
        splits.append(split)
    }

    func search(
        recordings: [Int32]? = nil, silent: Set<Int> = [], groups: [Duplicates.Group] = []
    ) -> SimilarPairs {
        SimilarPairs(
            points: ClipPoints(axes: Self.axes, values: values), splits: splits,
            recordings: recordings ?? (0..<Int32(splits.count)).map { $0 },
            isSilent: splits.indices.map { silent.contains($0) },
            duplicates: Duplicates(groups: groups, compared: splits.count))
    }
}

struct SimilarPairsTests {
    private static func group(_ clips: [Int], isAudio: Bool = true) -> Duplicates.Group {
        Duplicates.Group(clipIndices: clips, isAudio: isAudio, isLeak: false, isContradiction: false)
    }

    @Test(arguments: [60, 5000])
    func `near copies come first, also among many clips`(count: Int) throws {
        var clips = Copies(count)
        let copied = (0..<20).map { $0 * (count / 20) }
        for (number, clip) in copied.enumerated() { clips.copy(clip, split: 2, noise: 0.01 * Float(number + 1)) }
        let pairs = try clips.search().pairs(jobs: 2)
        let planted = Set(copied.enumerated().map { [$1, count + $0] })
        #expect(Set(pairs.prefix(20).map { [$0.first, $0.second] }) == planted)
        #expect(pairs.map(\.similarity) == pairs.map(\.similarity).sorted(by: >))
        for pair in pairs { #expect(0...1 ~= pair.similarity && !pair.areEqual && pair.first < pair.second) }
        // A difference of c/√6 in each direction, of points whose distances are 1/√6: uniform numbers of widths c and 1.
        let nearest = try #require(pairs.first { $0.second == count + 10 })
        let expected = 1 - 0.11 / Float(2).squareRoot()
        #expect((nearest.similarity - expected).magnitude < 0.03)
    }

    @Test func `the result does not depend on the number of threads, and no clip is in many pairs`() throws {
        var clips = Copies(1500)
        for number in 0..<40 { clips.copy(7, split: 0, noise: 0.001 * Float(number)) }
        let pairs = try clips.search().pairs(jobs: 1)
        #expect(try clips.search().pairs(jobs: 5) == pairs)
        var uses: [Int: Int] = [:]
        for clip in pairs.flatMap({ [$0.first, $0.second] }) { uses[clip, default: 0] += 1 }
        #expect(uses.values.max() == 3 && pairs.count <= SimilarPairs.maximumPairs)
    }

    @Test func `equal clips have similarity 1, those of different splits first, and silent ones are left out`() throws {
        var clips = Copies(30)
        clips.splits = clips.splits.indices.map { $0 < 15 ? 0 : 1 }
        let search = clips.search(
            silent: [3, 4, 20],
            groups: [Self.group([1, 2]), Self.group([5, 17], isAudio: false), Self.group([3, 4, 20])])
        let pairs = try search.pairs(jobs: 1)
        let expected = [
            Suspicion.Pair(first: 5, second: 17, similarity: 1, areInDifferentSplits: true, areEqual: true),
            Suspicion.Pair(first: 1, second: 2, similarity: 1, areInDifferentSplits: false, areEqual: true),
        ]
        #expect(Array(pairs.prefix(2)) == expected)
        #expect(pairs.count { $0.areEqual } == 2)
        let silent: Set<Int> = [3, 4, 20]
        #expect(silent.isDisjoint(with: pairs.flatMap { [$0.first, $0.second] }))
    }

    @Test func `clips of one recording are compared only across splits`() throws {
        var clips = Copies(40)
        clips.splits = Array(repeating: 0, count: 40)
        clips.copy(3, split: 0, noise: 0.001)
        clips.copy(4, split: 1, noise: 0.001)
        var recordings = (0..<Int32(42)).map { $0 }
        (recordings[40], recordings[41]) = (3, 4)
        let pairs = try clips.search(recordings: recordings).pairs(jobs: 1).map { [$0.first, $0.second] }
        #expect(pairs[0] == [4, 41] && !pairs.contains([3, 40]))
    }

    @Test func `without points there are no pairs but equal ones`() throws {
        let search = SimilarPairs(
            points: ClipPoints(axes: 0, values: []), splits: [-1, -1, -1], recordings: [0, 1, 2],
            isSilent: [false, false, false], duplicates: Duplicates(groups: [Self.group([0, 2])], compared: 3))
        let pairs = try search.pairs(jobs: 1)
        #expect(pairs.count == 1 && pairs[0].areEqual && !pairs[0].areInDifferentSplits)
    }
}
