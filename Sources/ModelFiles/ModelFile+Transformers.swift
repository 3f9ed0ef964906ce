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
    static func transformers(_ members: [JSONValue.Member]) throws(ModelFileError) -> ModelConfiguration? {
        let nested = members.first { member in
            guard case .object = member.value else { return false }
            return ["feature_extractor", "audio_processor"].contains(member.name)
        }
        if let nested {
            let others = members.filter { $0.name != nested.name }
                .map {
                    ModelConfiguration.Unused(field: $0.name, reason: "it is of the processor, next to the extractor")
                }
            return try extractor(nested.value.members, prefix: nested.name + ".", unused: others)
        }
        let names = Set(members.map(\.name))
        if names.contains("feature_extractor_type") { return try extractor(members, prefix: "", unused: []) }
        guard !names.contains("feature_type"),
            names.contains("processor_class") || names.isSuperset(of: ["feature_size", "sampling_rate"])
        else { return nil }
        throw .unrecognised(
            "it looks like a file of transformers, and has no feature_extractor_type: add the name of the class, such as "
                + "\"feature_extractor_type\": \"SeamlessM4TFeatureExtractor\", to a copy of the file; the model's page names it"
        )
    }

    private static func extractor(
        _ members: [JSONValue.Member], prefix: String, unused: [ModelConfiguration.Unused]
    ) throws(ModelFileError) -> ModelConfiguration {
        guard let name = members.first(where: { $0.name == "feature_extractor_type" })?.value.string else {
            throw .unrecognised(
                "\(prefix)feature_extractor_type is missing: add the name of the class, such as WhisperFeatureExtractor, to a "
                    + "copy of the file; the model's page names it")
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
