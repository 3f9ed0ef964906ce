import FeatureModel
import Presentation

/// The size of a tensor, in words.
enum TensorWords {
    /// Rows and their values.
    ///
    /// - Parameters:
    ///   - rows: Number of rows, those of all patches one after another.
    ///   - bins: Values in a row.
    ///   - patch: The patches that rows are grouped into; nil: they are not.
    ///   - times: The sign between the numbers.
    ///   - channels: The channels that a row has; nil: there is one signal.
    static func text(
        rows: Int, bins: Int, patch: PatchShape?, channels: Int? = nil, times: String = "×"
    ) -> String {
        guard let patch else {
            let apart = channels.map { "\(Wording.count($0, "channel")) \(times) " } ?? ""
            return "\(Wording.count(rows, "frame")) \(times) \(apart)\(Wording.count(bins, "bin"))"
        }
        return "\(patches(rows: rows, patch)) \(times) \(Wording.count(bins, "bin"))"
    }

    /// Patches and their frames.
    static func patches(rows: Int, _ patch: PatchShape) -> String {
        let count = rows / patch.length
        return "\(Wording.count(count)) \(patch.isStacked ? "stacked " : "")\(count == 1 ? "patch" : "patches") of "
            + Wording.count(patch.length, "frame")
    }
}
