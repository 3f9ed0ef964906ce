import Foundation
import Presentation

/// What was found, in words.
enum Figures {
    static func decibels(_ peak: Float) -> String { Wording.value((200 * log10(Double(peak))).rounded() / 10) }

    static func clipped(_ samples: Int, share: Double) -> String {
        "\(Wording.count(samples, "sample")) at full scale in runs, \(Wording.share(share))"
    }

    static func offset(_ mean: Double) -> String {
        "mean of \(mean < 0 ? "−" : "")\(Wording.share(mean.magnitude)) of full scale"
    }

    /// A label's spelling without what is easily mistyped.
    static func folded(_ label: String) -> String {
        label.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
            .precomposedStringWithCompatibilityMapping
    }
}
