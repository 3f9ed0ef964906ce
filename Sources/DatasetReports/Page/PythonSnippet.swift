import DatasetInspection
import Essentials
import FeatureModel
import Platform

/// A Python program to copy that loads the file, with its layout, type and normalisation.
enum PythonSnippet {
    static func text(_ report: DatasetReport) throws(ReportError) -> String {
        try PageTemplates.text("python", context(report).compactMapValues { $0 })
    }

    private static func context(_ report: DatasetReport) -> [String: Any?] {
        let summary = report.summary
        let normalize = summary.configuration.rowNormalization
        let isOfClip = normalize.scope == .clip
        let patch = summary.configuration.patches.shape
        return [
            // The package `veery` opens all files of a set as one.
            "isSet": summary.files != nil, "path": literal(report.fileName), "units": inComment(summary.units),
            "bins": summary.bins, "channels": summary.featureChannels, "isFixed": summary.layout == "fixed",
            "rows": rows(summary), "isHalf": summary.type == "float16", "patch": patch?.length,
            "isStacked": patch?.isStacked == true,
            "split": (summary.splits.first { $0.name == "train" } ?? summary.splits.first).map { literal($0.name) },
            "isNormalized": normalize.scope != .none && normalize.minimum == nil,
            "hasMoments": [.zscore, .mean].contains(normalize.method),
            "constant": normalize.constants.map { ["mean": $0.mean, "std": $0.std] },
            "constantColumns": normalize.constantColumns, "hasConstants": normalize.scope == .constant,
            "group": isOfClip ? "clips/statistics" : "statistics", "row": isOfClip ? "[clip]" : "[:]",
            "count": isOfClip
                ? "file[\"clips\"].get(\"computed_frames\", file[\"clips/frame_count\"])[clip]"
                : "file[\"statistics\"].attrs[\"count\"]",
            "isOverBins": normalize.axis == .all, "ddof": normalize.ddof == 0 ? nil : normalize.ddof,
            "epsilon": normalize.epsilon == 0 ? nil : normalize.epsilon,
            "isInVariance": normalize.epsilonPlacement == .variance, "isScaled": normalize.method == .zscore,
            "isAroundZero": normalize.method == .range,
        ]
    }

    private static func rows(_ summary: DatasetSummary) -> String {
        guard summary.layout == "fixed" else { return "[start : start + count]" }
        // The axis of channels comes before that of frames.
        return summary.featureChannels == nil ? "[clip, :count]" : "[clip, :, :count].transpose(1, 0, 2)"
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
