import FeatureModel

@testable import SignalProcessing

/// A configuration with the parts that tests of framing vary; the values are powers of the samples' spectrum.
func configuration(
    length: Int, hop: Int, fftLength: Int, window: WindowFunction = .rectangular, align: FrameAlignment = .start,
    pad: EdgePadding = .reflect, transform: TransformConfiguration = .fft(bins: nil),
    scale: ScaleConfiguration? = nil
) throws -> FeatureConfiguration {
    try FeatureConfiguration(
        audio: AudioConfiguration(sampleRate: nil),
        frame: FrameConfiguration(
            length: .samples(length), hop: .samples(hop), fftLength: fftLength, window: window, align: align, pad: pad),
        transform: transform, scale: scale ?? ScaleConfiguration(kind: .power))
}

extension FeatureStream {
    /// Pushes a signal in pieces of the given sizes, taken in turn, and returns the rows' values that came.
    func push(_ samples: [Float], pieces: [Int] = [.max]) -> [Float] {
        var values: [Float] = []
        var (start, turn) = (0, 0)
        samples.withUnsafeBufferPointer { samples in
            while start < samples.count {
                let count = min(pieces[turn % pieces.count], samples.count - start)
                push(UnsafeBufferPointer(rebasing: samples[start..<start + count])) { values.append(contentsOf: $0) }
                start += count
                turn += 1
            }
        }
        return values
    }

    /// The values of the rows that are left.
    func finish() -> [Float] {
        var values: [Float] = []
        finish { values.append(contentsOf: $0) }
        return values
    }

    /// All rows of a signal.
    func rows(_ samples: [Float], pieces: [Int] = [.max]) -> [UInt32] {
        (push(samples, pieces: pieces) + finish()).map(\.bitPattern)
    }
}

/// All frames of a signal, pushed in pieces of the given size.
func frames(
    of samples: [Float], geometry: FrameGeometry, align: FrameAlignment, pad: EdgePadding, piece: Int,
    dropLast: Bool = false
) -> [[Float]] {
    var cutter = FrameCutter(
        geometry: geometry, placement: FramePlacement(align: align, pad: pad, dropLast: dropLast))
    var frames: [[Float]] = []
    func keep(_ run: FrameRun) {
        for index in 0..<run.count {
            frames.append(Array(UnsafeBufferPointer(start: run[index], count: geometry.length)))
        }
    }
    samples.withUnsafeBufferPointer { samples in
        for start in stride(from: 0, to: samples.count, by: piece) {
            let end = min(start + piece, samples.count)
            cutter.push(UnsafeBufferPointer(rebasing: samples[start..<end])) { keep($0) }
        }
    }
    cutter.finish { keep($0) }
    return frames
}
