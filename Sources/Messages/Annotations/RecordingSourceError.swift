import Annotations
import FeatureModel
import Manifests

extension RecordingSourceError: CustomStringConvertible {
    /// The remarks on tables that are not read.
    private static let unread: [Remark.Kind] = [.tablesUnclaimed, .manifestsSkipped, .tablesOfOthers]

    /// The file or folder, what was expected, what was found, and what to do.
    package var description: String {
        switch self {
        case .unreadableFolder(let path, let error): "\(path): the folder cannot be read: \(error)"
        case .missingTimes(let path, let reason): "\(path): \(reason)"
        case .noRecording(let path, let folder):
            "\(path): it names no recording, and there is no recording of that name in \(folder): give the recording "
                + "or a manifest as the source, and this file with --annotations"
        case .severalRecordings(let path, let ambiguity): "\(path): it names no recording, and \(ambiguity)"
        case .clipsAlready(let path):
            "\(path): its rows are parts of recordings with labels, which are clips already: give it to 'veery extract'. For windows "
                + "of them, give --window; for what other tables mark in them, give those with --annotations"
        case .unreadTimes(let path, let start, let end, let format):
            "\(path): its columns \(quoted(start)) and \(quoted(end)) may be the starts and ends of parts of the "
                + "recordings, and are not read: "
                + (format == .jsonLines
                    ? "name them 'start' and 'end'"
                    : "give --start-column \(ShellText.word(start)) --end-column \(ShellText.word(end))")
                + "; if it is a list of whole recordings, give --format "
                + (format == .quotedTSV ? ManifestFormat.tsv : format ?? .csv).rawValue
        case .noReader(let path, let format):
            "\(path): it is \(format.sentence(path: path)), and give it with --annotations"
        case .noTables(let path, let account, let named):
            "\(path): "
                + (account.inWords.remarks.first { Self.unread.contains($0.kind) }?.first.first
                    .map { "\($0) is not read as annotations, and " } ?? "")
                + "there are no annotation files"
                + (named.map { " named \(quoted($0.text)) (--annotations-named)" } ?? "")
                + " beside its recordings (such as day.Table.1.selections.txt, "
                + "day.TextGrid or day.csv beside day.wav): give them with --annotations, or cut windows with --window "
                + "and without --no-label"
        case .noTablesInFolder(let path, let named):
            "\(path): expected a folder with annotation files, found none in it"
                + (named.map { " that is named \(quoted($0.text)) (--annotations-named)" } ?? "")
        case .noClips(let path, let lack): "\(path): \(lack.text); nothing written"
        }
    }
}

extension RecordingSourceError.Lack {
    fileprivate var text: String {
        switch self {
        case .annotations: "there are no annotations"
        case .lengths: "no annotation has the length of a clip (--min-duration, --max-duration)"
        case .labels: "no window has a label"
        case .windows: "no recording is as long as a window (--partial keep)"
        }
    }
}
