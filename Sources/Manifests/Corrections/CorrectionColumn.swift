import FeatureModel

/// The columns of a file of corrections.
enum CorrectionColumn: String, CaseIterable {
    case id, path, start, end
    case audio = "audio_xxh3"
    case action, label, note, given, by

    /// The columns without which nothing is said of a clip.
    static let required: [CorrectionColumn] = [.id, .action]

    /// The names in the order in which the program writes them.
    static var names: [String] { allCases.map(\.rawValue) }

    /// The value of a correction's column.
    func value(_ correction: Correction) -> String {
        let part = correction.part
        return switch self {
        case .id: correction.id
        case .path: part.path
        case .start: part.start.map { "\($0)" } ?? ""
        case .end: part.end.map { "\($0)" } ?? ""
        case .audio: part.audio?.text ?? ""
        case .action: correction.action.name.rawValue
        case .label: correction.action.label
        case .note: correction.action.note
        case .given: correction.given
        case .by: correction.by
        }
    }
}

extension Correction {
    /// Why a line is not one.
    struct Refusal: Error { let text: String }

    /// - Parameters:
    ///   - value: The value of a column; empty: not given.
    ///   - hasDecimalComma: Whether a comma may be a decimal point.
    init(hasDecimalComma: Bool = false, _ value: (CorrectionColumn) -> String) throws(Refusal) {
        id = value(.id)
        if id.isEmpty { throw Refusal(text: "id is empty; every line names a clip by its id") }
        func seconds(_ column: CorrectionColumn) throws(Refusal) -> Double? {
            let text = value(column)
            guard !text.trimmingBlanks().isEmpty else { return nil }
            if let number = FieldValue.number(text, decimalComma: hasDecimalComma), number >= 0 { return number }
            throw Refusal(text: "\(column.rawValue) is \(quoted(text)); expected a number of seconds, or nothing")
        }
        let (start, end) = (try seconds(.start), try seconds(.end))
        let audio = CorrectedAudio(text: value(.audio))
        if audio == nil, !value(.audio).isEmpty {
            throw Refusal(
                text:
                    "audio_xxh3 is \(quoted(value(.audio))); expected 32 hexadecimal digits, size:BYTES;mtime:NANOSECONDS, or "
                    + "nothing")
        }
        part = CorrectedPart(path: value(.path), start: start, end: end, audio: audio)
        action = try Self.action(value)
        (given, by) = (value(.given), value(.by))
    }

    private static func action(_ value: (CorrectionColumn) -> String) throws(Refusal) -> Action {
        let (word, label, note) = (value(.action), value(.label), value(.note))
        guard let name = Action.Name(rawValue: word) else {
            let names = Action.Name.allCases.map(\.rawValue)
            let nearest = nearestName(to: word, in: names).map { " (did you mean '\($0)'?)" } ?? ""
            throw Refusal(text: "action is \(quoted(word))\(nearest); expected one of \(names.joined(separator: ", "))")
        }
        let takesLabel = [.relabel, .add, .remove].contains(name)
        if !takesLabel, !label.isEmpty {
            throw Refusal(
                text:
                    "\(word) has no label, and label is \(quoted(label)); leave it empty, or write relabel, add or remove"
            )
        }
        if name != .note, !note.isEmpty {
            throw Refusal(
                text:
                    "\(word) has no note, and note is \(quoted(note)); leave it empty, and give the note a line of its own"
            )
        }
        if label.isEmpty, name == .add || name == .remove {
            throw Refusal(text: "\(word) has no label; expected the label in the column 'label'")
        }
        return switch name {
        case .relabel: .relabel(label)
        case .add: .add(label)
        case .remove: .remove(label)
        case .exclude: .exclude
        case .include: .include
        case .checked: .checked
        case .note: .note(note)
        case .undo: .undo
        }
    }
}
