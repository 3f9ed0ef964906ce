import FeatureModel

extension FeaturePlan {
    /// The program's own transform that computes the rows, or filters the signal; nil: none does.
    ///
    /// Its bits depend neither on the processor nor on the build. Another number where they differ from those before: `lanes 1` served
    /// even lengths to 16,384 with the prime factors 2, 3 and 5, and DCT-II; its bits are those of `lanes 2`, which serves all lengths,
    /// all types, and the equaliser.
    /// Rows that remain in double precision until a clip is normalised were single precision before; they have that in their name.
    package var ownTransform: String? {
        guard isPrecise else { return framesTransform }
        return (framesTransform.map { $0 + Self.with } ?? "") + Self.preciseRows
    }

    private static let preciseRows = "double rows"
    private static let with = " with "

    /// What `ownTransform` says of the frames alone.
    package static func framesTransform(_ name: String?) -> String? {
        guard let name, name != preciseRows else { return nil }
        let suffix = with + preciseRows
        return name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }

    /// The program's own transform that computes the frames, or filters the signal; nil: none does.
    private var framesTransform: String? {
        let transform = configuration.transform
        if configuration.condition.dctFilter != nil { return ownTransformVersion() }
        if transform.kind == .raw || transform.engine != .lanes { return nil }
        if case .dct(_, let type, _) = transform.method, type != .two { return ownTransformVersion() }
        let length = geometry.fftLength
        let isFirst =
            length <= 16_384 && length % 2 == 0
            && LanePlan.radices(of: length / 2)?.allSatisfy { [2, 3, 4, 5, 8].contains($0) } == true
        return isFirst ? "lanes 1" : ownTransformVersion()
    }

    /// The samples of the Fourier transform that a frame's transform takes, of these those of one that is a convolution, which takes
    /// more memory, and how many lanes there are of each, at most.
    package static func transformPoints(
        _ configuration: FeatureConfiguration, fftLength: Int
    ) -> (samples: Int, convolved: Int, lanes: Int) {
        let samples =
            if case .dct(_, let type, _) = configuration.transform.method {
                LaneCosine.points(type, length: fftLength)
            } else {
                fftLength
            }
        let numbers = samples % 2 == 0 ? samples / 2 : samples
        let convolved = LanePlan.radices(of: max(numbers, 1)) == nil ? 2 * numbers : 0
        return (samples, convolved, samples > LaneLoops.maximumWideLength ? 2 : LaneFFT.rows)
    }

    /// Whether FFTW computes the rows.
    package var usesFFTW: Bool {
        configuration.transform.engine == .fftw && configuration.transform.kind != .raw
    }
}

/// The name and number of the program's own transform.
public func ownTransformVersion() -> String { "lanes 2" }

/// The instructions of the innermost loops: sse2, avx2, avx512, or baseline.
public func instructionSet() -> String { String(cString: Kernels.best.pointee.name) }
