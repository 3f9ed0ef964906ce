import Essentials
import FeatureModel
import FileIO
import Manifests
import PageRequests
import Synchronization

/// The corrections of a dataset in their file, which other programs may write, too. The file is made for the first correction.
final class CorrectionStore: Sendable {
    /// A line that is about a clip of the dataset.
    struct Line: Sendable {
        let clip: Int
        let correction: Correction
        /// Whether the features were made with it.
        let isApplied: Bool
    }

    /// Lines from a number on.
    struct Lines: Sendable {
        let lines: [Line]
        /// The number of the first, from 0.
        let first: Int
        /// How many there are in all.
        let count: Int
    }

    /// The file once it is open.
    private final class OpenLog {
        var log: CorrectionLog

        init(path: String) throws(CorrectionError) { log = try CorrectionLog(path: path) }
    }

    private struct State {
        var file: OpenLog?
        /// Of a file that cannot be continued: as it was when it was read.
        var readStamp: FileStamp?
        var lines: [Line] = []
        /// Labels that lines give and the dataset does not have.
        var newLabels: Set<[UInt8]> = []
        /// How often the file became another one.
        var replacements = 0
        /// The number of the last line that the features were made with.
        var lastApplied = 0
    }

    let path: String
    private let dataset: any BrowsedDataset
    private let labels: Set<[UInt8]>
    private let state: Mutex<State>

    /// Reads the lines that are there.
    ///
    /// - Throws: `CorrectionError`.
    init(path: String, of dataset: any BrowsedDataset) throws {
        (self.path, self.dataset) = (path, dataset)
        labels = Set(dataset.facts.labels.map { Array($0.utf8) })
        state = Mutex(State())
        _ = try lines(from: 0)
    }

    /// How often the file became another one, as by an editor: then lines that a page has seen may have other numbers.
    var replacements: Int { state.withLock { $0.replacements } }

    /// The lines from a number on.
    ///
    /// - Throws: `CorrectionError`.
    func lines(from first: Int) throws -> Lines {
        try state.withLock { state in
            try update(&state)
            let first = min(max(first, 0), state.lines.count)
            return Lines(lines: Array(state.lines[first...]), first: first, count: state.lines.count)
        }
    }

    /// Appends corrections: all of them, or none.
    ///
    /// - Parameters:
    ///   - clips: The numbers of their clips.
    ///   - mayAddLabel: Which of them may give a label that the dataset does not have yet.
    ///   - seen: How many lines the author had seen; nil: all.
    /// - Throws: `Refusal`; `CorrectionError`.
    func append(_ corrections: [Correction], of clips: [Int], mayAddLabel: [Bool], seen: Int?) throws {
        try state.withLock { state in
            try update(&state)
            try refuseUndo(corrections, of: clips, seen: seen ?? state.lines.count, state)
            for (correction, mayAdd) in zip(corrections, mayAddLabel) {
                guard let label = correction.action.givenLabel, !isKnown(label, state) else { continue }
                guard mayAdd else {
                    throw Refusal(.badRequest, "The dataset has no label '\(label)'; give it as a new one.")
                }
                let ends = [label.unicodeScalars.first, label.unicodeScalars.last].compactMap(\.self)
                guard !ends.contains(where: { $0 == "\t" || $0.properties.generalCategory == .spaceSeparator }) else {
                    throw Refusal(.badRequest, "The new label '\(label)' has a blank at an end.")
                }
            }
            let file = try state.file ?? OpenLog(path: path)
            state.file = file
            try file.log.append(corrections)
            try update(&state)
        }
    }

    /// An undo takes back what its author sees as the last correction, and none that is in the features already: what the clip was
    /// before that is not known here.
    private func refuseUndo(
        _ corrections: [Correction], of clips: [Int], seen: Int, _ state: State
    ) throws(Refusal) {
        var undone: [Int: (id: String, by: String)] = [:]
        for (correction, clip) in zip(corrections, clips) {
            if case .undo = correction.action { undone[clip] = (correction.id, correction.by) }
        }
        guard !undone.isEmpty else { return }
        var standing: [Int: [Int]] = [:]
        for (index, line) in state.lines.enumerated() {
            guard let author = undone[line.clip] else { continue }
            if index >= seen, line.correction.by != author.by {
                throw Refusal(
                    .conflict, "'\(author.id)' was corrected by somebody else meanwhile: look at it again, then undo.")
            }
            if case .undo = line.correction.action {
                _ = standing[line.clip]?.popLast()
            } else {
                standing[line.clip, default: []].append(index)
            }
        }
        for (clip, author) in undone {
            if let last = standing[clip]?.last, state.lines[last].isApplied {
                throw Refusal(
                    .conflict,
                    "The last correction of '\(author.id)' is in the features already: give the right label instead.")
            }
        }
    }

    private func isKnown(_ label: String, _ state: State) -> Bool {
        let bytes = Array(label.utf8)
        return bytes.isEmpty || labels.contains(bytes) || state.newLabels.contains(bytes)
    }

    /// Takes the lines that were written since the last time.
    private func update(_ state: inout State) throws {
        let status = FileStatus(path: path)
        if status == nil, state.file != nil {
            // It was deleted; the next correction makes a new one.
            state.file = nil
            try take([], areAll: true, &state)
        }
        if state.file == nil {
            guard let status else { return }
            do throws(CorrectionError) { state.file = try OpenLog(path: path) } catch {
                // What cannot be continued can be looked at.
                guard case .otherForm = error else { throw error }
                guard state.readStamp != status.stamp else { return }
                try take(try CorrectionFile(path: path).lines, areAll: true, &state)
                state.readStamp = status.stamp
                return
            }
        }
        if let news = try state.file?.log.news() { try take(news.lines, areAll: news.areAll, &state) }
    }

    private func take(_ lines: [NumberedCorrection], areAll: Bool, _ state: inout State) throws {
        if areAll {
            if !state.lines.isEmpty { state.replacements += 1 }
            (state.lines, state.newLabels) = ([], [])
            if let sum = dataset.facts.features?.correctionsChecksum, FileStatus(path: path) != nil {
                state.lastApplied = try AppliedCorrections.lastLine(of: path, sha256: sum) ?? 0
            }
        }
        for line in lines {
            let correction = line.correction
            if let label = correction.action.givenLabel, !isKnown(label, state) {
                state.newLabels.insert(Array(label.utf8))
            }
            if let clip = try dataset.number(ofID: correction.id) {
                state.lines.append(
                    Line(clip: clip, correction: correction, isApplied: line.line <= state.lastApplied))
            }
        }
    }
}

extension Correction.Action {
    /// The label that a clip has after it; nil: it gives none.
    fileprivate var givenLabel: String? {
        switch self {
        case .relabel(let label), .add(let label): label
        case .remove, .exclude, .include, .checked, .note, .undo: nil
        }
    }
}
