import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// `deltas.json`.
private struct DeltaGolden: Decodable {
    struct Case: Decodable {
        let window: Int
        let rows: Int
        let bins: Int
        let values: [Float]
        let deltas: [Double]
        let accelerations: [Double]
    }

    let cases: [Case]
}

struct DeltaStageTests {
    /// Rows with slopes, by one stage for each order.
    private func chained(_ rows: [[Float]], order: Int, window: Int) throws -> [[Float]] {
        var rows = rows
        let width = rows.first?.count ?? 1
        for stage in 0..<order {
            let columns = stage * width..<(stage + 1) * width
            rows = try run(
                DeltaStage<Float>(width: columns.upperBound, columns: columns, window: window), rows,
                width: columns.upperBound + columns.count, late: window)
        }
        return rows
    }

    private func run(_ stage: DeltaStage<Float>, _ rows: [[Float]], width: Int, late: Int) throws -> [[Float]] {
        var output = [Float](repeating: .nan, count: width)
        var found: [[Float]] = []
        for (index, row) in rows.enumerated() {
            let came = stage.push(row, into: &output)
            #expect(came == (index >= late), "row \(index) of \(rows.count), window \(late)")
            if came { found.append(output) }
        }
        while stage.flush(into: &output) { found.append(output) }
        return found
    }

    /// d[t] = Σ θ (c[t+θ] − c[t−θ]) / 2 Σ θ², the first and last row repeated (The HTK Book, 5.9), in double precision.
    private func slopes(_ rows: [[Double]], window: Int) -> [[Double]] {
        rows.indices.map { t in
            rows[t].indices.map { column in
                var (sum, weight) = (0.0, 0.0)
                for theta in 1...window {
                    let later = rows[min(t + theta, rows.count - 1)][column]
                    let earlier = rows[max(t - theta, 0)][column]
                    sum += Double(theta) * (later - earlier)
                    weight += 2 * Double(theta * theta)
                }
                return sum / weight
            }
        }
    }

    @Test(arguments: [1, 2, 5, 100])
    func `slopes and slopes of slopes follow HTK's definition`(window: Int) throws {
        var random = RandomSource(seed: 301)
        for count in [1, 2, 3, 4, 10, 11, 12, 20, 230] {
            let rows = (0..<count).map { _ in random.samples(5) }
            let wide = rows.map { $0.map(Double.init) }
            let once = slopes(wide, window: window)
            let twice = slopes(once, window: window)
            for order in 0...2 {
                let found = try chained(rows, order: order, window: window)
                try #require(found.count == count)
                for t in 0..<count {
                    let expected = [wide[t], once[t], twice[t]][...order].flatMap { $0 }
                    #expect(largestDifference(found[t], expected) <= 1e-6, "row \(t) of \(count), order \(order)")
                    #expect(Array(found[t][..<5]) == rows[t])
                }
            }
        }
    }

    @Test func `slopes equal torchaudio's and librosa's`() throws {
        let golden: DeltaGolden = try Fixtures.golden("deltas.json")
        try #require(golden.cases.count >= 15)
        for known in golden.cases {
            let rows = stride(from: 0, to: known.values.count, by: known.bins).map {
                Array(known.values[$0..<$0 + known.bins])
            }
            let found = try chained(rows, order: 2, window: known.window)
            try #require(found.count == known.rows)
            let deltas = found.flatMap { $0[known.bins..<2 * known.bins] }
            let accelerations = found.flatMap { $0[(2 * known.bins)...] }
            #expect(largestDifference(deltas, known.deltas) <= 1e-6, "\(known.rows) rows, window \(known.window)")
            #expect(largestDifference(accelerations, known.accelerations) <= 1e-6, "\(known.rows) rows")
        }
    }

    @Test func `a straight line has its slope, and no slope of the slope, away from the ends`() throws {
        let rows = (0..<30).map { [Float($0) * 0.5 - 3] }
        for window in [1, 2, 5] {
            let found = try chained(rows, order: 2, window: window)
            for row in found[window..<30 - window] { #expect(abs(row[1] - 0.5) <= 1e-6) }
            for row in found[2 * window..<30 - 2 * window] { #expect(abs(row[2]) <= 1e-6) }
        }
    }

    @Test func `a stage that was reset gives the next clip what a new one gives`() throws {
        var random = RandomSource(seed: 302)
        let used = try DeltaStage<Float>(width: 3, columns: 0..<3, window: 2)
        for (before, count) in [(1, 4), (7, 1), (2, 9)] {
            var output = [Float](repeating: 0, count: 6)
            for _ in 0..<before { _ = used.push(random.samples(3), into: &output) }
            used.reset()
            let rows = (0..<count).map { _ in random.samples(3) }
            let expected = try run(DeltaStage<Float>(width: 3, columns: 0..<3, window: 2), rows, width: 6, late: 2)
            #expect(try run(used, rows, width: 6, late: 2) == expected)
            used.reset()
        }
    }
}
