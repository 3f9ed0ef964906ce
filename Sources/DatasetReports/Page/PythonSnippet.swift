import DatasetInspection
import Essentials
import FeatureModel
import Platform

/// A Python program to copy that loads the file, with its layout, type and normalisation.
enum PythonSnippet {
    static func text(_ report: DatasetReport) -> String {
        let summary = report.summary
        guard summary.files == nil else { return textOfSet(report) }
        return """
            import h5py
            import numpy as np

            path = \(literal(report.fileName))


            def load(file, clip):
                \"\"\"The features of the clip with an index, [\(shape(summary))], float32: \(inComment(summary.units)).\"\"\"
                \(rows(summary))


            \(undo(summary.configuration.normalize))with h5py.File(path) as file:
                ids = file["clips/id"].asstr()[:]
                labels = file["clips/label"].asstr()[:]
                splits = file["clips/split"].asstr()[:]
            \(choice(summary))    for clip in chosen[:3]:
                    features = load(file, clip)
                    print(ids[clip], labels[clip], features.shape, features.mean())\(use(summary.configuration.normalize))

            """
    }

    /// The same for a set: `veery` opens all of its files as one.
    private static func textOfSet(_ report: DatasetReport) -> String {
        let summary = report.summary
        let chosen = split(summary).map { "file.select(split=\(literal($0)))" } ?? "file"
        let undone =
            summary.configuration.normalize.scope == .none
            ? "" : "\n        print(\"before normalisation:\", clip.raw().features.mean())"
        return """
            import veery

            path = \(literal(report.fileName))

            # Each file that the index names is a feature file of its own, which h5py reads, too.
            with veery.open(path) as file:
                for clip in \(chosen)[:3]:
                    # \(inComment(summary.units))
                    print(clip.id, clip.label, clip.features.shape, clip.features.mean())\(undone)

            """
    }

    private static func shape(_ summary: DatasetSummary) -> String {
        if let patch = summary.configuration.patches.shape { return "patches, \(patch.length), \(summary.bins)" }
        return "frames, " + (summary.featureChannels.map { "\($0), " } ?? "") + "\(summary.bins)"
    }

    private static func rows(_ summary: DatasetSummary) -> String {
        let patch = summary.configuration.patches.shape
        let type =
            (summary.type == "float16" ? ".astype(np.float32)" : "")
            + (patch?.isStacked == true ? ".reshape(count, \(patch?.length ?? 1), \(summary.bins))" : "")
        if summary.layout == "fixed" {
            // The axis of channels comes before that of frames.
            let own = summary.featureChannels == nil ? "[clip, :count]" : "[clip, :, :count].transpose(1, 0, 2)"
            return "count = file[\"clips/frame_count\"][clip]  # later frames are padding\n"
                + "    return file[\"features\"]\(own)\(type)"
        }
        return "start, count = file[\"clips/frame_start\"][clip], file[\"clips/frame_count\"][clip]\n"
            + "    return file[\"features\"][start : start + count]\(type)"
    }

    private static func choice(_ summary: DatasetSummary) -> String {
        guard let split = split(summary) else { return "    chosen = np.arange(len(ids))\n" }
        return "    chosen = np.flatnonzero(splits == \(literal(split)))\n"
    }

    /// The split that is loaded; nil: clips have none.
    private static func split(_ summary: DatasetSummary) -> String? {
        (summary.splits.first { $0.name == "train" } ?? summary.splits.first)?.name
    }

    private static func undo(_ normalize: NormalizeConfiguration) -> String {
        guard normalize.scope != .none else { return "" }
        let (group, row) = normalize.scope == .clip ? ("clips/statistics", "[clip]") : ("statistics", "[:]")
        func figure(_ name: String) -> String { "file[\"\(group)/\(name)\"]\(row)" }
        if let mean = normalize.mean, let std = normalize.std {
            return "def before_normalisation(file, clip, features):\n"
                + "    \"\"\"What the features of a clip were before they were normalised.\"\"\"\n"
                + "    return features * \(std) + \(mean)\n\n\n"
        }
        let overBins = "axis=-1, keepdims=True"
        var lines: [String] = []
        switch normalize.method {
        case .zscore, .mean:
            lines.append("mean, std = \(figure("mean")), \(figure("std"))")
            if normalize.axis == .all {
                // Of each channel, where there is an axis of them.
                lines.append("variance = np.mean(std**2, \(overBins)) + np.var(mean, \(overBins))")
                lines.append("mean, std = np.mean(mean, \(overBins)), np.sqrt(variance)")
            }
            if normalize.ddof != 0 {
                let count =
                    normalize.scope == .clip
                    ? "file[\"clips\"].get(\"computed_frames\", file[\"clips/frame_count\"])[clip]"
                    : "file[\"statistics\"].attrs[\"count\"]"
                let values = normalize.axis == .all ? " * file[\"statistics/mean\"].shape[-1]" : ""
                lines.append("count = int(\(count))\(values)")
                lines.append(
                    "std = std * np.sqrt(count / (count - \(normalize.ddof))) if count > \(normalize.ddof) else std * 0"
                )
            }
            if normalize.epsilon != 0 {
                lines.append(
                    normalize.epsilonPlacement == .std
                        ? "std = std + \(normalize.epsilon)" : "std = np.sqrt(std**2 + \(normalize.epsilon))")
            }
            lines.append("offset, spread = mean, \(normalize.method == .zscore ? "std" : "np.ones_like(std)")")
        case .minmax, .range:
            lines.append("least, most = \(figure("min")), \(figure("max"))")
            if normalize.axis == .all {
                lines.append("least, most = np.min(least, \(overBins)), np.max(most, \(overBins))")
            }
            lines.append("offset, spread = least, most - least")
            if normalize.method == .range { lines.append("features, spread = features + 1, spread / 2") }
        }
        lines.append("spread = np.where(spread > np.finfo(np.float32).tiny, spread, 1)  # no spread: divided by 1")
        lines.append("return features * spread + offset")
        return "def before_normalisation(file, clip, features):\n"
            + "    \"\"\"What the features of a clip were before they were normalised.\"\"\"\n"
            + lines.map { "    \($0)\n" }.joined() + "\n\n"
    }

    private static func use(_ normalize: NormalizeConfiguration) -> String {
        normalize.scope == .none
            ? "" : "\n        print(\"before normalisation:\", before_normalisation(file, clip, features).mean())"
    }

    /// A text as Python writes it, which is as JSON does.
    static func literal(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let data = try? encoder.encode(text) else { return "\"\"" }
        return String(decoding: data, as: UTF8.self)
    }

    /// A unit, without the quotation marks and backslashes that a damaged file may have in it.
    private static func inComment(_ text: String) -> String {
        DisplayName.text(text.mapScalars { $0 == "\"" ? "'" : $0 == "\\" ? "/" : $0 })
    }
}
