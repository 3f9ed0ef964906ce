import FeatureModel
import Presentation

extension ConfigurationInput {
    /// What was read from which file, for people.
    package var words: String {
        let what =
            switch kind {
            case .mean: "normalize.mean"
            case .std: "normalize.std"
            case .model: "the model"
            }
        return "\(what) from \(name.printable)"
    }
}
