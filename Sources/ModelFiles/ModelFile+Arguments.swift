import FeatureModel

extension ModelFile {
    /// The names that torchaudio or librosa alone has.
    private static let ofTorchaudio: Set = [
        "sample_rate", "f_min", "f_max", "mel_scale", "window_fn", "wkwargs", "melkwargs", "onesided", "log_mels",
    ]
    private static let ofLibrosa: Set = ["sr", "fmin", "fmax", "htk", "window", "lifter", "mel_norm"]

    /// The keyword arguments of a function of torchaudio or librosa; nil: they are none.
    static func arguments(_ members: [JSONValue.Member]) throws(ModelFileError) -> ModelConfiguration? {
        let rows = TorchaudioFunctions.all + LibrosaFunctions.all
        let names = Set(members.map(\.name))
        if let target = members.first(where: { $0.name == "_target_" })?.value.string {
            let last = target.split(separator: ".").last.map(String.init) ?? ""
            if let row = NeMoClasses.all.first(where: { $0.name == last }) {
                return try ModelConfiguration(row, members)
            }
            guard
                let row = rows.first(where: {
                    $0.name == target || target.hasPrefix("torchaudio.") && $0.name.hasSuffix(".\(last)")
                })
            else {
                throw .unknownClass(
                    name: target, field: "_target_", format: target.hasPrefix("librosa") ? .librosa : .torchaudio,
                    known: rows.map(\.name))
            }
            return try ModelConfiguration(row, flat(members))
        }
        guard !names.isDisjoint(with: ["n_fft", "n_mels", "n_mfcc"]) else { return nil }
        let (isTorchaudio, isLibrosa) = (!names.isDisjoint(with: ofTorchaudio), !names.isDisjoint(with: ofLibrosa))
        guard isTorchaudio != isLibrosa else {
            throw .unrecognised(
                "these may be arguments of torchaudio or of librosa: add which function takes them, such as \"_target_\": "
                    + "\"torchaudio.transforms.MelSpectrogram\", to a copy of the file; it is one of "
                    + rows.map(\.name).joined(separator: ", "))
        }
        let functions = isTorchaudio ? TorchaudioFunctions.all : LibrosaFunctions.all
        let isCepstrum = names.contains("n_mfcc") || names.contains("melkwargs")
        return try ModelConfiguration(functions[isCepstrum ? 1 : 0], flat(members))
    }

    /// The members with those of `melkwargs` among them, by their full names.
    private static func flat(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        members.flatMap { member in
            guard member.name == "melkwargs", case .object(let inner) = member.value else { return [member] }
            return inner.map { JSONValue.Member(name: "melkwargs.\($0.name)", value: $0.value) }
        }
    }
}
