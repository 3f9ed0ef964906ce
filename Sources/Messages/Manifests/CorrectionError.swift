import FeatureModel
import Manifests
import Presentation

extension CorrectionError: CustomStringConvertible {
    /// How many problems are listed in words.
    private static let listed = 20

    /// The file, what was expected, what was found, and what to do.
    package var description: String {
        switch self {
        case .notFound(let path): "\(path): there is no such file of corrections; check the path"
        case .notRegularFile(let path): "\(path): expected a file of corrections, found a folder, a pipe or a device"
        case .system(let path, let operation, let error): "\(path): could not \(operation): \(error)"
        case .notCSV(let path, let found): "\(path): expected corrections as a CSV in UTF-8, found \(found)"
        case .noHeader(let path): "\(path): expected corrections, whose first line is \(Self.header); found no line"
        case .badTable(let error): "\(error)"
        case .unknownColumn(let path, let name, let nearest):
            "\(path): \(quoted(name)) is no column of corrections\(nearest.map { " (did you mean '\($0)'?)" } ?? ""); rename or remove "
                + "it: the columns are \(Self.header)"
        case .missingColumn(let path, let name):
            "\(path): expected corrections, whose first line is \(Self.header); there is no column '\(name)'"
        case .badLines(let path, let problems, let total):
            ([
                "\(path): \(Wording.count(total, "line")) \(total == 1 ? "is no correction" : "are no corrections"); nothing was done: "
                    + "correct \(total == 1 ? "it" : "them"):"
            ] + problems.prefix(Self.listed).map { "  \($0.description)" }
                + (total > Self.listed ? ["  and \(Wording.count(total - Self.listed)) more"] : []))
                .joined(separator: "\n")
        case .unknownClips(let path, let manifest, let clips, let total):
            "\(path): \(total == 1 ? "a clip that it corrects is" : "\(Wording.count(total)) clips that it corrects are") not in \(manifest): "
                + clips.map { "\(quoted($0.id)) (line \($0.line))" }.joined(separator: ", ")
                + (total > clips.count ? ", …" : "")
                + ": give the manifest that was corrected, or delete these lines"
        case .otherClips(let path, let manifest, let clips, let total):
            "\(path): \(total == 1 ? "a clip of \(manifest) is" : "\(Wording.count(total)) clips of \(manifest) are") not as when "
                + "\(total == 1 ? "it was" : "they were") corrected: "
                + clips.map { "\(quoted($0.clip.id)) (line \($0.clip.line)): \(Self.words($0.difference))" }
                .joined(separator: "; ") + (total > clips.count ? "; …" : "")
                + ": correct \(total == 1 ? "it" : "them") again, or, if the corrections are still right, delete from their lines what "
                + "differs"
        case .everythingExcluded(let path, let manifest):
            "\(path): it excludes every clip of \(manifest), and no clip is left"
        case .otherForm(let path):
            "\(path): expected a CSV with the columns \(Self.header), between commas, which lines can be added to; found another table"
        case .unwritable(let id):
            "the correction of \(quoted(id)) has no id, or a value that is '#torn' or has a line end"
        }
    }

    private static let header = "id,path,start,end,audio_xxh3,action,label,note,given,by"

    private static func words(_ difference: CorrectedPart.Difference) -> String {
        switch difference {
        case .path(let corrected, let now): "path was \(quoted(corrected)) and is \(quoted(now)) now"
        case .start(let corrected, let now):
            "start was \(Wording.number(corrected)) s and is \(Wording.number(now)) s now"
        case .end(let corrected, let now): "end was \(Wording.number(corrected)) s and is \(Wording.number(now)) s now"
        case .recording(let path): "\(quoted(path)) has another size or time than in audio_xxh3"
        }
    }
}
