import FeatureModel

/// How annotations are shown.
package enum AnnotationStyle: String, CaseIterable, Sendable {
    /// As a strip, where they have no frequencies and are too many for labels side by side; otherwise as boxes.
    case automatic = "auto"
    /// As boxes over the spectrogram, with labels where these have room.
    case boxes
    /// As bars in a strip below the time axis: a lane for each label.
    case strip
}

extension AnnotationStyle {
    /// The most lanes of a strip.
    package static let mostLanes = LabelLanes.most

    /// So few annotations are boxes, however long their labels are.
    private static let fewBoxes = 12
    /// The share of the width that labels side by side may take.
    private static let mostOfWidth = 0.7

    /// Whether panels' annotations are to be shown as a strip.
    ///
    /// - Parameters:
    ///   - width: Of the spectrograms, in pixels; about.
    ///   - labelWidth: How wide a label is drawn, in pixels.
    package func isStrip(_ panels: [[Annotation]], width: Int, labelWidth: (String) -> Int) -> Bool {
        switch self {
        case .boxes: return false
        case .strip: return panels.contains { !$0.isEmpty }
        case .automatic:
            guard panels.joined().allSatisfy({ $0.low == nil && $0.high == nil }) else { return false }
            var known: [String: Int] = [:]
            return panels.contains { annotations in
                guard annotations.count > Self.fewBoxes else { return false }
                var sum = 0
                for annotation in annotations where !annotation.label.isEmpty {
                    let own = known[annotation.label] ?? labelWidth(annotation.label)
                    known[annotation.label] = own
                    sum += own
                    if Double(sum) > Self.mostOfWidth * Double(width) { return true }
                }
                return false
            }
        }
    }
}
