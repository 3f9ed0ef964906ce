import FeatureModel

package enum AnnotationStyle: String, CaseIterable, Sendable {
    /// As a strip if they have no frequencies and too little room for labels side by side; otherwise as boxes.
    case automatic = "auto"
    /// As boxes over the spectrogram, with labels if there is room.
    case boxes
    /// As bars in a strip below the time axis: a lane for each label.
    case strip
}

extension AnnotationStyle {
    package static let maximumLanes = LabelLanes.maximum

    /// Up to this number of annotations are boxes, for any length of labels.
    private static let alwaysBoxes = 12
    /// The share of the width that labels side by side may take.
    private static let maximumWidthShare = 0.7

    /// Whether panels' annotations are shown as a strip.
    ///
    /// - Parameters:
    ///   - width: The approximate width of the spectrograms, in pixels.
    ///   - labelWidth: How wide a label is drawn, in pixels.
    package func isStrip(_ panels: [[Annotation]], width: Int, labelWidth: (String) -> Int) -> Bool {
        switch self {
        case .boxes: return false
        case .strip: return panels.contains { !$0.isEmpty }
        case .automatic:
            guard panels.joined().allSatisfy({ $0.low == nil && $0.high == nil }) else { return false }
            var known: [String: Int] = [:]
            return panels.contains { annotations in
                guard annotations.count > Self.alwaysBoxes else { return false }
                var sum = 0
                for annotation in annotations where !annotation.label.isEmpty {
                    let own = known[annotation.label] ?? labelWidth(annotation.label)
                    known[annotation.label] = own
                    sum += own
                    if Double(sum) > Self.maximumWidthShare * Double(width) { return true }
                }
                return false
            }
        }
    }
}

/// How many annotations of a panel are drawn and named, and why others are not.
package struct AnnotationCount: Hashable, Sendable {
    package var drawn = 0
    /// Annotations that end before the panel starts.
    package var before = 0
    /// Annotations that start after the panel's last frame.
    package var after = 0
    /// Annotations at the panel's times, but not at its frequencies.
    package var beyondBand = 0
    /// Boxes that reach beyond the frequencies of the panel.
    package var cut = 0
    package var labelled = 0
    /// Boxes whose label is printed, for one box or several.
    package var named = 0

    package init() {}

    package var all: Int { drawn + before + after + beyondBand }

    /// Whether an annotation from the column `left` to `right` is outside of some columns; counts it then.
    mutating func counts(outside columns: Range<Double>, left: Double, right: Double) -> Bool {
        if left >= columns.upperBound {
            after += 1
        } else if right > columns.lowerBound || right == left && left >= columns.lowerBound {
            return false
        } else {
            before += 1
        }
        return true
    }

    package var isComplete: Bool { named == labelled }
}
