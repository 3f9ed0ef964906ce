/// The four discrete cosine transforms of even symmetry. `DiscreteCosineTransform` in SignalProcessing has the formulas.
public enum CosineTransformType: Int, CaseIterable, Codable, Sendable {
    /// DCT-I: the samples lie on the ends of the cosines; needs two samples.
    case one = 1
    /// DCT-II, "the" DCT.
    case two
    /// DCT-III: the inverse of DCT-II.
    case three
    /// DCT-IV: its own inverse.
    case four
}
