import DatasetExtraction
import FileIO

extension StoppedExtraction: CustomStringConvertible {
    /// The error in two lines for a person.
    package var description: String {
        "\(cause)\n\(done)\(total.map { " of \($0)" } ?? "") clips are done and kept in \(folder)\(failures): \(advice)"
    }

    private var failures: String { failed > 0 ? " (\(failed) of them failed)" : "" }

    private var advice: String {
        switch cause {
        case ExtractionError.losses: "the same command without --strict finishes with them"
        case ExtractionError.emptySplit: "a run with another normalize section reuses them; --fresh discards them"
        case StorageError.damaged:
            "repair that file and give the same command again to resume; --fresh --overwrite\(keepsAllOlder ? ", without --append," : "") "
                + "computes all clips again"
        default: "give the same command again to resume"
        }
    }
}
