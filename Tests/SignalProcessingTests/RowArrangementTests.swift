import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// Rows that are added and grouped, against the definition of a patch: row p · hop + i of the clip.
struct RowArrangementTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var length: Int?
        var hop: Int?
        var rest = PatchesConfiguration.Rest.drop
        var stacked = false
        var count: Int?
        var multiple = 1
        var testDescription: String { "\(length ?? 0)/\(hop ?? 0) \(rest) \(count ?? 0) \(multiple)" }

        func plan(_ fill: Double = -3) throws -> FeaturePlan {
            let rows = try RowsConfiguration(count: count, multiple: multiple, fill: adds || rest == .fill ? fill : 0)
            return try FeaturePlan(
                FeatureConfiguration(
                    audio: AudioConfiguration(sampleRate: 1000),
                    frame: FrameConfiguration(length: .samples(4), hop: .samples(2), fftLength: 4),
                    transform: .fft(bins: nil), scale: ScaleConfiguration(),
                    normalize: NormalizeConfiguration(scope: .clip), rows: rows,
                    patches: PatchesConfiguration(length: length, hop: hop, rest: rest, stacked: stacked)),
                sampleRate: 1000)
        }

        var adds: Bool { count != nil || multiple > 1 }
    }

    static let cases = [
        Case(), Case(count: 9), Case(multiple: 4), Case(length: 1), Case(length: 5), Case(length: 5, hop: 2),
        Case(length: 5, hop: 1), Case(length: 5, rest: .fill), Case(length: 5, hop: 2, rest: .fill),
        Case(length: 4, hop: 3, rest: .fill, stacked: true, multiple: 3), Case(length: 3, hop: 2, count: 8),
        Case(length: 5, rest: .fill, count: 3),
    ]

    /// Straight from the definition.
    private func expected(_ rows: [[Float]], _ test: Case, bins: Int) -> [[Float]] {
        let fill = [Float](repeating: -3, count: bins)
        var rows = Array(rows.prefix(test.count ?? .max))
        if rows.isEmpty { return [] }
        while let count = test.count, rows.count < count { rows.append(fill) }
        while rows.count % test.multiple != 0 { rows.append(fill) }
        guard let length = test.length else { return rows }
        let hop = test.hop ?? length
        var result: [[Float]] = []
        var start = 0
        // A patch starts wherever rows are left that no earlier patch has, and is stored if it is whole or padded.
        while start == 0 || start + length - hop < rows.count {
            guard start + length <= rows.count || test.rest == .fill else { break }
            for row in start..<start + length { result.append(row < rows.count ? rows[row] : fill) }
            start += hop
        }
        return result
    }

    @Test(arguments: cases)
    func `the rows of a clip, in pieces of any size, are added and grouped as defined`(test: Case) throws {
        let plan = try test.plan()
        let arrangement = try RowArrangement(plan)
        var random = RandomSource(seed: 7)
        for count in 0...23 {
            let kept = plan.configuration.rows.kept(count)
            let rows = (0..<kept).map { row in (0..<plan.bins).map { Float(row * 100 + $0) } }
            var found: [Float] = []
            arrangement.start()
            // Receivers may change what they get.
            func receive(_ values: UnsafeMutableBufferPointer<Float>) {
                found += values
                values.update(repeating: .nan)
            }
            var start = 0
            while start < rows.count {
                let end = min(start + Int.random(in: 1...6, using: &random), rows.count)
                var piece = rows[start..<end].flatMap { $0 }
                piece.withUnsafeMutableBufferPointer { arrangement.push($0, receive: receive) }
                start = end
            }
            arrangement.finish(receive: receive)
            let wanted = expected(rows, test, bins: plan.bins)
            #expect(found == wanted.flatMap { $0 }, "\(count) rows")
            #expect(plan.storedRowCount(kept) == wanted.count, "\(count) rows")
        }
    }

    @Test(arguments: cases)
    func `the minimum of samples is that of one row, or one patch`(test: Case) throws {
        let plan = try test.plan()
        func rows(_ samples: Int) -> Int { plan.storedRowCount(plan.frameCount(samples: samples)) }
        #expect(rows(plan.minimumSamples) > 0)
        #expect(rows(plan.minimumSamples - 1) == 0)
    }

    @Test(arguments: [1, 2, 7], [1, 3])
    func `the minimum of samples of resized rows is that of one patch`(multiple: Int, added: Int) throws {
        for (factor, length) in [(0.5, 1), (0.5, 5), (0.3, 7), (1.0, 8), (0.5, 14)] {
            let plan = try FeaturePlan(
                FeatureConfiguration(
                    audio: AudioConfiguration(sampleRate: 1000),
                    frame: FrameConfiguration(length: .samples(4), hop: .samples(2), fftLength: 4),
                    transform: .fft(bins: nil), scale: ScaleConfiguration(kind: .power), normalize: .none,
                    rows: RowsConfiguration(multiple: added, resize: factor, resizeMultiple: multiple),
                    patches: PatchesConfiguration(length: length)), sampleRate: 1000)
            func rows(_ samples: Int) -> Int { plan.storedRowCount(plan.frameCount(samples: samples)) }
            let least = try #require((1...400).first { rows($0) > 0 })
            #expect(plan.minimumSamples == least, "\(factor) times the rows, \(length) in a patch")
        }
    }

    @Test(arguments: [1, 2, 5], FrameAlignment.allCases)
    func `zeros complete the last patch, and every sample lies in one`(hop: Int, align: FrameAlignment) throws {
        let plan = try FeaturePlan(
            FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 1000),
                frame: FrameConfiguration(length: .samples(6), hop: .samples(4), fftLength: 8, align: align),
                transform: .fft(bins: nil), scale: ScaleConfiguration(kind: .power), normalize: .none,
                patches: PatchesConfiguration(length: 5, hop: hop, rest: .zeros)), sampleRate: 1000)
        let single = try FeaturePlan(
            FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 1000), frame: plan.configuration.frame,
                transform: plan.configuration.transform, scale: plan.configuration.scale, normalize: .none),
            sampleRate: 1000)
        for samples in 1...60 {
            let signal = (0..<samples).map { Float(($0 * 37) % 11) - 5 }
            let rows = plan.frameCount(samples: samples)
            // Whole patches, and with one patch fewer there would be frames of samples that are in none.
            #expect(rows >= 5 && (rows - 5) % hop == 0, "\(samples)")
            let covering =
                align == .start
                ? 1 + (max(samples - 6, 0) + 3) / 4 : single.frameCount(samples: samples)
            #expect(rows >= covering && (rows == 5 || rows - hop < covering), "\(samples)")
            let padded = signal + [Float](repeating: 0, count: plan.completedLength(samples) - samples)
            #expect(try plan.features(of: signal) == single.features(of: padded), "\(samples)")
        }
        #expect(plan.frameCount(samples: 0) == 0)
    }
}
