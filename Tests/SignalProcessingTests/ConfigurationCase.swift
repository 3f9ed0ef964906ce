import FeatureModel
import Foundation
import SignalProcessing
import Testing

/// A preset with some keys set, as `--set` does: what golden files name, and tests that go through many configurations.
struct ConfigurationCase: CustomTestStringConvertible, Sendable {
    let preset: Preset
    let settings: [String: SettingValue]
    /// Rate in Hz of the samples; that of the configuration, or 16 kHz where it has none.
    let sampleRate: Double
    let configuration: FeatureConfiguration

    /// - Parameters:
    ///   - preset: What the settings change.
    ///   - settings: Values by path, such as `frame.align`; a whole section replaces the preset's.
    init(_ preset: Preset, _ settings: [String: SettingValue] = [:]) throws {
        self.preset = preset
        self.settings = settings
        var base = try preset.configuration()
        // A new kind of transform starts with the preset's values for it.
        if case .text(let name) = settings["transform.kind"], let kind = TransformConfiguration.Kind(rawValue: name),
            let transform = preset.transform(of: kind)
        {
            base = try FeatureConfiguration(
                audio: base.audio, condition: base.condition, frame: base.frame, transform: transform,
                scale: base.scale, normalize: base.normalize, store: base.store)
        }
        var tree = try JSONDecoder().decode(SettingValue.self, from: JSONEncoder().encode(base))
        // A section comes before the keys in it.
        for (path, value) in settings.sorted(by: { $0.key < $1.key }) {
            tree.set(path.split(separator: ".").map(String.init)[...], to: value)
        }
        configuration = try JSONDecoder().decode(FeatureConfiguration.self, from: JSONEncoder().encode(tree))
        sampleRate = Double(configuration.audio.sampleRate ?? 16_000)
    }

    func plan() throws -> FeaturePlan { try FeaturePlan(configuration, sampleRate: sampleRate) }

    var testDescription: String {
        let settings = settings.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        return settings.isEmpty ? preset.rawValue : "\(preset.rawValue) \(settings)"
    }
}
