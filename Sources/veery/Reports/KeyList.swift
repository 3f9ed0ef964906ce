import ArgumentParser
import ConfigurationFiles
import FeatureModel
import Presentation

/// The keys of a configuration with their meanings, as `veery presets --keys` lists them.
struct KeyList: Encodable {
    private let sections: [SectionDescription]

    /// The keys of a section; nil: all.
    init(section name: String?) throws {
        let names = ConfigurationKeys.sections.map(\.path)
        sections = ConfigurationKeys.sections.filter { section in
            // 'condition' includes its subsections.
            name.map { ".\(section.path).".contains(".\($0).") } ?? true
        }
        guard let name, sections.isEmpty else { return }
        let nearest = nearestName(to: name, in: names).map { " Did you mean '\($0)'?" } ?? ""
        throw ValidationError(
            "Unknown section '\(name.excerpt)'.\(nearest) There are: \(names.joined(separator: ", ")).")
    }

    func encode(to encoder: any Encoder) throws {
        try sections.flatMap { section in
            section.rows.map { key, kinds in
                // The kinds of the section that have this key; empty: all.
                JSONObject(entries: [
                    "section": section.path, "key": key.name, "kinds": kinds, "required": key.standard == nil,
                    "default": key.standard, "allowed": key.allowed, "unit": key.unit, "meaning": key.sentence,
                ])
            }
        }.encode(to: encoder)
    }

    func text(_ style: ReportStyle) throws -> String {
        let width = sections.flatMap(\.rows).map(\.key.name.count).max() ?? 0
        return try sections.map { section in
            let heading = style.painted(section.path, .heading) + "\n" + style.paragraph("  ", section.sentence)
            return try section.rows.reduce(into: heading) { text, row in
                let (key, kinds) = row
                let standard = try key.standardText().map { "Default: \($0)." } ?? "Required."
                let kind = kinds.isEmpty ? "" : " Kind: \(kinds.joined(separator: ", "))."
                text += style.paragraph("  " + key.name.padded(to: width + 2), key.sentence)
                text += style.paragraph(
                    String(repeating: " ", count: width + 4), "\(standard) Allowed: \(key.allowed).\(kind)")
            }
        }.joined(separator: "\n")
    }
}
