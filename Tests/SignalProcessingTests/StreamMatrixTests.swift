import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// The configurations that streams are tested with: every step that has state between pieces.
enum StreamMatrix {
    private static func cases() throws -> [ConfigurationCase] {
        var cases = try Preset.allCases.map { try ConfigurationCase($0) }
        // A small bank, so that many configurations take little time.
        let small: [String: SettingValue] = [
            "audio.sample_rate": 8000, "frame.length": 50, "frame.hop": 20, "frame.fft_length": 64,
            "transform": ["kind": "mel", "bins": 9, "mel_norm": "none"],
        ]
        let overlapping: SettingValue = ["mode": "band_pass", "low": 300, "high": "3 kHz", "pages": "overlapping"]
        let notch: SettingValue = ["mode": "band_stop", "low": 45, "high": 55]
        let cepstra: SettingValue = ["kind": "mfcc", "bands": 9, "bins": 5, "deltas": 1]
        let alignments: [[String: SettingValue]] =
            [[:], ["frame.align": "kaldi"]]
            + ["reflect", "edge", "zero"].flatMap { (pad: SettingValue) -> [[String: SettingValue]] in
                let center: [String: SettingValue] = ["frame.align": "center", "frame.pad": pad]
                return [center, center.merging(["frame.drop_last": true]) { $1 }]
            }
        let steps: [[String: SettingValue]] = [
            [:],
            ["condition": ["remove_dc": true]],
            ["condition": ["pre_emphasis": 0.97]],
            ["condition": ["remove_dc": true, "pre_emphasis": 0.5], "audio.duration": 0.2],
            ["condition": ["dct_filter": overlapping], "frame.hop": 200],
            [
                "condition": ["remove_dc": true, "dct_filter": notch, "pre_emphasis": 0.97], "audio.duration": 2.2,
                "frame.hop": 200,
            ],
            ["frame.remove_dc": true, "frame.pre_emphasis": 0.97],
            ["audio.duration": 0.05], ["audio.duration": 0.3],
            ["transform": ["kind": "mel", "bins": 9, "deltas": 1, "delta_window": 1]],
            ["transform": ["kind": "mel", "bins": 9, "deltas": 2, "delta_window": 5], "scale.top_db": 20],
            ["scale": ["kind": "pcen", "time_constant": 0.05]],
            ["scale": ["kind": "db", "top_db": 10, "offset": 3, "factor": 0.5, "limit": 9]],
            ["transform": cepstra, "scale": ["kind": "db", "top_db": 15]],
            ["transform": ["kind": "mfcc", "bands": 9, "bins": 9, "c0": "energy", "deltas": 2], "scale.top_db": 5],
            ["transform": ["kind": "lfcc", "bands": 12, "bins": 4, "c0": "none", "lifter": 22]],
            ["transform": ["kind": "fft", "step": 3], "scale.kind": "complex"],
            ["transform": ["kind": "fft"], "scale": ["kind": "magnitude", "limit": 2]],
            ["transform": ["kind": "dct"], "scale.kind": "linear"],
            ["transform": ["kind": "musical", "lowest": 300, "notes": 12, "points_per_note": 3]],
            ["frame.length": 33, "frame.hop": 100, "frame.fft_length": 51],
        ]
        for alignment in alignments {
            for step in steps {
                cases.append(
                    try ConfigurationCase(.logMel, small.merging(alignment) { $1 }.merging(step) { $1 }))
            }
        }
        return cases
    }

    /// The cases; an error in making them is a failure of every test that uses them.
    static let all = Result { try cases() }

    /// Every preset, and every step with every alignment.
    static func plans() throws -> [(name: String, plan: FeaturePlan)] {
        try all.get().map { ($0.testDescription, try $0.plan()) }
    }

    /// Samples of a frame and so many hops more; behind a filter in pages, so many that it runs a batch of 16 of them.
    static func length(_ plan: FeaturePlan, hops: Int) -> Int {
        plan.geometry.length + hops * plan.geometry.hop + (plan.envelope == nil ? 0 : DCTFilter.maximumSamples + 300)
    }

