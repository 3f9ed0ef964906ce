import FeatureModel

/// The positions of frames on a signal, and its continuation past its ends.
struct FramePlacement {
    let align: FrameAlignment
    let pad: EdgePadding
    let dropLast: Bool
    /// Samples that have to follow a frame; `align` is `start` where there are any.
    let lookahead: Int
    /// Whether zeros complete the frames that start in the signal; `align` is `start` then.
    let padEnd: Bool
    /// Whether a window that is shorter than the transform is in its middle.
    let isWindowCentred: Bool
    /// Whether a centred frame has its window at its start.
    private let isWindowLeft: Bool
    /// Samples by which every frame starts later than it should; negative: earlier.
    private let shift: Int

    init(_ frame: FrameConfiguration, shift: Int = 0) {
        self.init(
            align: frame.align, pad: frame.pad, dropLast: frame.dropLast, lookahead: frame.lookahead,
            padEnd: frame.padEnd, windowPosition: frame.windowPosition, shift: shift)
    }

    init(
        align: FrameAlignment, pad: EdgePadding, dropLast: Bool = false, lookahead: Int = 0, padEnd: Bool = false,
        windowPosition: WindowPosition = .start, shift: Int = 0
    ) {
        self.align = align
        self.pad = pad
        self.dropLast = dropLast
        self.lookahead = lookahead
        self.padEnd = padEnd
        self.shift = shift
        isWindowLeft = windowPosition == .left
        isWindowCentred = !isWindowLeft && (align == .center || align == .half) || windowPosition == .center
    }

    /// Whether frames may reach past the signal's end.
    var reachesPastEnd: Bool { align != .start || padEnd }

    /// Frame i starts at sample i · hop − offset.
    func offset(_ geometry: FrameGeometry) -> Int {
        if let mirrored = align.mirrored(length: geometry.length, hop: geometry.hop) { return mirrored - shift }
        // A window shorter than the transform is centred in it, or at its start.
        let before =
            switch align {
            case .center: geometry.fftLength / 2
            case .half: (geometry.fftLength - geometry.hop) / 2
            case .start, .kaldi, .lhotse: 0
            }
        return before - transformOffset(geometry) - shift
    }

    /// Index of the frame's first sample in the transform's input.
    func transformOffset(_ geometry: FrameGeometry) -> Int {
        isWindowCentred ? (geometry.fftLength - geometry.length) / 2 : 0
    }

    /// Samples that have to be there for a frame to exist, from where it starts; `align` is `start`.
    private func span(_ geometry: FrameGeometry) -> Int {
        (isWindowCentred ? geometry.fftLength : geometry.length) + lookahead + shift
    }

    /// Samples after the last one of a frame that are needed before it is certain.
    func wait(_ geometry: FrameGeometry) -> Int {
        // A window at the start may end before the middle of its frame, which has to be in the signal.
        let early = isWindowLeft ? max(geometry.fftLength / 2 + geometry.fftLength % 2 - geometry.length, 0) : 0
        if dropLast || align == .half { return geometry.hop + early }
        return align == .start && !padEnd ? span(geometry) - geometry.length : early
    }

    /// The number of frames of a signal of `samples` samples.
    func frameCount(samples: Int, geometry: FrameGeometry) -> Int {
        switch align {
        case .start where padEnd: (samples + geometry.hop - 1) / geometry.hop
        case .start: samples < span(geometry) ? 0 : 1 + (samples - span(geometry)) / geometry.hop
        case .center: samples < 1 ? 0 : (dropLast ? 0 : 1) + (samples - geometry.fftLength % 2) / geometry.hop
        case .half: max(samples - (geometry.fftLength - geometry.hop) % 2, 0) / geometry.hop
        case .kaldi, .lhotse: (samples + geometry.hop / 2) / geometry.hop
        }
    }

    /// The fewest samples of a signal with `frames` frames, 1 or more.
    func samples(frames: Int, geometry: FrameGeometry) -> Int {
        let hop = geometry.hop
        return switch align {
        case .start where padEnd: (frames - 1) * hop + 1
        case .start: span(geometry) + (frames - 1) * hop
        case .center where dropLast: frames * hop + geometry.fftLength % 2
        case .center: max((frames - 1) * hop + (frames > 1 ? geometry.fftLength % 2 : 0), 1)
        case .half: frames * hop + (geometry.fftLength - hop) % 2
        case .kaldi, .lhotse: frames * hop - hop / 2
        }
    }

    /// The number of frames that are certain after `samples` samples.
    func certainFrames(samples: Int, geometry: FrameGeometry) -> Int {
        // Otherwise every complete frame is certain.
        wait(geometry) > 0 ? frameCount(samples: samples, geometry: geometry) : .max
    }

    /// The index of the sample at a position before the first or past the last one; nil: a zero.
    func source(of position: Int, samples: Int) -> Int? {
        switch (align, pad) {
        case (.start, _), (.center, .zero), (.half, .zero): return nil
        case (.center, .edge), (.half, .edge): return min(max(position, 0), samples - 1)
        case (.center, .reflect), (.half, .reflect):
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
