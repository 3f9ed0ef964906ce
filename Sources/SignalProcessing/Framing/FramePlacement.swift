import FeatureModel

/// The positions of frames on a signal, and its continuation past its ends.
struct FramePlacement {
    let align: FrameAlignment
    let pad: EdgePadding
    let dropLast: Bool
    /// Samples that have to follow a frame; `align` is `start` where there are any.
    let lookahead: Int

    init(_ frame: FrameConfiguration) {
        self.init(align: frame.align, pad: frame.pad, dropLast: frame.dropLast, lookahead: frame.lookahead)
    }

    init(align: FrameAlignment, pad: EdgePadding, dropLast: Bool = false, lookahead: Int = 0) {
        self.align = align
        self.pad = pad
        self.dropLast = dropLast
        self.lookahead = lookahead
    }

    /// Frame i starts at sample i · hop − offset.
    func offset(_ geometry: FrameGeometry) -> Int {
        if let mirrored = align.mirrored(length: geometry.length, hop: geometry.hop) { return mirrored }
        // A window shorter than the transform is centred in it.
        return align == .center ? geometry.fftLength / 2 - transformOffset(geometry) : 0
    }

    /// Index of the frame's first sample in the transform's input.
    func transformOffset(_ geometry: FrameGeometry) -> Int {
        align == .center ? (geometry.fftLength - geometry.length) / 2 : 0
    }

    /// The number of frames of a signal of `samples` samples.
    func frameCount(samples: Int, geometry: FrameGeometry) -> Int {
        switch align {
        case .start:
            samples - lookahead < geometry.length ? 0 : 1 + (samples - lookahead - geometry.length) / geometry.hop
        case .center: samples < 1 ? 0 : (dropLast ? 0 : 1) + (samples - geometry.fftLength % 2) / geometry.hop
        case .kaldi, .lhotse: (samples + geometry.hop / 2) / geometry.hop
        }
    }

    /// The number of frames that are certain after `samples` samples.
    func certainFrames(samples: Int, geometry: FrameGeometry) -> Int {
        // Otherwise every complete frame is certain.
        dropLast || lookahead > 0 ? frameCount(samples: samples, geometry: geometry) : .max
    }

    /// The index of the sample at a position before the first or past the last one; nil: a zero.
    func source(of position: Int, samples: Int) -> Int? {
        switch (align, pad) {
        case (.start, _), (.center, .zero): return nil
        case (.center, .edge): return min(max(position, 0), samples - 1)
        case (.center, .reflect):
            guard samples > 1 else { return 0 }
            let period = 2 * (samples - 1)
            let folded = ((position % period) + period) % period
            return min(folded, period - folded)
        case (.kaldi, _), (.lhotse, _):
            let folded = ((position % (2 * samples)) + 2 * samples) % (2 * samples)
            return min(folded, 2 * samples - 1 - folded)
        }
    }
}