    /// Numbers of samples around which something changes for a plan: none, too few, one row, a batch, several pieces.
    static func lengths(_ plan: FeaturePlan) -> [Int] {
        let geometry = plan.geometry
        // A few of the longest frames are enough: batches are the same for all.
        let batches = length(plan, hops: geometry.hop > 300 ? 3 : 35) + 7
        return Array(Set([0, 1, plan.minimumSamples - 1, plan.minimumSamples, batches])).filter { $0 >= 0 }.sorted()
    }
}

extension FeatureStream {
    /// One whose rows have their rests as long as they wait for the peak.
    static func exact(_ plan: FeaturePlan) throws -> FeatureStream {
        try FeatureStream(plan, keepsRests: false, streamsRests: true)
    }

    /// What the plan prescribes for a clip that arrives in pieces: `start`, pieces, the end, and the completion where the
    /// peak had to be known, with its rows cut in the same way.
    func completedRows(_ samples: [Float], pieces: [Int]) throws -> [UInt32] {
        var survey = SignalSurvey(plan)
        inPieces(samples, pieces) { survey.push($0) }
        start(survey.level)
        var values: [Float] = []
        inPieces(samples, pieces) { push($0) { values.append(contentsOf: $0) } }
        finish { values.append(contentsOf: $0) }
        guard plan.needsWholeClip else { return values.map(\.bitPattern) }
        let completion = try RowCompletion(plan, takesRests: true, keepsRests: false)
        completion.start(exactPeak: exactPeak)
        var finished: [Float] = []
        inPieces(values, pieces.map { $0 > 1_000_000 ? $0 : $0 * rowBins }) {
            completion.push($0) { finished.append(contentsOf: $0) }
        }
        completion.finish { finished.append(contentsOf: $0) }
        return finished.map(\.bitPattern)
    }
}

/// Hands over the numbers in pieces of the given sizes, taken in turn.
func inPieces(_ numbers: [Float], _ pieces: [Int], _ receive: (UnsafeBufferPointer<Float>) -> Void) {
    numbers.withUnsafeBufferPointer { numbers in
        var (start, turn) = (0, 0)
        while start < numbers.count {
            let count = min(pieces[turn % pieces.count], numbers.count - start)
            receive(UnsafeBufferPointer(rebasing: numbers[start..<start + count]))
            (start, turn) = (start + count, turn + 1)
        }
    }
}

struct StreamMatrixTests {
    @Test func `rows of a stream equal those of the whole file bit for bit, whatever the pieces`() throws {
        // Rows are resized by `ClipStream`, whose tests have such plans.
        var random = RandomSource(seed: 401)
        for (index, (name, plan)) in try StreamMatrix.plans().filter({ !$0.plan.configuration.rows.isResized })
            .enumerated()
        {
            let stream = try FeatureStream.exact(plan)
            for (turn, count) in StreamMatrix.lengths(plan).enumerated() {
                let signal = random.samples(count).map { $0 * 0.5 + 0.1 }
                let features = try plan.features(of: signal)
                #expect(features.rows == plan.frameCount(samples: count), "\(name), \(count) samples")
                let whole = features.values.map(\.bitPattern)
                let seeded = (0..<20).map { _ in Int.random(in: 1...700, using: &random) }
                // Single samples of the longest frames would take long and show nothing new; of the five
                // ways each case has three, so that all are met by every kind of configuration.
                let ways = [count > 3000 ? [997] : [1], [7], [160], [4096], seeded]
                for pieces in (0..<3).map({ ways[(index + turn + $0) % ways.count] }) {
                    let rows = try stream.completedRows(signal, pieces: pieces)
                    #expect(rows == whole, "\(name), \(count) samples in pieces of \(pieces[0])")
                }
            }
        }
    }

    @Test func `no configuration's rows are all alike: what is compared says something`() throws {
        var random = RandomSource(seed: 402)
        for (name, plan) in try StreamMatrix.plans() {
            let features = try plan.features(of: random.samples(plan.geometry.length + 30 * plan.geometry.hop))
            #expect(features.values.allSatisfy { $0.isFinite }, "\(name)")
            #expect(Set(features.values.map(\.bitPattern)).count > min(features.values.count, 40) / 4, "\(name)")
        }
    }

