import ConfigurationFiles
import FeatureModel
import Foundation
import Messages

@testable import DatasetExtraction
@testable import LiveAnalysis

/// Configurations as people write them.
enum ConfigurationFuzzing {
    /// A file of YAML or JSON.
    static func takeText(_ bytes: UnsafeRawBufferPointer) {
        check { try ConfigurationSource(text: bytes.text, path: "fuzzed.yaml") }
    }

    /// A preset, which the first byte chooses, and an assignment a line.
    static func takeSettings(_ bytes: UnsafeRawBufferPointer) {
        let (choice, text) = bytes.split
        let presets = Preset.allCases
        check {
            var source = ConfigurationSource(preset: presets[choice % presets.count])
            for line in text.text.split(separator: "\n").prefix(16) { try source.set(String(line)) }
            return source
        }
    }

    private static func check(_ make: () throws -> ConfigurationSource) {
        do {
            let configuration = try make().configuration()
            checkTexts(configuration)
        } catch let error as ConfigurationFileError {
            law(!error.description.isEmpty, "an error says something")
        } catch let error as ConfigurationError {
            law(!error.description.isEmpty, "an error says something")
        } catch {
            fatalError("law broken: an error of another kind: \(error)")
        }
    }

    /// What is written of a configuration reads back as the same.
    static func checkTexts(_ configuration: FeatureConfiguration) {
        do {
            let yaml = try ConfigurationText.yaml(configuration)
            let again = try ConfigurationSource(text: yaml, path: "printed").configuration()
            law(again == configuration, "a configuration reads back from its YAML:\n\(yaml)")
            let json = try ConfigurationText.json(configuration)
            let stored = try JSONDecoder().decode(FeatureConfiguration.self, from: Data(json.utf8))
            law(stored == configuration, "a configuration reads back from its JSON: \(json)")
            law(try ConfigurationText.json(stored) == json, "JSON is not changed: \(json)")
        } catch {
            fatalError("law broken: a configuration can be written and read: \(error)")
        }
    }
}

/// JSON that the program stores in spools and in feature files, and reads again.
enum StoredTextFuzzing {
    private static let usual = Provenance(
        json: """
            {"configuration": "{\\"audio\\":{\\"sample_rate\\":16000},\\"frame\\":{\\"hop\\":\\"10 ms\\"}}", "manifest": "0123",
            "clips": 3, "sampleRate": 16000, "software": "{}"}
            """)

    static func take(_ bytes: UnsafeRawBufferPointer) {
        let text = bytes.text
        if let configuration = try? JSONDecoder().decode(FeatureConfiguration.self, from: Data(bytes)) {
            ConfigurationFuzzing.checkTexts(configuration)
        }
        if let identity = Provenance(json: text) {
            law(Provenance(json: identity.spoolText) == identity, "an identity reads back: \(identity.spoolText)")
            law(
                identity.differences(from: identity, tolerance: .spool).isEmpty,
                "an identity does not differ from itself")
            guard let usual else { fatalError("law broken: the usual identity can be read") }
            law(
                usual.differences(from: identity, tolerance: .spool).isEmpty
                    == identity.differences(from: usual, tolerance: .spool).isEmpty,
                "differences are symmetric")
        }
        if let note = try? RecordingManifest(json: text) {
            law((try? RecordingManifest(json: note.spoolText)) == note, "a note reads back: \(note.spoolText)")
        }
    }
}
