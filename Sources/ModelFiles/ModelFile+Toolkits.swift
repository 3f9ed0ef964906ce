import FeatureModel

extension ModelFile {
    /// NeMo's `model_config.yaml`, with a section `preprocessor`; nil: it is none.
    static func nemo(_ root: JSONValue) throws(ModelFileError) -> ModelConfiguration? {
        let isInner = root["preprocessor"] == nil && root["model"]?["preprocessor"] != nil
        let model = isInner ? root["model"] ?? .null : root
        guard case .object(let fields) = model["preprocessor"] else { return nil }
        let prefix = isInner ? "model.preprocessor." : "preprocessor."
        guard let target = fields.first(where: { $0.name == "_target_" })?.value.string else {
            throw .unrecognised(
                "\(prefix)_target_ is missing: add the class, such as "
                    + "nemo.collections.asr.modules.AudioToMelSpectrogramPreprocessor, to a copy of the file")
        }
        let name = target.split(separator: ".").last.map(String.init) ?? ""
        guard let row = NeMoClasses.all.first(where: { $0.name == name }) else {
            throw .unknownClass(
                name: target, field: prefix + "_target_", format: .nemo, known: NeMoClasses.all.map(\.name))
        }
        let others = model.members.filter { $0.name != "preprocessor" }
        let resolved = try fields.map { field throws(ModelFileError) in
            JSONValue.Member(name: field.name, value: try value(field, prefix, root, model))
        }
        return try ModelConfiguration(
            row, resolved, prefix: prefix, unused: ofModel(others, isInner ? "model." : ""))
    }

    /// The value of a field, or that which `${model.sample_rate}` points to, from the top of the file or from its model.
    private static func value(
        _ field: JSONValue.Member, _ prefix: String, _ root: JSONValue, _ model: JSONValue
    ) throws(ModelFileError) -> JSONValue {
        guard let text = field.value.string, text.contains("${") else { return field.value }
        let path = text.dropFirst(2).dropLast().split(separator: ".").map(String.init)
        if text.hasPrefix("${"), text.hasSuffix("}"), !text.dropFirst(2).contains("$") {
            var paths = [path]
            // Within a model's own file, that file is the model.
            if path.first == "model" { paths.append(Array(path.dropFirst())) }
            for path in paths {
                let found = path.reduce(Optional(root)) { $0?[$1] } ?? path.reduce(Optional(model)) { $0?[$1] }
                if let found, found.string?.contains("${") != true { return found }
            }
        }
        throw .unsupported(
            field: prefix + field.name, found: text.excerpt, expected: "a value, or the name of one in the file",
            advice: "put the value itself into a copy of the file")
    }

    /// Fields next to the front end. With statistics of these names, the model itself normalises what it is given.
    private static func ofModel(_ members: [JSONValue.Member], _ prefix: String = "") -> [ModelConfiguration.Unused] {
        let ofLayers: Set = ["cmvn", "cmvn_conf", "cmvn_file", "is_json_cmvn", "normalize", "normalize_conf"]
        return members.map { member in
            .init(
                field: prefix + member.name,
                reason: ofLayers.contains(member.name)
                    ? "the normalisation by it is a layer of the model" : "it is of the model or its training")
        }
    }

    /// ESPnet, FunASR, WeNet, WeSpeaker and lhotse; nil: it is of none of them.
    static func toolkit(
        _ root: JSONValue, _ neighbours: @escaping (String) -> String?
    ) throws(ModelFileError) -> ModelConfiguration? {
        if let kind = root["feature_type"]?.string {
            guard let row = LhotseClasses.all.first(where: { $0.name == kind }) else {
                throw .unknownClass(
                    name: kind, field: "feature_type", format: .lhotse, known: LhotseClasses.all.map(\.name))
            }
            return try ModelConfiguration(row, root.members)
        }
        if root["frontend"] != nil || root["frontend_conf"] != nil { return try frontend(root, neighbours) }
        if let conf = root["dataset_conf"] { return try wenet(root, conf) }
        if let arguments = root["dataset_args"] { return try wespeaker(root, arguments) }
        return nil
    }

    /// `frontend` and `frontend_conf`, of ESPnet or FunASR.
    private static func frontend(
        _ root: JSONValue, _ neighbours: @escaping (String) -> String?
    ) throws(ModelFileError) -> ModelConfiguration {
        let conf = root["frontend_conf"]?.members ?? []
        guard let kind = root["frontend"]?.string else {
            throw .unrecognised(
                "frontend is missing: add frontend: default (ESPnet) or frontend: WavFrontend (FunASR) to a copy of the file"
            )
        }
        switch kind {
        case "WavFrontend", "wav_frontend":
            return try funasr(root, conf, neighbours)
        case "default":
            if let size = root["input_size"] {
                throw .unsupported(
                    field: "input_size", found: size.shown, expected: "null",
                    advice: "the model takes features that another program has made")
            }
            if let volume = root["speech_volume_normalize"] {
                throw .unsupported(
                    field: "speech_volume_normalize", found: volume.shown, expected: "null",
                    advice: "recordings are brought to a volume before, which condition.gain: peak does")
            }
            let own = ["normalize", "normalize_conf"]
            let others = root.members.filter { !(own + ["frontend", "frontend_conf"]).contains($0.name) }
            return try ModelConfiguration(
                ESPnetFrontend.row, conf + root.members.filter { own.contains($0.name) }, prefix: "frontend_conf.",
                elsewhere: Dictionary(uniqueKeysWithValues: own.map { ($0, $0) }), unused: ofModel(others))
        default:
            throw .unknownClass(
                name: kind, field: "frontend", format: kind.hasPrefix("Wav") ? .funasr : .espnet,
                known: ["default", "WavFrontend"])
        }
    }

