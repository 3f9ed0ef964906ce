/// A text of a library that mentions what a user can set. The caller knows what a setting is called, such as an option of a
/// command.
package struct Note: Hashable, Sendable {
    /// What a user can say of a dataset, its annotations and the features.
    package enum Setting: Hashable, Sendable {
        /// The column that is read as the manifest's of this name; nil: any.
        case column(as: String?)
        case labelSeparator, oneHot, recordingExtension, quoting, timeUnit, format
        case annotator, tier, startColumn, endColumn, durationColumn, labelColumn, pathColumn
        /// That ffmpeg is not used.
        case withoutFFmpeg
        /// A key of the configuration, with its value.
        case key
        case preset
        /// The values that a picture shows, and its colours.
        case range, colors
    }

    private enum Part: Hashable {
        case text(String)
        case setting(Setting, String?)
    }

    private var parts: [Part]

    package init(_ text: String) { parts = text.isEmpty ? [] : [.text(text)] }

    package var isEmpty: Bool { parts.isEmpty }

    /// The whole text.
    ///
    /// - Parameter name: What a setting is called, with its value; nil: it is mentioned without one.
    package func text(_ name: (Setting, String?) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .setting(let setting, let value): name(setting, value)
            }
        }.joined()
    }

    package static func += (one: inout Note, other: Note) {
        var rest = other.parts[...]
        if case .text(let end)? = one.parts.last, case .text(let start)? = rest.first {
            one.parts[one.parts.count - 1] = .text(end + start)
            rest = rest.dropFirst()
        }
        one.parts += rest
    }

    package static func + (one: Note, other: Note) -> Note {
        var sum = one
        sum += other
        return sum
    }
}

extension Note: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(text) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.note }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var note = Note("")

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) { note += Note(text) }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            note += Note(value.description)
        }

        package mutating func appendInterpolation(_ other: Note) { note += other }

        /// Mentions a setting, with a value.
        package mutating func appendInterpolation(setting: Setting, _ value: String? = nil) {
            note.parts.append(.setting(setting, value))
        }
    }
}
