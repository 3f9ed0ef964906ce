import FeatureModel
import Presentation
import SignalProcessing

/// The presets by group, as `veery presets` lists them.
struct PresetList: Encodable {
    private let lines: [PresetLine]

    init() throws { lines = try Preset.allCases.map(PresetLine.init) }

    func encode(to encoder: any Encoder) throws { try lines.encode(to: encoder) }

    /// Each preset with its summary, then its rate, the rows and columns of a second, and its source.
    var text: String {
        let width = (lines.map(\.preset.rawValue.count).max() ?? 0) + 2
        return PresetGroup.allCases.map { group in
            lines.filter { $0.preset.group == group }.reduce(into: group.title + "\n") { text, line in
                text += "  " + line.preset.rawValue.padded(to: width) + line.preset.summary + "\n"
                let indent = String(repeating: " ", count: width + 2)
                text += indent + line.text + "\n"
                for names in line.otherNames { text += indent + names + "\n" }
            }
        }.joined(separator: "\n")
    }
}

/// A preset of the list.
private struct PresetLine: Encodable {
    let preset: Preset
    /// Its own rate in Hz; nil: it keeps the recording's.
    private let sampleRate: Int?
    /// Rows and columns of a second at the rate that it is meant for; of presets with patches, patches first.
    private let shape: [Int]

    init(_ preset: Preset) throws {
        let configuration = try preset.configuration()
        let plan = try FeaturePlan(configuration, sampleRate: preset.usualRate)
        (self.preset, sampleRate) = (preset, configuration.audio.sampleRate)
        shape = plan.storedExtents(samples: Int(preset.usualRate))
    }

    func encode(to encoder: any Encoder) throws {
        try JSONObject(entries: [
            "name": preset.rawValue, "group": preset.group.title, "summary": preset.summary,
            "notes": preset.note.map { "\($0)".replacing("\n", with: " ") }, "source": preset.source,
            "aliases": aliases, "sample_rate": sampleRate, "usual_rate": preset.usualRate, "shape": shape,
            "window": preset.window,
        ]).encode(to: encoder)
    }

    /// The names of models that take the same, each with the settings that it needs beyond the preset's; nil: none.
    private var aliases: [String]? {
        let names = preset.aliases.map(\.text)
        return names.isEmpty ? nil : names
    }

    /// Lines with the names of models that take the same.
    var otherNames: [String] {
        let names = preset.aliases.map(\.name)
        guard let first = names.first else { return [] }
        var lines: [String] = []
        var line = "also: " + first
        for name in names.dropFirst() {
            line += ","
            if line.count + name.count > Self.width {
                lines.append(line)
                line = "      " + name
            } else {
                line += " " + name
            }
        }
        return lines + [line]
    }

    /// Characters of a line of names.
    private static let width = 90

    /// `16000 Hz, 1 s: 98 x 80; source`. For presets that keep the recording's rate it is the one that they are meant for.
    var text: String {
        let words = sampleRate == nil ? "the recording's rate; " : ""
        let shape = shape.map(String.init).joined(separator: " x ")
        return "\(words)\(preset.usualRate.shortText) Hz, 1 s: \(shape); \(preset.source)"
    }
}
