import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Conformance

struct GoldenTests {
    @Test(arguments: [16_000, 32_000])
    func `the sound is that of the stored goldens, byte by byte`(rate: Int) throws {
        let stored = Fixtures.repository.appending(path: "Tests/Fixtures/models/sound-\(rate / 1000)k.wav")
        #expect(try GoldenSound(rate: rate).wav == Array(Data(contentsOf: stored)))
    }

    @Test func `a sound that would be too short is stretched, byte by byte as the stored one`() throws {
        #expect(GoldenSound(rate: 8000, minimum: 10_000).samples.count == 3 * 4800)
        let stored = Fixtures.repository.appending(path: "Tests/Fixtures/models/sound-16k-long.wav")
        #expect(try GoldenSound(rate: 16_000, minimum: 15_600).wav == Array(Data(contentsOf: stored)))
    }

    @Test func `the noise is that of Python`() {
        // random.Random(16000)
        var random = PythonRandom(seed: 16_000)
        let numbers = (0..<1000).map { _ in random.next() }
        #expect(numbers.allSatisfy { (0..<1).contains($0) })
        var again = PythonRandom(seed: 16_000)
        #expect((0..<1000).map { _ in again.next() } == numbers)
    }

    @Test(arguments: Preset.allCases)
    func `every preset has a golden with rows`(preset: Preset) throws {
        let golden = try FeatureGolden(preset.configuration(), usualRate: Int(preset.usualRate))
        #expect(golden.features.rows > 0 && golden.features.values.allSatisfy(\.isFinite))
        #expect(golden.extents.reduce(1, *) == golden.features.values.count)
    }
}