    @Test func `a stream that is given the peak hands over the rows that a completion makes`() throws {
        var random = RandomSource(seed: 403)
        var tried = 0
        for (name, plan) in try StreamMatrix.plans() where plan.needsWholeClip {
            tried += 1
            let signal = random.samples(plan.geometry.length + 40 * plan.geometry.hop)
            let whole = try plan.features(of: signal).values.map(\.bitPattern)
            let stream = try FeatureStream.exact(plan)
            var survey = SignalSurvey(plan)
            inPieces(signal, [100]) { survey.push($0) }
            stream.start(survey.level)
            #expect(stream.rowBins == plan.streamedWidth)
            let streamed = stream.push(signal, pieces: [333]) + stream.finish()
            #expect(streamed.count == plan.frameCount(samples: signal.count) * plan.streamedWidth, "\(name)")
            stream.start(survey.level, exactPeak: stream.exactPeak)
            #expect(stream.rowBins == plan.bins)
            #expect(stream.rows(signal, pieces: [100]) == whole, "\(name)")
        }
        #expect(tried >= 20)
    }

    @Test func `flushing between pieces changes no row`() throws {
        var random = RandomSource(seed: 404)
        for (name, plan) in try StreamMatrix.plans() where !plan.needsSurvey {
            let signal = random.samples(StreamMatrix.length(plan, hops: 40))
            let stream = try FeatureStream(plan)
            let whole = stream.rows(signal)
            for piece in [plan.geometry.hop + 1, 5 * plan.geometry.hop] {
                var values: [Float] = []
                inPieces(signal, [piece]) { samples in
                    stream.push(samples) { values.append(contentsOf: $0) }
                    stream.flush { values.append(contentsOf: $0) }
                    // Twice in a row has nothing left to hand over.
                    stream.flush { rows in
                        Issue.record("\(name): \(rows.count) values came twice")
                    }
                }
                stream.finish { values.append(contentsOf: $0) }
                #expect(values.map(\.bitPattern) == whole, "\(name), flushed every \(piece) samples")
            }
        }
    }

    @Test func `after an end, a broken-off clip or a flush a stream gives the next clip its own rows and peak`() throws
    {
        var random = RandomSource(seed: 405)
        for (name, plan) in try StreamMatrix.plans() {
            let used = try FeatureStream.exact(plan)
            let geometry = plan.geometry
            let signals = [3, 0, 37].map { random.samples(geometry.length + $0 * geometry.hop).map { $0 * 0.3 } }
            for signal in signals {
                // Louder, so that what is left of it would show.
                let other = random.samples(geometry.length + 5 * geometry.hop).map { $0 * 0.9 }
                _ = used.push(other, pieces: [100])
                used.flush { _ in }
                let fresh = try FeatureStream.exact(plan)
                let expected = try fresh.completedRows(signal, pieces: [512])
                #expect(try used.completedRows(signal, pieces: [511]) == expected, "\(name)")
                #expect(used.peak.bitPattern == fresh.peak.bitPattern, "\(name)")
                _ = used.push(other, pieces: [100])
                _ = used.finish() as [Float]
                #expect(try used.completedRows(signal, pieces: [509]) == expected, "\(name)")
            }
        }
    }

    @Test func `the peak is the maximum streamed value, is kept until the next clip's first row, and −∞ where unused`()
        throws
    {
        var random = RandomSource(seed: 406)
        for (name, plan) in try StreamMatrix.plans() where !plan.needsSurvey {
            let stream = try FeatureStream(plan)
            let signal = random.samples(plan.geometry.length + 20 * plan.geometry.hop)
            let values = stream.push(signal) + stream.finish()
            guard plan.needsWholeClip else {
                #expect(stream.peak == -.infinity, "\(name)")
                continue
            }
            // An energy behind the bands does not count.
            let bands = values.indices.filter { $0 % plan.streamedBins < plan.spectrumBins }.map { values[$0] }
            #expect(stream.peak == bands.max(), "\(name)")
            let quiet = signal.map { $0 * 1e-3 }
            let rows = stream.push(quiet) + stream.finish()
            let next = rows.indices.filter { $0 % plan.streamedBins < plan.spectrumBins }.map { rows[$0] }
            #expect(stream.peak == next.max(), "\(name)")
            stream.start()
            #expect(stream.peak == -.infinity)
        }
    }
}
