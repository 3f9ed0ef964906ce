import FeatureModel

/// A class of a program that makes features, as a row of a table: what is fixed, what its fields do, and what follows from several of
/// them.
struct FrontEnd: Sendable {
    /// The name of the class in files.
    let name: String
    let format: ModelFormat
    /// The settings that no field changes, in the words of a preset's block: kinds and scopes first.
    let fixed: String
    let fields: [Field]
    /// What people have to know: parts of the original that are not part of the features.
    let remarks: [String]
    /// The section of a configuration that the class leaves open, with what is said where nothing is set in it; nil: none.
    let open: (@Sendable (Reading) -> ModelInput.Open)?
    /// Sets what depends on several fields, and refuses what cannot be computed.
    let settle: @Sendable (inout Reading) throws(ModelFileError) -> Void

    init(
        _ name: String, _ format: ModelFormat, _ fixed: String, _ fields: [Field], remarks: [String] = [],
        open: (@Sendable (Reading) -> ModelInput.Open)? = nil,
        settle: @escaping @Sendable (inout Reading) throws(ModelFileError) -> Void = { _ in }
    ) {
        (self.name, self.format, self.fixed) = (name, format, fixed)
        (self.fields, self.remarks, self.open, self.settle) = (fields, remarks, open, settle)
    }

    /// The names by which files hold the sample rate, in Hz.
    private static let rateFields: Set = [
        "sampling_rate", "sample_rate", "sample-frequency", "resample_rate", "fs", "sr",
    ]

    /// The field that holds the sample rate in Hz; nil: the class has none, or another measure.
    var rateField: String? { fields.lazy.map(\.name).first { Self.rateFields.contains($0) } }

    /// The rows of a program.
    static func all(of format: ModelFormat) -> [FrontEnd] {
        switch format {
        case .transformers: TransformersClasses.all
        case .nemo: NeMoClasses.all
        case .kaldi: KaldiPrograms.all
        case .lhotse: LhotseClasses.all
        case .htk: [HTKProgram.row]
        case .espnet: [ESPnetFrontend.row]
        case .funasr: [FunASRFrontend.row]
        case .wenet: [WeNetFeatures.wenet]
        case .wespeaker: [WeNetFeatures.wespeaker]
        case .torchaudio: TorchaudioFunctions.all
        case .librosa: LibrosaFunctions.all
        }
    }
}
