import ArrayFiles
import FeatureModel
import Foundation
import SignalProcessing
import TestSupport
import Testing

@testable import Conformance

/// A recording that is like real ones: voiced and unvoiced sounds, soft ones, background noise, an offset, digital silence.
struct SampleRecording {
    let folder: TemporaryFolder
    let path: String
    let samples: [Float]
    /// Those of all channels.
    let channels: [[Float]]
    static let rate = 16_000

    init(seconds: Double = 0.9, rate: Int = rate, channels: Int = 1) throws {
        folder = try TemporaryFolder()
        var all: [[Float]] = []
        for channel in 0..<channels {
            var random = RandomSource(seed: 7 + UInt64(channel))
            let count = Int(seconds * Double(rate))
            all.append(
                (0..<count).map { index in
                    let time = Double(index) / Double(rate)
                    if time > 0.72, time < 0.8 { return 0 }
                    var value = 0.0
                    let pitch = 140 + 40 * sin(5 * time) + 90 * Double(channel)
                    for harmonic in 1...20 {
                        value += sin(2 * .pi * pitch * Double(harmonic) * time) / Double(harmonic)
                    }
                    value *= 0.08 * (1 + sin(9 * time)) * (time < 0.6 ? 1 : 0.02)
                    let hiss = Double(Float.random(in: -1...1, using: &random))
                    return Float(value + hiss * (time > 0.3 && time < 0.4 ? 0.2 : 0.003) + 0.004)
                })
        }
        self.channels = all.map { WaveFile.quantized($0) }
        samples = self.channels[0]
        path = folder.path("a.wav")
        try folder.writeWave(all, sampleRate: rate, to: "a.wav")
    }

    /// The configuration of a preset, with changes such as `frame.hop=200`, comparable.
    static func configuration(_ preset: Preset = .logMel, _ changes: [(String, ConfigurationValue)] = []) throws
        -> FeatureConfiguration
    {
        let comparable = try ExpectedFeatures.comparable(preset.configuration())
        return try #require(
            Variation(assignments: changes.map { .init(key: $0.0, value: $0.1) }).applied(to: comparable), "\(changes)")
    }

    /// What another program that has this configuration makes of the recording.
    func features(_ configuration: FeatureConfiguration, of samples: [Float]? = nil) throws -> FeatureMatrix {
        let plan = try FeaturePlan(configuration, sampleRate: Double(Self.rate))
        return try ExpectedFeatures.rows(of: samples ?? self.samples, plan)
    }

    /// Compares an array with the features of the recording.
    func check(
        _ values: [Float], shape: [Int], _ configuration: FeatureConfiguration,
        tolerance: Double = ConformanceCheck.usualTolerance
    ) throws -> ConformanceResult {
        let file = folder.path("theirs.npy")
        try NPYFile.bytes(values, shape: shape).write(to: URL(filePath: file))
        let check = try ConformanceCheck(ArrayCollection(path: file), configuration, tolerance: tolerance, jobs: 2)
        let clip = Clip(index: 0, id: path, path: path)
        return try check.run([.init(clip: clip, path: path, arrayName: nil)])
    }

    /// - Parameter shape: The shape of patches, into which the rows are grouped.
    func check(
        _ matrix: FeatureMatrix, _ configuration: FeatureConfiguration, shape patch: PatchShape? = nil,
        tolerance: Double = ConformanceCheck.usualTolerance
    ) throws -> ConformanceResult {
        let rows = patch.map { [matrix.rows / $0.length, $0.length] } ?? [matrix.rows]
        return try check(matrix.values, shape: rows + [matrix.bins], configuration, tolerance: tolerance)
    }
}

/// Arrays as NumPy writes them.
enum NPYFile {
    static func header(_ descr: String, shape: [Int], isFortran: Bool = false) -> Data {
        let extents = shape.map { "\($0)" }.joined(separator: ", ") + (shape.count == 1 ? "," : "")
        var text = "{'descr': '\(descr)', 'fortran_order': \(isFortran ? "True" : "False"), 'shape': (\(extents)), }"
        text += String(repeating: " ", count: 63 - (10 + text.utf8.count) % 64) + "\n"
        let count = UInt16(text.utf8.count)
        return Data([0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(count & 255), UInt8(count >> 8)]) + Data(text.utf8)
    }

    static func bytes(_ values: [Float], shape: [Int]) -> Data {
        header("<f4", shape: shape) + values.map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
    }
}
