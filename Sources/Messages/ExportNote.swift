import FeatureExport
import Presentation

extension ExportNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .textMissing(let columns):
            "no transcripts are exported, since the feature file has none of the columns "
                + columns.map { "'\($0)'" }.joined(separator: ", ")
                + "; if the dataset has them in another column, extract with --column text=COLUMN"
        case .columnsLeftOut(let columns):
            "\(Wording.count(columns.count, "column")) \(columns.count == 1 ? "has" : "have") no table in Kaldi, and "
                + "\(columns.count == 1 ? "is" : "are") not exported: "
                + columns.map { "'\($0)'" }.joined(separator: ", ")
                + "; --to npy has all columns"
        case .gendersDisagree(let speakers):
            "\(Wording.count(speakers.count, "speaker")) \(speakers.count == 1 ? "has" : "have") clips of several genders, of "
                + "which spk2gender has the first: "
                + speakers.prefix(3).map { "'\($0)'" }.joined(separator: ", ") + (speakers.count > 3 ? " …" : "")
        }
    }
}
