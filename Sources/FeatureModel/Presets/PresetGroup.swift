/// What presets have in common, for lists.
public enum PresetGroup: String, CaseIterable, Sendable {
    /// What Veery computes unless a configuration says otherwise.
    case defaults
    /// The input of a model, as its authors trained it.
    case models
    /// The features of a library or toolkit.
    case libraries
    /// The analyses of real-time audio programs.
    case referenceSystems = "reference systems"

    /// The heading of the group in a list.
    public var title: String {
        switch self {
        case .defaults: "Defaults of Veery"
        case .models: "Models"
        case .libraries: "Libraries and toolkits"
        case .referenceSystems: "Reference systems"
        }
    }
}
