import FeatureModel

/// What the short-time transforms of librosa, torchaudio and ESPnet have in common: frames by numbers of samples, ends, spectra.
enum ShortTimeFrames {
    /// The transform and the length of frames, in samples; without a length, frames are as long as the transform.
    static func settleLength(
        _ reading: inout Reading, points field: String, length lengthField: String
    ) throws(ModelFileError) -> (points: Int, length: Int) {
        let points = try reading.positive(field)
        let length = reading.isNull(lengthField) ? points : try reading.positive(lengthField)
        reading.set("frame.fft_length", .whole(points), from: field)
        reading.set("frame.length", .whole(length), from: lengthField, field)
        return (points, length)
    }

    /// Frames that are centred, with the ends as `pad` names them; otherwise, a window in the middle of a longer transform.
    ///
    /// - Parameters:
    ///   - field: Whether they are centred.
    ///   - pad: The field of the ends, and the values of `frame.pad` by its names; nil: they are mirrored.
    static func settleEnds(
        _ reading: inout Reading, _ field: String, pad: (field: String, names: [String: String])? = nil,
        frames: (points: Int, length: Int)
    ) throws(ModelFileError) {
        guard reading.flag(field) else {
            if frames.length != frames.points { reading.set("frame.window_at", .text("center"), from: field) }
            return
        }
        reading.set("frame.align", .text("center"), from: field)
        guard let pad else { return }
        reading.set("frame.pad", .text(try reading.choice(pad.field, pad.names)), from: pad.field)
    }

    /// The exponent of magnitudes: powers, or magnitudes themselves.
    static func settlePower(_ reading: inout Reading, _ field: String) throws(ModelFileError) {
        switch reading.number(field) {
        case 2: break
        case 1: reading.set("transform.spectrum", .text("magnitude"), from: field)
        default: throw reading.refuse(field, expected: "1 or 2", "bands are sums of powers or of magnitudes")
        }
    }

    /// The scale, of which a function that returns bands without a logarithm says nothing.
    @Sendable static func openScale(_ reading: Reading) -> ModelInput.Open {
        let (values, floor) = reading.number("power") == 1 ? ("magnitudes", "1e-05") : ("powers", "1e-10")
        return .init(
            section: "scale",
            remark: "values are \(values), without a logarithm: scale.kind=ln with a floor, such as "
                + "scale.floor=\(floor), gives one")
    }
}
