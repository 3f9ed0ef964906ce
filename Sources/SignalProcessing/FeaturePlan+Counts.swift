import FeatureModel

/// How many samples, frames and rows clips have.
extension FeaturePlan {
    /// The minimum number of samples, at the plan's rate, for a clip: for one row or, where the rest of patches is dropped, one
    /// patch.
    public var minimumSamples: Int {
        if configuration.patches.rest == .zeros { return 1 }
        let needed = neededSamples
        guard fit == nil, minimumLength > 0 || configuration.audio.multiple > 1 else { return needed }
        // The fewest samples that zeros complete to those needed.
        let multiple = configuration.audio.multiple
        return roundedUp(minimumLength) >= needed ? 1 : (needed - 1) / multiple * multiple + 1
    }

    /// The same, counting zeros after the clip.
    private var neededSamples: Int {
        guard let length = configuration.patches.length, configuration.patches.rest == .drop,
            configuration.rows.count == nil
        else { return completedSamples(rows: 1) }
        return completedSamples(rows: Self.leastRows(length, completedTo: configuration.rows.multiple))
    }

    /// The minimum number of samples, counting zeros after the clip, for a number of rows, 1 or more.
    private func completedSamples(rows: Int) -> Int {
        let multiple = configuration.rows.resizeMultiple
        // Any clip is completed to `resize_multiple` rows.
        if multiple > 1, rows <= multiple { return 1 }
        return samples(rows: Self.leastRows(rows, completedTo: multiple))
    }

    /// The fewest rows that are `rows` or more once they are completed to a multiple.
    private static func leastRows(_ rows: Int, completedTo multiple: Int) -> Int {
        (rows - 1) / multiple * multiple + 1
    }

    /// The minimum number of samples for a number of rows, 1 or more, that zeros do not complete.
    private func samples(rows: Int) -> Int { samples(frames: configuration.rows.unresized(rows)) }

    /// The minimum number of samples for a number of frames, 1 or more.
    private func samples(frames: Int) -> Int {
        max(placement.samples(frames: frames, geometry: geometry) - addedSamples, 1)
    }

    /// The number of rows of a clip of `samples` samples at the plan's rate, without those that `storedRowCount` adds.
    public func frameCount(samples: Int) -> Int {
        let rows = configuration.rows
        let kept = rows.kept(rows.resized(frames(samples: samples)))
        return configuration.addsRowsEarly ? rows.filled(kept) : kept
    }

    /// The number of rows that a clip with `rows` rows has in a file: with those that are added after normalisation, and grouped
    /// into patches, those that belong to two of them twice. Without patches, rows that are added late in the fixed layout belong
    /// to the clip's block, not to the clip.
    public func storedRowCount(_ rows: Int) -> Int {
        let padded = lateRowCount(rows)
        let patches = configuration.patches
        return patches.length.map { Self.product(patches.count(padded), $0) } ?? padded
    }

    /// Extents of the features of a signal as they are stored: [rows, bins], [patches, rows, bins] or, stacked,
    /// [patches, rows · bins].
    public func storedExtents(samples: Int) -> [Int] {
        let rows = storedRowCount(frameCount(samples: samples))
        guard let patch = configuration.patches.shape else { return [rows, bins] }
        let count = rows / patch.length
        return patch.isStacked ? [count, patch.length * bins] : [count, patch.length, bins]
    }

    /// The number of rows of a clip with `rows` rows once rows were added after normalisation, before they are grouped.
    package func lateRowCount(_ rows: Int) -> Int {
        let isDone =
            configuration.addsRowsEarly
            || configuration.store.layout == .fixed && configuration.patches.length == nil
        return isDone ? rows : configuration.rows.filled(rows)
    }

    /// Whether a clip may have another number of rows in a file than were computed for it.
    package var storesOtherRowCount: Bool {
        configuration.patches.length != nil
            || configuration.rows.isActive && !configuration.addsRowsEarly && configuration.store.layout == .packed
    }

    /// A product, limited to `maximumCompleted`.
    private static func product(_ one: Int, _ other: Int) -> Int {
        let (product, overflow) = one.multipliedReportingOverflow(by: other)
        return overflow ? maximumCompleted : min(product, maximumCompleted)
    }

