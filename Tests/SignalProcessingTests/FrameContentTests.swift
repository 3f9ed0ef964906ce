import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// Frames by their definition, from a signal that is continued past its ends sample by sample: slow, and nothing in common
/// with `FrameCutter`.
private struct SlowFraming {
    let geometry: FrameGeometry
    let align: FrameAlignment
    let pad: EdgePadding
    let dropLast: Bool

    func frames(of signal: [Float]) -> [[Float]] {
        switch align {
        case .start: whole(signal, length: geometry.length)
        case .center: centred(signal, side: geometry.fftLength / 2)
        // HiFi-GAN, meldataset.py: int((n_fft - hop_size) / 2) samples on either side.
        case .half: centred(signal, side: (geometry.fftLength - geometry.hop) / 2)
        case .kaldi: mirrored(signal, from: geometry.hop / 2 - geometry.length / 2)
        // lhotse, features/kaldi/layers.py: _get_strided_batch with snip_edges False; Python rounds down.
        case .lhotse: mirrored(signal, from: -Int((Double(geometry.length - geometry.hop) / 2).rounded(.down)))
        }
    }

    /// Frames that lie on the samples from the first on, as long as there are enough left.
    private func whole(_ samples: [Float], length: Int) -> [[Float]] {
        stride(from: 0, to: max(samples.count - length + 1, 0), by: geometry.hop).map {
            Array(samples[$0..<$0 + length])
        }
    }

    /// As librosa and torch do it: some samples on either side, such as half a transform's length, frames as long as the transform,
    /// and the window in the middle of each.
    private func centred(_ signal: [Float], side: Int) -> [[Float]] {
        guard !signal.isEmpty else { return [] }
        let padded = (-side..<signal.count + side).map { value(at: $0, signal) }
        let start = (geometry.fftLength - geometry.length) / 2
        let frames = whole(padded, length: geometry.fftLength).map { Array($0[start..<start + geometry.length]) }
        return dropLast ? Array(frames.dropLast()) : frames
    }

    private func value(at position: Int, _ signal: [Float]) -> Float {
        let last = signal.count - 1
        var index = position
        switch pad {
        case .zero: return signal.indices.contains(index) ? signal[index] : 0
        case .edge: return index < 0 ? signal[0] : index > last ? signal[last] : signal[index]
        case .reflect:
            guard last > 0 else { return signal[0] }
            while !signal.indices.contains(index) { index = index < 0 ? -index : 2 * last - index }
            return signal[index]
        }
    }

    /// Kaldi, feat/feature-window.cc: NumFrames, FirstSampleOfFrame and ExtractWindow with snip_edges false.
    private func mirrored(_ signal: [Float], from start: Int) -> [[Float]] {
        let count = (signal.count + geometry.hop / 2) / geometry.hop
        return (0..<count).map { frame in
            let first = geometry.hop * frame + start
            return (first..<first + geometry.length).map { position in
                var index = position
                while index < 0 || index >= signal.count {
                    index = index < 0 ? -index - 1 : 2 * signal.count - 1 - index
                }
                return signal[index]
            }
        }
    }
}

struct FrameContentTests {
    private static let alignments: [(FrameAlignment, EdgePadding, Bool)] =
        [(.start, .reflect, false), (.kaldi, .reflect, false), (.lhotse, .reflect, false)]
        + EdgePadding.allCases.flatMap { [(.center, $0, false), (.center, $0, true), (.half, $0, false)] }

    private func check(
        _ lengths: (Int, Int, Int), samples: Int, pieces: [Int], _ alignment: (FrameAlignment, EdgePadding, Bool)
    ) throws {
        let frame = try FrameConfiguration(
            length: .samples(lengths.0), hop: .samples(lengths.1), fftLength: lengths.2)
        let geometry = try frame.geometry(at: 1)
        let (align, pad, dropLast) = alignment
        // A hop that is longer than the transform is refused there.
        guard align != .half || geometry.hop <= geometry.fftLength else { return }
        // Integers show their positions.
        let signal = (0..<samples).map { Float($0 + 1) }
        let expected = SlowFraming(geometry: geometry, align: align, pad: pad, dropLast: dropLast).frames(of: signal)
        for piece in pieces {
            let cut = frames(of: signal, geometry: geometry, align: align, pad: pad, piece: piece, dropLast: dropLast)
            let isEqual = cut == expected
            #expect(isEqual, "\(samples) samples, \(lengths), \(alignment), pieces of \(piece)")
        }
    }

    @Test(arguments: alignments)
    func `frames of short signals hold what the definition says, mirrored as often as it takes`(
        alignment: (FrameAlignment, EdgePadding, Bool)
    ) throws {
        let shapes = [
            (7, 3, 8), (8, 8, 8), (5, 9, 16), (3, 2, 3), (4, 1, 7), (4, 2, 11), (1, 1, 1), (1, 5, 2), (2, 7, 9),
            (33, 20, 51), (6, 13, 6), (12, 5, 40), (1, 3, 64), (25, 40, 25),
        ]
        for shape in shapes {
            for samples in Array(0...30) + [64, 97, 300] {
                try check(shape, samples: samples, pieces: [1, 3, 1000], alignment)
            }
        }
    }

    @Test(arguments: alignments)
    func `frames of long signals hold what the definition says`(alignment: (FrameAlignment, EdgePadding, Bool)) throws {
        // Long enough for the cutter to move what it keeps several times; the last two have hops beyond a frame.
        for shape in [(400, 160, 512), (9000, 4500, 16_384), (401, 163, 511), (64, 700, 64), (3, 20_000, 4)] {
            for samples in [3000, 40_009] {
                try check(shape, samples: samples, pieces: [1009, 100_000], alignment)
            }
        }
    }
}
