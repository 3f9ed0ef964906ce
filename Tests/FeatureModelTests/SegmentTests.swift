import Testing

@testable import FeatureModel

struct SegmentTests {
    @Test(arguments: [
        (1.5, 1.4963, true), (1.49, 1.4963, true), (1.5063, 1.4963, true), (1.4862, 1.4963, false),
        (1.507, 1.4963, false),
    ])
    func `a length without a start is all of a recording that is about as long`(
        length: Double, recording: Double, isAll: Bool
    ) throws {
        let segment = try #require(Segment(length: length))
        #expect(segment.part(ofLength: recording) == (isAll ? nil : segment))
        #expect(segment.part(ofLength: .infinity) == segment)
        let part = try #require(Segment(start: 0, end: length))
        #expect(part.part(ofLength: recording) == part && part != segment)
    }

    @Test func `a segment may end as late as the configuration allows, or else the manifest`() throws {
        func isAllowed(_ end: Double, manifest: Double?, configured: Double?) throws -> Bool {
            let segment = try #require(Segment(start: 1, end: end, overshoot: manifest))
            return (try? segment.check(length: 2, rate: 8000, configured: configured)) != nil
        }
        #expect(try isAllowed(2.001, manifest: nil, configured: nil) && isAllowed(2.001, manifest: nil, configured: 0))
        #expect(try !isAllowed(2.0011, manifest: nil, configured: nil))
        #expect(try isAllowed(2.5, manifest: 0.5, configured: nil) && !isAllowed(2.501, manifest: 0.5, configured: nil))
        #expect(try !isAllowed(2.4, manifest: 0.5, configured: 0) && isAllowed(2.4, manifest: nil, configured: 0.5))
        let late = try #require(Segment(start: 2, end: 2.1, overshoot: 0.5))
        #expect(throws: ClipFailure.segmentStartsLate(start: 2, length: 2)) {
            try late.check(length: 2, rate: 8000, configured: nil)
        }
    }

    @Test(
        arguments: [
            (0, 800, 2, .either), (8000, 16_000, 2, .samples), (1000, 2000, 2, .either),
            (500.5, 1000, 2, .milliseconds),
            (0.5, 2.5, 2, nil), (0, 3, 2, nil), (1e6, 2e6, 2, nil), (30_000, 32_000, 2, .samples),
        ] as [(Double, Double, Double, OtherTimeUnit?)])
    func `times beyond a recording are of another unit`(
        start: Double, end: Double, length: Double, unit: OtherTimeUnit?
    ) throws {
        let segment = try #require(Segment(start: start, end: end))
        #expect(OtherTimeUnit(of: segment, length: length, rate: 16_000) == unit)
    }

    @Test func `a length that is that of the recording says its unit`() throws {
        for (length, unit) in [
            (2000.0, OtherTimeUnit?.some(.milliseconds)), (32_000, .samples), (99, nil), (1500, nil),
        ] {
            #expect(OtherTimeUnit(of: try #require(Segment(length: length)), length: 2, rate: 16_000) == unit)
        }
    }

    @Test func `times are seconds where a format allows an overshoot`() throws {
        let segment = try #require(Segment(start: 1000, end: 2000, overshoot: 0.5))
        #expect(OtherTimeUnit(of: segment, length: 2, rate: 16_000) == nil)
    }

    @Test func `the length that a manifest declares may be wrong by 25 ms`() throws {
        func check(_ samples: Int?, _ seconds: Double?, _ rate: Int?) throws {
            try DeclaredRecording(duration: seconds, sampleCount: samples, sampleRate: rate)?.check(
                rate: 16_000, frames: 32_000)
        }
        #expect(throws: Never.self) {
            try check(32_400, nil, nil)
            try check(nil, 1.976, 16_000)
        }
        #expect(throws: ClipFailure.declaredRate(declared: 8000, found: 16_000)) { try check(16_000, 2, 8000) }
        #expect(throws: ClipFailure.declaredLength(declared: 2.5, found: 2)) { try check(32_000, 2.5, nil) }
        #expect(throws: ClipFailure.declaredLength(declared: 1, found: 2)) { try check(16_000, 2, nil) }
        #expect(DeclaredRecording(duration: nil, sampleCount: nil, sampleRate: nil) == nil)
    }

    @Test func `a clip may be a segment of another length as far as its end is uncertain`() throws {
        let alone = try #require(Segment(length: 1.5))
        #expect(
            alone.mayLast(1.496, configured: nil, isCut: false) && !alone.mayLast(1.4, configured: nil, isCut: false))
        let late = try #require(Segment(start: 1, end: 2.3, overshoot: 0.5))
        #expect(late.mayLast(1, configured: nil, isCut: true) && !late.mayLast(1, configured: 0, isCut: true))
        #expect(!late.mayLast(1, configured: nil, isCut: false) && late.isCut(toLast: 1))
        #expect(!late.isCut(toLast: 1.2995) && !alone.isCut(toLast: 1.496))
    }
}
