import Annotations
import FeatureModel
import Manifests
import Presentation

extension SourceProblem: CustomStringConvertible {
    /// The file with the line, what was expected and found, and what to do.
    package var description: String { "\(location): \(text)" }

    private var location: String { "\(path)\(line.map { ", line \($0)" } ?? "")" }

    fileprivate var text: String {
        switch kind {
        case .stated(let note): return note.description
        case .more(let count): return "\(count) more problems"
        case .unread(let error):
            let text = "\(error)"
            return text.hasPrefix(location + ": ") ? String(text.dropFirst(location.count + 2)) : text
        case .severalTables(let names, let patterns, let rest):
            let others = rest == 0 ? "" : " and \(Wording.count(rest)) more \(rest == 1 ? "recording" : "recordings")"
            let byPattern =
                patterns.isEmpty
                ? ""
                : ", or choose for all recordings by --annotations-named "
                    + patterns.map(ShellText.word).joined(separator: " or ")
            return "expected one annotation file for it\(others), found \(names.count): "
                + names.map(quoted).joined(separator: ", ")
                + "; move all but one elsewhere\(byPattern), or give the files "
                + "with --annotations"
        case .inseparable(let label):
            return
                "the label '\(label)' holds '\(LabelList.separator)', which separates labels in the column "
                + "'\(LabelList.column)'; rename it, or write JSON Lines"
        case .cutOff(let reason): return "\(reason) (--truncated keep: the windows of what can be read)"
        case .noConfidence(let hasDistances):
            return
                "no annotation has a confidence, which --min-confidence compares: expected a column such as Confidence or "
                + "score; without the option, all annotations are taken"
                + (hasDistances
                    ? " (TOP1DIST is the distance from the middle of a cluster in Kaleidoscope's own tables: smaller is better)"
                    : "")
        case .confidenceOutOfRange(let confidence):
            return "has the confidence \(confidence); expected 0 to 1, as --min-confidence has it"
        case .noSuchChannel(let channel, let recording, let channels):
            return
                "its channel is \(channel) (counted from 0), but '\(recording)' has \(Wording.count(channels, "channel")) "
                + "(--channel mix ignores channels)"
        case .repeated(let first): return "repeats line \(first): the same times and label"
        case .startsBefore(let start): return "starts at \(seconds(start)), before the recording"
        case .startsLate(let start, let length):
            return "starts at \(seconds(start)), but the recording lasts \(seconds(length))"
        case .endsLate(let end, let length):
            return "ends at \(seconds(end)), and most of it lies after the recording, which lasts \(seconds(length))"
        case .beyondCut(let time, let isStart, let length):
            return
                "\(isStart ? "starts" : "ends") at \(seconds(time)), but the recording is cut off after \(seconds(length)) "
                + "(--truncated keep \(isStart ? "leaves it out" : "cuts it there"))"
        case .point: return "is a point, and no clip by itself: give --context or --min-duration"
        case .mixedChannels(let channel):
            return
                "its annotations are of single channels (first: \(channel), counted from 0), and a clip is the "
                + "mix of all: give the clips a column 'channel', --set audio.channels=NUMBER, or --channel mix to "
                + "take the annotations of all"
        }
    }

    private func seconds(_ nanoseconds: Int) -> String { "\(Wording.thousandths(Nanoseconds.seconds(nanoseconds))) s" }
}

extension SourceProblems: CustomStringConvertible {
    /// How many are listed in words.
    private static let listed = 20

    /// Each problem once: a recording in several rows of a source has its annotations' problems several times.
    private var distinct: [(problem: SourceProblem, words: String)] {
        var known: Set<String> = []
        return problems.map { ($0, $0.description) }.filter { known.insert($0.1).inserted }
    }

    /// The problems of each file by their lines; files are in the order in which they appear first.
    private var sorted: [(problem: SourceProblem, words: String)] {
        let distinct = distinct
        var files: [String: Int] = [:]
        for (problem, _) in distinct where files[problem.path] == nil { files[problem.path] = files.count }
        return distinct.sorted {
            (files[$0.problem.path] ?? 0, $0.problem.line ?? 0) < (files[$1.problem.path] ?? 0, $1.problem.line ?? 0)
        }
    }

    /// A problem as the report in JSON has it.
    package struct Entry: Encodable, Sendable {
        /// The file, or the recording.
        let file: String
        /// From 1; nil: it is of the file as a whole.
        let line: Int?
        let problem: String
    }

    /// All of them, in the order of the words.
    package var entries: [Entry] {
        sorted.map { Entry(file: $0.problem.path, line: $0.problem.line, problem: $0.problem.text) }
    }

    package var description: String {
        let sorted = sorted
        let shown = sorted.prefix(Self.listed).map { "  " + $0.words }
        let rest =
            sorted.count > shown.count
            ? ["  … and \(sorted.count - shown.count) more" + (canSkip ? " (--json lists all)" : "")] : []
        let heading =
            "\(sorted.count) \(sorted.count == 1 ? "problem" : "problems"); nothing was written"
            + (canSkip ? " (--skip-problems leaves out what has problems):" : ":")
        return ([heading] + shown + rest + hints.map(\.description)).joined(separator: "\n")
    }

    /// The remarks that parts with problems are left out.
    package var account: Account {
        var account = Account()
        for (position, one) in distinct.enumerated() {
            account.add(.problemsSkipped, source: source, at: position, one.words)
        }
        return account
    }
}
