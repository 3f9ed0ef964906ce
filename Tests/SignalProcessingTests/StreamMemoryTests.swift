import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

#if os(Linux)
    struct StreamMemoryTests {
        /// Resident memory of this process in bytes.
        private static func residentBytes() throws -> Int {
            let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return try #require(Int(fields[1])) * Int(getpagesize())
        }

        /// How much more memory is resident after ten million samples than after the first 300,000.
        private static func growth(_ preset: Preset, _ settings: [String: SettingValue]) throws -> Int {
            let stream = try FeatureStream(ConfigurationCase(preset, settings).plan())
            var random = RandomSource(seed: 421)
            let piece = random.samples(100_000)
            var rows = 0
            func push(_ count: Int) {
                piece.withUnsafeBufferPointer { samples in
                    for _ in 0..<count { stream.push(samples) { rows += $0.count } }
                }
            }
            push(3)
            let before = try residentBytes()
            push(100)
            #expect(rows > 50_000)
            return try residentBytes() - before
        }

        // In a process of its own, since memory of other tests would count. Hops are long, since debug builds are slow.
        @Test func `ten million samples take no more memory than the first`() async {
            await #expect(processExitsWith: .success) {
                let hop: [String: SettingValue] = ["frame.hop": 3000]
                for (preset, settings) in [
                    (.whisper, hop), (.kaldiMFCC, hop.merging(["transform.deltas": 2]) { $1 }),
                    (.kaldiFBank, hop.merging(["frame.align": "kaldi", "condition.pre_emphasis": 0.9]) { $1 }),
                ] as [(Preset, [String: SettingValue])] {
                    let growth = try Self.growth(preset, settings)
                    // The samples alone would be 40 MB.
                    precondition(growth < 4 << 20, "\(preset): \(growth) bytes")
                }
            }
        }
    }
#endif
