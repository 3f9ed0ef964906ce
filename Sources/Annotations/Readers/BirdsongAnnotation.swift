import FeatureModel
import Manifests

extension AnnotationKind {
    package static let birdsong = AnnotationKind(name: "birdsong", title: "Annotation.xml of BirdsongRecognition")
}

/// `Annotation.xml` of Koumura's BirdsongRecognition: sequences of notes. The position of a note counts in samples from its
/// sequence's, and that from the start of the recording.
enum BirdsongAnnotation: AnnotationFormat {
    static var kind: AnnotationKind { .birdsong }

    static func matches(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Bool {
        let head = String(decoding: document.bytes.prefix(1024), as: UTF8.self)
        return head.utf8.prefix(16).contains(UInt8(ascii: "<")) && head.contains("<Sequences")
    }

    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent
    ) {
        let sequences = Sequences()
        do throws(XMLProblem) {
            try XMLReader().read(document.bytes, into: sequences)
        } catch {
            content.add(problem: Note(error.text), line: error.line)
            return
        }
        guard sequences.hasRoot else {
            content.add(problem: "expected <Sequences> with a <Sequence> for each part of a recording", line: 1)
            return
        }
        content.columns = ["sequence"]
        for problem in sequences.problems { content.add(problem: Note(problem.text), line: problem.line) }
        for row in sequences.rows { content.add(row) }
    }

    /// Collects notes while the file is read.
    private final class Sequences: XMLEvents {
        private struct Note {
            let line: Int
            var position, length: Double?
            var label = ""
        }

        private(set) var hasRoot = false
        private(set) var rows: [AnnotationRow] = []
        private(set) var problems: [XMLProblem] = []
        /// The names of the open elements.
        private var path: [String] = []
        private var value = ""
        /// Sequences read so far.
        private var index = 0
        private var recording = ""
        private var position: Double?
        private var notes: [Note] = []
        private var note: Note?

        func start(_ element: String, line: Int) {
            if path.isEmpty { hasRoot = element == "Sequences" }
            path.append(element)
            value = ""
            if element == "Sequence" { (recording, position, notes) = ("", nil, []) }
            if element == "Note" { note = Note(line: line) }
        }

        func text(_ text: String) { value += text }

        func end(_ element: String, line: Int) {
            path.removeLast()
            let text = value.trimmingWhitespace()
            value = ""
            switch (path.last, element) {
            case ("Sequence", "WaveFileName"): recording = text
            case ("Sequence", "Position"): position = samples(text, element, line)
            case ("Note", "Position"): note?.position = samples(text, element, line)
            case ("Note", "Length"): note?.length = samples(text, element, line)
            case ("Note", "Label"): note?.label = text
            case (_, "Note"):
                if let note { notes.append(note) }
                note = nil
            case (_, "Sequence"): finishSequence(line)
            default: break
            }
        }

        private func samples(_ text: String, _ element: String, _ line: Int) -> Double? {
            if let number = FieldNumber.read(text), number == number.rounded() { return number }
            add(line, "\(element) is \(quoted(text)); expected a whole number of samples")
            return .nan
        }

        private func finishSequence(_ line: Int) {
            defer { index += 1 }
            if recording.isEmpty { add(line, "the sequence has no WaveFileName") }
            if position == nil { add(line, "the sequence has no Position") }
            for (number, note) in notes.enumerated() {
                guard let start = note.position, let length = note.length else {
                    add(note.line, "note \(number + 1) has no \(note.position == nil ? "Position" : "Length")")
                    continue
                }
                // What is not a number was a problem already.
                guard let position, !recording.isEmpty, (position + start + length).isFinite else { continue }
                guard length >= 0 else {
                    add(note.line, "note \(number + 1) has the Length \(length); expected 0 or more samples")
                    continue
                }
                let times = AnnotationTimes(
                    seconds: nil, samples: .init(start: position + start, end: position + start + length))
                rows.append(
                    AnnotationRow(
                        line: note.line, recording: recording, times: times, label: note.label, extra: ["\(index)"]))
            }
        }

        private func add(_ line: Int, _ text: String) {
            problems.append(XMLProblem(line: line, text: "sequence \(index + 1): \(text)"))
        }
    }
}
