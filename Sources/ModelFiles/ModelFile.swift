import FeatureModel

/// A model's own configuration file, as its text says.
package enum ModelFile: Sendable {
    /// Values in JSON or YAML.
    case tree(JSONValue)
    /// Options of Kaldi.
    case kaldi([JSONValue.Member])
    /// Parameters of HTK.
    case htk([JSONValue.Member])

    /// A file that is lines of words; nil: it is JSON, YAML or nothing.
    package init?(words text: String) {
        if let options = ModelText.kaldi(text) {
            self = .kaldi(options)
        } else if let parameters = ModelText.htk(text) {
            self = .htk(parameters)
        } else {
            return nil
        }
    }

    /// A file of Kaldi's that has no options, as recipes have them where a program's defaults are right: comments alone, under the name of
    /// `fbank.conf` or `mfcc.conf`; nil: it is none.
    package init?(commentsAlone text: String, named name: String) {
        let name = name.lowercased()
        guard name.hasSuffix(".conf"), name.contains("fbank") || name.contains("mfcc"), ModelText.isComments(text)
        else { return nil }
        self = .kaldi([])
    }

    /// Refuses options of Kaldi that lack the two hyphens by which it reads them.
    package static func refuseBareOptions(in text: String) throws(ModelFileError) {
        let known = Set(KaldiPrograms.all.flatMap(\.fields).map(\.name))
        guard let (name, line) = ModelText.bareOption(text, among: known) else { return }
        throw .invalid(
            field: name, found: line.excerpt,
            expected:
                "--\(String(line.drop { $0 == "-" }).excerpt), since Kaldi reads an option by two hyphens in front of it"
        )
    }

    /// Whether a mapping with these keys is a model's own file, and no configuration.
    package static func isMarked(by keys: [String]) -> Bool {
        let marks: Set = [
            "feature_extractor_type", "feature_extractor", "audio_processor", "preprocessor", "frontend_conf",
            "dataset_conf",
            "dataset_args", "feature_type", "_target_", "model_type",
        ]
        return keys.contains { marks.contains($0) } || Set(keys).isSuperset(of: ["feature_size", "sampling_rate"])
    }

    /// The front end that a file describes.
    ///
    /// - Parameters:
    ///   - name: The file's name: of Kaldi's options it says which program they are for.
    ///   - neighbours: The text of a file in the folder of this one; nil: there is none.
    package func configuration(
        named name: String, neighbours: @escaping (String) -> String?
    ) throws(ModelFileError) -> ModelConfiguration {
        switch self {
        case .kaldi(let options): try Self.kaldi(options, name)
        case .htk(let parameters): try ModelConfiguration(HTKProgram.row, parameters)
        case .tree(let root): try Self.configuration(of: root, neighbours)
        }
    }

    private static func configuration(
        of root: JSONValue, _ neighbours: @escaping (String) -> String?
    ) throws(ModelFileError) -> ModelConfiguration {
        guard case .object(let members) = root else {
            throw .unrecognised("expected a mapping of fields, found \(root.shown)")
        }
        try refuseRepeated(root, "")
        if let found = try transformers(members, neighbours) { return found }
        if let found = try nemo(root) { return found }
        if let found = try toolkit(root, neighbours) { return found }
        if let found = try arguments(members) { return found }
        if root["architectures"] != nil || root["model_type"] != nil {
            throw .unrecognised(
                "this is the configuration of a network: the front end is in preprocessor_config.json, next to it")
        }
        throw .unrecognised(
            "nothing in it says whose configuration it is: expected one of "
                + ModelFormat.allCases.map(\.title).joined(separator: ", "))
    }

    /// Refuses a field that is given twice, at any depth.
    private static func refuseRepeated(_ value: JSONValue, _ path: String) throws(ModelFileError) {
        switch value {
        case .object(let members):
            var names: Set<String> = []
            for member in members {
                guard names.insert(member.name).inserted else { throw .repeated(field: path + member.name) }
                try refuseRepeated(member.value, "\(path)\(member.name).")
            }
        case .array(let elements): for element in elements { try refuseRepeated(element, path) }
        case .string, .number, .boolean, .null: break
        }
    }

    /// Kaldi's options: those that one program alone has say which it is, or the file's name.
    private static func kaldi(
        _ options: [JSONValue.Member], _ fileName: String
    ) throws(ModelFileError) -> ModelConfiguration {
        // Both spellings are read.
        let options = options.map {
            JSONValue.Member(name: String($0.name.map { $0 == "_" ? "-" : $0 }), value: $0.value)
        }
        let names = Set(options.map(\.name))
        if let spaced = options.first(where: { $0.name.contains(" ") }) {
            let words = spaced.name.split(separator: " ", maxSplits: 1).map(String.init)
            throw .invalid(
                field: words[0].excerpt, found: "'--\(spaced.name.excerpt)'",
                expected: "--\(words.joined(separator: "=").excerpt), since Kaldi reads a value after an equals sign")
        }
        let lowered = fileName.lowercased()
        let isNamed = (cepstrum: lowered.contains("mfcc"), filterBank: lowered.contains("fbank"))
        if !isNamed.cepstrum, !isNamed.filterBank {
            for other in KaldiPrograms.others
            where lowered.contains(other.file) || !names.isDisjoint(with: other.options) {
                throw .unknownClass(
                    name: other.program, field: fileName, format: .kaldi, known: KaldiPrograms.all.map(\.name))
            }
        }
        if let nested = options.first(where: { $0.name == "config" }) {
            throw .unsupported(
                field: "config", found: nested.value.shown, expected: "no other file", advice: "give that file itself")
        }
        let isCepstrum = !names.isDisjoint(with: KaldiPrograms.ofCepstra)
        let isFilterBank = !names.isDisjoint(with: KaldiPrograms.ofFilterBank)
        if isCepstrum || !isFilterBank && isNamed.cepstrum && !isNamed.filterBank {
            return try ModelConfiguration(KaldiPrograms.all[1], options)
        }
        if isFilterBank || isNamed.filterBank && !isNamed.cepstrum {
            return try ModelConfiguration(KaldiPrograms.all[0], options)
        }
        throw .unrecognised(
            "these are options of Kaldi, for compute-fbank-feats or for compute-mfcc-feats: nothing says which. Name the file "
                + "fbank.conf or mfcc.conf")
    }
}
