import TestSupport
import Testing

@testable import LiveAnalysis

struct LiveRowsTests {
    @Test(arguments: 0..<20)
    func `rows are read once and in order; those that were written over are passed over`(seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        let (bins, capacity) = (3, Int.random(in: 1...9, using: &random))
        let rows = LiveRows(bins: bins, capacity: capacity)
        var (written, seen) = (0, 0)
        var found: [Float] = []
        for _ in 0..<200 {
            let count = Int.random(in: 0...2 * capacity, using: &random)
            let values = (written..<written + count).flatMap { row in (0..<bins).map { Float(row * bins + $0) } }
            values.withUnsafeBufferPointer(rows.append)
            written += count
            guard Bool.random(using: &random) else { continue }
            let now = rows.read(after: seen, into: &found)
            let first = max(seen, written - capacity)
            let expected = (first..<max(written, first)).flatMap { row in
                (0..<bins).map { Float(row * bins + $0) }
            }
            #expect(now == written && found == expected)
            seen = now
        }
        #expect(rows.count == written)
    }
}
