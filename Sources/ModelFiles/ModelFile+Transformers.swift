import FeatureModel

extension ModelFile {
    /// What the processors of transformers keep next to the extractor's fields, in one file.
    private static let imageFields: Set = [
        "crop_size", "default_to_square", "do_center_crop", "do_convert_rgb", "do_crop", "do_flip_channel_order",
        "do_normalize",
        "do_pad", "do_rescale", "do_resize", "image_mean", "image_processor_type", "image_seq_length", "image_std",
        "resample",
        "rescale_factor", "size", "image_size", "patch_size", "do_pan_and_scan", "pan_and_scan_min_crop_size",
        "pan_and_scan_max_num_crops", "pan_and_scan_min_ratio_to_activate", "dynamic_hd", "num_img_tokens",
    ]

    /// `preprocessor_config.json`, or `processor_config.json` with an extractor in it; nil: it is neither.
    static func transformers(
        _ members: [JSONValue.Member], _ neighbours: (String) -> String?
    ) throws(ModelFileError) -> ModelConfiguration? {
        let nested = members.first { member in
            guard case .object = member.value else { return false }
            return ["feature_extractor", "audio_processor"].contains(member.name)
        }
        if let nested {
            let others = members.filter { $0.name != nested.name }
                .map {
                    ModelConfiguration.Unused(field: $0.name, reason: "it is of the processor, next to the extractor")
                }
            return try extractor(nested.value.members, prefix: nested.name + ".", unused: others, neighbours)
        }
        let names = Set(members.map(\.name))
        guard
            names.contains("feature_extractor_type")
                || !names.contains("feature_type")
                    && (names.contains("processor_class") || names.isSuperset(of: ["feature_size", "sampling_rate"]))
        else { return nil }
        return try extractor(members, prefix: "", unused: [], neighbours)
    }

    /// The class of an extractor whose file does not name it: by the network's configuration, as in transformers.
    private static func ofNetwork(
        _ members: [JSONValue.Member], prefix: String, _ neighbours: (String) -> String?
    ) throws(ModelFileError) -> (name: String, note: ModelConfiguration.Unused) {
        let field = prefix + "feature_extractor_type"
        // The file of a processor may name that alone, and no field of its extractor.
        let isOfExtractor = !prefix.isEmpty || members.contains { $0.name == "sampling_rate" }
        let network = isOfExtractor ? neighbours("config.json") : nil
        let type = network.flatMap { JSONValue(json: $0.utf8)?["model_type"]?.string }
        if let type, let name = TransformersClasses.name(ofModel: type) {
            let reason = "the file has none; \(name) is that of the model_type in config.json, \(type.excerpt)"
            return (name, .init(field: field, reason: reason))
        }
        let example = TransformersClasses.nearest(to: members)?.name ?? "WhisperFeatureExtractor"
        let known = type.map {
            ", and the model_type in config.json, '\($0.excerpt)', has no extractor that is known here"
        }
        throw .unrecognised(
            "it looks like a file of transformers, and has no \(field)\(known ?? ""): add the name of the class, such as "
                + "\"feature_extractor_type\": \"\(example)\", to a copy of the file; the model's page names it")
    }

    private static func extractor(
        _ members: [JSONValue.Member], prefix: String, unused: [ModelConfiguration.Unused],
        _ neighbours: (String) -> String?
    ) throws(ModelFileError) -> ModelConfiguration {
        var unused = unused
        let name: String
        if let stated = members.first(where: { $0.name == "feature_extractor_type" })?.value.string {
            name = stated
        } else {
            let found = try ofNetwork(members, prefix: prefix, neighbours)
            name = found.name
            unused.append(found.note)
        }
        guard let row = TransformersClasses.row(named: name) else {
            throw .unknownClass(
                name: name, field: prefix + "feature_extractor_type", format: .transformers,
                known: TransformersClasses.all.map(\.name))
        }
        let known = Set(row.fields.map(\.name))
        let isShared = members.contains { $0.name == "image_processor_type" || $0.name == "image_mean" }
        let isOfImages = { (member: JSONValue.Member) in
            isShared && imageFields.contains(member.name) && !known.contains(member.name)
        }
        let images = members.filter(isOfImages)
            .map { ModelConfiguration.Unused(field: prefix + $0.name, reason: "it is of the image processor") }
        return try ModelConfiguration(
            row, members.filter { !isOfImages($0) }, prefix: prefix, unused: images + unused)
    }
}