    /// FunASR's `WavFrontend`, with the constants that `frontend_conf` names: version 0 alone read those of the top level.
    private static func funasr(
        _ root: JSONValue, _ conf: [JSONValue.Member], _ neighbours: @escaping (String) -> String?
    ) throws(ModelFileError) -> ModelConfiguration {
        let conf = statistics(conf, neighbours)
        let isNamed = conf.contains { $0.name == "cmvn_file" && $0.value != .null }
        if let file = root["cmvn_file"], file != .null, !isNamed, neighbours(FunASRFrontend.statistics) == nil {
            throw .unsupported(
                field: "cmvn_file", found: file.shown, expected: "the constants by frontend_conf.cmvn_file",
                advice:
                    "FunASR 1 reads them there, and version 0 at the top level: move the line into frontend_conf in a "
                    + "copy of the file, next to the file of constants, or take it out if the model was trained without them"
            )
        }
        let others = root.members.filter { !["frontend", "frontend_conf", "cmvn_file"].contains($0.name) }
        let reason = "the constants are those that frontend_conf or \(FunASRFrontend.statistics) has, if there are any"
        let isListed = root.members.contains { $0.name == "cmvn_file" }
        let constants = isListed ? [ModelConfiguration.Unused(field: "cmvn_file", reason: reason)] : []
        return try ModelConfiguration(
            FunASRFrontend.row, conf, prefix: "frontend_conf.", unused: constants + ofModel(others),
            neighbours: neighbours)
    }

    /// The fields with the file of statistics that `configuration.json` of a published model names, which wins.
    private static func statistics(
        _ conf: [JSONValue.Member], _ neighbours: (String) -> String?
    ) -> [JSONValue.Member] {
        guard let text = neighbours("configuration.json"),
            let file = JSONValue(json: text.utf8)?["file_path_metas"]?["frontend_conf"]?["cmvn_file"], file != .null
        else { return conf }
        return conf.filter { $0.name != "cmvn_file" } + [.init(name: "cmvn_file", value: file)]
    }

    private static func wenet(_ root: JSONValue, _ conf: JSONValue) throws(ModelFileError) -> ModelConfiguration {
        let kind = conf["feats_type"]?.string ?? "fbank"
        guard kind == "fbank", let fields = conf["fbank_conf"] else {
            throw .unknownClass(
                name: kind == "fbank" ? "no fbank_conf" : kind, field: "dataset_conf.feats_type", format: .wenet,
                known: ["fbank, with fbank_conf"])
        }
        let rate = conf["resample_conf"]?["resample_rate"]
        let others = root.members.filter { $0.name != "dataset_conf" }
        let ofData = conf.members.filter { !["fbank_conf", "resample_conf"].contains($0.name) }
        return try ModelConfiguration(
            WeNetFeatures.wenet, fields.members + (rate.map { [.init(name: "resample_rate", value: $0)] } ?? []),
            prefix: "dataset_conf.fbank_conf.",
            elsewhere: ["resample_rate": "dataset_conf.resample_conf.resample_rate"],
            unused: ofModel(ofData, "dataset_conf.") + ofModel(others))
    }

    private static func wespeaker(_ root: JSONValue, _ arguments: JSONValue) throws(ModelFileError)
        -> ModelConfiguration
    {
        let kind = arguments["frontend"]?.string ?? "fbank"
        guard kind == "fbank", let fields = arguments["fbank_args"] else {
            throw .unknownClass(
                name: kind == "fbank" ? "no fbank_args" : kind, field: "dataset_args.frontend", format: .wespeaker,
                known: ["fbank, with fbank_args"])
        }
        let own = ["fbank_args", "resample_rate", "frontend", "cmvn", "cmvn_args"]
        for member in arguments["cmvn_args"]?.members ?? [] {
            let usual = ["norm_mean": true, "norm_var": false][member.name]
            guard let usual, member.value == .boolean(usual) else {
                throw .unsupported(
                    field: "dataset_args.cmvn_args.\(member.name)", found: "another value",
                    expected: "norm_mean: true and norm_var: false",
                    advice: "set the keys of normalize over a copy without this line")
            }
        }
        let outer = ["resample_rate", "cmvn"]
        return try ModelConfiguration(
            WeNetFeatures.wespeaker, fields.members + arguments.members.filter { outer.contains($0.name) },
            prefix: "dataset_args.fbank_args.",
            elsewhere: Dictionary(uniqueKeysWithValues: outer.map { ($0, "dataset_args.\($0)") }),
            unused: ofModel(arguments.members.filter { !own.contains($0.name) }, "dataset_args.")
                + ofModel(root.members.filter { $0.name != "dataset_args" }))
    }
}
