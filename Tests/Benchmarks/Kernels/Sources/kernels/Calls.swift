import FeatureModel
import Foundation
import SignalProcessing

/// Times calls of the library from Swift, for `calls.py`: answers each line, a number of calls, with their seconds.
enum Calls {
    static func serve(seconds: Double) throws {
        let own = try Preset.logMel.configuration()
        let configuration = try FeatureConfiguration(
            audio: own.audio, frame: own.frame, transform: own.transform, scale: own.scale, normalize: .none)
        let plan = try FeaturePlan(configuration, sampleRate: 16_000)
        let samples = noise(Int(seconds * 16_000))
        while let line = readLine() {
            guard let count = Int(line), count > 0 else {
                throw KernelError("expected a number of calls, found \(line)")
            }
            let start = ContinuousClock.now
            var rows = 0
            for _ in 0..<count { rows += try plan.features(of: samples).rows }
            let duration = ContinuousClock.now - start
            guard rows > 0 else { throw KernelError("no rows") }
            FileHandle.standardOutput.write(Data("\(duration / .seconds(1))\n".utf8))
        }
    }
}
