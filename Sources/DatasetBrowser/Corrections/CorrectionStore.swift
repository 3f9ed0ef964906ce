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
        /// Of a file that may only be read: as it was when it was read.
        var readStamp: FileStamp?
        var lines: [Line] = []
        /// Labels that lines give and the dataset does not have.
        var newLabels: Set<[UInt8]> = []
        /// How often the file became another one.
        var replacements = 0
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
    /// - Parameter newLabels: Which of them may give a label that the dataset does not have yet.
    /// - Throws: `Refusal`; `CorrectionError`.
    func append(_ corrections: [Correction], mayAddLabel: [Bool]) throws {
        try state.withLock { state in
            try update(&state)
            for (correction, mayAdd) in zip(corrections, mayAddLabel) where !mayAdd {
                guard let label = correction.action.givenLabel, !isKnown(label, state) else { continue }
                throw Refusal(.badRequest, "The dataset has no label '\(label)'; give it as a new one.")
            }
            let file = try state.file ?? OpenLog(path: path)
            state.file = file
            try file.log.append(corrections)
            try update(&state)
        }
    }

    private func isKnown(_ label: String, _ state: State) -> Bool {
        let bytes = Array(label.utf8)
        return bytes.isEmpty || labels.contains(bytes) || state.newLabels.contains(bytes)
    }

    /// Takes the lines that were written since the last time.
    private func update(_ state: inout State) throws {
        if state.file == nil {
            guard let status = FileStatus(path: path) else { return }
            do throws(CorrectionError) { state.file = try OpenLog(path: path) } catch {
                // What may not be written can be looked at.
                guard case .system = error else { throw error }
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
        }
        for line in lines {
            let correction = line.correction
            if let label = correction.action.givenLabel, !isKnown(label, state) {
                state.newLabels.insert(Array(label.utf8))
            }
            if let clip = try dataset.number(ofID: correction.id) {
                state.lines.append(Line(clip: clip, correction: correction))
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
