/// The shape that a frame is multiplied by before the transform.
public enum WindowFunction: String, CaseIterable, Codable, Sendable {
    /// 1 everywhere: no window.
    case rectangular
    /// ½ − ½ cos.
    case hann
    /// 0.54 − 0.46 cos.
    case hamming
    /// 0.42 − ½ cos + 0.08 cos of twice the angle.
    case blackman
}