    /// The number of frames of a clip.
    private func frames(samples: Int) -> Int {
        let length = completedLength(samples)
        return length > 0 ? placement.frameCount(samples: max(length + addedSamples, 0), geometry: geometry) : 0
    }

    /// By how many samples the signal that is cut into frames is longer than the completed clip: the zeros in front of it, less a first
    /// sample that pre-emphasis leaves out.
    private var addedSamples: Int {
        configuration.audio.lead - (configuration.condition.firstSample == .drop ? 1 : 0)
    }

    /// The number of samples that a clip of `samples` samples is cropped or padded to: `audio.duration`, or else with zeros up to
    /// `audio.minimum`, up to a multiple of `audio.multiple`, and until the last patch is complete (`patches.rest: zeros`) or resized
    /// rows are enough (`rows.resize_multiple`).
    func completedLength(_ samples: Int) -> Int {
        if fit != nil, let fixedLength { return fixedLength }
        let cropped = min(samples, fixedLength ?? samples)
        guard cropped > 0, cropped < Self.maximumCompleted else { return cropped }
        let length = roundedUp(max(cropped, minimumLength))
        return configuration.rows.resizeMultiple > 1 ? completedRows(length) : completedPatches(length)
    }

    /// The length up to which zeros are appended to every clip; 0: none.
    private var minimumLength: Int {
        configuration.audio.minimum.map { Int(min(($0 * sampleRate).rounded(), 0x1p60)) } ?? 0
    }

    /// The next multiple of `audio.multiple`.
    private func roundedUp(_ samples: Int) -> Int {
        let multiple = configuration.audio.multiple
        return (samples + multiple - 1) / multiple * multiple
    }

    /// The number of samples, at least `samples`, with which the number of resized rows is a multiple.
    private func completedRows(_ samples: Int) -> Int {
        let (rows, multiple) = (configuration.rows, configuration.rows.resizeMultiple)
        let frames = placement.frameCount(samples: max(samples + addedSamples, 0), geometry: geometry)
        let found = rows.resized(frames)
        let wanted = max((found + multiple - 1) / multiple, 1) * multiple
        return found == wanted ? samples : max(samples, self.samples(rows: wanted))
    }

    /// The number of samples, at least `samples`, that complete the last patch.
    private func completedPatches(_ samples: Int) -> Int {
        guard configuration.patches.rest == .zeros, let patch = configuration.patches.shape else { return samples }
        // Frames that cover every sample.
        let needed =
            !placement.reachesPastEnd
            ? 1 + (max(samples + addedSamples - geometry.length, 0) + geometry.hop - 1) / geometry.hop
            : placement.frameCount(samples: samples + addedSamples, geometry: geometry)
        let further = (max(needed - patch.length, 0) + patch.hop - 1) / patch.hop
        return max(samples, self.samples(frames: patch.length + further * patch.hop))
    }

    /// No clip is longer; so sums do not overflow.
    private static let maximumCompleted = 1 << 60

    /// The number of samples that every clip is cropped to and, with `fit`, padded to; nil: clips keep their length.
    public var fixedLength: Int? {
        configuration.audio.duration.map { max(Int(min(($0 * sampleRate).rounded(), 0x1p60)), 1) }
    }

    /// How a clip shorter than `fixedLength` is padded; nil: it keeps its length, except for `audio.minimum` and `multiple`. Unless
    /// `audio.fit` says otherwise, its block of frames is padded instead in the fixed layout: silence that was never recorded has
    /// no features.
    public var fit: ClipFit? {
        guard fixedLength != nil, configuration.audio.fit != .keep else { return nil }
        return configuration.audio.fit ?? (configuration.store.layout == .packed ? .zero : nil)
    }

    /// The maximum of `fixedLength` where clips are repeated, which takes memory.
    public static let maximumRepeatedLength = 1 << 26

    /// The number of rows of every clip's block in the fixed layout, patch after patch where they are grouped; nil: clips differ.
    public var fixedFrameCount: Int? {
        guard configuration.store.layout == .fixed else { return nil }
        let (rows, patches) = (configuration.rows, configuration.patches)
        let single =
            rows.count ?? fixedLength.map { rows.filled(rows.resized(frames(samples: $0))) }
        return single.map { single in patches.length.map { Self.product(patches.count(single), $0) } ?? single }
    }
}
